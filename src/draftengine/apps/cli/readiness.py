"""Preparation of bots before a game, with a progress line."""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draftengine.api.records import Program
    from draftengine.apps.play.session import Session


def get_ready(seats: Iterable[str], program: Program, *, quiet: bool = False, which: str = "") -> None:
    """Let the bots of some seats learn what they need (see `draftengine.bots.worth.tables`).

    `which` names the form of a game, if there are several.
    """
    from draftengine.apps.cli.progress import ProgressLine, bar, span
    from draftengine.bots.catalogue import prepare
    from draftengine.bots.worth.learning import in_processes
    from draftengine.bots.worth.tables import LEARNING
    from draftengine.support.processes import usable

    line, began = ProgressLine(quiet=quiet), time.monotonic()

    def tell(what: str, share: float) -> None:
        if what != LEARNING:
            line.say(_COMPILING_TEXT)
            return
        left = f"{span((1 / share - 1) * (time.monotonic() - began))} left  " if share else ""
        line.say(f"{bar(share)} {share:4.0%}  {left}{_LEARNING_TEXT.format(f' in form {which}' if which else '')}")

    with in_processes(usable()):
        prepare(seats, program, tell)
    line.clear()


def ready_to_play(session: Session, *, learn: bool, quiet: bool) -> str:
    """Prepare bots and hints. Return the sentence to show about how they know the cards, or an empty one.

    They learn first only with `learn`. Otherwise they use what is known of these rules or of a similar game; without
    either, another process learns during the game. With people, the bots are prepared while those see the first screen.
    """
    from draftengine.apps.play.session import HUMAN
    from draftengine.bots.catalogue import learners
    from draftengine.bots.worth.tables import do_without, is_learned, lender

    program = session.game.program
    bots = learners(seat for seat in session.seats if seat != HUMAN)
    if not bots and not session.humans:
        return ""
    if learn:
        get_ready(bots or ["table"], program, quiet=quiet)
        return ""
    kept = lender(program)
    if kept is not None:
        others = f" with {', '.join(kept.selected)}" if kept.selected else ""
        return (
            f"Nobody has learnt these rules yet: bots and hints go by what is known of {kept.cardset} for "
            f"{kept.players} players{others}. With --learn they learn these rules first, which takes some seconds."
        )
    known = is_learned(program)
    if not known:
        do_without(program, learn=bool(bots))
    session.prepare = partial(get_ready, bots, program, quiet=quiet or bool(session.humans))
    return "" if known or not bots else _MEANWHILE


_MEANWHILE = (
    "Nobody has played this game before: the bots look at points alone, and learn its cards meanwhile for the next "
    "time. With --learn they learn first."
)
_LEARNING_TEXT = "The bots are learning this game{} (only this once)"
_COMPILING_TEXT = "The bots get ready to look ahead"
