"""Where cards lie: what has to be kept of a zone, as a list or as lanes of a word, and what is counted of it."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from draftengine.engine import cards, choose, control
from draftengine.engine.plan.base import cached_by_arguments
from draftengine.engine.plan.limits import LANES
from draftengine.engine.plan.scoring import ScoringPlan
from draftengine.model.flow import flow_bounds as plan_of_flow
from draftengine.model.language.evaluate import references

if TYPE_CHECKING:
    from draftengine.engine.program import Program


class ZonePlan(ScoringPlan):
    """The zones of a game. Where it is `observed` what seats know of them, all of them are kept."""

    def __init__(self, program: Program, *, observed: bool, logged: bool, in_words: bool) -> None:
        super().__init__(program, logged=logged, in_words=in_words)
        self.observed = observed
        """Is it followed what seats know of where cards lie."""
        self.flow = plan_of_flow(program.model, program.players)
        self.bits = max((max(len(program.cards), len(program.plays)) - 1).bit_length(), 1)
        self.mask = (1 << self.bits) - 1
        self.ones = sum(1 << self.bits * index for index in range(LANES // self.bits))

    def owners(self, zone: int) -> range:
        """Who has cards of their own in a zone; a shared zone has the owner 0."""
        if self.program.zones[zone].per != "seat":
            return range(1)
        return self.players if self.has_equal_sizes(zone) else self.seats

    def owner(self, zone: int, seat: int) -> int:
        """The owner of a seat's cards in a zone, or of the copy from which it takes cards."""
        return seat if zone < 0 or self.program.zones[zone].per == "seat" else 0

    def layout(self, zone: int) -> int:
        """The number of a zone with places among those that have some."""
        return [other for other in self.zones if self.program.zones[other].layout].index(zone)

    def first_place(self, zone: int) -> int:
        """Where the places of a layout begin."""
        return sum(len(earlier.layout) for earlier in self.program.zones[:zone])

    @cached_by_arguments
    def is_stored(self, zone: int) -> bool:
        """Is it ever asked what lies in a zone. What only lies there needs no room."""
        if self.program.zones[zone].layout:
            return False
        if self.observed or any(
            (what, self.program.zones[zone].id) in references(meaning.expr)
            for meaning in self.program.meanings.values()
            for what in ("cards", "among")
        ):
            return True
        if zone in self.counting:
            return self.program.cards_count_elsewhere or self._tableau_is_read
        for step in self.program.code:
            match step:
                case cards.Deal() | cards.MoveAll() | choose.Choice() | choose.PlayAll() if step.source == zone:
                    return True
                case cards.Pass() | cards.Shuffle() | control.NextTurn() if step.zone == zone:
                    return True
                case _:
                    pass
        return False

    @cached_property
    def _tableau_is_read(self) -> bool:
        program = self.program
        clears = any(isinstance(step, cards.Clear) for step in program.code)
        gathers = any(isinstance(step, cards.Gather) for step in program.code)
        return (
            bool(clears and self.is_stored(self.discard))
            or choose.tableaus_lose_cards(program)
            or bool(program.pieces_of_play)
            or bool(gathers and program.kept_plays)
            or bool((clears or gathers) and program.mixed)
        )

    @cached_by_arguments
    def capacity(self, zone: int) -> int:
        """How many cards an owner can have there at most."""
        spec = self.program.zones[zone]
        if zone == self.tableau:
            return len(self.program.deck)
        if spec.per == "table":
            return len(self.program.deck)
        return min(max(dict(self.flow.sizes)[spec.id], default=0) + 2, len(self.program.deck))

    @cached_by_arguments
    def is_lanes(self, zone: int) -> bool:
        """Do the cards of an owner lie in one word."""
        small = self.capacity(zone) * self.bits <= LANES
        return self.is_stored(zone) and zone not in self.counting and self.program.zones[zone].per == "seat" and small

    @cached_by_arguments
    def is_heap(self, zone: int) -> bool:
        """Are they a list of their own."""
        return self.is_stored(zone) and not self.is_lanes(zone)

    # ── words and lists ──

    @cached_property
    def hands(self) -> list[tuple[int, int]]:
        """Every word of lanes: its zone and owner. Players choose from the copies that stand behind (see `stock`)."""
        lanes = [(zone, owner) for zone in self.zones if self.is_lanes(zone) for owner in self.owners(zone)]
        return lanes + [(~zone, seat) for zone in self.zones if self.is_lanes(zone) for seat in self.players]

    @cached_by_arguments
    def hand(self, zone: int, owner: int) -> int:
        """Which word has the cards of an owner."""
        return self.hands.index((zone, owner))

    @cached_property
    def _heaps(self) -> dict[tuple[int, int], int]:
        starts: dict[tuple[int, int], int] = {}
        start = 0
        for zone in self.zones:
            if self.is_heap(zone):
                for key in [(zone, owner) for owner in self.owners(zone)] + self._stocks(zone):
                    starts[key] = start
                    start += self.capacity(zone)
        self.heap_size = start
        return starts

    def _stocks(self, zone: int) -> list[tuple[int, int]]:
        """The copies of a zone from which players take cards, if they choose from it."""
        shared = self.program.zones[zone].per == "table"
        if shared and not any(isinstance(step, choose.Choice) and step.source == zone for step in self.program.code):
            return []
        return [(~zone, seat) for seat in self.players]

    @cached_by_arguments
    def first(self, zone: int, owner: int) -> int:
        """Where the list of an owner begins."""
        return self._heaps[zone, self.owner(zone, owner)]

    # ── how many ──

    def has_equal_sizes(self, zone: int) -> bool:
        """Do all players always hold equally many cards there, and nobody else any."""
        return zone in self._even

    @cached_property
    def _even(self) -> frozenset[int]:
        even = frozenset(zone for zone in self.zones if self.is_lanes(zone))
        while True:
            staying = frozenset(zone for zone in even if self._stays_even(zone, even))
            if staying == even:
                return even
            even = staying

    def _stays_even(self, zone: int, even: frozenset[int]) -> bool:
        """Does no step make a difference between players, if none does in the `even` zones."""
        shared = [other for other in self.zones if self.program.zones[other].per != "seat"]
        for step in self.program.code:
            match step:
                case cards.Deal() if zone in (step.source, step.target):
                    if step.marker >= 0 or step.who or not step.exact or step.source not in {*shared, *even}:
                        return False
                case cards.MoveAll() | choose.PlayAll() if step.who is not None or (
                    zone == step.target and step.source not in even
                ):
                    if zone in (step.source, step.target):
                        return False
                case choose.Choice() if step.actions and zone in (
                    step.source,
                    *(way.laying.target for way in step.actions),
                ):
                    return False
                case choose.Choice() if zone in (step.source, step.target):
                    alike = not (step.marker >= 0 or step.who or step.also or step.layout)
                    if not alike or not step.keeps_even or step.source not in even:
                        return False
                    if not step.offer and self.always(step.cards) is None:
                        return False
                case _:
                    pass
        return True

    @cached_property
    def lots(self) -> list[tuple[int, int]]:
        """Every number of cards that is counted: its zone and owner."""
        lots = [(zone, owner) for zone in self.zones if self.is_stored(zone) for owner in self._counted(zone)]
        return lots + [key for zone in self.zones if self.is_stored(zone) for key in self._stocks(zone)]

    def _counted(self, zone: int) -> range:
        return range(1) if self.has_equal_sizes(zone) else self.owners(zone)

    @cached_by_arguments
    def size_index(self, zone: int, owner: int) -> int:
        """Which number counts the cards of an owner: one for all, where all hold equally many."""
        return self.lots.index((zone, 0 if zone >= 0 and self.has_equal_sizes(zone) else self.owner(zone, owner)))

    @cached_by_arguments
    def lots_of(self, zone: int) -> tuple[int, ...]:
        """The numbers that count the cards of a zone."""
        return tuple(dict.fromkeys(self.size_index(zone, owner) for owner in self.owners(zone)))

    @cached_property
    def looked_into(self) -> tuple[int, ...]:
        """The zones whose cards matter one by one: to formulas, or because a card that may leave can be a piece."""
        pieces = {self.tableau} if self.program.pieces_of_play else set[int]()
        return tuple(sorted(self.program.inspected_zones | pieces))

    # ── what matters ──

    @cached_by_arguments
    def irrelevant_cards(self, zone: int) -> int:
        """How many cards of a pile cannot matter until it is made anew, and need no shuffling; 0 if that is unclear."""
        program, code = self.program, self.program.code
        shuffled = [index for index, step in enumerate(code) if isinstance(step, cards.Shuffle) and step.zone == zone]
        deals = [step for step in code if isinstance(step, cards.Deal) and step.source == zone]
        moved = any(isinstance(step, cards.MoveAll) and zone in (step.source, step.target) for step in code)
        chosen = any(isinstance(step, choose.Choice | choose.PlayAll) and step.source == zone for step in code)
        counted = any(
            what in {"cards", "among"} for meaning in program.meanings.values() for what, _ in references(meaning.expr)
        )
        drawn = [self.always(step.cards) for step in deals]
        until = max([*shuffled, *map(code.index, deals)], default=0)
        nested = any(isinstance(step, control.SkipUnless | control.NextTurn) for step in code[:until])
        if (
            len(program.initial_cards) != 1
            or len(shuffled) != 1
            or moved
            or chosen
            or counted
            or nested
            or None in drawn
        ):
            return 0
        if any(program.zones[zone].per == "seat" or step.marker >= 0 or step.who or step.admits for step in deals):
            return 0
        owners = [len(self.players) if program.zones[step.target].per == "seat" else 1 for step in deals]
        most = sum(count * times for count, times in zip(drawn, owners, strict=True) if count is not None)
        before = code[shuffled[0] - 1]
        if isinstance(before, cards.Gather) and before.target == zone:
            return max(0, len(program.deck) - most) if not program.kept_plays else 0
        again = any(isinstance(step, control.StartRound) for step in code[: shuffled[0]])
        return max(0, len(program.deck) - most * self.rounds) if not again else 0
