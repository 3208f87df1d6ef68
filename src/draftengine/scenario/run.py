"""Runs scenarios through the public API of the engine and compares what happens with what was expected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Sized
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from draftengine.engine.flow.control import total
from draftengine.engine.game import commit, result, waiting
from draftengine.engine.moves import IllegalMoveError, choice_of, encode
from draftengine.engine.position import (
    UnknownNameError,
    WrongPositionError,
    labels,
    lay_out,
    leaders,
    proof,
    score_label,
    set_up,
)
from draftengine.scenario.model import NOBODY, Choice, Scenario, ScenarioError, by_owner

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.engine.events import Event
    from draftengine.engine.program import Program
    from draftengine.engine.state import State


Check = Callable[["Program", "Played", Any], "list[Difference]"]


class Difference(Struct, frozen=True):
    """One expectation that was not met."""

    path: tuple[str | int, ...]
    """Where in `expect` it stands."""
    expected: Any
    found: Any
    at: tuple[str | int, ...] = ()
    """Where in the scenario it shows, if `expect` does not say it."""

    @property
    def what(self) -> str:
        """The path in words: ``points soup``."""
        return " ".join(map(str, self.path))


class Played(Struct):
    """What came of a scenario's position and moves."""

    state: State
    """After the moves (or as laid out, without moves)."""
    tables: list[list[str]]
    """The tableaus after the last choice, before anything was cleared away."""
    round: int
    """The round of the position."""
    events: list[Event] = field(default_factory=list)
    refused: IllegalMoveError | None = None
    entries: int = 0
    """How many entries of moves were made, or begun."""


def play(program: Program, scenario: Scenario) -> Played:
    """Lay the position out and make the moves. Raises `ScenarioError` for names and seats that don't exist."""
    try:
        if not scenario.moves:
            state = lay_out(program, scenario.position)
            return Played(state, tables_of(state), state.round)
        turned = set_up(program, scenario.position)
    except UnknownNameError as error:
        raise ScenarioError(str(error), error.name, error.known) from None
    except WrongPositionError as error:
        raise ScenarioError(str(error)) from None
    played = Played(turned.state, tables_of(turned.state), scenario.position.round, list(turned.events))
    for choices in scenario.moves:
        played.entries += 1
        if not _choose(played, choices):
            break
    return played


def _choose(played: Played, choices: tuple[Choice | None, ...]) -> bool:
    """One entry of moves: the choice of every seat, and the offers of abilities that follow it.

    What is left over then was not there to be chosen, and the entry is refused.
    """
    later = {seat: choice for seat, choice in enumerate(choices) if choice is not None}
    if not _commit_all(played, later):
        return False
    while played.state.pending and choice_of(played.state).offer:
        if not _commit_all(played, later):
            return False
    surplus = [f"seat {seat} also names {', '.join(own.cards)}" for seat, own in later.items() if own.cards]
    if surplus:
        played.refused = IllegalMoveError("too-many-cards", "; ".join(surplus))
    return not surplus


def _commit_all(played: Played, choices: dict[int, Choice]) -> bool:
    choice = choice_of(played.state) if played.state.pending else None
    for seat in waiting(played.state) or tuple(choices)[:1]:
        own = choices.get(seat)
        if own is None and choice is not None and not choice.offer:
            raise ScenarioError(f"seat {seat} has to choose, but the scenario has no move for it")
        own = own or Choice(())
        now = own.cards
        if choice is not None and not choice.offer and not choice.abilities:
            now = own.cards[: choice.count(played.state)] if _offered_later(played.state) else own.cards
        choices[seat] = Choice(own.cards[len(now) :])
        try:
            move = encode(played.state, seat, now, own.others)
            turned = commit(played.state, seat, move)
        except IllegalMoveError as error:
            played.refused = error
            return False
        played.events += turned.events
        played.tables = follow(tables_of(played.state), turned.events)
        played.state = turned.state
    return True


def tables_of(state: State) -> list[list[str]]:
    """The names of the plays in each tableau, oldest first."""
    program = state.program
    return [[program.plays[play].name for play in own] for own in state.zones[program.zone_index("tableau")]]


def follow(tables: list[list[str]], events: Iterable[Event]) -> list[list[str]]:
    """The tableaus as the events leave them, up to the first clearing."""
    for event in events:
        if event.kind == "cleared":
            break
        if event.kind == "revealed":
            tables[event.seat] += event.cards
        if event.kind == "discarded":
            _remove_last(tables[event.seat], event.cards[0])
        if event.kind == "ability-used" and event.zone != "stays":
            tables[event.seat].remove(event.cards[0])
    return tables


def _remove_last(table: list[str], card: str) -> None:
    """Remove the latest play of a card, in whatever form."""
    index = next(at for at in reversed(range(len(table))) if table[at].partition("@")[0] == card)
    del table[index]


def _offered_later(state: State) -> bool:
    return any(ability.model.when == "after_reveal" for ability in state.program.abilities)


def check(program: Program, scenario: Scenario) -> tuple[Difference, ...]:
    """The expectations that are not met. Raises `ScenarioError` if the scenario makes no sense for this game."""
    played = play(program, scenario)
    differences = []
    if played.refused is not None and scenario.expect.get("legal", True):
        at = () if "legal" in scenario.expect else ("moves", played.entries - 1)
        differences.append(Difference(("legal",), expected=True, found=f"refused: {played.refused}", at=at))
        return tuple(differences)
    for key, expected in scenario.expect.items():
        differences += _CHECKS[key](program, played, expected)
    return tuple(differences)


def _one(path: tuple[str | int, ...], expected: Any, found: Any) -> list[Difference]:
    return [] if expected == found else [Difference(path, expected, found)]


def _unknown(what: str, name: str, known: Sequence[str]) -> ScenarioError:
    return ScenarioError(f"there is no {what} {name!r}", name, known)


def _points(program: Program, played: Played, expected: Mapping[str, list[int]]) -> list[Difference]:
    found = {**_proved(program, played.state), **_told(program, played)}
    differences = []
    for rule, points in expected.items():
        if rule not in program.sources_of_points:
            raise _unknown("rule", rule, program.sources_of_points)
        differences += _one(("points", rule), points, found.get(rule, [0] * program.seats))
    return differences


def _proved(program: Program, state: State) -> dict[str, list[int]]:
    """Points by rule if everything were scored as it lies."""
    found: dict[str, list[int]] = {}
    for label in labels(program):
        for line in proof(state, label):
            found.setdefault(line.rule, [0] * program.seats)[line.seat] += line.points
    return found


def _told(program: Program, played: Played) -> dict[str, list[int]]:
    """Points by rule that were really given during the moves."""
    found: dict[str, list[int]] = {}
    for event in played.events:
        if event.kind == "points":
            found.setdefault(event.name, [0] * program.seats)[event.seat] += event.amount
    return found


def _label_points(label: str) -> Check:
    def compare(_: Program, played: Played, expected: list[int]) -> list[Difference]:
        if any(event.kind == "points" for event in played.events):
            rows = result(played.state).rounds
            return _one((label,), expected, list(rows[played.round - 1 if label == "round" else -1]))
        scored = score_label(played.state, label)
        gained = [after - before for after, before in zip(scored.scores, played.state.scores, strict=True)]
        return _one((label,), expected, gained)

    return compare


def _total(program: Program, played: Played, expected: list[int]) -> list[Difference]:
    state = _finished(played)
    return _one(("total",), expected, [total(state, seat) for seat in range(program.seats)])


def _winners(_: Program, played: Played, expected: list[int]) -> list[Difference]:
    return _one(("winners",), expected, list(leaders(_finished(played))))


def _finished(played: Played) -> State:
    """The position with the end of the game scored, unless the moves already led there."""
    if played.events or played.state.over:
        return played.state
    return score_label(played.state, "game")


def _tables(_: Program, played: Played, expected: list[Any]) -> list[Difference]:
    found = played.tables
    _seats(expected, len(found), "tables")
    return [
        difference
        for seat, table in enumerate(expected)
        for difference in _one(
            ("tables", seat),
            dict(table) if isinstance(table, Mapping) else list(table),
            dict(Counter(found[seat])) if isinstance(table, Mapping) else found[seat],
        )
    ]


def _seats(entries: Sized, owners: int, what: str) -> None:
    """Raise `ScenarioError` if something by seat has more entries than there are seats."""
    if len(entries) > owners:
        raise ScenarioError(f"{what} has {len(entries)} entries, and there are {owners} seats")


def _zone_index(program: Program, name: str) -> int:
    zones = [zone.id for zone in program.zones]
    if name not in zones:
        raise _unknown("zone", name, zones)
    return zones.index(name)


def _layout(program: Program, played: Played, name: str, expected: Any, path: tuple[str, ...]) -> list[Difference]:
    zone = _zone_index(program, name)
    places = zip(program.zones[zone].layout, played.state.zones[zone][0], strict=True)
    found = {place.id: program.cards[card] for place, card in places if card >= 0}
    return _one(path, dict(expected), found)


def _zone(program: Program, played: Played, name: str, expected: Any, path: tuple[str, ...]) -> list[Difference]:
    zone = _zone_index(program, name)
    found = [sorted(program.cards[card] for card in own if card >= 0) for own in played.state.zones[zone]]
    _seats(expected, len(found), name)
    return [
        difference
        for owner, cards in enumerate(expected)
        for difference in _one((*path, owner), sorted(cards), found[owner])
    ]


def _hands(program: Program, played: Played, expected: Sequence[Sequence[str]]) -> list[Difference]:
    return _zone(program, played, "hand", expected, ("hands",))


def _zones(program: Program, played: Played, expected: Mapping[str, Any]) -> list[Difference]:
    differences = []
    for name, contents in expected.items():
        cards = by_owner(contents)
        by_place = isinstance(cards, Mapping)
        check_one = _layout if by_place else _zone
        differences += check_one(program, played, name, cards, ("zones", name))
    return differences


def _legal(_: Program, played: Played, expected: bool) -> list[Difference]:  # noqa: FBT001 (one of a table of checks)
    return _one(("legal",), expected, played.refused is None)


def _markers(program: Program, played: Played, expected: Mapping[str, int | str | None]) -> list[Difference]:
    names = [marker.id for marker in program.markers]
    differences = []
    for name, holder in expected.items():
        if name not in names:
            raise _unknown("marker", name, names)
        found = played.state.markers[names.index(name)]
        differences += _one(("markers", name), NOBODY if holder is None else holder, NOBODY if found < 0 else found)
    return differences


def _counters(program: Program, played: Played, expected: Mapping[str, list[int]]) -> list[Difference]:
    fields = {own.name: own for own in program.fields}
    differences = []
    for name, values in expected.items():
        if name not in fields:
            raise _unknown("counter", name, tuple(fields))
        found = [fields[name].read(word) for word in played.state.words]
        differences += _one(("counters", name), list(values), found)
    return differences


_CHECKS: dict[str, Check] = {
    "points": _points,
    "round": _label_points("round"),
    "game": _label_points("game"),
    "total": _total,
    "winners": _winners,
    "tables": _tables,
    "hands": _hands,
    "zones": _zones,
    "legal": _legal,
    "markers": _markers,
    "counters": _counters,
}
