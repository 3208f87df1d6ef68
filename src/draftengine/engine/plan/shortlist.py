"""Choosing where there are more moves than anybody can look at: at random, or a few good ones card by card.

Where moves are few (`draftengine.engine.offer.Moves.few`), each is looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from draftengine.engine.chance import Stream
    from draftengine.engine.moves import Move, Moves

    Rate = Callable[[Sequence[Move]], Sequence[float]]
    """What moves are worth, also those that are not whole yet."""

WIDTH = 4
"""So many beginnings of moves are followed at a time."""
_WORD_BITS, _SPARE_BITS = 64, 32


def shortlist(moves: Moves, rate: Rate, chosen: Move = ()) -> Sequence[Move]:
    """All moves if there are not too many; otherwise good ones that begin with `chosen`, in the order of finding them.

    They are found by a beam search: card by card, the best beginnings go on. Of beginnings that take the same cards in
    another order only the better one does.
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
        begun = _best(longer, rate)
    return tuple(whole)


class BestMoves(NamedTuple):
    """A best move, and the moves that were compared with what each is worth."""

    move: Move
    moves: Sequence[Move]
    values: Sequence[float]


def best_of(moves: Moves, rate: Rate, stream: Stream) -> BestMoves:
    """The move of largest value among those of a `shortlist`; of equal ones any."""
    compared = shortlist(moves, rate)
    values = rate(compared)
    best = max(values)
    ties = [move for move, value in zip(compared, values, strict=True) if value == best]
    return BestMoves(ties[stream.below(len(ties))], compared, values)


def _best(begun: Sequence[Move], rate: Rate) -> list[Move]:
    rated = sorted(zip(rate(begun), begun, strict=True), key=_value, reverse=True)
    return _without_other_orders(codes for _, codes in rated)[:WIDTH]


def _value(rated: tuple[float, Move]) -> float:
    return rated[0]


def _without_other_orders(begun: Iterable[Move]) -> list[Move]:
    distinct: dict[Move, Move] = {}
    for codes in begun:
        distinct.setdefault(tuple(sorted(codes)), codes)
    return list(distinct.values())


def any_of(moves: Moves, stream: Stream) -> Move:
    """A uniformly random move: one word of the stream, or more where there are more than two to the 32nd moves."""
    words = -(-(moves.total.bit_length() + _SPARE_BITS - 1) // _WORD_BITS)
    if words == 1:
        return moves[stream.below(moves.total)]
    number = 0
    for _ in range(words):
        number = number << _WORD_BITS | stream.word()
    return moves[number * moves.total >> words * _WORD_BITS]
