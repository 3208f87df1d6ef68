"""The engine scores random tables of all other shipped card sets as their independent scorers do."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from types import ModuleType
from typing import NamedTuple

import pytest

from compiled import load_program
from conftest import NIGHTLY
from draftengine.engine.position import Position, labels, lay_out, proof, score_label
from draftengine.model.selection import open_document, parse_selection
from draftengine.model.shelf import fetcher, shelf
from engine.configurations import ONCE_BY_DAY, document_of
from oracle import (
    naive_anniversary,
    naive_donuts,
    naive_draft,
    naive_menus,
    naive_ohanami,
    naive_party,
    naive_tides,
    test_oracle,
)

TABLES = 200_000 if NIGHTLY else 100
"""The number of random tables of each card set, divided among its games."""
DIE = 6


class Game(NamedTuple):
    """A way of scoring: a card set with a selection, a number of players, and the scorer's edition."""

    cardset: str
    players: int
    selected: tuple[str, ...]
    scorer: ModuleType
    edition: object

    def __str__(self):
        return "-".join([self.cardset, f"{self.players}p", *self.selected])


def anniversary():
    edition = naive_anniversary.Edition
    for dessert in naive_anniversary.DESSERTS:
        own = () if dessert == "strawberry" else (dessert,)
        for players in (2, 3, 4, 5):
            yield players, own, edition(dessert)
        for form in ("sushi_battle", "personal_draw_piles"):
            yield 2, (*own, form, "must_have_maki"), edition(dessert, must_have_maki=True)
        yield 2, (*own, "two_player_dummy"), edition(dessert)
        yield 2, (*own, "two_player_dummy", "must_have_maki"), edition(dessert, must_have_maki=True)
        yield 2, (*own, "two_player_dummy", "dummy_ranked=ignored"), edition(dessert, ranked=2)
        yield 2, (*own, "two_player_dummy", "dummy_losses=of_two"), edition(dessert, losses_of_two=True)
    for players in (3, 4, 5):
        yield players, ("all_strawberries_equal=nobody",), edition(equal_lose_nothing=True)


def draft():
    edition = naive_draft.Edition
    for players in (3, 4, 5):
        yield players, (), edition()
        yield players, ("advanced_triple",), edition(half_triples=True)
        yield players, ("advanced_wasabi",), edition(half_wasabi=True)
        yield players, ("advanced_triple", "advanced_wasabi"), edition(half_triples=True, half_wasabi=True)


def party(menu):
    for players in range(2, 9):
        yield players, (), naive_party.Edition(menu)


def menus():
    """Yield random menus: one for each number of players, and more until each dish was used.

    Nightly, each number of players gets menus until every dish that it may use was used.
    """
    left = set(naive_menus.DISHES)
    for players in range(2, 9):
        chance, first = Random(players), True
        left = set(naive_menus.DISHES) if NIGHTLY else left
        while first or not left <= naive_menus.NOT_FOR.get(players, set()):
            menu = naive_menus.random_menu(players, chance)
            if first or not left.isdisjoint(menu):
                first, left = False, left - set(menu)
                yield players, menu, naive_menus.Edition(menu)


GAMES = [
    *(Game("anniversary", players, selected, naive_anniversary, own) for players, selected, own in anniversary()),
    *(Game("sushi_draft", players, selected, naive_draft, own) for players, selected, own in draft()),
    *(Game("party_first_meal", players, own, naive_party, edition) for players, own, edition in party("first_meal")),
    Game("tides_of_time", 2, (), naive_tides, naive_tides.Edition()),
    *(Game("ohanami", 5 - number, (), naive_ohanami, naive_ohanami.Edition(number)) for number in (3, 2, 1)),
    *(Game("go_nuts_for_donuts", players, (), naive_donuts, naive_donuts.Edition()) for players in (2, 3, 4, 5, 6)),
    *(Game("sushi_go_party", players, own, naive_menus, edition) for players, own, edition in menus()),
    *(Game("party_cutthroat", players, own, naive_party, edition) for players, own, edition in party("cutthroat")),
]


@cache
def program_of(game):
    return load_program(document_of(game.cardset), parse_selection(game.selected), game.players)


def played(card, table, chance):
    """Return the scorer's name of a card on a table: a triple with its kind, a copy with its original."""
    if card == "special_order":
        lying = {own.split("@")[-1] for own in table} - {"special_order"}
        copied = lying - {"chopsticks", "menu", "spoon", "takeout_box"}
        return f"special_order@{chance.choice(sorted(copied))}" if copied else None if lying else card
    if card != "triple":
        return card
    kinds = {naive_draft.kind_of(own) for own in table}
    return f"triple@{chance.choice(sorted(kinds))}" if kinds else None


def table_of(program, cards, chance):
    table = []
    for card in cards:
        name = played(card, table, chance)
        if name is not None and len(table) < (5 if "triple" in program.cards else 10):
            table.append(name)
    return table


def random_tables(program, chance):
    """Yield tables as for the first editions; every third one only with cards that stay until the end."""
    tables = test_oracle.random_tables(program, chance)
    if any(card.keep for card in program.model.cards) and chance.random() < 1 / 3:
        box = [program.cards[card] for card in program.deck if program.model.cards[card].keep]
        chance.shuffle(box)
        tables = [[box.pop() for _ in range(min(len(box), chance.randint(0, 9)))] for _ in tables]
    return [table_of(program, cards, chance) for cards in tables]


def positions(game, chance, number):
    """Yield (tables, dice) at random; dice are numbers that the cards do not determine."""
    program = program_of(game)
    for _ in range(number):
        tables, dice = random_tables(program, chance), []
        if "mochi" in game.selected:
            sides = chance.choice((2, DIE))  # a small range of numbers makes ties frequent
            dice = [chance.randint(1, sides) for _ in range(program.seats)]
        elif "uramaki" in game.selected:
            dice = [chance.randint(0, 3)]
        yield tables, dice


def by_hand(game, tables, dice, scorer=None):
    own = scorer or game.scorer
    if dice:
        game.edition.dice[:] = dice
    return own.score_round(tables, game.edition) | own.score_game(tables, game.edition)


def by_engine(game, tables, dice):
    """Return the points (or chips) of every rule, by seat; 0 for rules whose condition is false."""
    program = program_of(game)
    state = laid_out(game, tables, dice)
    found = {rule.model.id: [0] * program.seats for rule in program.rules}
    for label in labels(program):
        for line in proof(state, label):
            found[line.rule][line.seat] += line.points
    return found


def laid_out(game, tables, dice):
    program, number = program_of(game), getattr(game.edition, "round", 1)
    if number > 1:
        return lay_out(program, Position(tables=tuple(map(tuple, tables)), round=number))
    if not dice:
        return test_oracle.laid_out(program, tables)
    return lay_out(
        program,
        Position(tables=tuple(map(tuple, tables)), counters={"mochi_die" if len(dice) > 1 else "served": tuple(dice)}),
    )


def first_difference(game, number, scorer=None, seed=""):
    """Return the first tables that differ, with the rules: (points of the engine, points of the scorer)."""
    for tables, dice in positions(game, Random(f"{game}{seed}"), number):
        found, right = by_engine(game, tables, dice), by_hand(game, tables, dice, scorer)
        if found != right:
            rules = {rule: (found.get(rule), right.get(rule)) for rule in found | right}
            return tables, dice, {rule: own for rule, own in rules.items() if own[0] != own[1]}
    return None


def share_of(game):
    return -(-TABLES // sum(own.cardset == game.cardset for own in GAMES))


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_random_tables(game):
    """Each rule gives each seat the points that the statements of its card set demand."""
    assert first_difference(game, share_of(game)) is None


@pytest.mark.parametrize("game", [own for own in GAMES if own.cardset != "sushi_draft"], ids=str)
def test_points_that_are_given(game):
    """A round and the end of the game add the right points to the scores, on a tenth as many tables."""
    for tables, dice in positions(game, Random(f"{game} given"), -(-share_of(game) // 10)):
        by_hand(game, tables, dice)
        state = laid_out(game, tables, dice)
        for label, score in (("round", game.scorer.score_round), ("game", game.scorer.score_game)):
            given = [sum(points) for points in zip(*score(tables, game.edition).values(), strict=True)] or [0] * len(
                tables
            )
            assert list(score_label(state, label).scores) == given, f"{label}: {tables} {dice}"


def test_every_shipped_set_has_a_second_scorer():
    """Check that all sets that are played in full by day, and their scoring, have an independent scorer."""
    known = {own.cardset for own in GAMES} | {name.split(" ")[0] for name in test_oracle.GAMES}
    assert known == set(shelf()) - ONCE_BY_DAY.keys()
    for cardset in known:
        document = document_of(cardset)
        selected = {name for own in GAMES if own.cardset == cardset for name in own.selected}
        selected |= {
            one for name, (own, _) in test_oracle.GAMES.items() if name.split(" ")[0] == cardset for one in own
        }
        scoring = document.root.get("variants")
        for variant in document.variants:
            if scoring.get(variant.id).get("changes").get("scoring") is not None:
                assert variant.id in selected, f"{cardset}: {variant.id}"


# ── The comparison finds mistakes ───────────────────────────────────────────────────────────────────────────────────


def _menu(fewest, *dishes):
    """Return the last menu with these dishes, for at least this number of players."""
    found = [own for own in GAMES if own.cardset == "sushi_go_party" and own.players >= fewest]
    return str([own for own in found if {*dishes} <= {*own.selected}][-1])


PLANTED = {
    "a second place after a tie": ("anniversary-3p", "maki", "        if len(winners) > 1:\n            break\n", ""),
    "no icons are not considered": ("anniversary-2p", "maki", "own > 0 or not", "own > 0 or"),
    "strawberries by the card": ("anniversary-3p", "strawberry", "symbols(table)", "len(table)"),
    "a split loss rounded up": ("anniversary-5p", "strawberry", "-(loss // seats)", "-loss // seats"),
    "two players lose six": ("anniversary-2p", "strawberry", "3 if as_two else 6", "6"),
    "a tie of two loses": ("anniversary-2p", "strawberry", "(as_two and len(fewest) > 1)", "False"),
    "two lose for desserts": ("anniversary-2p-mochi", "mochi", "len(counts) > 2 and", "len(counts) > 1 and"),
    "equal desserts score": ("anniversary-2p-mochi", "mochi", "if len(set(counts)) == 1:", "if False:"),
    "yogurts by the card": ("anniversary-3p-frozen_yogurt", "frozen_yogurt", "value(table)", "len(table)"),
    "runs end at four": ("anniversary-2p-bubble_tea", "bubble_tea", "13, 20)", "13, 13)"),
    "each card is a run": ("anniversary-2p-bubble_tea", "bubble_tea", "return max(found)", "return found[0]"),
    "tied seats share a chip": ("sushi_draft-3p", "", "and counts.count(own) == 1", ""),
    "a triple is half a card": ("sushi_draft-3p", "", "if edition.half_triples else", "if True else"),
    "wasabi halves a kind": ("sushi_draft-3p", "dessert", "edition.half_wasabi and", ""),
    "no points for the most rolls": ("party_first_meal-4p", "maki", "(6, 3)", "(3, 3)"),
    "tea counts each nigiri apart": (
        "party_first_meal-4p",
        "tea",
        'card.split("_")[0] for card in table]\n',
        "*table]\n",
    ),
    "an eel alone is nothing": ("party_cutthroat-4p", "eel", "1: -3", "1: 0"),
    "too much tofu scores": ("party_cutthroat-4p", "tofu", '"tofu"), 0)', '"tofu"), 6)'),
    "no fruit costs nothing": ("party_cutthroat-4p", "melons", "(-2, 0,", "(0, 0,"),
    "many players share two places": (_menu(6, "maki"), "maki", "<= 5 else", "<= 8 else"),
    "ties use up places": (_menu(3, "uramaki"), "", "len(set(ahead))", "len(ahead)"),
    "one's own edamame counts": (_menu(3, "edamame"), "edamame", "having - 1", "having"),
    "a special order copies nothing": (
        _menu(2, "special_order", "tempura"),
        "",
        'card.split("@")[-1] for card in',
        "*",
    ),
    "plants score at once": ("ohanami-4p", "plants", "edition.round > 1", "edition.round > 0"),
    "every blossom is one point": ("ohanami-2p", "blossoms", "sum(range(1, min(cards, 15) + 1))", "cards"),
    "ties are won with nothing": ("tides_of_time-2p", "high_temple", "mine == yours > 0", "mine == yours"),
    "ties are shared": ("tides_of_time-2p", "high_palace", ' and "wins_ties" in kingdom', ""),
    "the echo adds them up": ("tides_of_time-2p", "twice", "max(found.values())", "sum(found.values())"),
    "two players lose for temaki": ("party_cutthroat-2p", "temaki", "len(tables) > 2", "len(tables) > 1"),
}
"""Mistakes in scorers: game, broken rule (or none), the function's text, and what replaces it."""


def mistaken(scorer, right, wrong):
    text = Path(scorer.__file__).read_text(encoding="utf-8")
    assert text.count(right) == 1, right
    other = ModuleType(scorer.__name__)
    exec(compile(text.replace(right, wrong), scorer.__file__, "exec"), other.__dict__)  # noqa: S102 (our own text)
    return other


@pytest.mark.parametrize(("name", "rule", "right", "wrong"), PLANTED.values(), ids=PLANTED)
def test_planted_mistakes_are_found(name, rule, right, wrong):
    """Comparing finds each planted mistake in its rule, on fewer tables than every change is tested with."""
    game = next(own for own in GAMES if str(own) == name)
    _, _, rules = first_difference(game, 400, mistaken(game.scorer, right, wrong), seed="planted")
    assert rules.keys() >= {rule} - {""}


CHANGED = [
    ("anniversary-5p", "strawberry", "scoring: {strawberry: {tie: split_down}}"),
    ("anniversary-4p", "maki", "scoring: {maki: {tie_takes_places: false}}"),
    ("anniversary-2p", "maki", "scoring: {maki: {at_least: 1}}"),
    ("anniversary-5p-mochi", "mochi", "variants: {mochi: {changes: {scoring: {mochi: {tie: split_down}}}}}"),
    ("anniversary-3p", "dumpling", "scoring: {dumpling: {points: [1, 3, 6, 10]}}"),
    ("sushi_draft-4p", "ebi", "scoring: {ebi: {at_least: 2}}"),
    ("sushi_draft-4p", "dessert", "scoring: {dessert: {tie: nobody}}"),
    ("tides_of_time-2p", "monument", "cards: {monument: {scores: {points: 5}}}"),
    ("tides_of_time-2p", "high_garden", "cards: {high_garden: {scores: {tie: full}}}"),
    ("party_cutthroat-5p", "temaki", "scoring: {temaki: {tie: split}}"),
    ("party_cutthroat-3p", "oranges", "scoring: {oranges: {points: [0, 1, 3, 6]}}"),
    (_menu(3, "edamame"), "edamame", "variants: {edamame: {changes: {scoring: {edamame: {points: 2 * edamame}}}}}"),
    ("party_first_meal-5p", "maki", "scoring: {maki: {tie_takes_places: true}}"),
    ("party_first_meal-3p", "ice_cream", "scoring: {ice_cream: {size: 3}}"),
]
"""Mistakes in card sets: game, broken rule, and the change."""


@pytest.mark.parametrize(("name", "rule", "change"), CHANGED, ids=[own[2] for own in CHANGED])
def test_mistakes_of_card_sets_are_found(monkeypatch, name, rule, change):
    """Comparing finds changed rounding, a cap and a surplus second place in card sets."""
    game = next(own for own in GAMES if str(own) == name)
    text = f"format: 1\nid: changed\nextends: {game.cardset}\n{change}\n"
    document, findings = open_document(text.encode(), "changed.yaml", fetcher("-"))
    assert document is not None, findings
    program = load_program(document, parse_selection(game.selected), game.players)
    monkeypatch.setitem(globals(), "program_of", lambda _: program)
    _, _, rules = first_difference(game, 400, seed="planted")
    assert set(rules) == {rule}
