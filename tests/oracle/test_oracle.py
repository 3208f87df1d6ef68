"""The engine scores Sushi Go! as an independent scorer does: all small tables, random ones, games."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, permutations
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from compiled import load_program
from conftest import NIGHTLY
from draftengine.engine.policies import random_game
from draftengine.engine.position import Position, labels, lay_out, proof, put_on_table, score_label
from draftengine.model.selection import parse_selection
from engine.configurations import document_of
from oracle import naive
from oracle.naive import Edition

if TYPE_CHECKING:
    from draftengine.engine.events import Event

SUMMARY = {"second_after_tie": True, "two_lose": True, "nobody_if_equal": False}
GAMES = {
    "sushi_go": ((), Edition()),
    "sushi_go both": (("equal_puddings=both",), Edition(nobody_if_equal=False)),
    "sushi_go_2014": ((), Edition()),
    "sushi_go_2014 zero_counts": (("zero_icons=zero_counts",), Edition(zero_can_be_second=True)),
    "sushi_go_2014 two_player_dummy": (("two_player_dummy",), Edition()),
    "sushi_go_2014 two_player_dummy ignored": (("two_player_dummy", "dummy_ranked=ignored"), Edition(ranked=2)),
    "sushi_go_summary": ((), Edition(**SUMMARY)),
    "sushi_go_summary zero_counts": (("zero_icons=zero_counts",), Edition(**SUMMARY, zero_can_be_second=True)),
    "sushi_go_summary rounded_down": (("split_loss=rounded_down",), Edition(**SUMMARY, rounded_down=True)),
    "sushi_go_summary nobody_loses": (("two_player_puddings=nobody_loses",), Edition(second_after_tie=True)),
}
"""Ways of scoring: the selection of a card set, and the scorer's edition."""

CONFIGURATIONS = [
    (name, players) for name in GAMES for players in ((2,) if "two_player_dummy" in name else (2, 3, 4, 5))
]
"""Ways of scoring with numbers of players. Two players and a dummy are three scored seats."""

RANDOM_TABLES = 1_000_000 if NIGHTLY else 1_500
"""The number of random tables of each card set, divided among its configurations."""
LARGEST = 5 if NIGHTLY else 3
SEEDS = 1_000 if NIGHTLY else 8

COMPANIONS = (("maki_2", "pudding"), ("maki_1", "maki_1"))
"""The tables of the other seats beside small tables: equal icons, different puddings."""


@cache
def program_of(name, players):
    selected, _ = GAMES[name]
    return load_program(document_of(name.split(" ")[0]), parse_selection(selected), players)


def edition_of(name):
    return GAMES[name][1]


def by_engine(program, tables):
    """Return the points of every rule by seat, added up from the proofs."""
    state, proved = laid_out(program, tables), {}
    for label in labels(program):
        for line in proof(state, label):
            proved.setdefault(line.rule, [0] * program.seats)[line.seat] += line.points
    return proved


_empty = {}
"""A state with empty tables for each program, by its `id`."""


def laid_out(program, tables):
    """Return a state with these tables. Each game is dealt only once, since other zones do not score."""
    if id(program) not in _empty:
        _empty[id(program)] = lay_out(program, Position())
        _empty[id(program)].memory = None
    state = _empty[id(program)].clone()
    for seat, table in enumerate(tables):
        put_on_table(state, seat, table)
    return state


def by_hand(tables, edition, scorer=naive):
    """Return the points of the independent scorer."""
    tables = [list(table) for table in tables]
    return scorer.score_round(tables, edition) | scorer.score_game(tables, edition)


def added(rules):
    """Add the points of all rules, by seat."""
    return [sum(points) for points in zip(*rules.values(), strict=True)]


def differences(program, edition, many_tables, scorer=naive):
    """Yield tables that are scored differently, with the rules: points of the engine and of the scorer."""
    for tables in many_tables:
        found, expected = by_engine(program, tables), by_hand(tables, edition, scorer)
        if found != expected:
            yield (
                tables,
                {
                    rule: (found.get(rule), expected.get(rule))
                    for rule in found | expected
                    if found.get(rule) != expected.get(rule)
                },
            )


def agree(program, edition, many_tables):
    """Fail with the first tables that are scored differently."""
    tables, rules = next(differences(program, edition, many_tables), (None, {}))
    assert not rules, f"{tables}: (engine, rulebook) = {rules}"


# ── Small tables ────────────────────────────────────────────────────────────────────────────────────────────────────


def small_tables(program, largest=LARGEST):
    """Yield every table of up to a few cards that the box allows, in one order each."""
    box = Counter(program.cards[card] for card in program.deck)
    for size in range(largest + 1):
        for cards in combinations_with_replacement(program.cards, size):
            if not Counter(cards) - box:
                yield cards


def order_matters(cards):
    return "wasabi" in cards and not naive.NIGIRI.keys().isdisjoint(cards)


@pytest.mark.parametrize("others", [1, 2], ids=["beside one", "beside two"])
@pytest.mark.parametrize("name", GAMES)
def test_small_tables(name, others):
    """All small tables score alike; a dummy means two others. Tables beside one other are smaller by day."""
    program = program_of(name, 2 if "two_player_dummy" in name else 1 + others)
    beside = COMPANIONS[: program.seats - 1]
    largest = LARGEST if NIGHTLY or others == 2 else LARGEST - 1
    agree(program, edition_of(name), ((table, *beside) for table in small_tables(program, largest)))


@pytest.mark.parametrize("name", ["sushi_go", "sushi_go_2014", "sushi_go_summary"])
def test_small_tables_in_every_order(name):
    """All small tables score alike in every order, where cards lie on other cards."""
    program = program_of(name, 2)
    orders = (
        order for cards in small_tables(program) if order_matters(cards) for order in sorted(set(permutations(cards)))
    )
    agree(program, edition_of(name), ((table, COMPANIONS[0]) for table in orders))


# ── Large tables ────────────────────────────────────────────────────────────────────────────────────────────────────


def random_tables(program, chance):
    """Yield tables of up to ten cards a seat from one box; every second one of three kinds of cards only.

    A few kinds give ties, and more cards of a kind than a rule counts.
    """
    box = [program.cards[card] for card in program.deck]
    if chance.random() < 0.5:
        kinds = chance.sample(list(program.cards), 3)
        box = [card for card in box if card in kinds]
    chance.shuffle(box)
    sizes = [chance.randint(0, min(10, len(box) // program.seats)) for _ in range(program.seats)]
    return [[box.pop() for _ in range(size)] for size in sizes]


def share_of(name):
    """Return the random tables of one configuration: an equal share of those of its card set."""
    cardset = name.split(" ")[0]
    return -(-RANDOM_TABLES // sum(other.split(" ")[0] == cardset for other, _ in CONFIGURATIONS))


@pytest.mark.parametrize(("name", "players"), CONFIGURATIONS)
def test_random_tables(name, players):
    program, chance = program_of(name, players), Random(f"{name} {players}")
    agree(program, edition_of(name), (random_tables(program, chance) for _ in range(share_of(name))))


@pytest.mark.parametrize(("name", "players"), CONFIGURATIONS)
def test_points_that_are_given(name, players):
    """A round and the end of a game of Sushi Go! add the right points, on a tenth as many tables."""
    program, edition, chance = program_of(name, players), edition_of(name), Random(f"{name} {players} given")
    for _ in range(share_of(name) // 10):
        tables = random_tables(program, chance)
        state = laid_out(program, tables)
        for label, score in (("round", naive.score_round), ("game", naive.score_game)):
            assert list(score_label(state, label).scores) == added(score(tables, edition)), f"{label}: {tables}"


# ── Whole games ─────────────────────────────────────────────────────────────────────────────────────────────────────


class Listener:
    """Follows a game by its events, and scores its tables independently whenever points were given."""

    def __init__(self, seats, edition):
        self.edition = edition
        self.tables = [[] for _ in range(seats)]
        self.told = {}
        self.totals = [0] * seats
        self.compared = []
        """Pairs of announced and expected points, for each round and the end."""

    def hear(self, event: Event):
        if event.kind == "revealed":
            self.tables[event.seat] += event.cards
        elif event.kind == "ability-used":
            self.tables[event.seat].remove(event.cards[0])
        elif event.kind == "points":
            self.told.setdefault(event.name, [0] * len(self.tables))[event.seat] += event.amount
        elif event.kind == "cleared":
            if event.seat == 0:
                self.compare(naive.score_round(self.tables, self.edition))
            self.tables[event.seat] = list(event.cards)
        elif event.kind == "game-over" and self.told:  # one event for each winner
            self.compare(naive.score_game(self.tables, self.edition))

    def compare(self, right):
        self.compared.append((self.told, right))
        self.totals = [total + points for total, points in zip(self.totals, added(right), strict=True)]
        self.told = {}


@pytest.mark.parametrize(("name", "players"), CONFIGURATIONS)
def test_whole_games(name, players):
    """Each round of a game scores what its events put on the tables; totals and winners agree."""
    program = program_of(name, players)
    for seed in range(SEEDS):
        listener = Listener(program.seats, edition_of(name))
        state = random_game(program, seed, tell=listener.hear)
        assert len(listener.compared) == 4, f"seed {seed}: three rounds and the end"
        for after, (told, right) in enumerate(listener.compared, 1):
            assert told == right, f"seed {seed}, scoring {after}"
        assert list(state.scores) == listener.totals, f"seed {seed}"
        # A dummy is scored as a seat, but cannot win.
        assert state.winners == naive.winners(listener.totals[:players], listener.tables[:players]), f"seed {seed}"


# ── The comparison finds mistakes ───────────────────────────────────────────────────────────────────────────────────

PLANTED = {
    "tempura by the piece": ("tempura", 2, "// 2 * 5", "* 5"),
    "sashimi in pairs": ("sashimi", 2, "// 3 * 10", "// 2 * 10"),
    "sashimi for one too few": ("sashimi", 2, 'table.count("sashimi")', '(table.count("sashimi") + 1)'),
    "a sixth dumpling counts": ("dumpling", 2, "DUMPLINGS[min(5,", "(*DUMPLINGS, 21)[min(6,"),
    "dumplings one place off": ("dumpling", 2, "(0, 1, 3, 6, 10, 15)", "(0, 1, 3, 6, 10, 14)"),
    "wasabi for a nigiri that lay there before": (
        "nigiri", 2, "card in NIGIRI and free:", 'card in NIGIRI and table.count("wasabi") + free:',
    ),
    "wasabi is not used up": ("nigiri", 2, "free -= 1", "free -= 0"),
    "one wasabi is enough": ("nigiri", 2, "free += 1", "free = 1"),
    "wasabi doubles": ("nigiri", 2, "3 * NIGIRI[card]", "2 * NIGIRI[card]"),
    "maki by the card": ("maki", 2, '"maki_3": 3', '"maki_3": 1'),
    "maki shares rounded up": ("maki", 3, "prize // len(winners)", "-(-prize // len(winners))"),
    "maki not shared": ("maki", 2, "prize // len(winners)", "prize"),
    "a second place in spite of a tie": ("maki", 3, "if len(winners) > 1 and not edition.second_after_tie", "if False"),
    "no icons are second": ("maki", 2, " if count or edition.zero_can_be_second", ""),
    "puddings of two are lost": ("pudding", 2, "if len(tables) > 2 or edition.two_lose", "if True"),
    "puddings of three are not lost": ("pudding", 3, "if len(tables) > 2 or", "if len(tables) > 3 or"),
    "shares of a loss rounded away from zero": ("pudding", 5, "else 6 // len(fewest)", "else -(-6 // len(fewest))"),
    "puddings not shared": ("pudding", 3, "6 // len(most)", "6"),
    "equal puddings are shared": ("pudding", 2, "if len(set(counts)) == 1", "if False"),
}  # fmt: skip
"""Mistakes: broken rule, number of players, text of the scorer, replacement."""


def mistaken(right, wrong):
    """Return the independent scorer with one replacement in its text."""
    text = Path(naive.__file__).read_text(encoding="utf-8")
    assert text.count(right) == 1
    scorer = ModuleType(naive.__name__)
    exec(compile(text.replace(right, wrong), naive.__file__, "exec"), scorer.__dict__)  # noqa: S102 (our own text)
    return scorer


def first_found(program, edition, scorer=naive):
    """Return the rules of the first tables that differ, among fewer than every change is tested with."""
    chance = Random("planted")
    many = (random_tables(program, chance) for _ in range(400))
    _, rules = next(differences(program, edition, many, scorer), (None, {}))
    return set(rules)


@pytest.mark.parametrize(("rule", "players", "right", "wrong"), PLANTED.values(), ids=PLANTED)
def test_planted_mistakes_are_found(rule, players, right, wrong):
    """Comparing finds each planted mistake in its rule and in no other."""
    assert first_found(program_of("sushi_go", players), Edition(), mistaken(right, wrong)) == {rule}


@pytest.mark.parametrize(
    ("name", "players", "wrong", "rule"),
    [
        ("sushi_go", 3, Edition(second_after_tie=True), "maki"),
        ("sushi_go", 2, Edition(zero_can_be_second=True), "maki"),
        ("sushi_go", 2, Edition(two_lose=True), "pudding"),
        ("sushi_go_2014", 2, Edition(two_lose=True), "pudding"),
        ("sushi_go_2014 zero_counts", 2, Edition(), "maki"),
        ("sushi_go_summary", 3, Edition(two_lose=True), "maki"),
        ("sushi_go_summary", 2, Edition(second_after_tie=True), "pudding"),
        ("sushi_go_summary nobody_loses", 2, Edition(**SUMMARY), "pudding"),
    ],
)
def test_rules_of_another_edition_are_found(name, players, wrong, rule):
    program = program_of(name, players)
    assert first_found(program, edition_of(name)) == set()
    assert first_found(program, wrong) == {rule}
