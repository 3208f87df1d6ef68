"""Batches of games: their arrays equal `parallel_env` game by game, in every form."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from conftest import NIGHTLY
from draftengine.api.errors import NotInGameError
from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.compilable import why_not_compiled
from draftengine.engine.game import total
from draftengine.engine.kernel import batch as kernel
from draftengine.engine.moves import legal_moves
from draftengine.engine.plan.base import UnsupportedError
from draftengine.engine.policies import play_by
from draftengine.engine.state import initial_state
from draftengine.model.library import open_set
from draftengine.studies.environments import batch, compiled_tables
from draftengine.studies.environments.batch import Batch, batch_env, random_actions
from draftengine.studies.environments.pettingzoo_env import Parallel
from draftengine.studies.environments.table import Encoder, NothingToChooseError, program_named
from draftengine.studies.runner.playing import policy_named
from engine.configurations import CONFIGURATIONS, ENTERING, PAIRWISE
from engine.drawn import card_sets, programs_of
from engine.test_redeal import small_game
from environments.as_it_stands import AsItStands
from environments.small import TEXTS, crowd, idle, rich, small

ENGINES = ["compiled", "reference"]
FORMS = ["as it stands", "compiled", "reference"]
"""Forms that play a batch; the first is the specialised game, which needs no compiling."""

GAMES = 3 if NIGHTLY else 1
FURTHER = 3
"""Number of steps into the game after the last, so that a newly dealt game is compared as well."""


def parallel_tables(program, games, seed, reward):
    """Return for each table a parallel environment, reset to that table's first game."""
    tables = []
    for skipped in range(games):
        own = Parallel(program, seed, reward)
        for _ in range(skipped + 1):
            seen, _ = own.reset()
        tables.append([own, seen])
    return tables


def stepped(tables, actions):
    """Step all tables, dealing the next game where one is over; return rewards and ends."""
    rewards, over = [], []
    for table, row in zip(tables, actions, strict=True):
        own, _ = table
        table[1], given, *_ = own.step(dict(zip(own.possible_agents, map(int, row), strict=True)))
        rewards.append([given[agent] for agent in own.possible_agents])
        over.append(not own.agents)
        if not own.agents:
            for _ in tables:
                table[1], _ = own.reset()
    return np.array(rewards, dtype=np.float32), np.array(over)


def compare(own, tables):
    observations = [[one["observation"] for one in seen.values()] for _, seen in tables]
    masks = [[one["action_mask"] for one in seen.values()] for _, seen in tables]
    assert np.array_equal(own.masks, masks)
    assert np.array_equal(own.observations, observations)


def agree(program, *, games=2, reward="win", engine="compiled", finished=GAMES):
    """Compare random games until each table has finished `finished` games, and then some steps further.

    In every other step the batch draws the actions itself.
    """
    own = Batch(program, games, 5, reward=reward, engine=engine)
    tables = parallel_tables(program, games, 5, reward)
    own.reset()
    compare(own, tables)
    chance, count, further = np.random.default_rng(1), np.zeros(games), FURTHER
    inside = False
    while further:
        inside = not inside
        assert own.step(None if inside else random_actions(own.masks, chance)).rewards is own.rewards
        rewards, over = stepped(tables, own.actions)
        assert np.array_equal(own.rewards, rewards)
        assert np.array_equal(own.over, over)
        compare(own, tables)
        count += over
        further -= count.min() >= finished


@cache
def shipped(name, players):
    """Return the program of a shipped game, one object for each."""
    return program_named(name, players)


def env(name, players, games, **options):
    return Batch(shipped(name, players), games, **options)


def play(monkeypatch, form):
    """Patch the batch to play in a form; return the engine to request."""
    if form == "as it stands":
        monkeypatch.setattr(batch, "can_compile", lambda: True)
        monkeypatch.setattr(compiled_tables, "CompiledTables", AsItStands)
    return "reference" if form == "reference" else "compiled"


# ── the same games ────────────────────────────────────────────────────────────────────────────────────────────────────


def of_each_form(cases, *steps):
    """Return pairs of form and case: all by night, every n-th by day."""
    return [(form, *own) for form, step in zip(FORMS, steps, strict=True) for own in cases[:: 1 if NIGHTLY else step]]


SHIPPED = of_each_form([(own,) for own in ENTERING], 16, 80, 40)
ROOT = Path(__file__).parents[2]
WRITTEN = of_each_form(
    [(own,) for own in sorted([*ROOT.glob("tests/natural/*.yaml"), *ROOT.glob("examples/recipes/*.yaml")])], 14, 70, 30
)
SMALL = of_each_form([(name, keep) for name in TEXTS for keep in ("", "keep: true,")], 6, 18, 14)


@pytest.mark.parametrize(("form", "configuration"), SHIPPED, ids=str)
def test_every_game(configuration, form, monkeypatch):
    """Check observations, masks, rewards and ends, bit for bit."""
    reward = ("win", "margin", "points")[configuration.players % 3]
    program, engine = configuration.program, play(monkeypatch, form)
    if engine == "compiled" and why_not_compiled(program, ["random"]):
        with pytest.raises(UnsupportedError):
            agree(program, reward=reward, engine=engine)
        return
    agree(program, reward=reward, engine=engine)


@pytest.mark.parametrize(("form", "file"), WRITTEN, ids=lambda own: getattr(own, "stem", own))
def test_what_the_language_can_say(file, form, monkeypatch):
    """Check that games with every feature of the language are compiled and agree."""
    document = open_set(str(file)).document
    assert document is not None
    agree(program_named(str(file), document.players[0]), engine=play(monkeypatch, form))


@pytest.mark.parametrize(("form", "name", "keep"), SMALL)
def test_moves_of_many_parts(name, keep, form, monkeypatch):
    """Check several cards, abilities, cards for other seats, cards aside, covered cards and shelves."""
    engine = play(monkeypatch, form)
    agree(small(TEXTS[name], 2, keep=keep), games=3, reward="points", finished=3, engine=engine)
    if "players: 2-13" in TEXTS[name]:
        agree(small(TEXTS[name], 3, keep=keep), engine=engine)


def test_what_is_known_of_cards_goes_with_them(monkeypatch):
    """Check that a seat still knows the cards of a hand that it passed on when all of them move."""
    program = small_game(
        3,
        {"soup": 8, "stew": 8, "bread": 8},
        {
            "zones": {"kept": {"per": "seat", "seen_by": "owner"}},
            "round": [
                {"deal": {"to": "hand", "cards": 4}},
                {"choose": {"from": "hand", "to": "tableau"}},
                {"pass": {"zone": "hand", "to": "left"}},
                {"move": {"from": "hand", "to": "kept"}},
                *[{"choose": {"from": "kept", "to": "tableau"}}] * 2,
                {"score": "round"},
            ],
        },
    )
    agree(program, engine=play(monkeypatch, "as it stands"))


def test_card_sets_that_nobody_wrote(monkeypatch):
    """Check generated card sets; nearly all can be compiled."""
    engine, found = play(monkeypatch, "as it stands"), Counter()

    @settings(max_examples=1000 if NIGHTLY else 4, deadline=None, suppress_health_check=list(HealthCheck))
    @given(card_sets())
    def draw(text):
        for program in programs_of(text, (2, 3)):
            try:
                agree(program, engine=engine)
            except UnsupportedError:
                found["refused"] += 1
            else:
                found["played"] += 1

    draw()
    assert found["played"] > 20 * found["refused"]


@pytest.mark.parametrize(("dtype", "least", "most"), [("int16", -32767, 32767), ("uint8", 0, 255)])
def test_small_numbers(dtype, least, most):
    """Check arrays of 16 and 8 bits: points that do not fit become the nearest number that does."""
    reached = 0
    for program in (program_named("anniversary", 2, ("frozen_yogurt",)), rich()):
        wide, *narrow = (
            Batch(program, 4, 2, dtype=kind, engine=engine)
            for kind, engine in (("float32", "compiled"), (dtype, "compiled"), (dtype, "reference"))
        )
        chance = np.random.default_rng(3)
        for tables in (wide, *narrow):
            tables.reset()
        for _ in range(60):
            for tables in narrow:
                assert tables.observations.dtype == dtype
                assert np.array_equal(tables.observations, wide.observations.clip(least, most))
            reached = max(reached, wide.observations.max())
            actions = random_actions(wide.masks, chance)
            for tables in (wide, *narrow):
                tables.step(actions)
    assert reached > most


# ── seats that bots play ──────────────────────────────────────────────────────────────────────────────────────────────

KINDS = ("table", "greedy", "random")
WITH_BOTS = [
    (form, each)
    for form, step in ((FORMS[0], 24), (FORMS[1], 120))
    for each in [each for each in PAIRWISE if each.players < 6][:: 1 if NIGHTLY else step]
]


def by_first_action(program):
    """Return the policy of a player who always takes the first legal action."""
    encoder = Encoder(program)

    def policy(state, _choice, seat, _stream):
        moves, taken = legal_moves(state, seat), ()
        while (action := encoder.legal(moves, taken)[0]) != encoder.done:
            taken = (*taken, encoder.codes[action])
        return taken

    return policy


def totals_with_bots(program, opponents, seed, game):
    """Return the points of a game with bots, in which all others take the first legal action."""
    policies = [
        policy_named(program, opponents[seat]) if seat in opponents else by_first_action(program)
        for seat in range(program.players)
    ]
    root = root_of(seed)
    state = initial_state(program, root, game, memory=False)
    play_by(state, policies, Stream(key_of(root, game, "bot")))
    return [program.direction * total(state, seat) for seat in range(program.players)]


@pytest.mark.parametrize("name", ["sushi_go-3p", "party_cutthroat-3p", "tides_of_time-2p", "go_nuts_for_donuts-3p"])
def test_bots_play_as_everywhere(name):
    """Check that the points are those of the same games in the engine, two at each of two tables."""
    program = next(each.program for each in CONFIGURATIONS if str(each) == name)
    opponents = dict(zip(range(1, program.players), KINDS, strict=False))
    tables, points = Batch(program, 2, 6, reward="points", engine="reference", opponents=opponents), {0: [], 1: []}
    tables.reset()
    assert (tables.seats, tables.rewards.shape) == ((0,), (2, 1))
    while min(map(len, points.values())) < 2:
        tables.step(tables.masks.argmax(-1))
        for table in np.flatnonzero(tables.over):
            points[int(table)].append(float(tables.rewards[table, 0]))
    for table, finished in points.items():
        played = [totals_with_bots(program, opponents, 6, table + 2 * number)[0] for number in range(len(finished))]
        assert finished == played


@pytest.mark.parametrize(("form", "configuration"), WITH_BOTS, ids=str)
def test_bots_in_every_game(configuration, form, monkeypatch):
    """Check that compiled games with bots are those of the reference engine."""
    program, number = configuration.program, len(str(configuration))
    seats = [seat for seat in range(program.players) if seat != number % program.players]
    opponents = {seat: KINDS[(number + seat) % 3] for seat in (seats if number % 2 else seats[:1])}
    if play(monkeypatch, form) == "compiled" and why_not_compiled(program, KINDS):
        return
    agree_with_bots(program, opponents)


def agree_with_bots(program, opponents):
    """Compare two games of two engines, and check that every step waits for a seat that acts."""
    options = {"reward": "margin", "opponents": opponents}
    compiled, reference = (Batch(program, 2, 8, engine=engine, **options) for engine in ENGINES)
    results, expected = compiled.reset(), reference.reset()
    chance, count = np.random.default_rng(1), 0
    while count < 2:
        for one, other in zip(results, expected, strict=True):
            assert np.array_equal(one, other)
        assert compiled.masks[..., :-1].any(axis=(1, 2)).all()
        actions = random_actions(compiled.masks, chance) if chance.random() < 0.5 else None
        results, expected = compiled.step(actions), reference.step(actions)
        assert np.array_equal(compiled.actions, reference.actions)
        count += compiled.over.sum()


def test_choices_of_bots_alone(monkeypatch):
    """Check that no step waits for a choice in which only bots choose."""
    program = small(TEXTS["buried"], 2)
    play(monkeypatch, "as it stands")
    agree_with_bots(program, {1: "greedy"})


# ── whose games, and which ────────────────────────────────────────────────────────────────────────────────────────────


def story(own, steps=60):
    """Return observations and rewards of some random steps."""
    chance, seen = np.random.default_rng(4), []
    for _ in range(steps):
        found = own.step(random_actions(own.masks, chance))
        seen += [part.tobytes() for part in found]
    return seen


@pytest.mark.parametrize("engine", ENGINES)
def test_games_under_a_seed(engine):
    """Check that a seed repeats games, `reset` alone continues the series, and no seed differs each time."""
    own, other = (env("sushi_go", 2, 5, seed=seed, engine=engine) for seed in (7, 8))
    own.reset()
    first = story(own)
    own.reset()
    second = story(own)
    assert first != second
    other.reset()
    assert story(other) != first
    for again in (own, other):
        again.reset(7)
        assert story(again) == first
        again.reset()
        assert story(again) == second
    free = [env("sushi_go", 2, 5, engine=engine).reset()[0].tobytes() for _ in range(2)]
    assert free[0] != free[1]


@pytest.mark.parametrize("engine", ENGINES)
def test_the_number_of_tables_changes_no_game(engine):
    """Check that the first three of seven tables begin with the games of three tables.

    Table 1 of three plays games 1, 4, 7.
    """
    few, many = (env("sushi_go", 3, games, seed=1, engine=engine) for games in (3, 7))
    assert np.array_equal(few.reset()[0], many.reset()[0][:3])


@pytest.mark.parametrize("threads", [2, 3, 9])
def test_threads_change_no_game(threads):
    """Check any number of threads, also more than tables, and uneven shares."""
    tables = [Batch(shipped("anniversary", 4), 5, 3, threads=number) for number in (1, threads)]
    for own in tables:
        own.reset()
    chance = np.random.default_rng(2)
    for _ in range(60):
        actions = random_actions(tables[0].masks, chance) if chance.random() < 0.5 else None
        for one, other in zip(*(own.step(actions) for own in tables), strict=True):
            assert np.array_equal(one, other)


# ── what is refused ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("engine", ENGINES)
def test_an_illegal_action(engine):
    """Check that an illegal action is refused by table, seat and name, and changes nothing."""
    own = env("sushi_go", 2, 3, seed=1, engine=engine)
    with pytest.raises(ValueError, match="reset"):
        own.step(np.zeros((3, 2), dtype=np.int64))
    own.reset()
    legal = own.masks.argmax(axis=-1)
    before = [own.observations.copy(), own.masks.copy()]
    done = own.encoder.done
    for action, named in ((done, rf"{done} \(done\)"), (done + 1, str(done + 1)), (-1, "-1"), (1 << 40, str(1 << 40))):
        wrong = legal.copy()
        wrong[1, 1] = action
        with pytest.raises(ValueError, match=rf"action {named} of seat 1 at table 1 is not legal now"):
            own.step(wrong)
    for form in (legal[:2], legal.astype(float), legal[..., None], legal.tolist()[0]):
        with pytest.raises(ValueError, match=r"whole numbers of the shape \(3, 2\)"):
            own.step(form)
    assert np.array_equal(own.observations, before[0])
    assert np.array_equal(own.masks, before[1])
    own.step(legal.tolist())
    own.reset(1)
    assert np.array_equal(own.observations, before[0])


@pytest.mark.parametrize("engine", ENGINES)
def test_arrays_are_for_reading(engine):
    own = env("sushi_go", 2, 2, seed=1, engine=engine)
    for array in (*own.reset(), own.rewards, own.over):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def test_what_cannot_be_made():
    program = program_named("sushi_go", 2)
    for wrong in ({"reward": "fame"}, {"dtype": "float16"}, {"engine": "steam"}):
        with pytest.raises(ValueError, match="only"):
            Batch(program, 2, **wrong)
    for wrong, message in (
        ("table", "opponents are bots by seat"),
        ({1: "expert"}, "one of random, greedy, table"),
        ({1: None}, "one of random, greedy, table"),
        ({2: "table"}, "there is no seat 2"),
        (dict.fromkeys(range(2), "greedy"), "at least one seat must act"),
    ):
        with pytest.raises((ValueError, NotInGameError), match=message):
            Batch(program, 2, opponents=wrong)
    with pytest.raises(ValueError, match="number of games is a whole number of at least 1"):
        Batch(program, 0)
    with pytest.raises(ValueError, match="number of threads is a whole number of at least 1"):
        Batch(program, 2, threads=0)


# ── what plays ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_without_a_compiler(monkeypatch):
    """Check that the reference engine plays, with a notice; requesting a compiled game is an error."""
    monkeypatch.setattr(batch, "can_compile", lambda: False)
    own = batch_env("sushi_go", 2, 2, seed=1)
    assert own.engine == "reference"
    with pytest.raises(UnsupportedError, match="llvmlite"):
        env("sushi_go", 2, 2, engine="compiled")
    monkeypatch.undo()
    compiled = env("sushi_go", 2, 2, seed=1)
    assert compiled.engine == "compiled"
    own.reset()
    compiled.reset()
    assert story(own) == story(compiled)


def test_what_cannot_be_compiled():
    program = crowd()
    assert Batch(program, 2).engine == "reference"
    agree(program, engine="auto")
    with pytest.raises(UnsupportedError, match="too many seats"):
        Batch(program, 2, engine="compiled")


@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_to_choose(engine):
    """Check that a game without any choice is refused: games would be dealt for ever."""
    with pytest.raises(NothingToChooseError):
        Batch(idle(), 2, engine=engine).reset()


# ── random actions ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_random_actions():
    """Check that random actions are legal, and all equally likely."""
    masks = np.zeros((20000, 2, 7), dtype=np.int8)
    masks[:, 0, [1, 4, 6]] = 1
    masks[:, 1, 3] = 1
    actions = random_actions(masks, np.random.default_rng(1))
    assert set(actions[:, 1]) == {3}
    values, counts = np.unique(actions[:, 0], return_counts=True)
    assert values.tolist() == [1, 4, 6]
    assert abs(counts / 20000 - 1 / 3).max() < 0.015


@pytest.mark.parametrize("engine", ENGINES)
def test_actions_drawn_by_the_batch(engine):
    """Check that they are legal, equally likely, and the same again under the same seed."""
    tables = env("sushi_go", 2, 400, seed=1, engine=engine)
    masks = tables.reset()[1].copy()
    tables.step()
    first = tables.actions.copy()
    assert np.take_along_axis(masks, first[..., None], axis=-1).all()
    ranks = ((masks.cumsum(-1) * masks)[np.arange(400)[:, None], [[0, 1]], first] - 0.5) / masks.sum(-1)
    assert abs(ranks.mean() - 0.5) < 0.04
    assert abs(ranks.std() - 0.28) < 0.02
    tables.reset(1)
    tables.step()
    assert np.array_equal(tables.actions, first)


def test_marks_in_several_numbers(monkeypatch):
    """Check drawn actions if there are more of them than marks in one number."""
    monkeypatch.setattr(kernel, "WORD", 5)
    play(monkeypatch, "as it stands")
    agree_with_bots(shipped("sushi_go", 2), {})
