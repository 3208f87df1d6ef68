"""A score sheet in the making, for people with real cards: what lies before each player, round by round.

The file is one that ``draftengine score --input`` reads. It is written anew at every change, so nothing is ever lost.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.records import entries
from draftengine.files import write_whole
from draftengine.play.names import Names
from draftengine.play.session import HUMAN
from draftengine.scenario.sheet import Round, position_in, score_rounds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from draftengine.api.game import Game
    from draftengine.api.state import State
    from draftengine.play.style import Style
    from draftengine.scenario.sheet import Reckoned

CARD, MARKER, COUNTER, POINTS = "card", "marker", "counter", "points"


class Thing(Struct, frozen=True):
    """Something that can lie before a player."""

    number: int
    """What a person types for it."""
    kind: str
    name: str
    """The card (in a form), marker or counter; for points that no table shows the amount: ``+1``, ``-1``."""


def things_of(game: Game) -> tuple[Thing, ...]:
    """All that can lie before a player, cards first. Markers that only say whose turn it is are left out."""
    return tuple(Thing(number, *own) for number, own in enumerate(_known(game), 1))


def _known(game: Game) -> Iterator[tuple[str, str]]:
    model = game.model
    for card in model.cards:
        if card.forms is None:
            yield CARD, card.id
        else:
            yield from ((CARD, f"{card.id}@{form}") for form in card.forms.of)
    yield from ((MARKER, own.id) for own in model.markers if own.id not in game.turn_markers)
    on_cards = {name for card in model.cards for name, _ in card.adds}
    yield from ((COUNTER, own.id) for own in model.counters if own.id not in on_cards)
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

    def count(self, number: int, seat: int, thing: Thing) -> int:
        """How often something lies before a player in a round."""
        own = self.rounds[number]
        if thing.kind == CARD:
            return self.laid(number, seat).count(thing.name)
        if thing.kind == MARKER:
            return int(own.markers.get(thing.name) == seat)
        if thing.kind == COUNTER:
            return own.counters[thing.name][seat] if thing.name in own.counters else 0
        return max(0, own.points[seat] * int(thing.name)) if own.points else 0

    def add(self, number: int, seat: int, thing: Thing, copies: int = 1) -> None:
        """Lay something before a player. Raises `WrongPositionError`, and changes nothing then, if it cannot be."""
        own = self.rounds[number]
        if thing.kind == CARD:
            laid = (*self.laid(number, seat), *[thing.name] * copies)
            changed = replace(own, tables=_with(own.tables, seat, laid))
        elif thing.kind == MARKER:
            changed = replace(own, markers={**own.markers, thing.name: seat})
        elif thing.kind == COUNTER:
            changed = replace(own, counters=self._counted(own, thing.name, seat, copies))
        else:
            changed = replace(own, points=self._given(own, seat, int(thing.name) * copies))
        self._change(number, changed)

    def take_away(self, number: int, seat: int, thing: Thing) -> bool:
        """Take something away again, of cards the last copy; was it there."""
        own = self.rounds[number]
        if thing.kind == POINTS:
            self._change(number, replace(own, points=self._given(own, seat, -int(thing.name))))
            return True
        if not self.count(number, seat, thing):
            return False
        if thing.kind == CARD:
            table = list(self.laid(number, seat))
            del table[len(table) - 1 - table[::-1].index(thing.name)]
            self._change(number, replace(own, tables=_with(own.tables, seat, tuple(table))))
        elif thing.kind == MARKER:
            rest = {name: holder for name, holder in own.markers.items() if name != thing.name}
            self._change(number, replace(own, markers=rest))
        else:
            self._change(number, replace(own, counters=self._counted(own, thing.name, seat, -1)))
        return True

    def take_last(self, number: int, seat: int) -> bool:
        """Take the last card of a player away; was there one."""
        table = self.laid(number, seat)
        return bool(table) and self.take_away(number, seat, Thing(0, CARD, table[-1]))

    def clear(self, number: int, seat: int) -> None:
        """Take all cards of a player away."""
        own = self.rounds[number]
        self._change(number, replace(own, tables=_with(own.tables, seat, ())))

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

    def _counted(self, own: Round, name: str, seat: int, more: int) -> dict[str, tuple[int, ...]]:
        before = own.counters.get(name) or (0,) * self.game.seats
        after = _with(before, seat, before[seat] + more)
        rest = {key: values for key, values in own.counters.items() if key != name}
        return {**rest, name: after} if any(after) else rest

    def _given(self, own: Round, seat: int, more: int) -> tuple[int, ...]:
        before = own.points or (0,) * self.game.seats
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

    def reckoned(self) -> Reckoned:
        """The points of all rounds so far."""
        return score_rounds(self.game, self.rounds)

    def state(self, number: int) -> State:
        """What lies there at the end of a round, with the points before it."""
        before = score_rounds(self.game, self.rounds[:number]).scores
        return self.game.lay_out(position_in(self.game, self.rounds[: number + 1], number + 1, before))

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
            "rounds": [_as_json(own) for own in self.rounds],
        }

    def take_over(self, rounds: Iterable[Round]) -> None:
        """Go on with rounds that were kept. Raises `WrongPositionError` if the rules do not fit them."""
        score_rounds(self.game, found := [self._whole(own) for own in rounds])
        self.rounds = found

    def _whole(self, own: Round) -> Round:
        """A round with a table for every seat."""
        tables = tuple(map(entries, own.tables))
        return replace(own, tables=(*tables, *[()] * (self.game.seats - len(tables))))


def _empty(game: Game) -> Round:
    return Round(((),) * game.seats)


def _with(values: Sequence[Any], at: int, value: Any) -> tuple[Any, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _as_json(own: Round) -> dict[str, Any]:
    markers = {name: "nobody" if holder is None else holder for name, holder in own.markers.items()}
    return {
        "tables": [list(entries(table)) for table in own.tables],
        **({"markers": markers} if markers else {}),
        **({"counters": {name: list(row) for name, row in own.counters.items()}} if own.counters else {}),
        **({"points": list(own.points)} if own.points else {}),
    }


def names_for(book: Scorebook, style: Style) -> Names:
    """What everybody is called; whoever has no name is called by their seat."""
    titles = [own.strip() or f"Player {seat}" for seat, own in enumerate(book.names, 1)]
    return Names(book.game, [HUMAN] * len(titles), style, titles)


def label_of(thing: Thing, names: Names) -> str:
    """What something is called."""
    if thing.kind == CARD:
        return names.card(thing.name)
    return f"{thing.name} point" if thing.kind == POINTS else names.label(thing.name)


def lying_before(book: Scorebook, number: int, seat: int, names: Names) -> list[str]:
    """What lies before a player, in words."""
    own = book.rounds[number]
    found = names.cards(book.laid(number, seat))
    found += [names.label(marker) for marker, holder in own.markers.items() if holder == seat]
    found += [f"{names.label(name)} {row[seat]}" for name, row in own.counters.items() if row[seat]]
    return [*found, *([f"{own.points[seat]:+d} points"] if own.points and own.points[seat] else [])]
