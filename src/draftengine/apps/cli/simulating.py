"""What the commands that play many games have in common: who plays, with which engine, and what is said of it."""

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
"""As of `draftengine.studies.public`, which takes too long to import for a help text."""


def bots_for(names: str, players: int) -> tuple[str, ...]:
    """A bot for every player. Raises `UsageError`."""
    from draftengine.bots.protocol import BotError
    from draftengine.bots.seats import seats_of

    try:
        return seats_of(names, players)
    except BotError as error:
        raise UsageError(f"--bots {names}: {error}") from None


def told(*, quiet: bool = False, forms: int = 1) -> PreparationProgress:
    """How people are told what is done before the first game, of so many forms of a game."""
    from itertools import count

    from draftengine.apps.cli.readiness import get_ready
    from draftengine.studies.runner.engines import PreparationProgress

    number = count(1)

    def learn(bots: Sequence[str], program: Program) -> None:
        get_ready(bots, program, quiet=quiet, which=f"{next(number)} of {forms}" if forms > 1 else "")

    return PreparationProgress(note=lambda text: typer.echo(text, err=True), learn=learn)


def rules_named(game: Game) -> str:
    """Which rules are played, for whoever reads a report later."""
    with_ = f", with {', '.join(map(game.labels.variant, game.variants))}" if game.variants else ""
    return f"{game.title} {game.model.version}{with_}; {game.players} players; their hash is {game.fingerprint[:12]}"


def again() -> str:
    """The command as it was given, so that anybody can play the same again."""
    return shlex.join(["draftengine", *sys.argv[1:]])


def conclusions(texts: Iterable[str]) -> list[str]:
    """What is said below the figures, each sentence set in lines of the terminal's width."""
    from draftengine.apps.play.terminal_style import Style

    style = Style.of(sys.stdout)
    return [line for text in texts for line in (style.wrapped(text.split(), 2, "  ") if text else [""])]


def nothing_finished() -> int:
    """The exit status of a command that was stopped before there was anything to tell; people are told so."""
    typer.echo("Stopped before the first games were finished: there is nothing to tell of.", err=True)
    return INTERRUPTED


def ready_to_simulate(wanted: str, game: Game, bots: Sequence[str], games: int, jobs: int | None) -> PreparedEngine:
    """What to simulate with; everything is ready then, and people were told. Raises `UsageError`."""
    return each_ready(wanted, (game,), bots, games, jobs)[0]


def each_ready(
    wanted: str, forms: Sequence[Game], bots: Sequence[str], games: int, jobs: int | None
) -> list[PreparedEngine]:
    """What to simulate several forms of a game with, so many games of each. Raises `UsageError`."""
    from draftengine.studies.runner.engines import EngineError, to_simulate_each

    try:
        return to_simulate_each(wanted, forms, bots, games, jobs, told(forms=len(forms)))
    except EngineError as error:
        raise UsageError(str(error)) from None
