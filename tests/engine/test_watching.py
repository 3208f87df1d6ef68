"""Choices that seats can follow: those from a hand that they know, or come to know later."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest

from draftengine.engine.beliefs import Beliefs, DecisionContext, Pick
from draftengine.engine.game import commit, start, waiting
from draftengine.engine.moves import choice_of, describe
from draftengine.engine.observe import observe, to_json
from engine import gates
from engine.configurations import CONFIGURATIONS
from engine.test_redeal import small_game

NAMES = (
    "sushi_go-3p",
    "sushi_go-4p-pass_both_ways",
    "sushi_go_2014-2p-two_player_dummy",  # a player chooses for another seat
    "anniversary-2p-sushi_battle",  # a choice from a layout
    "anniversary-2p-personal_draw_piles",
    "anniversary-4p-frozen_yogurt",  # hands with shared faces
    "sushi_draft-4p",  # cards are put aside face down
    "party_cutthroat-5p",
)
PASSED_ON = ("sushi_go-3p", "sushi_go-4p-pass_both_ways", "anniversary-4p-frozen_yogurt", "party_cutthroat-5p")
"""Games in which no card is drawn or put aside unseen, and every hand comes to every seat."""
SAMPLE = [own for own in CONFIGURATIONS if str(own) in NAMES]
SHOWN = [
    {"deal": {"to": "hand", "cards": 3}},
    {"move": {"from": "hand", "to": "row"}},
    {"repeat": {"until_empty": "row", "do": [{"choose": {"from": "row", "to": "tableau"}}]}},
    {"score": "round"},
]


def test_all_kinds_are_there():
    assert {str(own) for own in SAMPLE} == set(NAMES)


class Followed:
    """A random game with its open choices, and those that each seat could follow at once."""

    def __init__(self, program, seed):
        self.state = start(program, seed).state
        self.made, self.told = [], [[] for _ in range(program.seats)]
        chance = Random(seed)
        while not self.state.over:
            seat = waiting(self.state)[0]
            self._commit(seat, chance.choice(observe(self.state, seat).moves))

    def watched(self, viewer):
        return to_json(observe(self.state, viewer))["watched"]

    def made_by_others(self, viewer):
        return [own for own in self.made if own["seat"] != viewer]

    def _commit(self, seat, move):
        state = self.state
        if len(waiting(state)) == 1:
            views, chosen = [observe(state, viewer) for viewer in range(state.program.seats)], state.chosen
            for own in _open_choices(state, {**chosen, seat: move}):
                self.made.append(own)
                for viewer, told in enumerate(self.told):
                    if own["seat"] != viewer and own["hand"] == _known_hand(views[viewer], own["seat"]):
                        told.append(own)
        self.state = commit(state, seat, move).state


def _open_choices(state, chosen):
    """Yield the choices made openly, each with its hand."""
    program, choice = state.program, choice_of(state)
    if choice.layout or choice.offer or choice.target != program.tableau:
        return
    for seat in sorted(chosen):
        faces = sorted(program.face_of[card] for card in state.zones[choice.source][seat])
        hand, move = [program.faces[face] for face in faces], describe(state, chosen[seat])
        yield {"round": state.round, "turn": state.turn, "seat": seat, "hand": hand, "move": move}


def _known_hand(seen, seat):
    """Return the hand that a seat chooses from; `None` if it is not fully known."""
    source = seen.program.zones[seen.program.code[seen.decision].source].id
    view = next(view for view in seen.zones if view.zone == source and view.owner == seat)
    cards = [name for name, copies in view.cards for _ in range(copies)]
    return cards if len(cards) == view.size else None


def _counted(choices):
    return Counter(json.dumps(own, sort_keys=True) for own in choices)


@pytest.mark.parametrize("configuration", SAMPLE, ids=str)
def test_choices_are_remembered(configuration):
    """Check that a seat remembers all choices that it could follow, no false ones, and none twice."""
    for seed in range(3):
        game = Followed(configuration.program, seed)
        for viewer in range(configuration.program.players):
            watched = _counted(game.watched(viewer))
            assert _counted(game.told[viewer]) <= watched <= _counted(game.made_by_others(viewer))
        assert not observe(game.state, -1).watched


@pytest.mark.parametrize("configuration", [own for own in SAMPLE if str(own) in PASSED_ON], ids=str)
def test_a_hand_that_is_passed_on_tells_what_was_left(configuration):
    """Check that in the end all choices are known where all hands come round, also from hands seen late."""
    game = Followed(configuration.program, 5)
    for viewer in range(configuration.program.players):
        assert _counted(game.watched(viewer)) == _counted(game.made_by_others(viewer))
        assert len(game.told[viewer]) < len(game.watched(viewer))


@pytest.mark.parametrize("configuration", SAMPLE, ids=str)
def test_trails_are_what_everybody_saw(configuration):
    """Check that seats that do not know a hand have equal trails of it, which may differ in length."""
    state, chance = start(configuration.program, 3).state, Random(3)
    while not state.over:
        told = {}
        for viewer in range(configuration.program.players):
            for zone, owner, trail in observe(state, viewer).trails:
                other = told.setdefault((zone, owner), trail)
                since = min(len(trail), len(other))
                assert trail[-since:] == other[-since:]
        seat = waiting(state)[0]
        state = commit(state, seat, chance.choice(observe(state, seat).moves)).state


SOUP, BREAD = 0, 1
SEEN, UNSEEN = 0b11, 0b01
"""Masks of the seats that see a card: the row's owner (seat 0) and the viewer (seat 1), or the owner."""


@pytest.fixture
def row():
    """Return the beliefs about a row from which its owner chooses, and the row's index."""
    program = small_game(2, {"soup": 4, "bread": 4}, {"round": SHOWN, "zones": {"row": {"per": "seat"}}})
    assert program.cards[:2] == ("soup", "bread")
    return Beliefs.empty(program), program.zone_index("row")


def _take(memory, row, turn, hand, card):
    """Take a card from the owner's hand, and return the pick."""
    pick = Pick(0, tuple(sorted(hand)), (card,))
    memory.watch(row, DecisionContext(0, 1, (turn,), (), (), ()), [pick], all_see=False)
    memory.leave(row, 0, card, SEEN)
    hand.remove(card)
    return pick


def _picks(memory):
    return [pick for _, picks in memory.watched[1] for pick in picks]


def test_the_last_unknown_card_tells_what_was_left(row):
    """Check that a hand becomes known when its only unknown card is taken openly."""
    memory, zone = row
    for card, eyes in ((SOUP, SEEN), (SOUP, SEEN), (BREAD, UNSEEN)):
        memory.arrive(zone, 0, card, eyes)
    hand = [SOUP, SOUP, BREAD]
    first = _take(memory, zone, 1, hand, BREAD)
    assert _picks(memory) == []
    second = _take(memory, zone, 2, hand, SOUP)
    assert _picks(memory) == [first, second]


def test_choices_are_remembered_in_their_order(row):
    memory, zone = row
    hand = [SOUP, SOUP, BREAD, BREAD]
    made = [_take(memory, zone, turn, hand, card) for turn, card in enumerate((BREAD, SOUP), 1)]
    memory.look(1, zone, 0, hand)
    assert _picks(memory) == made
    assert [moment.turns for moment, _ in memory.watched[1]] == [(1,), (2,)]


ENDS = {
    "a card leaves": lambda memory, zone: memory.leave(zone, 0, SOUP, UNSEEN),
    "a card comes": lambda memory, zone: memory.arrive(zone, 0, SOUP, UNSEEN),
    "shuffled": lambda memory, zone: memory.forget(zone),
    "put away": lambda memory, zone: memory.move_all(zone, 0, 0, 0),
    "put upon": lambda memory, zone: memory.move_all(0, 0, zone, 0),
}


@pytest.mark.parametrize("how", ENDS)
def test_what_moves_unseen_ends_a_trail(row, how):
    """Check that an unseen move ends a trail: the earlier hand can no longer be inferred."""
    memory, zone = row
    _take(memory, zone, 1, [SOUP, SOUP, SOUP], SOUP)
    assert memory.trails[1][zone][0]
    ENDS[how](memory, zone)
    memory.look(1, zone, 0, [SOUP])
    assert not _picks(memory)


def test_what_lies_open_to_all_needs_no_memory():
    """Check that open hands need no memory."""
    program = small_game(
        2,
        {"soup": 4, "bread": 4},
        {"round": SHOWN, "zones": {"row": {"per": "seat", "seen_by": "everyone"}}},
    )
    game = Followed(program, 1)
    for viewer in (0, 1):
        assert len(game.told[viewer]) == 3
        assert game.watched(viewer) == game.told[viewer]


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
