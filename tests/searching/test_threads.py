"""Bots and hints decide in many concurrent threads as they do alone."""

from __future__ import annotations

import gc
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from threading import Barrier

import pytest

import draftengine as de
from conftest import NIGHTLY
from draftengine.bots import hints, levels
from draftengine.bots.search import bot as search
from draftengine.bots.search import searcher
from draftengine.engine.forms import FEW, GameRunner, LearningRunner
from draftengine.engine.policies import no_worth
from draftengine.jit.interpreter_settings import DEEPEST, deep_recursion
from draftengine.model.shelf import shelf
from engine.configurations import EVERY, named

NATURAL = Path(__file__).parents[1] / "natural"
THREADS = 8
GAMES = 60 if NIGHTLY else 4
PLAYOUTS = 30 if NIGHTLY else 2
MOMENTS = 3 if NIGHTLY else 2
COMPILED = ("sushi_go-2p", "anniversary-2p-sushi_battle", "sushi_draft-3p") if NIGHTLY else ("sushi_go-2p",)


@pytest.fixture
def hurried():
    """Switch threads so often that unprotected shared data would be seen half written."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.fixture
def uncompiled(monkeypatch):
    """Forbid compiling, and let bots and hints search only a little."""
    for module in (search, hints):
        monkeypatch.setattr(module, "can_compile", lambda: False)
    monkeypatch.setattr(levels, "PLAYOUTS", PLAYOUTS)
    monkeypatch.setattr(hints, "SLOW_ADVISER", f"search:iterations={PLAYOUTS}")


def games(chance):
    """Return games of shipped card sets with random variants, for two to five players."""
    fitting = [own for own in EVERY if 2 <= own.players <= 5]
    chosen = [chance.choice([own for own in fitting if own.cardset == cardset]) for cardset in shelf()]
    chosen = chance.sample(chosen, min(GAMES, len(chosen)))
    chosen += chance.sample(fitting, GAMES - len(chosen))
    return [game_of(own) for own in chosen]


def game_of(configuration):
    selection = configuration.selection
    answers = [f"{name}={option}" for name, option in selection.readings]
    return de.load(configuration.cardset, players=configuration.players, variants=[*selection.variants, *answers])


def moments(game, chance, count):
    """Return random moments of a random game, as (state, seat) with several legal moves."""
    found, state = [], game.start(seed=chance.randrange(10**6))
    while not state.over:
        for seat in state.waiting:
            moves = state.view(seat).moves
            if len(moves) > 1:
                found.append((state, seat))
            state = state.commit(seat, moves[chance.randrange(len(moves))])
    return chance.sample(found, min(count, len(found)))


def searched(state, seat):
    return de.bot(f"search:iterations={levels.PLAYOUTS}").decide(state.view(seat), seed=seat)


def hint(state, seat):
    return de.hints(state.view(seat))


def together(jobs):
    """Run jobs in threads that start together, each thread in another order; return the results by thread."""
    begin = Barrier(THREADS)

    def work(number):
        begin.wait()
        order = jobs[number:] + jobs[:number]
        return {id(job): job[0](*job[1:]) for job in order[:: 1 if NIGHTLY else 4]}

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(work, range(THREADS)))


def alike(jobs):
    """Assert that these jobs give in threads what they give alone."""
    alone = {id(job): job[0](*job[1:]) for job in jobs}
    search._texts.cache_clear()
    for found in together(jobs):
        assert found == {key: alone[key] for key in found}


def test_many_games(hurried, uncompiled):
    chance = Random(39)
    for game in games(chance):
        jobs = [(ask, state, seat) for state, seat in moments(game, chance, MOMENTS) for ask in (searched, hint)]
        alike(jobs)


def test_many_look_at_one_state(hurried):
    """Threads that list the moves of one state agree, even where moves depend on values of cards."""
    game = de.load(NATURAL / "ohanami.yaml", players=2)
    begin = Barrier(THREADS)

    def views(state, seat):
        begin.wait()
        return [tuple(state.view(seat).moves) for _ in range(100)]

    for state, _ in moments(game, Random(1), 4):
        with ThreadPoolExecutor(THREADS) as pool:
            found = [pool.submit(views, state, number % 2) for number in range(THREADS)]
            for seat in range(2):
                assert {own for done in found[seat::2] for own in done.result()} == {tuple(state.view(seat).moves)}


@pytest.mark.parametrize("name", COMPILED)
def test_all_wait_for_the_game_to_be_compiled(hurried, monkeypatch, name):
    """Threads that search the game share one compiled form for bots and one for hints."""
    made = []

    class Compiling(searcher.CompiledSearcher):
        def __init__(self, *given, **more):
            made.append(1)
            super().__init__(*given, **more)

    monkeypatch.setattr(searcher, "CompiledSearcher", Compiling)
    monkeypatch.setattr(search, "_WORTH_COMPILING", 0)
    search._texts.cache_clear()
    chance = Random(name)
    jobs = [(ask, *own) for own in moments(game_of(named(name)), chance, 4) for ask in (searched, hint)]
    alike(jobs)
    assert len(made) == 2


# ── what plays games ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("compiled", "games"), [(False, FEW // 4), (True, 1000)], ids=["in Python", "compiled"])
def test_games_of_one_player(hurried, compiled, games):
    """Threads that share a runner get the games that it plays alone, even while it is being specialised."""
    program = named("sushi_go-2p").program
    alone, shared = (GameRunner(program, ["random"] * 2, compiled=compiled) for _ in range(2))
    firsts = range(0, 2 * THREADS * games, games)
    expected = [alone.play(1, first, first + games, rows=True) for first in firsts]
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(lambda first: shared.play(1, first, first + games, rows=True), firsts)) == expected


def test_learning(hurried):
    program = named("sushi_go-2p").program
    learner, worth = LearningRunner(program), no_worth(program)
    firsts = range(0, 400 * THREADS, 200)
    expected = [learner.learn(worth, 1, first, first + 200) for first in firsts]
    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(lambda first: learner.learn(worth, 1, first, first + 200), firsts)) == expected


def test_the_last_one_restores_the_settings():
    """Recursion limit and garbage collection are restored when the last nested call ends."""
    before = gc.isenabled(), sys.getrecursionlimit()
    first, second = deep_recursion(), deep_recursion()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert (gc.isenabled(), sys.getrecursionlimit()) == (False, max(DEEPEST, before[1]))
    second.__exit__(None, None, None)
    assert (gc.isenabled(), sys.getrecursionlimit()) == before
