"""Node counts by the engine: through its public calls, for any card set.

Positions that are the same are walked once, with how often they are reached.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import TYPE_CHECKING

from draftengine.engine.game import commit, waiting
from draftengine.engine.moves import choice_of, legal_moves
from draftengine.engine.position import Position, set_up

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.engine.moves import Move
    from draftengine.engine.program import Program
    from draftengine.engine.state import State


def actions(state: State, seat: int) -> list[Move]:
    """The legal moves of a seat, each once, however its cards are ordered; except where one may go on another."""
    width = state.program.width
    found: dict[object, Move] = {}
    for move in legal_moves(state, seat):
        cards = [code % width for code in move]
        found.setdefault(tuple(cards if _order_counts(state, cards) else sorted(cards)), move)
    return list(found.values())


def _order_counts(state: State, cards: list[int]) -> bool:
    """Does one of the cards modify another."""
    program = state.program
    modifying = {
        program.card_index(program.modifier_of[bits].card) for card in cards for bits in program.plays[card].modifiers
    }
    return bool(modifying & set(cards))


def turn(state: State) -> Iterator[tuple[object, State]]:
    """Every joint action of a turn, offers after the reveal included, with the state that follows."""
    for joint, following in _choice(state):
        if not following.over and choice_of(following).offer:
            for more, end in _choice(following):
                yield (joint, more), end
        else:
            yield joint, following


def _choice(state: State) -> Iterator[tuple[object, State]]:
    seats = waiting(state)
    for joint in product(*(actions(state, seat) for seat in seats)):
        following = state
        for seat, move in zip(seats, joint, strict=True):
            following = commit(following, seat, move).state
        yield tuple(zip(seats, joint, strict=True)), following


def key(state: State) -> object:
    """What makes two positions the same: what lies where, whatever its order, and the counters."""
    contents = tuple(tuple(tuple(sorted(owner)) for owner in zone) for zone in state.zones)
    return contents, tuple(state.words), tuple(state.scores), state.pc


def count(program: Program, hands: list[list[str]], tables: list[list[str]]) -> dict[str, object]:
    """The figures of a vector, in the last round."""
    position = Position(tables=tuple(map(tuple, tables)), hands=tuple(map(tuple, hands)), round=program.model.rounds)
    start = set_up(program, position).state
    level: dict[object, tuple[State, int]] = {key(start): (start, 1)}
    nodes, unique = [], []
    while not all(state.over for state, _ in level.values()):
        following: dict[object, tuple[State, int]] = {}
        for state, copies in level.values():
            for _, end in turn(state):
                known = following.get(key(end), (end, 0))
                following[key(end)] = (end, known[1] + copies)
        level = following
        nodes.append(sum(copies for _, copies in level.values()))
        unique.append(len(level))
    totals = Counter()
    for state, copies in level.values():
        totals[tuple(state.scores)] += copies
    return {
        "nodes": nodes,
        "unique": unique[:-1],
        "leaves": nodes[-1],
        "scores": len(totals),
        "checksum": sum(
            copies * (seat + 1) * points for scores, copies in totals.items() for seat, points in enumerate(scores)
        ),
        "divide": sorted(_leaves(end) for _, end in turn(start)),
    }


def _leaves(state: State) -> int:
    return 1 if state.over else sum(_leaves(end) for _, end in turn(state))
