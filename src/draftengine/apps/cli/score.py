"""``draftengine score``: scores a file of tables, or starts the scorekeeper, which asks for the cards.

The scorekeeper keeps its score sheet in a file, and continues an existing one.
"""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from msgspec.structs import asdict

from draftengine.apps.cli import options
from draftengine.apps.cli.console import (
    Console,
    can_fill_the_screen,
    print_json,
    print_lines,
    status_of_screen,
    typed_line,
)
from draftengine.apps.cli.errors import FAILED, FINE, RefusedError, UsageError, heed_interrupts, in_my_language, phrase
from draftengine.apps.play.terminal_style import Style, is_interactive
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.api.errors import WrongPositionError
    from draftengine.api.game import Game
    from draftengine.api.labels import Labels
    from draftengine.api.records import Line
    from draftengine.api.scenario.score_tables import GameScores, Sheet, SheetScores
    from draftengine.api.score_sheets import Entry
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.score_book import Scorebook
    from draftengine.model.yaml.tree import Mapping, Node
    from draftengine.support.locale.phrases import Text


def score(
    cardset: options.CardSet,
    tables: options.Tables = None,
    players: options.Players = None,
    variant: options.Variants = None,
    name: options.ScoreName = None,
    save: options.ScoreSave = None,
    new: options.New = False,
    plain: options.ScorePlain = False,
    language: options.Language = "en",
    as_json: options.Json = False,
) -> int:
    """Score a game at a real table, and explain the points.

    At a terminal, without --input, it is a scorekeeper: tap what lies before
    each player, round by round. Everything is saved at once, and the next call
    goes on with it. With --plain, or in a pipe, it reads a line for each player.

    With --input it reads a file with the cards before each player, in the order
    in which they were played or as counts, for one round or for each:

    \b
      names: [Ann, Ben]
      tables:
        - [spice, soup, bread, bread]
        - {salad: 2, bread: 3}
      scores: [12, 20]        # points so far, if there are any

    A table does not show what cards and triggers did during play: give that as
    counters, markers and scores, and the worth of chips as chips. Nobody is
    named winner before everything that decides is known.

    \b
    Examples:
      draftengine score my_game.yaml
      draftengine score my_game.yaml --name Ann --name Ben --save evening.json
      draftengine score my_game.yaml --input tables.yaml
      echo '{"tables": [["soup", "soup"], ["bread"]]}' | draftengine score my_game.yaml -i - --json
    """
    from draftengine.apps.play.score_book import LONGEST_NAME, names_for

    if cardset == tables == "-":
        raise UsageError(phrase("command.two_inputs"))
    if tables is not None:
        if name or save or new or plain:
            raise UsageError(phrase("command.for_keeper"))
        _score_file(cardset, tables, players, variant, language, as_json=as_json)
        return FINE
    if as_json:
        raise UsageError(phrase("command.json_input"))
    if not (plain or is_interactive()):
        raise UsageError(phrase("command.nobody_asked"))
    if cardset == "-":
        raise UsageError(phrase("command.two_answers"))
    if any(not each.strip() or len(each) > LONGEST_NAME for each in name or ()):
        raise UsageError(phrase("command.name_length", most=LONGEST_NAME))
    console = Console()
    book = _book(cardset, players, variant or [], name or [], save, language, new=new)
    names = names_for(book.game, book.names, console.style, language)
    if plain or not can_fill_the_screen(console.style):
        return _line_by_line(book, names, console)
    from draftengine.apps.tui.scorekeeper import ScoreApp

    how = ScoreApp(book, names).sit_down()
    _say_where(book)
    return status_of_screen(how)


def _score_file(
    cardset: str, tables: str, players: int | None, variant: list[str] | None, language: str, *, as_json: bool
) -> None:
    from draftengine.api.errors import WrongPositionError
    from draftengine.api.ruleset import rules_in
    from draftengine.api.scenario.missing import missing_in_words
    from draftengine.api.scenario.score_tables import read_sheet, score_position, score_rounds
    from draftengine.apps.cli.opening import document_named, in_words, tables_in
    from draftengine.apps.play.score_book import names_for

    document = document_named(cardset)
    root = tables_in(tables)
    sheet = read_sheet(root)
    first = sheet.rounds[0].tables if sheet.rounds else sheet.position.tables
    with in_words():
        rules = rules_in(document, [*sheet.variants, *(variant or ())])
        game = rules.game(players or sheet.players or len(first) - len(rules.model.extra_seats))
    names = names_for(game, sheet.names, Style.of(sys.stdout), language)
    alone = [key for key in ("tables", "markers", "counters", "scores", "chips", "round") if root.get(key) is not None]
    if sheet.rounds and alone:
        problem = said("position.whole_game", key=alone[0])
        raise _refused(root, WrongPositionError(problem, (alone[0],)), names.labels)
    scored: GameScores | SheetScores
    try:
        scored = score_rounds(game, sheet.rounds) if sheet.rounds else score_position(game, sheet.position, sheet.chips)
    except WrongPositionError as error:
        raise _refused(root, error, names.labels) from None
    wrong = list(scored.missing.impossible)
    if len(sheet.names) > game.players:
        wrong.append(WrongPositionError(said("position.names", players=game.players), ("names", game.players)))
    if wrong:
        raise _refused(root, wrong[0], names.labels)
    if as_json:
        missing = missing_in_words(game, scored.missing, names.seats, names.labels)
        print_json({**_data(game, sheet, scored), "missing": missing})
    else:
        print_lines(_lines(sheet, scored, names)[1:])
    if causes := ", ".join([*scored.missing.unplayed, *scored.missing.unknown]):
        typer.echo(phrase("command.effects", causes=causes), err=True)


def _refused(root: Mapping, error: WrongPositionError, labels: Labels) -> RefusedError:
    from draftengine.api.errors import UnknownNameError
    from draftengine.api.scenario.missing import problem_in_words
    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.diagnostics.suggest import did_you_mean

    hint: Text = ""
    if isinstance(error, UnknownNameError) and error.known:
        hint = did_you_mean(error.name, error.known) or said("hint.known", names=", ".join(error.known))
    section = root.entry("tables") or root.entry("rounds")
    where = f"/{section.key.text}" if section else ""
    text = problem_in_words(error, labels)
    from draftengine.model.yaml.tree import Mapping, Sequence, plain

    node: Node = root
    span = root.span
    for step in error.path:
        if isinstance(node, Sequence) and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
            span = node.span
        elif isinstance(node, Mapping) and isinstance(step, int):  # a table given as numbers of copies
            copies = [line for line in node.entries for _ in range(plain(line.value))]
            span = sorted(copies, key=lambda line: "@" in line.key.text)[step].key.span
        elif isinstance(node, Mapping) and (entry := node.entry(str(step))):
            node, span = entry.value, entry.key.span
        else:
            break
    return RefusedError([Diagnostic("example-invalid", "error", text, span, where, hint)])


def _data(game: Game, sheet: Sheet, scored: SheetScores | GameScores) -> dict[str, Any]:

    from draftengine.api.scenario.score_tables import SheetScores

    def as_data(line: Line | Entry) -> dict[str, Any]:
        return {key: value for key, value in asdict(line).items() if key != "why"}

    data: dict[str, Any] = {
        "cardset": game.id,
        "players": game.players,
        "variants": list(game.variants),
        "names": list(sheet.names),
        "winners": list(scored.winners),
    }
    if isinstance(scored, SheetScores):
        lines = [{"at": moment, **as_data(line)} for moment, line in scored.lines]
        return {**scored.moments, **data, "points": scored.rules, "total": scored.total, "lines": lines}
    sheets = [
        {
            "round": page.round,
            "points": {row.rule: row.points for row in page.rows},
            "total": page.total(game.seats),
            "lines": [{"rule": row.rule, **as_data(given)} for row in page.rows for given in row.entries],
        }
        for page in scored.pages
    ]
    end = {key: value for key, value in sheets.pop().items() if key != "round"} if scored.end else None
    return {**data, "rounds": sheets, "end": end, "total": scored.scores}


def _lines(sheet: Sheet, scored: SheetScores | GameScores, names: Names) -> list[str]:
    from draftengine.api.scenario.score_tables import GameScores
    from draftengine.apps.play.score_board import grid, outcome_lines, proof_lines, sheet_lines, standing_lines

    lines: list[str] = []
    if isinstance(scored, GameScores):
        for page in scored.pages:
            title = names.moment("game") if page is scored.end else names.say("standing.round", number=page.round)
            lines += ["", names.style.headline(title, "─"), *sheet_lines(page, names)]
        return [*lines, "", *standing_lines(scored, names)]
    for moment in scored.moments:
        lines += ["", names.style.headline(names.moment(moment), "─")]
        lines += proof_lines((line for when, line in scored.lines if when == moment), names)
    rows = [(names.moment(moment), points) for moment, points in scored.moments.items()]
    nothing = (0,) * len(scored.total)
    before = (*sheet.position.scores, *nothing)[: len(nothing)]
    chips = tuple(own or 0 for own in (*sheet.chips, *nothing))[: len(nothing)]
    rows = [
        *([(names.say("standing.before"), before)] if any(before) else []),
        *rows,
        *([(names.say("standing.chips"), chips)] if any(chips) else []),
    ]
    lines += ["", *grid("", [*rows, (names.say("total"), scored.total)], names), ""]
    outcome = outcome_lines(scored, names)
    if scored.winners:
        outcome = [f"  {names.say('standing.if_ended', text=line.strip())}" for line in outcome]
    return [*lines, *outcome]


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
    """Return the score sheet to continue, or a new one. Raises `UsageError`."""
    from draftengine.api.errors import WrongPositionError
    from draftengine.api.ruleset import as_typed
    from draftengine.api.scenario.missing import problem_in_words
    from draftengine.apps.cli.opening import in_words, rules_of
    from draftengine.apps.play.score_book import Scorebook

    rules = rules_of(cardset, variants)
    wanted = as_typed(rules.selection)
    newest = fresh = Path(save) if save else None
    if not save and is_interactive():
        from draftengine.apps.play.journal import usual_folder

        with suppress(RuntimeError):  # there is no folder for this user
            folder, name = usual_folder().parent / "scores", rules.model.id
            newest = max(folder.glob(f"{name}-*.json"), key=lambda path: path.stat().st_mtime, default=None)
            paths = (folder / f"{name}-{number}.json" for number in count(1))
            fresh = next(path for path in paths if not path.exists())
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
            # Older versions wrote names and numbers that sheets may no longer hold.
            from draftengine.apps.play.score_book import LARGEST, shown_name

            def within(number: str) -> int:
                return max(-LARGEST, min(int(number), LARGEST))

            try:
                data = json.loads(path.read_bytes(), parse_int=within)
                data["names"] = [shown_name(name) for name in data["names"]]
            except (ValueError, KeyError, TypeError, RecursionError):
                raise error from None
            sheet = read_sheet(tables_in(str(path), json.dumps(data).encode()))
        why = "" if sheet.rounds else phrase("command.no_rounds")
    except RefusedError as error:
        why = in_my_language(error.findings[0].text)
    if why:
        raise UsageError(phrase("command.no_sheet", path=path, why=why))
    return sheet


def _asked_for(players: tuple[int, int]) -> list[str]:
    """Ask for the names of the players. Raises `UsageError` if the input ends."""
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
