"""``draftengine list``."""

from __future__ import annotations

import json
import sys
from typing import Any

from draftengine.cli import options


def list_sets(as_json: options.Json = False) -> None:
    """List the card sets that come with draftengine.

    \b
    Examples:
      draftengine list
      draftengine show my_game.yaml
    """
    found = [_entry(name) for name in _names()]
    if as_json:
        sys.stdout.write(json.dumps(found) + "\n")
        return
    wide = max((len(entry["id"]) for entry in found), default=0)
    for entry in found:
        variants = f"; variants: {', '.join(entry['variants'])}" if entry["variants"] else ""
        players = "-".join(dict.fromkeys(map(str, entry["players"])))
        sys.stdout.write(f"{entry['id']:<{wide}}  {entry['title']}, {players} players{variants}\n")


def _names() -> list[str]:
    from draftengine.library import shelf

    return list(shelf())


def _entry(name: str) -> dict[str, Any]:
    from draftengine.cardset.model import text_in
    from draftengine.cli.opening import rules_of

    model = rules_of(name, ()).model
    return {
        "id": name,
        "title": text_in(model.title),
        "players": [model.min_players, model.max_players],
        "variants": [variant.id for variant in model.variants],
    }
