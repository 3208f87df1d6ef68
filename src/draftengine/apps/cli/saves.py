"""Saved games on the command line, and the commands ``saves``, ``replay`` and ``cache``.

It also has the functions with which other commands save, find and continue games, and report this.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from draftengine.apps.cli import options
from draftengine.apps.cli.console import can_fill_the_screen, print_json, print_lines, status_of_screen, typed_line
from draftengine.apps.cli.errors import (
    FAILED,
    FINE,
    UsageError,
    ignore_signals,
    phrase,
    say_error,
    sentence_of,
    why_unusable,
)
from draftengine.apps.cli.preparing import ProgressLine
from draftengine.apps.play.terminal_style import Style, is_interactive, padded
from draftengine.support.text import width_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.api.replay import Recorded
    from draftengine.apps.play.journal import Game, Journal


class SaveReporter:
    """Saves a game while it is played. Shows problems with that, and how to continue the game."""

    def __init__(self, journal: Journal, show: Callable[[str], None]) -> None:
        self.journal = journal
        self.show = show
        self._warned = ""

    def keep(self) -> None:
        """Write every move to disk. If that fails, the game goes on, and a warning is shown once."""
        try:
            self.journal.keep()
        except OSError as error:
            self._warn(phrase("kept.not", why=sentence_of(error)))
        else:
            self._say_where()

    def _say_where(self) -> None:
        if self.journal.trouble is not None:
            self._warn(phrase("kept.instead", why=sentence_of(self.journal.trouble), path=self.journal.path))

    def _warn(self, text: str) -> None:
        if text != self._warned:
            self._warned = text
            self.show(f"  {text}\n")

    def save(self) -> None:
        """Save the game on request, and show how to continue it."""
        self._saved(lambda: self.journal.keep(anyway=True), "")

    def stop(self, before: str) -> None:
        """Save the game before the program ends, and show how to continue it.

        A closed terminal causes several calls; only the first one acts.
        """
        ignore_signals()
        session = self.journal.saved.session
        if not session.humans or session.over:
            return
        with suppress(OSError, ValueError):  # nobody may be left to read this
            if self.journal.moved:
                self._saved(self.journal.close, before)
            else:
                self.show(f"{before}  {phrase('kept.nothing')}\n")

    def _saved(self, how: Callable[[], None], before: str) -> None:
        """Call `how`, which saves the game, and show how to continue.

        If saving fails, shows the commands and moves that people can write down instead.
        """
        from draftengine.api.ruleset import as_typed

        try:
            how()
        except OSError as error:
            # The commands that lead to this position, as nothing can be written.
            saved = self.journal.saved
            name = next(name for asked, name, _ in saved.rules.files if not asked)
            command = ["play", name, "--seed", str(saved.session.seed)]
            command += [part for variant in as_typed(saved.rules.selection) for part in ("--variant", variant)]
            command += [part for seat in saved.session.seats for part in ("--seat", seat)]
            session = saved.session  # nobody typed the moves that were forced
            typed: list[str] = []
            state = session.game.start(session.seed)
            for seat, move in session.moves:
                if seat in session.humans and len(state.view(seat).moves) > 1:
                    further = (cards for _, cards in (*move.abilities, *move.others))
                    typed.append(", ".join([*move.cards, *(card for cards in further for card in cards)]))
                state = state.commit(seat, move)
            lines = [f"  {phrase('kept.write_down')}", command_line(*command), *typed, ""]
            self.show("\n".join([f"{before}  {phrase('kept.failed', why=sentence_of(error))}", *lines]))
        else:
            self.show(before)
            self._say_where()
            again = command_line("play", "--resume", called(self.journal.path))
            self.show(f"  {phrase('kept.saved', command=again)}\n")


def called(path: Path | None) -> str:
    """Return the name with which ``--resume`` and ``replay`` find the game in a file."""
    from draftengine.apps.play.journal import SUFFIX, find

    assert path is not None, "a game that was saved has a place"
    name = path.name.removesuffix(SUFFIX)
    return name if find(name) == path else str(path)


def check_place(save: str | None) -> None:
    """Check that a game can be saved at a path without overwriting another file. Raises `UsageError`."""
    from draftengine.apps.cli.opening import check_output
    from draftengine.apps.play.saved import is_save

    if save is None:
        return
    path = Path(save)
    try:
        if path.exists() and not (path.is_file() and is_save(path)):
            raise UsageError(phrase("command.something_else", path=save))
        check_output(path)
    except OSError as error:
        raise UsageError(phrase("command.save_problem", path=save, error=error.strerror)) from None


# ── Which game is meant ───────────────────────────────────────────────────────────────────────────────────────────────


def resumed(name: str | None) -> Journal:
    """Open the named game to continue it, or the latest unfinished one. Raises `UsageError`."""
    from draftengine.apps.play.journal import Journal, find, games
    from draftengine.apps.play.saved import SaveError

    if name:
        path = find(name)
    else:
        unfinished = [game for game in games() if game.unfinished]
        if not unfinished:
            raise UsageError(phrase("command.none_open"))
        if len(unfinished) == 1 or not is_interactive():
            path = unfinished[0].path
        else:
            lines = table_of(unfinished)
            sys.stdout.write("\n".join(f"{number or '':>3}  {line}" for number, line in enumerate(lines)) + "\n")
            while True:
                sys.stdout.write(f"{phrase('command.which')} ")
                sys.stdout.flush()
                answer = typed_line()
                number = answer.strip() or "1"
                if not answer:
                    raise UsageError(phrase("command.none_chosen"))
                if number.isdecimal() and 1 <= int(number) <= len(unfinished):
                    path = unfinished[int(number) - 1].path
                    break
    if name and not path.exists():
        raise UsageError(phrase("command.no_save", name=name))
    try:
        return Journal.resumed(path)
    except SaveError as error:
        text = phrase("command.unusable", name=name or path, text=why_unusable(error), code=error.code)
        raise UsageError(text) from None


def read_game(file: str | None) -> tuple[str, str]:
    """Return (name, text) of a game's file, by default the latest. Raises `UsageError` if there is none."""
    from draftengine.apps.play.journal import find, games
    from draftengine.apps.play.saved import SaveError, text_of

    if file == "-":
        return "<stdin>", sys.stdin.read()
    if file is None:
        known = [game for game in games() if game.summary is not None]
        over = [game for game in known if game.is_over] or known
        if not over:
            raise UsageError(phrase("command.no_games"))
        path: Path = over[0].path
    else:
        path = find(file)
    if not path.exists():
        raise UsageError(phrase("command.no_game", name=file))
    try:
        return str(path), text_of(path)
    except SaveError as error:
        raise UsageError(f"{path}: {why_unusable(error)}") from None


def when(game: Game) -> datetime:
    """Return the local time at which a game was last played."""
    return datetime.fromtimestamp(game.changed).astimezone()


STATUS = {"open": "unfinished", "stopped": "unfinished", "over": "finished"}


def table_of(games: Sequence[Game]) -> list[str]:
    """Return a table of games as lines, with a header."""
    style = Style.of(sys.stdout)
    rows = [[*(phrase(f"command.saves.{head}") for head in ("name", "game", "players", "moves", "played")), ""]]
    for game in games:
        summary, played = game.summary, when(game).strftime("%Y-%m-%d %H:%M")
        if summary is None:
            rows.append([game.name, "", "", "", played, phrase("command.saves.damaged", code=game.problem)])
            continue
        state = phrase(f"command.saves.{'in_use' if game.problem else STATUS[summary.status]}")
        title = ", ".join([summary.title, *summary.variants])
        rows.append([game.name, title, str(len(summary.seats)), str(summary.moves), played, state])
    wide = [max(width_of(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [style.safe("  ".join(map(padded, row, wide)).rstrip()) for row in rows]


# ── The name of this program in this shell ────────────────────────────────────────────────────────────────────────────


def command_line(*words: str) -> str:
    """Return a command of draftengine in the form in which people can type it in this terminal.

    It begins with the name of the program if the shell finds the program, otherwise with its path.
    """
    started, found_by_shell = Path(sys.argv[0]), shutil.which("draftengine")
    if started.name == "__main__.py":
        names = [name for name in ("python3", "python") if Path(shutil.which(name) or "") == Path(sys.executable)]
        start = [next(iter(names), sys.executable), "-m", "draftengine"]
    elif not started.exists() or (found_by_shell and Path(found_by_shell).samefile(started)):
        start = ["draftengine"]
    else:
        here, path = Path.cwd(), started.absolute()
        start = [str(path.relative_to(here) if path.is_relative_to(here) else path)]
    return shlex.join([*start, *words])


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
    from draftengine.apps.play import journal

    saved = journal.games()
    if remove or finished or everything:
        names = remove or []
        known = {game.name: game for game in saved}
        for name in names:
            if name not in known:
                raise UsageError(phrase("command.no_save", name=name))
        meant = [game for game in saved if everything or game.name in names or (finished and game.is_over)]
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
                journal.remove(game)
                sys.stdout.write(phrase("command.saves.removed", name=game.name) + "\n")
        return status
    if as_json:
        print_json({"saves": [_data(game) for game in saved]})
    else:
        print_lines(table_of(saved) if saved else [phrase("command.saves.none")])
    return FINE


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
        from draftengine.apps.terminal import opening

        line, fitted = ProgressLine(), names.style.fitted

        def show(lines: Sequence[str]) -> None:
            line.clear()
            sys.stdout.write("".join(f"{part}\n" for text in lines for part in fitted(text)))
            sys.stdout.flush()

        show(opening(names, recorded.seed if recorded.end.over else None))
        replays.retell(recorded, names, viewer, show, opinions=opinion, busy=line.say)
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
