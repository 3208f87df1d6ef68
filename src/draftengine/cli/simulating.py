"""What the commands that play many games have in common: who plays, with which engine, and what is said of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from draftengine.cli import completing
from draftengine.cli.problems import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from draftengine.api.game import Game

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


def engine_for(wanted: str, game: Game, bots: Sequence[str], games: int) -> str:
    """``kernel`` or ``reference``, and everything ready for it; people are told. Raises `UsageError`."""
    from draftengine.cli.progress import ProgressLine
    from draftengine.cli.readiness import COMPILING_TEXT, get_ready
    from draftengine.simulate import engines

    def compiling() -> AbstractContextManager[None]:
        return ProgressLine().ticking(COMPILING_TEXT, engines.COMPILES)

    try:
        engine = engines.engine_for(wanted, game, bots, games, lambda text: typer.echo(text, err=True), compiling)
    except engines.EngineError as error:
        raise UsageError(str(error)) from None
    if engine == "reference":
        get_ready(bots, game.program)
    return engine


def jobs_for(wanted: int | None, games: int, engine: str) -> int:
    """How many processes are worth starting."""
    from draftengine.processes import usable

    if wanted is not None:
        return wanted
    worth = games // (200_000 if engine == "kernel" else 5_000)
    return max(1, min(usable(), worth))
