"""Bots at choices too large to list: ten of twenty cards, six of fourteen, five places of a layout."""

from __future__ import annotations

import tracemalloc

import pytest

from conftest import NIGHTLY, sample
from draftengine.bots import SeatedBot
from draftengine.bots.worth.learning import Sums, learn
from draftengine.engine.chance import Stream
from draftengine.engine.game import commit, start, waiting
from draftengine.engine.observe import observe
from draftengine.engine.policies import by_table, greedy_move, no_worth
from engine.feasts import feast, program_of, quarry

pytestmark = pytest.mark.usefixtures("unlearned")

LARGE = {
    "ten of twenty": feast(),
    "six of fourteen": feast(kinds=14, copies=4, hand=14, choose=6),
    "five places": quarry(),
}
BOTS = ["random", "greedy", "table", "easy", "medium", "search:iterations=3", "flat:iterations=3"]


PAIRS = [(name, bot) for at, name in enumerate(LARGE) for place, bot in enumerate(BOTS) if NIGHTLY or place % 3 == at]
"""Choices with the bots that face them: each bot at each by night, at one of them by day."""


@pytest.mark.parametrize(("name", "bot"), PAIRS)
def test_bots_play_to_the_end(name, bot):
    """Check that every move is legal, and that few enough moves are compared to keep in memory."""
    program = program_of(LARGE[name])
    deciders = [SeatedBot.at(bot, 7, seat) for seat in range(2)]
    measured = NIGHTLY or name == "six of fourteen"  # this takes three times as long
    if measured:
        tracemalloc.start()
    state = start(program, 7).state
    large = 0
    while not state.over:
        for seat in waiting(state):
            seen = observe(state, seat)
            large += not seen.moves.few
            decision = deciders[seat].decide(seen)
            assert decision.move in seen.moves
            assert len(decision.considered) <= 512
            state = commit(state, seat, decision.move).state
    assert large >= 2
    if measured:
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert most < 40_000_000


def test_policies_choose_as_the_bots_of_their_names():
    """Check that kernel policies choose as their bots do, also where they consider a part of the moves."""
    program = program_of(LARGE["ten of twenty"])
    state = start(program, 3).state
    choice = program.code[state.pc]
    for bot, policy in (("greedy", greedy_move), ("table", by_table(no_worth(program)))):
        decision = SeatedBot.at(bot, 5, 0).decide(observe(state, 0))
        chosen = {policy(state, choice, 0, Stream(number)) for number in range(20)}
        best = [own.move for own in decision.considered if own.value == decision.considered[0].value]
        assert decision.move in best
        assert chosen <= set(best)


def test_greedy_takes_the_best_cards_one_by_one():
    """Check that taking cards one by one is optimal where every card counts for itself."""
    text = feast(kinds=22, copies=1, hand=10, choose=5).replace("size: 2", "size: 1").replace("size: 3", "size: 1")
    program = program_of(text)
    state = start(program, 2).state
    seen = observe(state, 0)
    assert not seen.moves.few
    decision = SeatedBot.at("greedy", 1, 0).decide(seen)
    points = sorted((1 + code % 7 for code in seen.moves.codes), reverse=True)
    assert sum(1 + code % 7 for code in decision.move) == sum(points[:5])
    assert decision.considered[0].value == sum(points[:5])


@pytest.mark.parametrize(("text", "games"), sample([(LARGE["ten of twenty"], 240), (feast(hand=3, choose=1), 6000)], 1))
def test_learning_takes_seconds(text, games):
    """Check that fewer games are played for learning where choices make each game long."""
    played = []

    def play(worth, numbers):
        played.extend(numbers)
        return [(numbers, Sums.none(len(worth.values)))]

    told = []
    learn(program_of(text), told.append, play)
    assert played == list(range(games))
    assert told[-1] == 1
