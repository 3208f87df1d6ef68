"""What a move would be worth at once: the quick way gives what scoring everything gives, in a state and as seen."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from draftengine.engine.effects import points_of
from draftengine.engine.moves import IllegalMoveError, check_move, choice_of, legal_moves
from draftengine.engine.observe import observe
from draftengine.engine.preview import Glance, gains, rises, standing, words_after
from engine import gates
from engine.configurations import CONFIGURATIONS
from engine.test_redeal import PASSING, small_game

OFTEN = 0.1
"""The share of moments that are looked at."""


def moments(configuration):
    """Random moments of a random game, with a seat that has to choose."""
    chance = Random(str(configuration))
    for _, _, _, state, _ in gates.steps(configuration.program, chance.randrange(10**6)):
        if state.pending and chance.random() < OFTEN:
            yield state, chance.choice(state.pending)


def scored(glance, seat):
    """The points of a seat if every rule that holds were scored for all seats."""
    rules = [rule for rule in glance.program.rules if rule.when is None or rule.when(glance, 0)]
    return sum(points_of(glance, rule)[seat] for rule in rules)


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
def test_rises_are_differences_of_what_is_scored(configuration):
    for state, seat in moments(configuration):
        glance, choice, moves = Glance.of_state(state), choice_of(state), legal_moves(state, seat)
        now, after = scored(glance, seat), [glance.with_words(words_after(glance, choice, seat, own)) for own in moves]
        assert standing(glance, seat) == now
        assert [standing(own, seat) for own in after] == [scored(own, seat) for own in after]
        assert rises(glance, choice, seat, moves) == [scored(own, seat) - now for own in after]
        assert gains(observe(state, seat)) == rises(glance, choice, seat, moves)


def test_rules_about_what_else_lies_on_the_table():
    """Conditions, cards in zones, other seats: whatever a formula names, seats that are not ranked get nothing."""
    program = small_game(
        2,
        {"soup": 6, "bread": 6, "salad": 6},
        {
            "round": PASSING,
            "extra_seats": {"ghost": {"wins": False, "ranked": False}},
            "markers": {"spoon": {"start": "first"}},
            "scoring": {
                "laid": {"kind": "formula", "points": "cards(tableau) * soup + total(bread) - 2 * others_most(salad)"},
                "late": {"kind": "set", "of": "soup", "size": 1, "points": 5, "when": "total(bread) > 1"},
                "spoon": {"kind": "each", "of": "bread + (1 if holds(spoon) else 0)", "points": 2},
                "gained": {"kind": "formula", "points": "gained(soup) + max(min(points, 9), 0) + round"},
                "most": {"kind": "majority", "of": "soup - bread", "most": [3, 1]},
            },
        },
    )
    for seed in range(10):
        for _, _, _, state, _ in gates.steps(program, seed):
            glance = Glance.of_state(state)
            for seat in range(program.seats):
                assert standing(glance, seat) == scored(glance, seat)
            for seat in state.pending:
                seen, choice = observe(state, seat), choice_of(state)
                after = [glance.with_words(words_after(glance, choice, seat, move)) for move in seen.moves]
                assert gains(seen) == [scored(own, seat) - scored(glance, seat) for own in after]


def test_effects_of_a_card_count_as_can_be_expected():
    """A die as if its middle side came up, counters within their bounds, and points that are given at once."""
    program = small_game(
        2,
        {},
        {
            "cards": {
                "coin": {"count": 3, "on_play": [{"points": 2}]},
                "dice": {"count": 3, "on_play": [{"roll": "luck"}]},
                "purse": {"count": 9, "on_play": [{"add": {"coins": 3}}, {"points": "coins"}]},
                "soup": {"count": 3},
            },
            "round": PASSING,
            "counters": {"luck": {"die": 6, "start": 1}, "coins": {"max": 4}},
            "scoring": {
                "lucky": {"kind": "each", "of": "luck", "points": 1},
                "rich": {"kind": "each", "of": "coins", "points": 10},
            },
        },
    )
    first = {"coin": 2, "dice": 4 - 1, "purse": 30 + 3, "soup": 0}
    expected = {"": first, "purse": first | {"purse": 10 + 4}, "dice": {"coin": 2, "purse": 33, "soup": 0}}
    met = set()
    for seed in range(100):
        for _, _, _, state, _ in gates.steps(program, seed):
            for seat in state.pending:
                seen = observe(state, seat)
                before = "".join(program.cards[play] for play in state.zones[program.tableau][seat])
                for move, gain in zip(seen.moves, gains(seen), strict=True):
                    name = program.cards[move[0]]
                    if name in expected.get(before, ()):
                        assert gain == expected[before][name]
                        met.add((before, name))
    assert met == {(before, name) for before, after in expected.items() for name in after}


def test_a_card_that_could_be_one_of_several_counts_as_the_middle_one():
    """Copies count: two are worth 1, three 4 and three 9, so the middle one of all eight is worth 4."""
    pearl = {"face": "shell", "family": "pearl"}
    program = small_game(
        2,
        {},
        {
            "cards": {
                "dull": pearl | {"count": 2, "adds": {"shine": 1}},
                "bright": pearl | {"count": 3, "adds": {"shine": 4}},
                "dazzling": pearl | {"count": 3, "adds": {"shine": 9}},
                "soup": {"count": 10},
            },
            "counters": {"shine": {}},
            "round": PASSING,
            "scoring": {"pearls": {"kind": "each", "of": "shine", "points": 1}},
        },
    )
    found = set()
    for _, _, _, state, _ in gates.steps(program, 1):
        for seat in state.pending:
            seen = observe(state, seat)
            found |= {(program.options[move[0]].name, gain) for move, gain in zip(seen.moves, gains(seen), strict=True)}
    assert found == {("shell", 4), ("soup", 0)}


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
def test_no_move_of_one_card_is_left_out(configuration):
    for state, seat in moments(configuration):
        choice = choice_of(state)
        assert {own for own in legal_moves(state, seat) if len(own) == 1} == {
            (code,) for code in range(choice.channels * state.program.width) if accepted(state, seat, (code,))
        }


def accepted(state, seat, move):
    try:
        return check_move(state, seat, move) == move
    except IllegalMoveError:
        return False


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
def test_every_card_of_the_box_is_seen_or_unseen(configuration):
    program = configuration.program
    for state, seat in moments(configuration):
        seen = observe(state, seat)
        found = Counter(dict(seen.unseen))
        for view in seen.zones:
            found.update(dict(view.cards))
        for own in state.zones[program.tableau]:
            found.update(program.faces[program.plays[play].card] for play in own)
        assert found == Counter(program.faces[card] for card in program.deck)
        assert [name for name, _ in seen.unseen] == sorted(dict(seen.unseen), key=program.face_named.get)
