"""Zones of a game: how the state record stores their cards and their numbers of cards.

A *packed zone* stores the cards of an owner in one word, and a *card array* stores them in a part of a list. Zones that
no step or formula reads are not stored. Players who take several cards draw from a copy of a zone, which has the number
``~zone``.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from draftengine.engine import choose
from draftengine.engine.instructions import (
    Clear,
    Deal,
    Flip,
    Gather,
    MoveAll,
    NextTurn,
    Pass,
    Shuffle,
    SkipUnless,
    StartRound,
)
from draftengine.engine.plan.base import LANES, NOTHING, cached_by_arguments
from draftengine.engine.plan.formulas import ScoringPlan
from draftengine.model.flow import flow_bounds as plan_of_flow
from draftengine.model.language.builtins import BUILTINS, HAS, LYING, ZoneAggregate
from draftengine.model.language.evaluate import functions_in, references
from draftengine.model.language.tree import Call, Name, nodes_in
from draftengine.support.identity import IdentityKey

if TYPE_CHECKING:
    from draftengine.engine.program import Program
    from draftengine.model.language.tree import Expr


class ZonePlan(ScoringPlan):
    """The part of a plan that is about zones. If beliefs are kept, all zones except layouts are stored."""

    begins_with_deals = True
    """True if every game is played from its deal on, so that the kernel sees each card come to its zone."""

    def __init__(self, program: Program, *, observed: bool, logged: bool, in_words: bool) -> None:
        super().__init__(program, logged=logged, in_words=in_words)
        self.observed = observed
        """True if beliefs are kept: what seats know about the places of cards."""
        self.flow = plan_of_flow(program.model, program.players)
        self.mask = (1 << self.bits) - 1
        self.ones = sum(1 << self.bits * index for index in range(LANES // self.bits))

    def owners(self, zone: int) -> range:
        """Return the owners of cards in a zone. A shared zone has only the owner 0."""
        if self.program.zones[zone].per != "seat":
            return range(1)
        return self.players if self.has_equal_sizes(zone) else self.seats

    def owner(self, zone: int, seat: int) -> int:
        """Return the owner of a seat's cards in a zone, or in a copy of the zone: the seat, or 0 if shared."""
        return seat if zone < 0 or self.program.zones[zone].per == "seat" else 0

    def layout(self, zone: int) -> int:
        """Return the index of a layout among all layouts."""
        return [other for other in self.zones if self.program.zones[other].layout].index(zone)

    def first_place(self, zone: int) -> int:
        """Return the index of a layout's first place among the places of all layouts."""
        return sum(len(earlier.layout) for earlier in self.program.zones[:zone])

    @cached_by_arguments
    def is_stored(self, zone: int) -> bool:
        """True if the record stores the cards of a zone, because something reads them.

        Layouts are stored separately.
        """
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
                case Deal() | MoveAll() | choose.Choice() | choose.PlayAll() if zone in getattr(
                    step, "sources", (step.source,)
                ):
                    return True
                case Pass() | Shuffle() | NextTurn() | Flip() if step.zone == zone:
                    return True
                case _:
                    pass
        return False

    @cached_property
    def _tableau_is_read(self) -> bool:
        program = self.program
        clears = any(isinstance(step, Clear) for step in program.code)
        gathers = any(isinstance(step, Gather) for step in program.code)
        return (
            bool(clears and self.is_stored(self.discard))
            or choose.tableaus_lose_cards(program)
            or bool(program.pieces_of_play)
            or bool(gathers and program.kept_plays)
            or bool((clears or gathers) and program.mixed)
        )

    @cached_by_arguments
    def capacity(self, zone: int) -> int:
        """Return the largest number of cards that an owner can have in a zone."""
        spec = self.program.zones[zone]
        if zone == self.tableau:
            return len(self.program.deck)
        if spec.per == "table":
            return len(self.program.deck)
        return min(max(dict(self.flow.sizes)[spec.id], default=0) + 2, len(self.program.deck))

    @cached_by_arguments
    def is_lanes(self, zone: int) -> bool:
        """True if one word holds all cards of an owner in the zone."""
        small = self.capacity(zone) * self.bits <= LANES
        return self.is_stored(zone) and zone not in self.counting and self.program.zones[zone].per == "seat" and small

    @cached_by_arguments
    def is_heap(self, zone: int) -> bool:
        """True if a card array holds the cards of an owner in the zone."""
        return self.is_stored(zone) and not self.is_lanes(zone) and not self._only_gauges_read(zone)

    @cached_by_arguments
    def deals_one_or_none(self, step: Deal) -> bool:
        """True if a step sometimes deals one card, sometimes none, between zones whose cards are arrays."""
        heaps = self.is_heap(step.source) and self.is_heap(step.target) and not self.keeps_gauges(step.target)
        return self.in_words and heaps and self.range_of(step.cards)[1] == 1 and self.always(step.cards) is None

    # ── words and lists ──

    @cached_property
    def hands(self) -> list[tuple[int, int]]:
        """Every packed zone as (zone, owner), followed by the copies from which players draw."""
        lanes = [(zone, owner) for zone in self.zones if self.is_lanes(zone) for owner in self.owners(zone)]
        return lanes + [(~zone, seat) for zone in self.zones if self.is_lanes(zone) for seat in self.players]

    @cached_by_arguments
    def hand(self, zone: int, owner: int) -> int:
        """Return the index of an owner's packed zone in `hands`."""
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
        """Return the copies of a zone from which players draw, one per player.

        A shared zone has none unless a choice takes cards from it.
        """
        if self.program.zones[zone].per == "table" and not any(
            zone in getattr(step, "sources", (step.source,))
            for step in self.program.code
            if isinstance(step, choose.Choice | choose.PlayAll)
        ):
            return []
        return [(~zone, seat) for seat in self.players]

    @cached_by_arguments
    def first(self, zone: int, owner: int) -> int:
        """Return the index in `StateRecord.card_array` at which an owner's cards begin."""
        return self._heaps[zone, self.owner(zone, owner)]

    # ── how many ──

    def has_equal_sizes(self, zone: int) -> bool:
        """True if all players always hold equally many cards in a zone, and extra seats hold none."""
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
        """True if no step can make players have different numbers of cards in `zone`.

        Players are assumed to have equal numbers of cards in each zone of `even`.
        """
        shared = [other for other in self.zones if self.program.zones[other].per != "seat"]
        for step in self.program.code:
            match step:
                case Deal() if zone in (step.source, step.target):
                    if step.marker >= 0 or step.who or not step.exact or step.source not in {*shared, *even}:
                        return False
                case MoveAll() | choose.PlayAll() if step.who is not None or (
                    zone == step.target and step.source not in even
                ):
                    if zone in (step.source, step.target):
                        return False
                case choose.Choice() if step.actions and zone in (
                    *step.sources,
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
        """The stored numbers of cards, each as (zone, owner). Those for copies of zones come last."""
        lots = [
            (zone, owner)
            for zone in self.zones
            if self.is_stored(zone)
            for owner in (range(1) if self.has_equal_sizes(zone) else self.owners(zone))
        ]
        return lots + [key for zone in self.zones if self.is_stored(zone) for key in self._stocks(zone)]

    @cached_by_arguments
    def size_index(self, zone: int, owner: int) -> int:
        """Return the index in `lots` of the number of cards in an owner's zone.

        Players who always have equally many cards share an index.
        """
        return self.lots.index((zone, 0 if zone >= 0 and self.has_equal_sizes(zone) else self.owner(zone, owner)))

    @cached_by_arguments
    def lots_of(self, zone: int) -> tuple[int, ...]:
        """Return the indices in `lots` of the numbers of cards in a zone, each once."""
        return tuple(dict.fromkeys(self.size_index(zone, owner) for owner in self.owners(zone)))

    @cached_property
    def looked_into(self) -> tuple[int, ...]:
        """The zones whose cards are read one by one, by formulas or because plays can be pieces."""
        pieces = {self.tableau} if self.program.pieces_of_play else set[int]()
        return tuple(sorted(self.program.inspected_zones | pieces))

    # ── gauges ──

    @cached_by_arguments
    def has_gauge(self, expr: Call) -> bool:
        """True if the cards of a zone alone decide what a function of the zone gives.

        Then the number is kept between readings, and only new cards are looked at. Layouts have no such numbers.
        """
        what = expr.arguments[1]
        alone = all(name.startswith((HAS, LYING)) for _, name in references(what)) and not functions_in(what)
        return alone and not self.program.zones[self.zone_of(expr)].layout

    def zone_of(self, expr: Call) -> int:
        """Return the zone that a function reads."""
        zone = expr.arguments[0]
        assert isinstance(zone, Name)
        return self.program.zone_index(zone.id)

    @cached_property
    def _read(self) -> list[Call]:
        """The parts of formulas that read the cards in a zone."""
        exprs = [self.formula(value)[1] for value in self.program.meanings]
        return [
            node
            for expr in exprs
            if any(what == "among" for what, _ in references(expr))
            for node in nodes_in(expr)
            if isinstance(node, Call)
            and isinstance(BUILTINS.get(node.function), ZoneAggregate)
            and len(node.arguments) > 1
        ]

    @cached_property
    def gauges(self) -> dict[tuple[str, int, IdentityKey[Expr], int], int]:
        """The index of each gauge by function, zone, what the function reads from each card, and owner."""
        made: dict[tuple[str, int, IdentityKey[Expr], int], int] = {}
        for call in filter(self.has_gauge, self._read):
            zone = self.zone_of(call)
            for owner in self.seats if self.program.zones[zone].per == "seat" else range(1):
                made.setdefault(self._gauge_key(call, owner), len(made))
        return made

    def _gauge_key(self, expr: Call, owner: int) -> tuple[str, int, IdentityKey[Expr], int]:
        return expr.function, self.zone_of(expr), IdentityKey(self._alike(expr.arguments[1])), owner

    @cached_by_arguments
    def keeps_gauges(self, zone: int) -> bool:
        """True if the gauges of a zone are always up to date: each card that comes is included at once.

        That is possible if cards come only one by one, and leave only all together.
        """
        gauges = [(function, what.own) for function, other, what, _ in self.gauges if other == zone]
        kept = all(self._can_be_kept(function, zone, what) for function, what in gauges)
        return bool(gauges) and kept and self.begins_with_deals and not self.is_lanes(zone) and self._only_grows(zone)

    def _only_grows(self, zone: int) -> bool:
        """True if no card leaves a zone before all its cards leave together."""
        if zone == self.tableau and (
            self.program.abilities or self.program.pieces_of_play or choose.tableaus_lose_cards(self.program)
        ):
            return False
        for step in self.program.code:
            match step:
                case Deal() | choose.Choice() | choose.PlayAll() if zone in getattr(step, "sources", (step.source,)):
                    return False
                case Pass() | Shuffle() | Flip() if step.zone == zone:
                    return False
                case Clear() | Gather() if zone in self.counting:
                    return False
                case _:
                    pass
        return all(zone != filled for filled, _ in self.program.initial_cards)

    def _can_be_kept(self, function: str, zone: int, what: Expr) -> bool:
        """True if a gauge reads a number of each card, and cards without it change nothing."""
        return (
            isinstance(what, Name)
            and what.id.startswith(HAS)
            and (function != "on_top" or all(self.numbers_in(zone, what.id.removeprefix(HAS))[0]))
        )

    @cached_by_arguments
    def kept_gauges(self, zone: int, owner: int) -> tuple[tuple[int, str, tuple[int, ...]], ...]:
        """Return the gauges for an owner's cards in a zone of `keeps_gauges`.

        Each is an index, a function, and the number for each card: that which changes nothing if the card has none.
        """
        made = []
        for (function, other, what, who), index in self.gauges.items():
            if (other, who) == (zone, self.owner(zone, owner)):
                assert isinstance(what.own, Name)
                has, numbers = self.numbers_in(zone, what.own.id.removeprefix(HAS))
                given = [number if there else NOTHING[function] for there, number in zip(has, numbers, strict=True)]
                made.append((index, function, has if function == "cards" else tuple(given)))
        return tuple(made)

    def _only_gauges_read(self, zone: int) -> bool:
        """True if nothing reads the cards of a zone but its gauges."""
        moved = any(isinstance(step, MoveAll) and step.source == zone for step in self.program.code)
        all_kept = all(self.has_gauge(call) for call in self._read if self.zone_of(call) == zone)
        return self.keeps_gauges(zone) and not self.observed and not moved and all_kept

    @cached_by_arguments
    def gauge(self, expr: Call, owner: int) -> int:
        """Return the index of the gauge for a function of an owner's cards."""
        return self.gauges[self._gauge_key(expr, owner)]

    @cached_by_arguments
    def gauges_of(self, zone: int, owner: int) -> tuple[int, ...]:
        """Return the indices of all gauges for an owner's cards in a zone."""
        return tuple(
            index
            for (_, *place, who), index in self.gauges.items()
            if (place[0], who) == (zone, self.owner(zone, owner))
        )

    # ── what matters ──

    @cached_by_arguments
    def irrelevant_cards(self, zone: int) -> int:
        """Return the number of cards in a pile that need no shuffling; 0 if the number is unknown.

        None of these cards can be dealt before the pile is gathered again.
        """
        program, code = self.program, self.program.code
        shuffled = [index for index, step in enumerate(code) if isinstance(step, Shuffle) and step.zone == zone]
        deals = [step for step in code if isinstance(step, Deal) and step.source == zone]
        moved = program.has_sides or any(
            isinstance(step, MoveAll) and zone in (step.source, step.target) for step in code
        )
        chosen = any(isinstance(step, choose.Choice) and zone in step.sources for step in code)
        chosen = chosen or any(isinstance(step, choose.PlayAll) and step.source == zone for step in code)
        counted = any(
            what in {"cards", "among"} for meaning in program.meanings.values() for what, _ in references(meaning.expr)
        )
        drawn = [self.always(step.cards) for step in deals]
        until = max([*shuffled, *map(code.index, deals)], default=0)
        nested = any(isinstance(step, SkipUnless | NextTurn) for step in code[:until])
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
        if isinstance(before, Gather) and before.target == zone:
            return max(0, len(program.deck) - most) if not program.kept_plays else 0
        again = any(isinstance(step, StartRound) for step in code[: shuffled[0]])
        return max(0, len(program.deck) - most * self.rounds) if not again else 0
