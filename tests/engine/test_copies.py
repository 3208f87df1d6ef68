"""Copies of a zone: rows to which cards go, and rows that are taken, in every form of the kernel."""

import pytest

import draftengine as de
from draftengine.api.ruleset import rules_named
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from text.forms import play_alike

GAME = """
format: 2
id: rows
title: Rows
version: 1.0.0
players: 2-4
cards:
  red: {count: 20, family: colour}
  blue: {count: 20, family: colour}
  green: {has: {nr: 3}, count: 9}
zones:
  row: {copies: {2: 2, 3: 3, 4: 3}, holds: 3, fits: closed == 0}
  side: {copies: 3, holds: 2, label: {en: Side, pl: Bok}}
  drawn: {per: seat, seen_by: everyone}
counters:
  out: {min: 0, max: 1}
  closed: {per: row, min: 0, max: 1}
markers: {starter: {start: first}}
turn_order: starter
setup: [{shuffle: deck}, {draw: {to: side}}]
round:
  - draw: {to: row, cards: 1}
  - repeat:
      until: seats_with(out == 0) == 0
      at_most: 12
      do:
        - who: out == 0
          in_turn:
            do:
              - choose:
                  as:
                    draw:
                      cards: 0
                      when: "over(row, closed == 0 and cards(row) < 3) > 0"
                      do: [{draw: {to: drawn}}, {choose: {from: drawn, to: row}}]
                    take: {take: row, to: tableau, do: [{set: {out: 1, closed: 1}}]}
                    leave: {cards: 0, when: "over(row, cards(row)) == 0", do: [{set: {out: 1}}]}
  - set: {out: 0, closed: 0}
  - for: {s: side}
    when: cards({s}) > 1
    do: [{move: {from: "{s}", of: red, cards: 1, to: discard}}]
  - {points: "top(1, side, highest(side, nr, 0))"}
  - move: {from: [row, side], to: discard}
  - score: round
scoring: {colour: {each: colour, points: 1}}
"""


def test_a_game_of_rows_is_sound(path):
    """Check that a game with copies of zones has no findings."""
    assert de.check(path) == ()


def test_every_form_plays_the_same_rows(path):
    """Check that rows fill and are taken alike in the reference, as it stands and in machine code."""
    play_alike(de.load(path, players=3).program, "rows", 8)


def test_a_row_is_open_or_closed(path):
    """Check that a taken row is closed for cards, and that its cards count for the seat that took it."""
    game = de.load(path, players=2)
    state = game.set_up(de.Position(zones={"row_1": [["red", "blue"]], "row_2": [["red"]], "deck": [["blue"]]}))
    assert {str(move) for move in state.view(0).moves} == {"draw", "take_1", "take_2"}
    state = state.commit(0, "row_1@take")
    assert sorted(state.tableaus[0]) == ["blue", "red"]
    state = state.commit(1, "draw")
    assert {str(move) for move in state.view(1).moves} == {"blue@row_2"}


LAYING = """
examples:
  - name: a card comes into the row that was taken
    players: 2
    zones: {row_1: [red], row_2: [blue, red]}
    deck: [green]
    moves: [[take_2, null]]
    expect: {zones: {row_1: [red], row_2: [green]}, tables: [[red, blue], []]}
"""


def test_steps_of_a_taken_row_are_about_that_row(tmp_path):
    """Check that a way which takes a row can lay a card into the very same row."""
    path = tmp_path / "rows.yaml"
    laying = "do: [{draw: {to: drawn}}, {move: {from: drawn, to: row}}, {set: {out: 1}}]"
    path.write_text(GAME.replace("do: [{set: {out: 1, closed: 1}}]", laying) + LAYING)
    assert [finding.code for finding in de.check(path)] == []


TABLE = """
format: 2
id: table
title: Table
version: 1.0.0
players: 2-3
cards:
  "c{n}": {for: {n: 1-9}, count: 4, adds: {value: "{n}"}}
zones:
  grid: {copies: [2, 3], holds: 1}
  pool: {per: seat, seen_by: everyone}
counters: {lines: {max: 9}}
setup: [{shuffle: deck}]
round:
  - repeat:
      times: 3
      do:
        - draw: {to: grid}
        - in_turn: {do: [{choose: {from: grid, take: line, to: pool}}]}
        - in_turn:
            do:
              - choose:
                  as:
                    line: {from: grid, take: line, to: pool, do: [{add: {lines: 1}}]}
                    place: {from: grid, take: place, to: pool, when: lines > 0}
                    none: {}
        - move: {from: grid, to: discard}
  - move: {from: pool, to: tableau}
  - score: round
scoring: {value: {each: value, points: 1}}
examples:
  - name: a column, then what is left of a row
    players: 2
    zones: {grid_1: [c1], grid_2: [c2], grid_3: [c3], grid_4: [c4], grid_5: [c5], grid_6: [c6]}
    moves: [[column_2, null], [null, row_2], [line_column_3, null], [null, none]]
    expect: {zones: {pool: [[c2, c5, c3], [c4, c6]]}}
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    """Write the game of a table and return its path."""
    path = tmp_path_factory.mktemp("table") / "table.yaml"
    path.write_text(TABLE)
    return path


def test_lines_of_a_table_are_sound(table):
    """Check that rows and columns of a table are taken as the example says."""
    assert de.check(table) == ()


def test_every_form_plays_the_same_lines(table):
    """Check that lines are taken alike in the reference, as it stands and in machine code."""
    play_alike(de.load(table, players=3).program, "lines", 8)


def test_ways_of_a_table(table):
    """Check that empty lines are closed, and that ways have names by row, column and place."""
    state = de.load(table, players=2).start(3)
    assert names_of(state) == {"row_1", "row_2", "column_1", "column_2", "column_3"}
    state = state.commit(0, "row_1")
    assert names_of(state) == {"row_2", "column_1", "column_2", "column_3"}
    state = state.commit(1, "column_1")
    assert names_of(state) == {"line_row_2", "line_column_2", "line_column_3", "none"}
    assert state.commit(0, "column_2@line") == state.commit(0, "line_column_2")
    for unknown in ("c1@line", "column_9@line", "grid_1@line"):
        with pytest.raises(de.IllegalMove):
            state.commit(0, unknown)
    state = state.commit(0, "line_column_2").commit(1, "none")
    assert state.turn == 2


def names_of(state):
    (seat,) = state.waiting
    return {str(move) for move in state.view(seat).moves}


@pytest.mark.parametrize(
    ("language", "row", "column", "does"),
    [
        ("en", "row {}”", "column {}”", "put all its cards"),
        ("pl", "rząd {}”", "kolumna {}”", "odłóż wszystkie te karty"),
        ("ja", "{}行目」", "{}列目」", "その札をすべて"),
    ],
)
def test_lines_are_listed_once(table, language, row, column, does):
    """Check that each of the two choices names every row and column once."""
    text = "".join(as_text(book_of(rules_named(table, ()), language)).split())
    lines = [row.format(number) for number in (1, 2)] + [column.format(number) for number in (1, 2, 3)]
    assert [text.count("".join(line.split())) for line in lines] == [2] * 5
    assert text.count("".join(does.split())) == 2
    assert "".join(row.format(3).split()) not in text


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("copies: [2, 3]", "copies: 6"), "zone-misuse"),
        (("choose: {from: grid, take", "choose: {from: gird, take"), "zone-misuse"),
        (("from: grid, take: place", "from: gird, take: place"), "unknown-zone"),
        (("take: line", "take: lines"), "zone-misuse"),
        (("take: line", "take: line, cards: 2"), "zone-misuse"),
        (("take: line", "take: line, of: c1"), "zone-misuse"),
        (("choose: {from: grid, take: line", "choose: {take: line"), "zone-misuse"),
    ],
)
def test_what_cannot_be_taken(tmp_path, change, code):
    """Check that a line needs a table, and that `take` is a place or line, all of it."""
    path = tmp_path / "table.yaml"
    assert change[0] in TABLE
    path.write_text(TABLE.replace(*change))
    assert code in {finding.code for finding in de.check(path)}


@pytest.mark.parametrize(
    ("zone", "sentence"),
    [
        ("{copies: [2, 3], holds: 1}", "Fill up “Grid” from the deck, a card for each empty place."),
        ("{copies: [2, 3], holds: 3}", "Fill up each place of “Grid” from the deck, to 3 cards."),
        ("{copies: [2, 3]}", "Add 1 card from the deck to each place of “Grid”."),
    ],
)
def test_books_say_how_places_are_filled(tmp_path, zone, sentence):
    path = tmp_path / "table.yaml"
    path.write_text(TABLE.replace("{copies: [2, 3], holds: 1}", zone))
    assert sentence in " ".join(as_text(book_of(rules_named(path, ()), "en")).split())


PILE = """
format: 2
id: pile
title: Pile
version: 1.0.0
players: 2-3
cards: {red: {count: 9}, blue: {count: 9}}
zones: {pile: {}}
round:
  - in_turn: {do: [{choose: {from: pile, take: WHAT, to: tableau}}]}
  - score: round
scoring: {red: {each: red, points: 1}, blue: {each: blue, points: 2}}
"""


@pytest.mark.parametrize(("what", "taken", "left"), [("top", ["red"], ["blue"]), ("place", ["blue", "red"], [])])
def test_what_is_taken_from_a_zone_without_copies(tmp_path, what, taken, left):
    """Check that a choice with `take` has a way with the name of the zone if that has no copies."""
    path = tmp_path / "pile.yaml"
    path.write_text(PILE.replace("WHAT", what))
    state = de.load(path, players=2).set_up(de.Position(zones={"pile": [["blue", "red"]]}))
    assert [str(move) for move in state.view(0).moves] == ["pile"]
    after = state.commit(0, "pile")
    assert sorted(after.tableaus[0]) == taken
    assert after.describe()["zones"]["pile"] == left


SEVERAL = """
format: 2
id: foxes
title: Foxes
version: 1.0.0
players: 2
cards:
  fox: {count: 6, family: [red, animal]}
  hen: {count: 6, family: animal}
  dust: {count: 6}
zones:
  row: {copies: 2, holds: 3}
  den: {per: seat, seen_by: everyone, holds: 2, fits: its(animal)}
counters: {one_of_row: {start: 3, max: 9}}
setup: [{shuffle: deck}]
round:
  - draw: {to: row}
  - in_turn:
      do:
        - choose:
            cards: 2
            as:
              of_two: {from: row, of: [red, animal], exactly: true, to: tableau}
              buy: {from: row, pay: {one_of_row: 2}, to: den}
              fetch: {from: row, of: fox, cards: 1-2, to: tableau}
              wait: {cards: 0}
  - score: round
scoring: {foxes: {points: "fox + cards(den) + dust"}}
examples:
  - name: a row is named only for a card that may be taken from it
    zones: {row_1: [fox, dust, dust], row_2: [dust, dust, dust]}
    moves: [[fetch_1, null], [row_2, null]]
    expect: {legal: false}
  - name: a card of two families is one card
    zones: {row_1: [fox, dust, dust], row_2: [dust, dust, dust]}
    moves: [[of_two, null]]
    expect: {legal: false}
  - name: two cards of two families may lie in two rows
    zones: {row_1: [fox, dust, dust], row_2: [hen, dust, dust]}
    moves: [[of_two, null], [row_1, null], [fox, null], [row_2, null], [hen, null]]
    expect: {tables: [[fox, hen], []]}
  - name: there is no room for both
    zones: {row_1: [fox, fox, fox], row_2: [dust, dust, dust], den: [[hen], []]}
    moves: [[buy, null]]
    expect: {legal: false}
  - name: no card of the row fits
    zones: {row_1: [fox, dust, dust], row_2: [dust, dust, dust]}
    moves: [[buy, null], [row_2, null]]
    expect: {legal: false}
  - name: both cards go into the den
    zones: {row_1: [fox, hen, dust], row_2: [dust, dust, dust]}
    moves: [[buy, null], [row_1, null], [fox, null], [row_1, null], [hen, null]]
    expect: {zones: {den: [[fox, hen], []]}, counters: {one_of_row: [1, 3]}}
"""


def test_several_cards_of_any_row(tmp_path):
    """Check which rows can be named, and when there are enough cards and room for them."""
    path = tmp_path / "foxes.yaml"
    path.write_text(SEVERAL)
    assert [finding.message for finding in de.check(path)] == []
    play_alike(de.load(path, players=2).program, "foxes", 4)


@pytest.mark.parametrize("cards", ["players", "{2: 2}", "one_of_row"])
def test_the_number_of_cards_of_any_row_is_a_plain_number(tmp_path, cards):
    """Check that other numbers, which would mean cards of the same row, are refused where they stand."""
    path = tmp_path / "foxes.yaml"
    path.write_text(SEVERAL.replace("cards: 1-2", f"cards: {cards}"))
    (finding,) = de.check(path)
    assert finding.text.id == "zone-misuse.number-of-copies"
    assert finding.span.source.text[finding.span.start :].startswith(cards)


def test_what_fits_may_ask_about_one_card_only(tmp_path):
    """Check that a target whose `fits` counts cards of the same name takes one card at a time."""
    path = tmp_path / "foxes.yaml"
    path.write_text(SEVERAL.partition("examples:")[0].replace("fits: its(animal)", "fits: card == 0"))
    (finding,) = [finding for finding in de.check(path) if finding.severity == "error"]
    assert finding.text.id == "zone-misuse.no-single-card"


def test_all_seats_choose_several_cards_of_copies_of_their_own(tmp_path):
    """Check that each seat names its copies in a step of the flow, as it does in a list."""
    path = tmp_path / "own.yaml"
    text = SEVERAL.partition("examples:")[0].replace("row: {copies: 2", "row: {per: seat, seen_by: everyone, copies: 2")
    steps = "  - choose: {from: row, cards: 2, to: tableau}\n  - score: round\n"
    path.write_text(text.replace("  - score: round\n", steps))
    assert [finding.message for finding in de.check(path)] == []
    play_alike(de.load(path, players=2).program, "own", 2)
