"""Choosing a move when there are too many to evaluate: a random one, or the best of a beam search.

If moves are few (`draftengine.engine.offer.Moves.few`), all of them are evaluated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from draftengine.engine.chance import Stream
    from draftengine.engine.moves import Move, Moves

    Rate = Callable[[Sequence[Move]], Sequence[float]]
    """Function that values moves, including moves that are not complete yet."""

WIDTH = 4
"""Number of beginnings of moves that the beam search keeps."""
_WORD_BITS, _SPARE_BITS = 64, 32


def shortlist(moves: Moves, rate: Rate, chosen: Move = ()) -> Sequence[Move]:
    """Return all moves if they are few; otherwise good ones that begin with `chosen`.

    A beam search finds them: it adds card by card and keeps the best beginnings. Beginnings with equal cards in
    different orders count once, in the order of the better one. The result is in the order of finding.
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
    """The best move, and the moves that it was compared with."""

    move: Move
    moves: Sequence[Move]
    values: Sequence[float]


def best_of(moves: Moves, rate: Rate, stream: Stream) -> BestMoves:
    """Return the move of largest value among those of a `shortlist`, and a random one of equals."""
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
    """Return a uniformly random move.

    It takes one word of the stream, or more if the number of moves exceeds 32 bits.
    """
    words = -(-(moves.total.bit_length() + _SPARE_BITS - 1) // _WORD_BITS)
    if words == 1:
        return moves[stream.below(moves.total)]
    number = 0
    for _ in range(words):
        number = number << _WORD_BITS | stream.word()
    return moves[number * moves.total >> words * _WORD_BITS]
