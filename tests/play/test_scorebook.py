"""Score sheets in progress: every change is saved, and refused changes change nothing."""

from __future__ import annotations

import json
from random import Random

import pytest

import draftengine as de
from conftest import sample
from draftengine.api.errors import WrongPositionError
from draftengine.api.scenario.missing import Round
from draftengine.api.scenario.score_tables import OTHER_POINTS, score_rounds
from draftengine.apps.play.score_book import CARD, COUNTER, MARKER, Scorebook, things_of
from draftengine.model.shelf import shelf


@pytest.fixture(scope="module")
def pair():
    return de.load("sushi_go", players=2)


def thing(game, name):
    return next(own for own in things_of(game) if own.name == name)


@pytest.mark.parametrize("cardset", sample(sorted(shelf()), 8))
def test_everything_of_every_card_set_can_lie_there(cardset):
    """Every card form, marker, counter and point can be added, counted and removed without a trace.

    The points of cards equal those of the engine for the same table.
    """
    game = de.load(cardset)
    book, chance = Scorebook(game, [""] * game.players), Random(cardset)
    things = things_of(game)
    assert {own.name.partition("@")[0] for own in things if own.kind == CARD} == {card.id for card in game.model.cards}
    kinds = dict.fromkeys((CARD, MARKER, COUNTER))
    free = [thing for thing in things if not all(book.count(0, seat, thing) for seat in range(game.players))]
    for own in [chance.choice([own for own in free if own.kind == kind] or free) for kind in kinds] + [free[-2]]:
        without = [seat for seat in range(game.players) if not book.count(0, seat, own)]
        seat = chance.choice(without)
        if form := own.name.partition("@")[2]:
            book.add(0, seat, thing(game, form))
        before = list(book.rounds)
        book.add(0, seat, own)
        assert book.count(0, seat, own) == 1
        assert book.rounds != before
        book.take_away(0, seat, own)
        assert book.rounds == before
    book.clear_all()
    for own in sorted(chance.sample([own for own in things if own.kind == CARD], 5), key=lambda own: "@" in own.name):
        book.add(0, 0, thing(game, own.name.partition("@")[2] or own.name))
        if "@" in own.name:
            book.add(0, 0, own)
    found = de.score(game, [book.laid(0, seat) for seat in range(game.seats)])
    given = [sum(found.moments[moment][0] for moment in game.moments_of_rounds)]
    last = [sum(found.moments[moment][0] for moment in game.moments)]
    assert book.reckoned().scores[0] in (last if game.model.rounds == 1 or not game.moments_of_rounds else given)


def test_what_the_rules_refuse_changes_nothing(pair, tmp_path):
    """More copies than the box holds are refused, and change neither the book nor its file."""
    book = Scorebook(pair, ["Ada", "Ben"], path=tmp_path / "sheet.json")
    book.add(0, 0, thing(pair, "tempura"))
    before, text = list(book.rounds), book.path.read_text("utf-8")
    with pytest.raises(WrongPositionError):
        book.add(0, 1, thing(pair, "tempura"), copies=15)

    def several():
        with book.together():
            book.add(0, 1, thing(pair, "sashimi"))
            book.add(0, 1, thing(pair, "pudding"), copies=11)

    with pytest.raises(WrongPositionError):
        several()
    assert (book.rounds, book.path.read_text("utf-8")) == (before, text)


def test_every_change_is_on_the_disk_and_can_be_taken_back(pair, tmp_path):
    book = Scorebook(pair, ["Ada", "Ben"], path=tmp_path / "deep" / "sheet.json")
    chance, seen = Random(4), []
    for step in range(12):
        seen.append([*book.rounds])
        if step in {4, 9}:
            assert book.begin_round()
        else:
            book.add(len(book.rounds) - 1, chance.randrange(2), chance.choice(things_of(pair)))
        kept = json.loads(book.path.read_text("utf-8"))
        again = Scorebook(pair, kept["names"])
        again.take_over(
            Round(tuple(map(tuple, own["tables"])), points=tuple(own.get("points", ()))) for own in kept["rounds"]
        )
        assert again.rounds == book.rounds
    assert not book.begin_round()
    while seen:
        assert book.undo()
        assert book.rounds == seen.pop()
    assert not book.undo()
    assert book.is_empty


def test_what_stays_counts_at_the_end_and_other_points_in_their_round(pair):
    """Kept cards are entered once and score at the end; missing points leave the game without a winner."""
    rounds = [Round((("pudding",), ())), Round(((), ("tempura", "tempura")), points=(0, 7)), Round(((), ()))]
    found = score_rounds(pair, rounds)
    assert found.scores == (6, 12)
    assert found.winners == (1,)
    assert [own.total(2) for own in found.sheets] == [(0, 0), (0, 12), (0, 0)]
    assert found.end.total(2) == (6, 0)
    assert [row.points for row in found.sheets[1].rows if row.rule == OTHER_POINTS] == [(0, 7)]
    assert score_rounds(pair, rounds[:2]).winners == ()


def test_what_triggers_give_at_the_end_has_a_row():
    """Three rounds without rolls share 6 points, the end takes 2 from each; debts are forgiven."""
    game = de.load("anniversary", players=3, variants=["debts=nothing_left"])
    found = score_rounds(game, [Round(((), (), ()), points=(-10, 0, 0)), *[Round(((), (), ()))] * 2])
    assert [own.total(3) for own in found.pages] == [(-8, 2, 2), (2, 2, 2), (2, 2, 2), (4, -2, -2)]
    assert [row.points for row in found.end.rows if row.rule == OTHER_POINTS] == [(6, 0, 0)]
    assert (found.scores, found.winners) == ((0, 4, 4), (1, 2))


def test_of_chips_the_last_word_counts():
    """Chips are worth 4 to 8 points, none is 0; each round may correct their total."""
    game = de.load("sushi_draft", players=3)
    rounds = [
        Round((("ikura",), (), ()), chips=(8, None, None)),
        Round(((), (), ()), chips=(None, None, 1)),
        Round(((), (), ())),
    ]
    found = score_rounds(game, rounds)
    assert [(own.seat, own.number, own.lowest, own.highest, own.worth) for own in found.missing.chips] == [
        (2, 0, 0, 0, 1)
    ]
    assert found.winners == ()
    told = [rounds[0], Round(((), (), ()), chips=(None, None, 0)), Round(((), (), ()), chips=(4, None, None))]
    found = score_rounds(game, told)
    assert (found.scores, found.winners, found.end.total(3)) == ((4, 0, 0), (0,), (4, 0, 0))


_COINS = """
format: 1
id: coins
title: Coins
version: 1.0.0
players: 2
rounds: 3
cards: {fish: {count: 20, adds: {weight: 1}}, gold: {count: 9, keep: true}}
counters:
  coins: {start: 3, keep: true, min: 0, max: 99}
  mood: {min: -5, max: 5}
  weight: {keep: true}
markers: {crown: {start: first}}
round:
  - deal: {to: hand, cards: 3}
  - repeat:
      until_empty: hand
      do:
        - choose:
            as:
              eat: {do: [{add: {coins: 1, mood: 1}}]}
              sell: {to: discard, do: [{add: {coins: 2}}, {take: crown}]}
        - pass: {zone: hand, to: left}
  - score: round
  - clear: tableau
finish:
  - score: game
scoring:
  coins: {kind: each, at: game, of: coins, points: 1}
  weight: {kind: each, at: game, of: weight, points: 100}
  mood: {kind: each, of: mood, points: 1}
  crown: {kind: formula, points: 5 if holds(crown) else 0}
winner: {order: most}
"""


@pytest.fixture(scope="module")
def coins(tmp_path_factory):
    """Return a game that keeps counters and a marker between rounds, and what removed cards added."""
    path = tmp_path_factory.mktemp("coins") / "coins.yaml"
    path.write_text(_COINS, "utf-8")
    return de.load(path, players=2)


def test_what_stays_from_round_to_round_is_not_forgotten(coins):
    """Kept counters and markers go on from the round before, unless a round changes them."""
    book = Scorebook(coins, ["Ada", "Ben"])
    money, mood, weight, crown = (thing(coins, name) for name in ("coins", "mood", "fish", "crown"))
    assert [book.count(0, seat, money) for seat in (0, 1)] == [3, 3]
    book.add(0, 0, money, 4)
    book.add(0, 0, mood, 2)
    book.add(0, 1, crown)
    book.add(0, 1, weight, 2)
    book.begin_round()
    assert [book.count(1, seat, money) for seat in (0, 1)] == [7, 3]
    assert book.count(1, 0, mood) == 0
    assert [book.count(1, seat, crown) for seat in (0, 1)] == [0, 1]
    book.put(1, 0, money, 5)
    book.add(1, 1, weight)
    assert book.take_away(1, 1, crown)
    book.begin_round()
    assert [book.count(2, seat, money) for seat in (0, 1)] == [5, 3]
    assert not book.count(2, 1, crown)
    found = book.reckoned()
    assert found.scores == (2 + 5, 5 + 300 + 3)
    assert Scorebook(coins, ["Ada", "Ben"]).rounds[0].counters == {}
