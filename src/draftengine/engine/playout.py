"""Games played to the end in place, without events: for simulation and rollouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.flow.instruction import advance
from draftengine.engine.moves import choice_of, legal_moves
from draftengine.engine.state import State, fresh

if TYPE_CHECKING:
    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.program import Program

Policy = Callable[[State, "Choice", int, Stream], "Move"]
"""A move of a seat that has to choose. Policies see the state: they are for rollouts, not for opponents."""


def random_policy(state: State, choice: Choice, seat: int, stream: Stream) -> Move:
    """A card uniformly at random (every physical card alike), then every further thing that may be taken by a coin.

    With an ability ready and cards left for it, a second card is taken with probability one half, uniformly from the rest.
    """
    program = state.program
    if choice.also or choice.layout or choice.offer or not program.simple or choice.target != choice.tableau:
        moves = legal_moves(state, seat)
        return moves[stream.below(len(moves))]
    hand = state.zones[choice.source][seat]
    size = len(hand)
    at = stream.word() * size >> 64
    card = hand[at]
    if size > 1:
        for ability in choice.abilities:
            field = program.abilities[ability].field
            if state.words[seat] & field.bits:
                word = stream.word()
                if word >> 63:
                    other = (word << 1 & (1 << 64) - 1) * (size - 1) >> 64
                    second = hand[other if other < at else other + 1]
                    return (card, (1 + ability) * program.width + second)
    return program.single[card]


def play_out(state: State, policy: Policy, stream: Stream) -> State:
    """Play a state to the end, in place, every seat by the same policy; the state."""
    advance_to_choice = advance
    if not state.pending:
        advance_to_choice(state, None)
    while state.pending:
        choice = choice_of(state)
        state.chosen = {seat: policy(state, choice, seat, stream) for seat in state.pending}
        state.pc = choice.settle(state, None)
        advance_to_choice(state, None)
    return state


def random_game(program: Program, seed: int | str, game: int = 0) -> State:
    """Game number `game` under a seed, every seat by the random policy."""
    root = root_of(seed)
    state = fresh(program, root, game, memory=False)
    return play_out(state, random_policy, Stream(key_of(root, game, "bot")))
