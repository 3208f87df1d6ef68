"""Environments: the conformance tests of the libraries, and the meaning of the numbers."""

from __future__ import annotations

import copy
import itertools
import json
import os
import pickle
import subprocess
import sys
from pathlib import Path
from random import Random

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils import BaseParallelWrapper

import draftengine as de
from conftest import NIGHTLY
from draftengine.api.errors import SelectionError
from draftengine.engine.game import commit, start, total, waiting
from draftengine.engine.moves import legal_moves
from draftengine.engine.observe import observe
from draftengine.model.shelf import NoSuchCardSetError
from draftengine.studies.environments.pettingzoo_env import env, parallel_env
from draftengine.studies.environments.table import Encoder, Table, describe, markdown
from engine.configurations import ENTERING, PAIRWISE

ROOT = Path(__file__).parents[2]

GAMES = [
    ("sushi_go", 2),
    ("sushi_go", 5),
    ("sushi_go_2014", 2, ("two_player_dummy",)),
    ("anniversary", 2),
    ("anniversary", 2, ("two_player_dummy", "bubble_tea")),
    ("anniversary", 2, ("personal_draw_piles",)),
    ("anniversary", 2, ("sushi_battle", "frozen_yogurt")),
    ("sushi_draft", 3),
    ("sushi_draft", 4, ("advanced_triple", "advanced_wasabi")),
]
NAMES = ["-".join([own[0], str(own[1]), *(own[2] if len(own) > 2 else ())]) for own in GAMES]

SAMPLE = ENTERING if NIGHTLY else Random(1).sample(PAIRWISE, 8)

# PettingZoo's own games with masks warn as well, unless its test lists them.
with_a_mask = pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
)


def a_game(table, chance):
    """Play a table at random; yield the seat of every action before it."""
    while not table.over:
        seat = chance.choice(table.waiting())
        yield seat
        table.act(seat, chance.choice(table.legal(seat)))


def copied_by_writing(environment):
    return pickle.loads(pickle.dumps(environment))  # noqa: S301 (what was written just now)


# ── PettingZoo ────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@with_a_mask
def test_the_sequential_form_conforms(game):
    api_test(env(*game), num_cycles=200)
    seed_test(lambda: env(*game), num_cycles=200)


class _Bent(BaseParallelWrapper):
    """A wrapper that turns any action into a legal one, as PettingZoo's test of seeds ignores masks."""

    def step(self, actions):
        table = self.env.unwrapped.table
        legal = [table.legal(seat) for seat in range(len(actions))]
        bent = {agent: own[action % len(own)] for own, (agent, action) in zip(legal, actions.items(), strict=True)}
        return super().step(bent)


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_the_parallel_form_conforms(game):
    parallel_api_test(parallel_env(*game), num_cycles=200)
    parallel_seed_test(lambda: _Bent(parallel_env(*game)), num_cycles=200)


def _episode(own, chance, seed=None):
    """Play a random game in the parallel form; return observations and rewards."""
    seen, _ = own.reset(seed=seed)
    story = [seen]
    rewards = {}
    while own.agents:
        actions = {agent: chance.choice(np.flatnonzero(seen[agent]["action_mask"])) for agent in own.agents}
        seen, rewards, *_ = own.step(actions)
        story.append(seen)
    return repr([[list(one["observation"]) for one in seen.values()] for seen in story]), rewards


def test_games_under_a_seed():
    """Check in both forms that a seed repeats the series of games, and no seed differs each time."""
    one, other = (parallel_env("sushi_go", 3, seed=seed) for seed in (5, 6))
    here = [_episode(one, Random(1)) for _ in range(3)]
    assert len({story for story, _ in here}) == 3
    assert [_episode(other, Random(1), seed) for seed in (5, None, None)] == here
    vectors = []
    for own in (parallel_env("sushi_go", 3), parallel_env("sushi_go", 3)):
        own.reset()
        vectors.append(own.observe("seat_0")["observation"])
    assert not np.array_equal(*vectors)
    aec = env("sushi_go", 3, seed=5)
    aec.reset()
    one.reset(seed=5)
    assert np.array_equal(aec.observe("seat_1")["observation"], one.observe("seat_1")["observation"])


def test_a_parallel_game_is_the_engines():
    """Check that equal moves with an equal seed give the engine's scores."""
    own = parallel_env("sushi_go", 4, reward="points")
    seen, _ = own.reset(seed=9)
    state, rewards = start(own.program, 9).state, {}
    while own.agents:
        actions = {agent: int(np.flatnonzero(one["action_mask"])[-1]) for agent, one in seen.items()}
        seen, rewards, *_ = own.step(actions)
    while not state.over:
        # the end of a move if that is legal, else the card of the highest code
        seat = waiting(state)[0]
        state = commit(state, seat, max(move for move in legal_moves(state, seat) if len(move) == 1)).state
    assert list(rewards.values()) == [total(state, seat) for seat in range(4)]


def test_seeds_of_the_parallel_form_that_takes_any_action():
    """Check that illegal actions become legal ones that depend on the seed alone."""
    parallel_seed_test(lambda: parallel_env("sushi_go", 2, illegal="random"), num_cycles=100)


def test_an_illegal_action_is_left_out():
    """Check that with `noop` only the seat with an illegal action stays as it was."""
    both = parallel_env("sushi_go", 2, seed=1, illegal="noop")
    both.reset(seed=1)
    done = both.encoder.done
    both.step({"seat_0": both.table.legal(0)[0], "seat_1": done})
    assert both.table.waiting() == (1,)
    turns = env("sushi_go", 2, seed=1, illegal="noop")
    turns.reset(seed=1)
    turns.step(done)
    assert (turns.agent_selection, any(turns.terminations.values())) == ("seat_0", False)
    with pytest.raises(ValueError, match="illegal is raise, random, noop, end, not 'skip'"):
        env("sushi_go", 2, illegal="skip")
    with pytest.raises(ValueError, match="illegal is raise, random, noop, not 'end'"):
        parallel_env("sushi_go", 2, illegal="end")


def test_an_illegal_action():
    """Check that the parallel form refuses an illegal action unchanged, and the other form ends the game."""
    own = parallel_env("sushi_go", 2, seed=1)
    own.reset()
    before = own.table.state.digest()
    actions = {agent: int(own.observe(agent)["action_mask"].argmax()) for agent in own.agents}
    done = own.encoder.done
    with pytest.raises(ValueError, match=rf"action {done} \(done\) of seat 1 is not legal now"):
        own.step({**actions, "seat_1": done})
    with pytest.raises(ValueError, match=r"action 99 of seat 0"):
        own.step({**actions, "seat_0": 99})
    assert own.table.state.digest() == before
    assert not own.table.taken
    aec = env("sushi_go", 2, seed=1)
    aec.reset()
    aec.step(done)
    assert aec.terminations == {"seat_0": True, "seat_1": True}
    assert aec.rewards == {"seat_0": -1, "seat_1": 0}


def test_rewards():
    """Check that win shares and margins sum to zero, and points are scores (negated if fewest win)."""
    for cardset, players, variants, sign in (
        ("sushi_go", 2, (), 1),
        ("sushi_go", 5, (), 1),
        ("anniversary", 3, ("sushi_golf",), -1),
    ):
        found = {}
        for reward in ("win", "margin", "points"):
            own = parallel_env(cardset, players, variants, seed=3, reward=reward)
            found[reward] = list(_episode(own, Random(2))[1].values())
            state = own.table.state
        scores = [total(state, seat) for seat in range(players)]
        assert found["points"] == [sign * score for score in scores]
        assert sum(found["win"]) == pytest.approx(0)
        assert sum(found["margin"]) == pytest.approx(0)
        best = max(range(players), key=lambda seat: sign * scores[seat])
        assert found["win"][best] == max(found["win"]) == 1 / len(state.winners) - 1 / players
        rest = [sign * score for seat, score in enumerate(scores) if seat != best]
        assert found["margin"][best] == pytest.approx(sign * scores[best] - np.mean(rest))


def test_what_cannot_be_made():
    with pytest.raises(ValueError, match=r"no reward 'fame', only win, margin, points"):
        parallel_env("sushi_go", 2, reward="fame")
    with pytest.raises(NoSuchCardSetError):
        parallel_env("no_such_game", 2)
    with pytest.raises(SelectionError, match="no_such_variant"):
        env("sushi_go", 2, ("no_such_variant",))


# ── The numbers ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("configuration", SAMPLE, ids=str)
def test_every_entry_is_documented(configuration):
    """Check that the entries are contiguous, each with a unique name and a meaning."""
    parts = describe(configuration.program)
    assert [part.start for part in parts] == [sum(own.length for own in parts[:at]) for at in range(len(parts))]
    encoder = Encoder(configuration.program)
    assert sum(part.length for part in parts) == encoder.length == len(encoder.high)
    assert len({part.name for part in parts}) == len(parts)
    assert all(part.meaning and part.length for part in parts)
    assert len(set(encoder.names)) == len(encoder.names)
    text = markdown(configuration.program)
    assert all(f"| `{part.name}` |" in text for part in parts)
    assert all(f"| {name} |" in text for name in encoder.names)


@pytest.mark.parametrize("configuration", SAMPLE, ids=str)
def test_random_play(configuration):
    """Check vectors against their bounds, and that actions and legal moves correspond."""
    encoder, chance = Encoder(configuration.program), Random(4)
    table = Table.dealt(encoder, 8, 0)
    for seat in a_game(table, chance):
        for own in range(configuration.players):
            vector = table.vector(own)
            assert vector.dtype == np.float32
            assert (encoder.low <= vector).all()
            assert (vector <= encoder.high).all()
        moves, taken = legal_moves(table.state, seat), table.taken.get(seat, ())
        begun = [move for move in moves if move[: len(taken)] == taken]
        named = {encoder.done if move == taken else encoder.codes.index(move[len(taken)]) for move in begun}
        assert set(np.flatnonzero(table.mask(seat))) == named == set(table.legal(seat))
    vectors = [table.vector(own) for own in range(configuration.players)]
    assert all(((encoder.low <= own) & (own <= encoder.high)).all() for own in vectors)


def _part(encoder, vector, name):
    part = next(part for part in encoder.parts() if part.name == name)
    return vector[part.start : part.start + part.length].tolist()


def test_what_stands_in_the_vector():
    """Check that the own seat comes first, and that a hand seen is known after it is passed on."""
    program = parallel_env("sushi_go", 3).program
    encoder = Encoder(program)
    table = Table.dealt(encoder, 2, 0)
    hands = [_part(encoder, table.vector(seat), "hand.0.cards") for seat in range(3)]
    assert [sum(hand) for hand in hands] == [9, 9, 9]
    assert _part(encoder, table.vector(0), "hand.1.cards") == [0] * len(hands[0])
    cards = [table.legal(seat)[0] for seat in range(3)]
    table.act(1, cards[1])
    assert _part(encoder, table.vector(1), "taken")[cards[1]] == 1
    assert sum(_part(encoder, table.vector(0), "taken")) == 0
    table.act(0, cards[0])
    table.act(2, cards[2])
    hands[0][cards[0]] -= 1
    vector = table.vector(0)
    passed = "hand.1.cards" if _part(encoder, vector, "hand.1.cards") == hands[0] else "hand.2.cards"
    assert _part(encoder, vector, passed) == hands[0]
    assert _part(encoder, vector, "turn") == [2]
    for seat in range(3):
        words = [table.state.words[(seat + step) % 3] for step in range(3)]
        for place, word in enumerate(words):
            counters = [field.read(word) for field in program.fields]
            assert _part(encoder, table.vector(seat), f"counters.{place}") == counters


def test_a_wild_card_stands_where_it_lies_and_its_form_among_the_counters():
    game = de.load(ROOT / "tests/natural/jokers.yaml", players=2)
    state = game.lay_out(de.Position(zones={"upper": (("joker@red", "joker@blue", "red"), ())}))
    encoder, seen = Encoder(game.program), state.view(0).seen
    cards = _part(encoder, encoder.vector(seen), "upper.0.cards")
    assert cards == [{"red": 1, "joker": 2}.get(own, 0) for own in game.program.cards]
    assert next(own for own in game.program.fields if own.name == "upper.red").read(seen.words[0]) == 2


def _with_hidden_cards_moved(state, seat, chance):
    """Return the state with all cards redealt in zones where the seat knows no card."""
    world = state.clone()
    places = [
        (zone, owner, at)
        for zone, model in enumerate(state.program.zones)
        for owner, cards in enumerate(world.zones[zone])
        for at in range(len(cards))
        if _is_hidden(state, seat, model, zone, owner, at)
    ]
    cards = [world.zones[zone][owner][at] for zone, owner, at in places]
    chance.shuffle(cards)
    for (zone, owner, at), card in zip(places, cards, strict=True):
        world.zones[zone][owner][at] = card
    return world


def _is_hidden(state, seat, model, zone, owner, at):
    if model.layout:
        return at in state.down[zone] and state.zones[zone][0][at] >= 0
    known = state.memory.known_cards[seat][zone][owner]
    return model.seen_by != "everyone" and not (model.seen_by == "owner" and owner == seat) and not known


@pytest.mark.parametrize("configuration", SAMPLE, ids=str)
def test_hidden_cards_do_not_show(configuration):
    """Check that hidden cards and pending choices of others change neither vector nor mask."""
    encoder, chance, differ = Encoder(configuration.program), Random(5), 0
    table = Table.dealt(encoder, 6, 0)
    for _ in a_game(table, chance):
        for seat in range(configuration.players):
            world = _with_hidden_cards_moved(table.state, seat, chance)
            differ += world.zones != table.state.zones
            seen, taken = observe(world, seat), table.taken.get(seat, ())
            assert np.array_equal(encoder.vector(seen, taken), table.vector(seat))
            if seat in table.waiting():
                assert encoder.legal(seen.moves, taken) == table.legal(seat)
    assert differ


def test_a_leak_is_found():
    """Check that the previous test can fail: a seat that sees the cards gets another vector."""
    chance = Random(5)
    encoder = parallel_env("sushi_go", 2).encoder
    state = start(encoder.program, 1).state
    worlds = [_with_hidden_cards_moved(state, 0, chance) for _ in range(5)]
    assert len({encoder.vector(observe(world, 1)).tobytes() for world in worlds}) > 1


# ── OpenSpiel ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
@pytest.mark.parametrize("copied", [copied_by_writing, copy.deepcopy])
def test_an_environment_can_be_copied(game, copied):
    """Check that a copy in the middle of a game goes on alike, independently of the original."""
    own = parallel_env(*game)
    own.reset(seed=5)
    chance = Random(str(game))
    for step in itertools.count():
        if not own.agents:
            break
        twin = copied(own) if step % 7 == 3 and (NIGHTLY or step < 7) else None
        actions = {agent: chance.choice(np.flatnonzero(own.observe(agent)["action_mask"])) for agent in own.agents}
        before = {agent: own.observe(agent)["observation"].tolist() for agent in own.agents}
        if twin is not None:
            after = twin.step(actions)[0]
            assert {agent: own.observe(agent)["observation"].tolist() for agent in own.agents} == before
        found = own.step(actions)[0]
        for agent in found if twin is not None else ():
            assert after[agent]["observation"].tolist() == found[agent]["observation"].tolist()
            assert after[agent]["action_mask"].tolist() == found[agent]["action_mask"].tolist()
    turns = env(*game)
    turns.reset(seed=1)
    assert copied(turns).last()[0]["observation"].tolist() == turns.last()[0]["observation"].tolist()


@pytest.fixture
def load():
    """Load one of our games with `pyspiel.load_game`."""
    pyspiel = pytest.importorskip("pyspiel")
    from draftengine.studies.environments import openspiel

    assert openspiel.DraftGame

    def load(cardset, players, variants=(), **more):
        parameters = {"cardset": cardset, "players": players, "variants": ",".join(variants), **more}
        return pyspiel.load_game("python_draftengine", parameters)

    return load


@pytest.mark.parametrize("game", GAMES, ids=NAMES)
def test_openspiel_conforms(load, game, capfd):
    """Check conformance, also as OpenSpiel's turn-based form.

    OpenSpiel cannot serialise games with sampled chance, so that is left out.
    """
    import pyspiel

    own = load(*game)
    pyspiel.random_sim_test(own, num_sims=2, serialize=False, verbose=False)
    pyspiel.random_sim_test(pyspiel.convert_to_turn_based(own), num_sims=1, serialize=False, verbose=False)


def test_openspiel_information(load):
    """Check that copies go on alike, information only grows, and seeds repeat deals."""
    state = load("sushi_go", 3, seed=4).new_initial_state()
    assert state.is_chance_node()
    state.apply_action(0)
    chance = Random(1)
    while not state.is_terminal():
        actions = [chance.choice(state.legal_actions(player)) for player in range(3)]
        before = [state.information_state_string(player) for player in range(3)]
        copy = state.clone()
        for one in (state, copy):
            one.apply_actions(actions)
        assert str(copy) == str(state)
        assert all(state.information_state_string(own).startswith(text) for own, text in enumerate(before))
    assert sum(state.returns()) == pytest.approx(0)
    texts = []
    for seed in (4, 4, 5):
        again = load("sushi_go", 3, seed=seed).new_initial_state()
        again.apply_action(0)
        texts.append(again.observation_string(1))
    assert texts[0] == texts[1] != texts[2]
    assert "hand.0.size=9" in texts[0]


def test_openspiel_recalls_what_is_gone(load):
    """Check that information states hold cards that were played last and discarded before the next choice."""
    state = load("sushi_go", 3, seed=4).new_initial_state()
    state.apply_action(0)
    chance = Random(2)
    while not state.is_terminal():
        state.apply_actions([chance.choice(state.legal_actions(player)) for player in range(3)])
    for player in range(3):
        lines = state.information_state_string(player).splitlines()
        told = [json.loads(line) for line in lines if line.startswith("{")]
        laid = [card for own in told if own["kind"] == "revealed" for card in own["cards"]]
        returned = sum(own["kind"] == "ability-used" for own in told)
        assert len(laid) == 3 * 3 * 9 + returned  # seats, rounds, cards
        passed = [own for own in told if own["kind"] == "passed"]
        assert all(("cards" in own) == (player in {own["seat"], own["other"]}) for own in passed)


def test_openspiel_takes_all_actions_or_none(load):
    """Check that an illegal action applies none of the joint actions."""
    state = load("sushi_go", 2, seed=4).new_initial_state()
    state.apply_action(0)
    before = [state.information_state_string(player) for player in range(2)]
    illegal = next(own for own in range(state.num_distinct_actions()) if own not in state.legal_actions(1))
    with pytest.raises(ValueError, match="not legal now"):
        state._apply_actions([state.legal_actions(0)[0], illegal])
    assert [state.information_state_string(player) for player in range(2)] == before


# ── Around it ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_command_line_does_without():
    """Check that no command needs the optional libraries."""
    code = (
        "import sys; from draftengine.apps.cli.main import program; program()\n"
        "assert not {'gymnasium', 'pettingzoo', 'pyspiel', 'draftengine.studies.environments'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT / "src")


@pytest.mark.skipif(not NIGHTLY, reason="trains for a moment: make nightly")
def test_the_example_runs():
    """Check that the training example runs for a moment."""
    process = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "train_small.py"), "--minutes", "0.01", "--games", "16"],
        check=True,
        capture_output=True,
        encoding="utf-8",
        cwd=ROOT / "src",
        env={**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUTF8": "1"},
    )
    assert "win share against greedy" in process.stdout
