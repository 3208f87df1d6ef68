"""Checks of a game whose file matches the schema. Each module checks one aspect.

There are three stages. The first checks names; the second, numbers for every number of players; the third, everything
that follows from the flow and the counters. A stage runs only if the previous stages found no errors.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.cardset.effects import all_effects
from draftengine.model.cardset.records import with_players
from draftengine.model.checks import conditions, formulas, unused
from draftengine.model.checks.context import CheckContext, uses_of, word_in
from draftengine.model.checks.formulas import unused_definitions
from draftengine.model.checks.names import check_all_names, check_citations
from draftengine.model.checks.scope import EVERYTHING
from draftengine.model.checks.scoring import check_labels, check_never, check_tie_breakers
from draftengine.model.checks.sizes import (
    check_bounds,
    check_cards,
    check_copies,
    check_counters,
    check_flow,
    check_idle,
    check_points,
)
from draftengine.model.checks.slips import check_slips
from draftengine.model.checks.steps import check_hidden, check_lists, check_markers, check_sides, check_zones
from draftengine.model.checks.texts import check_texts
from draftengine.model.checks.unused import check_smells
from draftengine.model.diagnostics import Diagnostic, Related, has_errors, ordered, under
from draftengine.model.flow import FlowKey, flow_key
from draftengine.model.verbs.naming import FindStep
from draftengine.support.identity import IdentityKey
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from draftengine.model.cardset.records import CardSet
    from draftengine.model.checks.context import FormulaUse
    from draftengine.model.checks.scope import Extent
    from draftengine.support.locale.phrases import Text

__all__ = ["dry_run_work", "run", "run_all", "said_of"]

NAMES: tuple[Callable[[CardSet], Iterable[Diagnostic]], ...] = (
    check_all_names,
    check_citations,
    conditions.check_needs,
)
"""The checks of the file alone."""

SHAPES: tuple[Callable[[CardSet], Iterable[Diagnostic]], ...] = (
    check_zones,
    check_lists,
    check_markers,
    check_sides,
    check_bounds,
    check_cards,
    check_hidden,
    check_labels,
)
"""The checks of the file alone that need every name to be known."""

TABLES: tuple[Callable[[CheckContext], Iterable[Diagnostic]], ...] = (check_counters, check_points)
"""The checks of a game with a certain number of players."""

ALWAYS: tuple[Callable[[CheckContext], Iterable[Diagnostic]], ...] = (
    check_never,
    check_tie_breakers,
    conditions.check_prices,
)
"""The checks for each number of players, whose findings are reported only if all numbers have them.

They are left out if `check_idle` finds an error.
"""

_REMEMBERED = 128
"""The size of the cache of findings. A game is often played just after it was checked.

The largest card set needs 80: one for each of its variants and options with each number of players.
"""

_ONE_EACH = frozenset(
    {"deck-runs-out", "endless-turns", "layout-too-small", "layout-too-large", "bad-count", "missing-player-count"}
    | {"counter-unlimited", "points-unlimited", "out-of-range", "rule-never-scores", "zone-misuse"}
    | {"idle-step", "way-never-used"}
)
"""Codes of findings that are reported once for each position, even if their messages differ.

The messages depend on the number of players.
"""


_OF_ALL_GAMES = unused.CODES | conditions.CODES
"""Codes of findings about something unused, which are dropped if another game of the file uses it."""

_REMOVABLE = frozenset({"scoring", "modifiers", "abilities", "triggers"})
"""Sections from which a variant can remove an entry together with the names that the entry needs."""


def run(model: CardSet, players: Iterable[int] | None = None) -> tuple[Diagnostic, ...]:
    """Return the findings about a game, for all numbers of players that it allows or only for `players`.

    A game without errors can be compiled and played. If `players` is given, findings that need all numbers of players
    are left out, and so are suspicions such as unused cards.
    """
    uses, of_file = _of_file(IdentityKey(model))
    if has_errors(of_file):
        return of_file
    findings = [*of_file]
    if players is None:
        findings += [*unused.check(model, uses), *unused_definitions(model, uses)]
        findings += [*check_smells(model), *check_slips(model, uses), *check_texts(model)]
    allowed = conditions.allowed_players(model)
    counts = allowed if players is None else tuple(players)
    by_count: dict[int, list[Diagnostic]] = {}
    always: dict[int, list[Diagnostic]] = {}
    for count in counts:
        by_count[count] = list(_at_table(IdentityKey(model), count))
        if players is None and not has_errors(by_count[count]):
            table = _table(IdentityKey(model), count)
            always[count] = list(check_idle(table))
            if not has_errors(always[count]):
                always[count] += [finding for check in ALWAYS for finding in check(table)]
    findings += _merged(by_count, allowed)
    if always and len(always) == len(counts):  # with every number of players
        first, *others = always.values()
        keys = {_key(finding) for finding in first}.intersection(*(map(_key, more) for more in others))
        findings += [finding for finding in first if _key(finding) in keys]
        if not has_errors(first):
            findings += conditions.check([_table(IdentityKey(model), count) for count in counts], uses)
    if players is None and not has_errors(findings):
        findings += unused.check_parameters(model, uses)
    return ordered(findings)


@lru_cache(_REMEMBERED)
def _of_file(model: IdentityKey[CardSet]) -> tuple[tuple[FormulaUse, ...], tuple[Diagnostic, ...]]:
    """Return the formulas of a game, and the findings that are the same for all numbers of players."""
    uses = tuple(uses_of(model.own))
    findings = [finding for check in NAMES for finding in check(model.own)]
    if not has_errors(findings):
        findings += [finding for check in SHAPES for finding in check(model.own)]
        findings += formulas.check_names(model.own, uses)
    return uses, ordered(findings)


def dry_run_work(models: Iterable[CardSet]) -> Iterator[int]:
    """Yield the mean work of dry runs with the fewest and the most players, for each flow among the games.

    Both are needed in any case. Games with errors are left out. The work is 0 if wrong constants prevent a dry run.
    """
    seen: set[FlowKey] = set()
    for model in models:
        uses, findings = _of_file(IdentityKey(model))
        if has_errors(findings):
            continue
        allowed = conditions.allowed_players(model) or (model.max_players,)
        tables = [_table(IdentityKey(model), players) for players in (allowed[-1], allowed[0])]
        flow = flow_key(tables[0].model, tables[0].players)
        if flow not in seen:
            seen.add(flow)
            works = [0 if any(formulas.check_constants(table, uses)) else table.plan.work for table in tables]
            yield (sum(works) + 1) // len(works)


def run_all(
    models: Sequence[CardSet], unusual: Sequence[CardSet] = (), extent: Extent = EVERYTHING
) -> tuple[Diagnostic, ...]:
    """Return the findings about several games of one file, as far as `extent` allows.

    The first of `models` is the base game, without variants. What one game uses is not reported as unused. Findings
    about `unusual` games, which are played only on request, become warnings. A finding that the base game does not have
    says which game has it.
    """
    results = [run(model, _counts(model, extent)) for model in models]
    # Something unused that at least one game of the file uses is not reported.
    there, unused_in = Counter[object](), Counter[Diagnostic]()
    for model, findings in zip(models, results, strict=True):
        sections = (
            model.definitions,
            model.cards,
            model.modifiers,
            model.counters,
            model.zones,
            model.extra_seats,
            model.markers,
            model.chips,
            model.parameters,
            model.readings,
        )
        formulas = (use.formula.span for use in _of_file(IdentityKey(model))[0])
        names = (word_in(step.span, step.name) for step in all_effects(model) if isinstance(step, FindStep))
        places = frozenset((*(entry.span for section in sections for entry in section), *formulas, *names))
        there.update(places)
        for finding in {finding for finding in findings if finding.code in _OF_ALL_GAMES}:
            unused_in[finding] += finding.span in places
    used = {finding for finding in unused_in if unused_in[finding] < there[finding.span]}
    kept: dict[object, Diagnostic] = {}
    for model, findings in zip(models, results, strict=True):
        for finding in findings:
            if _key(finding) not in kept and finding not in used:
                kept[_key(finding)] = said_of(model, models[0], finding)
    for model in unusual if models else ():
        for finding in run(model, _counts(model, extent)):
            if finding.code not in _OF_ALL_GAMES and _key(finding) not in kept:
                kept[_key(finding)] = replace(said_of(model, models[0], finding), severity="warning")
    return ordered(kept.values())


def _counts(model: CardSet, extent: Extent) -> tuple[int, ...] | None:
    """Return the numbers of players to check; ``None`` means all."""
    if extent.others_whole or (
        extent.base_whole and not (model.active or any(reading.chosen != reading.default for reading in model.readings))
    ):
        return None
    counts = conditions.allowed_players(model)
    return tuple(sorted({*(() if extent.most_only else counts[:1]), *counts[-1:]}))


def said_of(model: CardSet, base: CardSet, finding: Diagnostic) -> Diagnostic:
    """Return the finding with the variants, readings and parameters of its game added to the text.

    It is unchanged if its position is within one of these variants or readings.
    """
    variants = [variant for variant in model.variants if variant.id in model.active]
    readings = [reading for reading in model.readings if reading.chosen != reading.default]
    usual = {parameter.id: parameter.default for parameter in base.parameters}
    changed = [
        parameter for parameter in model.parameters if parameter.default != usual.get(parameter.id, parameter.default)
    ]
    places = (*(variant.span for variant in variants), *(reading.span for reading in readings))
    if any(place.encloses(finding.span) for place in places):
        return finding
    phrases: list[Text] = [
        *(said("condition.variant", name=variant.id) for variant in variants),
        *(f"{reading.id}={reading.chosen}" for reading in readings),
        *(f"{parameter.id}={parameter.default}" for parameter in changed),
    ]
    gone = _names(base) - _names(model) if variants and finding.code.startswith("unknown-") else set[str]()
    if (name := next((name for name in finding.names if name in gone), None)) is not None:
        section, _, rest = finding.path[1:].partition("/")
        hint = said("hint.variant-removes-section", name=name, section=section)
        if section in _REMOVABLE:
            text = f"{section}: {{{rest.partition('/')[0]}: null}}"
            hint = said("hint.variant-removes", name=name, text=text)
        related = (*finding.related, Related(said("finding.removed-here"), variants[-1].span))
        finding = replace(finding, advice=hint, related=related)
    if not phrases:
        return finding
    names = (*finding.names, *(variant.id for variant in variants))
    return replace(finding, text=under(finding.text, *phrases), names=names)


def _names(model: CardSet) -> set[str]:
    """Return the names that formulas can use and that a variant may remove from a game."""
    named = (
        {card.id for card in model.cards}
        | {counter.id for counter in model.counters}
        | {zone.id for zone in model.zones}
    )
    return named | {marker.id for marker in model.markers} | {pile.id for pile in model.chips}


@lru_cache(_REMEMBERED)
def _table(model: IdentityKey[CardSet], players: int) -> CheckContext:
    return CheckContext(with_players(model.own, players), players)


@lru_cache(_REMEMBERED)
def _at_table(model: IdentityKey[CardSet], players: int) -> tuple[Diagnostic, ...]:
    """Return the findings about a game with a number of players. Its file has no errors.

    The checks stop after the first group with findings, because mistakes cause misleading findings in later groups.
    """
    table, uses = _table(model, players), _of_file(model)[0]
    if missing := tuple(check_copies(table)):
        return missing
    if not_constant := tuple(formulas.check_constants(table, uses)) or tuple(formulas.check_numbers(table)):
        return not_constant
    flow = tuple(check_flow(table))
    if has_errors(flow):
        return flow
    ranges = tuple(formulas.check_ranges(table, uses))
    return (*flow, *(ranges or (finding for check in TABLES for finding in check(table))))


def _merged(by_count: dict[int, list[Diagnostic]], allowed: Sequence[int]) -> Iterator[Diagnostic]:
    """Yield each finding once. It says for which numbers of players, unless it is the same for all."""
    first: dict[object, Diagnostic] = {}
    counts: dict[object, dict[int, None]] = {}
    messages: dict[object, set[Text]] = {}
    for count, findings in by_count.items():
        for finding in findings:
            first.setdefault(_key(finding), finding)
            counts.setdefault(_key(finding), {})[count] = None
            messages.setdefault(_key(finding), set()).add(finding.text)
    for key, finding in first.items():
        numbers = counts[key]
        everywhere = len(numbers) == len(allowed) and len(messages[key]) == 1
        counted, *others = numbers
        phrase = said("condition.players", first=counted)
        if others:
            phrase = said("condition.players-too", first=counted, others=", ".join(map(str, others)))
        yield finding if everywhere else replace(finding, text=under(finding.text, phrase))


def _key(finding: Diagnostic) -> object:
    return (finding.code, finding.span, "" if finding.code in _ONE_EACH else finding.text)
