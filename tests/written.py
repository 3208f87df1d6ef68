"""Cases written as YAML, read by the fast parser where it is installed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

try:
    from yaml import CSafeLoader as Loader
except ImportError:
    from yaml import SafeLoader as Loader

if TYPE_CHECKING:
    from pathlib import Path

TWO_DISHES = """
format: 2
id: two_dishes
title: Two Dishes
version: 1.0.0
players: 2-4
rounds: 2
cards:
  soup: {count: 20}
  bread: {count: 20}
setup:
  - shuffle: deck
round:
  - deal: {to: hand, cards: 5}
  - repeat:
      until_empty: hand
      do:
        - choose: {from: hand, to: tableau}
        - pass: {zone: hand, to: left}
  - score: round
  - clear: tableau
scoring:
  soup: {set: soup, size: 2, points: 5}
  bread: {majority: bread, most: [6, 3], tie: split}
winner: {order: most}
"""
"""A small card set without a mistake, which tests change in one place."""


def cases_in(path: Path) -> Any:
    """Return the parsed contents of a file."""
    return says(path.read_text(encoding="utf-8"))


def says(text: str) -> Any:
    """Return the parsed contents of a text."""
    return yaml.load(text, Loader=Loader)
