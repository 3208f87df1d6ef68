"""Small games for batches: moves of many parts, and games that cannot be compiled."""

from compiled import load_program
from draftengine.model.selection import NOTHING_SELECTED, open_document

_HEAD = """
format: 1
id: small
title: Small
version: 1.0.0
players: 2-13
rounds: 2
cards:
  soup: {count: 30, KEEP adds: {heat: 1}}
  bread: {count: 30}
  broth: {count: 20, face: soup}
  ladle: {count: 12}
counters:
  heat: {}
markers:
  cook: {start: first}
setup:
  - shuffle: deck
scoring:
  heat: {kind: majority, of: heat, most: [6, 3], at_least: 1}
  bread: {kind: each, of: bread, points: POINTS}
winner: {order: most}
"""

_SEVERAL = """
abilities:
  ladle: {card: ladle, take: 2, per_turn: 2, returns_to: RETURNS, WHEN}
extra_seats:
  guest: {wins: false}
  ghost: {wins: false}
round:
  - deal: {to: hand, cards: 8}
  - repeat:
      until_empty: hand
      do:
        - choose:
            {from: hand, to: tableau, cards: 2, also: [{seat: guest, by: cook, cards: 2}, {seat: ghost, by: cook}]}
        - pass: {zone: hand, to: [left, right]}
        - give: {marker: cook, to: left}
  - score: round
  - clear: tableau
"""

_ASIDE = """
zones:
  kept: {per: seat, seen_by: SEEN}
  heap: {per: table, seen_by: everyone}
  well: {per: table, seen_by: nobody}
round:
  - deal: {to: hand, cards: 5}
  - repeat:
      times: 4
      do:
        - choose: {from: hand, to: kept, cards: 2}
        - choose: {from: hand, to: heap}
        - pass: {zone: hand, to: left}
        TAKE
        - draw: {from: deck, to: hand, cards: 2}
        - move: {from: heap, to: well}
          when: turn == 3
  - move: {from: kept, to: hand}
  - pass: {zone: hand, to: right}
  - choose: {from: hand, to: tableau, who: {holder: cook}}
  - move: {from: hand, to: discard}
  - score: round
"""

_CROWD = """
round:
  - deal: {to: hand, cards: 2}
  - repeat: {until_empty: hand, do: [{choose: {from: hand, to: tableau}}, {pass: {zone: hand, to: left}}]}
  - score: round
"""

_IDLE = """
round:
  - deal: {to: hand, cards: 2}
  - score: round
"""

QUARRY = """
format: 1
id: quarry
title: Quarry
version: 1.0.0
players: 2
rounds: 2
cards:
  stone: {count: 10}
  gold: {count: 10}
  crane: {count: 8}
abilities:
  crane: {card: crane, WHEN returns_to: place, turns_up: TURNS_UP}
zones:
  pit:
    per: table
    layout: {rows: [{cards: 1}, {cards: 2, face: down}, {cards: 3}], covers: pyramid}
markers:
  digger: {start: random}
setup:
  - shuffle: deck
round:
  - deal: {to: pit, cards: 6}
  - repeat:
      until_empty: pit
      do:
        - choose: {from: pit, to: tableau, who: {holder: digger}}
        - give: {marker: digger, to: left}
  - score: round
scoring:
  gold: {kind: each, of: gold, points: 1}
winner: {order: most}
"""

_BURIED = """
format: 1
id: buried
title: Buried
version: 1.0.0
players: 2
rounds: 2
cards:
  stone: {count: 12}
  gold: {count: 12}
zones:
  heap: {per: table, seen_by: everyone}
  pit:
    per: table
    layout: {rows: [{cards: 1, face: down}, {cards: 2}], covers: pyramid}
markers:
  digger: {start: random}
round:
  - shuffle: deck
  - deal: {to: hand, cards: 6}
  - repeat:
      times: 3
      do:
        - choose: {from: hand, to: heap, cards: 2}
        - move: {from: heap, to: deck}
        - shuffle: deck
          when: turn == 2
        - deal: {to: pit, cards: 3}
        - repeat:
            until_empty: pit
            do:
              - choose: {from: pit, to: tableau, who: {holder: digger}}
              - give: {marker: digger, to: left}
  - score: round
  - clear: tableau
scoring:
  gold: {kind: each, of: gold, points: 1}
winner: {order: most}
"""

_LEAVING = """
format: 1
id: leaving
title: Leaving
version: 1.0.0
players: 2-13
rounds: 2
cards:
  soup: {count: 20, KEEP adds: {heat: 1}}
  bread: {count: 20}
  OTHER
counters:
  heat: {}
setup:
  - shuffle: deck
scoring:
  heat: {kind: majority, of: heat, most: [6, 3], at_least: 1}
winner: {order: most}
"""

_SWEPT = """
zones:
  tray: {per: seat, seen_by: owner}
  heap: {per: table}
round:
  - deal: {to: hand, cards: 4}
  - choose: {from: hand, to: tableau}
  - pass: {zone: hand, to: left}
  - move: {from: hand, to: tray}
  - deal: {to: hand, cards: 4}
  - repeat:
      times: 3
      do:
        - choose: {from: hand, to: tableau, as: {lay: {}, swap: {cards: 0, ask: bread, give: soup}, go: {to: heap}}}
        - pass: {zone: hand, to: left}
        - move: {from: heap, to: deck}
  - move: {from: tray, to: tableau}
  - choose: {from: hand, to: tray}
  - score: round
  - clear: tableau
  - move: {from: tray, to: discard}
  - move: {from: hand, to: discard}
"""

_SHELF = """
zones:
  shelf: {per: seat, counts: true}
  cellar: {per: seat, seen_by: nobody}
round:
  - deal: {to: hand, cards: 5}
  - choose: {from: hand, to: shelf}
  - choose: {from: hand, to: tableau}
  - choose: {from: shelf, to: tableau}
  - choose: {from: tableau, to: shelf}
  - choose: {from: hand, to: shelf}
  - move: {from: WHERE, to: cellar}
  - choose: {from: hand, to: tableau}
  - move: {from: cellar, to: hand}
  - choose: {from: hand, to: tableau}
  - score: round
  - clear: tableau
  - clear: shelf
  - move: {from: hand, to: discard}
"""

TEXTS = {
    **{
        f"several, {to}, {when or 'at once'}": (_HEAD + _SEVERAL).replace("RETURNS", to).replace("WHEN", when)
        for to in ("hand", "discard", "stays")
        for when in ("", "when: after_reveal")
    },
    **{
        f"aside, seen by {who}": (_HEAD + _ASIDE).replace("SEEN", who).replace("TAKE", take)
        for who, take in (
            ("owner", "- choose: {from: kept, to: tableau}"),
            ("everyone", "- choose: {from: kept, to: tableau}"),
            ("nobody", "- draw: {from: kept, to: hand, cards: 1}"),
        )
    },
    "buried": _BURIED,
    "swept": _LEAVING.replace("OTHER", "broom: {count: 12, on_play: [{move: {from: tray, to: deck}}]}") + _SWEPT,
    **{
        f"from the {where}": _LEAVING.replace("OTHER", "stew: {count: 12, forms: {of: [soup, bread]}}")
        + _SHELF.replace("WHERE", where)
        for where in ("shelf", "tableau")
    },
    "quarry, for a guest": (
        QUARRY.replace("TURNS_UP", "false")
        .replace("WHEN", "")
        .replace("who: {holder: digger}", "who: {holder: digger}, also: [{seat: guest, by: digger}]")
        .replace("zones:", "extra_seats:\n  guest: {wins: false}\nzones:")
    ),
    **{
        f"quarry, {up}, {when or 'at once'}": QUARRY.replace("TURNS_UP", up).replace("WHEN", when)
        for up, when in (("false", ""), ("false", "when: after_reveal,"), ("true", "when: after_reveal,"))
    },
}
"""Games with long moves, abilities, cards for other seats, and hidden, covered or known cards.

Some known cards are dealt face down, shuffled or mixed; others count in several zones and leave them.
"""


def small(text, players, *, points=1, keep=""):
    """Return the game of this text."""
    text = text.replace("POINTS", str(points)).replace("KEEP", keep)
    document, findings = open_document(text.encode(), "small.yaml", lambda _: None)
    assert document is not None, findings
    return load_program(document, NOTHING_SELECTED, players)


def crowd():
    """Return a game with many players."""
    return small(_HEAD + _CROWD, 13)


def idle():
    """Return a game in which no seat ever chooses."""
    return small(_HEAD + _IDLE, 2)


def rich():
    """Return a game with points above the range of 16 bits."""
    return small(TEXTS["aside, seen by owner"], 2, points=50000)
