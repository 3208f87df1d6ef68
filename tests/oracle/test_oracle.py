"""The engine scores every table as the naive scorer does: small ones exhaustively, large ones at random, in games."""

from __future__ import annotations

from itertools import combinations_with_replacement, permutations
from random import Random
from typing import TYPE_CHECKING

import pytest

from conftest import NIGHTLY
from draftengine.cardset.resolve import parse_selection
from draftengine.engine.explain import lines
from draftengine.engine.playout import random_game
from draftengine.engine.position import Position, lay_out
from draftengine.library import load_program, open_set
from oracle import naive
from oracle.naive import Edition, score

if TYPE_CHECKING:
    from draftengine.engine.events import Event

EDITIONS = {
    "sushi_go": ((), Edition()),
    "sushi_go_2014": ((), Edition()),
    "sushi_go_2014, no icons": (("zero_icons=zero_counts",), Edition(zero_can_be_second=True)),
    "sushi_go_summary": ((), Edition(second_after_tie=True, two_lose=True)),
    "sushi_go_summary, no icons": (
        ("zero_icons=zero_counts",),
        Edition(second_after_tie=True, two_lose=True, zero_can_be_second=True),
    ),
    "sushi_go_summary, nobody of two loses": (
        ("two_player_puddings=nobody_loses",),
        Edition(second_after_tie=True),
    ),
}
RANDOM_TABLES = 1_000_000 if NIGHTLY else 10_000
"""For each edition."""
LARGEST = 5 if NIGHTLY else 4
GAMES = 2_000 if NIGHTLY else 10


def program_of(name, players):
    variants, _ = EDITIONS[name]
    return load_program(open_set(name.partition(",")[0]).document, parse_selection(variants), players)


def by_engine(program, tables):
    """The points of every rule, by seat."""
    state = lay_out(program, Position(tables=tuple(map(tuple, tables))))
    return {rule.model.id: [line.points for line in lines(state, rule)] for rule in program.rules}


def differences(program, edition, many_tables):
    """Tables that are scored differently, with both results."""
    for tables in many_tables:
        found, expected = by_engine(program, tables), score([list(table) for table in tables], edition)
        if found != expected:
            yield tables, found, expected


def small_tables(program):
    """All tables of a few cards; in all orders where the order can matter."""
    names = [card for card in program.cards if card != "chopsticks"]
    ordered = {"wasabi", *naive.NIGIRI}
    for size in range(LARGEST + 1):
        for cards in combinations_with_replacement(names, size):
            if len(ordered & set(cards)) > 1:
                yield from sorted(set(permutations(cards))) if size < 4 else [cards, cards[::-1]]
            else:
                yield cards


def random_tables(program, chance):
    """Tables of all seats dealt from one box, up to ten cards each."""
    box = [program.cards[card] for card in program.deck]
    chance.shuffle(box)
    return [[box.pop() for _ in range(chance.randint(0, 10))] for _ in range(program.seats)]


@pytest.mark.parametrize("name", EDITIONS)
def test_small_tables(name):
    """Exhaustively, beside a table with two icons and a pudding."""
    program, edition = program_of(name, 2), EDITIONS[name][1]
    pairs = ((table, ("maki_2", "pudding")) for table in small_tables(program))
    assert next(differences(program, edition, pairs), None) is None


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", EDITIONS)
def test_random_tables(name, players):
    program, chance = program_of(name, players), Random(f"{name} {players}")
    many = (random_tables(program, chance) for _ in range(RANDOM_TABLES // 4))
    assert next(differences(program, EDITIONS[name][1], many), None) is None


def rescored(program, edition, seed):
    """Points of the rounds of a random game as told, and as the naive scorer finds them: pairs that should be equal."""
    tables: list[list[str]] = [[] for _ in range(program.seats)]
    told: dict[str, list[int]] = {}
    pairs = []

    def compare(rules):
        expected = score(tables, edition)
        pairs.append(({rule: told.get(rule) for rule in rules}, {rule: expected[rule] for rule in rules}))
        told.clear()

    def listen(event: Event):
        if event.kind == "revealed":
            tables[event.seat] += event.cards
        elif event.kind == "ability-used":
            tables[event.seat].remove(event.cards[0])
        elif event.kind == "points":
            told.setdefault(event.name, [0] * program.seats)[event.seat] = event.amount
        elif event.kind == "cleared" and event.seat == 0:
            compare([*naive.ONE_SEAT, "maki"])
        elif event.kind == "game-over" and told:
            compare(["pudding"])
        if event.kind == "cleared":
            tables[event.seat][:] = event.cards

    random_game(program, seed, tell=listen)
    return pairs


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("name", ["sushi_go", "sushi_go_2014", "sushi_go_summary"])
def test_whole_games(name, players):
    """Every round of a game, from what the events say lies there."""
    program, edition = program_of(name, players), EDITIONS[name][1]
    for seed in range(GAMES):
        pairs = rescored(program, edition, seed)
        assert len(pairs) == 4
        assert [told for told, _ in pairs] == [expected for _, expected in pairs]


PLANTED = {
    "one tempura is enough": ("tempura", lambda table: table.count("tempura") * 5),
    "sashimi in pairs": ("sashimi", lambda table: table.count("sashimi") // 2 * 10),
    "a sixth dumpling": ("dumpling", lambda table: (0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55)[table.count("dumpling")]),
    "wasabi for all": ("nigiri", lambda table: naive.nigiri(table) * (1 + 2 * ("wasabi" in table))),
    "wasabi never": ("nigiri", lambda table: sum(naive.NIGIRI.get(card, 0) for card in table)),
}


@pytest.mark.parametrize(("rule", "wrong"), PLANTED.values(), ids=PLANTED)
def test_planted_mistakes_of_one_seat_are_found(monkeypatch, rule, wrong):
    program = program_of("sushi_go", 4)
    monkeypatch.setitem(naive.ONE_SEAT, rule, wrong)
    assert is_found(program, Edition())


@pytest.mark.parametrize(
    "edition", [Edition(second_after_tie=True), Edition(zero_can_be_second=True)], ids=["second place", "no icons"]
)
def test_planted_mistakes_of_editions_are_found(edition):
    assert is_found(program_of("sushi_go", 4), edition)


@pytest.mark.parametrize("players", [2, 3])
def test_a_loss_too_much_or_too_little_is_found(players, monkeypatch):
    """With two players nobody loses, with three somebody does."""
    wrong = {2: -6, 3: 0}[players]
    monkeypatch.setitem(naive.ALL_SEATS, "pudding", lambda tables, _: [6] + [wrong] * (len(tables) - 1))
    assert is_found(program_of("sushi_go", players), Edition())


def is_found(program, edition):
    chance = Random(4)
    return next(differences(program, edition, (random_tables(program, chance) for _ in range(300))), None) is not None
