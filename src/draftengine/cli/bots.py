"""``draftengine bots``."""

from __future__ import annotations

import json
import sys

from draftengine.cli import options


def bots(as_json: options.Json = False) -> None:
    """List the bots that can take a seat.

    \b
    Examples:
      draftengine bots
      draftengine play my_game.yaml --seat human --seat random
    """
    from draftengine.bots.protocol import known_bots

    found = known_bots()
    if as_json:
        sys.stdout.write(json.dumps([{"name": name, "description": text} for name, text in found.items()]) + "\n")
        return
    wide = max(map(len, found))
    for name, text in found.items():
        sys.stdout.write(f"{name:<{wide}}  {text}\n")
