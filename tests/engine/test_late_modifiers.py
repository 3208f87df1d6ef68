"""Modifiers that open after the reveal: they apply to later cards, not to one taken in the same move."""

from __future__ import annotations

import pytest

from compiled import load_program
from draftengine.engine.game import commit, waiting
from draftengine.engine.moves import encode
from draftengine.engine.observe import observe
from draftengine.engine.position import Position, lay_out, proof, set_up
from draftengine.engine.public_state import gains
from draftengine.model.selection import open_document, parse_selection
from draftengine.model.shelf import fetcher


def spicy(opens, capacity=1):
    """Return the game of 2012 with another wasabi."""
    text = f"format: 1\nid: spicy\nextends: sushi_go\nmodifiers: {{wasabi: {{opens: {opens}, capacity: {capacity}}}}}\n"
    document, findings = open_document(text.encode(), "spicy.yaml", fetcher("-"))
    assert document is not None, findings
    return load_program(document, parse_selection([]), 2)


def nigiri(state, seat=0):
    return next(line.points for line in proof(state, "round") if (line.rule, line.seat) == ("nigiri", seat))


def played(program, *turns, table=("chopsticks",)):
    """Return the points of nigiri and the events when a seat takes these cards turn by turn."""
    cards = [card for turn in turns for card in turn]
    mine, others = tuple(cards[: len(turns[0])]), tuple(cards[len(turns[0]) :])
    filler = ("tempura",) * (1 + len(cards))
    state = set_up(program, Position(tables=(table, ()), hands=((*mine, *filler), (*others, *filler)))).state
    told = []
    for turn in turns:
        for seat in waiting(state):
            turned = commit(state, seat, encode(state, seat, turn if seat == 0 else ["tempura"]))
            state = turned.state
            told += turned.events
    return nigiri(state), told


@pytest.mark.parametrize(
    ("opens", "turns", "points"),
    [
        ("at_once", [["wasabi", "nigiri_squid"]], 9),
        ("after_reveal", [["wasabi", "nigiri_squid"]], 3),
        ("after_reveal", [["nigiri_squid", "wasabi"]], 3),
        ("after_reveal", [["wasabi"], ["nigiri_squid"]], 9),
        ("after_reveal", [["wasabi", "nigiri_squid"], ["nigiri_egg"]], 6),
        ("after_reveal", [["wasabi", "wasabi"], ["nigiri_egg"]], 3),
    ],
)
def test_what_goes_on_it(opens, turns, points):
    found, told = played(spicy(opens), *turns)
    assert found == points
    assert not [event for event in told if event.kind == "counter"]


def test_what_was_open_before_takes_a_card_at_once():
    """Check that of two cards taken together the nigiri goes on the wasabi that was there before."""
    assert played(spicy("after_reveal"), ["wasabi", "nigiri_squid"], table=("chopsticks", "wasabi"))[0] == 9


@pytest.mark.parametrize(("capacity", "points"), [(1, 6), (2, 12)])
def test_all_its_places_open(capacity, points):
    table = ("wasabi", "nigiri_squid", "nigiri_squid")
    assert nigiri(lay_out(spicy("after_reveal", capacity), Position(tables=(table, ())))) == 6 + points


def test_cards_on_a_table_were_played_one_after_the_other():
    table = ("wasabi", "nigiri_squid", "wasabi", "nigiri_egg", "nigiri_egg")
    assert nigiri(lay_out(spicy("after_reveal"), Position(tables=(table, ())))) == 9 + 3 + 1


@pytest.mark.parametrize(("opens", "gain"), [("at_once", 9), ("after_reveal", 3)])
def test_what_a_move_brings_is_foreseen(opens, gain):
    position = Position(tables=(("chopsticks",), ()), hands=(("wasabi", "nigiri_squid"), ("tempura", "tempura")))
    state = set_up(spicy(opens), position).state
    seen = observe(state, 0)
    move = encode(state, 0, ["wasabi", "nigiri_squid"])
    assert gains(seen)[seen.moves.index(move)] == gain


def test_it_is_empty_again_after_a_round():
    """Check that an unused modifier leaves with its card after the round."""
    program = spicy("after_reveal")
    hands = (("wasabi", "nigiri_egg"), ("nigiri_egg", "wasabi"))
    state = set_up(program, Position(hands=hands)).state
    for card in ("wasabi", "wasabi"):
        for seat in waiting(state):
            state = commit(state, seat, encode(state, seat, [card if seat == 0 else "nigiri_egg"])).state
    field = next(own for own in program.fields if own.name == "modifier:wasabi")
    assert state.round == 2
    assert [field.read(word) for word in state.words] == [0, 0]
