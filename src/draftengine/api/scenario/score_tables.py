"""Scoring tables as they lie in front of real players: every rule, every seat, every reason."""

from __future__ import annotations

from itertools import zip_longest
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.arguments import checked_kind, each_listed, join_list
from draftengine.api.game import Game
from draftengine.api.records import Position, entries
from draftengine.api.scenario.scenario import NOBODY, table_of
from draftengine.api.score_sheets import Entry, sheet_of
from draftengine.model.cardset.facts import all_steps
from draftengine.model.cardset.pieces import card_in
from draftengine.model.yaml.load import FileKind
from draftengine.model.yaml.tree import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from draftengine.api.records import Line, Table
    from draftengine.api.score_sheets import Sheet as Sheets
    from draftengine.api.state import State
    from draftengine.model.yaml.tree import Mapping as Tree


TABLES = FileKind("A file of tables", "It begins with tables: what lies before each player.", "tables:")
"""The file that a sheet is read from."""


class Round(Struct, frozen=True):
    """What lies before each seat at the end of a round. What stays from round to round is named once."""

    tables: tuple[Table, ...]
    markers: Mapping[str, int | None] = MappingProxyType({})
    counters: Mapping[str, tuple[int, ...]] = MappingProxyType({})
    points: tuple[int, ...] = ()
    """Points that no table shows, by seat: what cards and triggers gave at once, what chips are worth."""


class Sheet(Struct, frozen=True):
    """What a file of tables says: who plays, by which variants, and what lies where."""

    players: int | None
    """``None`` = as many as the game makes of the tables."""
    names: tuple[str, ...]
    variants: tuple[str, ...]
    """As on a command line."""
    position: Position
    rounds: tuple[Round, ...] = ()
    """The whole game, if it is told round by round; then `position` says nothing."""


class SheetScores(Struct, frozen=True):
    """The points of a sheet."""

    lines: tuple[tuple[str, Line], ...]
    """Every line of points with its moment (``round``, ``game``)."""
    moments: dict[str, tuple[int, ...]]
    """Points by moment and seat."""
    rules: dict[str, tuple[int, ...]]
    """Points by rule and seat."""
    total: tuple[int, ...]
    """With the points that the seats had before."""
    winners: tuple[int, ...]
    """Who would win if the game ended so."""
    unplayed: tuple[str, ...] = ()
    """Cards on the tables that do something when they are played, if nothing is said of what came of it."""


class GameScores(Struct, frozen=True):
    """The points of a game that was told round by round."""

    sheets: tuple[Sheets, ...]
    """What rules gave in each round."""
    scores: tuple[int, ...]
    """All points so far, by seat."""
    winners: tuple[int, ...]
    """Who has won; nobody before the last round."""
    unplayed: tuple[str, ...]
    """Cards on the tables that do something when they are played, if nothing is said of what came of it."""


def read_sheet(root: Tree) -> Sheet:
    """A sheet from its file, which the schema has found right."""
    data: dict[str, Any] = plain(root)
    variants = [*data.get("variants", ()), *(f"{key}={value}" for key, value in data.get("set", {}).items())]
    rounds = tuple(
        Round(**_lying(round_data), points=tuple(round_data.get("points", ()))) for round_data in data.get("rounds", ())
    )
    position = Position(**_lying(data), scores=tuple(data.get("scores", ())), round=data.get("round", 1))
    return Sheet(data.get("players"), tuple(data.get("names", ())), tuple(variants), position, rounds)


def _lying(data: Mapping[str, Any]) -> dict[str, Any]:
    """What lies on the tables."""
    return {
        "tables": tuple(table_of(table) for table in data.get("tables", ())),
        "markers": {name: None if holder == NOBODY else holder for name, holder in data.get("markers", {}).items()},
        "counters": {name: tuple(values) for name, values in data.get("counters", {}).items()},
    }


def score(
    game: Game,
    tables: Iterable[Table],
    *,
    scores: Iterable[int] = (),
    markers: Mapping[str, int | None] = MappingProxyType({}),
    counters: Mapping[str, Iterable[int]] = MappingProxyType({}),
    round: int = 1,  # noqa: A002 (as in a scenario)
) -> SheetScores:
    """Score tables as they lie in front of players: the cards of each seat in the order of play, or copies by name.

    `scores` are the points that seats have already, `markers` says who holds one, `counters` what effects have left
    there, by seat. Raises `WrongPositionError`, and `WrongArgumentError` for what is no game.
    """
    position = Position(
        tables=each_listed(tables),
        markers=markers,
        counters=each_listed(counters),
        scores=join_list(scores),
        round=round,
    )
    return score_position(checked_kind(game, Game, "draftengine.load"), position)


def score_position(game: Game, position: Position) -> SheetScores:
    """Score the tables of a position under all rules. Raises `WrongPositionError`."""
    state = game.lay_out(position)
    lines = tuple((moment, line) for moment in game.moments for line in state.explain(moment=moment))
    rules: dict[str, list[int]] = {}
    for _, line in lines:
        rules.setdefault(line.rule, [0] * game.seats)[line.seat] += line.points
    after, moments = state, {}
    for moment in game.moments:
        before, after = after, after.scored(moment)
        moments[moment] = tuple(late - early for late, early in zip(after.points, before.points, strict=True))
    return SheetScores(
        lines,
        moments,
        {rule: tuple(points) for rule, points in rules.items()},
        after.points,
        after.leaders,
        () if position.counters or position.scores else _unplayed(game, position),
    )


OTHER_POINTS = "other points"
"""What stands in the place of a rule for points that no table shows."""


def positions(game: Game, rounds: Iterable[Round]) -> Iterator[Position]:
    """What lies there at the end of each round, with what stayed from those before it, without points.

    Cards stay if they are kept, or if nothing clears the table; markers stay where they are; counters that are kept go
    on from where they were. What a round says itself goes before. Raises `WrongPositionError`.
    """
    lying: tuple[tuple[str, ...], ...] = ((),) * game.seats
    markers: dict[str, int | None] = {}
    carried: dict[str, tuple[int, ...]] = {}
    cleared = _is_cleared(game)
    keep = {card.id for card in game.model.cards if card.keep or not cleared}
    asked = game.lay_out(Position()).counters[0]
    kept = [counter.id for counter in game.model.counters if (counter.keep or not cleared) and counter.id in asked]
    for number, played_round in enumerate(rounds, 1):
        lying = tuple(
            (*before, *entries(table)) for before, table in zip_longest(lying, played_round.tables, fillvalue=())
        )
        markers |= played_round.markers
        position = Position(tables=lying, markers=dict(markers), counters=played_round.counters, round=number)
        if carried:
            values = _values(game, replace(position, counters={}), carried)
            counters = {name: tuple(map(sum, zip(values[name], more, strict=True))) for name, more in carried.items()}
            position = replace(position, counters={**counters, **played_round.counters})
        yield position
        lying = tuple(tuple(name for name in table if card_in(name) in keep) for table in lying)
        if kept:
            after = _values(game, position, kept)
            bare = _values(game, Position(tables=lying, round=number), kept)
            gone = {
                name: tuple(value - base for value, base in zip(after[name], bare[name], strict=True)) for name in kept
            }
            carried = {name: values for name, values in gone.items() if any(values)}


def _is_cleared(game: Game) -> bool:
    """Does something take the cards away that lie before the players."""
    return any(
        step.verb == "gather" or "tableau" in {getattr(step, "zone", ""), getattr(step, "from_", "")}
        for step in all_steps(game.model)
    )


def _values(game: Game, position: Position, names: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """The values of counters in a position, by seat."""
    counters = game.lay_out(position).counters
    return {name: tuple(seat_counters[name] for seat_counters in counters) for name in names}


def score_rounds(game: Game, rounds: Sequence[Round]) -> GameScores:
    """Score a game that is told round by round, as far as it has come. Raises `WrongPositionError`."""
    scores: tuple[int, ...] = (0,) * game.seats
    sheets: list[Sheets] = []
    winners: tuple[int, ...] = ()
    unplayed: dict[str, None] = {}
    for number, (played_round, lying) in enumerate(zip(rounds, positions(game, rounds), strict=True), 1):
        last = number == game.model.rounds
        position = replace(lying, scores=_with_points(scores, played_round))
        scored = score_position(game, position)
        moments = [moment for moment in game.moments if last or moment in game.moments_of_rounds]
        rows = [
            (line.rule, line.rule in game.chip_rules, Entry(line.seat, line.points, line.cards, line.text))
            for moment, line in scored.lines
            if moment in moments
        ]
        rows += [
            (OTHER_POINTS, False, Entry(seat, points, (), ""))
            for seat, points in enumerate(played_round.points)
            if points
        ]
        sheets.append(sheet_of(game, number, rows))
        given = [scored.moments[moment] for moment in moments]
        scores = tuple(map(sum, zip(position.scores, *given, strict=True)))
        winners = scored.winners if last else ()
        unplayed |= dict.fromkeys(
            () if played_round.counters or any(played_round.points) else _unplayed(game, position)
        )
    return GameScores(tuple(sheets), scores, winners, tuple(unplayed))


def markers_of(game: Game) -> tuple[str, ...]:
    """The markers that a sheet can tell of; those that only say whose turn it is are left out."""
    return tuple(marker.id for marker in game.model.markers if marker.id not in game.turn_markers)


def counters_of(game: Game) -> tuple[str, ...]:
    """The counters that a sheet can tell of: what the game asks for and no card shows."""
    on_cards = {name for card in game.model.cards for name, _ in card.adds}
    asked = game.lay_out(Position()).counters[0]
    return tuple(counter.id for counter in game.model.counters if counter.id not in on_cards and counter.id in asked)


def state_after(game: Game, rounds: Sequence[Round]) -> State:
    """What lies there at the end of the last round, with the points before it. Raises `WrongPositionError`."""
    before = score_rounds(game, rounds[:-1]).scores
    *_, lying = positions(game, rounds)
    return game.lay_out(replace(lying, scores=_with_points(before, rounds[-1])))


def _with_points(scores: Iterable[int], played_round: Round) -> tuple[int, ...]:
    return tuple(map(sum, zip_longest(scores, played_round.points, fillvalue=0)))


def _unplayed(game: Game, position: Position) -> tuple[str, ...]:
    there = {card_in(name) for table in position.tables for name in table}
    return tuple(card.id for card in game.model.cards if card.on_play and card.id in there)
