"""Node counts by the engine, through its public calls, for any card set.

Equal positions are visited once, with the number of sequences that reach them.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from draftengine.engine.game import commit, waiting
from draftengine.engine.moves import choice_of, legal_moves
from draftengine.engine.position import Position, set_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.engine.moves import Move
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState


def actions(state: GameState, seat: int) -> list[Move]:
    """Return the legal moves of a seat, in each order only where a card may go on another.

    The engine distinguishes the first card from one that an ability takes; here a move is the set of its cards. Where a
    card modifies another, each order is a move of its own.
    """
    width = state.program.width
    choice = choice_of(state)
    if choice.actions:
        return list(legal_moves(state, seat))
    found: dict[object, Move] = {}
    for move in legal_moves(state, seat):
        cards = [code % width for code in move if code // width < choice.first_other]
        others = [code for code in move if code // width >= choice.first_other]
        ordered = choice.layout or _order_counts(state, cards)
        found.setdefault((tuple(cards if ordered else sorted(cards)), tuple(others)), move)
    return list(found.values())


def _order_counts(state: GameState, cards: list[int]) -> bool:
    """True if one of the cards modifies another."""
    program = state.program
    modifying = {
        program.card_index(program.modifier_of[bits].card) for card in cards for bits in program.plays[card].modifiers
    }
    return bool(modifying & set(cards))


def following(state: GameState) -> Iterator[GameState]:
    """Yield the state after each joint action."""
    seats = waiting(state)
    for joint in product(*(actions(state, seat) for seat in seats)):
        reached = state
        for seat, move in zip(seats, joint, strict=True):
            reached = commit(reached, seat, move).state
        yield reached


def key(state: GameState) -> object:
    """Return what identifies a position: cards by zone, counters, markers, points and pending choices."""
    contents = tuple(
        tuple(tuple(owner) if own.layout else tuple(sorted(owner)) for owner in zone)
        for own, zone in zip(state.program.zones, state.zones, strict=True)
    )
    return contents, tuple(state.words), tuple(state.scores), tuple(state.markers), state.pc, state.pending


def result(state: GameState) -> tuple[int, ...]:
    """Return the points of every seat, with a chip as one point since its value is drawn."""
    return tuple(points + len(chips) for points, chips in zip(state.scores, state.chips, strict=True))


def count(program: Program, position: Position) -> dict[str, object]:
    """Return the figures of a vector, in the round of its position."""
    start = set_up(program, position).state
    start.memory = None  # seats' memories do not change the legal moves
    after: dict[object, list[object]] = {}
    """Positions after each joint action, by position; nothing at the end of the round."""
    level, ends = {key(start): (start, 1)}, Counter()
    nodes, unique = [], []
    while level:
        reached: dict[object, tuple[GameState, int]] = {}
        ended = Counter()
        for known, (state, copies) in level.items():
            after[known] = []
            for end in following(state):
                if end.over or end.round != position.round:
                    ended[result(end)] += copies
                    after[known].append(None)
                else:
                    same = key(end)
                    reached[same] = (end, reached.get(same, (end, 0))[1] + copies)
                    after[known].append(same)
        ends += ended
        level = reached
        nodes.append(ended.total() + sum(copies for _, copies in level.values()))
        unique.append(len(level))

    @cache
    def leaves(known: object) -> int:
        return 1 if known is None else sum(map(leaves, after[known]))

    return {
        "nodes": nodes,
        "unique": unique[:-1],
        "leaves": ends.total(),
        "scores": len(ends),
        "checksum": sum(
            copies * (seat + 1) * points for end, copies in ends.items() for seat, points in enumerate(end)
        ),
        "divide": list(map(leaves, after[key(start)])),
    }
