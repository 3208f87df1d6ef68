"""Memory of hidden zones: every card that a view names is really there."""

from __future__ import annotations

from collections import Counter

import pytest

from draftengine.engine.game import commit, start
from draftengine.engine.moves import legal_moves
from draftengine.engine.observe import observe
from engine import gates
from engine.test_redeal import PASSING, PIT, small_game

SPOON = {"spoon": {"start": "first"}}
ROWS = [{"cards": 2, "face": "down"}, {"cards": 3}]
PLACES = {"pit": {"per": "table", "layout": {"rows": ROWS, "covers": "pyramid"}}}
KEPT = {"kept": {"per": "seat", "seen_by": "owner"}}
LID = {"lid": {"card": "stew", "returns_to": "hand"}}
POTS = {"soup": "pot", "stew": "pot", "bread": 3}

HANDS_TO_THE_PIT = [
    {"deal": {"to": "hand", "cards": 4}},
    {"choose": {"from": "hand", "to": "tableau"}},
    {"move": {"from": "hand", "to": "deck"}},
    *PIT,
]
FROM_THE_PIT = [
    PIT[0],
    {
        "repeat": {
            "until_empty": "pit",
            "do": [
                {"choose": {"from": "pit", "to": "kept", "who": {"holder": "spoon"}}},
                {"give": {"marker": "spoon", "to": "left"}},
            ],
        }
    },
    {"choose": {"from": "kept", "to": "tableau"}},
    {"score": "round"},
]

GAMES = {
    "an ability that looks like another card": (
        {"soup": ("deck", 4, "pot"), "stew": ("deck", 4, "pot"), "bread": 4},
        {"round": [{"deal": {"to": "hand", "cards": 5}}, *PASSING[1:]], "abilities": LID},
    ),
    "cards of the deck that are laid out": (
        {"soup": 3, "bread": 3, "salad": 2, "stew": "pot", "cake": "pot"},
        {"round": HANDS_TO_THE_PIT, "markers": SPOON, "zones": PLACES},
    ),
    "cards that are taken from a layout and kept": (
        POTS,
        {"round": FROM_THE_PIT, "markers": SPOON, "zones": PLACES | KEPT},
    ),
}


def remembers_what_is_there(state):
    """Assert that a seat sees all of a visible zone, and of others only cards that are there, by face."""
    program = state.program
    for seat in range(-1, program.seats):
        for view in observe(state, seat).zones:
            zone = program.zone_index(view.zone)
            there = Counter(program.faces[card] for card in state.zones[zone][max(view.owner, 0)] if card >= 0)
            known = dict(view.cards)
            assert len(known) == len(view.cards)
            assert Counter(known) <= there
            assert not view.open or program.zones[zone].layout or known == there


@pytest.mark.parametrize(("cards", "changes"), GAMES.values(), ids=list(GAMES))
def test_what_is_remembered_is_so(cards, changes):
    program = small_game(2, cards, changes)
    for seed in range(20):
        for _, _, _, state, _ in gates.steps(program, seed):
            remembers_what_is_there(state)


def test_every_seat_remembers_what_it_passed_on():
    """Check that each seat remembers the hand that it passed on; a spectator remembers nothing."""
    program = small_game(3, {"soup": 5, "stew": 5, "bread": 5, "cake": 5}, {"round": PASSING})
    state = start(program, 3).state
    hands = [Counter(dict(observe(state, seat).hand())) for seat in range(3)]
    for seat in range(3):
        state = commit(state, seat, legal_moves(state, seat)[0]).state
    taken = [Counter(own) for own in observe(state, -1).tableaus]
    for seat in range(3):
        known = {view.owner: Counter(dict(view.cards)) for view in observe(state, seat).zones if view.zone == "hand"}
        assert known[(seat + 1) % 3] == hands[seat] - taken[seat] != Counter()
        assert known[seat] == hands[seat - 1] - taken[seat - 1]
    assert not [view.cards for view in observe(state, -1).zones if view.zone == "hand" and view.cards]


ROW = {"row": {"per": "table", "seen_by": "everyone"}}
TO_KEEP = {
    "hand": ([{"deal": {"to": "hand", "cards": 3}}, {"choose": {"from": "hand", "to": "kept"}}], False),
    "row": (
        [{"deal": {"to": "row", "cards": 6}}, {"in_turn": {"do": [{"choose": {"from": "row", "to": "kept"}}]}}],
        True,
    ),
    "tableau": (
        [
            {"deal": {"to": "hand", "cards": 3}},
            *[{"choose": {"from": "hand", "to": "tableau"}}] * 2,
            {"choose": {"from": "tableau", "to": "kept"}},
        ],
        True,
    ),
}


@pytest.mark.parametrize("source", TO_KEEP)
def test_what_is_taken_from_the_open_is_known(source):
    """Check that all seats follow a card from an open zone, and the taker one from a hand."""
    steps, known = TO_KEEP[source]
    changes = {
        "round": [*steps, *FROM_THE_PIT[2:]],
        "zones": KEPT | (ROW if source == "row" else {}),
        "markers": SPOON if source == "row" else {},
    }
    program = small_game(2, {"soup": 4, "stew": 4, "bread": 4}, changes)
    *_, last = (own for _, _, _, own, _ in gates.steps(program, 1) if _size(own, "kept") == 2)
    for seat in range(2):
        for view in (own for own in observe(last, seat).zones if own.zone == "kept"):
            assert (len(view.cards) == 1) == (known or seat == view.owner)


def _size(state, zone):
    return sum(map(len, state.zones[state.program.zone_index(zone)]))


def test_layouts_lie_open():
    """Check that all seats see a layout, except for cards face down."""
    program = small_game(2, *GAMES["cards that are taken from a layout and kept"])
    for _, _, _, state, _ in gates.steps(program, 1):
        for seat in range(-1, 2):
            views = [view for view in observe(state, seat).zones if view.zone == "pit"]
            assert [(view.owner, view.open, view.size) for view in views] == [(-1, True, len(views[0].places))]
            assert all(bool(face) == (place not in _hidden(state)) for place, face, _ in views[0].places)


def _hidden(state):
    zone = state.program.zone_index("pit")
    return {state.program.zones[zone].layout[place].id for place in state.down[zone]}
