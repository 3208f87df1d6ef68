"""What games are played with: which engine, how many processes, and what the bots have learnt.

Both engines play the same games, so it is only a question of how soon they are done. Here everything is done that has
to be done once, so that several processes don't all do it.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, NamedTuple

from draftengine.bots.learning import GAMES, ROUNDS
from draftengine.bots.readiness import compile_kernel
from draftengine.bots.seats import learners, prepare
from draftengine.bots.tables import encoded, is_learned
from draftengine.kernel import is_installed, is_ready
from draftengine.processes import usable
from draftengine.simulation.pace import pace, playouts_of
from draftengine.simulation.playing import why_not_kernel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from draftengine.api.game import Game
    from draftengine.engine.program import Program
    from draftengine.simulation.draft.playing import DraftTask

LOADS, COMPILES = 2.0, 150.0
"""Seconds that loading and compiling the kernel take on a usual machine. No work that is quicker waits for them."""
_PROCESS_TAKES = 1.0
"""A process is worth starting for so many seconds of games."""
_KERNEL_GAIN = 600
"""A process with the kernel is worth starting for so many times as many games."""


class EngineError(ValueError):
    """There is no such engine, or it cannot play the game."""


class Told(NamedTuple):
    """How people are told what is done before the first game."""

    note: Callable[[str], None]
    """Why it is the slower engine, if that might surprise."""
    compiling: Callable[[], AbstractContextManager[None]]
    """The kernel is compiled inside of this."""
    learn: Callable[[Sequence[str], Program], None]
    """Lets bots learn what they have to, and shows how far that is."""


def silently() -> Told:
    """A way to be told of preparations in which nothing is said."""
    return Told(lambda _: None, nullcontext, lambda bots, program: prepare(bots, program, lambda *_: None))


class Ready(NamedTuple):
    """The engine, the number of processes and the learnt table that games are played with."""

    engine: str
    """``kernel`` or ``reference``."""
    jobs: int
    """How many processes are worth starting."""
    table: bytes
    """What bots have learnt of the cards, for all processes."""


def to_simulate(wanted: str, game: Game, bots: Sequence[str], games: int, jobs: int | None, told: Told) -> Ready:
    """Get ready for a simulation. `wanted` is an engine, or ``auto``. Raises `EngineError`."""
    program = game.program
    if learners(bots) and not is_learned(program):
        games += ROUNDS * GAMES
    engine, seconds = _engine_for(wanted, program, bots, games, jobs or usable(), told)
    return Ready(engine, jobs or _worth_starting(seconds), _table(program, bots, told))


def to_meet(game: Game, bots: Sequence[str], games: int, jobs: int | None, told: Told) -> Ready:
    """Get ready for an arena, whose bots look for themselves whether there is a kernel."""
    program = game.program
    own = pace(program, [bots[seat % len(bots)] for seat in range(program.players)])
    _compile_if_worth_while(program, games * own.search / (jobs or usable()), told)
    return Ready("reference", jobs or _worth_starting(games * (own.game + own.search)), _table(program, bots, told))


def to_judge(look: DraftTask, jobs: int | None, told: Told) -> Ready:
    """Get ready to look at drafts, with an adviser or without."""
    program, bots = look.game.program, look.bots
    own = pace(program, bots)
    judging = look.decisions * playouts_of(look.adviser) * own.game if look.adviser else 0.0
    _compile_if_worth_while(program, judging / (jobs or usable()), told)
    seconds = look.games * (own.game + own.search) + judging
    everybody = [*bots, look.adviser] if look.adviser else bots
    return Ready("reference", jobs or _worth_starting(seconds), _table(program, everybody, told))


def _engine_for(
    wanted: str, program: Program, bots: Sequence[str], games: int, jobs: int, told: Told
) -> tuple[str, float]:
    """``kernel`` or ``reference``, and how many seconds of work that is for one process."""
    if wanted not in {"auto", "kernel", "reference"}:
        raise EngineError(f"There is no engine “{wanted}”: it is auto, kernel or reference.")
    own = pace(program, bots)
    seconds = games * (own.game + own.search)
    if wanted == "reference" or (wanted == "auto" and seconds / jobs < LOADS):
        return "reference", seconds
    reason = why_not_kernel(program, bots)
    if reason and wanted == "kernel":
        raise EngineError(f"The kernel cannot play this: {reason}.")
    if reason:
        told.note(f"Playing with the reference engine, which is slower: {reason}.")
        _compile_if_worth_while(program, games * own.search / jobs, told)
        return "reference", seconds
    if not is_ready():
        if wanted == "auto" and seconds / jobs < COMPILES:
            return "reference", seconds
        with told.compiling():
            compile_kernel(program)
    return "kernel", seconds / _KERNEL_GAIN


def _compile_if_worth_while(program: Program, seconds: float, told: Told) -> None:
    """Compile the kernel for bots that look ahead, if without it they would do so for longer than that takes."""
    if seconds > COMPILES and is_installed() and not is_ready():
        with told.compiling():
            compile_kernel(program)


def _table(program: Program, bots: Sequence[str], told: Told) -> bytes:
    """What the bots have learnt, which they do now if nobody has before; nothing if none of them has to learn."""
    if not learners(bots):
        return b""
    told.learn(bots, program)
    return encoded(program)


def _worth_starting(seconds: float) -> int:
    """How many processes are worth starting for so much work of one."""
    return max(1, min(usable(), int(seconds / _PROCESS_TAKES)))
