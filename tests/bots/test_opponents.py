"""Opponent models: seats that play by the table, greedily, at random or by search are told apart."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.quick import guessed, moments, nothing, program_of
from draftengine.bots import Budget
from draftengine.bots.search import bot as search
from draftengine.bots.search.bot import FlatBot, SearchBot
from draftengine.bots.search.objectives import (
    BEFORE,
    Objective,
    OpponentModel,
    PolicyWeights,
    _by_rank,
    _of_best,
    mix_of,
)
from draftengine.bots.search.playouts import TREE, policy_of
from draftengine.bots.search.searcher import Searcher
from draftengine.engine.chance import Stream
from draftengine.engine.game import commit, start, waiting
from draftengine.engine.kernel.chance import draw_from
from draftengine.engine.moves import choice_of, legal_moves
from draftengine.engine.observe import observe
from draftengine.engine.plan import GREEDY, PLAYOUT, RANDOM
from draftengine.engine.policies import by_table, greedy_move, random_move, values_of
from draftengine.engine.public_state import PublicState
from draftengine.engine.redeal import HiddenCards

GAMES = (("sushi_go", 4), ("sushi_go", 3), ("anniversary", 4), ("party_cutthroat", 5))
VIEWER = 0


def often_the_best(worth):
    """Return a policy that makes the nth best move by table with a probability of about 1 in 2^n."""

    def policy(state, choice, seat, stream):
        moves = legal_moves(state, seat)
        values = values_of(PublicState.of_state(state), choice, seat, moves, worth)
        order = sorted(range(len(moves)), key=lambda number: -values[number])
        rank = 0
        while rank < len(order) - 1 and stream.below(2):
            rank += 1
        return moves[order[rank]]

    return policy


WAYS = {
    "ahead": often_the_best,
    "table": by_table,
    "greedy": lambda _: greedy_move,
    "random": lambda _: random_move,
}


def played(program, ways, rounds, seed=1):
    """Play these rounds with a way of playing for each seat; return the viewer's observation."""
    state, stream = start(program, seed).state, Stream(seed)
    policies = [WAYS[way](guessed(program).worth) for way in ways]
    while not state.over and state.round <= rounds:
        seat = waiting(state)[0]
        state = commit(state, seat, policies[seat](state, choice_of(state), seat, stream)).state
    return observe(state, VIEWER)


@pytest.mark.parametrize(("cardset", "players"), GAMES)
@pytest.mark.parametrize("way", ["ahead", "table", "greedy"])
def test_opponents_are_recognised(cardset, players, way):
    """Check that the style of each opponent is recognised, and a seat with another style stands out."""
    program = program_of(cardset, players)
    odd = "greedy" if way == "table" else "table"
    seen = played(program, [odd, odd, *[way] * (players - 2)], rounds=3)
    found = OpponentModel(guessed(program).worth).styles(seen)
    assert found[VIEWER] == BEFORE
    for seat, own in enumerate(found[2:], 2):
        assert getattr(own, way) == max(own), seat
    assert getattr(found[1], odd) == max(found[1])


@pytest.mark.parametrize(("cardset", "players"), GAMES)
def test_who_plays_at_random_has_no_plan(cardset, players):
    """Check random seats: no known style fits them, though telling them from an unknown plan takes long."""
    program = program_of(cardset, players)
    reader = OpponentModel(guessed(program).worth)
    games = [played(program, ["random"] * players, rounds=3, seed=seed) for seed in range(5)]
    found = [own for seen in games for own in reader.styles(seen)[1:]]
    assert sum(own.table + own.greedy for own in found) / len(found) < 0.1
    assert sum(own.random for own in found) / len(found) > 5 * BEFORE.random


def test_nothing_was_seen_at_first():
    program = program_of("sushi_go", 4)
    assert OpponentModel(guessed(program).worth).styles(observe(start(program, 1).state, 1)) == [BEFORE] * 4


def test_a_choice_of_one_move_tells_nothing():
    program = program_of("sushi_go", 3)
    seen = played(program, ["random"] * 3, rounds=1)
    reader = OpponentModel(guessed(program).worth)
    told = [(reader._judge(moment, pick), len(set(pick.hand))) for moment, picks in seen.watched for pick in picks]
    assert {None} == {likely for likely, different in told if different == 1}
    assert None not in {likely for likely, different in told if different > 1}


chances = st.builds(PolicyWeights, **dict.fromkeys(PolicyWeights._fields, st.floats(1e-6, 1.0)))


@given(chances, chances, chances)
def test_bayes(first, one, two):
    """Check that probabilities stay probabilities, and that the order of observations does not matter."""
    before = first.given(PolicyWeights(1, 1, 1, 1))
    assert sum(before) == pytest.approx(1)
    assert before.given(one).given(two) == pytest.approx(before.given(two).given(one))
    assert before.given(PolicyWeights(1, 1, 1, 1)) == pytest.approx(before)
    sure = before.given(PolicyWeights(ahead=0, table=1, greedy=0, random=0))
    assert sure == (0, 1, 0, 0)


@given(chances)
def test_limits_follow_the_chances(weights):
    found = weights.given(PolicyWeights(1, 1, 1, 1))
    limits = mix_of(found)
    assert 0 <= limits.early <= limits.late <= limits.table <= limits.greedy <= limits.random
    parts = [limits.greedy - limits.table, limits.random - limits.greedy]
    assert [part / limits.random for part in parts] == pytest.approx([found.greedy, found.random], abs=0.001)
    assert limits.early / limits.random == pytest.approx(found.ahead / 2, abs=0.002)
    assert limits.late / limits.random == pytest.approx(3 * found.ahead / 4, abs=0.002)


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=8))
def test_somebody_makes_one_of_the_moves(values):
    """Check that the probabilities of all moves sum to 1, and that better moves are not less likely."""
    for likely in (_by_rank, _of_best):
        chances = [likely(values, made) for made in range(len(values))]
        assert sum(chances) == pytest.approx(1)
        assert sorted(chances) == pytest.approx([chance for _, chance in sorted(zip(values, chances, strict=True))])


def test_ranks_halve():
    assert [_by_rank([5, 7, 1], made) for made in range(3)] == pytest.approx([2 / 7, 4 / 7, 1 / 7])
    assert [_by_rank([5, 5, 1], made) for made in range(3)] == pytest.approx([3 / 7, 3 / 7, 1 / 7])


def test_hands_that_come_later_tell_something():
    """Check that hands seen in the third turn reveal what was chosen in the first turn."""
    program = program_of("sushi_go", 4)
    reader, found = OpponentModel(guessed(program).worth), []
    for seed in range(8):
        state, stream = start(program, seed).state, Stream(seed)
        policy = WAYS["table"](reader.worth)
        while state.turn < 3:
            seat = waiting(state)[0]
            state = commit(state, seat, policy(state, choice_of(state), seat, stream)).state
        found.append(reader.styles(observe(state, VIEWER)))
    assert {moment.turns[-1] for moment, _ in observe(state, VIEWER).watched} == {1, 2}
    assert all(sum(own[seat].table for own in found) / len(found) > BEFORE.table + 0.1 for seat in (1, 2, 3))


def test_a_long_game_leaves_chances_that_can_be_reckoned_with():
    """Check that the product over thousands of unlikely choices does not underflow."""
    found = BEFORE
    for _ in range(5000):
        found = found.given(PolicyWeights(0.5, 0.001, 0.001, 0.01))
    assert found == pytest.approx((1, 0, 0, 0))


def test_playouts_follow_the_models():
    """Check how often an opponent plays in each style, over many playouts."""
    program = program_of("sushi_go", 3)
    seen = observe(start(program, 1).state, 0)
    models = [mix_of(PolicyWeights(0.4, 0.3, 0.2, 0.1))] * 3
    own = Searcher(program, nothing(program).worth)
    own.begin(HiddenCards.of(seen), 0, Objective.of(program, 5.0), 0.3, models)
    draw_from(own.game, 3)
    for number, ahead in ((0, 0.2), (1000, 0.3)):
        assert policy_of(own.game, own.search, 0, number) == TREE
        found = [policy_of(own.game, own.search, 1, number) for _ in range(4000)]
        shares = [found.count(way) / 4000 for way in (TREE, PLAYOUT, GREEDY, RANDOM)]
        assert shares == pytest.approx([ahead, 0.7 - ahead, 0.2, 0.1], abs=0.03)


@pytest.mark.usefixtures("guessing")
@pytest.mark.parametrize(("kind", "players"), [(SearchBot, 2), (FlatBot, 4)])
def test_nobody_is_read_where_it_does_not_matter(monkeypatch, kind, players):
    """Check where no models are used: against one opponent, and in a flat search.

    With one opponent the tree predicts better; a flat search uses the worth table.
    """
    monkeypatch.setattr(search, "_reader", None)
    state, seat = moments(program_of("sushi_go", players), 4)[5]
    assert kind().decide(observe(state, seat), Stream(1), Budget(iterations=5)).considered


@pytest.mark.usefixtures("guessing")
def test_who_is_read_otherwise_is_played_against_otherwise():
    """Check that opponents with other styles change the search's move in some positions, at equal chance."""
    program, chance = program_of("sushi_go", 4), Random(1)
    changed = 0
    for _ in range(6):
        seen = played(program, ["random", *["greedy"] * 3], rounds=1, seed=chance.randrange(1000))
        unread = type(seen)(**{name: getattr(seen, name) for name in seen.__struct_fields__} | {"watched": ()})
        told, untold = (SearchBot().decide(own, Stream(2), Budget(iterations=60)) for own in (seen, unread))
        changed += told.considered != untold.considered
    assert changed
