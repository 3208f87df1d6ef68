"""Running scenarios: play them through the public interface and compare the outcome with expectations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Sized
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from draftengine.api.errors import IllegalMove, UnknownNameError, WrongPositionError
from draftengine.api.moves import Move
from draftengine.api.scenario import NOBODY, Scenario, ScenarioError, ScenarioMove, by_owner, stated_counters
from draftengine.api.scenario.names import CardNames
from draftengine.engine.choose import Choice
from draftengine.engine.moves import choice_of
from draftengine.model.cardset.pieces import as_played, card_in, lies_on
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.api.game import Game
    from draftengine.api.moves import Written
    from draftengine.api.records import Event
    from draftengine.api.state import State


_LOOKED_AT, _SHOWN = 200, 8
"""The numbers of legal moves that are searched for names, and of names that a message lists."""

Check = Callable[["Game", "ScenarioRun", Any], "list[Difference]"]


class Difference(Struct, frozen=True):
    """One expectation of a scenario that was not met."""

    path: tuple[str | int, ...]
    """The path of the expectation under ``expect``."""
    expected: Any
    found: Any
    at: tuple[str | int, ...] = ()
    """The path in the scenario of the entry at fault, if it is not under ``expect``; otherwise empty."""
    why: tuple[tuple[str, ...], ...] = ()
    """For each seat, the engine's explanations of its points."""
    refused: IllegalMove | None = None
    """The error for a move that the scenario expects to be legal."""

    @property
    def what(self) -> str:
        """The path as text: ``points soup``."""
        return " ".join(map(str, self.path))


class ScenarioRun(Struct):
    """The outcome of laying out a scenario's position and making its moves."""

    state: State
    """The state after play; without moves or `to`, the state with the cards laid out."""
    tables: list[list[str]]
    """Names of the cards in each tableau after the last choice, before any clearing that it caused.

    If play ended before a step, those in `state`.
    """
    round: int
    """The round in which the position begins."""
    events: list[Event] = field(default_factory=list)
    refused: IllegalMove | None = None
    to: str = ""
    """The id of the step before which play ended; empty if there is none."""
    entries: int = 0
    """The number of entries of ``moves`` that were carried out, including one with a refused move."""


def play(game: Game, scenario: Scenario) -> ScenarioRun:
    """Lay out the position, make the moves, and return the outcome.

    A refused move ends the run. Raises `ScenarioError` for unknown names and seats.
    """
    if scenario.position.round > game.model.rounds:
        reason = said("scenario.no-such-round", round=scenario.position.round, rounds=game.model.rounds)
        raise ScenarioError(reason, "round")
    if scenario.to and scenario.to not in game.program.steps:
        raise _unknown("step", scenario.to, tuple(game.program.steps))
    position = CardNames(game).of_position(scenario.position)
    try:
        if not scenario.moves and not scenario.to:
            state = game.lay_out(position)
            return ScenarioRun(state, tables_of(state), state.round)
        state = game.set_up(position, to="" if scenario.moves else scenario.to)
    except UnknownNameError as error:
        raise ScenarioError(error.phrase or str(error), error.name, known=error.known) from None
    except WrongPositionError as error:
        names = (part for part in error.path if isinstance(part, str))
        raise ScenarioError(error.phrase or str(error), *names) from None
    played = ScenarioRun(state, tables_of(state), scenario.position.round, list(state.events), to=scenario.to)
    for choices in scenario.moves:
        played.entries += 1
        to = scenario.to if played.entries == len(scenario.moves) else ""
        later = {seat: choice for seat, choice in enumerate(choices) if choice is not None}
        _commit_all(played, later, to)
        # The offers of abilities follow the choices of all seats.
        while played.refused is None and played.state.asked is not None and played.state.asked.offer:
            _commit_all(played, later, to)
        surplus = [f"player {seat + 1} also names {', '.join(one.cards)}" for seat, one in later.items() if one.cards]
        if played.refused is None and surplus:
            played.refused = IllegalMove("too-many-cards", "; ".join(surplus))
        if played.refused is not None:
            return played
    if scenario.to and (played.state.over or played.state.waiting):
        raise ScenarioError(said("scenario.over" if played.state.over else "scenario.choice", step=scenario.to), "to")
    return played


def _commit_all(played: ScenarioRun, choices: dict[int, ScenarioMove], to: str) -> None:
    """Make a move for each seat that has to choose, and play on to the next choice, or to the step `to`.

    If a move is illegal, sets `played.refused` and stops.
    """
    for seat in played.state.waiting or tuple(choices)[:1]:
        choice, asked = choices.get(seat), played.state.asked
        if choice is None and asked is not None and not asked.offer:
            raise ScenarioError(said("scenario.no-move", player=seat + 1))
        choice = choice or ScenarioMove(())
        now = choice.cards
        later = any(ability.when == "after_reveal" for ability in played.state.game.model.abilities)
        if asked is not None and not asked.offer and not asked.abilities and later:
            now = choice.cards[: asked.cards]
        choices[seat] = ScenarioMove(choice.cards[len(now) :])
        for names in _one_by_one(played, seat, now):
            _commit(played, seat, Move(names, (), tuple(choice.others.items())), to)
            if played.refused is not None:
                return


def _commit(played: ScenarioRun, seat: int, move: Move, to: str) -> None:
    """Make one move. If it is illegal, set `played.refused`."""
    try:
        after = played.state.commit(seat, move)
    except IllegalMove as error:
        names = (*move.cards, *(card for _, cards in move.others for card in cards))
        _refuse_unknown(played.state, seat, names, spelt=error.code != "unknown-card")
        played.refused = error
        return
    after = played.state.before_step(seat, move, to) if to else after
    played.events += after.events
    played.tables = tables_of(after) if to else tables_after(played.state, seat, move, after)
    played.state = after


def _one_by_one(played: ScenarioRun, seat: int, names: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the moves that take the named cards, while the caller makes each of them: mostly a single one.

    Cards of a zone with copies are chosen one after another: first the way, then for each card its copy and the card.
    """
    ids = CardNames(played.state.game)

    def offered() -> list[str]:
        return [move.cards[0] for move in played.state.view(seat).next() if move.cards] if seat >= 0 else []

    cards, ways = ({name.partition("@")[part] for name in names} for part in (0, 2))
    way = ways.pop() if len(ways) == 1 and cards <= {*played.state.game.program.cards} else ""
    ahead = next((each for each in (way, f"{way}_{len(names)}") if way and each in offered()), None)
    if ahead is None:
        yield ids.in_a_move(names, offered())
        return
    yield (ahead,)
    for name in (name.partition("@")[0] for name in names):
        zones = played.state.describe()["zones"]
        copy = next((copy for copy in offered() if name in map(ids.thing, zones.get(copy, ()))), None)
        if copy is not None:
            yield (copy,)
        yield (ids.lying(name, offered()),)


def _refuse_unknown(state: State, seat: int, names: Iterable[str], *, spelt: bool) -> None:
    """Raise `ScenarioError` for a misspelt name, or for the answer to another question.

    If such a name were an illegal move, it would satisfy `legal: false` without proving anything. With `spelt`, no name
    is misspelt. After the game there is no question.
    """
    if state.over:
        return
    game, asked = state.game, choice_of(state.position)
    choices = [step for step in game.program.code if isinstance(step, Choice)]
    elsewhere = {way.name for choice in choices for way in choice.actions} - {way.name for way in asked.actions}
    for name in names:
        if name.rpartition("@")[2] in elsewhere:
            moves = islice(state.view(seat).moves, _LOOKED_AT)
            possible = list(dict.fromkeys(card for move in moves for card in move.cards))[:_SHOWN]
            raise ScenarioError(said("scenario.other-question", name=name, moves=", ".join(possible)), name)
    if spelt:
        return
    known = (*game.program.cards, *(place.id for zone in game.program.zones for place in zone.layout))
    plays = {play.name for play in game.program.plays}
    for name in names:
        if card_in(name) not in known:
            raise ScenarioError(said("position.unknown", name=name), name, known=known)
        if lies_on(name) and plays.isdisjoint({name, name.rpartition("@")[0]}):
            raise ScenarioError(said("position.unknown", name=name), name, known=tuple(sorted(plays)))


def tables_of(state: State) -> list[list[str]]:
    """Return the names of the cards in each tableau as played, oldest first."""
    return [list(tableau) for tableau in state.tableaus]


def tables_after(before: State, seat: int, move: Written, after: State) -> list[list[str]]:
    """Return the tableaus after a commitment, as they were before any clearing that it caused."""
    emptied = any(event.kind == "cleared" or (event.kind == "moved" and event.seat < 0) for event in after.events)
    return tables_of(before.before_clearing(seat, move) if emptied else after)


def check(game: Game, scenario: Scenario, played: ScenarioRun) -> tuple[Difference, ...]:
    """Return the expectations of a scenario that its outcome `played` does not meet.

    Raises `ScenarioError` if the scenario is invalid for this game.
    """
    differences = []
    if played.refused is not None and scenario.expect.get("legal", True):
        path = () if "legal" in scenario.expect else ("moves", played.entries - 1)
        refusal = f"refused: {played.refused}"
        differences.append(Difference(("legal",), expected=True, found=refusal, at=path, refused=played.refused))
        return tuple(differences)
    for key, expected in CardNames(game).of_expected(scenario.expect).items():
        differences += _CHECKS[key](game, played, expected)
    return tuple(differences)


def _one(
    path: tuple[str | int, ...], expected: Any, actual: Any, why: Callable[[], tuple[tuple[str, ...], ...]] = tuple
) -> list[Difference]:
    return [] if expected == actual else [Difference(path, expected, actual, why=why())]


def _unknown(what: str, name: str, known: Sequence[str]) -> ScenarioError:
    return ScenarioError(said("scenario.unknown", what=said(f"thing.{what}"), name=name), name, known=known)


def _points(game: Game, played: ScenarioRun, expected: Mapping[str, list[int]]) -> list[Difference]:
    """Compare expected points of rules with the given points, or without moves, with the cards' points."""
    lying: dict[str, list[int]] = {}
    given: dict[str, list[int]] = {}
    for line in played.state.explain():
        lying.setdefault(line.rule, [0] * game.seats)[line.seat] += line.points
    for event in played.events:
        if event.kind == "points":
            given.setdefault(event.name, [0] * game.seats)[event.seat] += event.amount
    given = lying | given
    differences = []
    for rule, points in expected.items():
        if rule not in game.sources_of_points:
            raise _unknown("rule", rule, game.sources_of_points)
        differences += _one(
            ("points", rule), points, given.get(rule, [0] * game.seats), partial(reasons, game, played, rule)
        )
    return differences


def reasons(game: Game, played: ScenarioRun, rule: str | None = None) -> tuple[tuple[str, ...], ...]:
    """Return, for each seat, why a rule gave points. Without `rule`, return the reasons for all rules."""
    entries = [(event.name, event.seat, event.amount, event.text) for event in played.events if event.kind == "points"]
    names = {name for name, *_ in entries}
    entries += [
        (line.rule, line.seat, line.points, line.text) for line in played.state.explain() if line.rule not in names
    ]
    if rule is None:
        lines = [(seat, f"{name} {points}{text and f': {text}'}") for name, seat, points, text in entries if points]
    else:
        lines = [(seat, text or f"{points}") for name, seat, points, text in entries if name == rule]
        when = next((scoring_rule.when for scoring_rule in game.model.scoring if scoring_rule.id == rule), None)
        if when is not None and not lines:
            lines = [(seat, f"it counts only if {when.text}") for seat in range(game.seats)]
    return tuple(tuple(text for seat, text in lines if seat == owner) for owner in range(game.seats))


def _label_points(label: str, game: Game, played: ScenarioRun, expected: list[int]) -> list[Difference]:
    """Compare expected points with those scored at a moment: ``round``, or ``game`` for the end."""
    if any(event.kind == "points" for event in played.events):
        gained = list(played.state.result.rounds[played.round - 1 if label == "round" else -1])
    else:
        scored = played.state.scored(label)
        gained = [after - before for after, before in zip(scored.points, played.state.points, strict=True)]
    return _one((label,), expected, gained, partial(reasons, game, played))


def _finished(played: ScenarioRun) -> State:
    """Return the state after scoring at the end of the game, or the present one if play went on."""
    if played.events or played.to or played.state.over:
        return played.state
    return played.state.scored("game")


def _tables(game: Game, played: ScenarioRun, expected: list[Any]) -> list[Difference]:
    tables = played.tables
    _seats(expected, len(tables), "tables")
    differences = []
    for seat, table in enumerate(expected):
        lying = CardNames(game).as_written(table, tables[seat], played.state.counters[0])
        names = named_like(table, lying)
        counted = isinstance(table, Mapping)
        wanted, actual = (dict(table), dict(Counter(names))) if counted else (list(table), names)
        differences += _one(("tables", seat), wanted, actual)
    return differences


def named_like(expected: Iterable[str], names: list[str]) -> list[str]:
    """Return names of plays, without the pieces that they lie on unless an expected name includes these."""
    return names if any(map(lies_on, expected)) else [as_played(name) for name in names]


def _seats(entries: Sized, owners: int, what: str) -> None:
    """Raise `ScenarioError` if a list has more entries than there are seats."""
    if len(entries) > owners:
        raise ScenarioError(said("scenario.seats", what=what, entries=len(entries), seats=owners), what)


def _contents(game: Game, played: ScenarioRun, name: str) -> Any:
    """Return the contents of a zone as in the canonical description.

    Raises `ScenarioError` if the zone is unknown.
    """
    zones = played.state.describe()["zones"]
    if name not in zones:
        raise _unknown("zone", name, [zone.id for zone in game.model.zones])
    return zones[name]


def _zone(game: Game, played: ScenarioRun, name: str, expected: Any, path: tuple[str, ...]) -> list[Difference]:
    contents = _contents(game, played, name)
    if isinstance(contents, dict):
        contents = [[content["card"] for content in contents.values()]]
    shared = not any(isinstance(content, list) for content in contents)
    piles = [sorted(cards) for cards in ([contents] if shared else contents)]
    ids, counters = CardNames(game), played.state.counters[0]
    _seats(expected, len(piles), name)
    return [
        difference
        for owner, cards in enumerate(expected)
        for difference in _one(
            (*path, owner), sorted(cards), sorted(named_like(cards, ids.as_written(cards, piles[owner], counters)))
        )
    ]


def _zones(game: Game, played: ScenarioRun, expected: Mapping[str, Any]) -> list[Difference]:
    differences = []
    for name, contents in expected.items():
        expected_cards, path = by_owner(contents), ("zones", name)
        if not isinstance(expected_cards, Mapping):
            differences += _zone(game, played, name, expected_cards, path)
            continue
        places = _contents(game, played, name)
        cards = {place: content["card"] for place, content in places.items()} if isinstance(places, dict) else {}
        differences += _one(path, dict(expected_cards), cards)
    return differences


def _markers(_: Game, played: ScenarioRun, expected: Mapping[str, int | str | None]) -> list[Difference]:
    markers = played.state.describe()["markers"]
    differences = []
    for name, holder in expected.items():
        if name not in markers:
            raise _unknown("marker", name, tuple(markers))
        wanted, actual = (NOBODY if owner is None else owner for owner in (holder, markers[name]))
        differences += _one(("markers", name), wanted, actual)
    return differences


def _counters(game: Game, played: ScenarioRun, expected: Mapping[str, list[int | list[int]]]) -> list[Difference]:
    counters = played.state.counters
    shared = {counter.id for counter in game.model.counters if counter.per == "table"}
    differences = []
    for name, values in expected.items():
        if name not in counters[0]:
            raise _unknown("counter", name, tuple(known for known in counters[0] if ":" not in known))
        stated = stated_counters(name, values)
        if not stated.keys() <= counters[0].keys():
            raise ScenarioError(said("position.no-track", thing=name), name)
        actual = {counter: [seat_counters[counter] for seat_counters in counters] for counter in stated}
        expected_values, actual_values = _by_seat(stated), _by_seat(actual)
        differences += _one(("counters", name), expected_values, actual_values[:1] if name in shared else actual_values)
    return differences


def _by_seat(values: Mapping[str, Sequence[int]]) -> list[int | list[int]]:
    """Return the values of a counter by seat; as (value, arrival) pairs if the order of arrival is given."""
    return [value[0] if len(value) == 1 else [*value] for value in zip(*values.values(), strict=True)]


_CHECKS: dict[str, Check] = {
    "points": _points,
    "round": partial(_label_points, "round"),
    "game": partial(_label_points, "game"),
    "total": lambda game, played, points: _one(
        ("total",), points, list(_finished(played).totals), partial(reasons, game, played)
    ),
    "winners": lambda _, played, seats: _one(("winners",), seats, list(_finished(played).leaders)),
    "tables": _tables,
    "hands": lambda game, played, hands: _zone(game, played, "hand", hands, ("hands",)),
    "zones": _zones,
    "legal": lambda _, played, legal: _one(("legal",), legal, played.refused is None),
    "markers": _markers,
    "counters": _counters,
}
