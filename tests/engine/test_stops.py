"""Games that may not end or may lack cards: they are played until they can go no further."""

from __future__ import annotations

import pytest

import draftengine as de
from draftengine.engine.chance import root_of
from draftengine.engine.forms import GameRunner
from draftengine.studies.runner.playing import ReferencePlayer

TOP = """
format: 1
id: doubtful
title: Doubtful
version: 1.0.0
players: 2
rounds: 4
cards:
  soup: {count: 25}
  bread: {count: 4, on_play: [{draw: {to: hand, cards: 2}}]}
setup: [{shuffle: deck}]
scoring: {soups: {kind: each, of: soup, points: 1}, breads: {kind: each, of: bread, points: 2}}
winner: {order: most}
"""
CARDS = """
round:
  - deal: {to: hand, cards: 3}
  - repeat: {until_empty: hand, do: [{choose: {from: hand, to: tableau}}]}
  - score: round
  - clear: tableau
"""
TURNS = """
round:
  - deal: {to: hand, cards: 3}
  - repeat:
      until: total(points) == 40
      do:
        - choose: {from: hand, to: tableau}
        - score: round
        - move: {from: tableau, to: deck}
        - shuffle: deck
        - draw: {to: hand}
  - gather: deck
"""
SOME = """
markers: {crown: {start: first}}
round:
  - deal: {to: hand, cards: 2}
  - deal: {to: hand, cards: round, who: {holder: crown}}
  - repeat: {until_empty: hand, do: [{choose: {from: hand, to: tableau}}]}
  - give: {marker: crown, to: left}
  - score: round
  - clear: tableau
"""
RULES = {"cards": CARDS, "turns": TURNS, "cards for one": SOME}

GAMES = 8
"""The number of games that are played in every form; some of them stop."""


@pytest.fixture(params=RULES)
def path(request, tmp_path):
    file = tmp_path / "doubtful.yaml"
    file.write_text(TOP.lstrip() + RULES[request.param].lstrip())
    return file


def test_a_doubt_is_a_warning(path):
    """Check that a possible stop is a warning that says where and how."""
    findings = de.check(path)
    assert {finding.severity for finding in findings} == {"warning"}
    assert {finding.code for finding in findings} <= {"deck-runs-out", "endless-turns"}
    assert all(finding.message.endswith(("ends there.", "ends at this point.")) for finding in findings)


def test_it_stops_in_words(path):
    """Check that some games end normally, and the others report once why they stop, with a winner."""
    game, bot, reasons = de.load(path, players=2), de.bot("random"), []
    for number in range(12):
        state = game.start(seed=number)
        while not state.over:
            for seat in state.waiting:
                state = state.commit(seat, bot.decide(state.view(seat), seed=number).move)
        kinds = [event.name for event in state.history if event.kind == "stopped"]
        assert len(kinds) <= 1
        assert state.result.winners
        reasons += kinds
    assert len(reasons) > 0


def test_every_form_stops_alike(path):
    """Check that totals, winners and the number of stopped games are equal in all forms."""
    program = de.load(path, players=2).program
    for policy in ("random", "greedy"):
        expected = ReferencePlayer(program, [policy] * 2, logged=False).play(root_of("stops"), 0, GAMES, rows=True)
        for compiled in (False, True):
            player = GameRunner(program, [policy] * 2, logged=False, worth=None, compiled=compiled)
            assert player.play(root_of("stops"), 0, GAMES, rows=True) == expected
    assert de.simulate(de.load(path, players=2), 200, bots="random", seed=1).summary.stopped > 0
