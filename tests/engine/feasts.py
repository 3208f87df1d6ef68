"""Card sets whose choices have too many moves to list."""

from __future__ import annotations

from compiled import load_program
from draftengine.model.selection import NOTHING_SELECTED, open_document

FEAST = """
format: 1
id: feast
title: Feast
version: 1.0.0
players: 2-4
rounds: 1
cards:
{cards}
abilities:
  ladle: {{card: dish_0, take: {take}, when: before_reveal, returns_to: hand}}
setup:
  - shuffle: deck
round:
  - deal: {{to: hand, cards: {hand}}}
  - repeat:
      until_empty: hand
      do:
        - choose: {{from: hand, to: tableau, cards: {choose}}}
        - pass: {{zone: hand, to: left}}
  - score: round
scoring:
{rules}
winner: {{order: most}}
"""

QUARRY = """
format: 1
id: quarry
title: Quarry
version: 1.0.0
players: 2
rounds: 1
cards:
  stone: {count: 40}
  gold: {count: 40}
  crane: {count: 20}
abilities:
  crane: {card: crane, take: 2, when: before_reveal, returns_to: discard}
zones:
  pit:
    per: table
    layout: {rows: [ROWS], covers: pyramid}
markers:
  digger: {start: first}
setup:
  - shuffle: deck
round:
  - deal: {to: pit, cards: DEALT}
  - repeat:
      until_empty: pit
      do:
        - choose: {from: pit, to: tableau, cards: TAKEN, who: {holder: digger}}
        - give: {marker: digger, to: left}
  - score: round
scoring:
  gold: {kind: set, of: gold, size: 3, points: 5}
winner: {order: most}
"""


def feast(kinds=22, copies=4, hand=20, choose=10, take=1):
    """Return the text of a game whose moves have many cards from large hands, and more with a ladle."""
    names = [f"dish_{number}" for number in range(kinds)]
    cards = "\n".join(f"  {name}: {{count: {copies}}}" for name in names)
    rules = "\n".join(
        f"  {name}: {{kind: set, of: {name}, size: {min(1 + number % 3, copies)}, points: {number % 7 + 1}}}"
        for number, name in enumerate(names[:100])
    )
    return FEAST.format(cards=cards, rules=rules, hand=hand, choose=choose, take=take)


def quarry(rows=(8, 9, 10), taken=5):
    """Return the text of a game whose moves take many places of a layout, including newly uncovered ones."""
    return (
        QUARRY.replace("ROWS", ", ".join(f"{{cards: {row}}}" for row in rows))
        .replace("DEALT", str(sum(rows)))
        .replace("TAKEN", str(taken))
    )


def program_of(text, players=2):
    """Return the program of a card set, which must be valid."""
    document, findings = open_document(text.encode(), "large.yaml", lambda _: None)
    assert document is not None, findings
    return load_program(document, NOTHING_SELECTED, players)
