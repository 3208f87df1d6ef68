"""Copies of a zone: rows to which cards go, and rows that are taken, in every form of the kernel."""

import pytest

import draftengine as de
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


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """Write the game of rows and return its path."""
    path = tmp_path_factory.mktemp("copies") / "rows.yaml"
    path.write_text(GAME)
    return path


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
    state = state.commit(0, "take_1")
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
