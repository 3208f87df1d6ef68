"""Step lists with shared piles: they act only if the condition holds for the acting seat."""

import pytest

import draftengine as de

GAME = """
format: 1
id: shared
title: Shared
version: 1.0.0
players: 2
rounds: 1
cards: {soup: {count: 20}, bread: {count: 20}}
zones: {market: {per: table, seen_by: everyone}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 2}
  - draw: {to: market, cards: 1}
  - in_turn: {do: [{choose: {from: hand, to: tableau}}, IN_LIST]}
  - FLOW
  - score: round
scoring: {soup: {kind: each, of: soup, points: 1}, bread: {kind: each, of: bread, points: 2}}
winner: {order: most}
examples:
  - name: one has a soup
    hands: [[soup, bread], [bread, bread]]
    zones: {market: [soup]}
    deck: [bread, bread]
    moves: [[soup, null], [null, bread]]
    expect: {zones: {market: ONE}}
  - name: nobody has
    hands: [[bread, soup], [bread, bread]]
    zones: {market: [soup]}
    deck: [bread, bread]
    moves: [[bread, null], [null, bread]]
    expect: {zones: {market: [soup]}}
"""
NOTHING = "{shuffle: deck}"


@pytest.mark.parametrize(
    ("in_list", "flow", "one"),
    [
        ("{draw: {to: market, cards: 1}, when: soup > 0}", NOTHING, "[soup, bread]"),
        ("{move: {from: market, to: discard}, when: soup > 0}", NOTHING, "[]"),
        ("{draw: {to: market, cards: 2 * soup}}", NOTHING, "[soup, bread, bread]"),
        (NOTHING, "draw: {to: market, cards: 1, who: soup > 0}", "[soup, bread]"),
    ],
)
def test_nothing_happens_to_a_pile_for_nobody(tmp_path, in_list, flow, one):
    """Check that draws and moves of a shared pile happen for no seat or once, depending on the condition."""
    path = tmp_path / "shared.yaml"
    path.write_text(GAME.replace("IN_LIST", in_list).replace("FLOW", flow).replace("ONE", one), "utf-8")
    assert de.check(path) == ()
