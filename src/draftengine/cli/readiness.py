"""What bots do once before they play, with a line that says so."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draftengine.engine.program import Program


def get_ready(seats: Iterable[str], program: Program, *, quiet: bool = False) -> None:
    """Let the bots of some seats learn what they have to (see `draftengine.bots.readiness`)."""
    from draftengine.bots.seats import prepare
    from draftengine.bots.sharing import in_processes
    from draftengine.cli.progress import ProgressLine
    from draftengine.play.session import HUMAN
    from draftengine.processes import usable

    line = ProgressLine(quiet=quiet)
    told: set[str] = set()

    def tell(what: str, share: float) -> None:
        if what not in told and not quiet and not line.visible:
            sys.stderr.write(f"{_WORDS[what]} (only this once).\n")
        told.add(what)
        line.say(f"{_WORDS[what]} (only this once) …" + (f" {share:.0%}" if share else ""))

    with in_processes(usable()):
        prepare([seat for seat in seats if seat != HUMAN], program, tell)
    if told:
        line.clear()


_WORDS = {
    "compiling": "Compiling the kernel, which takes a minute or two",
    "learning": "The bots are learning the cards of this game",
}
