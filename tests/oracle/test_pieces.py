"""Games in which cards leave from under others agree with an independent table, in cards and points."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import draftengine as de
from conftest import NIGHTLY
from oracle import naive_menus, naive_pieces

GAMES = 400 if NIGHTLY else 12
MARKET = Path(__file__).parent.parent / "natural" / "market_day.yaml"


def moves_of(state, chance):
    """Play a random legal move for every pending seat; return the new state and the moves by seat."""
    named = []
    for seat in state.waiting:
        move = chance.choice(state.view(seat).moves)
        named.append((seat, [own.card for own in move.taken]))
        state = state.commit(seat, move)
    return state, named


# ── Takeout box and wasabi ────────────────────────────────────────────────────────────────────────────────────────────


def party_menus():
    """Yield menus with takeout box and wasabi, for every number of players."""
    for players in range(2, 9):
        chance, found = Random(players), 0
        while found < 1 + NIGHTLY * 3:
            menu = naive_menus.random_menu(players, chance)
            if {"takeout_box", "wasabi"} <= set(menu):
                found += 1
                yield players, menu


def follow_dinner(game, seed, table=naive_pieces.Sushi):
    """Play a random game; return the number of turned nigiri that lay on a wasabi.

    Raises an assertion error if a tableau or the points of nigiri differ from the independent table.
    """
    chance, state = Random(seed), game.start(seed=seed)
    tables, turned, met = [table() for _ in range(game.seats)], [0] * game.seats, 0
    while not state.over:
        state, _ = moves_of(state, chance)
        for event in state.events:
            if event.kind == "round-started":
                turned = [0] * game.seats
            elif event.kind == "counter" and event.name == "turned_over":
                turned[event.seat] = event.amount
            elif event.kind == "points" and event.name == "takeout":
                assert event.amount == 2 * turned[event.seat]
            else:
                met += hear_of_dinner(tables[event.seat], event)
        assert [list(own) for own in state.tableaus] == [own.names() for own in tables]
    return met


def hear_of_dinner(table, event):
    """Apply an event to a table; return whether a nigiri on a wasabi was turned over."""
    if event.kind == "revealed":
        for card in event.cards:
            table.lay(card)
    elif event.kind == "discarded":
        (name,) = event.cards
        gone = table.worst({name.partition("^")[0].partition("-")[0]})
        assert table.name_of(gone) == name
        table.leave(gone)
        return bool(gone.on)
    elif event.kind == "points" and event.name == "nigiri":
        assert event.amount == table.worth()
    elif event.kind == "cleared":
        table.things = [thing for thing in table.things if thing.card in event.cards]
    return False


@pytest.mark.parametrize(("players", "menu"), list(party_menus()), ids=str)
def test_what_is_turned_over(players, menu):
    """Tableaus and points agree with the cards on the table in every game."""
    game = de.load("sushi_go_party", players=players, menu=",".join(menu))
    assert sum(follow_dinner(game, seed) for seed in range(GAMES)), "no nigiri on a wasabi was turned over"


# ── Market day ────────────────────────────────────────────────────────────────────────────────────────────────────────


def follow_market(game, seed, table=naive_pieces.Stall):
    """Play a random game; raise an assertion error if cards or scores differ from the independent table."""
    chance, state = Random(seed), game.start(seed=seed)
    tables, coins = [table() for _ in range(game.seats)], [0] * game.seats
    while not state.over:
        state, moves = moves_of(state, chance)
        for seat, (name, *_) in moves:
            coins[seat] += go_way(tables[seat], *name.rpartition("@")[::2])
        for event in state.events:
            hear_of_market(tables[event.seat], event)
        for own in tables:
            own.revealed()
        assert [list(own) for own in state.tableaus] == [own.names() for own in tables]
        for seat, own in enumerate(tables):
            stall = sum(line.points for line in state.explain() if (line.rule, line.seat) == ("stall", seat))
            assert stall == own.worth()
    by_rule = state.result.rules
    assert list(by_rule["cellar"]) == [sum(thing.worth for thing in own.elsewhere) for own in tables]
    assert list(by_rule["coins"]) == [2 * own for own in coins]


def go_way(table, card, way):
    """Return the coins for a card that is sold or carried to the cellar, and move it."""
    if way not in {"sell", "carry"}:
        return 0
    thing = table.named(card)
    table.leave(thing)
    if way == "carry":
        table.elsewhere.append(thing)
        return 0
    return table.WORTH[thing.card]


def hear_of_market(table, event):
    """Apply an event to a table."""
    if event.kind == "revealed":
        table.lay(event.cards[0])
    elif event.kind == "discarded":
        gone = table.worst({"apple", "cheese", "tag"})
        assert table.name_of(gone) == event.cards[0]
        table.leave(gone)
    elif event.kind == "cleared":
        table.things = []


@pytest.mark.parametrize("players", [2, 3, 4])
def test_market_day(players):
    """Stall and cellar hold and score what an independent table does."""
    game = de.load(MARKET, players=players)
    for seed in range(GAMES):
        follow_market(game, seed)


# ── The comparison finds mistakes ─────────────────────────────────────────────────────────────────────────────────────


class OpensAgain(naive_pieces.Sushi):
    def leave(self, thing):
        below = next((own for own in self.things if own.card in thing.on), None)
        if below is not None:
            below.takes = 1
        super().leave(thing)


class GoesTogether(naive_pieces.Sushi):
    def leave(self, thing):
        if thing.card == "wasabi" and not thing.takes:
            for own in self.things:
                own.worth = naive_pieces.Sushi.WORTH.get(own.card, 0)
        super().leave(thing)


class LastFirst(naive_pieces.Sushi):
    def worst(self, cards):
        return [own for own in self.things if own.card in cards][-1]


@pytest.mark.parametrize("table", [OpensAgain, GoesTogether, LastFirst])
def test_planted_mistakes_are_found(table):
    """Comparing finds a reopened wasabi, a nigiri that loses its factor, and the wrong one of equal cards."""
    menu = "maki,tempura,sashimi,miso_soup,takeout_box,wasabi,pudding"
    game = de.load("sushi_go_party", players=2, menu=menu)
    with pytest.raises(AssertionError):
        all(follow_dinner(game, seed, table) >= 0 for seed in range(40))
