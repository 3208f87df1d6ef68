"""What is known of games that are only counted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from draftengine.engine.accounting import TallyLayout, sources_of
from draftengine.engine.plan.base import BasePlan

if TYPE_CHECKING:
    from draftengine.engine.program import Program


class Counting(BasePlan):
    """A game as its tally needs it (see `draftengine.engine.kernel.tally`)."""

    plain: Literal[False] = False
    """Is it played one at a time, with all that somebody may ask about it (see `draftengine.engine.plain`)."""

    def __init__(self, program: Program, *, logged: bool) -> None:
        """`logged`: every play is counted."""
        super().__init__(program)
        self.logged = logged
        self.sources = sources_of(program)
        self.shape = TallyLayout.of(program, logged=logged)
        """How large the tally of games is, and where its parts begin."""
        self.columns = self.shape.seats * (1 + self.shape.sources) + 1
        """How long the row of a game is without its plays."""
