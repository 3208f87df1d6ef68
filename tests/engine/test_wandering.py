"""Cards that leave the tableau: counters follow them, worlds agree, and hidden cards stay hidden."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import draftengine as de
from compiled import load_program
from conftest import sample
from draftengine.engine.chance import Stream
from draftengine.engine.observe import observe
from draftengine.engine.redeal import HiddenCards
from draftengine.model.selection import NOTHING_SELECTED, open_document
from draftengine.studies.runner.playing import ReferencePlayer
from engine.gates import (
    cards_are_conserved,
    counters_count,
    moves_are_sound,
    observation_of,
    pieces_add_up,
    points_are_explained,
    steps,
)
from text.forms import as_it_stands, compiled

GAME = Path(__file__).with_name("harbour_years.yaml")
NATURAL = Path(__file__).parent.parent / "natural"
GAMES = (GAME, *(NATURAL / f"{name}.yaml" for name in ("jokers", "two_plates", "market_day")))
"""Card sets with plain, wild and kept cards, abilities, discards, and modifiers that may leave."""


def program(players, game=GAME):
    document, findings = open_document(game.read_bytes(), game.name, lambda _: None)
    assert document is not None, findings
    return load_program(document, NOTHING_SELECTED, players)


def test_its_examples_hold():
    assert de.check(GAME) == ()


@pytest.mark.parametrize("game", GAMES, ids=lambda own: own.stem)
@pytest.mark.parametrize("players", [2, 3])
def test_every_step_is_sound(players, game):
    own, story = program(players, game), []
    for seed in range(6):
        story.clear()
        for _, _, _, state, events in steps(own, seed):
            story += events
            cards_are_conserved(state)
            counters_count(state)
            pieces_add_up(state)
            moves_are_sound(state)
            points_are_explained(state, story)


@pytest.mark.parametrize("game", GAMES, ids=lambda own: own.stem)
def test_worlds_cannot_be_told_from_the_game(game):
    own = program(3, game)
    for _, _, _, state, _ in steps(own, 4):
        for seat in range(3):
            seen = observe(state, seat)
            world = HiddenCards.of(seen).world(Stream(9), memory=True)
            assert observation_of(world, seat) == observation_of(state, seat)


def test_what_leaves_an_open_zone_is_known_where_it_goes():
    """Check that all seats know cards that leave an open zone, for a hand or a hidden zone."""
    own, taken_back = program(2), 0
    for before, _, _, state, events in steps(own, 2):
        if any(event.kind == "moved" for event in events):
            seen = next(view for view in observe(state, 0).zones if (view.zone, view.owner) == ("hand", 1))
            known = sum(copies for _, copies in seen.cards)
            assert known == seen.size - 1, "all but the card that is dealt"
            taken_back += 1
            removed = next(view for view in observe(state, 0).zones if (view.zone, view.owner) == ("removed", 1))
            assert sum(copies for _, copies in removed.cards) == removed.size
        assert before is not None
    assert taken_back == 2


def test_what_is_played_and_what_only_moves():
    """Check that the effect of a lamp happens when it is drafted, not when it is moved to the relics."""
    game = de.load(GAME, players=2)
    state = game.set_up(de.Position(hands=(("lamp",), ("rope",)), tables=(("lamp",), ("sail",))))
    state = state.commit(0, state.view(0).moves[0])
    state = state.commit(1, state.view(1).moves[0])
    assert [event.name for event in state.events if event.kind == "points" and not event.source].count("lamp") == 1


ALIKE = [*product(GAMES, ["random", "greedy", "mixed"], [as_it_stands, compiled])]


@pytest.mark.parametrize(("game", "policy", "form"), sample(ALIKE, 9))
def test_the_text_plays_the_same(game, policy, form):
    names = ("greedy", "random", "greedy") if policy == "mixed" else (policy,) * 3
    own = program(3, game)
    reference = ReferencePlayer(own, names, logged=True)
    games = 10 if form is compiled else 2
    assert form(own, names).play(7, 0, games, rows=True) == reference.play(7, 0, games, rows=True)


def test_a_wild_card_keeps_its_form_where_it_counts():
    """Check that a wild card keeps its form in a counting zone, and loses it in a hand."""
    game = de.load(GAMES[1], players=2)
    zones = {"upper": (("joker@red", "green"), ()), "gone": ((), ())}
    state = game.set_up(de.Position(hands=((), ()), zones=zones, at="tidy"))
    view = state.view(0)
    assert view.stock == (("green", 1), ("joker", 1))
    assert view.moves.names == ("joker@red@down", "green@back", "joker@red@back", "all_is_well")
    assert ("joker@red", 1) in next(own.cards for own in view.zones if (own.zone, own.owner) == ("upper", 0))
    moves = {move.taken[0].card: move for move in view.moves}
    pass_on = state.view(1).moves[0]
    for way, later in (("down", []), ("back", [("joker",)])):
        events = state.commit(0, moves[f"joker@red@{way}"]).commit(1, pass_on).events
        assert [own.cards for own in events if own.kind == "placed"] == [("joker@red",)]
        assert [own.cards for own in events if own.kind == "moved" and own.cards[:1] == ("joker",)][:1] == later


FOLLOWED = """
format: 1
id: followed
title: Followed
version: 1.0.0
players: 2
rounds: 2
cards: {soup: {count: 12}, bread: {count: 12}}
zones: {relics: {per: seat, counts: true}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 2}
  - choose: {from: hand, to: tableau}
  - choose: {from: hand, to: relics}
  - clear: tableau
  - score: round
scoring: {soup: {kind: each, of: soup + 2 * bread, points: 1}}
winner: {order: most}
examples:
  - name: what lies in the tableau when it is cleared
    hands: [[soup, bread], [bread, soup]]
    moves: [[soup, bread], [bread, soup]]
    expect: {tables: [[soup], [bread]]}
"""


def test_an_example_tells_what_lay_in_the_tableau(tmp_path):
    """Check that an example does not expect in the tableau a card that was laid down elsewhere."""
    (tmp_path / "followed.yaml").write_text(FOLLOWED)
    assert de.check(tmp_path / "followed.yaml") == ()


LEFT_BEFORE = """
format: 1
id: left_before
title: Left before
version: 1.0.0
players: 2
rounds: 2
cards: {soup: {count: 12}, bread: {count: 12}, cake: {count: 12}}
zones: {relics: {per: seat, counts: true}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 3}
  - choose: {from: hand, to: tableau}
  - choose: {from: hand, to: tableau}
  - choose: {from: tableau, to: PLACE}
  - clear: relics
  - clear: tableau
  - score: round
scoring: {soup: {kind: each, of: soup + 2 * bread + 3 * cake, points: 1}}
winner: {order: most}
examples:
  - name: what lies in the tableau when it is cleared
    hands: [[soup, bread, cake], [bread, soup, cake]]
    moves: [[soup, bread], [bread, cake], [bread, cake]]
    expect: {tables: [[soup], [bread]]}
"""


@pytest.mark.parametrize("place", ["relics", "discard"])
def test_an_example_tells_no_card_that_had_left_the_tableau(tmp_path, place):
    """Check that a card taken out of the tableau is not expected there; other cleared zones do not matter."""
    (tmp_path / "left.yaml").write_text(LEFT_BEFORE.replace("PLACE", place))
    assert de.check(tmp_path / "left.yaml") == ()


def test_a_misspelt_modifier_is_no_illegal_move(tmp_path):
    """Check that a misspelt modifier is an error, and not taken for an illegal move."""
    text = (NATURAL / "market_day.yaml").read_text("utf-8")
    more = """
  - name: misspelt
    players: 2
    tables: [[tag, apple, apple], []]
    at: market
    moves: [[NAME@sell, wait]]
    expect: {legal: false}
"""
    for name, found in (
        ("apple^ribbon^tag", ["example-invalid"]),
        ("apple^tog", ["example-invalid"]),
        ("cheese^tag", []),
    ):
        (tmp_path / "market.yaml").write_text(text + more.replace("NAME", name), "utf-8")
        assert [own.code for own in de.check(tmp_path / "market.yaml")] == found
