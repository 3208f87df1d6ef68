"""The objective of a search, and the mix of policies that opponents follow in its playouts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from draftengine.engine.cards import Clear, Gather
from draftengine.engine.worth_tables import LOGISTIC_SIZE

if TYPE_CHECKING:
    from draftengine.engine.program import Program

MANY = 1 << 40
"""Number above the playouts of any search."""

SHORT_PLAYOUTS = 100
"""Number of playouts after which a search with several opponents can look further.

Fewer playouts say little about distant rounds and about the opponents' moves.
"""


class OpponentMix(NamedTuple):
    """Ascending limits for a random draw that decides how one of several opponents plays in a playout."""

    early: int
    """Below it, in the first playouts, the opponent follows its tree (see `Objective.few`)."""
    late: int
    """Below it, in later playouts, the opponent follows its tree."""
    table: int
    greedy: int
    random: int
    """Upper end of the draw; all draws are smaller."""


_ONE = 1 << 20
_TWO = 2


class Objective(Struct, frozen=True):
    """Target of a search, and conditions of its playouts."""

    near: int
    """Number of first playouts that end with the round; later ones end with the game."""
    few: int
    """Number of first playouts in which several opponents follow their trees less often."""
    by_models: bool
    """True if opponents play by models.

    Otherwise they play by their trees or, if only the searching seat has one, by the table.
    """
    by_margin: bool
    """True to maximise the margin itself; otherwise the chance to win, a logistic function of the margin."""
    logistic: tuple[tuple[int, ...], tuple[int, ...]]
    """Chance to win, at the end of a round and of the game, by margin in points.

    The first entry is for a margin of ``-LOGISTIC_SIZE / 2``.
    """
    alone: bool = False
    """True if only the searching seat has a tree, of one move: flat Monte Carlo."""

    @classmethod
    def of(cls, program: Program, lead: float, *, horizon: str = "both", alone: bool = False) -> Objective:
        """Return the objective for a program; `lead` is the usual margin of winners in points.

        Against one opponent every point counts, and playouts to the end of the round suffice. Among several, the seat
        wants to be first, which is less certain at the end of a round than at the end of the game. So far ahead a few
        playouts show only noise. Many playouts show what the end of a round does not, unless only points last.
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
    """Return the chance to win by margin, in parts of `_ONE`, for a logistic curve of this width."""
    return tuple(
        int(_ONE / (1 + math.exp(max(min(-margin / width, 40.0), -40.0))))
        for margin in range(-LOGISTIC_SIZE // 2, LOGISTIC_SIZE // 2)
    )


def _only_points_last(program: Program) -> bool:
    """True if only points and chips last from one round to the next.

    The end of a round then says everything, because the rounds to come are equal for all seats.
    """
    cleared = any(isinstance(step, Clear | Gather) for step in program.code)
    return cleared and not (program.keep_bits or program.markers or program.rules_at_end)
