"""Zones with a limit for the number of cards, and a condition for each, in every form of the kernel."""

import pytest

import draftengine as de
from draftengine.api.ruleset import rules_named
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from text.forms import play_alike

GAME = """
format: 2
id: shelves
title: Shelves
version: 1.0.0
players: 2-3
cards:
  "n{n}": {for: {n: 1-30}, has: {n: "{n}"}}
zones:
  shelf: {per: seat, seen_by: everyone, holds: 3, fits: "its(n) > highest(shelf, n, 0)"}
  pot: {holds: 2}
  row: {copies: 2, fits: "its(n) > 10"}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 6}
  - draw: {to: pot}
  - choose: {from: hand, to: shelf}
  - in_turn:
      do:
        - choose: {from: hand, as: {lay: {to: shelf}, "to_{r}": {for: {r: row}, to: "{r}"}, away: {to: discard}}}
  - choose: {from: hand, to: discard}
  - choose: {from: hand, as: {pair: {cards: 1-2, to: pot}, keep: {cards: 0}}}
  - score: round
scoring: {shelf: {points: "sum(shelf, n)"}, pot: {points: cards(pot)}, row: {points: "sum(row_1, n) + sum(row_2, n)"}}
"""


@pytest.fixture
def path(tmp_path):
    file = tmp_path / "shelves.yaml"
    file.write_text(GAME)
    return file


def test_every_form_plays_alike_with_limits(path):
    """Check that the game is sound, and that all forms of the kernel let the same cards go the same ways."""
    assert de.check(path) == ()
    play_alike(de.load(path, players=3).program, "shelves", 8)


def moves(state, seat):
    """Return the names of a seat's moves."""
    return {str(move) for move in state.view(seat).moves}


@pytest.mark.parametrize(
    ("shelf", "open_moves"), [([], {"n1", "n5"}), (["n4"], {"n5"}), (["n6"], set()), (["n2", "n3", "n4"], set())]
)
def test_a_card_goes_only_where_it_fits_and_there_is_room(path, shelf, open_moves):
    """Check that a choice without ways offers only cards that fit, and none to a full zone."""
    game = de.load(path, players=2)
    state = game.set_up(de.Position(hands=[["n1", "n5"], ["n20"]], zones={"shelf": [shelf, []], "pot": [["n30"]]}))
    assert moves(state, 0) - {""} == open_moves


def test_ways_ask_what_their_zone_takes(path):
    """Check that ways ask their zone, also a copy of one, and that a range of cards needs room for all."""
    game = de.load(path, players=2)
    zones = {"shelf": [["n7"], ["n8"]], "pot": [["n30"]]}
    state = game.set_up(de.Position(hands=[["n1", "n9", "n3", "n10"], ["n20", "n2", "n12", "n13"]], zones=zones))
    state = state.commit(0, "n9").commit(1, "n20")
    assert moves(state, 0) == {"n10@lay", "n1@away", "n3@away", "n10@away"}
    state = state.commit(0, "n10@lay")
    assert moves(state, 1) == {f"n{n}@away" for n in (2, 12, 13)} | {
        f"n{n}@to_row_{r}" for n in (12, 13) for r in (1, 2)
    }
    state = state.commit(1, "n12@to_row_2")
    state = state.commit(0, "n1").commit(1, "n2")
    assert moves(state, 0) == {"n3@pair_1", "keep"}


def test_a_draw_fills_a_zone_up(path):
    """Check that a draw without a number brings only what the zone has room for."""
    game = de.load(path, players=2)
    (pot,) = (view for view in game.set_up(de.Position()).view(0).zones if view.zone == "pot")
    assert len(pot.cards) == 2


def test_a_draw_of_more_than_a_zone_holds_is_refused(path):
    """Check that a number above the limit of the zone is an error at the number."""
    path.write_text(GAME.replace("draw: {to: pot}", "draw: {to: pot, cards: 3}"))
    (finding,) = de.check(path)
    assert finding.code == "zone-misuse"
    assert "2" in finding.message
    assert finding.path.endswith("cards")


def test_a_zone_that_asks_about_a_card_takes_one_at_a_time(path):
    """Check that the finding about two cards names the zone, because the choice has no condition."""
    path.write_text(GAME.replace("choose: {from: hand, to: shelf}", "choose: {from: hand, to: shelf, cards: 2}"))
    (finding,) = de.check(path)
    assert "the zone to which it leads, asks a condition about the card" in finding.message


def test_the_rulebook_says_what_fits(path):
    """Check that the sentence of a choice says which cards fit, and when there is room."""
    text = " ".join(as_text(book_of(rules_named(path))).split())
    assert (
        "If there are at most 2 cards in “Shelf”: Choose 1 card (only if its n is more than the highest value" in text
    )


@pytest.mark.parametrize(
    ("choice", "sentence"),
    [
        ("{from: hand, cards: 2, to: chest}", "If there is at most one card in “Chest”: Put 2 cards"),
        ("{from: hand, cards: 0-2, to: chest}", "(“Chest”). Afterwards, there are at most 3 cards in “Chest”."),
    ],
)
def test_the_rulebook_says_how_many_cards_have_room(path, choice, sentence):
    """Check that the condition for two cards is worked out, and that a range names the limit."""
    text = GAME.replace("  pot: {", "  chest: {per: seat, seen_by: owner, holds: 3}\n  pot: {")
    path.write_text(
        text.replace(
            "  - choose: {from: hand, to: discard}", f"  - choose: {choice}\n  - move: {{from: hand, to: discard}}"
        )
    )
    assert sentence in " ".join(as_text(book_of(rules_named(path))).split())


def test_the_rulebook_says_which_cards_a_choice_is_of_and_what_fits(path):
    """Check that what fits does not replace the cards that the choice names."""
    path.write_text(GAME.replace("  - choose: {from: hand, to: shelf}", "  - choose: {from: hand, of: n2, to: shelf}"))
    text = " ".join(as_text(book_of(rules_named(path))).split())
    assert "Choose 1 card (only N2) (only if its n is more than the highest value" in text


def test_counters_of_copies_of_a_seat_are_of_that_seat(tmp_path):
    """Check that a counter of copies that each seat has is not shared by the table."""
    path = tmp_path / "rows.yaml"
    path.write_text(ROWS)
    assert [finding.code for finding in de.check(path)] == []


ROWS = """
format: 2
id: rows
title: Rows
version: 1.0.0
players: 2
cards: {soup: {count: 20}}
zones: {row: {copies: 2, per: seat, seen_by: everyone, fits: closed == 0}}
counters: {closed: {per: row, min: 0, max: 1}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 3}
  - repeat:
      times: 2
      do:
        - choose: {from: hand, to: row}
        - choose: {as: {get: {take: row, do: [{set: {closed: 1}}]}, wait: {}}}
  - score: round
scoring: {soup: {points: soup + 10 * closed_1 + 100 * closed_2}}
examples:
  - name: each seat closes a row of its own
    hands: [[soup, soup, soup], [soup, soup, soup]]
    moves: [[soup@row_1, soup@row_2], [get_1, get_2], [soup@row_2, soup@row_1], [wait, wait]]
    expect: {total: [11, 101]}
"""
