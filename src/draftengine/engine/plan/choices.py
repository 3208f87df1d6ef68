"""Choices of a game: the number of cards that seats take, and the index of each pick.

A *pick* is one card of a move. The state record has as many places for picks as the largest choice of the game needs.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.engine import choose
from draftengine.engine.plan.base import cached_by_arguments
from draftengine.engine.plan.zones import ZonePlan
from draftengine.model.language.bounds import UNKNOWN, bounds

if TYPE_CHECKING:
    from draftengine.model.language.environment import Range


class ChoicePlan(ZonePlan):
    """The part of a plan that is about choices."""

    def step(self, index: int) -> Any:
        """Return the instruction at an index of the program."""
        return self.program.code[index]

    @cached_property
    def choices(self) -> list[int]:
        """Indices of all choices in the program."""
        return [index for index, step in enumerate(self.program.code) if isinstance(step, choose.Choice)]

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
        steps += [step.choice for step in self.program.code if isinstance(step, choose.PlayAll)]
        return max((self.picks_of(step) for step in steps), default=0)

    def picks_of(self, step: choose.Choice) -> int:
        """Return the largest number of cards that a seat can take in this choice, for itself and others."""
        return self.max_own_picks(step) + self.max_ability_picks(step) + sum(cards for _, _, cards in step.also)

    def pick_index(self, seat: int, number: int) -> int:
        """Return the pick index of the `number`-th card that a seat takes for itself."""
        return seat * self.picks + number

    def ability_pick_index(self, step: choose.Choice, seat: int, number: int) -> int:
        """Return the pick index of the `number`-th further card that a seat takes with an ability."""
        return seat * self.picks + self.max_own_picks(step) + number

    def other_pick_index(self, step: choose.Choice, seat: int, index: int, number: int) -> int:
        """Return the pick index of the `number`-th card that `seat` takes for the `index`-th other seat."""
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
