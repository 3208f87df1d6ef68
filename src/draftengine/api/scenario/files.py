"""Scenarios in files and card sets, with a finding for each scenario that fails or is invalid.

A *worked example* is a scenario inside a card set.
"""

from __future__ import annotations

from collections import Counter
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.errors import SelectionError
from draftengine.api.scenario import Scenario, ScenarioError, read
from draftengine.api.scenario.run import check, play
from draftengine.engine.position import entries
from draftengine.model.cardset.facts import all_steps
from draftengine.model.checks.context import names_in, scoring_formulas, uses_of
from draftengine.model.checks.scope import most_examples
from draftengine.model.diagnostics import Diagnostic, Related, diagnose, has_errors
from draftengine.model.diagnostics.suggest import did_you_mean
from draftengine.model.language.evaluate import compares_seats
from draftengine.model.library import CardSetError
from draftengine.model.loading.overlay import pointer
from draftengine.model.rules.kind import RankedKind
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.yaml.tree import Mapping, Node, Scalar, Sequence, named_at, plain
from draftengine.support.locale.phrases import Phrase, quoted, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from collections.abc import Sequence as Several

    from draftengine.api.errors import IllegalMove
    from draftengine.api.game import Game
    from draftengine.api.scenario.run import Difference, ScenarioRun
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.selection import Document, Selection
    from draftengine.support.source import Span

    Games = Callable[[Selection, int], Game]


_NAMED = 3
"""The largest number of examples that the finding about ignored examples lists by name."""


class Entry(Struct, frozen=True):
    """One scenario as written in a file, with its path in that file."""

    node: Mapping
    path: tuple[str, ...]
    common: dict[str, Any]
    """Values for keys that the scenario itself does not have."""
    variants: tuple[str, ...] = ()
    """Variants to play with, in addition to those that the scenario names."""
    base: str = ""
    """The name of the extended card set's file if the scenario is inherited from there; otherwise empty."""

    @property
    def name(self) -> str:
        node = self.node.get("name")
        return str(node.value) if isinstance(node, Scalar) else "unnamed"

    def data(self) -> dict[str, Any]:
        """Return the content of the scenario, completed with `common` and `variants`."""
        merged = {**self.common, **plain(self.node)}
        return {**merged, "variants": [*merged.get("variants", ()), *self.variants]}


def examples_of(document: Document, players: int | None = None, variants: Iterable[str] = ()) -> Iterator[Entry]:
    """Yield the worked examples of a card set. `variants` are added to those of each example.

    Examples without a number of players get `players`, by default the fewest.
    """
    for entry in _entries(document.root, "examples", {"players": players or document.players[0]}, variants):
        source = entry.node.span.source
        yield entry if source not in document.inherited_errors else replace(entry, base=PurePath(source.name).name)


def tests_of(root: Mapping, document: Document, players: int | None, variants: Iterable[str]) -> Iterator[Entry]:
    """Yield the scenarios in a scenario file. `players` and `variants` are as for `examples_of`."""
    common = {key: plain(node) for key in ("players", "variants", "menu", "set") if (node := root.get(key)) is not None}
    yield from _entries(root, "tests", {"players": players or document.players[0], **common}, variants)


def _entries(root: Mapping, key: str, common: dict[str, Any], variants: Iterable[str]) -> Iterator[Entry]:
    listed, also = root.get(key), tuple(variants)
    for index, item in enumerate(listed.items if isinstance(listed, Sequence) else ()):
        if isinstance(item, Mapping):
            yield Entry(item, (key, str(index)), common, also)


class CaseResult(Struct, frozen=True):
    """The result of running one `Entry`."""

    findings: tuple[Diagnostic, ...]
    """Findings about the scenario; empty if every expectation is met."""
    differences: tuple[Difference, ...] = ()
    """Expectations that are not met, with the engine's reasons."""
    game: Game | None = None
    """The game that was played; ``None`` if the scenario is invalid."""
    scenario: Scenario | None = None
    played: ScenarioRun | None = None


def examine(entry: Entry, games: Games) -> CaseResult:
    """Run one scenario and return its outcome."""
    game: Game | None = None
    try:
        scenario = read(entry.data(), default_players=1)
        game = _game(scenario, games)
        tables = len(scenario.position.tables)
        if tables and entry.node.get("players") and tables not in {game.players, game.seats}:
            raise ScenarioError(said("scenario.tables", players=game.players, tables=tables), "tables")  # noqa: TRY301
        played = play(game, scenario)
        differences = check(game, scenario, played)
    except ScenarioError as error:
        if isinstance(error.reason, Phrase) and error.reason.id in {"scenario.tables", "position.room"}:
            hint = said("hint.table-for-each") if error.names == ("tables",) else ""
        elif not error.known:
            hint = ""
        else:
            unknown = error.names[0]
            member = next((card.id for card in game.model.cards if unknown in card.family), "") if game else ""
            if member:
                hint = said("hint.card-of-family", name=unknown, card=member)
            else:
                hint = did_you_mean(unknown, error.known) or said("hint.known", names=", ".join(error.known))
        name_entry = entry.node.entry("name")
        place = name_entry.value.span if name_entry else entry.node.span
        for name in error.names:  # the error is shown at the first name that the example contains
            key = entry.node.entry(name)
            if span := key.value.span if key else named_at(entry.node, name):
                place = span
                break
        senseless = diagnose(
            "example-invalid",
            place,
            pointer(entry.path),
            hint=_OF_BASE if entry.base else hint,
            severity="warning" if entry.base else "error",
            example=entry.name,
            why=error.reason,
        )
        return CaseResult((senseless,))
    findings = tuple(_failed(entry, difference, game.model) for difference in differences)
    return CaseResult(findings, differences, game, scenario, played)


def _game(scenario: Scenario, games: Games) -> Game:
    try:
        return games(scenario.selection, scenario.players)
    except SelectionError as error:
        raise ScenarioError(error.reason, *error.names) from None
    except CardSetError as error:
        wrong = [finding for finding in error.findings if finding.severity == "error"]
        names = [name for finding in wrong for name in finding.names]
        raise ScenarioError(wrong[0].text if len(wrong) == 1 else str(error), *names) from None


def _failed(entry: Entry, difference: Difference, model: CardSet) -> Diagnostic:
    span, path = _place(entry.node, difference.at or ("expect", *difference.path), entry.path)
    if entry.base:
        return diagnose(
            "example-fails",
            span,
            path,
            say="of-base",
            hint=_OF_BASE,
            severity="warning",
            example=entry.name,
            base=entry.base,
            what=difference.what,
            got=_shown(difference.found),
            wanted=_shown(difference.expected),
        )
    if difference.refused is not None:
        step = entry.node.get("at")
        # A card of a layout is named by its place.
        place = next((zone.layout[0].id for zone in model.zones if zone.layout), "")
        is_card = any(card.id == difference.refused.detail for card in model.cards)
        by_place = place and is_card and difference.refused.code == "unknown-card"
        hint = said("hint.named-by-place", place=place) if by_place else said("hint.mend-or-illegal")
        reason = _reason(difference.refused, model)
        refusal = diagnose("example-fails", span, path, say="refused", hint=hint, example=entry.name, reason=reason)
        if not isinstance(step, Scalar):
            return refusal
        return replace(refusal, text=said("example-fails.begins", finding=refusal.text, step=str(step.value)))
    rounds = (
        difference.path[0] == "total"
        and entry.node.get("moves") is None
        and entry.node.get("to") is None
        and any(rule.at != "game" for rule in model.scoring)
    )
    return diagnose(
        "example-fails",
        span,
        path,
        say="expected",
        hint=said("hint.without-moves") if rounds else None,
        example=entry.name,
        what=difference.what,
        wanted=_shown(difference.expected),
        got=_shown(difference.found),
    )


def _reason(refused: IllegalMove, model: CardSet) -> Phrase:
    """Return why a move was refused. For an action that is not open, that is a list of its requirements."""
    if refused.code != "way-not-open":
        reason = said(f"illegal.{refused.code}")
        return said("illegal.detail", reason=reason, detail=refused.detail) if refused.detail else reason
    ways = (way for step in all_steps(model) if isinstance(step, ChooseStep) for way in step.as_)
    way = next(candidate for candidate in ways if candidate.id == refused.detail)
    needs = [*quoted(condition.text for condition in (way.such, way.when) if condition)]
    needs += [said("way.to-pay", amount=amount.formula.text, counter=amount.counter) for amount in way.pay]
    needs += [] if way.takes_none else [said("way.a-card")]
    return said("way.not-open", way=way.id, needs=tuple(needs))


_OF_BASE = said("hint.of-base")


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_shown, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{key}: {item}' for key, item in value.items())}}}"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _place(node: Node, parts: tuple[str | int, ...], path: tuple[str, ...]) -> tuple[Span, str]:
    """Return the span and JSON Pointer of the node at a path, or of its nearest existing ancestor."""
    for part in parts:
        below: Node | None = None
        if isinstance(node, Mapping):
            below = node.get(str(part))
        elif isinstance(node, Sequence) and isinstance(part, int) and part < len(node.items):
            below = node.items[part]
        if below is None:
            break
        node, path = below, (*path, str(part))
    return node.span, pointer(path)


def problems_of(document: Document, games: Games) -> tuple[Diagnostic, ...]:
    """Return the findings about the worked examples of a card set that has no other errors.

    Inherited examples that no longer pass share one finding.
    """
    problems: list[Diagnostic] = []
    aside: list[Entry] = []
    for entry, findings in _examined(document, games):
        if entry.base and any(finding.code != "not-all-checked" for finding in findings):
            aside.append(entry)
        else:
            problems += findings
    return (*problems, *([set_aside(document, aside)] if aside else []))


def set_aside(document: Document, entries: Several[Entry]) -> Diagnostic:
    """Return the finding that some inherited examples no longer pass and are ignored."""
    first, place = entries[:_NAMED], document.extends or document.root.span
    names = (*quoted(entry.name for entry in first), *[said("finding.and-more")][: len(entries) > _NAMED])
    related = tuple(Related(said("finding.is-here", name=entry.name), entry.node.span) for entry in first)
    values: dict[str, Any] = {"count": len(entries), "names": names}
    return diagnose("example-set-aside", place, "/extends", related=related, **values)


def failing_examples(document: Document, games: Games) -> list[str]:
    """Return the names of the worked examples that fail or are invalid.

    Examples beyond the limit on different games are not run, and left out.
    """
    examined = _examined(document, games)
    return [entry.name for entry, findings in examined if has_errors(findings)]


def _examined(document: Document, games: Games) -> Iterator[tuple[Entry, tuple[Diagnostic, ...]]]:
    """Yield each worked example with its findings.

    If the examples need more different games than the limit allows, the remaining examples are left out.
    """
    if has_errors(document.findings):
        return
    most = most_examples(document.root)
    asked: set[tuple[Selection, int]] = set()

    def limited(selection: Selection, players: int) -> Game:
        asked.add((selection, players))
        if len(asked) > most:
            raise _TooManyGamesError
        return games(selection, players)

    for entry in examples_of(document):
        try:
            examined = examine(entry, limited)
            yield entry, examined.findings or (*_beyond_the_box(entry, examined), *_without_effect(entry, examined))
        except _TooManyGamesError:
            path = pointer(entry.path)
            span = entry.node.span
            yield entry, (diagnose("not-all-checked", span, path, say="examples", example=entry.name, most=most),)
            return


def _beyond_the_box(entry: Entry, examined: CaseResult) -> Iterator[Diagnostic]:
    """Yield a warning if the seats of an example have more copies of a card than the box contains.

    Only examples that compare seats need one. In others, each table may be an alternative to the rest.
    """
    game, scenario = examined.game, examined.scenario
    if game is None or scenario is None or entry.base:
        return
    program, expected = game.program, scenario.expect.get("points", {})
    compared = {
        program.thing_of[program.plays[play].card]
        for rule, plays in zip(game.model.scoring, program.plays_read_by_rule, strict=True)
        # What other seats have matters for winners, and for the points of these rules.
        if "winners" in scenario.expect
        or (rule.id in expected and isinstance(rule.spec, RankedKind))
        or (rule.id in expected and any(compares_seats(formula.expr) for formula in rule.spec.inputs()))
        for play in plays
    }
    lying = [name for table in (*scenario.position.tables, *scenario.position.hands) for name in entries(table)]
    known = (program.play_named[name] for name in lying if name in program.play_named)
    cards = Counter(program.thing_of[program.card_of[play]] for play in known)
    for card in sorted(compared & cards.keys()):
        copies = program.deck.count(card)
        if cards[card] > copies:
            place, path = _place(entry.node, ("tables",), entry.path)
            yield diagnose(
                "example-invalid", place, path, say="box", severity="warning",
                example=entry.name, card=program.cards[card], lying=cards[card], copies=copies,
            )  # fmt: skip
            return


def _without_effect(entry: Entry, examined: CaseResult) -> Iterator[Diagnostic]:
    """Yield a warning for each marker and counter of an example without moves that no score depends on."""
    game, scenario = examined.game, examined.scenario
    if game is None or scenario is None or entry.base or scenario.moves or scenario.to:
        return
    model = game.model
    uses = uses_of(model) if model.triggers else scoring_formulas(model)
    read = {part for use in uses for name in names_in(use.formula) for part in (name, name.partition(".")[2])}
    read |= {model.turn_order.marker} if model.turn_order else set()
    for what, declared in (("marker", model.markers), ("counter", model.counters)):
        stated = entry.node.get(f"{what}s")
        idle = {thing.id for thing in declared} - read - {*scenario.expect.get(f"{what}s", ())}
        for named in stated.entries if isinstance(stated, Mapping) else ():
            if (name := named.key.text) in idle:
                yield diagnose(
                    "example-invalid", named.key.span, pointer((*entry.path, f"{what}s", name)), say="no-effect",
                    severity="warning", example=entry.name, what=said(f"thing.{what}"), name=name,
                )  # fmt: skip


class _TooManyGamesError(Exception):
    """Raised when the examples of a card set need more different games than the limit allows."""
