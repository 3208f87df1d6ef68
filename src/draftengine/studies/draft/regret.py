"""Regret: what an adviser thinks that choices lost, on a sample of them.

The adviser is asked twice: what it would do and, with other chance, what that and the choice that was made are worth.
A bot that looks ahead would otherwise regret what another of its kind does: what it likes best is in part what it was
lucky with.
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
    """A choice that was made."""

    seen: Observation
    turn: int
    """Of the round."""
    move: Move


class Sample:
    """Some of the choices of a game, each alike (Vitter's algorithm R); only those between several moves."""

    def __init__(self, size: int, stream: Stream) -> None:
        self.size = size
        self.stream = stream
        self.offered = 0
        self.kept: list[Chosen] = []

    def offer(self, state: GameState, seat: int, turn: int, move: Move) -> None:
        """A seat of a state chooses a move."""
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
    """Count what the choices of a sample lost. The advisers are one bot: for each seat with two streams of chance."""
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
    """By how many points a move is worth less than another, by the values of a decision; ``None`` if it has none.

    Moves that take the same cards in another order are alike.
    """
    values: dict[Move, float] = {}
    for option in decision.considered:
        values.setdefault(tuple(sorted(option.move)), option.value)
    one, two = values.get(tuple(sorted(best))), values.get(tuple(sorted(move)))
    return None if one is None or two is None else one - two
