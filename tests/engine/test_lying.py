"""Formulas about cards in zones: all forms agree, and hidden cards stay hidden."""

import pytest
import yaml

import draftengine as de
from draftengine.engine.chance import root_of
from draftengine.studies.runner.playing import ReferencePlayer
from text.forms import as_it_stands, compiled

GAME = """
format: 1
id: rows
title: Rows
version: 1.0.0
players: 2-3
rounds: 2
cards:
  "blue_{n}": {series: {n: 1-29/2}, count: 1, family: blue, has: {n: "{n}"}}
  "green_{n}": {series: {n: 2-30/2}, count: 1, family: green, has: {n: "{n}"}, adds: {leaves: 2}}
  stone: {count: 3}
define:
  mark: highest(row_2, n, 5)
  "fits(row)": its(n) < lowest(row, n, 121) or its(n) > highest(row, n, 0)
zones:
  row_1: {per: seat, counts: true}
  row_2: {per: seat, counts: true}
  market: {per: table, layout: {rows: [{cards: 3}]}}
markers:
  buyer: {start: first}
setup:
  - shuffle: deck
round:
  - draw: {to: market}
  - deal: {to: hand, cards: 4}
  - repeat:
      until_empty: hand
      do:
        - choose:
            from: hand
            as:
              row_1: {when: fits(row_1), to: row_1}
              row_2:
                when: fits(row_2) and cards(market, blue) > 0
                to: row_2
                do: [{points: "highest(market, n, 0) // 10"}]
              away: {to: discard}
        - choose: {from: market, to: tableau, who: {holder: buyer}}
        - draw: {to: market}
          when: cards(discard, green) > 1
        - give: {marker: buyer, to: {most: "lowest(tableau, n, 40)"}, tie: left}
        - pass: {zone: hand, to: [left, right]}
  - score: round
scoring:
  blue: {kind: each, of: blue + stone, points: 3}
  tall: {kind: formula, points: "highest(row_1, n, 0) - lowest(row_1, n, 0)"}
  thrown: {kind: majority, of: "cards(discard, green) + cards(row_2, green) + lowest(tableau, leaves, 7)", most: [4]}
  next: {kind: formula, points: "lowest(row_1, its(n) if its(n) > mark else 99, 99) - sum(tableau, leaves)"}
  low: {kind: formula, points: "cards(discard, its(n) < 9) + sum(market, its(n) // (2 + its(green)) - turn)"}
  least: {kind: formula, points: "lowest(row_1, n, 50) - lowest(row_1, its(n) - my(stone), 50)"}
winner: {order: most}
examples:
  - name: what lies where
    players: 2
    tables: [[green_6], [stone]]
    zones:
      row_1: [[blue_7, stone, green_20], [stone]]
      row_2: [[green_2], [blue_3, green_4]]
      discard: [[green_8, blue_9]]
      market: {r1c1: blue_9, r1c2: green_30}
    expect: {points: {tall: [13, 0], thrown: [0, 4], blue: [6, 9], next: [5, 99], low: [15, 15], least: [8, 52]}}
"""


@pytest.fixture
def game(tmp_path):
    """Return the game for this number of players."""
    (tmp_path / "rows.yaml").write_text(GAME)
    return lambda players: de.load(tmp_path / "rows.yaml", players=players)


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_every_form_plays_the_same(game, policy):
    """Check that the reference engine, the specialised and the compiled game play alike."""
    program, names = game(3).program, [policy] * 3
    reference = ReferencePlayer(program, names, logged=True).play(root_of("lying"), 0, 12, rows=True)
    assert as_it_stands(program, names).play(root_of("lying"), 0, 12, rows=True) == reference
    if policy == "random":
        assert compiled(program, names).play(root_of("lying"), 0, 12, rows=True) == reference


def test_a_number_that_is_looked_for_is_noticed(tmp_path):
    """Check that a card counts as used if a formula reads one of its values, without naming cards."""
    path = tmp_path / "numbers.yaml"
    path.write_text(
        "{format: 1, id: numbers, title: Numbers, version: 1.0.0, players: 2, rounds: 1,"
        " cards: {'n{n}': {series: {n: 1-12}, count: 1, has: {n: '{n}'}}}, setup: [{shuffle: deck}],"
        " round: [{deal: {to: hand, cards: 3}}, {choose: {to: tableau}}, {score: round}],"
        " scoring: {width: {kind: formula, points: 'highest(tableau, n, 0)'}}, winner: {order: most}}"
    )
    assert de.check(path) == ()


def test_values(tmp_path, game):
    """Check values of cards: of those that have one, else the default; each seat reads its own zone."""
    game(2)
    assert de.check(tmp_path / "rows.yaml") == ()


@pytest.mark.parametrize(
    ("old", "new", "code", "hint"),
    [
        ("cards(discard, green) > 1", "cards(hand, green) > 1", "hidden-cards", "cards(hand) counts all cards"),
        ("cards(discard, green) > 1", "highest(deck, n, 0) > 1", "hidden-cards", "everybody sees"),
        ("cards(discard, green) > 1", "cards(discard, gren) > 1", "formula-syntax", "Did you mean “green”?"),
        ("highest(market, n, 0)", "highest(market, blue, 0)", "formula-syntax", "has: {cost: 2}"),
        ("highest(market, n, 0)", "highest(market, n)", "wrong-arguments", "highest(zone, n, if_empty)"),
        ("highest(market, n, 0)", "highest(market, its(height), 0)", "formula-syntax", "has: {cost: 2}"),
        ("highest(market, n, 0)", "highest(market, its(n) + card, 0)", "unknown-name", ""),
        ("highest(market, n, 0)", "sum(market, n, 0)", "wrong-arguments", "sum(zone, n)"),
        ("cards(discard, green) > 1", "cards(discard, its(n) + 1) > 1", "wrong-type", "Compare it"),
        ("cards(discard, green) > 1", "sum(hand, its(n)) > 1", "hidden-cards", "everybody sees"),
        ("cards(discard, green) > 1", "cards(discard, its(n)) > 1", "wrong-type", "Compare it"),
        ("cards(discard, green) > 1", "cards(discard, n > 7) > 1", "unknown-name", "Write its(n)"),
        ("blue + stone", "its_n + stone", "unknown-name", "Write the name of a card"),
        ("blue + stone", "its.n + stone", "formula-syntax", "Write its(n)."),
        ("highest(market, n, 0)", "sum(blue_1, blue_3)", "wrong-arguments", "Write + between"),
        ("lowest(tableau, leaves, 7)", "sum(tableau, my(its(n)))", "wrong-arguments", "of the whole formula"),
        ("blue + stone", "'over(blue, my(its(card))) + stone'", "wrong-arguments", "of the whole formula"),
        ("fits(row_2)", "cards(row_1, my(n) > 2) > 0", "unknown-name", "Write its(n)"),
        ("blue + stone", "'over(blue, market.card) + stone'", "formula-syntax", "without a zone for all cards"),
        ("highest(market, n, 0)", "highest(blue, n, 0)", "wrong-arguments", "highest(zone, n, if_empty)"),
        ("layout: {rows: [{cards: 3}]}", "layout: {rows: [{cards: 3, face: down}]}", "hidden-cards", "sees"),
    ],
)
def test_what_is_wrong(tmp_path, old, new, code, hint):
    """Check that each mistake is one finding at its place, with advice."""
    assert old in GAME
    (tmp_path / "wrong.yaml").write_text(GAME.replace(old, new))
    found = [own for own in de.check(tmp_path / "wrong.yaml") if own.code == code]
    assert len({own.span for own in found}) == len(found) > 0
    assert hint in found[0].hint


def test_cards_that_look_alike_are_not_told_apart(tmp_path):
    """Check that cards with a common face stay unknown when put aside face down, and are open in tableaus."""
    data = yaml.safe_load(GAME)
    data["cards"]["stone"] |= {"face": "mud"}
    data["cards"]["pebble"] = {"count": 2, "face": "mud"}
    del data["zones"]["row_1"], data["zones"]["row_2"]
    data["round"] = [{"deal": {"to": "hand", "cards": 2}}, {"choose": {}}, {"move": {"from": "hand", "to": "discard"}}]
    data["round"].append({"score": "round"})
    data |= {
        "markers": {},
        "define": {},
        "scoring": {"thrown": {"kind": "each", "of": "cards(discard, stone)", "points": 1}},
    }
    (tmp_path / "alike.yaml").write_text(yaml.safe_dump(data))
    assert "hidden-cards" in {finding.code for finding in de.check(tmp_path / "alike.yaml")}
    data["scoring"]["thrown"]["of"] = "cards(tableau, stone)"
    (tmp_path / "alike.yaml").write_text(yaml.safe_dump(data))
    assert "hidden-cards" not in {finding.code for finding in de.check(tmp_path / "alike.yaml")}
