"""Plans: everything about a game that is known before it starts, as input of the specialiser.

The kernel is ordinary Python over a declared state (`draftengine.engine.state`). A step of the flow is a function that
does its work and then calls the function for the next step. `draftengine.jit` evaluates the kernel on a `Plan`, and
compiles the remaining program. Without this, the kernel runs as ordinary Python.

This module has the complete plan of a specialised game: choices, policies, views, and the sizes of the state record.
Formulas, scoring and zones have separate modules, whose classes this plan extends.

A *pick* is one card of a move. The state record has as many places for picks as the largest choice of the game needs.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.engine import choose
from draftengine.engine.chance import PURPOSES, mix
from draftengine.engine.offer import WIDTH
from draftengine.engine.plan.base import LANES, UnsupportedError, cached_by_arguments
from draftengine.engine.plan.items import Items
from draftengine.engine.plan.observations import BeliefLayout, ObservationLayout
from draftengine.engine.plan.turns import TurnPlan
from draftengine.jit.records import PACKED
from draftengine.model import limits
from draftengine.model.language.bounds import UNKNOWN, bounds
from draftengine.model.language.evaluate import references
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.plan.observations import ObservationSpec
    from draftengine.engine.program import CompiledEffect, Program
    from draftengine.model.language.environment import Range


PURPOSE = {name: mix(number) for name, number in PURPOSES.items()}
"""For each purpose, the constant that separates its random streams from all others."""
RANDOM, GREEDY, TABLE, PLAYOUT = range(4)
POLICIES = {"random": RANDOM, "greedy": GREEDY, "table": TABLE, "playout": PLAYOUT}
"""The policies by name.

``playout`` is ``table`` with exploration (see `draftengine.engine.plan.base.EXPLORE`).
"""


class ChoicePlan(TurnPlan):
    """The part of a plan for choices: the numbers of cards that seats take, and indices of picks."""

    @cached_property
    def choices(self) -> list[int]:
        return [index for index, step in enumerate(self.program.code) if isinstance(step, choose.Choice)]

    @property
    def everybody(self) -> int:
        """All players, as bits."""
        return (1 << len(self.players)) - 1

    @property
    def most_chosen(self) -> int:
        """An upper bound for the number of choices of all players in a game, including those in step lists."""
        in_lists = sum(bool(self.step(index).in_list) for index in self.choices)
        return self.most_passes * len(self.choices) * len(self.players) + self.most_played * in_lists

    @property
    def most_passes(self) -> int:
        """An upper bound for how often a game carries out the same step of the flow."""
        turns: int = self.flow.turns
        return max(turns, self.rounds) + 1

    @property
    def most_played(self) -> int:
        """An upper bound for the number of cards that all seats together lay into tableaus in a game."""
        most: int = self.flow.plays_in_game
        return most * len(self.seats)

    @cached_by_arguments
    def max_own_picks(self, step: choose.Choice) -> int:
        """Return the largest number of cards that a seat can take for itself in a choice."""
        if step.offer:
            return 0
        if step.actions:
            return max(self.max_own_picks(way.laying) for way in step.actions)
        room = len(self.program.zones[step.source].layout) or self.capacity(step.source)
        lying = bounds(self.formula(step.cards)[1], _Lying(self))[1]
        return max(0, min(self.range_of(step.cards)[1], lying, room))

    @cached_by_arguments
    def max_ability_picks(self, step: choose.Choice) -> int:
        """Return the largest number of further cards that one ability can take in a choice."""
        uses = [self.program.abilities[ability].model for ability in step.abilities]
        return max((use.take * use.per_turn for use in uses), default=0)

    def takes_exactly_one(self, step: choose.Choice) -> bool:
        """True if each choosing seat takes exactly one card for itself."""
        return not step.offer and not step.actions and self.always(step.cards) == 1

    def takes_one(self, step: choose.Choice) -> bool:
        """True if no seat can take more than one card, including cards for other seats."""
        return self.picks_of(step) <= 1

    def draw_copy(self, step: choose.Choice) -> int:
        """Return the zone from which random picks are drawn: the source or, for several cards, a copy of it.

        The copy has the number `~source`.
        """
        return step.source if self.takes_one(step) else ~step.source

    @cached_by_arguments
    def all_choose_equally(self, step: choose.Choice) -> bool:
        """True if either all players choose or none does, and all have equally many cards."""
        plain = step.marker < 0 and step.who is None and not step.layout and not step.offer and not step.actions
        return plain and self.has_equal_sizes(step.source)

    @cached_by_arguments
    def first_like(self, step: choose.Choice) -> choose.Choice:
        """Return the first choice of the flow that equals this one except for its position.

        So functions about such choices are specialised only once, for the first one.
        """
        steps: list[choose.Choice] = [self.step(index) for index in self.choices]
        return next(other for other in steps if _offers(other) == _offers(step))

    # ── picks ──

    @cached_property
    def picks(self) -> int:
        """The largest number of cards that a seat can take in any choice, for itself and others."""
        steps = [step for step in self.program.code if isinstance(step, choose.Choice)]
        return max((self.picks_of(step) for step in steps), default=0)

    def picks_of(self, step: choose.Choice) -> int:
        """Return the largest number of cards that a seat can take in this choice, for itself and others."""
        return self.max_own_picks(step) + self.max_ability_picks(step) + sum(cards for _, _, cards in step.also)

    def pick_index(self, seat: int, number: int) -> int:
        """Return the index, among all picks, of the `number`-th card that a seat takes for itself."""
        return seat * self.picks + number

    def ability_pick_index(self, step: choose.Choice, seat: int, number: int) -> int:
        """Return the index, among all picks, of the `number`-th card that a seat takes with an ability."""
        return seat * self.picks + self.max_own_picks(step) + number

    def other_pick_index(self, step: choose.Choice, seat: int, index: int, number: int) -> int:
        """Return the index, among all picks, of the `number`-th card that `seat` takes for another seat.

        That other seat is the `index`-th for which the choice takes cards.
        """
        before = sum(cards for _, _, cards in step.also[:index])
        return seat * self.picks + self.max_own_picks(step) + self.max_ability_picks(step) + before + number

    # ── actions ──

    @cached_by_arguments
    def admitted(self, way: choose.Action) -> tuple[int, ...]:
        """Return a flag for each play: 1 if the action accepts it, otherwise 0."""
        return tuple(map(int, way.admits))

    @cached_by_arguments
    def admits_all(self, way: choose.Action) -> bool:
        """True if the action accepts every card, no matter which values it has, and no card has forms."""
        return all(way.admits) and not way.depends_on_card and not (self.wild and way.laying.plays)

    @cached_by_arguments
    def notes_accepted(self, way: choose.Action) -> bool:
        """True if the cards that an action accepts are noted as bits of a word when they are counted."""
        return not self.admits_all(way) and self.capacity(way.laying.source) <= LANES

    @cached_by_arguments
    def draws_alike(self, step: choose.Choice) -> bool:
        """True if every action of a choice takes one card from the same few cards, as it is."""
        few = len(step.sources) == 1 and self.capacity(step.source) <= LANES
        alike = (
            self.always(way.cards) == 1 and (self.admits_all(way) or self.notes_accepted(way)) for way in step.actions
        )
        return few and not self.wild and all(alike)

    @cached_by_arguments
    def changes_alike(self, step: choose.Choice) -> tuple[tuple[CompiledEffect, tuple[int, ...]], ...]:
        """Return the one change that all actions of a choice make, with the number of each action.

        Return nothing if they differ. A table replaces a branch by action, which a processor could only guess.
        """
        changes = [[self.program.effects[effect] for effect in way.effects] for way in step.actions]
        if any(len(change) != 1 or len(change[0].amounts) != 1 for change in changes):
            return ()
        first = changes[0][0]
        numbers = [self.always(change.amounts[0].value) for (change,) in changes]
        kinds = {(change.kind, replace(change.amounts[0], value=first.amounts[0].value)) for (change,) in changes}
        if first.kind not in {"add", "set"} or len(kinds) != 1 or None in numbers:
            return ()
        return ((first, tuple(number for number in numbers if number is not None)),)

    @cached_by_arguments
    def index_of(self, step: choose.Choice, way: choose.Action) -> int:
        """Return the index of an action of a choice."""
        return step.actions.index(way)


class _Lying(Struct, frozen=True):
    """The facts about a formula's functions that are known before a game: the most cards in each zone.

    Bounds of formulas follow from them (see `draftengine.model.language.bounds`).
    """

    plan: ChoicePlan

    @property
    def seat_count(self) -> int:
        return len(self.plan.ranked)

    @property
    def player_count(self) -> int:
        return len(self.plan.players)

    def range_of(self, function: str, name: str, _seat: int) -> Range:
        return (0, self.plan.capacity(self.plan.program.zone_index(name))) if function == "cards" else UNKNOWN


def _offers(step: choose.Choice) -> tuple[object, ...]:
    """Return everything that defines a choice, except its position in the flow."""
    offered = step.source, step.target, step.cards, step.also, step.abilities, step.offer, step.layout, step.marker
    return *offered, step.actions, step.who


class Plan(ChoicePlan):
    """A program in the form that the kernel needs. Nothing in it changes during a game."""

    ends_with_rounds = False
    """True if play can stop at the end of a round (see `StateRecord.stops_at_round_end`)."""

    def __init__(
        self,
        program: Program,
        policies: Sequence[str],
        *,
        actors: Sequence[int] = (),
        logged: bool = False,
        learning: bool = False,
        numbers: ObservationSpec | None = None,
        in_words: bool = True,
    ) -> None:
        """Derive the plan. Raises `UnsupportedError` if the game does not fit into words and small tables.

        Play stops at each choice of the `actors`, whose moves come from outside; all others follow their policies.
        `in_words` is required for machine code. Without it, tables may have any size and moves any length.
        """
        super().__init__(program, observed=numbers is not None, logged=logged, in_words=in_words)
        self.identity: tuple[object, ...] = (type(self), *policies, *actors, logged, learning, numbers, in_words)
        """Everything from which this plan was made, except the program.

        For the same program, equal identities mean equal plans.
        """
        self.policies = tuple(POLICIES[name] for name in policies)
        self.actors = tuple(actors)
        self.stopping = bool(actors)
        self.others = tuple(seat for seat in self.players if self.stopping and seat not in actors)
        """The players who follow their policies while the choices of other players come from outside."""
        self.learning = learning
        self.numbers = numbers
        self.endless = self.observed
        """True if the next game is dealt as soon as a game is over, as learning programs expect."""
        self.all_choose_at_random = set(self.policies) == {RANDOM}
        self.most_logged = max(self.most_passes * program.seats * 4, self.most_played) + 64
        self.lists = self.observed or any(policy != RANDOM for policy in self.policies)
        if in_words and any(isinstance(step, choose.Choice) and len(step.actions) > LANES for step in program.code):
            raise UnsupportedError(said("slow.ways", most=LANES))
        if in_words and len(self.wild) > limits.WILD:  # each is one bit of a word
            raise UnsupportedError(said("slow.wild", most=limits.WILD))
        self.tables.check()
        if self.observed:
            self.views  # noqa: B018 (it refuses what cannot be shown)
        if self.lists:
            self.items  # noqa: B018 (it refuses what cannot be compared)

    @cached_property
    def reads_previous_words(self) -> bool:
        """True if the counters as they were at the last choice are read: by formulas or abilities."""
        return self.asks_gained or any(isinstance(step, choose.Choice) and step.offer for step in self.program.code)

    @cached_property
    def sights(self) -> BeliefLayout:
        """The layout of beliefs."""
        return BeliefLayout(self)

    @cached_property
    def views(self) -> ObservationLayout:
        """The layout of observation vectors. It exists only if the game is observed."""
        assert self.numbers is not None
        return ObservationLayout(self, self.numbers)

    @cached_property
    def items(self) -> Items:
        """Items and moves. Raises `UnsupportedError` if the moves of this game cannot be listed."""
        return Items(self)

    def draws_places(self, step: choose.Choice) -> bool:
        """True if the random picks from all hands are drawn together (see `draftengine.engine.policies`)."""
        return step.asked and step.ordinary and step.keeps_even and self.all_choose_at_random and not self.stopping

    @cached_by_arguments
    def remembers_spots(self, step: choose.Choice) -> bool:
        """True if a card lies where it was drawn until it is laid down, and no other card has its face."""
        faces = [self.program.face_of[card] for card in self.program.deck]
        unmoved = self.program.zones[step.source].per == "seat" and step.source not in self.counting and not step.also
        return (
            unmoved
            and self.takes_one(step)
            and self.all_choose_at_random
            and not self.stopping
            and not self.program.has_sides
            and len(set(faces)) == len(faces)
        )

    @cached_property
    def by_fours(self) -> list[range]:
        """Players in groups of four. Each group shares one random word."""
        return [self.players[start : start + 4] for start in range(0, len(self.players), 4)]

    def seen_as(self, seat: int, other: int) -> int:
        """Return the number of the seat `other` when seats are counted from `seat` as 0."""
        return (other - seat) % len(self.players) if other in self.players else other

    @cached_by_arguments
    def seen_lots(self, step: choose.Choice, seat: int) -> tuple[tuple[int, int], ...]:
        """Return the zones, as (zone, owner), whose numbers of cards a player may need in order to choose.

        These are the zones that formulas count, and the zone from which the player chooses.
        """
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
        """Return the seats for which moves are compared as if no counter had changed since the last choice."""
        return self.seats if self.asks_gained and (step.plays or step.actions) else range(0)

    def touched(self, seat: int) -> tuple[int, ...]:
        """Return the seats whose counters can change when a seat lays down one card."""
        shared = any(field.shared for field in self.program.fields)
        return tuple(self.seats) if shared or self.items.by_triggers else (seat,)

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The length of every dimension of the state record, by name of the dimension."""
        self._heaps  # noqa: B018 (it finds out how many cards lie there)
        layouts = [zone.layout for zone in self.program.zones if zone.layout]
        return {
            "depth": self.most_depth,
            "seat": len(self.seats),
            PACKED: max((field.shift + field.mask.bit_length() for field in self.program.fields), default=0) // 64 + 1,
            "examined": int(self.examines_cards),
            "player": len(self.players),
            "marker": len(self.markers),
            "hand": len(self.hands),
            "lot": len(self.lots),
            "gauge": len(self.gauges),
            "layout": len(layouts),
            "pile": len(self.piles),
            "pick": len(self.players) * self.picks,
            "way": max((len(step.actions) for step in map(self.step, self.choices)), default=0),
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
            "result": len(self.seats) if self.observed else 0,
            "shelf": len(self.sights.travelling) if self.observed else 0,
            "watched": len(self.seats) if self.observed else 0,
            "chips": len(self.piles) * len(self.seats) if self.observed else 0,
            "known": self.sights.size if self.observed else 0,
            "image": self.views.image_size if self.observed else 0,
            "column": self.sights.columns if self.observed else 0,
        }
