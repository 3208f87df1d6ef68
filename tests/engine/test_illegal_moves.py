"""Any object offered as a move: legal ones are made, others refused by name without a change of state."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

import draftengine
from conftest import NIGHTLY
from draftengine.engine.game import commit
from draftengine.engine.moves import ILLEGAL, IllegalMove, Moves, check_move, legal_moves
from draftengine.engine.position import Position, set_up
from draftengine.support.locale import spoken
from engine import gates
from engine.configurations import ENTERING, named
from engine.drawn import card_sets, programs_of
from engine.feasts import program_of

ATTEMPTS = 1_000_000 if NIGHTLY else 10_000
AT_ONCE = 25
"""Number of moves offered in one state, as comparing the whole state takes longer than a refusal."""

DEEP: list[object] = []
for _ in range(500):
    DEEP = [DEEP]
ODD = (
    None, True, False, "0", "caviar", b"0", 0.0, 1.5, float("nan"), float("inf"), -1, -(2**70), 2**70, 10**400,
    [], {}, (), [0], ((0,),), [[0], [1]], {"cards": [0]}, DEEP, object(), range(2), iter(()),
)  # fmt: skip


def anything(state, chance, moves):
    """Return something that may or may not be a move, mostly one with a small mistake."""
    width = state.program.width
    move = chance.choice(moves)
    at = chance.randrange(len(move)) if move else 0
    spoilt = [
        move,
        list(move),
        chance.choice(ODD),
        (*move, chance.choice(ODD)),
        (*move[:at], chance.choice(ODD), *move[at + 1 :]),
        tuple(bool(code) if code in {0, 1} else code for code in move),
        tuple(map(float, move)),
        [list(move)],
        (*move, *move),
        move[1:],
        (*move, chance.randrange(8 * width)),
        (*move[:at], chance.randrange(-2, 8 * width), *move[at + 1 :]),
        with_both(move, chance.choice(moves), width),
        tuple(chance.randrange(4 * width) for _ in range(chance.randrange(5))),
    ]
    return chance.choice(spoilt)


def with_both(one, other, width):
    """Return the own cards of the first move, with the further cards of both moves."""
    own = [code for code in one if code < width]
    return (*own, *sorted({*one[len(own) :], *(code for code in other if code >= width)}))


def attempt(state, seat, move):
    """Return the refusal's code, ``""`` if there is none; check that the state is unchanged."""
    digest = state.digest()
    code = answer(state, seat, move, legal_moves(state, seat) if type(seat) is int else ())
    assert state.digest() == digest
    return code


def answer(state, seat, move, legal):
    """Return the code of the refusal; check that it is listed, and occurs just for illegal moves."""
    code, said = "", ""
    try:
        commit(state, seat, move)
    except IllegalMove as error:
        code, said = error.code, str(error)
    assert not code or spoken("en").phrase(f"illegal.{code}") in said
    allowed = isinstance(move, (tuple, list)) and tuple(move) in legal
    assert (code == "") == allowed, f"{move} is {'legal' if allowed else 'illegal'}, and it was {code or 'taken'}"
    return code


def attempt_in(state, chance):
    """Offer all sorts of moves in one state; return the set of codes."""
    digest = state.digest()
    legal = {seat: legal_moves(state, seat) for seat in range(-1, state.program.seats + 1)}
    moves = [move for own in legal.values() for move in own] or [(0,)]
    seats = [*legal, *state.pending, *state.pending]
    found = set()
    for _ in range(AT_ONCE):
        seat = chance.choice(seats)
        found.add(answer(state, seat, anything(state, chance, moves), legal[seat]))
        found.add(answer(state, chance.choice(ODD), chance.choice(moves), ()))
    assert state.digest() == digest, "an attempt changed the state"
    return found


@pytest.mark.parametrize("configuration", ENTERING, ids=str)
def test_attempts(configuration):
    """Check random states of a game, always including its end."""
    chance, left = Random(str(configuration)), ATTEMPTS // len(ENTERING)
    while left > 0:
        states = [state for _, _, _, state, _ in gates.steps(configuration.program, chance.randrange(1000))]
        for state in [states[-1], *chance.sample(states, min(len(states), left // AT_ONCE + 1))]:
            found = attempt_in(state, chance)
            assert not state.over or found == {"game-over"}
            left -= AT_ONCE


@settings(max_examples=1000 if NIGHTLY else 8, deadline=None, suppress_health_check=list(HealthCheck))
@given(card_sets())
def test_card_sets_that_nobody_wrote(text):
    chance = Random(text)
    for program in programs_of(text, (2, 3)):
        for _, _, _, state, _ in gates.steps(program, chance.randrange(1000)):
            attempt_in(state, chance)


TWO_TOOLS = """
format: 1
id: tools
title: Tools
version: 1.0.0
players: 2
rounds: 1
cards:
  soup: {count: 12}
  bread: {count: 12}
  ladle: {count: 12}
  tongs: {count: 12}
abilities:
  ladle: {card: ladle, take: 1, when: before_reveal, returns_to: hand}
  tongs: {card: tongs, take: 1, when: before_reveal, returns_to: discard}
setup:
  - shuffle: deck
round:
  - deal: {to: hand, cards: 8}
  - repeat: {until_empty: hand, do: [{choose: {from: hand, to: tableau}}, {pass: {zone: hand, to: left}}]}
  - score: round
scoring:
  soup: {kind: each, of: soup, points: 1}
  bread: {kind: each, of: bread, points: 2}
winner: {order: most}
"""


def test_one_ability_at_a_time():
    """Check two ready abilities: a move may use either, and a move with both is refused by name."""
    program = program_of(TWO_TOOLS)
    hand = ("soup", "bread", "bread", "soup")
    tables = (("ladle", "tongs"), ("ladle",))
    state = set_up(program, Position(tables=tables, hands=(hand, hand))).state
    soup, bread = map(program.card_index, ("soup", "bread"))
    width = program.width
    for own, one, other in product((soup, bread), repeat=3):
        assert attempt(state, 0, (own, width + one)) == ""
        assert attempt(state, 0, (own, 2 * width + one)) == ""
        assert attempt(state, 0, (own, width + one, 2 * width + other)) == "ability-not-available"
    assert attempt(state, 1, (soup, width + bread)) == ""
    assert attempt(state, 1, (soup, 2 * width + bread)) == "ability-not-available"
    chance = Random(1)
    for _, _, _, after, _ in gates.steps(program, 5):
        attempt_in(after, chance)


def called(odd):
    """Return a short name of a test, equal in every process."""
    text = repr(odd)
    return text if len(text) < 40 and " at 0x" not in text else type(odd).__name__


@pytest.mark.parametrize("odd", ODD, ids=called)
def test_what_is_no_number(some, odd):
    """Check that a code or seat must be an int; `True` is refused, although it equals 1."""
    state = set_up(some.program, Position(hands=(("pudding",) * 3, ("pudding",) * 3))).state
    expected = {"()": "too-few-cards", "[]": "too-few-cards", "[0]": "card-not-in-hand"}
    assert attempt(state, 0, odd) == expected.get(repr(odd), "malformed-move")
    one_of = isinstance(odd, int) and not isinstance(odd, bool)
    assert attempt(state, 0, (odd,)) == ("unknown-card" if one_of else "malformed-move")
    assert attempt(state, odd, legal_moves(state, 0)[0]) == "not-your-turn"
    first = Moves(listed=((0,), (1,)))
    assert (odd,) not in first


def test_booleans_are_no_cards(some):
    """Check that ``False`` and ``True`` are refused where cards 0 and 1 can be taken."""
    program = some.program
    hands = ((program.cards[0], program.cards[1]),) * 2
    state = set_up(program, Position(hands=hands)).state
    assert [attempt(state, 0, (code,)) for code in (0, 1)] == ["", ""]
    assert [attempt(state, 0, (code,)) for code in (False, True)] == ["malformed-move"] * 2
    assert attempt(state, False, (0,)) == "not-your-turn"
    assert attempt(state, True, (0,)) == "not-your-turn"


WRITTEN = (
    *ODD, ["tempura", 1], [["tempura"]], {"cards": "tempura", "with": {"chopsticks": 1}}, {"with": []}, {1: "tempura"},
    {"cards": [True]}, {"for": {True: ["tempura"]}}, {"cards": {"tempura": 1}}, {"cards": "tempura", "seed": 3}, "",
)  # fmt: skip


@pytest.mark.parametrize("written", WRITTEN, ids=called)
def test_moves_by_name_that_are_none(written):
    """Check moves by name: any object is made or raises `draftengine.IllegalMove` with a listed code."""
    state = draftengine.load("sushi_go", players=2).start(seed=1)
    before = state.position.digest()
    with pytest.raises(draftengine.IllegalMove) as error:
        state.commit(0, written)
    assert error.value.code in ILLEGAL
    with pytest.raises(draftengine.IllegalMove):
        state.commit(written, state.view(0).moves[0])
    with pytest.raises(draftengine.IllegalMove):
        state.commit(0, state.view(0).moves[0]).withdraw(written)
    assert state.position.digest() == before


@pytest.fixture
def some():
    return named("sushi_go-2p")


@pytest.fixture
def dummy():
    return named("sushi_go_2014-2p-two_player_dummy")


def test_reasons(some, dummy):
    """Check that refusals name the cards and say what is wrong."""
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
        raise IllegalMove("unknown-card")

    monkeypatch.setattr("draftengine.engine.game.check_move", refuse)
    state = next(gates.steps(some.program, 1))[0]
    assert check_move(state, 0, legal_moves(state, 0)[0])
    with pytest.raises(AssertionError, match="is legal"):
        attempt(state, 0, legal_moves(state, 0)[0])
