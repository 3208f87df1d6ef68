"""Policies of interpreted games, and functions that play games to the end.

A policy is a function of the state, the choice, the seat and a stream of chance. It reads the state itself, including
hidden cards, so people play against bots instead. `draftengine.engine.kernel.policies` has the same policies, and makes
the same random draws.

If there are too many moves to evaluate, a beam search finds good ones, the *shortlist*. If there are few
(`draftengine.engine.offer.Moves.few`), all moves are evaluated.

A *worth table* estimates the value of a card beyond the points that the card gives immediately. The estimate depends on
the play, on the counter to which the play adds, and on the turn of the round. The third card of a set of three has no
such worth; the first card, early in the round, has much. Tables are learnt in self-play (`draftengine.bots`). Values
are integers, in units of 1 / `SCALE` points, so that all engines choose equal moves.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from operator import itemgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, cast

from msgspec import Struct

from draftengine.engine.chance import Stream, key_of, places, root_of
from draftengine.engine.kernel.expected_gain import SCALE, start_of, worth_of_move
from draftengine.engine.kernel.running import advance, settle
from draftengine.engine.moves import choice_of, items_by, items_of, legal_moves, open_ways, own_count, uses_of
from draftengine.engine.offer import WIDTH
from draftengine.engine.plain import number_of, plan_of, record_of
from draftengine.engine.plan.base import LEVELS, ROUNDS_LEFT, TURNS, distinguishing_counters
from draftengine.engine.public_state import PublicState, rises
from draftengine.engine.state import GameState, initial_state

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from draftengine.engine.choose import Choice
    from draftengine.engine.events import EventSink
    from draftengine.engine.moves import Move, Moves
    from draftengine.engine.program import Program
    from draftengine.engine.state import MoveScratch

    Rate = Callable[[Sequence[Move]], Sequence[float]]
    """A function that evaluates moves, including moves that are not complete yet."""

_WORD_BITS, _SPARE_BITS = 64, 32


def shortlist(moves: Moves, rate: Rate, chosen: Move = ()) -> Sequence[Move]:
    """Return all moves if they are few, otherwise good moves that begin with `chosen`.

    A beam search finds the good moves: it adds card by card and keeps the best unfinished moves. Among those with
    the same cards in different orders, only the best is kept. Moves are returned in the order in which they were
    found.
    """
    if moves.few:
        return moves
    begun, whole = [tuple(chosen)], []
    while begun:
        longer = []
        for codes in begun:
            following = moves.next(codes)
            if following.whole:
                whole.append(codes)
            longer += [(*codes, code) for code in following.codes]
        rated = sorted(zip(rate(longer), longer, strict=True), key=itemgetter(0), reverse=True)
        distinct: dict[Move, Move] = {}
        for _, codes in rated:
            distinct.setdefault(tuple(sorted(codes)), codes)
        begun = list(distinct.values())[:WIDTH]
    return tuple(whole)


class BestMoves(NamedTuple):
    """The best move of a seat, and the moves with which it was compared."""

    move: Move
    moves: Sequence[Move]
    values: Sequence[float]


def best_of(moves: Moves, rate: Rate, stream: Stream) -> BestMoves:
    """Return the move of largest value in a `shortlist`. Ties are broken at random."""
    compared = shortlist(moves, rate)
    values = rate(compared)
    best = max(values)
    ties = [move for move, value in zip(compared, values, strict=True) if value == best]
    return BestMoves(ties[stream.below(len(ties))], compared, values)


def any_of(moves: Moves, stream: Stream) -> Move:
    """Return a random move; all moves are equally likely.

    It uses one word of the stream, or more if the number of moves exceeds 32 bits.
    """
    words = -(-(moves.total.bit_length() + _SPARE_BITS - 1) // _WORD_BITS)
    if words == 1:
        return moves[stream.below(moves.total)]
    number = 0
    for _ in range(words):
        number = number << _WORD_BITS | stream.word()
    return moves[number * moves.total >> words * _WORD_BITS]


Policy = Callable[["GameState", "Choice", int, "Stream"], "Move"]


def any_move(state: GameState, seat: int, stream: Stream) -> Move:
    """Return a random legal move; all moves are equally likely."""
    return any_of(legal_moves(state, seat), stream)


def random_move(state: GameState, choice: Choice, seat: int, stream: Stream) -> Move:
    """Draw a move: each physical card (or open place) is equally likely, then each form of the card.

    With actions, first each open action is equally likely, then each card that the action accepts. If an ability is
    ready and enough cards are left for it, the first such ability is used once with probability one half.
    """
    if choice.actions:
        ways = open_ways(state, choice, seat)
        way, count = ways[stream.below(len(ways))] if len(ways) > 1 else ways[0]
        if not count:
            return (choice.cardless_item(way),)
        laying = choice.actions[way].laying
        stock = [card for card in laying.held(state, seat) if items_by(state, choice, seat, card, way)]
        picks = _draw(state, laying, seat, stock, count, stream)
        assert picks is not None, "every card that an action accepts can be named"
        return tuple([way * choice.items_per_action + option for option in picks])
    stock = choice.open_places(state) if choice.layout else choice.cards_of(state, seat)
    picks = _draw(state, choice, seat, stock, min(own_count(state, choice, seat), len(stock)), stream)
    if picks is None:
        return any_move(state, seat, stream)
    move = picks
    ability = ready_ability(state, choice, seat, tuple(stock), picks)
    if ability >= 0 and stream.below(2):  # a coin decides to use it
        take, wider = state.program.abilities[ability].model.take, list(choice.uncovered(state, tuple(stock), picks))
        more = _draw(state, choice, seat, wider, take, stream)
        if more is not None:
            move += tuple((1 + ability) * state.program.width + item for item in more)
            stock = wider
    for channel, other, cards in choice.parts_for_others(state, seat):
        for_other = _draw(state, choice, other, stock, min(cards, len(stock)), stream)
        if for_other is None:
            return any_move(state, seat, stream)
        move += tuple(channel * state.program.width + item for item in for_other)
    return move


def _draw(state: GameState, choice: Choice, seat: int, stock: list[int], count: int, stream: Stream) -> Move | None:
    """Draw cards and their forms, and remove the cards from the stock.

    Returns ``None`` if no remaining card can be taken.
    """
    picks: list[int] = []
    for _ in range(count):
        if state.program.simple or choice.layout:
            picks.append(stock.pop(stream.below(len(stock))))
            continue
        items = [items_of(state, choice, seat, card) for card in stock]
        places = [place for place, item in enumerate(items) if item]
        if not places:
            return None
        place = places[stream.below(len(places))]
        del stock[place]
        forms = items[place]
        picks.append(forms[stream.below(len(forms))] if len(forms) > 1 else forms[0])
    return tuple(picks)


def ready_ability(state: GameState, choice: Choice, seat: int, stock: tuple[int, ...], picks: Move) -> int:
    """Return the first ability that the seat may use after its picks, with enough cards left; -1 if none."""
    for ability in choice.abilities:
        if (
            uses_of(state, choice, ability, seat)
            and choice.left_for_ability(state, seat, stock, picks) >= state.program.abilities[ability].model.take
        ):
            return ability
    return -1


def greedy_move(state: GameState, choice: Choice, seat: int, stream: Stream) -> Move:
    """Return the move with the largest rise of the provisional score; ties are broken at random."""
    public = PublicState.of_state(state)
    return best_of(legal_moves(state, seat), lambda some: rises(public, choice, seat, some), stream).move


POLICIES: Mapping[str, Policy] = MappingProxyType({"random": random_move, "greedy": greedy_move})
"""The policies by name. The bots ``random`` and ``greedy`` follow them."""


def play_by(
    state: GameState,
    policies: Sequence[Policy],
    stream: Stream,
    tell: EventSink = None,
    note: Callable[[Choice, Mapping[int, Move]], None] | None = None,
) -> GameState:
    """Play a state to the end, in place, with a policy for each player. Return the state.

    `note` gets the moves of every choice before they are carried out. Neither `tell` nor `note` affects the game.
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
        if note is not None:
            note(choice, state.chosen)
        settle(state, choice, tell)
        advance(state, tell)
    return state


def random_moves(state: GameState, choice: Choice, stream: Stream) -> dict[int, Move]:
    """Return a random move for each pending seat, in games in which all seats choose at random.

    If hands have equal sizes, the cards of all seats are drawn at once, which takes few words from the random stream.
    A move names a face or form, not a physical card. So each hand is reordered: the drawn card comes before all others
    with its name.
    """
    if not (choice.ordinary and choice.has_equal_sizes(state)):
        return {seat: random_move(state, choice, seat, stream) for seat in state.pending}
    drawn = places(stream, len(state.zones[choice.source][0]), len(state.pending))
    moves: dict[int, Move] = {}
    for seat, index in zip(state.pending, drawn, strict=True):
        hand = state.zones[choice.source][seat]
        card = hand.pop(index)
        moves[seat] = (card,)
        ability = ready_ability(state, choice, seat, tuple(hand), moves[seat])
        if ability >= 0 and stream.below(2):
            more = hand.pop(stream.below(len(hand)))
            _put_first(hand, more)
            moves[seat] = (card, (1 + ability) * state.program.width + more)
        _put_first(hand, card)
    return moves


def _put_first(hand: list[int], card: int) -> None:
    """Move a card in the hand before all equal cards, so that a move which names the card takes this copy."""
    hand.insert(hand.index(card) if card in hand else len(hand), card)


def game_by(
    program: Program, policies: Sequence[Policy], seed: int | str, game: int, *, tell: EventSink = None
) -> GameState:
    """Play game number `game` of a seed, with a policy for each player. Return the final state."""
    root = root_of(seed)
    return play_by(initial_state(program, root, game, memory=False), policies, Stream(key_of(root, game, "bot")), tell)


def random_game(program: Program, seed: int | str, game: int = 0, *, tell: EventSink = None) -> GameState:
    """Play game number `game` of a seed, with every seat at random. Return the final state."""
    return game_by(program, (random_move,) * program.players, seed, game, tell=tell)


LOGISTIC_SIZE = 1024
"""The number of margins, in points, for which the chance to win is tabulated; half are negative."""


class Worth(Struct, frozen=True, dict=True):
    """A worth table. Its values are integers, in units of 1 / `SCALE` points."""

    program: Program
    counters: tuple[tuple[int, int, int], ...]
    """For each play, the shift, mask and offset of the counter whose value selects the row."""
    values: tuple[int, ...]
    """The values by remaining rounds, played (0) or put aside (1), play, value of its counter, and turn."""

    @cached_property
    def worth(self) -> list[int]:
        """`values` in another order: by remaining rounds, played or put aside, turn, play and counter value."""
        block = len(self.counters) * LEVELS * TURNS
        return [
            value
            for start in range(0, 2 * ROUNDS_LEFT * block, block)
            for turn in range(start, start + TURNS)
            for value in self.values[turn : start + block : TURNS]
        ]


def no_worth(program: Program) -> Worth:
    """Return a worth table of zeros."""
    return Worth(program, distinguishing_counters(program), (0,) * size_of(program))


def size_of(program: Program) -> int:
    """Compute the number of entries in a worth table."""
    return ROUNDS_LEFT * 2 * len(program.plays) * LEVELS * TURNS


def values_of(public: PublicState, choice: Choice, seat: int, moves: Sequence[Move], worth: Worth) -> list[int]:
    """Compute the value of each move: the rise of the provisional score plus the worth of its cards."""
    state, plan = record_of(cast("GameState", public)), plan_of(public.program)
    points, first, table = public.program.direction * SCALE, start_of(state, plan, choice), cast("MoveScratch", worth)
    return [
        points * gain + worth_of_move(state, table, plan, choice, seat, first, number_of(move))
        for move, gain in zip(moves, rises(public, choice, seat, moves), strict=True)
    ]


def by_table(worth: Worth, *, explore: int = 0) -> Policy:
    """Return the policy that plays a move of largest value. Ties are broken at random.

    If `explore` is a number *n*, then on average one in *n* moves is drawn from all legal moves.
    """

    def policy(state: GameState, choice: Choice, seat: int, stream: Stream) -> Move:
        legal = legal_moves(state, seat)
        if explore and not stream.below(explore):
            return any_of(legal, stream)
        public = PublicState.of_state(state)
        return best_of(legal, lambda some: values_of(public, choice, seat, some, worth), stream).move

    return policy
