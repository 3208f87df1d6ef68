"""Games played to the end in place, without events: for simulation and rollouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from draftengine.engine.chance import MASK, SHARED_DRAWS, Stream, key_of, root_of
from draftengine.engine.flow.instruction import advance
from draftengine.engine.moves import legal_moves
from draftengine.engine.state import State, fresh

if TYPE_CHECKING:
    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.program import Program

Policy = Callable[[State, "Choice", Stream], "dict[int, Move]"]
"""The moves of all seats that have to choose. Policies see the state: they are for rollouts, not for opponents."""


def random_policy(state: State, choice: Choice, stream: Stream) -> dict[int, Move]:
    """A card uniformly at random (every physical card alike), then every further thing that may be taken by a coin.

    With an ability ready and cards left for it, a second card is taken with probability one half, uniformly from the
    rest. Choices that are not ordinary: a uniformly random legal move.
    """
    if not choice.ordinary or choice.cards(state, 0) != 1:
        return {seat: any_move(state, seat, stream) for seat in state.pending}
    program = state.program
    hands, words, single = state.zones[choice.source], state.words, program.single
    abilities = program.bits_of_abilities
    chosen: dict[int, Move] = {}
    word = left = 0
    for seat in state.pending:
        if not left:
            word, left = stream.word(), SHARED_DRAWS
        left -= 1
        hand = hands[seat]
        word *= len(hand)
        at = word >> 64
        word &= MASK
        if words[seat] & abilities:
            chosen[seat] = _with_ability(state, choice, seat, at, stream)
        else:
            chosen[seat] = single[hand[at]]
    return chosen


def any_move(state: State, seat: int, stream: Stream) -> Move:
    """A uniformly random legal move."""
    moves = legal_moves(state, seat)
    return moves[stream.below(len(moves))]


def _with_ability(state: State, choice: Choice, seat: int, at: int, stream: Stream) -> Move:
    """The card at a place of the hand and, by a coin, a further one with the first ability that is ready."""
    hand = state.zones[choice.source][seat]
    rest = hand[:at] + hand[at + 1 :]
    for ability in choice.abilities:
        take = state.program.abilities[ability].model.take
        if choice.uses(state, ability, seat) and len(rest) >= take:
            if not stream.below(2):
                break
            channel = (1 + ability) * state.program.width
            further = [rest.pop(stream.below(len(rest))) for _ in range(take)]
            return (hand[at], *(channel + card for card in further))
    return (hand[at],)


def play_out(state: State, policy: Policy, stream: Stream) -> State:
    """Play a state to the end, in place, every seat by the same policy; the state."""
    code = state.program.code
    if not state.pending:
        advance(state, None)
    while state.pending:
        choice = cast("Choice", code[state.pc])
        state.chosen = policy(state, choice, stream)
        state.pc = choice.settle(state, None)
        advance(state, None)
    return state


def random_game(program: Program, seed: int | str, game: int = 0) -> State:
    """Game number `game` under a seed, every seat by the random policy."""
    root = root_of(seed)
    state = fresh(program, root, game, memory=False)
    return play_out(state, random_policy, Stream(key_of(root, game, "bot")))
