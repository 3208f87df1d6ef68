"""What the commands that play many games have in common: who plays, with which engine, and what is said of it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from draftengine.cli import completing
from draftengine.cli.problems import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.program import Program

Bots = Annotated[
    str,
    typer.Option(
        "--bots",
        metavar="A,B,...",
        autocompletion=completing.bots,
        help="Who plays, seat by seat (see bots); those named take turns if there are more seats.",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option("--jobs", "-j", metavar="N", min=1, help="How many processes play; by default one for each core."),
]
Where = Annotated[
    str,
    typer.Option(
        "--executor",
        metavar="ADDRESS",
        help="Play on a cluster: tcp://HOST:PORT (a Dask scheduler), or ray, or ray://HOST:PORT.",
        show_default=False,
    ),
]
Engine = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="auto|kernel|reference",
        autocompletion=completing.engines,
        help="Which engine plays. Both play the same games to the same ends.",
    ),
]

_BREAK_EVEN = {"random": 20_000, "greedy": 1_000}
"""So many games the reference engine plays while the kernel gets ready."""
_SAMPLE = 0.3
"""So many seconds of playing tell how long the reference engine would take for all games."""


def bots_for(names: str, players: int) -> tuple[str, ...]:
    """A bot for every player. Raises `UsageError`."""
    from draftengine.bots.catalogue import wanted
    from draftengine.bots.protocol import BotError

    listed = [name.strip() for name in names.split(",") if name.strip()]
    if not listed or len(listed) > players:
        raise UsageError(f"--bots names {len(listed)} bots, and {players} play.")
    for name in listed:
        try:
            wanted(name)
        except BotError as error:
            raise UsageError(str(error)) from None
    return tuple(listed[seat % len(listed)] for seat in range(players))


def engine_for(wanted: str, program: Program, bots: Sequence[str], games: int) -> str:
    """``kernel`` or ``reference``, and everything ready for it; people are told. Raises `UsageError`."""
    from draftengine.cli.readiness import get_ready

    engine = _engine(wanted, program, bots, games)
    if engine == "reference":
        get_ready(bots, program)
    return engine


def _engine(wanted: str, program: Program, bots: Sequence[str], games: int) -> str:
    from draftengine.cli.progress import ProgressLine
    from draftengine.cli.readiness import COMPILES, COMPILING_TEXT
    from draftengine.kernel import is_installed
    from draftengine.simulate.playing import player_of, why_not_kernel

    if wanted not in {"auto", "kernel", "reference"}:
        raise UsageError(f"There is no engine “{wanted}”: it is auto, kernel or reference.")
    slowest = "random" if set(bots) <= {"random"} else "greedy"
    if wanted == "reference" or (wanted == "auto" and games < _BREAK_EVEN[slowest]):
        return "reference"
    reason = why_not_kernel(program, bots)
    if reason:
        if wanted == "kernel":
            raise UsageError(f"The kernel cannot play this: {reason}.")
        _note(f"Playing with the reference engine, which is slower: {reason}.")
        return "reference"
    assert is_installed()
    from draftengine.kernel.cache import is_warm

    if not is_warm():
        if wanted == "auto" and _seconds_without(program, bots, games) < COMPILES:
            return "reference"
        with ProgressLine().ticking(COMPILING_TEXT, COMPILES):
            # Here and now, so that several processes don't all do it.
            player_of(program, bots, "kernel", logged=False).warm_up()
    return "kernel"


def _seconds_without(program: Program, bots: Sequence[str], games: int) -> float:
    """About how long the reference engine takes for all games, in as many processes as there may be."""
    from time import perf_counter

    from draftengine.processes import usable
    from draftengine.simulate.playing import player_of

    player, played, began = player_of(program, bots, "reference", logged=False), 0, perf_counter()
    while perf_counter() - began < _SAMPLE:
        player.play(0, played, played + 1, rows=False)
        played += 1
    return (perf_counter() - began) * games / played / usable()


def _note(text: str) -> None:
    sys.stderr.write(text + "\n")


def jobs_for(wanted: int | None, games: int, engine: str) -> int:
    """How many processes are worth starting."""
    from draftengine.processes import usable

    if wanted is not None:
        return wanted
    worth = games // (200_000 if engine == "kernel" else 5_000)
    return max(1, min(usable(), worth))
