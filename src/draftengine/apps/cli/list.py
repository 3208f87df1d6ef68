"""``draftengine list``."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer

from draftengine.apps.cli import options


def list_sets(
    house: Annotated[bool, typer.Option("--house", help="List the house rules instead of the games.")] = False,
    as_json: options.Json = False,
) -> None:
    """List the card sets that come with draftengine.

    House rules are short files that change one of these games; they can be played by their name, too.

    \b
    Examples:
      draftengine list
      draftengine list --house
      draftengine show my_game.yaml
    """
    from draftengine.model.library.library import house_rules, shelf

    entries = [_entry(name) for name in (house_rules() if house else shelf())]
    if as_json:
        sys.stdout.write(json.dumps(entries) + "\n")
        return
    wide = max((len(entry["id"]) for entry in entries), default=0)
    for entry in entries:
        sys.stdout.write(f"{entry['id']:<{wide}}  {_line(entry, house)}\n")
    if not house:
        sys.stdout.write(f"There are {len(house_rules())} house rules, too: draftengine list --house\n")


def _line(entry: dict[str, Any], house: bool) -> str:
    players = "-".join(dict.fromkeys(map(str, entry["players"])))
    if house:
        return f"{entry['title']}, for {entry['extends']} with {players} players"
    menus = f"; menus: {', '.join(entry['menus'])}" if entry["menus"] else ""
    variants = f"; variants: {', '.join(entry['variants'])}" if entry["variants"] else ""
    return f"{entry['title']}, {players} players{menus}{variants}"


def _entry(name: str) -> dict[str, Any]:
    from draftengine.apps.cli.opening import rules_of
    from draftengine.model.cardset.records import text_in

    rules = rules_of(name, ())
    model = rules.model
    return {
        "id": name,
        "title": text_in(model.title),
        "players": [model.min_players, model.max_players],
        "menus": list(rules.menus),
        "variants": [variant.id for variant in model.variants],
        "extends": next((file.asked for file in rules.document.files[1:]), None),
    }
