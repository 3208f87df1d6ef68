"""``draftengine replay``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from draftengine.apps.cli import options
from draftengine.apps.cli.errors import FAILED, FINE, UsageError, phrase, say_error, why_unusable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.api.replay import Recorded
    from draftengine.apps.play.labels import Names


def replay(
    file: options.File = None,
    seat: options.ReplaySeat = None,
    opinion: options.Opinion = False,
    plain: options.ReplayPlain = False,
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
    from draftengine.apps.cli.console import can_fill_the_screen
    from draftengine.apps.cli.saving import read_game
    from draftengine.apps.play import replay as replays
    from draftengine.apps.play.saved import SaveError
    from draftengine.apps.play.terminal_style import Style

    label, text = read_game(file)
    try:
        recorded = replays.opened(text)
        viewer = _seat(seat, recorded)
    except (RecordError, SaveError) as error:
        say_error(phrase("command.unusable", name=label, text=why_unusable(error), code=error.code))
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


def _seat(number: int | None, recorded: Recorded) -> int:
    """Return the seat to watch, -1 for all. Raises `UsageError` if it is missing or must not be seen."""
    viewers = recorded.viewers
    if number is None:
        return viewers[0] if recorded.end.over else viewers[-1]
    if number > recorded.game.players:
        raise UsageError(phrase("command.no_seat", seat=number, count=recorded.game.players))
    if number - 1 not in viewers:
        raise UsageError(phrase("command.not_over", seat=number))
    return number - 1


def _print(recorded: Recorded, names: Names, seat: int, *, opinions: bool) -> None:
    from draftengine.apps.cli.preparing import ProgressLine
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
    from draftengine.apps.cli.console import status_of_screen
    from draftengine.apps.tui.replay import ReplayApp

    return status_of_screen(ReplayApp(recorded, names, seat).sit_down())
