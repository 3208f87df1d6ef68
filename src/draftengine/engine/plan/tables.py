"""Tables that the definitions of rules, plays and layouts make, by what the kernel looks them up with."""

from __future__ import annotations

from functools import cache, cached_property
from math import prod
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from draftengine.engine.plan.base import cached_by_arguments
from draftengine.engine.plan.limits import UnsupportedError
from draftengine.engine.program import OneSeatRule, RankedRule
from draftengine.jit.primitives import Computed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from draftengine.engine.program import Program, Value

MOST_ENTRIES = 1 << 16
_MANY = "a layout has too many places"
Table: TypeAlias = "tuple[int, ...] | Computed"


class RankedEntry(NamedTuple):
    """The points of one ranked seat, by what is known of its place."""

    told: tuple[str, ...]
    """Of how many have more (``above``), how many different measures these are (``different``), and how many have as
    much (``equal``): what is needed, each a digit to the base of one more than the seats."""
    least: int
    """Whether it has so much is the last digit, to the base two."""
    points: tuple[int, ...]


_TOLD = (("above", "equal"), ("different", "equal"), ("above", "different", "equal"))


class Tables:
    """The tables of one game."""

    def __init__(
        self,
        program: Program,
        range_of: Callable[[Value], tuple[int, int]],
        *,
        in_words: bool,
    ) -> None:
        """With what is proved of formulas.

        `in_words`: what needs too large a table is refused; otherwise its entries are computed when they are asked for.
        """
        self.program = program
        self.in_words = in_words
        self.range_of = range_of

    def check(self) -> None:
        """Make every table that the kernel looks up. Raises `UnsupportedError`."""
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

    def _table(self, size: int, entry: Callable[[int], int], too_large: str) -> Table:
        if size <= MOST_ENTRIES:
            return tuple(map(entry, range(size)))
        if self.in_words:
            raise UnsupportedError(too_large)
        return Computed(entry)

    # ── plays ───────────────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def modifiers(self) -> tuple[int, ...]:
        """The bits of every open-counter."""
        return tuple(dict.fromkeys(bits for play in self.program.plays for bits in play.modifiers))

    @cached_property
    def rises(self) -> Table:
        """What a play adds to the counters, by the modifiers that are open (bit *i* = the *i*-th) and the play."""
        plays = self.program.plays

        def entry(key: int) -> int:
            opened, play = divmod(key, len(plays))
            return plays[play].increment_in(self._open_word(opened))

        return self._table(len(plays) << len(self.modifiers), entry, "there are too many modifiers")

    @cached_property
    def pieces_of_play(self) -> Table:
        """As what a play lies, likewise."""
        plays, count = self.program.plays, len(self.program.plays)

        def entry(key: int) -> int:
            opened, play = divmod(key, count)
            return self.program.pieces_of_play[play][plays[play].modifiers_used(self._open_word(opened))]

        return self._table(count << len(self.modifiers), entry, "there are too many modifiers")

    @cached_by_arguments
    def used(self, bits: int) -> Table:
        """Does a play use up a modifier, by the `CounterField.field_mask` of its open-counter, likewise."""
        plays, count = self.program.plays, len(self.program.plays)

        def entry(key: int) -> int:
            opened, play = divmod(key, count)
            return int(plays[play].uses(self._open_word(opened), bits))

        return self._table(count << len(self.modifiers), entry, "there are too many modifiers")

    def _open_word(self, opened: int) -> int:
        """A packed word in which some modifiers are open (bit *i* = the *i*-th)."""
        return sum(bits for index, bits in enumerate(self.modifiers) if opened >> index & 1)

    @cached_property
    def share_faces(self) -> bool:
        """Are there cards that look like others."""
        return len(set(self.program.face_of)) < len(self.program.face_of)

    @cached_property
    def alike(self) -> tuple[tuple[int, ...], ...]:
        """Cards that look alike, face by face, where several do."""
        faces: dict[int, list[int]] = {}
        for card, face in enumerate(self.program.face_of):
            faces.setdefault(face, []).append(card)
        return tuple(tuple(cards) for cards in faces.values() if len(cards) > 1)

    @cached_property
    def play_from_layout(self) -> tuple[int, ...]:
        """What a card of a layout is played as: in its first form."""
        program = self.program
        return tuple(dict(program.options[options[0]].plays)[card] for card, options in enumerate(program.options_of))

    # ── rules ───────────────────────────────────────────────────────────────────────────────────────────────────────

    @cached_by_arguments
    def inputs_of(self, index: int) -> tuple[tuple[int, int], ...]:
        """The lowest value of every input of a rule on a seat's own values, and how many there are."""
        rule = self.program.rules[index]
        assert isinstance(rule, OneSeatRule)
        return tuple((low, high - low + 1) for low, high in map(self.range_of, rule.inputs))

    @cached_by_arguments
    def points_of(self, index: int) -> Table:
        """The points of such a rule by all its inputs."""
        rule, bounds = self.program.rules[index], self.inputs_of(index)
        assert isinstance(rule, OneSeatRule)

        def entry(key: int) -> int:
            values = []
            for low, count in reversed(bounds):
                key, value = divmod(key, count)
                values.append(low + value)
            return rule.points(tuple(values[::-1]))

        size = prod(count for _, count in bounds)
        return self._table(size, entry, f"the rule {rule.model.id} looks at too much at once")

    @cached_by_arguments
    def has_threshold(self, index: int) -> bool:
        """Can a measure be too small for a ranking to look at it."""
        rule = self.program.rules[index]
        assert isinstance(rule, RankedRule)
        return self.lowest(index) < self.threshold(index)

    def lowest(self, index: int) -> int:
        """The lowest measure that there can be."""
        rule = self.program.rules[index]
        assert isinstance(rule, RankedRule)
        return self.range_of(rule.measure)[0]

    def threshold(self, index: int) -> int:
        """The least measure that a ranking looks at."""
        rule = self.program.rules[index]
        assert isinstance(rule, RankedRule)
        return rule.numbers.threshold

    @cached_by_arguments
    def ranking(self, index: int) -> Table:
        """What a ranking gives a seat: by the pattern of all seats, how many have enough, and how many are above it.

        In the pattern, bit *n* - 1 tells whether any seat has *n* above it. Only who has more than whom matters to a
        ranking, and who has enough, and that is all told by these three numbers.
        """
        rule, seats, matters = self.program.rules[index], self.program.ranked, self.has_threshold(index)
        assert isinstance(rule, RankedRule)
        counts = seats + 1 if matters else 1
        lowest = self.threshold(index) if matters else self.lowest(index)

        @cache
        def points(pattern: int, enough: int) -> dict[int, int]:
            """By how many are above."""
            above = _above(pattern, seats)
            measures = tuple(lowest + enough - 1 - place for place in above)
            return dict(zip(above, rule.points(measures), strict=False))

        def entry(key: int) -> int:
            key, above = divmod(key, seats)
            pattern, enough = divmod(key, counts)
            return points(pattern, enough if matters else seats).get(above, 0)

        return self._table(counts * seats << seats - 1, entry, "too many seats are ranked")

    @cached_by_arguments
    def most_given(self, index: int) -> int:
        """How many points (or chips) a ranking that takes none away gives at most, to all seats together."""
        rule, seats = self.program.rules[index], self.program.ranked
        assert isinstance(rule, RankedRule)
        if isinstance(self.ranking(index), Computed):  # there are too many orders to go through
            return MOST_ENTRIES
        return max(sum(map(abs, rule.points(measures)[:seats])) for measures in self._orders(index))

    def looks_at_places(self, index: int) -> bool:
        """Is what a ranking gives a seat told by that seat's place alone."""
        return self._by_place(index) is not None

    def of_one(self, index: int) -> RankedEntry:
        """What such a ranking gives one seat."""
        result = self._by_place(index)
        assert result is not None
        return result

    @cached_by_arguments
    def _by_place(self, index: int) -> RankedEntry | None:
        if isinstance(self.ranking(index), Computed):  # there are too many orders to go through
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
        """Measures of all ranked seats, the largest first: every way to be equal, and to have enough."""
        seats, matters = self.program.ranked, self.has_threshold(index)
        lowest = self.threshold(index) if matters else self.lowest(index)
        for pattern in range(1 << seats - 1):
            above = _above(pattern, seats)
            for enough in {*above, seats} if matters else {seats}:
                yield tuple(lowest + enough - 1 - place for place in above)

    # ── layouts ─────────────────────────────────────────────────────────────────────────────────────────────────────

    @cached_by_arguments
    def covered(self, zone: int) -> tuple[int, Table, Table]:
        """How many places are the lower half; the places covered by what lies in it, and in the upper half, as bits."""
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
        """The places of a layout that begin face down, as bits."""
        return sum(1 << index for index, place in enumerate(self.program.zones[zone].layout) if place.face_down)


def _above(pattern: int, seats: int) -> list[int]:
    """How many are above each seat, in order: as many as there are up to the last bit of the pattern that is set."""
    return [max(first for first in range(seat + 1) if first == 0 or pattern >> first - 1 & 1) for seat in range(seats)]
