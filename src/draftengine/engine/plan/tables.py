"""Lookup tables for the kernel, made from the definitions of rules, plays and layouts."""

from __future__ import annotations

from functools import cache, cached_property
from math import prod
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from draftengine.engine.plan.base import UnsupportedError, cached_by_arguments
from draftengine.engine.plan.ranges import ranges_of
from draftengine.engine.program import OneSeatRule, RankedRule
from draftengine.jit.primitives import Computed
from draftengine.support.identity import by_identity
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from draftengine.engine.program import Program
    from draftengine.support.locale.phrases import Phrase

MOST_ENTRIES = 1 << 16
_MANY = said("slow.layout")
Table: TypeAlias = "tuple[int, ...] | Computed"


class RankedEntry(NamedTuple):
    """A table of the points of one seat in a ranking. Its index, the *key*, describes the seat's place."""

    told: tuple[str, ...]
    """The names of the numbers that are the digits of a key. The base is the number of seats plus one.

    ``above`` is the number of seats with a larger measure, and ``different`` the number of different measures of
    these seats. ``equal`` is the number of seats with the same measure, including the seat itself.
    """
    least: int
    """The threshold of the ranking. The lowest bit of the key says whether the seat reaches the threshold."""
    points: tuple[int, ...]


_TOLD = (("above", "equal"), ("different", "equal"), ("above", "different", "equal"))


class Tables:
    """The lookup tables of one game."""

    def __init__(self, program: Program, *, in_words: bool) -> None:
        """Prepare the tables.

        The entries of a table that is too large are computed on demand. With `in_words`, `UnsupportedError` is raised
        instead.
        """
        self.program = program
        self.in_words = in_words
        self._ranges = ranges_of(program)

    def check(self) -> None:
        """Create every table that the kernel reads. Raises `UnsupportedError` if a table is too large."""
        _ = self.rises
        if self.program.pieces_of_play:
            _ = self.pieces_of_play
        for index, rule in enumerate(self.program.rules):
            if isinstance(rule, OneSeatRule):
                self.points_of(index)
            else:
                self.ranking(index)
        for zone, spec in enumerate(self.program.zones):
            if spec.layout:
                self.covered(zone)

    def _table(self, size: int, entry: Callable[[int], int], too_large: Phrase) -> Table:
        if size <= MOST_ENTRIES:
            return tuple(map(entry, range(size)))
        if self.in_words:
            raise UnsupportedError(too_large)
        return Computed(entry)

    # ── plays ───────────────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def modifiers(self) -> tuple[int, ...]:
        """For each modifier, the mask of its open-slot counter. The order is that of the first use in a play."""
        return tuple(dict.fromkeys(bits for play in self.program.plays for bits in play.modifiers))

    @cached_property
    def rises(self) -> Table:
        """The change of the packed word by a play, by set of open modifiers (as bits) and play."""
        return self._by_open_modifiers(lambda play, opened: self.program.plays[play].increment_in(opened))

    @cached_property
    def pieces_of_play(self) -> Table:
        """The play that results in the tableau, by set of open modifiers (as bits) and play."""
        plays, pieces = self.program.plays, self.program.pieces_of_play
        return self._by_open_modifiers(lambda play, opened: pieces[play][plays[play].modifiers_used(opened)])

    @cached_by_arguments
    def used(self, bits: int) -> Table:
        """Return a table by set of open modifiers (as bits) and play: 1 if the play uses a certain modifier.

        `bits` is the `CounterField.field_mask` of that modifier's open-slot counter.
        """
        return self._by_open_modifiers(lambda play, opened: int(self.program.plays[play].uses(opened, bits)))

    def _by_open_modifiers(self, value: Callable[[int, int], int]) -> Table:
        """Return a table of values by set of open modifiers (bit *i* is the *i*-th of `modifiers`) and play.

        `value` gets the play, and a packed word in which these modifiers are open.
        """
        count = len(self.program.plays)

        def entry(key: int) -> int:
            opened, play = divmod(key, count)
            return value(play, sum(bits for index, bits in enumerate(self.modifiers) if opened >> index & 1))

        return self._table(count << len(self.modifiers), entry, said("slow.modifiers"))

    @cached_property
    def share_faces(self) -> bool:
        """True if any face belongs to several cards."""
        return len(set(self.program.face_of)) < len(self.program.face_of)

    @cached_property
    def alike(self) -> tuple[tuple[int, ...], ...]:
        """The groups of at least two cards that share a face."""
        faces: dict[int, list[int]] = {}
        for card, face in enumerate(self.program.face_of):
            faces.setdefault(face, []).append(card)
        return tuple(tuple(cards) for cards in faces.values() if len(cards) > 1)

    @cached_property
    def play_from_layout(self) -> tuple[int, ...]:
        """For each card, the play that it becomes when it is taken from a layout: its first form."""
        program = self.program
        return tuple(dict(program.options[options[0]].plays)[card] for card, options in enumerate(program.options_of))

    # ── rules ───────────────────────────────────────────────────────────────────────────────────────────────────────

    @cached_by_arguments
    def inputs_of(self, index: int) -> tuple[tuple[int, int], ...]:
        """Return, for each input of a rule that scores each seat alone, its lowest value and number of values."""
        rule = self.program.rules[index]
        assert isinstance(rule, OneSeatRule)
        range_of = self._ranges.stored_range if self.share_faces else self._ranges.range_of
        meanings = [self.program.meanings[value] for value in rule.inputs]
        return tuple((low, high - low + 1) for low, high in (range_of(each.names, each.expr) for each in meanings))

    @cached_by_arguments
    def points_of(self, index: int) -> Table:
        """Return the points of a rule that scores each seat alone, by all inputs; the last one varies fastest."""
        rule, bounds = self.program.rules[index], self.inputs_of(index)
        assert isinstance(rule, OneSeatRule)

        def entry(key: int) -> int:
            values = []
            for low, count in reversed(bounds):
                key, value = divmod(key, count)
                values.append(low + value)
            return rule.points(tuple(values[::-1]))

        size = prod(count for _, count in bounds)
        return self._table(size, entry, said("slow.rule", name=rule.model.id))

    @cached_by_arguments
    def has_threshold(self, index: int) -> bool:
        """True if a measure can be below the threshold of its ranking."""
        rule = self.program.rules[index]
        assert isinstance(rule, RankedRule)
        return self.lowest(index) < self.threshold(index)

    def lowest(self, index: int) -> int:
        """Return the lowest possible measure of a ranking."""
        rule = self.program.rules[index]
        assert isinstance(rule, RankedRule)
        meaning = self.program.meanings[rule.measure]
        return self._ranges.range_of(meaning.names, meaning.expr)[0]

    def threshold(self, index: int) -> int:
        """Return the lowest measure that a ranking takes into account."""
        rule = self.program.rules[index]
        assert isinstance(rule, RankedRule)
        return rule.numbers.threshold

    @cached_by_arguments
    def ranking(self, index: int) -> Table:
        """Return the table of the points or chips that a ranking gives a seat.

        A ranking depends only on which seats have more than which others, and which reach the threshold. Three numbers
        say this: a pattern, the number of seats that reach the threshold (0 without one), and the number of seats above
        the seat. In the pattern, bit *n* - 1 is set if any seat has *n* seats above it. An index combines the three
        numbers, with the pattern as the most significant part.
        """
        rule, seats, matters = self.program.rules[index], self.program.ranked, self.has_threshold(index)
        assert isinstance(rule, RankedRule)
        counts = seats + 1 if matters else 1
        lowest = self.threshold(index) if matters else self.lowest(index)

        @cache
        def points(pattern: int, enough: int) -> dict[int, int]:
            """Return a seat's points for each number of seats above it. See `ranking` for the arguments."""
            above = _above(pattern, seats)
            measures = tuple(lowest + enough - 1 - place for place in above)
            return dict(zip(above, rule.points(measures), strict=False))

        def entry(key: int) -> int:
            key, above = divmod(key, seats)
            pattern, enough = divmod(key, counts)
            return points(pattern, enough if matters else seats).get(above, 0)

        return self._table(counts * seats << seats - 1, entry, said("slow.seats"))

    @cached_by_arguments
    def most_given(self, index: int) -> int:
        """Return the most points (or chips) that a ranking can give to all seats together.

        Returns `MOST_ENTRIES` if the seats have too many possible orders to try them all.
        """
        rule, seats = self.program.rules[index], self.program.ranked
        assert isinstance(rule, RankedRule)
        if isinstance(self.ranking(index), Computed):  # too many orders of the seats to try
            return MOST_ENTRIES
        return max(sum(map(abs, rule.points(measures)[:seats])) for measures in self._orders(index))

    def looks_at_places(self, index: int) -> bool:
        """True if a seat's points from a ranking depend only on the place of that seat."""
        return self._by_place(index) is not None

    def of_one(self, index: int) -> RankedEntry:
        """Return the points of one seat in a ranking for which `looks_at_places` is true."""
        result = self._by_place(index)
        assert result is not None
        return result

    @cached_by_arguments
    def _by_place(self, index: int) -> RankedEntry | None:
        if isinstance(self.ranking(index), Computed):  # too many orders of the seats to try
            return None
        return next(filter(None, (self._of_one(index, relations) for relations in _TOLD)), None)

    def _of_one(self, index: int, relations: tuple[str, ...]) -> RankedEntry | None:
        rule, count = self.program.rules[index], self.program.ranked
        assert isinstance(rule, RankedRule)
        least, known = self.threshold(index), dict[int, int]()
        for measures in self._orders(index):
            for measure, points in zip(measures, rule.points(measures)[:count], strict=True):
                more = [other for other in measures if other > measure]
                digits = {"above": len(more), "different": len(set(more)), "equal": measures.count(measure)}
                key = 0
                for name in relations:
                    key = key * (count + 1) + digits[name]
                if known.setdefault(key * 2 + (measure >= least), points) != points:
                    return None
        return RankedEntry(
            relations, least, tuple(known.get(key, 0) for key in range(2 * (count + 1) ** len(relations)))
        )

    def _orders(self, index: int) -> Iterator[tuple[int, ...]]:
        """Yield measures of all ranked seats, largest first, for every pattern of ties and thresholds."""
        seats, matters = self.program.ranked, self.has_threshold(index)
        lowest = self.threshold(index) if matters else self.lowest(index)
        for pattern in range(1 << seats - 1):
            above = _above(pattern, seats)
            for enough in {*above, seats} if matters else {seats}:
                yield tuple(lowest + enough - 1 - place for place in above)

    # ── layouts ─────────────────────────────────────────────────────────────────────────────────────────────────────

    @cached_by_arguments
    def covered(self, zone: int) -> tuple[int, Table, Table]:
        """Return the number of places in the lower half of a layout, and a table for each half.

        The index of a table is the set of occupied places in its half, as bits. Its entry is the set of places that
        these places cover, as bits.
        """
        covers = self.program.covered_by[zone]
        half = (len(covers) + 1) // 2
        low = self._table(1 << half, lambda lying: self._under(covers, lying), _MANY)
        high = self._table(1 << len(covers) - half, lambda lying: self._under(covers, lying << half), _MANY)
        return half, low, high

    @staticmethod
    def _under(covers: tuple[tuple[int, ...], ...], lying: int) -> int:
        return sum(1 << index for index, over in enumerate(covers) if any(lying >> place & 1 for place in over))

    @cached_by_arguments
    def face_down(self, zone: int) -> int:
        """Return the places of a layout that begin face down, as bits."""
        return sum(1 << index for index, place in enumerate(self.program.zones[zone].layout) if place.face_down)


@by_identity(8)
def tables_of(program: Program, *, in_words: bool) -> Tables:
    """Return the tables of a game, which all its plans share."""
    return Tables(program, in_words=in_words)


def _above(pattern: int, seats: int) -> list[int]:
    """Return, seat by seat in the order of the ranking, the number of seats above.

    That is the position of the last set bit in the pattern, among the bits up to the seat.
    """
    return [max(first for first in range(seat + 1) if first == 0 or pattern >> first - 1 & 1) for seat in range(seats)]
