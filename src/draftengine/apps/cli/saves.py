"""``draftengine saves``."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from draftengine.apps.cli import completion as completing
from draftengine.apps.cli import options
from draftengine.apps.cli.errors import FAILED, FINE, UsageError, say_error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.apps.play.journal import Game

_STATUS = {"open": "unfinished", "stopped": "unfinished", "over": "finished"}


def saves(
    remove: Annotated[
        list[str] | None,
        typer.Option(
            "--remove",
            metavar="NAME",
            autocompletion=completing.saved_games,
            help="Remove a game. Can be given several times.",
            show_default=False,
        ),
    ] = None,
    finished: Annotated[bool, typer.Option("--finished", help="Remove all games that are finished.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Remove all games.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Don't ask before games are removed.")] = False,
    as_json: options.Json = False,
) -> int:
    """Show the games that play has kept, or remove some.

    Every game is kept from its first move on, so that nothing ends it for good; of finished games the newest 20.

    \b
    Examples:
      draftengine saves
      draftengine saves --remove my_game-1
      draftengine saves --finished --yes
    """
    from draftengine.apps.play.journal import games

    saved = games()
    if remove or finished or everything:
        return _remove(_meant(saved, remove or [], finished=finished, everything=everything), yes=yes)
    if as_json:
        import json

        sys.stdout.write(json.dumps({"saves": [_data(game) for game in saved]}) + "\n")
    elif saved:
        sys.stdout.write("\n".join(table(saved)) + "\n")
    else:
        sys.stdout.write("There are no saved games.\n")
    return FINE


def _meant(games: Sequence[Game], names: list[str], *, finished: bool, everything: bool) -> list[Game]:
    """Return the games to remove. Raises `UsageError` for an unknown name."""
    known = {game.name: game for game in games}
    for name in names:
        if name not in known:
            raise UsageError(f"There is no saved game “{name}” (see saves).")
    return [game for game in games if everything or game.name in names or (finished and game.is_over)]


def _remove(meant: Sequence[Game], *, yes: bool) -> int:
    from draftengine.apps.play.journal import remove

    if meant and not yes and not _confirmed(meant):
        return FAILED
    status = FINE
    for game in meant:
        if game.problem == "in-use":
            say_error(f"{game.name} is being played, so it was not removed.")
            status = FAILED
        else:
            remove(game)
            sys.stdout.write(f"Removed {game.name}.\n")
    if not meant:
        sys.stdout.write("There is nothing to remove.\n")
    return status


def _confirmed(meant: Sequence[Game]) -> bool:
    """True if the person at the terminal agrees. Raises `UsageError` if nobody is there."""
    from draftengine.apps.play.terminal_style import is_interactive

    if not is_interactive():
        raise UsageError("Nobody is there to be asked: --yes removes games without asking.")
    sys.stdout.write(f"Remove {', '.join(game.name for game in meant)}? (y/N) ")
    sys.stdout.flush()
    return sys.stdin.readline().strip().casefold() in {"y", "yes"}


def table(games: Sequence[Game]) -> list[str]:
    """Return a table of games as lines, with a header."""
    from draftengine.apps.play.terminal_style import Style

    style = Style.of(sys.stdout)
    rows = [["Name", "Game", "Players", "Moves", "Last played", ""]]
    for game in games:
        summary, when = game.summary, _when(game).strftime("%Y-%m-%d %H:%M")
        if summary is None:
            rows.append([game.name, "", "", "", when, f"damaged [{game.problem}]"])
            continue
        state = "being played" if game.problem else _STATUS[summary.status]
        title = ", ".join([summary.title, *summary.variants])
        rows.append([game.name, title, str(len(summary.seats)), str(summary.moves), when, state])
    wide = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        style.safe("  ".join(text.ljust(width) for text, width in zip(row, wide, strict=True)).rstrip()) for row in rows
    ]


def _when(game: Game) -> datetime:
    return datetime.fromtimestamp(game.changed).astimezone()


def _data(game: Game) -> dict[str, Any]:
    from msgspec import to_builtins

    data = to_builtins(game.summary) if game.summary else {}
    status = data.pop("status", None)
    return {
        "name": game.name,
        "path": str(game.path),
        "status": _STATUS[status] if status else "damaged",
        "in_use": game.problem == "in-use",
        "problem": game.problem or None,
        "last_played": _when(game).isoformat(timespec="seconds"),
        **data,
    }
