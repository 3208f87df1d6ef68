"""Games played to the end in place, without events: for simulation and rollouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from draftengine.engine.chance import MASK, SHARED_DRAWS, Stream, key_of, root_of
from draftengine.engine.flow.instruction import advance
from draftengine.engine.moves import choice_of, legal_moves
from draftengine.engine.state import State, fresh

if TYPE_CHECKING:
    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.flow.instruction import Tell
    from draftengine.engine.moves import Move
    from draftengine.engine.program import Program

Policy = Callable[[State, "Choice", int], "Move"]
"""A move of a seat that has to choose. Policies see the state: they are for rollouts, not for opponents."""


def play_out(state: State, policy: Policy) -> State:
    """Play a state to the end, in place, every seat by the same policy; the state."""
    if not state.pending:
        advance(state, None)
    while state.pending:
        choice = choice_of(state)
        state.chosen = {seat: policy(state, choice, seat) for seat in state.pending}
        state.pc = choice.settle(state, None)
        advance(state, None)
    return state


def play_randomly(state: State, stream: Stream) -> State:
    """Play a state to the end, in place, at random; the state.

    In an ordinary choice every physical card is alike; with an ability ready and cards left for it, further cards are
    taken with probability one half, uniformly from the rest. In other choices every legal move is alike.
    """
    if not state.pending:
        advance(state, None)
    code = state.program.code

    def further(state: State, seat: int, at: int) -> Move:
        return _with_ability(state, choice_of(state), seat, at, stream)

    while state.pending:
        choice = cast("Choice", code[state.pc])
        if choice.ordinary:
            state.pc = choice.settle_at_random(state, stream, further)
        else:
            state.chosen = {seat: any_move(state, seat, stream) for seat in state.pending}
            state.pc = choice.settle(state, None)
        advance(state, None)
    return state


def _tell_randomly(state: State, stream: Stream, tell: Tell) -> State:
    """The same game as `play_randomly`, step by step, with its events."""
    advance(state, tell)
    while state.pending:
        choice = choice_of(state)
        state.chosen = random_moves(state, choice, stream)
        state.pc = choice.settle(state, tell)
        advance(state, tell)
    return state


def random_moves(state: State, choice: Choice, stream: Stream) -> dict[int, Move]:
    """What `Choice.settle_at_random` would choose, from the same words of the stream, as moves."""
    if not choice.ordinary:
        return {seat: any_move(state, seat, stream) for seat in state.pending}
    moves: dict[int, Move] = {}
    word = left = 0
    for seat in state.pending:
        if not left:
            word, left = stream.word(), SHARED_DRAWS
        left -= 1
        hand = state.zones[choice.source][seat]
        word *= len(hand)
        moves[seat] = _with_ability(state, choice, seat, word >> 64, stream)
        word &= MASK
    return moves


def any_move(state: State, seat: int, stream: Stream) -> Move:
    """A uniformly random legal move."""
    moves = legal_moves(state, seat)
    return moves[stream.below(len(moves))]


def _with_ability(state: State, choice: Choice, seat: int, at: int, stream: Stream) -> Move:
    """The card at a place of the hand and, by a coin, further ones with the first ability that is ready."""
    hand = state.zones[choice.source][seat]
    for ability in choice.abilities:
        use = state.program.abilities[ability]
        if state.words[seat] & use.field.bits and len(hand) > use.model.take:
            if not stream.below(2):
                break
            rest = hand[:at] + hand[at + 1 :]
            channel = (1 + ability) * state.program.width
            more = [rest.pop(stream.below(len(rest))) for _ in range(use.model.take)]
            return (hand[at], *(channel + card for card in more))
    return (hand[at],)


def random_game(program: Program, seed: int | str, game: int = 0, *, tell: Tell = None) -> State:
    """Game number `game` under a seed, every seat at random. The same game whether its events are told or not."""
    root = root_of(seed)
    state = fresh(program, root, game, memory=False)
    stream = Stream(key_of(root, game, "bot"))
    return play_randomly(state, stream) if tell is None else _tell_randomly(state, stream, tell)
