"""Games played to the end in place, one at a time, by the unspecialised kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.chance import Stream, key_of, places, root_of
from draftengine.engine.kernel.running import advance
from draftengine.engine.moves import choice_of
from draftengine.engine.policies import random_move, ready_ability
from draftengine.engine.state import GameState, initial_state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.choose import Choice
    from draftengine.engine.instruction import EventSink
    from draftengine.engine.moves import Move
    from draftengine.engine.policies import Policy
    from draftengine.engine.program import Program


def play_by(state: GameState, policies: Sequence[Policy], stream: Stream, tell: EventSink = None) -> GameState:
    """Play a state to the end, in place, with a policy for each player. Return the state.

    The game does not depend on `tell`.
    """
    at_random = all(policy is random_move for policy in policies)
    if not state.pending:
        advance(state, tell)
    while state.pending:
        choice = choice_of(state)
        if at_random:
            state.chosen = random_moves(state, choice, stream)
        else:
            state.chosen = {seat: policies[seat](state, choice, seat, stream) for seat in state.pending}
        state.pc = choice.settle(state, tell)
        advance(state, tell)
    return state


def random_moves(state: GameState, choice: Choice, stream: Stream) -> dict[int, Move]:
    """Return a random move for each pending seat, where all seats choose at random.

    From hands of equal size, all places are drawn at once with few words of the stream. A move names cards by face or
    form, so hands are reordered: the card drawn is then the first that its name takes.
    """
    if not (choice.ordinary and choice.has_equal_sizes(state)):
        return {seat: random_move(state, choice, seat, stream) for seat in state.pending}
    drawn = places(stream, len(state.zones[choice.source][0]), len(state.pending))
    return {
        seat: _with_ability(state, choice, seat, index, stream)
        for seat, index in zip(state.pending, drawn, strict=True)
    }


def _with_ability(state: GameState, choice: Choice, seat: int, index: int, stream: Stream) -> Move:
    """Return the move of the card at a place of the hand and, by a coin, one more with an ability."""
    hand = state.zones[choice.source][seat]
    card = hand.pop(index)
    move: Move = (card,)
    ability = ready_ability(state, choice, seat, tuple(hand), move)
    if ability >= 0 and stream.below(2):
        more = hand.pop(stream.below(len(hand)))
        _put_first(hand, more)
        move = (card, (1 + ability) * state.program.width + more)
    _put_first(hand, card)
    return move


def _put_first(hand: list[int], card: int) -> None:
    """Insert a card before its equals, so that it is the one that its name takes."""
    hand.insert(hand.index(card) if card in hand else len(hand), card)


def game_by(
    program: Program, policies: Sequence[Policy], seed: int | str, game: int, *, tell: EventSink = None
) -> GameState:
    """Play game number `game` of a seed, with a policy for each player."""
    root = root_of(seed)
    return play_by(initial_state(program, root, game, memory=False), policies, Stream(key_of(root, game, "bot")), tell)


def random_game(program: Program, seed: int | str, game: int = 0, *, tell: EventSink = None) -> GameState:
    """Play game number `game` of a seed, with every seat at random."""
    return game_by(program, (random_move,) * program.players, seed, game, tell=tell)
