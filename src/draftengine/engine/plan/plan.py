"""What is known of a game before it starts, put together: who chooses how, what is watched, and how large a state is.

What formulas mean, what gives points, where cards lie, and what players take, each stands in a module of its own below.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from draftengine.engine import cards, choose, control
from draftengine.engine.chance import PURPOSES, mix
from draftengine.engine.plan.base import cached_by_arguments
from draftengine.engine.plan.belief_layout import BeliefLayout
from draftengine.engine.plan.choices import ChoicePlan
from draftengine.engine.plan.items import Items
from draftengine.engine.plan.limits import LANES, MOST_WILD, UnsupportedError
from draftengine.engine.plan.observations import ObservationLayout
from draftengine.engine.plan.shortlist import WIDTH
from draftengine.jit.struct_type import PACKED
from draftengine.model.language.evaluate import references

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.plan.observations import ObservationSpec
    from draftengine.engine.program import Program

PURPOSE = {name: mix(number) for name, number in PURPOSES.items()}
"""What the streams of a game differ by."""
RANDOM, GREEDY, TABLE, PLAYOUT = range(4)
POLICIES = {"random": RANDOM, "greedy": GREEDY, "table": TABLE, "playout": PLAYOUT}
"""How seats choose; ``playout`` is ``table`` with exploring (see `draftengine.engine.worth_tables.EXPLORE`)."""


class Plan(ChoicePlan):
    """A compiled card set, seen as the kernel needs it. Everything here is known before a game begins."""

    ends_with_rounds = False
    """Can play end where a round does (see `StateRecord.stops_at_round_end`)."""

    def __init__(
        self,
        program: Program,
        policies: Sequence[str],
        *,
        stopping: bool = False,
        logged: bool = False,
        learning: bool = False,
        numbers: ObservationSpec | None = None,
        in_words: bool = True,
    ) -> None:
        """`in_words`: what does not fit into words and small tables is refused, because machine code has no others."""
        super().__init__(program, observed=numbers is not None, logged=logged, in_words=in_words)
        self.policies = tuple(POLICIES[name] for name in policies)
        self.stopping = stopping
        self.learning = learning
        self.numbers = numbers
        self.endless = self.observed
        """Is the next game dealt when one is over."""
        self.all_choose_at_random = set(self.policies) == {RANDOM}
        self.most_logged = max(self.most_passes * program.seats * 4, self.most_played) + 64
        self.lists = self.observed or any(policy != RANDOM for policy in self.policies)
        if in_words and any(isinstance(step, choose.Choice) and len(step.actions) > LANES for step in program.code):
            raise UnsupportedError(f"there are more than {LANES} ways to choose")
        if in_words and len(self.wild) > MOST_WILD:
            raise UnsupportedError("there are too many wild cards")
        self.tables.check()
        if self.observed:
            self.views  # noqa: B018 (it refuses what cannot be shown)
        if self.lists:
            self.items  # noqa: B018 (it refuses what cannot be compared)

    @cached_property
    def reads_previous_words(self) -> bool:
        """Does anything ask for the counters as they were when the last cards were chosen."""
        return self.asks_gained or any(isinstance(step, choose.Choice) and step.offer for step in self.program.code)

    @cached_property
    def sights(self) -> BeliefLayout:
        """Where what seats know is counted."""
        return BeliefLayout(self)

    @cached_property
    def views(self) -> ObservationLayout:
        """What is shown of games that are observed."""
        assert self.numbers is not None
        return ObservationLayout(self, self.numbers)

    @cached_property
    def items(self) -> Items:
        """What players name in moves that are compared."""
        return Items(self)

    def draws_places(self, step: choose.Choice) -> bool:
        """Does chance draw places of the hands, all at once (see `draftengine.engine.playout`)."""
        return step.asked and step.ordinary and step.keeps_even and self.all_choose_at_random and not self.stopping

    @cached_property
    def by_fours(self) -> list[range]:
        """The players, four of whom share a word of chance."""
        return [self.players[start : start + 4] for start in range(0, len(self.players), 4)]

    @cached_by_arguments
    def directions(self, step: cards.Pass) -> tuple[int, ...]:
        """Every direction in which cards are passed."""
        return tuple(sorted({step.direction(number) for number in range(1, self.rounds + 1)}))

    @cached_by_arguments
    def rounds_to_the_left(self, step: cards.Pass) -> int:
        """The rounds in which cards are passed to the left, as bits."""
        return sum(1 << number for number in range(1, self.rounds + 1) if step.direction(number) == 1)

    @cached_property
    def most_depth(self) -> int:
        """How many repetitions can be around another one."""
        return max((step.depth for step in self.program.code if isinstance(step, control.StartTurns)), default=0)

    def seen_as(self, seat: int, other: int) -> int:
        """What a seat is to a player that sees itself as player 0."""
        return (other - seat) % len(self.players) if other in self.players else other

    @cached_by_arguments
    def seen_lots(self, step: choose.Choice, seat: int) -> tuple[tuple[int, int], ...]:
        """The zones and owners whose numbers of cards a player may need to know: its own, and what formulas count."""
        counted = {
            self.program.zone_index(zone)
            for meaning in self.program.meanings.values()
            for what, zone in references(meaning.expr)
            if what == "cards"
        }
        lots = [(zone, owner) for zone, owner in self.lots if zone in counted]
        source = (step.source, 0 if self.has_equal_sizes(step.source) else seat)
        return tuple(dict.fromkeys([*lots, source]))

    def compared(self, step: choose.Choice) -> range:
        """The seats whose counters before have to be those of now while the moves of a choice are compared."""
        return self.seats if self.asks_gained and (step.plays or step.actions) else range(0)

    def touched(self, seat: int) -> tuple[int, ...]:
        """The seats whose counters a card that is laid down alone can change."""
        shared = any(field.shared for field in self.program.fields)
        return tuple(self.seats) if shared or self.items.by_triggers else (seat,)

    @cached_property
    def sizes(self) -> dict[str, int]:
        """How many there are in every dimension of the state."""
        self._heaps  # noqa: B018 (it finds out how many cards lie there)
        layouts = [zone.layout for zone in self.program.zones if zone.layout]
        return {
            "depth": self.most_depth,
            "seat": len(self.seats),
            PACKED: self._words_of_counters(),
            "player": len(self.players),
            "marker": len(self.markers),
            "hand": len(self.hands),
            "lot": len(self.lots),
            "layout": len(layouts),
            "pile": len(self.piles),
            "pick": len(self.players) * self.picks,
            "heap": self.heap_size,
            "row": sum(map(len, layouts)),
            "chip": self.first_chip(len(self.piles)),
            "points": len(self.sources) * len(self.seats),
            "log": self.most_logged if self.logged else 0,
            "move": self.items.most if self.lists else 0,
            "item": self.items.named * self.items.takers if self.lists else 0,
            "taker": self.items.takers if self.lists else 0,
            "kind_or_place": self.items.named if self.lists else 0,
            "begun": WIDTH + self.items.most_whole if self.lists else 0,
            "lesson": 3 * self.most_chosen if self.learning else 0,
            "rule": len(self.program.rules) if self.lists else 0,
            **self._sizes_of_views(),
        }

    def _words_of_counters(self) -> int:
        """So many words of 64 bits the packed counters of a seat need, the last one with a sign."""
        return max((field.shift + field.mask.bit_length() for field in self.program.fields), default=0) // 64 + 1

    def _sizes_of_views(self) -> dict[str, int]:
        """The lengths of the rows that are there only where games are observed, by dimension."""
        if not self.observed:
            return dict.fromkeys(("result", "shelf", "watched", "chips", "known", "image", "column"), 0)
        return {
            "result": len(self.seats),
            "shelf": len(self.sights.travelling),
            "watched": len(self.seats),
            "chips": len(self.piles) * len(self.seats),
            "known": self.sights.size,
            "image": self.views.image_size,
            "column": self.sights.columns,
        }
