"""``draftengine saves``, ``replay`` and ``cache``: show or remove saved games and caches."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from draftengine.apps.cli import options
from draftengine.apps.cli.console import can_fill_the_screen, print_json, print_lines, status_of_screen
from draftengine.apps.cli.errors import FAILED, FINE, UsageError, phrase, say_error, why_unusable
from draftengine.apps.cli.preparing import ProgressLine
from draftengine.apps.cli.saving import STATUS, read_game, table_of, when
from draftengine.apps.play.terminal_style import Style, is_interactive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.api.replay import Recorded
    from draftengine.apps.play.journal import Game
    from draftengine.apps.play.labels import Names


def saves(
    remove: options.Remove = None,
    finished: options.Finished = False,
    everything: options.Everything = False,
    yes: options.Yes = False,
    as_json: options.Json = False,
) -> int:
    """Show the saved games, or remove some.

    Every game is saved from its first move on. Of the finished games, the newest 20 are kept.

    \b
    Examples:
      draftengine saves
      draftengine saves --remove my_game-1
      draftengine saves --finished --yes
    """
    from draftengine.apps.play.journal import games

    saved = games()
    if remove or finished or everything:
        names = remove or []
        known = {game.name: game for game in saved}
        for name in names:
            if name not in known:
                raise UsageError(phrase("command.no_save", name=name))
        meant = [game for game in saved if everything or game.name in names or (finished and game.is_over)]
        return _remove(meant, yes=yes)
    if as_json:
        print_json({"saves": [_data(game) for game in saved]})
    else:
        print_lines(table_of(saved) if saved else [phrase("command.saves.none")])
    return FINE


def _remove(meant: Sequence[Game], *, yes: bool) -> int:
    """Remove games, after a question unless `yes` is set. Return the exit status.

    Raises `UsageError` if there is nobody to answer the question.
    """
    from draftengine.apps.play.journal import remove

    if not meant:
        sys.stdout.write(phrase("command.saves.nothing") + "\n")
        return FINE
    if not yes:
        if not is_interactive():
            raise UsageError(phrase("command.saves.unasked"))
        sys.stdout.write(phrase("command.saves.sure", names=", ".join(game.name for game in meant)) + " ")
        sys.stdout.flush()
        if sys.stdin.readline().strip().casefold() not in {"y", "yes"}:
            return FAILED
    status = FINE
    for game in meant:
        if game.problem == "in-use":
            say_error(phrase("command.saves.busy", name=game.name))
            status = FAILED
        else:
            remove(game)
            sys.stdout.write(phrase("command.saves.removed", name=game.name) + "\n")
    return status


def _data(game: Game) -> dict[str, Any]:

    data = to_builtins(game.summary) if game.summary else {}
    status = data.pop("status", None)
    return {
        "name": game.name,
        "path": str(game.path),
        "status": STATUS[status] if status else "damaged",
        "in_use": game.problem == "in-use",
        "problem": game.problem or None,
        "last_played": when(game).isoformat(timespec="seconds"),
        **data,
    }


_MEGABYTE = 1 << 20


def cache(clear: options.Clear = False, limit: options.Limit = None, as_json: options.Json = False) -> int:
    """Show or clear the cache: what was compiled, learnt and checked before.

    It takes at most 512 MB; what was used longest ago is removed first. Saved games are not in it (see saves).

    \b
    Examples:
      draftengine cache
      draftengine cache --limit 100
      draftengine cache --clear
    """
    from draftengine.support.caches import CACHE_KINDS, LIMIT, folder, kept, trim

    if clear and limit is not None:
        raise UsageError(phrase("command.cache.limit"))
    most = 0 if clear else limit
    gone = trim(most * _MEGABYTE) if most is not None else []
    removed = sum(entry.size for entry in gone)
    sizes: dict[str, int] = {}
    for entry in kept():
        sizes[entry.kind] = sizes.get(entry.kind, 0) + entry.size
    if as_json:
        total = sum(sizes.values())
        print_json({"folder": str(folder()), "limit": LIMIT, "kinds": sizes, "size": total, "removed": removed})
        return FINE
    keys = {text: key for key, text in CACHE_KINDS.items()}
    rows = [(phrase(f"command.cache.{keys.get(kind, 'other')}"), size) for kind, size in sizes.items()]
    rows += [(phrase("command.cache.removed"), removed)] if gone else []
    lines = [f"{f'{size / _MEGABYTE:,.1f} MB':>10}  {what}" for what, size in rows]
    print_lines([f"{folder()}", *(lines or [phrase("command.cache.nothing")])])
    return FINE


def replay(
    file: options.File = None,
    seat: options.ReplaySeat = None,
    opinion: options.Opinion = False,
    plain: options.ReplayPlain = False,
    language: options.Language = "en",
    as_json: options.Json = False,
) -> int:
    """Watch a game again, step by step.

    On the full screen, the arrow keys go forward and back, from round to round
    and from seat to seat. You see how points grew, rule by rule, and can ask
    what a bot thinks of a choice. In a pipe, in a small terminal or with
    --plain, the game is printed from beginning to end, with the score sheets.

    A record that was changed, or that belongs to other rules, is refused. A
    game that is not over is shown only as its one person saw it.

    \b
    Examples:
      draftengine replay
      draftengine replay my_game-1 --seat 2
      draftengine replay game.json --plain --opinion
      draftengine play my_game.yaml --auto --record game.json
      draftengine replay game.json --json
    """
    from draftengine.api.replay import RecordError
    from draftengine.apps.play import replay as replays
    from draftengine.apps.play.saved import SaveError

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
        print_json(replays.as_data(recorded, names, viewer, opinions=opinion))
    elif full:
        from draftengine.apps.tui.replay import ReplayApp

        return status_of_screen(ReplayApp(recorded, names, viewer).sit_down())
    else:
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
    from draftengine.apps.play.replay import retell
    from draftengine.apps.terminal.terminal import opening

    line, fitted = ProgressLine(), names.style.fitted

    def show(lines: Sequence[str]) -> None:
        line.clear()
        sys.stdout.write("".join(f"{part}\n" for text in lines for part in fitted(text)))
        sys.stdout.flush()

    show(opening(names, recorded.seed if recorded.end.over else None))
    retell(recorded, names, seat, show, opinions=opinions, busy=line.say)
