"""``draftengine score``."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from draftengine.apps.cli import options
from draftengine.apps.cli.errors import FINE, RefusedError, UsageError

if TYPE_CHECKING:
    from draftengine.api.game import Game
    from draftengine.api.scenario.score_tables import GameScores, Sheet, SheetScores
    from draftengine.apps.play.labels import Names
    from draftengine.model.yaml.tree import Mapping


def score(
    cardset: options.CardSet,
    tables: Annotated[
        str | None,
        typer.Option(
            "--input",
            "-i",
            metavar="FILE",
            help="The tables, in YAML or JSON; - for standard input. Without it the scorekeeper asks for them.",
            show_default=False,
        ),
    ] = None,
    players: options.Players = None,
    variant: options.Variants = None,
    name: Annotated[
        list[str] | None,
        typer.Option(
            "--name",
            metavar="NAME",
            help="For the scorekeeper: what a player is called. Can be given for every player in turn.",
            show_default=False,
        ),
    ] = None,
    save: Annotated[
        str | None,
        typer.Option(
            "--save",
            metavar="FILE",
            help="For the scorekeeper: where the sheet is kept; one that is there already goes on. By default, at a "
            "terminal, in your folder for games.",
            show_default=False,
        ),
    ] = None,
    new: Annotated[
        bool, typer.Option("--new", help="For the scorekeeper: begin a new sheet, instead of going on with the last.")
    ] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="For the scorekeeper: line by line, for screen readers and pipes.")
    ] = False,
    as_json: options.Json = False,
) -> int:
    """Score the tables of real players, and say why.

    At a terminal, without --input, it is a scorekeeper: tap what lies before
    each player, round by round. Everything is kept at once, and the next call
    goes on with it. With --plain it reads a line for each player, also in a pipe.

    With --input it reads the cards before each player, in the order in which
    they were played, or counted; or, as the scorekeeper keeps them, round by round:

    \b
      names: [Ann, Ben]
      tables:
        - [spice, soup, bread, bread]
        - {salad: 2, bread: 3}
      scores: [12, 20]        # points so far, if there are any

    What cards and triggers did during play does not show on a table: it is
    given as counters, markers and scores.

    \b
    Examples:
      draftengine score my_game.yaml
      draftengine score my_game.yaml --name Ann --name Ben --save evening.json
      draftengine score my_game.yaml --input tables.yaml
      echo '{"tables": [["soup", "soup"], ["bread"]]}' | draftengine score my_game.yaml -i - --json
    """
    from draftengine.apps.play.terminal_style import is_interactive

    if cardset == tables == "-":
        raise UsageError("Standard input can't be both the card set and the tables.")
    if tables is not None:
        if name or save or new or plain:
            raise UsageError("--name, --save, --new and --plain are for the scorekeeper, which --input does without.")
        _score_file(cardset, tables, players, variant, as_json=as_json)
        return FINE
    if as_json:
        raise UsageError("--json is for tables that --input names.")
    if not (plain or is_interactive()):
        raise UsageError("Nobody is there to be asked: name the tables (--input FILE), or use --plain.")
    if cardset == "-":
        raise UsageError("Standard input can't be both the card set and the answers.")
    from draftengine.apps.cli.scorekeeping import keep_scores

    return keep_scores(cardset, players, variant or [], name or [], save, new=new, plain=plain)


def _score_file(cardset: str, tables: str, players: int | None, variant: list[str] | None, *, as_json: bool) -> None:
    from draftengine.api.errors import UnknownNameError, WrongPositionError
    from draftengine.api.ruleset import rules_in
    from draftengine.api.scenario.score_tables import read_sheet, score_position, score_rounds
    from draftengine.apps.cli.files import tables_in
    from draftengine.apps.cli.opening import document_named, in_words
    from draftengine.model.diagnostics.suggest import did_you_mean

    document = document_named(cardset)
    root = tables_in(tables)
    sheet = read_sheet(root)
    alone = [key for key in ("tables", "markers", "counters", "scores", "round") if root.get(key) is not None]
    if sheet.rounds and alone:
        raise _refused(root, f"“rounds” tells the whole game, so there is no place for “{alone[0]}”", alone[0], "")
    first = sheet.rounds[0].tables if sheet.rounds else sheet.position.tables
    with in_words():
        rules = rules_in(document, [*sheet.variants, *(variant or ())])
        game = rules.game(players or sheet.players or len(first) - len(rules.model.extra_seats))
    try:
        if sheet.rounds:
            reckoned = score_rounds(game, sheet.rounds)
            unplayed = reckoned.unplayed
        else:
            scored = score_position(game, sheet.position)
            unplayed = scored.unplayed
    except WrongPositionError as error:
        known = error.known if isinstance(error, UnknownNameError) else ()
        name = error.name if isinstance(error, UnknownNameError) else ""
        raise _refused(root, str(error), name, did_you_mean(name, known) or _listed(known)) from None
    if as_json:
        data = _game_data(game, sheet, reckoned) if sheet.rounds else _data(game, sheet, scored)
        sys.stdout.write(json.dumps(data) + "\n")
    elif sheet.rounds:
        _print_game(game, sheet, reckoned)
    else:
        _print(game, sheet, scored)
    if unplayed:
        typer.echo(
            f"Not counted: what {', '.join(unplayed)} did when played. Give it as counters and scores.", err=True
        )


def _listed(known: tuple[str, ...]) -> str:
    return f"Known: {', '.join(known)}." if known else ""


def _refused(root: Mapping, message: str, name: str, hint: str) -> RefusedError:
    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.yaml.tree import named_at

    entry = root.entry("tables") or root.entry("rounds")
    sections = (other.value for other in root.entries if other.key.text != "names")  # people may be called like cards
    place = next((span for section in sections if (span := named_at(section, name))), None)
    span = place or (entry.key.span if entry else root.span)
    text = f"{message[:1].upper()}{message[1:]}."
    where = f"/{entry.key.text}" if entry else ""
    return RefusedError([Diagnostic("example-invalid", "error", text, span, where, hint)])


def _data(game: Game, sheet: Sheet, scored: SheetScores) -> dict[str, Any]:
    lines = [
        {
            "at": moment,
            "rule": line.rule,
            "seat": line.seat,
            "points": line.points,
            "cards": list(line.cards),
            "text": line.text,
            "source": list(line.source),
        }
        for moment, line in scored.lines
    ]
    return {
        "cardset": game.id,
        "players": game.players,
        "variants": list(game.variants),
        "names": list(sheet.names),
        "points": {rule: list(points) for rule, points in scored.rules.items()},
        **{moment: list(points) for moment, points in scored.moments.items()},
        "total": list(scored.total),
        "winners": list(scored.winners),
        "lines": lines,
    }


def _game_data(game: Game, sheet: Sheet, reckoned: GameScores) -> dict[str, Any]:
    rounds = [
        {
            "round": round_sheet.round,
            "points": {row.rule: list(row.points) for row in round_sheet.rows},
            "total": list(round_sheet.total(game.seats)),
            "lines": [
                {
                    "rule": row.rule,
                    "seat": given.seat,
                    "points": given.points,
                    "cards": list(given.cards),
                    "text": given.text,
                }
                for row in round_sheet.rows
                for given in row.entries
            ],
        }
        for round_sheet in reckoned.sheets
    ]
    return {
        "cardset": game.id,
        "players": game.players,
        "variants": list(game.variants),
        "names": list(sheet.names),
        "rounds": rounds,
        "total": list(reckoned.scores),
        "winners": list(reckoned.winners),
    }


def _names(game: Game, sheet: Sheet) -> Names:
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.session import HUMAN
    from draftengine.apps.play.terminal_style import Style

    seats = [f"Player {seat}" for seat in range(1, game.players + 1)]
    titles = [*sheet.names, *seats[len(sheet.names) :]]
    return Names(game, [HUMAN] * game.players, Style.of(sys.stdout), titles)


def _print_game(game: Game, sheet: Sheet, reckoned: GameScores) -> None:
    from draftengine.apps.play.score_board import sheet_lines, standing_lines

    names = _names(game, sheet)
    lines: list[str] = []
    for round_sheet in reckoned.sheets:
        lines += ["", names.style.headline(f"Round {round_sheet.round}", "─"), *sheet_lines(round_sheet, names)]
    lines += ["", *standing_lines(reckoned, names)]
    sys.stdout.write("\n".join(lines[1:]) + "\n")


def _print(game: Game, sheet: Sheet, scored: SheetScores) -> None:
    from draftengine.apps.play.score_board import grid, proof_lines, verdict

    names = _names(game, sheet)
    style = names.style
    lines: list[str] = []
    for moment in scored.moments:
        lines += ["", style.headline(names.moment(moment), "─")]
        lines += proof_lines((line for when, line in scored.lines if when == moment), names)
    rows = [(names.moment(moment), points) for moment, points in scored.moments.items()]
    before = sheet.position.scores
    if any(before):
        rows.insert(0, ("Before", (*before, *[0] * (game.seats - len(before)))))
    lines += ["", *grid("", [*rows, ("Total", scored.total)], names)]
    lines += ["", f"  If the game ended so: {verdict(scored.winners, scored.total, names)}"]
    sys.stdout.write("\n".join(lines[1:]) + "\n")
