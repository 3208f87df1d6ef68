"""Renaming cards or moving players changes only names and seats in a game."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from compiled import load_program
from conftest import NIGHTLY, sample
from draftengine.engine.position import Position, labels, lay_out, proof
from draftengine.model.selection import NOTHING_SELECTED, open_document
from draftengine.model.shelf import shelf
from engine import gates
from engine.configurations import ENTERING

NAMES = ("tempura", "sashimi", "dumpling", "wasabi", "chopsticks", "pudding", "maki_1", "nigiri_squid")


def renamed(text):
    """Return a card set in which some cards are renamed throughout."""
    for number, name in enumerate(NAMES):
        text = re.sub(rf"\b{name}\b", f"card{number}", text)
    return text


def program_from(text, players):
    document, findings = open_document(text.encode(), "renamed.yaml", lambda _: None)
    assert document is not None, findings
    return load_program(document, NOTHING_SELECTED, players)


@pytest.mark.parametrize("players", [2, 5])
def test_renaming_cards_renames_the_game(players):
    """Check that a seed deals an equal game, with the new names."""
    text = Path(shelf()["sushi_go"]).read_text(encoding="utf-8")
    original, other = program_from(text, players), program_from(renamed(text), players)
    for seed in range(5):
        pairs = zip(gates.steps(original, seed), gates.steps(other, seed), strict=True)
        for (_, seat, move, state, events), (_, its_seat, its_move, its_state, its_events) in pairs:
            assert (seat, move) == (its_seat, its_move)
            assert state.zones == its_state.zones
            assert state.scores == its_state.scores
            assert renamed(gates.story_for(events, 0)) == gates.story_for(its_events, 0)


def proofs(program, tables):
    """Return points by rule and seat."""
    state = lay_out(program, Position(tables=tuple(map(tuple, tables))))
    return {
        label: {
            rule.model.id: [line.points for line in proof(state, label) if line.rule == rule.model.id]
            for rule in program.rules
        }
        for label in labels(program)
    }


PLAIN = sample([own for own in ENTERING if not own.selection.variants], 12)


@pytest.mark.parametrize("configuration", PLAIN, ids=str)
def test_moving_players_moves_their_points(configuration):
    """Check that tableaus moved to other seats take their points along."""
    program, chance = configuration.program, Random(str(configuration))
    for _ in range(200 if NIGHTLY else 4):
        box = [program.cards[card] for card in program.deck if program.options_of[card] == (card,)]
        chance.shuffle(box)
        tables = [[box.pop() for _ in range(chance.randrange(8))] for _ in range(program.players)]
        places = chance.sample(range(program.players), program.players)
        moved = proofs(program, [tables[place] for place in places])
        expected = {
            label: {rule: [points[place] for place in places] if points else [] for rule, points in rules.items()}
            for label, rules in proofs(program, tables).items()
        }
        assert moved == expected
