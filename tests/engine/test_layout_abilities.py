"""An ability at a layout: its second card is chosen after the first has uncovered new ones."""

from __future__ import annotations

import pytest

from compiled import load_program
from draftengine.engine.game import commit, waiting
from draftengine.engine.moves import IllegalMove, encode, legal_moves
from draftengine.engine.observe import observe
from draftengine.engine.position import Position, set_up
from draftengine.model.selection import Selection, open_document
from environments.small import QUARRY

GAME = QUARRY.replace("WHEN", "when: after_reveal,").replace("rounds: 2", "rounds: 1").replace("random", "first")
FULL = {"r1c1": "stone", "r2c1": "gold", "r2c2": "stone", "r3c1": "stone", "r3c2": "stone", "r3c3": "stone"}


def dig(*takes, lying, tables=((), ()), turns_up=False):
    """Return the state after the seats take one place each (``None``: nothing), and the uncovered places."""
    text = GAME.replace("TURNS_UP", str(turns_up).lower())
    document, findings = open_document(text.encode(), "quarry.yaml", lambda _: None)
    assert not findings, findings
    program = load_program(document, Selection(), 2)
    state = set_up(program, Position(tables=tables, zones={"pit": lying})).state
    flipped = []
    for take in takes:
        (seat,) = waiting(state)
        turned = commit(state, seat, encode(state, seat, [take] if take else []))
        flipped.append([event.name for event in turned.events if event.kind == "flipped"])
        state = turned.state
    return state, flipped


def places(state):
    return {place: face for view in observe(state, 1).zones if view.zone == "pit" for place, face, _ in view.places}


def without(*gone):
    return {place: card for place, card in FULL.items() if place not in gone}


def test_nobody_is_asked_about_an_ability_that_they_do_not_have():
    state, _ = dig("r3c1", lying=FULL)
    assert waiting(state) == (1,)


def test_the_ability_may_be_left_unused():
    state, _ = dig("r3c1", None, lying=FULL, tables=(("crane",), ()))
    assert waiting(state) == (1,)


def test_what_the_first_card_uncovers_is_seen_before_the_second_is_chosen():
    state, flipped = dig("r3c2", lying=without("r3c1"), tables=(("crane",), ()))
    assert flipped == [["r2c1"]]
    assert waiting(state) == (0,)
    assert places(state)["r2c1"] == "gold"
    assert encode(state, 0, ["r2c1"]) in legal_moves(state, 0)


def test_the_ability_is_laid_on_the_place_of_the_second_card():
    state, flipped = dig("r3c2", "r2c1", lying=without("r3c1"), tables=(("crane",), ()))
    assert flipped == [["r2c1"], []]
    assert places(state) == {"r1c1": "stone", "r2c1": "crane", "r2c2": "", "r3c3": "stone"}


@pytest.mark.parametrize(("turns_up", "seen"), [(False, ""), (True, "gold")], ids=["covered", "turned-up"])
def test_what_the_second_card_lay_on(turns_up, seen):
    """Check cards that the ability covers again: its rule says whether they turn up in between."""
    state, flipped = dig("r3c3", "r3c2", lying=without("r3c1"), tables=(("crane",), ()), turns_up=turns_up)
    assert flipped == [[], ["r2c1", "r2c2"] if turns_up else []]
    assert places(state)["r2c1"] == seen
    with pytest.raises(IllegalMove):
        dig("r3c3", "r3c2", "r2c1", lying=without("r3c1"), tables=(("crane",), ()), turns_up=turns_up)


def test_an_ability_taken_in_this_turn_waits_for_the_next():
    state, _ = dig("r3c1", lying={**FULL, "r3c1": "crane"})
    assert waiting(state) == (1,)
