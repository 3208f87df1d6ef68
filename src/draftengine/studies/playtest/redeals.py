"""Positions with other luck: the cards that count are replaced by others from the box.

If a rule gave no points in any game, either points are impossible, or the luck for them is rare. If it gives points in
a few of these positions, only luck was missing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.api.scenario.coverage import HeardConditions
from draftengine.engine.explain import points_of
from draftengine.engine.plain import plan_of

if TYPE_CHECKING:
    from collections.abc import Container

    from draftengine.engine.chance import Stream
    from draftengine.engine.program import CompiledRule, Program
    from draftengine.engine.state import GameState

Box = tuple[list[int], list[int]]

TIMES = 8
"""The number of positions for each time that the rule is scored."""
OFTEN = 50
"""The number of successes that luck should have brought in games, before a rule counts as prevented."""


class Redeals:
    """Counts of the evaluations of one rule in redealt positions."""

    def __init__(self, rule: str = "", cards: Container[int] = ()) -> None:
        self.rule, self.cards = rule, cards
        self.gave = 0
        """The number of positions in which the rule gave points."""
        self.heard = HeardConditions()
        """The values that the rule's conditions had in redealt positions."""
        self._boxes: dict[int, Box] = {}

    def evaluate(self, state: GameState, rule: CompiledRule, conditions: HeardConditions, chance: Stream) -> None:
        """Evaluate the rule in some redealt positions. `conditions` does not hear these evaluations."""
        players = state.program.players
        if players not in self._boxes:
            self._boxes[players] = box_of(state.program)
        conditions.swap(self.heard)
        for _ in range(TIMES):
            position = redealt(state, self._boxes[players], self.cards, chance)
            self.gave += (rule.when is None or rule.when(position, 0)) and any(points_of(position, rule))
        conditions.swap(self.heard)


def only_luck_was_missing(times: int) -> bool:
    """True if some redealt positions gave points, but too few to expect points in games."""
    return 0 < times < OFTEN * TIMES


def box_of(program: Program) -> Box:
    """Return a play for each card of the box except modifiers; kept cards are in a list of their own.

    Copies of a card with several forms get different forms.
    """
    modifiers = {modifier.card for modifier in program.model.modifiers}
    box: Box = [], []
    for number, card in enumerate(program.deck):
        if program.cards[card] not in modifiers:
            options = program.options_of[card]
            play = dict(program.options[options[number % len(options)]].plays)[card]
            box[play in program.kept_plays].append(play)
    return box


def redealt(state: GameState, box: Box, wanted: Container[int], chance: Stream) -> GameState:
    """Return a position in which all counting cards are drawn from the box again.

    `wanted` cards are drawn more often than others. Every seat has as many cards as before, and as many kept cards.
    """
    program, twin = state.program, state.clone()
    pools = [[*plays] for plays in box]
    exchanged = {play for plays in box for play in plays}
    for zone in plan_of(program).counting:
        added = program.added[zone] if program.cards_count_elsewhere else program.increments
        for seat, lying in enumerate(twin.zones[zone] if program.zones[zone].per == "seat" else ()):
            for place, play in enumerate(lying):
                if play in exchanged:
                    pool = pools[play in program.kept_plays]
                    one, other = chance.below(len(pool)), chance.below(len(pool))
                    drawn = one if program.card_of[pool[one]] in wanted else other
                    lying[place], pool[drawn] = pool[drawn], pool[-1]
                    pool.pop()
                    twin.words[seat] += added[lying[place]] - added[play]
    return twin
