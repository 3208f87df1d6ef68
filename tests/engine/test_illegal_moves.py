"""Whatever is offered as a move: a legal one is taken, anything else refused by name, and nothing is changed."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from conftest import NIGHTLY
from draftengine.engine.game import commit
from draftengine.engine.moves import ILLEGAL, IllegalMoveError, check_move, legal_moves
from draftengine.engine.position import Position, set_up
from engine import gates
from engine.configurations import ENTERING, named
from engine.drawn import card_sets, programs_of

ATTEMPTS = 1_000_000 if NIGHTLY else 20_000
ODD = (None, True, "0", 0.0, float("nan"), float("inf"), -1, 2**70, [], {}, (), ((0,),), object())


def anything(state, chance):
    """Something that may or may not be a move, most often nearly one."""
    width = state.program.width
    moves = [move for seat in range(-1, state.program.seats + 1) for move in legal_moves(state, seat)] or [(0,)]
    move = chance.choice(moves)
    at = chance.randrange(len(move)) if move else 0
    spoilt = [
        move,
        chance.choice(ODD),
        (*move, chance.choice(ODD)),
        (*move, *move),
        move[1:],
        (*move, chance.randrange(8 * width)),
        (*move[:at], chance.randrange(-2, 8 * width), *move[at + 1 :]),
        tuple(chance.randrange(4 * width) for _ in range(chance.randrange(5))),
    ]
    return chance.choice(spoilt)


def attempt(state, seat, move):
    """The name of the refusal, ``""`` if the move was taken; either way the state is as before."""
    digest, code, said = state.digest(), "", ""
    try:
        commit(state, seat, move)
    except IllegalMoveError as error:
        code, said = error.code, str(error)
    assert not code or ILLEGAL[code] in said
    assert state.digest() == digest
    legal = isinstance(move, (tuple, list)) and tuple(move) in legal_moves(state, seat) if _hashable(move) else False
    assert (code == "") == legal, f"{move} is {'legal' if legal else 'illegal'}, and it was {code or 'taken'}"
    return code


def _hashable(move):
    try:
        hash(tuple(move) if isinstance(move, list) else move)
    except TypeError:
        return False
    return True


@pytest.mark.parametrize("configuration", ENTERING, ids=str)
def test_attempts(configuration):
    chance, left = Random(str(configuration)), ATTEMPTS // len(ENTERING)
    while left > 0:
        left -= attempt_in_a_game(configuration.program, chance)


@settings(max_examples=1000 if NIGHTLY else 20, deadline=None, suppress_health_check=list(HealthCheck))
@given(card_sets())
def test_card_sets_that_nobody_wrote(text):
    for program in programs_of(text, (2, 3)):
        attempt_in_a_game(program, Random(text))


def attempt_in_a_game(program, chance):
    """Offer all sorts of moves all through a game; how many."""
    states = [state for _, _, _, state, _ in gates.steps(program, chance.randrange(1000))]
    for state in states * 4:
        attempt(state, chance.randrange(-1, program.seats + 1), anything(state, chance))
    return 4 * len(states)


@pytest.fixture
def some():
    return named("sushi_go-2p")


@pytest.fixture
def dummy():
    return named("sushi_go_2014-2p-two_player_dummy")


def test_reasons(some, dummy):
    """Refusals say what is wrong, in names."""
    hands = (("wasabi", "tempura", "tempura"), ("pudding",) * 3)
    state = set_up(some.program, Position(tables=((), ("chopsticks",)), hands=hands)).state
    card, width = some.program.card_index, some.program.width
    cases = {
        (0, (card("pudding"),)): "card-not-in-hand",
        (0, (5 * width,)): "unknown-card",
        (0, (-1,)): "unknown-card",
        (0, ()): "too-few-cards",
        (0, (card("tempura"), card("tempura"))): "too-many-cards",
        (0, (card("tempura"), width + card("tempura"))): "ability-not-available",
        (0, (width + card("tempura"), card("tempura"))): "malformed-move",
        (0, "tempura"): "malformed-move",
        (2, (0,)): "not-your-turn",
        (0, (card("tempura"),)): "",
        (1, (card("pudding"), width + card("pudding"))): "",
    }
    assert {case: attempt(state, *case) for case in cases} == cases
    dummys = set_up(dummy.program, Position(hands=hands)).state
    channel = 2 * dummy.program.width
    assert attempt(dummys, 1, (card("pudding"), channel + card("pudding"))) in {"wrong-seat", "unknown-card"}
    over = next(state for _, _, _, state, _ in gates.steps(some.program, 1) if state.over)
    assert attempt(over, 0, (0,)) == "game-over"


def test_a_check_that_lets_things_pass_is_found(some, monkeypatch):
    monkeypatch.setattr("draftengine.engine.game.check_move", lambda _state, _seat, move: move)
    with pytest.raises(AssertionError, match="it was taken"):
        attempt(next(gates.steps(some.program, 1))[0], 0, (0, 0, 0))


def test_a_check_that_refuses_too_much_is_found(some, monkeypatch):
    def refuse(_state, _seat, _move):
        raise IllegalMoveError("unknown-card")

    monkeypatch.setattr("draftengine.engine.game.check_move", refuse)
    state = next(gates.steps(some.program, 1))[0]
    assert check_move(state, 0, legal_moves(state, 0)[0])
    with pytest.raises(AssertionError, match="is legal"):
        attempt(state, 0, legal_moves(state, 0)[0])
