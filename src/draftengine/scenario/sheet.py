"""Scoring tables as they lie in front of real players: every rule, every seat, every reason."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.api.arguments import checked_kind, each_listed, listed
from draftengine.api.game import Game
from draftengine.api.records import Position
from draftengine.cardset.load import FileKind
from draftengine.cardset.tree import plain
from draftengine.scenario.model import NOBODY, table_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from draftengine.api.records import Line, Table
    from draftengine.cardset.tree import Mapping as Tree


TABLES = FileKind("A file of tables", "It begins with tables: what lies before each player.", "tables:")
"""The file that a sheet is read from."""


class Sheet(Struct, frozen=True):
    """What a file of tables says: who plays, by which variants, and what lies where."""

    players: int | None
    """``None`` = as many as the game makes of the tables."""
    names: tuple[str, ...]
    variants: tuple[str, ...]
    """As on a command line."""
    position: Position


class Scored(Struct, frozen=True):
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


def read_sheet(root: Tree) -> Sheet:
    """A sheet from its file, which the schema has found right."""
    data: dict[str, Any] = plain(root)
    variants = [*data.get("variants", ()), *(f"{key}={value}" for key, value in data.get("set", {}).items())]
    position = Position(
        tables=tuple(table_of(table) for table in data["tables"]),
        markers={name: None if holder == NOBODY else holder for name, holder in data.get("markers", {}).items()},
        counters={name: tuple(values) for name, values in data.get("counters", {}).items()},
        scores=tuple(data.get("scores", ())),
        round=data.get("round", 1),
    )
    return Sheet(data.get("players"), tuple(data.get("names", ())), tuple(variants), position)


def score(
    game: Game,
    tables: Iterable[Table],
    *,
    scores: Iterable[int] = (),
    markers: Mapping[str, int | None] = MappingProxyType({}),
    counters: Mapping[str, Iterable[int]] = MappingProxyType({}),
    round: int = 1,  # noqa: A002 (as in a scenario)
) -> Scored:
    """Score tables as they lie in front of players: the cards of each seat in the order of play, or copies by name.

    `scores` are the points that seats have already, `markers` says who holds one, `counters` what effects have left
    there, by seat. Raises `WrongPositionError`, and `WrongArgumentError` for what is no game.
    """
    position = Position(
        tables=each_listed(tables),
        markers=markers,
        counters=each_listed(counters),
        scores=listed(scores),
        round=round,
    )
    return score_position(checked_kind(game, Game, "draftengine.load"), position)


def score_position(game: Game, position: Position) -> Scored:
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
    return Scored(
        lines,
        moments,
        {rule: tuple(points) for rule, points in rules.items()},
        after.points,
        after.leaders,
        () if position.counters or position.scores else _unplayed(game, position),
    )


def _unplayed(game: Game, position: Position) -> tuple[str, ...]:
    there = {name.partition("@")[0] for table in position.tables for name in table}
    return tuple(card.id for card in game.model.cards if card.on_play and card.id in there)
