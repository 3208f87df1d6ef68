"""The kernel lists legal moves in the engine's order; among too many it finds the same good ones."""

from __future__ import annotations

import pytest

from bots.quick import guessed
from draftengine.bots.search.objectives import Objective
from draftengine.bots.search.searcher import Searcher
from draftengine.bots.search.worlds import lay_world
from draftengine.engine.kernel.best_moves import any_cards, evaluate
from draftengine.engine.kernel.expected_gain import bit_field
from draftengine.engine.kernel.listing import list_moves
from draftengine.engine.moves import legal_moves
from draftengine.engine.observe import observe
from draftengine.engine.plan.base import FURTHER, OWN
from draftengine.engine.policies import shortlist, values_of
from draftengine.engine.public_state import PublicState
from draftengine.engine.redeal import HiddenCards
from engine import gates
from engine.feasts import feast, program_of, quarry

STALL = """
format: 1
id: stall
title: Stall
version: 1.0.0
players: 2
rounds: 1
cards: {apple: {count: 16, adds: {worth: 2}}, tag: {count: 8}}
modifiers: {tag: {card: tag, applies_to: apple, then: {worth: 2 * amount}, capacity: 2}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 8}
  - repeat:
      until_empty: hand
      do:
        - choose: {from: hand, to: tableau}
        - choose: {from: hand, to: tableau}
        - choose: {from: tableau, to: discard}
  - score: round
scoring: {worth: {kind: each, of: worth, points: 1}}
winner: {order: most}
"""

GAMES = {
    "two of six, two by an ability": (feast(kinds=5, hand=6, choose=2, take=2), False),
    "four of nine": (feast(kinds=9, hand=9, choose=4, take=2), True),
    "ten of twenty": (feast(), True),
    "two places": (quarry((2, 3, 4), 2), False),
    "five places": (quarry(), True),
    "two cards that lie in five ways": (STALL, False),
}
"""Card sets, and whether a choice has too many moves to list."""


def codes_of(plan, step, move):
    """Return a move as the engine writes it."""
    found = []
    for at, channel, _ in plan.items.lanes_of(step):
        taken = bit_field(plan, move, at)
        if taken:
            first = {OWN: 0, FURTHER: 1 + step.abilities[taken >> plan.items.bits] if step.abilities else 0}
            found.append(
                first.get(channel, step.first_other + channel - FURTHER - 1) * plan.program.width
                + (taken & plan.items.mask)
                - 1
            )
    return tuple(found)


def tables(program, seed):
    """Yield (form, choice, seat, state) for every choice of a game, with the table laid out in the kernel."""
    own = Searcher(program, guessed(program).worth)
    models = [(0, 0, 0, 0, 1)] * program.players
    for state, seat, *_ in gates.steps(program, seed):
        if seat in state.pending:
            own.begin(HiddenCards.of(observe(state, seat)), seat, Objective.of(program, 5.0), 0.3, models)
            lay_world(own.game, own.known, own.search, own.plan)
            yield own, program.code[state.pc], seat, state


@pytest.mark.parametrize(("text", "large"), GAMES.values(), ids=GAMES)
def test_moves(text, large):
    program = program_of(text)
    many = 0
    for own, step, seat, state in tables(program, 3):
        plan, options = own.plan, own.options
        count = list_moves(own.game, options, plan, step, seat)
        legal = legal_moves(state, seat)
        if legal.few:
            assert [codes_of(plan, step, move) for move in options.move[:count]] == list(legal)
            continue
        many += 1
        assert count == options.most + 1
        count = evaluate(own.game, options, plan, step, seat, by_table=True)
        moves = [codes_of(plan, step, move) for move in options.move[:count]]
        public, worth = PublicState.of_state(state), guessed(program).worth
        few = shortlist(legal, lambda some: values_of(public, step, seat, some, worth))  # noqa: B023 (called at once)
        assert moves == list(few)
        assert list(options.value[:count]) == list(values_of(public, step, seat, few, worth))
        for _ in range(5):
            assert codes_of(plan, step, any_cards(own.game, options, plan, step, seat)) in legal
    assert (many > 0) == large
