"""Choices: how many cards seats take in them, and where each of these stands."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.engine import choose
from draftengine.engine.plan.base import cached_by_arguments
from draftengine.engine.plan.zones import ZonePlan
from draftengine.model.language.bounds import UNKNOWN, bounds

if TYPE_CHECKING:
    from draftengine.model.language.ranges import Range


class ChoicePlan(ZonePlan):
    """The choices of a game."""

    def step(self, index: int) -> Any:
        """A step of the flow."""
        return self.program.code[index]

    @cached_property
    def choices(self) -> list[int]:
        """The steps at which games wait."""
        return [index for index, step in enumerate(self.program.code) if isinstance(step, choose.Choice)]

    @property
    def most_chosen(self) -> int:
        """How often players can choose in a game, all together: in turns, and in the lists that cards start."""
        in_lists = sum(bool(self.step(index).in_list) for index in self.choices)
        return self.most_passes * len(self.choices) * len(self.players) + self.most_played * in_lists

    @property
    def most_passes(self) -> int:
        """How often a step of the flow is met in a game at most: in every turn, or once in every round."""
        turns: int = self.flow.turns
        return max(turns, self.rounds) + 1

    @property
    def most_played(self) -> int:
        """How many cards come to lie in tableaus in a game, all together."""
        most: int = self.flow.plays_in_game
        return most * len(self.seats)

    @cached_by_arguments
    def max_own_picks(self, step: choose.Choice) -> int:
        """How many cards a seat can take for itself at most."""
        if step.offer:
            return 0
        if step.actions:
            return max(self.max_own_picks(way.laying) for way in step.actions)
        room = len(self.program.zones[step.source].layout) or self.capacity(step.source)
        lying = bounds(self.formula(step.cards)[1], _Lying(self))[1]
        return max(0, min(self.range_of(step.cards)[1], lying, room))

    @cached_by_arguments
    def max_ability_picks(self, step: choose.Choice) -> int:
        """How many further cards an ability can bring at most."""
        uses = [self.program.abilities[ability].model for ability in step.abilities]
        return max((use.take * use.per_turn for use in uses), default=0)

    def takes_exactly_one(self, step: choose.Choice) -> bool:
        """Does everybody who chooses take exactly one card for itself."""
        return not step.offer and not step.actions and self.always(step.cards) == 1

    def takes_one(self, step: choose.Choice) -> bool:
        """Can nobody take more than one card there."""
        return self.picks_of(step) <= 1

    def draw_copy(self, step: choose.Choice) -> int:
        """The zone, or the copies of it, that players draw cards from: one card leaves nothing else to draw from."""
        return step.source if self.takes_one(step) else ~step.source

    @cached_by_arguments
    def all_choose_equally(self, step: choose.Choice) -> bool:
        """Does every player choose whenever one does, from equally many cards."""
        plain = step.marker < 0 and step.who is None and not step.layout and not step.offer and not step.actions
        return plain and self.has_equal_sizes(step.source)

    @cached_by_arguments
    def first_like(self, step: choose.Choice) -> choose.Choice:
        """The first choice of the flow that offers the same: functions about both are specialised once, for that."""
        steps: list[choose.Choice] = [self.step(index) for index in self.choices]
        return next(other for other in steps if _offers(other) == _offers(step))

    # ── picks ──

    @cached_property
    def picks(self) -> int:
        """How many cards a seat can take in one choice, for itself and others."""
        steps = [step for step in self.program.code if isinstance(step, choose.Choice)]
        steps += [step.choice for step in self.program.code if isinstance(step, choose.PlayAll)]
        return max((self.picks_of(step) for step in steps), default=0)

    def picks_of(self, step: choose.Choice) -> int:
        """How many cards a seat can take in this choice, for itself and others."""
        return self.max_own_picks(step) + self.max_ability_picks(step) + sum(cards for _, _, cards in step.also)

    def pick_index(self, seat: int, number: int) -> int:
        """Where the `number`-th card that a seat takes for itself stands."""
        return seat * self.picks + number

    def ability_pick_index(self, step: choose.Choice, seat: int, number: int) -> int:
        """Where the `number`-th further card stands that a seat takes by an ability."""
        return seat * self.picks + self.max_own_picks(step) + number

    def other_pick_index(self, step: choose.Choice, seat: int, index: int, number: int) -> int:
        """Where the `number`-th card stands that `seat` takes for the `index`-th of the seats that it chooses for."""
        before = sum(cards for _, _, cards in step.also[:index])
        return seat * self.picks + self.max_own_picks(step) + self.max_ability_picks(step) + before + number

    # ── ways ──

    @cached_by_arguments
    def admitted(self, way: choose.Action) -> tuple[int, ...]:
        """Which cards can go a way, by card."""
        return tuple(map(int, way.admits))

    @cached_by_arguments
    def asked_for(self, step: choose.Choice) -> tuple[int, ...]:
        """For which card the others are asked, by way."""
        return tuple(way.ask for way in step.actions)

    @cached_by_arguments
    def given(self, step: choose.Choice) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """What can be given for cards that others are asked for: each of these once."""
        return tuple(dict.fromkeys(way.give for way in step.actions if way.ask >= 0))

    @cached_by_arguments
    def ways_giving(self, step: choose.Choice, give: tuple[tuple[int, ...], ...]) -> int:
        """The ways that give something for a card, as bits."""
        return sum(1 << index for index, way in enumerate(step.actions) if way.ask >= 0 and way.give == give)

    @cached_by_arguments
    def admits_all(self, way: choose.Action) -> bool:
        """Can every card go it, whatever it has."""
        return all(way.admits) and not way.depends_on_card and not (self.wild and way.laying.plays)


class _Lying(Struct, frozen=True):
    """How many cards can lie somewhere, for formulas that ask for nothing else (see `model.language.bounds`)."""

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
    """What a choice is but for its place in the flow."""
    offered = step.source, step.target, step.cards, step.also, step.abilities, step.offer, step.layout, step.marker
    return *offered, step.actions, step.who
