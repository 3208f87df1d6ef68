"""What a search maximises, and how opponents play in its playouts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from draftengine.engine.cards import Clear, Gather
from draftengine.engine.worth_tables import LOGISTIC_SIZE

if TYPE_CHECKING:
    from draftengine.engine.program import Program

MANY = 1 << 40
"""More playouts than any search has."""

SHORT_PLAYOUTS = 100
"""With several opponents so many playouts say little about what is far away, and about what the others do."""


class OpponentMix(NamedTuple):
    """How one of several opponents plays in playouts: what a draw says that is smaller than each limit."""

    early: int
    """By its tree, in the first playouts (see `Objective.few`)."""
    late: int
    """By its tree, in those that follow."""
    table: int
    greedy: int
    random: int
    """Draws are all smaller than this."""


_ONE = 1 << 20
_TWO = 2


class Objective(Struct, frozen=True):
    """What a search maximises."""

    near: int
    """So many playouts end with the round; those that follow end with the game."""
    few: int
    """In so many playouts several opponents follow their trees less often than in those that follow."""
    by_models: bool
    """Opponents play by models of them; otherwise by their trees or, if only the seat itself has one, by the table."""
    by_margin: bool
    """Look at the margin itself, otherwise at the chance to win: a logistic function of the margin."""
    logistic: tuple[tuple[int, ...], tuple[int, ...]]
    """That function at the end of a round and at the end of the game: by margin in points, from
    ``-LOGISTIC_SIZE / 2``."""
    alone: bool = False
    """Only the seat that searches has a tree, of one move: flat Monte Carlo."""

    @classmethod
    def of(cls, program: Program, lead: float, *, horizon: str = "both", alone: bool = False) -> Objective:
        """The objective for a number of players; `lead` is how far winners usually are ahead, in points.

        Against one opponent every point counts, and what is near is enough. Among several, what counts is to be first:
        at the end of a round that is less certain than at the end of the game. So far ahead a few playouts see nothing
        but chance, and many see what the end of a round does not tell, if it does not tell all.
        """
        two = program.players <= _TWO
        near = {"round": MANY, "game": 0, "both": MANY if two or _only_points_last(program) else SHORT_PLAYOUTS}[
            horizon
        ]
        wide, narrow = (_chances(width * max(lead, 1.0)) for width in (2, 1))
        models = not alone and not two
        return cls(
            near=near,
            few=SHORT_PLAYOUTS,
            by_models=models,
            by_margin=two,
            logistic=(wide, narrow),
            alone=alone,
        )


def _chances(width: float) -> tuple[int, ...]:
    """The chance to win by margin."""
    return tuple(
        int(_ONE / (1 + math.exp(max(min(-margin / width, 40.0), -40.0))))
        for margin in range(-LOGISTIC_SIZE // 2, LOGISTIC_SIZE // 2)
    )


def _only_points_last(program: Program) -> bool:
    """Does nothing but points and chips last from one round to the next.

    The end of a round tells all then: how far seats are ahead, in rounds to come that are the same for everybody.
    """
    cleared = any(isinstance(step, Clear | Gather) for step in program.code)
    return cleared and not (program.keep_bits or program.markers or program.rules_at_end)
