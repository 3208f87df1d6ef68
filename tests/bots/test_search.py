"""Searching bots: the moves that they find, the time that they take, and when they need no search."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import draftengine as de
from bots.quick import guessed, moments, program_of
from draftengine.bots import Budget, Decision, SeatedBot, levels
from draftengine.bots import exact as endgame
from draftengine.bots.exact import solve
from draftengine.bots.search import bot as search
from draftengine.bots.search import objectives, searcher
from draftengine.bots.search.bot import FlatBot, SearchBot
from draftengine.bots.search.searcher import CompiledSearcher, searcher_of
from draftengine.engine.chance import Stream
from draftengine.engine.game import start
from draftengine.engine.observe import observe
from draftengine.engine.plan.base import UnsupportedError
from draftengine.engine.redeal import HiddenCards
from engine.configurations import named
from exact.test_exact import PUZZLES, position, puzzle_state, state_of, taken

pytestmark = pytest.mark.usefixtures("unlearned")

DENIALS = [
    puzzle
    for puzzle in PUZZLES
    if puzzle["id"]
    in {"the last of three", "wasabi waits", "the own set is worth more", "a pudding in the last round",
        "one after the other"}
]  # fmt: skip


# ── What is found ────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("puzzle", DENIALS, ids=lambda puzzle: puzzle["id"])
def test_puzzles(puzzle):
    """Check that search alone finds the only card that loses nothing."""
    state = puzzle_state(puzzle)
    decision = SearchBot().decide(observe(state, 0), Stream(3), Budget(iterations=300))
    assert [sorted(move) for move in puzzle["best"][0]] == [taken(state, decision.move)]
    assert decision.considered[0].weight > 0.5


@pytest.mark.parametrize("kind", [SearchBot, FlatBot])
def test_visits_are_iterations(kind):
    """Check that each playout visits one move, and moves are sorted by visits, the chosen one first."""
    state, seat = moments(program_of("sushi_go", 3), 4)[5]
    seen = observe(state, seat)
    for iterations in (1, 40):
        decision = kind().decide(seen, Stream(8), Budget(iterations=iterations))
        weights = [own.weight for own in decision.considered]
        assert decision.iterations == iterations
        assert sum(weights) == pytest.approx(1)
        assert all(weight * iterations == pytest.approx(round(weight * iterations)) for weight in weights)
        assert weights == sorted(weights, reverse=True)
        assert decision.considered[0].move == decision.move
        moves = [own.move for own in decision.considered]
        assert set(moves) <= set(seen.moves)
        assert len(set(moves)) == len(moves)
        assert all(weights)
        assert decision.unit == "margin"


# ── How long ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("cardset", "players", "alike"),
    [
        ("sushi_draft", 4, True),  # only chips are left of the round
        ("sushi_go", 4, False),  # puddings are kept
        ("anniversary", 4, False),
        ("sushi_go", 2, True),  # two players always search to the end of the round
    ],
)
def test_playouts_end_with_the_round_where_that_tells_all(monkeypatch, cardset, players, alike):
    monkeypatch.setattr(objectives, "SHORT_PLAYOUTS", 5)
    search._objective.cache_clear()
    program = program_of(cardset, players)
    state = next(own for own, _ in moments(program, 3))
    seen = observe(state, state.pending[0])
    near, both = (
        SearchBot(horizon=horizon).decide(seen, Stream(1), Budget(iterations=20)).considered
        for horizon in ("round", "both")
    )
    assert (near == both) == alike
    search._objective.cache_clear()


def test_one_legal_move(monkeypatch):
    """Check that a single legal move is made without any search."""
    monkeypatch.setattr(search, "HiddenCards", None)
    seen = observe(state_of(position(2, 1)), 0)
    assert len(seen.moves) == 1
    assert SearchBot().decide(seen, Stream(1), Budget()) == Decision(seen.moves[0])


@pytest.mark.parametrize("ready", [True, False])
def test_the_first_move_waits_for_nothing(monkeypatch, ready):
    """Check that getting ready compiles the game, or specialises it if it cannot be compiled."""
    asked = []
    monkeypatch.setattr(search, "learn_cards", lambda *_: None)
    monkeypatch.setattr(search, "can_compile", lambda: ready)
    monkeypatch.setattr(searcher, "searcher_of", lambda *_, compiled: asked.append(compiled))
    SearchBot().prepare(program_of("sushi_go", 2), lambda *_: None)
    assert asked == [ready]


@pytest.fixture
def compiling(monkeypatch):
    """Let games compile while none is compiled; return the list of programs that get compiled, in order."""
    made = []

    class Compiling(CompiledSearcher):
        def __init__(self, program, *given, waiting=True):
            if not waiting:
                raise UnsupportedError("nothing is compiled before")
            super().__init__(program, *given)
            made.append(program)

    monkeypatch.setattr(search, "can_compile", lambda: True)
    monkeypatch.setattr(searcher, "searcher_of", searcher_of)
    monkeypatch.setattr(searcher, "CompiledSearcher", Compiling)
    search._texts.cache_clear()
    yield made
    search._texts.cache_clear()


def test_a_game_is_compiled_once_that_is_worth_while(monkeypatch, compiling):
    """Check that a game is compiled once searches without a clock have taken long; decisions are equal."""
    ticks = (number / 100 for number in itertools.count())
    monkeypatch.setattr(
        search, "time", SimpleNamespace(perf_counter=time.perf_counter, thread_time=lambda: next(ticks))
    )
    monkeypatch.setattr(search, "at_hand", guessed)
    program = program_of("sushi_go", 3)
    seen = observe(start(program, 1).state, 0)
    before = SearchBot().decide(seen, Stream(1), Budget(iterations=40))
    SearchBot().decide(seen, Stream(1), Budget(iterations=40, milliseconds=60_000))
    assert not compiling
    assert SearchBot().decide(seen, Stream(1), Budget(iterations=40)) == before
    assert [own.rules_hash for own in compiling] == [program.rules_hash]
    assert FlatBot().decide(seen, Stream(1), Budget(iterations=40)).iterations == 40
    assert [own.rules_hash for own in compiling] == [program.rules_hash]


def test_who_gets_ready_compiles(monkeypatch, compiling):
    monkeypatch.setattr(search, "learn_cards", lambda *_: None)
    program = program_of("sushi_go", 2)
    SearchBot().prepare(program, lambda *_: None)
    assert [own.rules_hash for own in compiling] == [program.rules_hash]


def test_it_stops_when_the_next_step_would_be_late(monkeypatch):
    """Check the stop with a clock that advances by ten milliseconds at each reading, at any phase.

    Time spent before the first playout is not attributed to playouts.
    """
    ticks = (number / 100 for number in itertools.count())
    monkeypatch.setattr(search, "time", SimpleNamespace(perf_counter=lambda: next(ticks), thread_time=lambda: 0.0))
    seen = observe(start(program_of("sushi_go", 4), 1).state, 0)
    step = next(SearchBot().searches(seen, HiddenCards.of(seen)))[0].step
    assert SearchBot().decide(seen, Stream(1), Budget(milliseconds=65)).iterations == 5 * step
    assert SearchBot().decide(seen, Stream(1), Budget(milliseconds=75)).iterations == 6 * step
    assert SearchBot().decide(seen, Stream(1), Budget(milliseconds=1)).iterations == step


def test_what_is_reached_first_ends_it():
    seen = observe(start(program_of("sushi_go", 4), 1).state, 0)
    assert SearchBot().decide(seen, Stream(1), Budget(iterations=7, milliseconds=60_000)).iterations == 7


# ── The last cards ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_endgames_are_solved():
    """Check that a solved decision has the value of the true position, as both know all cards."""
    found = 0
    for seed in range(3):
        for state, seat in moments(program_of("sushi_go", 2), seed):
            seen = observe(state, seat)
            decision = endgame.solved(seen, HiddenCards.of(seen), 3, Stream(seed))
            cards = max(len(hand) for hand in state.zones[state.program.zone_index("hand")])
            assert decision is None or cards <= 3
            if decision is not None:
                found += 1
                value = sum(own.weight * own.value for own in decision.considered)
                assert (-value if seat else value) == pytest.approx(solve(state).value)
                assert all(own.value <= value + 1e-9 for own in decision.considered)
                assert decision.move in {own.move for own in decision.considered if own.weight > 0}
    assert found > 20


def test_choices_with_too_many_pairs_of_moves_are_searched(monkeypatch):
    """Check that choices with too many pairs of moves are searched: they would take very long to solve."""
    monkeypatch.setattr(endgame, "MOST_PAIRS", 4)
    pairs = {True: set(), False: set()}
    for state, seat in moments(program_of("sushi_go", 2), 1):
        seen = observe(state, seat)
        if max(len(hand) for hand in state.zones[state.program.zone_index("hand")]) <= 3:
            solved = endgame.solved(seen, HiddenCards.of(seen), 3, Stream(1)) is not None
            pairs[solved].add(len(seen.moves) * len(observe(state, 1 - seat).moves))
    assert max(pairs[True]) <= 4 < min(pairs[False])


def test_searching_bots_solve_what_they_can(monkeypatch):
    """Check that searching bots solve what they can if they are asked to."""
    seen = next(
        seen
        for state, seat in moments(program_of("sushi_go", 2), 1)
        for seen in [observe(state, seat)]
        if endgame.solved(seen, HiddenCards.of(seen), 3, Stream(1)) is not None
    )
    assert SearchBot().decide(seen, Stream(1), Budget(iterations=9)).iterations == 9
    assert FlatBot().decide(seen, Stream(1), Budget(iterations=9)).iterations == 9
    monkeypatch.setattr(SearchBot, "searches", None)
    assert SearchBot(exact=4).decide(seen, Stream(1), Budget(iterations=9)).iterations == 0


def test_what_no_game_comes_to_is_searched_in_the_form_for_any_position(monkeypatch):
    """Check that unreachable positions are searched unspecialised; at real ones both forms agree."""

    class TooMuch:
        def begin(self, *_given):
            raise UnsupportedError

    seen = next(
        seen
        for state, seat in moments(program_of("sushi_go", 3), 1)
        for seen in [observe(state, seat)]
        if len(seen.moves) > 2
    )
    expected = SearchBot().decide(seen, Stream(1), Budget(iterations=20))
    monkeypatch.setattr(SearchBot()._texts_for(search.at_hand(seen.program)), "_usual", search._Lent(TooMuch()))
    assert SearchBot().decide(seen, Stream(1), Budget(iterations=20)) == expected


@pytest.mark.parametrize(
    ("players", "cards"), [(2, 4), (3, 40)], ids=["the other hand is hidden", "more than two seats"]
)
def test_what_is_not_solved(players, cards):
    seen = observe(start(program_of("sushi_go", players), 1).state, 0)
    assert endgame.solved(seen, HiddenCards.of(seen), cards, Stream(1)) is None


# ── Levels ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("level", ["easy", "medium", "hard", "expert"])
@pytest.mark.parametrize("name", ["sushi_go-3p", "anniversary-2p-sushi_battle", "sushi_draft-4p"])
def test_levels(monkeypatch, level, name):
    """Check that decisions at all levels are legal and list the moves considered."""
    monkeypatch.setattr(levels, "PLAYOUTS", 20)
    program = named(name).program
    found = moments(program, 6)
    for state, seat in found[:: len(found) // 2]:
        seen = observe(state, seat)
        decision = SeatedBot.at(level, 1, seat, usual=Budget(iterations=20)).decide(seen)
        assert decision.move in seen.moves
        assert decision.move in {own.move for own in decision.considered} <= set(seen.moves)


def test_how_long_levels_think():
    """Check that ``hard`` thinks equally long everywhere, and ``expert`` as long as it may."""
    seen = observe(start(program_of("sushi_go", 2), 1).state, 0)
    budgets = [Budget(iterations=5), Budget(iterations=9)]
    assert [SeatedBot.at("hard", 1, 0, usual=own).decide(seen).iterations for own in budgets] == [100, 100]
    assert [SeatedBot.at("expert", 1, 0, usual=own).decide(seen).iterations for own in budgets] == [5, 9]


def test_medium_looks_ahead_at_ways(monkeypatch):
    """Check that `medium` searches where tables cannot value bids or cards put aside for later actions."""
    monkeypatch.setattr(levels, "PLAYOUTS", 5)
    names = ("go_nuts_for_donuts", "ohanami", "sushi_go", "sushi_draft")
    games = {name: observe(start(program_of(name, 3), 1).state, 0) for name in names}
    found = {name: SeatedBot.at("medium", 1, 0).decide(seen).iterations for name, seen in games.items()}
    assert found == {"go_nuts_for_donuts": 5, "ohanami": 5, "sushi_go": 0, "sushi_draft": 0}


@pytest.mark.parametrize(
    ("name", "learns", "looks_ahead"),
    [("go_nuts_for_donuts", True, True), ("ohanami", False, True), ("sushi_go", True, False)],
)
def test_medium_is_ready_before_the_first_choice(name, learns, looks_ahead, monkeypatch):
    """Check that `medium` learns its table before the first choice, and not in the middle of a game."""
    done = []
    monkeypatch.setattr("draftengine.bots.simple.learn_cards", lambda *_: done.append("learns"))
    monkeypatch.setattr("draftengine.bots.levels.BriefSearch.prepare", lambda *_: done.append("ahead"))
    SeatedBot.at("medium", 1, 0).bot.prepare(program_of(name, 3), lambda *_: None)
    assert done == ["ahead"] * looks_ahead + ["learns"] * learns


def test_bids_do_not_meet_in_every_playout():
    """Check that seats try bids in different orders.

    Only a lone highest bid wins, so seats with equal orders would never win.
    """
    game = de.load(Path(__file__).parents[1] / "natural" / "lots.yaml", players=2)
    found = de.bot("search:iterations=100").decide(game.start(seed=1).view(0), seed=3).considered
    values = {str(own.move): own.value for own in found}
    assert values["bid_8"] > 0 > values["pass"]


def test_easy_overlooks_something():
    """Check that `easy` makes the second-best move in about one choice of five."""
    seen = observe(start(program_of("sushi_go", 3), 1).state, 0)
    decisions = [SeatedBot.at("easy", seed, 0).decide(seen) for seed in range(100)]
    places = [[own.move for own in decision.considered].index(decision.move) for decision in decisions]
    assert set(places) == {0, 1}
    assert 8 <= sum(places) <= 35
