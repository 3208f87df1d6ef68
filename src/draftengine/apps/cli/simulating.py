"""Options and helpers of the commands that play many games: bots, engines and reports."""

from __future__ import annotations

import shlex
import sys
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING

import typer

from draftengine.apps.cli.errors import INTERRUPTED, UsageError, in_my_language, phrase
from draftengine.apps.cli.preparing import ProgressLine, get_ready

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.api.game import Game
    from draftengine.api.records import Program
    from draftengine.studies.runner.engines import PreparationProgress, PreparedEngine
    from draftengine.support.locale.phrases import Text


def bots_for(names: str, players: int) -> tuple[str, ...]:
    """Return a bot for each player. Raises `UsageError`."""
    from draftengine.bots.catalogue import seats_of
    from draftengine.bots.protocol import BotError

    try:
        return seats_of(names, players)
    except BotError as error:
        raise UsageError(f"--bots {names}: {error}") from None


@contextmanager
def playing(*further: type[Exception], quiet: bool = False) -> Iterator[ProgressLine]:
    """Show the progress of games while they are played.

    Bots that cannot play, clusters that cannot be used and `further` errors raise `UsageError`.
    """
    from draftengine.bots.protocol import BotError
    from draftengine.studies.runner.run import ExecutorError

    expected: tuple[type[Exception], ...] = (BotError, ExecutorError, *further)
    progress = ProgressLine(quiet=quiet)
    try:
        yield progress
    except expected as error:
        raise UsageError(str(error)) from None
    finally:
        progress.clear()


def told(*, quiet: bool = False, forms: int = 1) -> PreparationProgress:
    """Return how people hear about preparations before the first game; `forms` counts forms of the game."""
    from draftengine.studies.runner.engines import PreparationProgress

    number = count(1)

    def learn(bots: Sequence[str], program: Program) -> None:
        get_ready(bots, program, quiet=quiet, which=(next(number), forms))

    return PreparationProgress(note=lambda text: typer.echo(in_my_language(text), err=True), learn=learn)


def rules_named(game: Game) -> str:
    """Return a description of the rules for readers of a report."""
    with_ = f", with {', '.join(map(game.labels.variant, game.variants))}" if game.variants else ""
    return f"{game.title} {game.model.version}{with_}; {game.players} players; their hash is {game.fingerprint[:12]}"


def again() -> str:
    """Return the command line as given, so that anybody can repeat it."""
    return shlex.join(["draftengine", *sys.argv[1:]])


def conclusions(texts: Iterable[Text]) -> list[str]:
    """Return the sentences below the figures in the reader's language, wrapped to the terminal."""
    from draftengine.apps.play.terminal_style import Style

    style = Style.of(sys.stdout)
    return [line for text in map(in_my_language, texts) for line in (style.wrapped(text, 2, "  ") if text else [""])]


def cells(row: Sequence[Text], widths: Sequence[int]) -> str:
    """Return a line of a table in the reader's language; all cells but the first are at the right."""
    from draftengine.model.diagnostics.render.text import width_of

    first, *others = map(in_my_language, row)
    room, *rooms = widths
    line = f"  {first}{' ' * (room - width_of(first))}"
    return line + "".join(f" {' ' * (width - width_of(text))}{text}" for text, width in zip(others, rooms, strict=True))


def nothing_finished() -> int:
    """Print that nothing was finished, and return the exit status of an interrupted command."""
    typer.echo(phrase("study.nothing-finished"), err=True)
    return INTERRUPTED


def each_ready(
    wanted: str, forms: Sequence[Game], bots: Sequence[str], games: int, jobs: int | None
) -> list[PreparedEngine]:
    """Prepare the simulation of several forms of a game, `games` of each. Raises `UsageError`."""
    from draftengine.studies.runner.engines import EngineError, to_simulate_each

    try:
        return to_simulate_each(wanted, forms, bots, games, jobs, told(forms=len(forms)))
    except EngineError as error:
        raise UsageError(in_my_language(error.reason)) from None
