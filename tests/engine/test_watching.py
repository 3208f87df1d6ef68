"""What seats can follow: who knows a hand sees what its owner takes, and what it leaves."""

from __future__ import annotations

from random import Random

import pytest

from draftengine.engine.game import commit, start, waiting
from draftengine.engine.moves import choice_of, describe
from draftengine.engine.observe import observe, to_json
from engine import gates
from engine.configurations import CONFIGURATIONS
from engine.test_redeal import small_game

NAMES = (
    "sushi_go-3p",
    "sushi_go-4p-pass_both_ways",
    "sushi_go_2014-2p-two_player_dummy",  # somebody chooses for another seat
    "anniversary-2p-sushi_battle",  # from a layout
    "anniversary-2p-personal_draw_piles",
    "anniversary-4p-frozen_yogurt",  # hands hold faces
    "sushi_draft-4p",  # put aside unseen
    "party_cutthroat-5p",
)
SAMPLE = [own for own in CONFIGURATIONS if str(own) in NAMES]
SHOWN = [
    {"deal": {"to": "hand", "cards": 3}},
    {"move": {"from": "hand", "to": "row"}},
    {"repeat": {"until_empty": "row", "do": [{"choose": {"from": "row", "to": "tableau"}}]}},
    {"score": "round"},
]


def test_all_kinds_are_there():
    assert {str(own) for own in SAMPLE} == set(NAMES)


def followed(program, seed):
    """A random game; what each seat could follow, told by what it saw before everybody's last commitment."""
    state, chance = start(program, seed).state, Random(seed)
    told = [[] for _ in range(program.seats)]
    while not state.over:
        views = [observe(state, viewer) for viewer in range(program.seats)]
        seat = waiting(state)[0]
        move = chance.choice(observe(state, seat).moves)
        chosen = {**state.chosen, seat: move}
        if len(waiting(state)) == 1:
            for viewer, seen in enumerate(views):
                told[viewer] += [own for own in _open_choices(state, seen, chosen) if own["seat"] != viewer]
        state = commit(state, seat, move).state
    return state, told


def _open_choices(state, seen, chosen):
    program, choice = state.program, choice_of(state)
    if choice.layout or choice.offer or choice.target != program.tableau:
        return
    for seat in sorted(chosen):
        hand = next(view for view in seen.zones if view.zone == program.zones[choice.source].id and view.owner == seat)
        cards = [name for name, copies in hand.cards for _ in range(copies)]
        if len(cards) == hand.size:
            move = describe(state, chosen[seat])
            yield {"round": seen.round, "turn": seen.turn, "seat": seat, "hand": cards, "move": move}


@pytest.mark.parametrize("configuration", SAMPLE, ids=str)
def test_choices_from_known_hands_are_remembered(configuration):
    """No others, and nothing of them that the seat did not see."""
    for seed in range(3):
        state, told = followed(configuration.program, seed)
        for viewer in range(configuration.program.players):
            assert to_json(observe(state, viewer))["watched"] == told[viewer]
        assert not observe(state, -1).watched


def test_a_hand_that_went_round_is_known():
    """At three seats everybody has seen all hands after two passes: from then on nothing is missed."""
    program = next(own for own in SAMPLE if str(own) == "sushi_go-3p").program
    state = followed(program, 4)[0]
    for viewer in range(3):
        met = [(moment.turns[-1], pick.seat) for moment, picks in observe(state, viewer).watched for pick in picks]
        others = [seat for seat in range(3) if seat != viewer]
        for turn in range(3, 10):
            assert [met.count((turn, seat)) for seat in others] == [3, 3]
        assert [met.count((1, seat)) for seat in others] == [0, 0]
        assert sum(met.count((2, seat)) for seat in others) == 3


def test_what_lies_open_to_all_needs_no_memory():
    """Hands that are shown: nobody has to remember how their cards came there."""
    program = small_game(
        2,
        {"soup": 4, "bread": 4},
        {"round": SHOWN, "zones": {"row": {"per": "seat", "seen_by": "everyone"}}},
    )
    state, told = followed(program, 1)
    for viewer in (0, 1):
        assert len(told[viewer]) == 3
        assert to_json(observe(state, viewer))["watched"] == told[viewer]


def test_the_order_of_commitments_tells_nothing():
    program = next(own for own in SAMPLE if str(own) == "sushi_go-3p").program
    ends = []
    for order in (1, -1):
        state = start(program, 9).state
        while not state.over:
            seat = waiting(state)[::order][0]
            state = commit(state, seat, observe(state, seat).moves[0]).state
        ends.append(gates.observation_of(state, 0))
    assert ends[0] == ends[1]
