"""Options and helpers of the commands that play many games: bots, engines and reports."""

from __future__ import annotations

import shlex
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from draftengine.apps.cli import completion as completing
from draftengine.apps.cli.errors import INTERRUPTED, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.api.game import Game
    from draftengine.api.records import Program
    from draftengine.studies.runner.engines import PreparationProgress, PreparedEngine

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
        help="Play on a cluster: tcp://HOST:PORT of a Dask scheduler.",
        show_default=False,
    ),
]
Engine = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="auto|compiled|reference",
        autocompletion=completing.engines,
        help="Which engine plays. Both play the same games to the same ends.",
    ),
]
DEFAULT_BOTS = "table"
"""The value of `draftengine.studies.public`, which takes too long to import for a help text."""


def bots_for(names: str, players: int) -> tuple[str, ...]:
    """Return a bot for each player. Raises `UsageError`."""
    from draftengine.bots.catalogue import seats_of
    from draftengine.bots.protocol import BotError

    try:
        return seats_of(names, players)
    except BotError as error:
        raise UsageError(f"--bots {names}: {error}") from None


def told(*, quiet: bool = False, forms: int = 1) -> PreparationProgress:
    """Return how people hear about preparations before the first game; `forms` counts forms of the game."""
    from itertools import count

    from draftengine.apps.cli.readiness import get_ready
    from draftengine.studies.runner.engines import PreparationProgress

    number = count(1)

    def learn(bots: Sequence[str], program: Program) -> None:
        get_ready(bots, program, quiet=quiet, which=f"{next(number)} of {forms}" if forms > 1 else "")

    return PreparationProgress(note=lambda text: typer.echo(text, err=True), learn=learn)


def rules_named(game: Game) -> str:
    """Return a description of the rules for readers of a report."""
    with_ = f", with {', '.join(map(game.labels.variant, game.variants))}" if game.variants else ""
    return f"{game.title} {game.model.version}{with_}; {game.players} players; their hash is {game.fingerprint[:12]}"


def again() -> str:
    """Return the command line as given, so that anybody can repeat it."""
    return shlex.join(["draftengine", *sys.argv[1:]])


def conclusions(texts: Iterable[str]) -> list[str]:
    """Return the sentences below the figures, wrapped to the terminal."""
    from draftengine.apps.play.terminal_style import Style

    style = Style.of(sys.stdout)
    return [line for text in texts for line in (style.wrapped(text.split(), 2, "  ") if text else [""])]


def nothing_finished() -> int:
    """Print that nothing was finished, and return the exit status of an interrupted command."""
    typer.echo("Stopped before the first games were finished: there is nothing to tell of.", err=True)
    return INTERRUPTED


def ready_to_simulate(wanted: str, game: Game, bots: Sequence[str], games: int, jobs: int | None) -> PreparedEngine:
    """Prepare bots and engine for a simulation, with messages to people. Raises `UsageError`."""
    return each_ready(wanted, (game,), bots, games, jobs)[0]


def each_ready(
    wanted: str, forms: Sequence[Game], bots: Sequence[str], games: int, jobs: int | None
) -> list[PreparedEngine]:
    """Prepare the simulation of several forms of a game, `games` of each. Raises `UsageError`."""
    from draftengine.studies.runner.engines import EngineError, to_simulate_each

    try:
        return to_simulate_each(wanted, forms, bots, games, jobs, told(forms=len(forms)))
    except EngineError as error:
        raise UsageError(str(error)) from None
