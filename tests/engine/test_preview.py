"""Quick estimates of a move equal full scoring, in a state and in an observation."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from random import Random

import pytest
from msgspec.structs import replace

from draftengine.engine.events import points_of
from draftengine.engine.game import start
from draftengine.engine.kernel.effects import trigger
from draftengine.engine.moves import IllegalMove, check_move, choice_of, legal_moves
from draftengine.engine.observe import observe
from draftengine.engine.plain import plan_of, record_of
from draftengine.engine.public_state import PublicState, gains, outcome, rises
from engine import gates
from engine.configurations import EVEN, ODD
from engine.provisional import standing
from engine.test_redeal import PASSING, small_game

OFTEN = 0.1
"""Share of moments that are compared."""


def moments(configuration):
    """Yield random moments of a random game, with a seat that has to choose."""
    chance = Random(str(configuration))
    for _, _, _, state, _ in gates.steps(configuration.program, chance.randrange(10**6)):
        if state.pending and chance.random() < OFTEN:
            yield state, chance.choice(state.pending)


def scored(public, seat):
    """Return the points of a seat if every applicable rule were scored; a chip is its pile's mean."""
    rules = [rule for rule in public.program.rules if rule.when is None or rule.when(public, 0)]
    return sum(worth_of_one(public.program, rule) * points_of(public, rule)[seat] for rule in rules)


def worth_of_one(program, rule):
    """Return the points for one unit of a rule: 1, or the mean chip of its pile."""
    if getattr(rule, "chip", -1) < 0:
        return 1
    return math.floor(statistics.mean(program.chip_values[rule.chip]) + 0.5)


def laid(public, choice, seat, move):
    """Return the counters when a move is played, before any trigger."""
    alone = public.with_words(public.words)
    alone.program = replace(public.program, watches=())
    return outcome(alone, choice, seat, move)[0]


def triggered(state, seat, words):
    """Return the points that triggers give a seat if these are the counters after a reveal."""
    twin = state.clone()
    twin.words_before_choice, twin.words = twin.words, words[:]
    trigger(record_of(twin), plan_of(twin.program), "reveal")
    return twin.scores[seat] - state.scores[seat]


@pytest.mark.parametrize("configuration", ODD, ids=str)
def test_rises_are_differences_of_what_is_scored(configuration):
    for state, seat in moments(configuration):
        public, choice, moves = PublicState.of_state(state), choice_of(state), legal_moves(state, seat)
        now, after = scored(public, seat), [public.with_words(outcome(public, choice, seat, own)[0]) for own in moves]
        assert standing(public, seat) == now
        assert [standing(own, seat) for own in after] == [scored(own, seat) for own in after]
        at_once = [triggered(state, seat, laid(public, choice, seat, own)) for own in moves]
        expected = [scored(own, seat) - now + more for own, more in zip(after, at_once, strict=True)]
        assert rises(public, choice, seat, moves) == expected
        assert gains(observe(state, seat)) == rises(public, choice, seat, moves)


def test_rules_about_what_else_lies_on_the_table():
    """Check conditions, cards in zones and other seats in formulas; unranked seats get nothing."""
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
            public = PublicState.of_state(state)
            for seat in range(program.seats):
                assert standing(public, seat) == scored(public, seat)
            for seat in state.pending:
                seen, choice = observe(state, seat), choice_of(state)
                after = [public.with_words(outcome(public, choice, seat, move)[0]) for move in seen.moves]
                assert gains(seen) == [scored(own, seat) - scored(public, seat) for own in after]


def test_effects_of_a_card_count_as_can_be_expected():
    """Check expected effects: a die by its middle side, counters within bounds, and points at once."""
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


def test_a_chip_counts_as_the_mean_of_its_pile():
    """Check the mean chip for most soup or a shell: of 1, 2 and 7 it is 3, of 1 and 2 it is rounded to 2."""
    program = small_game(
        2,
        {},
        {
            "cards": {
                "soup": {"count": 8},
                "bread": {"count": 8},
                "shell": {"count": 8, "on_play": [{"chip": "pearls"}]},
            },
            "chips": {"pearls": {"values": [1, 2]}, "ladles": {"values": [1, 2, 7]}},
            "round": PASSING,
            "scoring": {"soup": {"kind": "majority", "of": "soup", "chip": "ladles", "at_least": 1}},
        },
    )
    worth = {"soup": 3, "bread": 0, "shell": 2}
    met = set()
    for seed in range(10):
        state = start(program, seed).state
        for seat in state.pending:
            seen = observe(state, seat)
            for move, gain in zip(seen.moves, gains(seen), strict=True):
                met.add(program.cards[move[0]])
                assert gain == worth[program.cards[move[0]]]
    assert met == set(worth)


def test_triggers_count_as_if_the_card_were_laid_down_alone():
    """Check triggers as if a card were played alone: a lead gives 3 points and a coin, a tie nothing."""
    program = small_game(
        2,
        {"soup": 8, "bread": 8},
        {
            "round": PASSING,
            "counters": {"coins": {"max": 9}},
            "triggers": {
                "lead": {
                    "after": "reveal",
                    "who": "gained(soup) > 0 and soup == most(soup)",
                    "only": "single",
                    "unless": "coins > 0",
                    "do": [{"points": 3}, {"add": {"coins": 1}}],
                }
            },
            "scoring": {"rich": {"kind": "each", "of": "coins", "points": 10}},
        },
    )
    soup, coins = (next(own for own in program.fields if own.name == name) for name in ("soup", "coins"))
    met = set()
    for seed in range(50):
        for _, _, _, state, _ in gates.steps(program, seed):
            for seat in state.pending:
                own, other = (soup.read(state.words[who]) for who in (seat, 1 - seat))
                leads = own + 1 > other, coins.read(state.words[seat]) == 0
                seen = observe(state, seat)
                for move, gain in zip(seen.moves, gains(seen), strict=True):
                    happens = program.cards[move[0]] == "soup" and own + 1 >= other and leads[1]
                    assert gain == 13 * happens
                    met.add((program.cards[move[0]], *leads))
    assert {("soup", True, True), ("soup", True, False), ("soup", False, True)} <= met


def test_a_card_that_could_be_one_of_several_counts_as_the_middle_one():
    """Check an unknown card by its median copy: two worth 1, three worth 4, three worth 9 make 4."""
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


@pytest.mark.parametrize("configuration", EVEN, ids=str)
def test_no_move_of_one_card_is_left_out(configuration):
    for state, seat in moments(configuration):
        choice = choice_of(state)
        assert {own for own in legal_moves(state, seat) if len(own) == 1} == {
            (code,) for code in range(choice.channels * state.program.width) if accepted(state, seat, (code,))
        }


def accepted(state, seat, move):
    try:
        return check_move(state, seat, move) == move
    except IllegalMove:
        return False


@pytest.mark.parametrize("configuration", ODD, ids=str)
def test_every_card_of_the_box_is_seen_or_unseen(configuration):
    program = configuration.program
    for state, seat in moments(configuration):
        seen = observe(state, seat)
        found = Counter(dict(seen.unseen))
        for view in seen.zones:
            found.update(dict(view.cards))
        for own in state.zones[program.tableau]:
            found.update(program.faces[program.plays[play].card] for play in own)
        fronts = {card.id: card.side_of or card.id for card in program.model.cards}
        there = Counter(fronts.get(name, name) for name in found.elements())
        assert there == Counter(program.faces[card] for card in program.deck)
        assert [name for name, _ in seen.unseen] == sorted(dict(seen.unseen), key=program.face_named.get)
