"""``draftengine score``."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from draftengine.cli import options
from draftengine.cli.problems import RefusedError, UsageError

if TYPE_CHECKING:
    from draftengine.api.game import Game
    from draftengine.cardset.tree import Mapping
    from draftengine.scenario.sheet import Scored, Sheet


def score(
    cardset: options.CardSet,
    tables: Annotated[
        str,
        typer.Option(
            "--input",
            "-i",
            metavar="FILE",
            help="The tables, in YAML or JSON; - for standard input.",
            show_default=False,
        ),
    ],
    players: options.Players = None,
    variant: options.Variants = None,
    as_json: options.Json = False,
) -> None:
    """Score the tables of real players, and say why.

    The input names the cards before each player, in the order in which they were played, or counted:

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
      draftengine score my_game.yaml --input tables.yaml
      echo '{"tables": [["soup", "soup"], ["bread"]]}' | draftengine score my_game.yaml -i - --json
    """
    from draftengine.api.errors import UnknownNameError, WrongPositionError
    from draftengine.api.ruleset import rules_in
    from draftengine.cli.files import tables_in
    from draftengine.cli.opening import document_named, in_words
    from draftengine.diagnostics.suggest import did_you_mean
    from draftengine.scenario.sheet import read_sheet, score_position

    if cardset == tables == "-":
        raise UsageError("Standard input can't be both the card set and the tables.")
    document = document_named(cardset)
    root = tables_in(tables)
    sheet = read_sheet(root)
    with in_words():
        rules = rules_in(document, [*sheet.variants, *(variant or ())])
        game = rules.game(players or sheet.players or len(sheet.position.tables) - len(rules.model.extra_seats))
    try:
        scored = score_position(game, sheet.position)
    except WrongPositionError as error:
        known = error.known if isinstance(error, UnknownNameError) else ()
        name = error.name if isinstance(error, UnknownNameError) else ""
        raise _refused(root, str(error), name, did_you_mean(name, known) or _listed(known)) from None
    if as_json:
        sys.stdout.write(json.dumps(_data(game, sheet, scored)) + "\n")
    else:
        _print(game, sheet, scored)
    if scored.unplayed:
        typer.echo(
            f"Not counted: what {', '.join(scored.unplayed)} did when played. Give it as counters and scores.", err=True
        )


def _listed(known: tuple[str, ...]) -> str:
    return f"Known: {', '.join(known)}." if known else ""


def _refused(root: Mapping, message: str, name: str, hint: str) -> RefusedError:
    from draftengine.cardset.tree import named_at
    from draftengine.diagnostics.finding import Diagnostic

    entry = root.entry("tables")
    sections = (own.value for own in root.entries if own.key.text != "names")  # people may be called like cards
    place = next((span for own in sections if (span := named_at(own, name))), None)
    span = place or (entry.key.span if entry else root.span)
    text = f"{message[:1].upper()}{message[1:]}."
    return RefusedError([Diagnostic("example-invalid", "error", text, span, "/tables", hint)])


def _data(game: Game, sheet: Sheet, scored: Scored) -> dict[str, Any]:
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


def _print(game: Game, sheet: Sheet, scored: Scored) -> None:
    from draftengine.play.names import Names
    from draftengine.play.scoreboard import grid, proof_lines, verdict
    from draftengine.play.session import HUMAN
    from draftengine.play.style import Style

    style = Style.of(sys.stdout)
    seats = [f"Player {seat}" for seat in range(1, game.players + 1)]
    names = Names(game, [HUMAN] * game.players, style, [*sheet.names, *seats[len(sheet.names) :]])
    lines: list[str] = []
    for moment in scored.moments:
        lines += ["", style.headline(names.moment(moment), "─")]
        lines += proof_lines((line for own, line in scored.lines if own == moment), names)
    rows = [(names.moment(moment), points) for moment, points in scored.moments.items()]
    before = sheet.position.scores
    if any(before):
        rows.insert(0, ("Before", (*before, *[0] * (game.seats - len(before)))))
    lines += ["", *grid("", [*rows, ("Total", scored.total)], names)]
    lines += ["", f"  If the game ended so: {verdict(scored.winners, scored.total, names)}"]
    sys.stdout.write("\n".join(lines[1:]) + "\n")
