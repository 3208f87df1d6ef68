"""Forecasts at the end of a round: game scoring counts whole, or by the share of rounds played."""

from __future__ import annotations

import pytest

from bots.reference import forecasts
from compiled import load_program
from draftengine.engine.position import Position, lay_out
from draftengine.model.selection import NOTHING_SELECTED, open_document

ORCHARD = """
format: 1
id: orchard
title: Orchard
version: 1.0.0
players: 2-4
rounds: 4
cards:
  tree: {count: 20, keep: true}
  goat: {count: 40, keep: true, on_play: [{roll: luck}]}
counters:
  luck: {die: 6, keep: true}
markers:
  flag: {start: first}
setup: [{shuffle: deck}]
round:
  - {deal: {to: hand, cards: 2}}
  - {choose: {from: hand, to: tableau}}
  - {move: {from: hand, to: discard}}
  - {clear: tableau}
finish: [{score: game}]
scoring:
  end: {at: game, RULE}
winner: {order: most}
"""
PARTS = 1000

OWN = {
    "each": "kind: each, of: tree, points: 4",
    "table": "kind: table, of: tree, points: [0, 8, 12]",
    "set": "kind: set, of: tree, size: 2, points: 8",
    "formula": 'kind: formula, points: "4 * min(tree, 2)"',
}
AHEAD = {
    "majority": "kind: majority, of: tree, most: [8]",
    "formula over all seats": "kind: formula, points: 8 if tree == most(tree) else 0",
    "marker": "kind: formula, points: 8 if holds(flag) else 0",
    "formula over the others": "kind: formula, points: 8 if tree > others_most(tree) else 0",
}
ROLLED = {
    "die": "kind: each, of: luck, points: 8",
    "most by die": "kind: majority, of: luck, most: [8]",
}


def forecast(rule, players, round_):
    """Return the forecast of a seat with two trees and a die of one, in parts of a point."""
    text = ORCHARD.replace("RULE", rule)
    document, findings = open_document(text.encode(), "orchard.yaml", lambda _: None)
    assert document is not None, findings
    program = load_program(document, NOTHING_SELECTED, players)
    others = ((),) * (players - 1)
    counters = {"luck": (1, *(0 for _ in others))}
    position = Position(tables=(("tree", "tree"), *others), counters=counters, round=round_)
    return forecasts(lay_out(program, position), PARTS)[0]


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("rule", OWN.values(), ids=OWN)
def test_what_a_seat_has_collected_counts_whole(rule, players):
    assert [forecast(rule, players, round_) for round_ in (1, 3)] == [8 * PARTS] * 2


@pytest.mark.parametrize("rule", AHEAD.values(), ids=AHEAD)
def test_being_ahead_counts_in_part_against_one_and_whole_against_several(rule):
    assert [forecast(rule, 2, round_) for round_ in (1, 3)] == [2 * PARTS, 6 * PARTS]
    assert [forecast(rule, 4, round_) for round_ in (1, 3)] == [8 * PARTS] * 2


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("rule", ROLLED.values(), ids=ROLLED)
def test_what_a_die_shows_counts_in_part(rule, players):
    assert [forecast(rule, players, round_) for round_ in (1, 3)] == [2 * PARTS, 6 * PARTS]
