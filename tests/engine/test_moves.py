"""Legal moves as a lazy sequence: complete and in order, by index and by prefix, listed or not."""

from __future__ import annotations

import pickle
import sys
from itertools import islice
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings

from conftest import NIGHTLY
from draftengine.engine import offer
from draftengine.engine.chance import Stream
from draftengine.engine.game import commit, start
from draftengine.engine.moves import Moves, check_move, choice_of, legal_moves
from draftengine.engine.observe import observe, to_json
from draftengine.engine.policies import any_of, shortlist
from draftengine.engine.position import Position, set_up
from engine import gates
from engine.drawn import card_sets, programs_of
from engine.feasts import feast, program_of, quarry
from engine.listing import listed

FEW = tuple(
    {
        "hands": feast(kinds=5, copies=2, hand=5, choose=3),
        "hands and a large ladle": feast(kinds=4, copies=3, hand=6, choose=2, take=2),
        "all that is left": feast(kinds=6, copies=2, hand=6, choose=4),
        "layout": quarry(rows=(2, 3), taken=2),
        "layout of three rows": quarry(rows=(1, 2, 3), taken=1),
    }.items()
)


def is_the_list(moves, expected):
    """Assert that a lazy sequence equals a list, before and after it is listed."""
    made = Moves(moves._offer)
    assert made.total == len(made) == len(expected)
    with patch.object(Moves, "few", False):
        assert [made[place] for place in range(made.total)] == list(expected)
    assert [made.index(move) for move in expected] == list(range(made.total))
    assert tuple(made._walk(made._start, ())) == expected
    assert made.codes == tuple(sorted({code for move in expected for code in move}))
    assert tuple(moves) == tuple(made) == expected
    for chosen in {move[:length] for move in expected for length in range(len(move) + 1)}:
        going_on = sorted(
            {move[len(chosen)] for move in expected if len(move) > len(chosen) and move[: len(chosen)] == chosen}
        )
        assert made.next(chosen) == (tuple(going_on), chosen in expected)
        assert (chosen in made) == (chosen in expected)


@settings(max_examples=1000 if NIGHTLY else 10, deadline=None, suppress_health_check=list(HealthCheck))
@given(card_sets())
def test_moves_of_card_sets_that_nobody_wrote(text):
    for program in programs_of(text, (2, 3)):
        for _, _, _, state, _ in list(gates.steps(program, 3))[::3]:
            for seat in state.pending:
                is_the_list(legal_moves(state, seat), listed(state, seat))


@pytest.mark.parametrize("text", [text for _, text in FEW], ids=[name for name, _ in FEW])
def test_moves_of_several_cards(text):
    program = program_of(text)
    for seed in range(3):
        for _, _, _, state, _ in gates.steps(program, seed):
            for seat in state.pending:
                is_the_list(legal_moves(state, seat), listed(state, seat))
                assert to_json(observe(state, seat))["moves"] == [list(move) for move in listed(state, seat)]


FEAST, QUARRY = feast(), quarry()


@pytest.mark.parametrize(
    "text", [FEAST, feast(kinds=14, copies=2, hand=14, choose=6), QUARRY], ids=["feast", "14", "pit"]
)
def test_more_moves_than_anybody_can_list(text):
    """Check moves too many to list: found by index and prefix, ascending, and accepted by the rules."""
    program, chance = program_of(text), Random(text)
    moves = legal_moves(start(program, 1).state, 0)
    assert not moves.few
    assert moves.total > 10_000
    places = sorted({0, 1, moves.total - 1, *(chance.randrange(moves.total) for _ in range(20))})
    found = [moves[place] for place in places]
    assert found == sorted(set(found))
    assert [moves.index(move) for move in found] == places
    assert (moves[-1], moves[1:3]) == (found[-1], (moves[1], moves[2]))
    assert list(islice(moves, 100)) == [moves[place] for place in range(100)]
    written = to_json(observe(start(program, 1).state, 0))["moves"]
    assert written["total"] == moves.total
    assert {move[0] for move in found} <= {*written["first"]}
    state = start(program, 1).state
    for move in found:
        assert move in moves
        assert check_move(state, 0, move) == move
        assert move[:-1] not in moves
        assert move[-1] in moves.next(move[:-1]).codes
        assert moves.next(move).whole
    with pytest.raises(IndexError):
        moves[moves.total]
    with pytest.raises(ValueError, match="not a legal move"):
        moves.index((0,))


def test_more_moves_than_an_index_can_be():
    """Check that `total` is exact where `len` overflows, and that the cards of a move differ."""
    program = program_of(feast(kinds=150, copies=1, hand=70, choose=35))
    moves = legal_moves(start(program, 1).state, 0)
    assert moves.total > sys.maxsize
    assert moves
    with pytest.raises(OverflowError):
        len(moves)
    last = moves[moves.total - 1]
    assert moves[moves.index(last)] == last
    chosen = ()
    while not moves.next(chosen).whole:
        chosen += moves.next(chosen).codes[-1:]
    assert chosen == last
    drawn = {any_of(moves, Stream(seed)) for seed in range(20)}
    assert len(drawn) == 20
    assert all(move in moves for move in drawn)


def test_a_move_that_may_end():
    """Check that with a ladle a move has the seat's own cards, or one more."""
    program = program_of(FEAST)
    hand = tuple(f"dish_{number}" for number in range(1, 21))
    state = set_up(program, Position(tables=(("dish_0",), ()), hands=(hand, hand))).state
    moves = legal_moves(state, 0)
    ten = moves[0]
    assert len(ten) == 10
    following = moves.next(ten)
    assert following.whole
    assert [code // program.width for code in following.codes] == [1] * 10
    assert not moves.next((*ten, following.codes[0])).codes
    assert not moves.next((1000,)).whole
    assert moves.next((1000,)).codes == ()


def test_moves_stay_as_they_were():
    """Check that moves do not change with their state, even in place, or when sent to another process."""
    state = start(program_of(FEAST), 1).state
    moves, seen = legal_moves(state, 0), observe(state, 0).moves
    first, total = moves[0], moves.total
    other = pickle.loads(pickle.dumps(legal_moves(state, 0)))  # noqa: S301 (made here)
    hand = state.zones[choice_of(state).source][0]
    hand[:] = hand[:3]
    assert (moves[0], moves.total, moves[total - 1]) == (first, total, seen[total - 1])
    assert moves == seen == other
    assert hash(moves) == hash(seen) == hash(other)
    assert moves != legal_moves(state, 0)
    assert moves != legal_moves(state, 1)


def test_moves_that_are_no_codes():
    state = start(program_of(FEAST), 1).state
    for seat in (0, 5):
        moves = legal_moves(state, seat)
        for strange in (None, "ten", 10, [*moves[:1]], ("a",), ((0,),), (1.0,) * 10, (True,) * 10):
            assert strange not in moves


def test_a_shortlist():
    """Check that a shortlist has all moves if there are few, else well-rated ones with the given prefix."""
    program = program_of(FEAST)
    hand = tuple(f"dish_{number}" for number in range(1, 21))
    state = set_up(program, Position(tables=((), ()), hands=(hand, hand))).state
    moves = legal_moves(state, 0)
    found = shortlist(moves, lambda some: [sum(move) for move in some])
    assert len(set(found)) == len(found)
    assert tuple(range(20, 10, -1)) in {tuple(sorted(move, reverse=True)) for move in found}
    assert all(move in moves for move in found)
    begun = shortlist(moves, lambda some: [sum(move) for move in some], (1, 2))
    assert begun
    assert all(move[:2] == (1, 2) and move in moves for move in begun)
    after = commit(commit(state, 0, found[0]).state, 1, found[0]).state
    assert not legal_moves(after, 0).few
    one = Moves(listed=((1,), (2,)))
    assert shortlist(one, lambda _: []) is one


def test_planted_mistakes_of_counting_are_found(monkeypatch):
    """Check that planted counting mistakes (a copy too many, an order too few) are found."""
    program = program_of(FEW[0][1])
    state = start(program, 1).state
    right = offer.sequences
    for wrong in (lambda shape, lengths: right(shape, lengths) + 1, lambda shape, lengths: right(shape, lengths) // 2):
        monkeypatch.setattr(offer, "sequences", wrong)
        with pytest.raises((AssertionError, IndexError)):
            is_the_list(legal_moves(state, 0), listed(state, 0))
