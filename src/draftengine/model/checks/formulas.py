"""Checks that formulas use known names and right types, and that their values are within bounds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.cardset.effects import hidden_counters
from draftengine.model.cardset.facts import (
    CounterInfo,
    all_names,
    constant,
    constant_scope,
    flow_scope,
    seat_scope,
    steps_of,
    table_scope,
)
from draftengine.model.checks.context import FormulaUse, counter_names, names_in
from draftengine.model.checks.unused import unnoticed_cards
from draftengine.model.diagnostics import Diagnostic, diagnose, with_hint
from draftengine.model.diagnostics.suggest import write
from draftengine.model.language.builtins import LYING
from draftengine.model.language.check import check as check_formula
from draftengine.model.language.environment import NameInfo, Scope
from draftengine.model.records import referenced_names
from draftengine.model.rules.kind import UnusableNumberError
from draftengine.model.schema.as_rules import only_if
from draftengine.model.yaml.fixes import renamed, replaced
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from draftengine.model.cardset.records import CardSet, Define
    from draftengine.model.checks.context import CheckContext, FormulaUse
    from draftengine.model.language.check import CheckResult, TypeProblem
    from draftengine.model.language.environment import Scope
    from draftengine.model.records.reader import Formula
    from draftengine.support.locale.phrases import Phrase

_NAMES = re.compile(r"[a-z][a-z0-9_]*")
_EVERYWHERE = frozenset({"unknown-name", "wrong-arguments"})
"""Codes of mistakes in a definition that are mistakes in every use of it, with any arguments."""
_ANY = NameInfo("anything", 1, 1, per_seat=False)


def mistakes_in(definition: Define, scope: Scope) -> Iterator[TypeProblem]:
    """Yield the mistakes in a definition that are mistakes in every use of it.

    `scope` has the names for formulas about a seat.
    """
    given = tuple(f"{name}." for name in definition.parameters)
    its = {name for name in names_in(definition.formula) if name.startswith(("its.", LYING, *given))}
    names = {**scope.names, **dict.fromkeys(its | {"card", *definition.parameters}, _ANY)}
    codes = _EVERYWHERE if definition.parameters else _EVERYWHERE | {"wrong-type"}
    for mistake in check_formula(definition.formula.expr, replace(scope, names=names, defined=True)).mistakes:
        if mistake.code in codes:
            yield mistake


def standing_on(mistaken: Iterable[str], model: CardSet) -> frozenset[str]:
    """Return the names in `mistaken` and of all definitions that use them, directly or indirectly."""
    names = set(mistaken)
    while (
        more := {definition.id for definition in model.definitions if names & _words(definition.formula.text)} - names
    ):
        names |= more
    return frozenset(names)


def unused_definitions(model: CardSet, uses: Iterable[FormulaUse]) -> Iterator[Diagnostic]:
    """Yield a finding for each definition that no formula uses, directly or indirectly."""
    if not model.definitions:
        return
    needs = (variant.needs.text for variant in model.variants if variant.needs is not None)
    asked = set().union(*(_words(text) for text in (*(use.formula.text for use in uses), *needs)))
    by_name = {definition.id: definition for definition in model.definitions}
    waiting = [name for name in by_name if name in asked]
    while waiting:
        new = _words(by_name[waiting.pop()].formula.text) & by_name.keys() - asked
        asked |= new
        waiting += new
    for definition in (definition for definition in model.definitions if definition.id not in asked):
        yield diagnose(
            "never-used", definition.span, f"/define/{definition.id}", say="definition", definition=definition.id
        )


def _words(text: str) -> set[str]:
    return set(_NAMES.findall(text))


_BY_RANGE = frozenset({"out-of-range", "division-by-zero", "too-costly"})
"""Codes of mistakes that can only be found when the ranges of names are known."""

_FOR_EACH = {"deal": said("hint.draw-per-player"), "choose": said("hint.equally-many")}
"""Hints for steps that want a number of cards that is equal for all seats."""

_OF_RULE = re.compile(r"/scoring/|/cards/[^/]+/scores/")
_WORDS = re.compile(r"[^\W\d]\w*")
_AMOUNT = (-1_000_000, 1_000_000)


def check_names(model: CardSet, uses: Iterable[FormulaUse]) -> Iterator[Diagnostic]:
    """Yield findings about names and types in formulas. They do not depend on the number of players."""
    names = (*counter_names(model), *hidden_counters(model))
    counters = tuple(CounterInfo(name, "amount", 1, 1, "none", 0) for name in names)
    known = all_names(model, model.max_players, counters)
    scopes = {
        "seat": seat_scope(model, model.max_players, counters),
        "table": table_scope(model, model.max_players, counters),
        "flow": flow_scope(model, model.max_players),
        "constant": constant_scope(model, model.max_players),
    }
    loose = {where: replace(scope, elsewhere=known - scope.names.keys()) for where, scope in scopes.items()}
    mistaken = {
        definition.id: mistakes
        for definition in model.definitions
        if (mistakes := [*mistakes_in(definition, loose["seat"])])
    }
    for definition in model.definitions:
        for mistake in mistaken.get(definition.id, ()):
            if not _inherited(mistake, definition.formula, standing_on(mistaken.keys() - {definition.id}, model)):
                yield _finding(mistake, definition.formula, f"/define/{definition.id}")
    spoilt = standing_on(mistaken, model)
    uses = [*uses]
    of_payments: set[tuple[str, Phrase | str]] = set()
    for use in uses:
        checked = check_formula(use.formula.expr, _with_local(loose[use.where], use, (1, 1)))
        if any(_inherited(mistake, use.formula, spoilt) for mistake in checked.mistakes):
            continue
        for finding in _told(use, checked):
            problem = finding.code, finding.text
            of_payments |= {problem} if use.path.startswith("/payments/") else set()
            if finding.code not in _BY_RANGE and (use.formula.text or problem not in of_payments):
                yield _renamed(_instead(finding, use, model, loose["flow"]), model, uses)


def _instead(finding: Diagnostic, use: FormulaUse, model: CardSet, flow: Scope) -> Diagnostic:
    """Return the finding, with a hint on what to write if a known name cannot be used here."""
    labels = {label for _, step in steps_of(model) for label in referenced_names(step, "label")}
    if use.wanted == "bool" and use.path.endswith("/when") and use.formula.text in labels and _OF_RULE.match(use.path):
        return replace(finding, advice=write(f"at: {use.formula.text}"), fix=None)
    if finding.code == "unknown-name" and finding.fix is None and len(use.local) == 1:
        (local,) = use.local
        fix = replaced(finding.span, finding.names[0], local, certain=False) if len(finding.names) == 1 else None
        return replace(finding, advice=said("hint.called-here", name=local), fix=fix)
    known = flow.elsewhere | (flow.names.keys() if use.where == "constant" else set())
    if finding.code != "seat-needed" and known.isdisjoint(finding.names):
        return finding
    if use.where == "constant" and finding.code == "unknown-name" and not use.local:
        finding = with_hint(finding, "hint.formula-rule")
        for each in (it for it in model.scoring if it.kind == "each" and use.path == f"/scoring/{it.id}"):
            factors = (formula.text for formula in (*each.spec.inputs(), use.formula))
            product = " * ".join(text if text.isidentifier() else f"({text})" for text in factors)
            finding = replace(finding, advice=write(f"{each.id}: {{points: {product}}}"))
        return finding
    rule = re.fullmatch(r"/scoring/(\w+)/when", use.path)
    if use.where == "table" and rule and finding.code == "seat-needed":
        return with_hint(finding, "hint.for-each-player", text=f"{rule[1]}: {only_if(use.formula.text)}")
    step = re.search(r"/(\w+)/cards(/\d+)?$", use.path)
    hint = _FOR_EACH.get(step[1]) if step else None
    return replace(finding, advice=hint) if hint and use.where == "flow" else finding


def _renamed(finding: Diagnostic, model: CardSet, uses: Sequence[FormulaUse]) -> Diagnostic:
    """Return the finding. If its unknown name may be an old name of a renamed card, suggest that card.

    That card must have no effect, and must be the only such card that shares a word with the unknown name. If none does
    and no known name is similar, it must be the only card without an effect.
    """
    if finding.code != "unknown-name" or len(finding.names) != 1 or (finding.fix and finding.fix.certain):
        return finding
    (name,) = finding.names
    idle = [*unnoticed_cards(model, uses)]
    alike = [card for card in idle if {*card.split("_")} & {*name.split("_")}]
    meant = alike or (idle if finding.fix is None else [])
    fix = replaced(finding.span, name, meant[0], certain=False) if len(meant) == 1 else None
    if fix is None:
        return finding
    return replace(finding, advice=said("hint.nothing-names-card", meant=meant[0]), fix=fix)


def _inherited(mistake: TypeProblem, formula: Formula, spoilt: AbstractSet[str]) -> bool:
    """True if a mistake comes from a definition that the formula uses, so that it was already reported."""
    word = re.match(r"\w*", formula.text[mistake.start :])
    return word is not None and word[0] in spoilt


def check_constants(table: CheckContext, uses: Iterable[FormulaUse]) -> Iterator[Diagnostic]:
    """Yield findings about constant formulas and numbers in steps whose values may be out of range.

    Other checks need the values of these formulas.
    """
    for use in uses:
        if use.where in {"flow", "constant"} and use.players in {None, table.players}:
            yield from _check(use, _with_local(table.flow if use.where == "flow" else table.constant, use, _AMOUNT))


def check_ranges(table: CheckContext, uses: Iterable[FormulaUse]) -> Iterator[Diagnostic]:
    """Yield findings about all other formulas whose values may be out of range."""
    cards = sum(card.count for card in table.model.cards)
    for use in uses:
        if use.where == "seat" and not use.local:
            yield from _told(use, table.checked(use.formula))
        elif use.where in {"seat", "table"}:
            yield from _check(use, _with_local(table.seat if use.where == "seat" else table.whole, use, (0, cards)))


def check_numbers(table: CheckContext) -> Iterator[Diagnostic]:
    """Yield a finding for each constant that has a value its rule cannot use."""
    for rule in table.model.scoring:
        try:
            rule.spec.resolve(lambda formula: constant(formula, table.model, table.players))
        except UnusableNumberError as error:
            yield diagnose("unusable-number", error.formula.span, rule.path, say=error.say, number=error.number)


def _check(use: FormulaUse, scope: Scope) -> Iterator[Diagnostic]:
    yield from _told(use, check_formula(use.formula.expr, scope))


def _finding(mistake: TypeProblem, formula: Formula, path: str) -> Diagnostic:
    span = formula.inside(mistake.start, mistake.end)
    name, spans = formula.text[mistake.start : mistake.end], [formula.inside(*place) for place in mistake.again]
    fix = renamed(span, name, mistake.known)
    if fix is not None:
        others = [renamed(other, name, mistake.known) for other in spans]
        fix = replace(fix, edits=tuple(dict.fromkeys(edit for each in (fix, *others) if each for edit in each.edits)))
    names = tuple(_WORDS.findall(formula.text[mistake.start : mistake.end]))
    return Diagnostic(mistake.code, "error", mistake.text, span, path, mistake.hint, fix=fix, names=names)


def _told(use: FormulaUse, checked: CheckResult) -> Iterator[Diagnostic]:
    yield from (_finding(mistake, use.formula, use.path) for mistake in checked.mistakes)
    if use.wanted == "bool" and checked.type == "int" and not checked.mistakes:
        yield diagnose("wrong-type", use.formula.span, use.path, say="condition")


def _with_local(scope: Scope, use: FormulaUse, bounds: tuple[int, int]) -> Scope:
    if not use.local:
        return scope
    local = {name: NameInfo("counter", *bounds, per_seat=False) for name in use.local}
    return replace(scope, names={**scope.names, **local})
