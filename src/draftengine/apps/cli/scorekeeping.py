"""The scorekeeper of ``draftengine score``: the sheet that it continues, and where it is kept."""

from __future__ import annotations

import json
import sys
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from draftengine.apps.cli.errors import FAILED, FINE, RefusedError, UsageError, heed_interrupts, in_my_language, phrase

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.api.scenario.score_tables import Sheet
    from draftengine.apps.cli.console import Console
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.score_book import Scorebook


def keep_scores(
    cardset: str,
    players: int | None,
    variants: list[str],
    names: list[str],
    save: str | None,
    language: str,
    *,
    new: bool,
    plain: bool,
) -> int:
    """Keep the scores of a game at a real table. Return the exit status.

    Raises `UsageError` and `RefusedError`.
    """
    from draftengine.apps.cli.console import Console, can_fill_the_screen, status_of_screen
    from draftengine.apps.play.score_book import LONGEST_NAME, names_for

    if any(not name.strip() or len(name) > LONGEST_NAME for name in names):
        raise UsageError(phrase("command.name_length", most=LONGEST_NAME))
    console = Console()
    style = console.style
    book = _book(cardset, players, variants, names, save, language, new=new)
    if plain or not can_fill_the_screen(style):
        return _line_by_line(book, names_for(book.game, book.names, style, language), console)
    from draftengine.apps.tui.scorekeeper import ScoreApp

    how = ScoreApp(book, names_for(book.game, book.names, style, language)).sit_down()
    _say_where(book)
    return status_of_screen(how)


def _line_by_line(book: Scorebook, names: Names, console: Console) -> int:
    from draftengine.apps.terminal.scorekeeper import LeftError, Scorekeeper

    style = names.style

    def show(lines: Sequence[str]) -> None:
        console.show("".join(f"{part}\n" for line in lines for part in style.fitted(line)))

    heed_interrupts()
    show([style.headline(names.say("sheet.title", game=style.safe(names.labels.title)))])
    try:
        Scorekeeper(book, names, console.ask, show).run()
    except LeftError as left:
        console.show("\n" if left.input_ended else "")
        _say_where(book)
        return FAILED if left.input_ended and not console.interactive else FINE
    except KeyboardInterrupt:
        console.show("\n")
        _say_where(book)
        raise
    return FINE


def _say_where(book: Scorebook) -> None:
    if book.path is not None and not book.is_empty:
        sys.stdout.write(phrase("command.kept_in", path=book.path) + "\n")


def _book(
    cardset: str,
    players: int | None,
    variants: list[str],
    names: list[str],
    save: str | None,
    language: str,
    *,
    new: bool,
) -> Scorebook:
    """Return the sheet to continue, or a new one. Raises `UsageError`."""
    from draftengine.api.errors import WrongPositionError
    from draftengine.api.ruleset import as_typed
    from draftengine.api.scenario.missing import problem_in_words
    from draftengine.apps.cli.opening import in_words, rules_of
    from draftengine.apps.play.score_book import Scorebook
    from draftengine.apps.play.terminal_style import is_interactive

    rules = rules_of(cardset, variants)
    wanted = as_typed(rules.selection)
    newest, fresh = [Path(save)] * 2 if save else _places(rules.model.id) if is_interactive() else [None] * 2
    kept = _kept(newest) if newest is not None and newest.exists() and not new else None
    asked = players or len(names) or None
    if kept and (variants or asked) and (list(kept.variants) != wanted or asked not in {None, kept.players}):
        if save:
            raise UsageError(phrase("command.other_sheet", path=save))
        kept = None
    if kept:
        rules = rules_of(cardset, kept.variants)
        with in_words():
            game = rules.game(kept.players or len(kept.names))
        book = Scorebook(game, kept.names, kept.variants, newest)
        try:
            book.take_over(kept.rounds)
        except WrongPositionError as error:
            problem = problem_in_words(error, game.labels_in(language))
            raise UsageError(phrase("command.unfit_sheet", path=newest, error=problem)) from None
        return book
    names = names or (_asked_for(rules.players) if is_interactive() and players is None else [])
    with in_words():
        game = rules.game(players or len(names) or None)
    if len(names) > game.players:
        raise UsageError(phrase("command.too_many", count=game.players, option="--name", given=len(names)))
    return Scorebook(game, names, wanted, fresh)


def _kept(path: Path) -> Sheet:
    """Return the score sheet in a file. Raises `UsageError`."""
    from draftengine.api.scenario.score_tables import read_sheet
    from draftengine.apps.cli.opening import tables_in

    try:
        try:
            sheet = read_sheet(tables_in(str(path)))
        except RefusedError as error:
            sheet = read_sheet(tables_in(str(path), _mended(path, error)))
        why = "" if sheet.rounds else phrase("command.no_rounds")
    except RefusedError as error:
        why = in_my_language(error.findings[0].text)
    if why:
        raise UsageError(phrase("command.no_sheet", path=path, why=why))
    return sheet


def _mended(path: Path, error: RefusedError) -> bytes:
    """Return a repaired sheet: older versions wrote names and numbers that no file can hold.

    Raises `error` if the file is no sheet at all.
    """
    from draftengine.apps.play.score_book import LARGEST, shown_name

    def within(number: str) -> int:
        return max(-LARGEST, min(int(number), LARGEST))

    try:
        data = json.loads(path.read_bytes(), parse_int=within)
        data["names"] = [shown_name(name) for name in data["names"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise error from None
    return json.dumps(data).encode()


def _places(name: str) -> list[Path | None]:
    """Return the newest sheet of a card set, and the path for a new one."""
    from draftengine.apps.play.journal import usual_folder

    try:
        folder = usual_folder().parent / "scores"
    except RuntimeError:
        return [None, None]
    newest = max(folder.glob(f"{name}-*.json"), key=lambda path: path.stat().st_mtime, default=None)
    return [newest, next(path for number in count(1) if not (path := folder / f"{name}-{number}.json").exists())]


def _asked_for(players: tuple[int, int]) -> list[str]:
    """Ask for the names of the players. Raises `UsageError` if the input ends."""
    from draftengine.apps.cli.console import typed_line
    from draftengine.apps.play.score_book import LONGEST_NAME

    fewest, most = players
    while True:
        sys.stdout.write(phrase("command.who_plays", fewest=fewest, most=most) + " ")
        sys.stdout.flush()
        line = typed_line()
        if not line:
            raise UsageError(phrase("command.nobody_plays"))
        names = [name.strip()[:LONGEST_NAME] for name in line.split(",") if name.strip()]
        if fewest <= len(names) <= most and len({name.casefold() for name in names}) == len(names):
            return names
