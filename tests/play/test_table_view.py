"""The table as data: what every front end draws from."""

from __future__ import annotations

import json
from random import Random

import pytest

import draftengine as de
from conftest import sample
from draftengine.api.records import Position
from draftengine.api.ruleset import rules_named
from draftengine.apps.play.table_view import TableView, options_after
from draftengine.model.shelf import shelf
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text


def played(game, seed, moves):
    """Return a state after some random moves, or the end of the game."""
    chance, state = Random(seed), game.start(seed)
    while not state.over and moves:
        seat = state.waiting[0]
        state, moves = state.commit(seat, chance.choice(list(state.view(seat).moves[:50]))), moves - 1
    return state


@pytest.mark.parametrize("cardset", sample(sorted(shelf()), 8))
def test_a_table_is_plain_data(cardset):
    """At every table the view becomes JSON, and its options are the legal moves with one card more."""
    game = de.load(cardset)
    for moves in (0, 9, 1000):
        state = played(game, moves, moves)
        for seat in (-1, *range(game.players)):
            view = state.view(seat)
            table = TableView.of(view, picked=(), result=state.result if state.over else None)
            data = json.loads(json.dumps(table.to_json()))
            assert [seat["points"] for seat in data["seats"]] == data["scores"]
            assert [seat["tableau"] for seat in data["seats"]] == list(map(list, view.tableaus))
            assert [option["move"] for option in data.get("options", {"options": []})["options"]] == [
                move.to_json() for move in view.next()
            ]
            assert ("end" in data, bool(data["winners"])) == (state.over, state.over)


def test_what_a_seat_sees():
    """A hand with its direction, what was laid and passed, who has chosen, and what comes next."""
    game = de.load("sushi_go", players=3)
    state = game.start(7)
    first = {seat: state.view(seat).moves[0].cards[0] for seat in range(3)}
    for seat, card in first.items():
        state = state.commit(seat, card)
    after = state.commit(1, state.view(1).moves[0])
    table = TableView.of(after.view(0), chosen=[1], news=state.story(0))
    assert (table.receiver, table.giver, table.way) == (1, 2, 1)
    assert table.waiting == (0, 2)
    assert [seat.chosen for seat in table.seats] == [False, True, False]
    assert [seat.laid for seat in table.seats] == [(card,) for card in first.values()]
    assert [seat.holds for seat in table.seats] == [8, 8, 8], "a choice is not seen before all have chosen"
    assert sorted(table.passed) == [(0, 1, 8), (1, 2, 8), (2, 0, 8)]
    (coming,) = table.coming
    assert (coming.giver, coming.turns, coming.size, coming.known) == (1, 2, 8, 8)
    assert table.options is None, "they cost time, and are listed only if somebody asks"


def test_options_say_what_a_card_brings():
    """A second tempura completes its set, and a card that needs two says that one more can be taken."""
    game = de.load("sushi_go", players=2)
    hands, tables = (("tempura", "maki_1"), ("pudding", "pudding")), (("tempura", "chopsticks"), ())
    view = game.set_up(Position(hands=hands, tables=tables)).view(0)
    first = options_after(view)
    tempura = next(option for option in first.options if option.card == "tempura")
    assert (tempura.points, tempura.whole, tempura.more) == (5, True, True)
    assert (tempura.progress.have, tempura.progress.need) == (2, 2)
    assert not first.whole
    second = options_after(view, "tempura")
    assert [(option.card, option.ability, option.more) for option in second.options] == [
        ("maki_1", "chopsticks", False)
    ]
    assert second.whole


def test_options_say_where_cards_lie_and_where_they_go():
    """A way of taking a row aims at that row, and a way of laying a card names the zone for it."""
    state = de.open_rules("ohanami").game(2).start("tests")
    while len(options_after(state.view(0)).options) > 0 and not options_after(state.view(0)).options[0].place:
        for seat in state.waiting:
            state = state.commit(seat, state.view(seat).moves[0])
    places = {option.card.partition("@")[2]: option.place for option in options_after(state.view(0)).options}
    assert places == {"first": "first_row", "second": "second_row", "third": "third_row", "away": "discard"}
    state = de.open_rules("six_nimmt").game(2).start("tests")
    while not all(option.aim for option in options_after(state.view(state.waiting[0])).options):
        for seat in state.waiting:
            state = state.commit(seat, state.view(seat).moves[0])
    options = options_after(state.view(state.waiting[0])).options
    assert {option.card: option.aim for option in options} == {f"take_{n}": f"row_{n}" for n in (1, 2, 3, 4)}


def test_a_layout_keeps_its_shape():
    """Places that are empty by now stay in their rows, so that a pyramid remains one."""
    game = de.load("anniversary", players=2, variants=["sushi_battle"])
    (before,) = TableView.of(game.start(3).view(0)).layouts
    (after,) = TableView.of(played(game, 3, 4).view(0)).layouts
    assert [len(row) for row in after.rows] == [len(row) for row in before.rows]
    assert sum(place is None for row in before.rows for place in row) == 0
    assert sum(place is None for row in after.rows for place in row) == 4


def test_the_end_ranks_all_seats():
    """Winners are first, and seats with equal points share a place."""
    state = played(de.load("sushi_go", players=4), 1, 1000)
    end = TableView.of(state.view(-1), result=state.result).end
    assert end.ranking[0] == state.result.winners
    assert sorted(seat for place in end.ranking for seat in place) == [0, 1, 2, 3]
    points = [state.result.scores[place[0]] for place in end.ranking]
    assert points == sorted(points, reverse=True)
    assert end.decided_by == "points"


def test_a_hand_that_is_used_up_does_not_come():
    """A hand of two cards comes in one turn, and one of two cards never comes in two."""
    state = de.load("sushi_go", players=3).start(7)
    sizes = []
    while state.round == 1:
        for seat in state.waiting:
            state = state.commit(seat, state.view(seat).moves[0].cards[0])
        sizes.append([(hand.turns, hand.size) for hand in TableView.of(state.view(0)).coming])
    assert sizes[-4:-1] == [[(1, 3), (2, 3)], [(1, 2)], []]


PARADE = """
format: 2
id: parade
title: Parade
version: 1.0.0
players: 2-3
rounds: 1
cards: {"c_{n}": {for: {n: 1-9}, count: 4, has: {n: "{n}"}}}
zones: {row: {}, pool: {}, line: {copies: 2}, single: {}}
setup:
  - shuffle: deck
round:
  - draw: {to: row, cards: 4}
  - draw: {to: pool, cards: 4}
  - draw: {to: line, cards: 2}
  - deal: {to: hand, cards: 3}
  - repeat:
      until_empty: hand
      do:
        - draw: {to: single, cards: 1 - cards(single)}
        - in_turn:
            do:
              - choose: {from: hand, to: row}
              - draw: {from: row, to: tableau, cards: 1}
              - choose: {from: pool, cards: 0-1, to: discard}
        - draw: {from: single, to: discard, cards: 1}
        - draw: {from: line_1, to: line_2, cards: 1}
        - draw: {from: pool, to: discard, cards: cards(pool)}
  - score: round
scoring: {n: {points: "sum(tableau, n)"}}
winner: {order: fewest}
"""


def test_cards_that_are_taken_in_their_order_are_shown_in_it(tmp_path):
    """Check rows from whose end cards are drawn, at tables and in rulebooks, and other open zones."""
    path = tmp_path / "parade.yaml"
    path.write_text(PARADE)
    game = de.load(path, players=2)
    row, line = ["c_8", "c_2", "c_2", "c_1", "c_8"], ["c_9", "c_1"]
    zones = {"row": [row], "line_1": [line], "pool": [["c_7", "c_3", "c_7"]]}
    state = game.set_up(Position(hands=[["c_1", "c_4"]] * 2, zones=zones))
    for seat in (0, -1):
        piles = {pile.zone: pile.cards for pile in TableView.of(state.view(seat)).piles}
        assert piles["row"] == (("c_8", 1), ("c_2", 2), ("c_1", 1), ("c_8", 1))
        assert piles["line_1"] == (("c_9", 1), ("c_1", 1))
        assert piles["pool"] == (("c_3", 1), ("c_7", 2))
    assert state.commit(0, "c_1").commit(0, "take_0").tableaus[0] == ("c_1",)  # what was laid last is drawn first
    for language, words in (("en", ": “Row” and “Line”. New ones"), ("pl", ": „Row” i „Line”. Nowe")):
        assert words in " ".join(as_text(book_of(rules_named(path), language)).split())
