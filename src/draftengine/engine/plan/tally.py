"""The part of a plan that games need if they are only counted in a tally."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from draftengine.engine.accounting import TallyLayout, sources_of
from draftengine.engine.plan.base import BasePlan

if TYPE_CHECKING:
    from draftengine.engine.program import Program


class Counting(BasePlan):
    """A game as its tally needs it (see `draftengine.engine.kernel.tally`)."""

    plain: Literal[False] = False
    """True for games played one at a time on the unspecialised kernel (see `draftengine.engine.plain`)."""
    can_run_short: Literal[False] = False
    """True if games may begin from a position laid out by hand, in which proved sizes do not hold."""
    watched: Literal[False] = False
    """True if an observer hears what happens (see `draftengine.engine.observers`)."""

    def __init__(self, program: Program, *, logged: bool) -> None:
        """Derive the layout of the tally; with `logged`, every play is counted."""
        super().__init__(program)
        self.logged = logged
        self.sources = sources_of(program)
        self.shape = TallyLayout.of(program, logged=logged)
        """Size of the tally, and the start of each of its parts."""
        self.columns = self.shape.seats * (1 + self.shape.sources) + 1
        """Length of one game's row, without its plays."""
