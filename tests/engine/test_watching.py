"""What seats can follow: who knows a hand, or comes to know it later, sees what its owner took, and what it left."""

from __future__ import annotations

import json
from collections import Counter
from random import Random

import pytest

from draftengine.engine.game import commit, start, waiting
from draftengine.engine.memory import Memory, Moment, Pick
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
PASSED_ON = ("sushi_go-3p", "sushi_go-4p-pass_both_ways", "anniversary-4p-frozen_yogurt", "party_cutthroat-5p")
"""Nothing is ever drawn or put aside unseen, and every hand comes to everybody."""
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
    """A random game; what was chosen from what, and what of it each seat could follow at once."""

    def __init__(self, program, seed):
        self.state = start(program, seed).state
        self.made, self.told = [], [[] for _ in range(program.seats)]
        chance = Random(seed)
        while not self.state.over:
            seat = waiting(self.state)[0]
            self._commit(seat, chance.choice(observe(self.state, seat).moves))

    def watched(self, viewer):
        return to_json(observe(self.state, viewer))["watched"]

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
    """What is chosen in the open, and from what hands."""
    program, choice = state.program, choice_of(state)
    if choice.layout or choice.offer or choice.target != program.tableau:
        return
    for seat in sorted(chosen):
        faces = sorted(program.face_of[card] for card in state.zones[choice.source][seat])
        hand, move = [program.faces[face] for face in faces], describe(state, chosen[seat])
        yield {"round": state.round, "turn": state.turn, "seat": seat, "hand": hand, "move": move}


def _known_hand(seen, seat):
    """The hand of a seat, as far as it is known; `None` if that is not all of it."""
    source = seen.program.zones[choice_at(seen).source].id
    view = next(view for view in seen.zones if view.zone == source and view.owner == seat)
    cards = [name for name, copies in view.cards for _ in range(copies)]
    return cards if len(cards) == view.size else None


def choice_at(seen):
    return seen.program.code[seen.decision]


def _counted(choices):
    return Counter(json.dumps(own, sort_keys=True) for own in choices)


@pytest.mark.parametrize("configuration", SAMPLE, ids=str)
def test_choices_are_remembered(configuration):
    """All that could be followed at once, nothing that did not happen, and nothing twice."""
    for seed in range(3):
        game = Followed(configuration.program, seed)
        for viewer in range(configuration.program.players):
            watched = _counted(game.watched(viewer))
            assert _counted(game.told[viewer]) <= watched <= _counted(game.made)
        assert not observe(game.state, -1).watched


@pytest.mark.parametrize("configuration", [own for own in SAMPLE if str(own) in PASSED_ON], ids=str)
def test_a_hand_that_is_passed_on_tells_what_was_left(configuration):
    """Where every hand comes to everybody, all choices are known in the end, also those from hands not seen before."""
    game = Followed(configuration.program, 5)
    for viewer in range(configuration.program.players):
        assert _counted(game.watched(viewer)) == _counted(own for own in game.made if own["seat"] != viewer)
        assert len(game.told[viewer]) < len(game.watched(viewer))


@pytest.mark.parametrize("configuration", SAMPLE, ids=str)
def test_trails_are_what_everybody_saw(configuration):
    """Seats that do not know a hand know the same of the choices from it, some since earlier than others."""
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


def test_the_last_unknown_card_tells_what_was_left():
    """Nobody has to look into a hand whose only unknown card is taken in the open."""
    program = small_game(2, {"soup": 4, "bread": 4}, {"round": SHOWN, "zones": {"row": {"per": "seat"}}})
    soup, bread = (program.cards.index(name) for name in ("soup", "bread"))
    row, owner, viewer = program.zone_index("row"), 0, 1
    memory, moment = Memory.empty(program), Moment(0, 1, (1,), (), (), ())
    for card, seen in ((soup, True), (soup, True), (bread, False)):
        memory.arrive(row, owner, card, [True, seen])
    first, second = Pick(owner, (soup, soup, bread), (bread,)), Pick(owner, (soup, soup), (soup,))
    for pick, card in ((first, bread), (second, soup)):
        memory.watch(row, moment, [pick], all_see=False)
        memory.leave(row, owner, card, [True, True])
    assert [pick for _, picks in memory.watched[viewer] for pick in picks] == [first, second]


def test_choices_are_remembered_in_their_order():
    program = small_game(2, {"soup": 4, "bread": 4}, {"round": SHOWN, "zones": {"row": {"per": "seat"}}})
    soup, bread = (program.cards.index(name) for name in ("soup", "bread"))
    row, memory = program.zone_index("row"), Memory.empty(program)
    hand = [soup, soup, bread, bread]
    for turn, card in enumerate((bread, soup), 1):
        moment = Moment(0, 1, (turn,), (), (), ())
        memory.watch(row, moment, [Pick(0, tuple(sorted(hand)), (card,))], all_see=False)
        memory.leave(row, 0, card, [True, True])
        hand.remove(card)
    memory.look(1, row, 0, hand)
    told = [(moment.turns, pick.hand) for moment, picks in memory.watched[1] for pick in picks]
    assert told == [((1,), (soup, soup, bread, bread)), ((2,), (soup, soup, bread))]


ENDS = {
    "a card leaves": lambda memory, row, card: memory.leave(row, 0, card, [True, False]),
    "a card comes": lambda memory, row, card: memory.arrive(row, 0, card, [True, False]),
    "shuffled": lambda memory, row, _: memory.forget(row),
    "put away": lambda memory, row, _: memory.move_all(row, 0, 0, 0),
    "put upon": lambda memory, row, _: memory.move_all(0, 0, row, 0),
}


@pytest.mark.parametrize("how", ENDS)
def test_what_moves_unseen_ends_a_trail(how):
    """What was in the hand before cannot be told any more."""
    program = small_game(2, {"soup": 4, "bread": 4}, {"round": SHOWN, "zones": {"row": {"per": "seat"}}})
    soup, row, viewer = program.cards.index("soup"), program.zone_index("row"), 1
    memory, moment = Memory.empty(program), Moment(0, 1, (1,), (), (), ())
    memory.watch(row, moment, [Pick(0, (soup, soup, soup), (soup,))], all_see=False)
    memory.leave(row, 0, soup, [True, True])
    assert memory.trails[viewer][row][0]
    ENDS[how](memory, row, soup)
    memory.look(viewer, row, 0, [soup])
    assert not memory.watched[viewer]


def test_what_lies_open_to_all_needs_no_memory():
    """Hands that are shown: nobody has to remember how their cards came there."""
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
