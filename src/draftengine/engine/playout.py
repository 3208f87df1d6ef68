"""Games played to the end in place, without events: for simulation and rollouts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.flow.choose import places
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
    while state.pending:
        choice = cast("Choice", code[state.pc])
        if choice.ordinary and choice.is_even(state):
            state.pc = choice.settle_at_random(state, stream)
        else:
            state.chosen = random_moves(state, choice, stream)
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
    """A random move for every seat that has to choose (see `play_randomly`).

    A move names cards, and `Choice.settle_at_random` takes places: hands are rearranged so that both take the same.
    """
    if not (choice.ordinary and choice.is_even(state)):
        return {seat: any_move(state, seat, stream) for seat in state.pending}
    size = len(state.zones[choice.source][0])
    found = places(stream, size, len(state.pending))
    return {seat: _with_ability(state, choice, seat, at, stream) for seat, at in zip(state.pending, found, strict=True)}


def any_move(state: State, seat: int, stream: Stream) -> Move:
    """A uniformly random legal move."""
    moves = legal_moves(state, seat)
    return moves[stream.below(len(moves))]


def _with_ability(state: State, choice: Choice, seat: int, at: int, stream: Stream) -> Move:
    """The card at a place of the hand and, by a coin, a further one with an ability."""
    hand, word, program = state.zones[choice.source][seat], state.words[seat], state.program
    card = hand.pop(at)
    move: Move = (card,)
    if word & choice.ready_bits(program) and hand and stream.below(2):
        more = hand.pop(stream.below(len(hand)))
        _put_first(hand, more)
        move = (card, (1 + choice.ready_ability(program, word)) * program.width + more)
    _put_first(hand, card)
    return move


def _put_first(hand: list[int], card: int) -> None:
    """Put a card before all others like it, so that it is the one that its name takes."""
    hand.insert(hand.index(card) if card in hand else len(hand), card)


def random_game(program: Program, seed: int | str, game: int = 0, *, tell: Tell = None) -> State:
    """Game number `game` under a seed, every seat at random. The same game whether its events are told or not."""
    root = root_of(seed)
    state = fresh(program, root, game, memory=False)
    stream = Stream(key_of(root, game, "bot"))
    return play_randomly(state, stream) if tell is None else _tell_randomly(state, stream, tell)
