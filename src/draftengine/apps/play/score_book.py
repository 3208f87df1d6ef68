"""A score sheet in the making, for people with real cards: what lies before each player, round by round.

The file is one that ``draftengine score --input`` reads. It is written anew at every change, so nothing is ever lost.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.records import entries
from draftengine.api.scenario.score_tables import Round, counters_of, markers_of, score_rounds, state_after
from draftengine.apps.play.labels import Names
from draftengine.apps.play.session import HUMAN
from draftengine.support.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from draftengine.api.game import Game
    from draftengine.api.scenario.score_tables import GameScores
    from draftengine.api.state import State
    from draftengine.apps.play.terminal_style import Style

CARD, MARKER, COUNTER, POINTS = "card", "marker", "counter", "points"


class ScorableItem(Struct, frozen=True):
    """Something that can lie before a player."""

    number: int
    """What a person types for it."""
    kind: str
    name: str
    """The card (in a form), marker or counter; for points that no table shows the amount: ``+1``, ``-1``."""


@lru_cache(8)
def things_of(game: Game) -> tuple[ScorableItem, ...]:
    """All that can lie before a player, cards first. Markers that only say whose turn it is are left out."""
    return tuple(ScorableItem(number, *fields) for number, fields in enumerate(_known(game), 1))


def _known(game: Game) -> Iterator[tuple[str, str]]:
    model = game.model
    for card in model.cards:
        if card.forms is None:
            yield CARD, card.id
        else:
            yield from ((CARD, f"{card.id}@{form}") for form in card.forms.of)
    yield from ((MARKER, name) for name in markers_of(game))
    yield from ((COUNTER, name) for name in counters_of(game))
    yield from ((POINTS, amount) for amount in ("+1", "-1"))


class Scorebook:
    """The sheet of one game. Rounds and seats count from 0; `Scorebook.changed` keeps it on the disk."""

    def __init__(
        self, game: Game, names: Sequence[str], variants: Sequence[str] = (), path: Path | None = None
    ) -> None:
        """`variants` are as on the command line. Without a `path` nothing is written."""
        self.game = game
        self.names = list(names)
        self.variants = list(variants)
        self.path = path
        self.rounds = [_empty(game)]
        self._before: list[tuple[Round, ...]] = []
        self._seen: tuple[list[Round], State] | None = None
        """The rounds that were looked at last, and what lay there."""
        self._together = False
        """Do several changes belong together, so that they are looked at when the last is made."""

    # ── what lies there ─────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def is_empty(self) -> bool:
        """Does nothing lie anywhere."""
        return self.rounds == [_empty(self.game)]

    def laid(self, number: int, seat: int) -> tuple[str, ...]:
        """The cards before a player in a round, in the order of play."""
        return entries(self.rounds[number].tables[seat])

    def count(self, number: int, seat: int, thing: ScorableItem) -> int:
        """How often something lies before a player in a round."""
        entry = self.rounds[number]
        if thing.kind == CARD:
            return self.laid(number, seat).count(thing.name)
        if thing.kind == MARKER:
            return int(self.state(number).view(-1).markers[thing.name] == seat)
        if thing.kind == COUNTER:
            return self.state(number).counters[seat][thing.name]
        return max(0, entry.points[seat] * int(thing.name)) if entry.points else 0

    def add(self, number: int, seat: int, thing: ScorableItem, copies: int = 1) -> None:
        """Lay something before a player. Raises `WrongPositionError`, and changes nothing then, if it cannot be."""
        entry = self.rounds[number]
        if thing.kind == CARD:
            laid = (*self.laid(number, seat), *[thing.name] * copies)
            changed = replace(entry, tables=_with(entry.tables, seat, laid))
        elif thing.kind == MARKER:
            changed = replace(entry, markers={**entry.markers, thing.name: seat})
        elif thing.kind == COUNTER:
            changed = replace(entry, counters=self._counted(number, thing.name, seat, copies))
        else:
            changed = replace(entry, points=self._given(entry, seat, int(thing.name) * copies))
        self._change(number, changed)

    def put(self, number: int, seat: int, thing: ScorableItem, value: int) -> None:
        """Let a counter of a player have a value. Raises `WrongPositionError`, and changes nothing then."""
        self.add(number, seat, thing, value - self.count(number, seat, thing))

    def take_away(self, number: int, seat: int, thing: ScorableItem) -> bool:
        """Take something away again, of cards the last copy; was it there."""
        entry = self.rounds[number]
        if thing.kind == POINTS:
            self._change(number, replace(entry, points=self._given(entry, seat, -int(thing.name))))
            return True
        if not self.count(number, seat, thing):
            return False
        if thing.kind == CARD:
            table = list(self.laid(number, seat))
            del table[len(table) - 1 - table[::-1].index(thing.name)]
            self._change(number, replace(entry, tables=_with(entry.tables, seat, tuple(table))))
        elif thing.kind == MARKER:
            rest = {name: holder for name, holder in entry.markers.items() if name != thing.name}
            stays = self._with(number, replace(entry, markers=rest)).view(-1).markers[thing.name] == seat
            self._change(number, replace(entry, markers={**rest, thing.name: None} if stays else rest))
        else:
            self._change(number, replace(entry, counters=self._counted(number, thing.name, seat, -1)))
        return True

    def take_last(self, number: int, seat: int) -> bool:
        """Take the last card of a player away; was there one."""
        table = self.laid(number, seat)
        return bool(table) and self.take_away(number, seat, ScorableItem(0, CARD, table[-1]))

    def clear(self, number: int, seat: int) -> None:
        """Take all cards of a player away."""
        entry = self.rounds[number]
        self._change(number, replace(entry, tables=_with(entry.tables, seat, ())))

    def clear_all(self) -> None:
        """Begin again with the first round."""
        with self.together():
            self.rounds = [_empty(self.game)]

    def begin_round(self) -> bool:
        """Begin another round; are there any left."""
        if len(self.rounds) >= self.game.model.rounds:
            return False
        self._before.append(tuple(self.rounds))
        self.rounds.append(_empty(self.game))
        self.changed()
        return True

    def undo(self) -> bool:
        """Take the last change back; was there one."""
        if not self._before:
            return False
        self.rounds = list(self._before.pop())
        self.changed()
        return True

    def rename(self, seat: int, name: str) -> None:
        """Call a player something else."""
        self.names[seat] = name
        self.changed()

    def _counted(self, number: int, name: str, seat: int, more: int) -> dict[str, tuple[int, ...]]:
        """What a round says of counters when one has changed for a seat; nothing of one that is as it stood before."""
        entry = self.rounds[number]
        rest = {key: values for key, values in entry.counters.items() if key != name}
        stood = _values(self._with(number, replace(entry, counters=rest)), name)
        before = entry.counters.get(name, stood)
        shared = any(counter.id == name and counter.per == "table" for counter in self.game.model.counters)
        after = tuple(value + more * (shared or index == seat) for index, value in enumerate(before))
        return rest if after == stood else {**rest, name: after}

    def _given(self, entry: Round, seat: int, more: int) -> tuple[int, ...]:
        before = entry.points or (0,) * self.game.seats
        after = _with(before, seat, before[seat] + more)
        return after if any(after) else ()

    def _change(self, number: int, changed: Round) -> None:
        if self._together:
            self.rounds[number] = changed
            return
        with self.together():
            self.rounds[number] = changed

    @contextmanager
    def together(self) -> Iterator[None]:
        """Several changes that are taken back together. Raises `WrongPositionError`; then none of them was made."""
        before, self._together = tuple(self.rounds), True
        try:
            yield
            score_rounds(self.game, self.rounds)
        except BaseException:
            self.rounds = list(before)
            raise
        finally:
            self._together = False
        self._before.append(before)
        self.changed()

    # ── what it is worth ────────────────────────────────────────────────────────────────────────────────────────────

    def reckoned(self) -> GameScores:
        """The points of all rounds so far."""
        return score_rounds(self.game, self.rounds)

    def state(self, number: int) -> State:
        """What lies there at the end of a round, with the points before it and all that stayed from earlier rounds."""
        rounds = self.rounds[: number + 1]
        if self._seen is None or self._seen[0] != rounds:
            self._seen = rounds, state_after(self.game, rounds)
        return self._seen[1]

    def _with(self, number: int, changed: Round) -> State:
        """What would lie there at the end of a round if the round were `changed`."""
        return state_after(self.game, [*self.rounds[:number], changed])

    # ── the file ────────────────────────────────────────────────────────────────────────────────────────────────────

    def changed(self) -> None:
        """Bring everything to the disk, if it has a place there. Raises `OSError`."""
        if self.path is not None:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_whole(self.path, json.dumps(self.to_json(), ensure_ascii=False, indent=1) + "\n")

    def to_json(self) -> dict[str, Any]:
        """The sheet as ``score --input`` reads it."""
        return {
            "players": self.game.players,
            "names": self.names,
            "variants": self.variants,
            "rounds": [_as_json(entry) for entry in self.rounds],
        }

    def take_over(self, rounds: Iterable[Round]) -> None:
        """Go on with rounds that were kept. Raises `WrongPositionError` if the rules do not fit them."""
        score_rounds(self.game, kept := [self._whole(entry) for entry in rounds])
        self.rounds = kept

    def _whole(self, entry: Round) -> Round:
        """A round with a table for every seat."""
        tables = tuple(map(entries, entry.tables))
        return replace(entry, tables=(*tables, *[()] * (self.game.seats - len(tables))))


def _empty(game: Game) -> Round:
    return Round(((),) * game.seats)


def _with(values: Sequence[Any], index: int, value: Any) -> tuple[Any, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _as_json(entry: Round) -> dict[str, Any]:
    markers = {name: "nobody" if holder is None else holder for name, holder in entry.markers.items()}
    return {
        "tables": [list(entries(table)) for table in entry.tables],
        **({"markers": markers} if markers else {}),
        **({"counters": {name: list(row) for name, row in entry.counters.items()}} if entry.counters else {}),
        **({"points": list(entry.points)} if entry.points else {}),
    }


def names_for(book: Scorebook, style: Style) -> Names:
    """What everybody is called; whoever has no name is called by their seat."""
    titles = [name.strip() or f"Player {seat}" for seat, name in enumerate(book.names, 1)]
    return Names(book.game, [HUMAN] * len(titles), style, titles)


def label_of(thing: ScorableItem, names: Names) -> str:
    """What something is called."""
    if thing.kind == CARD:
        return names.card(thing.name)
    return f"{thing.name} point" if thing.kind == POINTS else names.label(thing.name)


def lying_before(book: Scorebook, number: int, seat: int, names: Names) -> list[str]:
    """What lies before a player, in words; with markers and counters that stayed from earlier rounds."""
    entry = book.rounds[number]
    texts = names.cards(book.laid(number, seat))
    for thing in things_of(book.game):
        if thing.kind == MARKER and book.count(number, seat, thing):
            texts.append(names.label(thing.name))
        elif thing.kind == COUNTER and (value := book.count(number, seat, thing)):
            texts.append(f"{names.label(thing.name)} {value}")
    return [*texts, *([f"{entry.points[seat]:+d} points"] if entry.points and entry.points[seat] else [])]


def _values(state: State, name: str) -> tuple[int, ...]:
    return tuple(counters[name] for counters in state.counters)
