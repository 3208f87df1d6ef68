"""``draftengine bots``."""

from __future__ import annotations

import json
import sys

from draftengine.apps.cli import options


def bots(as_json: options.Json = False) -> None:
    """List the bots that can take a seat.

    \b
    Examples:
      draftengine bots
      draftengine play my_game.yaml --seat human --seat greedy
    """
    from draftengine.bots.catalogue import described

    descriptions = described()
    if as_json:
        listed = [
            {"name": name, "description": text, "options": defaults} for name, (text, defaults) in descriptions.items()
        ]
        sys.stdout.write(json.dumps(listed) + "\n")
        return
    wide = max(map(len, descriptions))
    for name, (text, defaults) in descriptions.items():
        sys.stdout.write(f"{name:<{wide}}  {text}\n")
        for option, default in defaults.items():
            sys.stdout.write(f"{'':<{wide}}    {name}:{option}={default}\n")
