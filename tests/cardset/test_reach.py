"""Counters that are known never to fall below 0, before the flow is followed."""

from __future__ import annotations

import pytest

from draftengine.model.flow.key import name_ranges
from draftengine.model.language.tree import MAX_INT
from draftengine.model.selection import open_document, resolve

GAME = """
format: 1
id: game
title: Game
version: 1.0.0
players: 2-4
rounds: 3
cards:
  soup: {count: 9, family: dish, has: {cost: 2}}
  cake: {count: 4, keep: true, adds: {sugar: 2, coins: 1}}
  diet: {count: 2, adds: {weight: -3}}
  spice: {count: 3}
  guest: {count: 2, forms: {of: [soup, cake]}}
  EXTRA
counters:
  coins: {min: 0, max: 40}
  pot: {per: table, start: 3, max: 9}
  debt: {start: -1}
  luck: {die: 6, start: 1}
  sugar: {}
  stars: {}
  shine: {}
  depth: {min: -5, max: 5}
modifiers:
  hot: {card: spice, applies_to: soup, then: {heat: 3 * amount + 1, cold: 0 - amount}}
round:
  - deal: {to: hand, cards: 6}
  - repeat: {until_empty: hand, do: [{choose: {}}, {pass: {to: left}}]}
  - score: round
  - clear: tableau
  STEP
triggers:
  some: {after: reveal, who: soup > 0, do: [{add: {stars: 1 + shine, shine: stars * 2}}, {add: {coins: 0 - soup}}]}
  more: {after: turn, who: soup > 0, do: [{set: {pot: soup}}, {roll: luck}, {add: {depth: -1}}]}
scoring:
  soup: {kind: each, of: soup, points: 1}
winner: {order: most}
"""


def ranges(*names, extra="plain: {count: 40}", step="- shuffle: deck"):
    text = GAME.replace("EXTRA", extra).replace("STEP", step)
    document, findings = open_document(text.encode(), "game.yaml", lambda _name: None)
    assert document is not None, findings
    model, findings = resolve(document)
    assert model is not None, findings
    return name_ranges(model, 3, names)


@pytest.mark.parametrize("name", ["soup", "dish", "guest@soup", "sugar", "coins", "stars", "shine", "heat", "luck"])
def test_what_is_never_below_0(name):
    """Check counts of cards, amounts of cards, and counters that effects bound or only raise."""
    assert ranges(name) == {name: (0, MAX_INT)}


@pytest.mark.parametrize("name", ["weight", "debt", "cold", "depth", "points"])
def test_what_may_be_below_0(name):
    assert ranges(name) == {}


def test_other_ranges():
    """Check that a counter of effects alone keeps to its declared maximum, and ranges of card values."""
    assert ranges("pot", "its.cost", "players", "unknown") == {"pot": (0, 9), "its.cost": (0, 2), "players": (3, 3)}


def test_what_one_effect_takes_another_one_takes_too():
    """Check that a counter raised by one that may fall may itself fall."""
    extra = "bill: {count: 9, on_play: [{add: {shine: 0 - soup}}]}"
    assert ranges("stars", "shine", "soup", extra=extra) == {"soup": (0, MAX_INT)}


def test_what_leaves_may_take_more_than_there_is():
    """Check that a leaving card takes its amount away, even after an effect has set the counter."""
    step = "- move: {from: tableau, to: hand}"
    assert ranges("soup", "sugar", "coins", "tableau.soup", "heat", step=step) == dict.fromkeys(
        ("soup", "sugar", "tableau.soup"), (0, MAX_INT)
    )
