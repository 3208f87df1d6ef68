"""Scoring of real tables: the points that each rule gives to each seat, and why.

A *sheet* is a file that states the cards on a real table, at once or round by round.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import contextmanager
from itertools import zip_longest
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.errors import WrongPositionError, checked_kind, each_listed, join_list
from draftengine.api.game import Game
from draftengine.api.records import Position, entries
from draftengine.api.scenario import lying_in, variants_in
from draftengine.api.scenario.missing import Missing, Round, chips_missing, impossible, unknown, unplayed
from draftengine.api.score_sheets import Entry, sheet_of
from draftengine.engine.position import ends_with_round, leaders
from draftengine.model.cardset.facts import all_steps
from draftengine.model.cardset.pieces import card_in
from draftengine.model.language.macros import TRACK
from draftengine.model.records.reader import is_whole
from draftengine.model.yaml.load import FileKind
from draftengine.model.yaml.tree import plain
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.api.records import Line, Table
    from draftengine.api.score_sheets import Sheet as Sheets
    from draftengine.api.state import State
    from draftengine.model.yaml.tree import Mapping as Tree


TABLES = FileKind("tables", "tables:")
"""The kind of file that contains a sheet."""


class Sheet(Struct, frozen=True):
    """The content of a file of tables: players, variants, and cards."""

    players: int | None
    """The number of players; ``None`` if it is the number of tables."""
    names: tuple[str, ...]
    variants: tuple[str, ...]
    """Variants, written as on a command line."""
    position: Position
    rounds: tuple[Round, ...] = ()
    """All rounds, if the file states the game round by round; `position` is then empty."""
    chips: tuple[int | None, ...] = ()
    """The total value of each seat's chips; ``None`` if the file does not state it."""


class SheetScores(Struct, frozen=True):
    """The points for the tables of a sheet."""

    lines: tuple[tuple[str, Line], ...]
    """Every line of points with the moment at which its rule scores, as (moment, line)."""
    moments: dict[str, tuple[int, ...]]
    """Points by moment and seat."""
    rules: dict[str, tuple[int, ...]]
    """Points by rule and seat."""
    total: tuple[int, ...]
    """The points of each seat, including those it had before and the stated value of its chips."""
    winners: tuple[int, ...]
    """Seats that would win if the game ended now; empty if the sheet lacks a fact that decides this."""
    missing: Missing

    @property
    def unplayed(self) -> tuple[str, ...]:
        """The cards in `Missing.unplayed`."""
        return self.missing.unplayed


class GameScores(Struct, frozen=True):
    """The scores of a game that a sheet states round by round."""

    sheets: tuple[Sheets, ...]
    """Points by rule and seat, a sheet for each round."""
    end: Sheets | None
    """Points and chips at the end of a game of several rounds; ``None`` if the game is not over."""
    scores: tuple[int, ...]
    """All points so far, by seat. After the last round, the value of chips is included."""
    over: bool
    """True if the sheet includes the last round."""
    winners: tuple[int, ...]
    """Winning seats; empty before the last round, or if the sheet lacks a fact that decides this."""
    missing: Missing
    states: tuple[State, ...]
    """The state at the end of each round, before the round is scored."""

    @property
    def pages(self) -> tuple[Sheets, ...]:
        """The sheets of all rounds, and last the sheet for the end of the game, if there is one."""
        return (*self.sheets, *([self.end] if self.end else []))


def read_sheet(root: Tree) -> Sheet:
    """Return the sheet that a file describes. The file must fit the schema."""
    data: dict[str, Any] = plain(root)
    rounds = tuple(
        Round(**_lying(played), points=tuple(played.get("points", ())), chips=tuple(played.get("chips", ())))
        for played in data.get("rounds", ())
    )
    position = Position(**_lying(data), scores=tuple(data.get("scores", ())), round=data.get("round", 1))
    chips = tuple(data.get("chips", ()))
    return Sheet(data.get("players"), tuple(data.get("names", ())), variants_in(data), position, rounds, chips)


def _lying(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables, markers and counters in a file, as arguments for a `Position` or `Round`.

    In a table that states only numbers of copies, wild cards come last.
    """
    fields = lying_in(data)
    tables = (
        dict(sorted(table.items(), key=lambda item: "@" in item[0])) if isinstance(table, Mapping) else table
        for table in fields["tables"]
    )
    return {**fields, "tables": tuple(tables)}


def score(  # noqa: PLR0913 (what can lie on a real table)
    game: Game,
    tables: Iterable[Table],
    *,
    scores: Iterable[int] = (),
    markers: Mapping[str, int | None] = MappingProxyType({}),
    counters: Mapping[str, Iterable[int]] = MappingProxyType({}),
    round: int = 1,  # noqa: A002 (as in a scenario)
    chips: Iterable[int | None] = (),
) -> SheetScores:
    """Score real tables. Each table has the cards of a seat in the order of play, or copies by name.

    `scores` are points that seats already have, `markers` has the holder of each marker, and `counters` has the values
    that effects produced. `chips` is the total value of each seat's chips (``None`` if unknown).

    Raises `WrongPositionError`, and `WrongArgumentError` if `game` is not a game.
    """
    position = Position(
        tables=each_listed(tables),
        markers=markers,
        counters=each_listed(counters),
        scores=join_list(scores),
        round=round,
    )
    return score_position(checked_kind(game, Game, "draftengine.load"), position, join_list(chips))


def score_position(game: Game, position: Position, chips: Sequence[int | None] = ()) -> SheetScores:
    """Score the tables of a position by all rules. `chips` is the total value of each seat's chips.

    Raises `WrongPositionError`.
    """
    lines, states, moments = _scored(game, position)
    worth = _worth(game, chips)
    rules: dict[str, list[int]] = {}
    for _, line in lines:
        rules.setdefault(line.rule, [0] * game.seats)[line.seat] += line.points
    entered = Round(position.tables, position.markers, position.counters, position.scores)
    missing = Missing(
        chips_missing(game, [line for _, line in lines], worth, [entered]),
        unplayed(game, [entered]),
        unknown(game, [entered], game.moments),
        tuple(impossible(game, position)),
    )
    return SheetScores(
        lines,
        moments,
        {rule: tuple(points) for rule, points in rules.items()},
        tuple(points + (value or 0) for points, value in zip(states[-1].points, worth, strict=True)),
        () if missing else leaders(states[-1].position, [value or 0 for value in worth]),
        missing,
    )


def _scored(
    game: Game, position: Position
) -> tuple[tuple[tuple[str, Line], ...], list[State], dict[str, tuple[int, ...]]]:
    """Return (moment, line of points) pairs, the states, and the points of each moment by seat.

    The first state precedes all scoring. Another state follows for each moment.
    """
    states, moments = [game.lay_out(position)], {}
    if position.round > game.model.rounds:
        raise WrongPositionError(said("position.round", number=position.round), ("round",))
    lines = tuple((moment, line) for moment in game.moments for line in states[0].explain(moment=moment))
    for moment in game.moments:
        before, after = states[-1], states[-1].scored(moment)
        moments[moment] = tuple(late - early for late, early in zip(after.points, before.points, strict=True))
        states.append(after)
    return lines, states, moments


def _worth(game: Game, chips: Sequence[int | None]) -> tuple[int | None, ...]:
    """Return the total value of each seat's chips, ``None`` if unknown. Raises `WrongPositionError`."""
    if not isinstance(chips, tuple) or not all(worth is None or is_whole(worth) for worth in chips):
        raise WrongPositionError("chips has a whole number for each seat, or None", ("chips",))
    if len(chips) > game.seats:
        problem = said("position.room", what="chips", count=len(chips), room=game.seats)
        raise WrongPositionError(problem, ("chips", game.seats))
    return (*chips, *[None] * (game.seats - len(chips)))


OTHER_POINTS, WORTH_OF_CHIPS = "other points", "worth of chips"
"""Names of two rows that belong to no rule: points that cards do not show, and the value of chips."""


def positions(game: Game, rounds: Iterable[Round]) -> Iterator[Position]:
    """Yield the position at the end of each round, without points but including cards that stayed.

    Cards stay if they are kept, or if nothing clears the tableaus. Markers stay with their holders, and kept counters
    keep their values, unless the round states them. Raises `WrongPositionError`.
    """
    lying: tuple[tuple[str, ...], ...] = ((),) * game.seats
    markers: dict[str, int | None] = {}
    carried: dict[str, tuple[int, ...]] = {}
    cleared = any(
        step.verb == "gather" or "tableau" in {getattr(step, "zone", ""), getattr(step, "from_", "")}
        for step in all_steps(game.model)
    )
    keep = {card.id for card in game.model.cards if card.keep or not cleared}
    asked = game.lay_out(Position()).counters[0]
    staying = {counter.id for counter in game.model.counters if counter.keep or not cleared}
    kept = [name for name in asked if name.removeprefix(TRACK) in staying]
    for number, played_round in enumerate(rounds, 1):
        lying = tuple(
            (*before, *entries(table)) for before, table in zip_longest(lying, played_round.tables, fillvalue=())
        )
        markers |= played_round.markers
        position = Position(tables=lying, markers=dict(markers), counters=played_round.counters, round=number)
        if carried:
            with _in_round(position, played_round):
                values = _values(game, replace(position, counters={}), carried)
            counters = {
                name: tuple(map(sum, zip(values[name], more, strict=True)))
                for name, more in carried.items()
                if name.removeprefix(TRACK) not in played_round.counters
            }
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


@contextmanager
def _in_round(position: Position, written: Round) -> Iterator[None]:
    """Prefix the path of an error raised inside this context with the path of its round in the sheet."""
    try:
        yield
    except WrongPositionError as error:
        error.path = _path_in_sheet(error, position, written)
        raise


def _path_in_sheet(error: WrongPositionError, position: Position, written: Round) -> tuple[str | int, ...]:
    """Return the path in the sheet at which an error is shown.

    If a card stayed from an earlier round, the path leads to the table, not to a card.
    """
    path = error.path
    match path:
        case ("tables", int(seat), int(at)) if seat < len(written.tables):
            at -= len(position.tables[seat]) - len(entries(written.tables[seat]))
            path = ("tables", seat, *([at] if at >= 0 else []))
        case ("round",):
            path = ()
        case ("scores", *place):
            path = ("points", *place)
    return ("rounds", position.round - 1, *path)


def _values(game: Game, position: Position, names: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Return the values of the named counters in a position, by seat."""
    counters = game.lay_out(position).counters
    return {name: tuple(seat_counters[name] for seat_counters in counters) for name in names}


def score_rounds(game: Game, rounds: Sequence[Round]) -> GameScores:
    """Return the scores of the rounds played so far. Raises `WrongPositionError`."""
    scores: tuple[int, ...] = (0,) * game.seats
    worth: tuple[int | None, ...] = (None,) * game.seats
    sheets: list[Sheets] = []
    before: list[State] = []
    won: list[Line] = []
    wrong: list[WrongPositionError] = []
    winners: tuple[int, ...] = ()
    end, last = None, False
    for number, (played_round, lying) in enumerate(zip(rounds, positions(game, rounds), strict=True), 1):
        with _in_round(lying, played_round):
            scores = tuple(map(sum, zip_longest(scores, played_round.points, fillvalue=0)))
            lines, states, moments = _scored(game, replace(lying, scores=scores))
            entered = _worth(game, played_round.chips)
        for error in impossible(game, replace(lying, counters=played_round.counters)):
            error.path = _path_in_sheet(error, lying, played_round)
            wrong.append(error)
        worth = tuple(old if new is None else new for old, new in zip(worth, entered, strict=True))
        after_round = states[sum(moment in game.moments_of_rounds for moment in game.moments)]
        # Where only the end of the game scores, a sheet holds what lies there then, but not what ended the game.
        last = number == len(rounds) and (not game.moments_of_rounds or ends_with_round(after_round.position))
        scores = (states[-1] if last else after_round).points
        here = _entered(OTHER_POINTS, played_round.points)
        at_end: list[_Given] = [] if game.model.rounds > 1 else here
        for moment, points in moments.items():
            if last or moment in game.moments_of_rounds:
                given = [line for at, line in lines if at == moment]
                rows = here if moment in game.moments_of_rounds else at_end
                beside = list(points)
                for line in given:
                    is_chips = line.rule in game.chip_rules
                    beside[line.seat] -= 0 if is_chips else line.points
                    rows.append((line.rule, is_chips, Entry(line.seat, line.points, line.cards, line.text, line.why)))
                rows += _entered(OTHER_POINTS, beside)  # those that triggers added
                won += given
        at_end += _entered(WORTH_OF_CHIPS, worth) if last else []
        before.append(states[0])
        sheets.append(sheet_of(game, number, here))
        end = sheet_of(game, number + 1, at_end) if at_end and at_end is not here else None
    due = game.moments if last else game.moments_of_rounds
    missing = Missing((), unplayed(game, rounds), unknown(game, rounds, due), tuple(wrong))
    if last:
        missing = replace(missing, chips=chips_missing(game, won, worth, rounds))
        chips = [value or 0 for value in worth]
        winners = () if missing else leaders(states[-1].position, chips)
        scores = tuple(map(sum, zip(scores, chips, strict=True)))
    return GameScores(tuple(sheets), end, scores, last, winners, missing, tuple(before))


_Given = tuple[str, bool, Entry]
"""(id of a source of points, True if it gives chips instead, entry)."""


def _entered(name: str, points: Iterable[int | None]) -> list[_Given]:
    return [(name, False, Entry(seat, value, (), "")) for seat, value in enumerate(points) if value]


def markers_of(game: Game) -> tuple[str, ...]:
    """Return the markers that a sheet can state: all except those that only show whose turn it is."""
    return tuple(marker.id for marker in game.model.markers if marker.id not in game.turn_markers)


def counters_of(game: Game) -> tuple[str, ...]:
    """Return the counters that a sheet can state: the game reads them, and cards do not show their values."""
    on_cards = {name for card in game.model.cards for name, _ in card.adds}
    asked = game.lay_out(Position()).counters[0]
    return tuple(counter.id for counter in game.model.counters if counter.id not in on_cards and counter.id in asked)
