"""The legal moves of a seat in one choice, as a lazy sequence.

There can be more moves than fit into memory: taking ten of twenty cards is an example. So moves are counted without
being listed, and a move is found code by code, from its index or its first codes.

A *way* to move is a sequence of *pick groups*: the channels on which a move takes cards, in order, with the number of
cards on each. All moves of a choice follow one of its ways.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import prod
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, cast, overload

from msgspec import Struct

from draftengine.engine.counting import layout_sequences, sequences, shape_of

if TYPE_CHECKING:
    from collections.abc import Collection

Move = tuple[int, ...]

MANY, MANY_LONG = 8192, 512
"""The largest numbers of moves that are compared one by one.

`MANY` is for short moves; it is the limit of compiled games. `MANY_LONG` is for moves of more than `SHORT` cards: most
such moves differ only in the order of the cards.
"""
SHORT = 3
WIDTH = 4
"""The number of incomplete moves that the beam search keeps."""


class PickGroup(NamedTuple):
    """Cards that a move takes one after another on the same channel, that is, for the same purpose."""

    base: int
    """The first code of the channel."""
    column: int
    """The column of `MoveSpace.items` for the seat that gets the cards."""
    cards: int
    wide: bool = False
    """True if the group may also take places that the seat's own cards uncover."""


Way = tuple[PickGroup, ...]


class MoveSpace(Struct, frozen=True):
    """A compact description of all moves of a seat in one choice."""

    items: tuple[tuple[tuple[int, ...], ...], ...]
    """For each column (seat) and kind of card or place, the items that name the kind."""
    copies: tuple[int, ...]
    """For each kind of card or place, the number that can be taken at the beginning of the move."""
    ways: tuple[Way, ...]
    covers: tuple[tuple[int, ...], ...] = ()
    """For each place of a layout, the places that cover it.

    Empty unless a seat can take a place that the same move uncovers.
    """


class _Begun(NamedTuple):
    """An unfinished move: the cards that are left, and the pick groups that are still to be taken."""

    copies: tuple[int, ...]
    ways: tuple[Way, ...]
    """For each way to move that is still possible, the remaining pick groups."""
    taken: tuple[int, ...] | None
    """The places taken so far; ``None`` if it no longer matters what these places cover."""


class Continuations(NamedTuple):
    """Codes that can follow the codes chosen so far."""

    codes: tuple[int, ...]
    """All codes with which a legal move can continue, in ascending order."""
    whole: bool
    """True if the codes chosen so far are a legal move themselves."""


class Moves(Sequence[Move]):
    """The legal moves of a seat as a sequence, each once, in ascending order.

    `total` is their exact number; ``len`` raises `OverflowError` if it exceeds the range of an index.
    """

    def __init__(self, offer: MoveSpace | None = None, listed: tuple[Move, ...] | None = None) -> None:
        """Create the sequence from a move space, or from known moves of one code each."""
        self._listed = listed
        if offer is not None:
            self._offer = offer

    @cached_property
    def _offer(self) -> MoveSpace:
        codes = [move[0] for move in self._listed or ()]
        ways: tuple[Way, ...] = ((PickGroup(0, 0, 1),),) if codes else ()
        return MoveSpace((tuple([(code,) for code in codes]),), (1,) * len(codes), ways)

    @property
    def total(self) -> int:
        """The exact number of moves."""
        return len(self._listed) if self._listed is not None else self._number

    @cached_property
    def _number(self) -> int:
        return self._count(self._start)

    @property
    def few(self) -> bool:
        """True if there are few enough moves to list. In that case, this property also lists them."""
        if self._listed is not None:
            return True
        if self._at_most > self._most and self.total > self._most:
            return False
        self._listed = tuple(self._walk(self._start, ()))
        return True

    def next(self, chosen: Sequence[int] = ()) -> Continuations:
        """Return the codes that can follow the codes `chosen`; none if no move begins with these."""
        begun = self._begun(chosen)
        if begun is None:
            return Continuations((), whole=False)
        return Continuations(tuple([code for code, _ in self._steps(begun)]), whole=() in begun.ways)

    @cached_property
    def codes(self) -> tuple[int, ...]:
        """All codes that occur in some move, in ascending order."""
        codes = set[int]()
        for way in self._offer.ways:
            for place, part in enumerate(way):
                rest = (*way[:place], part._replace(cards=part.cards - 1), *way[place + 1 :])
                for kind, forms in enumerate(self._offer.items[part.column]):
                    if forms and self._has(kind, part, way, rest):
                        codes.update(part.base + item for item in forms)
        return tuple(sorted(codes))

    # ── a sequence ──────────────────────────────────────────────────────────────────────────────────────────────────

    def __len__(self) -> int:
        return self.total

    def __bool__(self) -> bool:
        return bool(self._listed) if self._listed is not None else bool(self.total)

    def __iter__(self) -> Iterator[Move]:
        return iter(self._listed or ()) if self.few else self._walk(self._start, ())

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, tuple) or not all(type(code) is int for code in move):
            return False
        if self._listed is not None:
            return move in self._listed
        begun = self._begun(move)
        return begun is not None and () in begun.ways

    @overload
    def __getitem__(self, index: int) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Move, ...]: ...

    def __getitem__(self, index: int | slice) -> Move | tuple[Move, ...]:
        if self.few:
            return (self._listed or ())[index]
        if isinstance(index, slice):
            return tuple([self[place] for place in range(*index.indices(self.total))])
        place = index + self.total if index < 0 else index
        if not 0 <= place < self.total:
            raise IndexError(index)
        # Build the move code by code: skip the moves that begin with a code if the index is beyond them.
        begun, codes = self._start, cast("Move", ())
        while place or () not in begun.ways:
            place -= () in begun.ways
            for code, after in self._steps(begun):
                number = self._count(after)
                if place < number:
                    begun, codes = after, (*codes, code)
                    break
                place -= number
        return codes

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """Return the index of a move. Raises `ValueError` if the move is not legal."""
        if value not in self:
            raise ValueError(f"{value} is not a legal move")
        place, begun = 0, self._start
        for wanted in cast("Move", value):
            place += () in begun.ways
            for code, after in self._steps(begun):
                if code == wanted:
                    begun = after
                    break
                place += self._count(after)
        if not start <= place < (self.total if stop is None else stop):
            raise ValueError(f"{value} is not there")
        return place

    def count(self, value: object) -> int:
        """Return 1 if the move is legal, else 0."""
        return int(value in self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Moves):
            return NotImplemented
        if self._listed is not None and other._listed is not None:
            return self._listed == other._listed
        if self._offer == other._offer:
            return True
        return self.total == other.total and all(one == two for one, two in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash((self.total, self[0] if self else None))

    def __repr__(self) -> str:
        return f"<{self.total} moves>"

    # ── one by one ──────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def _start(self) -> _Begun:
        offer = self._offer
        return _Begun(offer.copies, offer.ways, () if offer.covers else None)

    def _walk(self, begun: _Begun, codes: Move) -> Iterator[Move]:
        """Yield the moves that begin with `codes`, in ascending order."""
        last = True
        for way in begun.ways:
            if not way:
                yield codes
            elif len(way) > 1 or way[0].cards > 1:
                last = False
        if last:
            for code, _ in self._steps(begun):
                yield (*codes, code)
        else:
            for code, after in self._steps(begun):
                yield from self._walk(after, (*codes, code))

    def _begun(self, codes: Sequence[int]) -> _Begun | None:
        """Return what an unfinished move still has to take; ``None`` if no legal move begins with `codes`."""
        begun = self._start
        if not self._lives(begun):
            return None
        for code in codes:
            after = self._step(begun, code)
            if after is None:
                return None
            begun = after
        return begun

    def _steps(self, begun: _Begun) -> list[tuple[int, _Begun]]:
        """Return each code that can come next, in ascending order, with what is then left to take."""
        steps = []
        for head, ways in _after_one(begun.ways).items():
            stock, taken = self._stock(begun, head)
            for kind, forms in enumerate(self._offer.items[head.column]):
                if stock[kind] and forms:
                    after = _take(kind, stock, ways, taken)
                    if self._lives(after):
                        steps += [(head.base + item, after) for item in forms]
        steps.sort(key=itemgetter(0))
        return steps

    def _step(self, begun: _Begun, code: int) -> _Begun | None:
        """Return what is left to take after one more code; ``None`` if no legal move continues with it."""
        for head, ways in _after_one(begun.ways).items():
            stock, taken = self._stock(begun, head)
            for kind, forms in enumerate(self._offer.items[head.column]):
                if stock[kind] and code - head.base in forms:
                    after = _take(kind, stock, ways, taken)
                    return after if self._lives(after) else None
        return None

    def _stock(self, begun: _Begun, head: PickGroup) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
        """Return the copies that can be taken next, and the places taken so far if these still matter."""
        if not head.wide or begun.taken is None:
            return begun.copies, begun.taken
        freed = [bool(cover) and set(cover) <= set(begun.taken) for cover in self._offer.covers]
        return tuple([max(copies, int(free)) for copies, free in zip(begun.copies, freed, strict=True)]), None

    # ── counted ─────────────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def _sure(self) -> bool:
        """True if every first part of a move can be completed, no matter which cards it takes."""
        return not self._offer.covers and all(all(column) for column in self._offer.items)

    @cached_property
    def _most(self) -> int:
        """The largest number of moves for which `few` is true."""
        longest = max((sum([part.cards for part in way]) for way in self._offer.ways), default=0)
        return MANY if longest <= SHORT else MANY_LONG

    @cached_property
    def _at_most(self) -> int:
        """A quickly computed upper bound for the number of moves."""
        forms = [sum(map(len, column)) for column in self._offer.items]
        return sum(prod([forms[part.column] ** part.cards for part in way]) for way in self._offer.ways)

    def _lives(self, begun: _Begun) -> bool:
        """True if some legal move begins with these cards."""
        return self._sure or any(self._count_way(begun, way) for way in begun.ways)

    def _count(self, begun: _Begun) -> int:
        return sum([self._count_way(begun, way) for way in begun.ways])

    def _count_way(self, begun: _Begun, way: Way) -> int:
        """Count the moves that continue along `way`, a sequence of pick groups."""
        if begun.taken is not None and any(part.wide for part in way):
            return self._count_layout(begun.copies, begun.taken, way)
        stretches: dict[tuple[int, ...], int] = {}
        for part in way:
            forms = tuple(map(len, self._offer.items[part.column]))
            stretches[forms] = stretches.get(forms, 0) + part.cards
        return sequences(shape_of(list(stretches), begun.copies), tuple(stretches.values()))

    def _count_layout(self, stock: Sequence[int], taken: Collection[int], way: Way, without: int = -1) -> int:
        """Count the moves along `way`, a sequence of pick groups, after the places in `taken` were taken.

        They take more of the places that are open now, and then places of wide groups. If `without` is a place,
        one of the wide groups takes it, and only the other cards are counted.
        """
        main, further = (sum(part.cards for part in way if part.wide == wide) for wide in (False, True))
        lying = {kind for kind, copies in enumerate(stock) if copies} - {without}
        covers = [set(cover) - set(taken) for kind, cover in enumerate(self._offer.covers) if cover and kind != without]
        return layout_sequences(lying, [cover for cover in covers if cover <= lying], main, further - (without >= 0))

    def _has(self, kind: int, part: PickGroup, way: Way, rest: Way) -> bool:
        """True if some move along `way` takes a card of this kind in the pick group `part`.

        `rest` is the way with one card less in that group.
        """
        stock, covers = self._offer.copies, self._offer.covers
        if not covers or not part.wide:
            less = (*stock[:kind], stock[kind] - 1, *stock[kind + 1 :])
            begun = _Begun(less, (rest,), (kind,) if covers else None)
            return bool(stock[kind] and self._count_way(begun, rest))
        forced, main = covers[kind], sum(other.cards for other in way if not other.wide)
        if len(forced) > main or not all(stock[place] for place in forced):
            return False
        left = [0 if place in forced else copies for place, copies in enumerate(stock)]
        shorter = (PickGroup(0, 0, main - len(forced)), *(other for other in way if other.wide))
        return self._count_layout(left, forced, shorter, kind) > 0


def _after_one(ways: Sequence[Way]) -> dict[PickGroup, tuple[Way, ...]]:
    """Return what each way still takes after one card, by the pick group to which this card belongs.

    In the key, the number of cards of the group is 0.
    """
    following: dict[PickGroup, list[Way]] = {}
    for way in ways:
        if way:
            head = way[0]
            rest = way[1:] if head.cards == 1 else (head._replace(cards=head.cards - 1), *way[1:])
            following.setdefault(head._replace(cards=0), []).append(rest)
    return {head: tuple(rests) for head, rests in following.items()}


def _take(kind: int, stock: tuple[int, ...], ways: tuple[Way, ...], taken: tuple[int, ...] | None) -> _Begun:
    """Take one card of a kind, and return what is left to take."""
    rest = (*stock[:kind], stock[kind] - 1, *stock[kind + 1 :])
    return _Begun(rest, ways, None if taken is None else (*taken, kind))
