"""What bots do once before they play, with a line that says so."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from contextlib import ExitStack
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draftengine.engine.program import Program


def get_ready(seats: Iterable[str], program: Program, *, quiet: bool = False) -> None:
    """Let the bots of some seats learn what they have to (see `draftengine.bots.readiness`)."""
    from draftengine.bots.readiness import COMPILING, LEARNING
    from draftengine.bots.seats import prepare
    from draftengine.bots.sharing import in_processes
    from draftengine.cli.progress import ProgressLine
    from draftengine.play.session import HUMAN
    from draftengine.processes import usable

    line = ProgressLine(quiet=quiet)
    told: set[str] = set()
    ticking = ExitStack()

    def tell(what: str, share: float) -> None:
        if what not in told:
            ticking.close()
            told.add(what)
            if what == COMPILING:
                from draftengine.simulate.engines import COMPILES

                ticking.enter_context(line.ticking(COMPILING_TEXT, COMPILES))
            elif not quiet and not line.visible:
                sys.stderr.write(f"{_LEARNING_TEXT}.\n")
        if what == LEARNING:
            line.say(f"{_LEARNING_TEXT} …" + (f" {share:.0%}" if share else ""))

    with in_processes(usable()), ticking:
        prepare([seat for seat in seats if seat != HUMAN], program, tell)
    if told:
        line.clear()


COMPILING_TEXT = "Compiling the kernel (only this once)"
_LEARNING_TEXT = "The bots are learning the cards of this game (only this once)"
