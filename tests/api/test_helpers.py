"""Counters that nobody sees: they work like all counters, but no table and no report shows them."""

from __future__ import annotations

import re

import pytest

import draftengine as de
from draftengine.api.phrasing.events import EventTeller

HELPED = """
format: 2
id: helped
title: Helped
version: 1.0.0
players: 2
rounds: 1
cards: {soup: {count: 12}, bread: {count: 12}}
zones: {row: {copies: 2}}
counters:
  used: {start: 1, max: 9}
  full: {per: row, max: 1}
  luck: {die: 6, start: 1, label: Luck}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 3}
  - repeat:
      until_empty: hand
      do:
        - choose: {from: hand, to: tableau}
        - add: {used: 1 + soup}
        - {set: {full: 1}, when: round == 1}
        - roll: luck
  - score: round
scoring: {used: {points: used + bread + full_1}}
"""


@pytest.mark.parametrize("seen", [True, False])
def test_counters_that_nobody_sees(tmp_path, seen):
    """Check what lies before seats and what is reported, with counters that are seen and that are not."""
    path = tmp_path / "helped.yaml"
    path.write_text(HELPED if seen else re.sub("max:|die:", r"seen_by: nobody, \g<0>", HELPED))
    game = de.load(path, players=2)
    state = game.set_up(de.Position(hands=[["soup", "soup"], ["bread", "bread"]]))
    view = state.commit(0, "soup").commit(1, "bread").view(0)
    visible = {item.thing for seat in (-1, 0, 1) for item in view.belongings(seat)}
    assert visible == ({"used", "full_1", "full_2", "luck"} if seen else set())
    assert view.counters(0)["used"] == 3
    reported = {happening.id for happening in EventTeller(game, 0).tell(view.events)}
    assert ("counter" in reported, "rolled" in reported) == (seen, seen)


def test_no_counter_is_a_secret_of_its_owner(tmp_path):
    path = tmp_path / "helped.yaml"
    path.write_text(HELPED.replace("used: {start", "used: {seen_by: owner, start"))
    assert "not-allowed-value" in {finding.code for finding in de.check(path)}
