"""``draftengine score``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import typer

from draftengine.apps.cli import options
from draftengine.apps.cli.errors import FINE, RefusedError, UsageError, phrase

if TYPE_CHECKING:
    from draftengine.api.errors import WrongPositionError
    from draftengine.api.game import Game
    from draftengine.api.labels import Labels
    from draftengine.api.records import Line
    from draftengine.api.scenario.score_tables import GameScores, Sheet, SheetScores
    from draftengine.api.score_sheets import Entry
    from draftengine.apps.play.labels import Names
    from draftengine.model.yaml.tree import Mapping, Node
    from draftengine.support.locale.phrases import Text
    from draftengine.support.source import Span


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
    from draftengine.apps.play.terminal_style import is_interactive

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
    from draftengine.apps.cli.scorekeeping import keep_scores

    return keep_scores(cardset, players, variant or [], name or [], save, language, new=new, plain=plain)


def _score_file(
    cardset: str, tables: str, players: int | None, variant: list[str] | None, language: str, *, as_json: bool
) -> None:
    from draftengine.api.errors import WrongPositionError
    from draftengine.api.ruleset import rules_in
    from draftengine.api.scenario.missing import missing_in_words
    from draftengine.api.scenario.score_tables import read_sheet, score_position, score_rounds
    from draftengine.apps.cli.console import print_json, print_lines
    from draftengine.apps.cli.opening import document_named, in_words, tables_in
    from draftengine.apps.play.score_book import names_for
    from draftengine.apps.play.terminal_style import Style
    from draftengine.support.locale.phrases import said

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
    if scored.missing.unplayed:
        cards = ", ".join(scored.missing.unplayed)
        typer.echo(phrase("command.unplayed", cards=cards), err=True)


def _refused(root: Mapping, error: WrongPositionError, labels: Labels) -> RefusedError:
    from draftengine.api.errors import UnknownNameError
    from draftengine.api.scenario.missing import problem_in_words
    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.diagnostics.suggest import did_you_mean
    from draftengine.support.locale.phrases import said

    hint: Text = ""
    if isinstance(error, UnknownNameError) and error.known:
        hint = did_you_mean(error.name, error.known) or said("hint.known", names=", ".join(error.known))
    section = root.entry("tables") or root.entry("rounds")
    where = f"/{section.key.text}" if section else ""
    text = problem_in_words(error, labels)
    return RefusedError([Diagnostic("example-invalid", "error", text, _place(root, error), where, hint)])


def _place(root: Mapping, error: WrongPositionError) -> Span:
    """Return the place in the file of an impossible position."""
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
    return span


def _data(game: Game, sheet: Sheet, scored: SheetScores | GameScores) -> dict[str, Any]:
    from msgspec.structs import asdict

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
