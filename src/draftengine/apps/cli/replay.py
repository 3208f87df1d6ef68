"""``draftengine replay``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from draftengine.apps.cli import completion as completing
from draftengine.apps.cli import options
from draftengine.apps.cli.errors import FAILED, FINE, INTERRUPTED, StoppedError, UsageError, say_error

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from draftengine.api.replay import Recorded
    from draftengine.apps.play.labels import Names


def replay(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            autocompletion=completing.saved_games,
            help="A record (play --record writes one, serve offers one), a game that play has kept (a file, or a name "
            "that saves shows), or - for standard input; by default the game that was played last.",
            show_default=False,
        ),
    ] = None,
    seat: Annotated[
        int | None,
        typer.Option(
            "--seat",
            metavar="N",
            autocompletion=completing.seat_numbers,
            min=1,
            help="From whose seat, counted from 1; by default from everybody's at once.",
            show_default=False,
        ),
    ] = None,
    opinion: Annotated[
        bool,
        typer.Option("--opinion", help="Say what a bot thinks of every choice; on the full screen the key h does."),
    ] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Line by line, without a full screen: for screen readers and pipes.")
    ] = False,
    language: options.Language = "en",
    as_json: options.Json = False,
) -> int:
    """See a game again, step by step.

    On the full screen go forward and back with the arrow keys, from round to
    round, and from seat to seat; see how points grew, rule by rule, and ask
    what a bot thinks of a choice. In a pipe, in a small terminal or with
    --plain the game is told from beginning to end, with the score sheets.

    A record that was changed, or that belongs to other rules, is refused. Of a
    game that is not over only its one person's view is shown.

    \b
    Examples:
      draftengine replay
      draftengine replay my_game-1 --seat 2
      draftengine replay game.json --plain --opinion
      draftengine play my_game.yaml --auto --record game.json
      draftengine replay game.json --json
    """
    from draftengine.api.replay import RecordError
    from draftengine.apps.cli.screens import can_fill_the_screen
    from draftengine.apps.play import replay as replays
    from draftengine.apps.play.saved import SaveError
    from draftengine.apps.play.terminal_style import Style

    label, text = read_game(file)
    try:
        recorded = replays.opened(text)
        viewer = _seat(seat, recorded)
    except (RecordError, SaveError) as error:
        say_error(f"{label}: {error} [{error.code}]")
        return FAILED
    style = Style() if as_json else Style.of(sys.stdout)
    full = not (as_json or plain or file == "-") and can_fill_the_screen(style)
    names = replays.names_for(recorded, style, levels=not (as_json or full), language=language)
    if as_json:
        import json

        sys.stdout.write(json.dumps(replays.as_data(recorded, names, viewer, opinions=opinion)) + "\n")
        return FINE
    if full:
        return _on_the_screen(recorded, names, viewer)
    _print(recorded, names, viewer, opinions=opinion)
    return FINE


def read_game(file: str | None) -> tuple[str, str]:
    """Return label and text of a game, by default the latest. Raises `UsageError` if there is none."""
    from draftengine.apps.play.journal import find, games
    from draftengine.apps.play.saved import SaveError, text_of

    if file == "-":
        return "<stdin>", sys.stdin.read()
    if file is None:
        known = [game for game in games() if game.summary is not None]
        over = [game for game in known if game.is_over] or known
        if not over:
            raise UsageError("No game is kept here yet: name a record (see play --record).")
        path: Path = over[0].path
    else:
        path = find(file)
    if not path.exists():
        raise UsageError(f"There is no file and no saved game “{file}” (see saves).")
    try:
        return str(path), text_of(path)
    except SaveError as error:
        raise UsageError(f"{path}: {error}") from None


def _seat(number: int | None, recorded: Recorded) -> int:
    """Return the seat to watch, -1 for all. Raises `UsageError` if it is missing or must not be seen."""
    viewers = recorded.viewers
    if number is None:
        return viewers[0] if recorded.end.over else viewers[-1]
    if number > recorded.game.players:
        raise UsageError(f"--seat {number}: there are {recorded.game.players} players.")
    if number - 1 not in viewers:
        raise UsageError(f"--seat {number}: the game is not over, so nobody else’s hand is shown.")
    return number - 1


def _print(recorded: Recorded, names: Names, seat: int, *, opinions: bool) -> None:
    from draftengine.apps.cli.progress import ProgressLine
    from draftengine.apps.play.replay import retell
    from draftengine.apps.terminal.terminal import opening

    line, fitted = ProgressLine(), names.style.fitted

    def show(lines: Sequence[str]) -> None:
        line.clear()
        sys.stdout.write("".join(f"{part}\n" for text in lines for part in fitted(text)))
        sys.stdout.flush()

    show(opening(names, recorded.seed if recorded.end.over else None))
    retell(recorded, names, seat, show, opinions=opinions, busy=line.say)


def _on_the_screen(recorded: Recorded, names: Names, seat: int) -> int:
    from draftengine.apps.tui.replay import ReplayApp

    how = ReplayApp(recorded, names, seat).sit_down()
    if how in {"SIGTERM", "SIGHUP"}:
        raise StoppedError(f"Stopped by {how}.")
    return INTERRUPTED if how == "SIGINT" else FINE
