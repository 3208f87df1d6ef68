"""Regret: the points that sampled choices lost in the judgement of an adviser.

The adviser is asked twice, with different random streams: first for its own choice, then for the values of that choice
and of the choice made. With one stream, a searching adviser would overrate its own choice, which it picks partly for
lucky playouts. It would then find regret even in the choices of an identical bot.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.kernel.worth_tables import SCALE
from draftengine.engine.moves import legal_moves
from draftengine.engine.observe import observe
from draftengine.studies.draft import tally as at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.bots import Decision, SeatedBot
    from draftengine.engine.chance import Stream
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.state import GameState
    from draftengine.studies.draft.tally import DraftLayout


class Chosen(Struct, frozen=True):
    """One choice that a seat made, with what the seat could see."""

    seen: Observation
    turn: int
    """Turn of the round."""
    move: Move


class Sample:
    """Uniform sample of the choices of a game with more than one legal move (Vitter's algorithm R)."""

    def __init__(self, size: int, stream: Stream) -> None:
        self.size = size
        self.stream = stream
        self.offered = 0
        self.kept: list[Chosen] = []

    def offer(self, state: GameState, seat: int, turn: int, move: Move) -> None:
        """Offer the choice of a move by a seat to the sample, before the move is carried out."""
        if legal_moves(state, seat).total == 1:
            return
        self.offered += 1
        if len(self.kept) < self.size:
            self.kept.append(Chosen(observe(state, seat), turn, move))
        elif (place := self.stream.below(self.offered)) < self.size:
            self.kept[place] = Chosen(observe(state, seat), turn, move)


def judge(
    sample: Sample, advisers: Sequence[tuple[SeatedBot, SeatedBot]], tally: list[int], shape: DraftLayout
) -> None:
    """Add the points that the sampled choices lost to `tally`.

    `advisers` has two copies of the adviser for each seat, which differ in their random streams.
    """
    for choice in sample.kept:
        first, second = advisers[choice.seen.seat]
        wanted = first.decide(choice.seen)
        if not wanted.considered:
            continue
        best = wanted.considered[0].move
        lost = (
            0.0 if sorted(best) == sorted(choice.move) else points_lost(second.decide(choice.seen), best, choice.move)
        )
        if lost is not None:
            parts = round(SCALE * lost)
            row = shape.choice(choice.seen.seat, choice.turn)
            tally[row + at.JUDGED] += 1
            tally[row + at.LOST] += parts
            tally[row + at.SQUARES] += parts * parts


def points_lost(decision: Decision, best: Move, move: Move) -> float | None:
    """Return the value of `best` minus that of `move` in a decision; ``None`` if it lacks either value.

    Moves that differ only in the order of their cards are equal.
    """
    values: dict[Move, float] = {}
    for option in decision.considered:
        values.setdefault(tuple(sorted(option.move)), option.value)
    one, two = values.get(tuple(sorted(best))), values.get(tuple(sorted(move)))
    return None if one is None or two is None else one - two
