"""Positions: zones that a position gives replace those of the setup, the others stay."""

import pytest

import draftengine as de
from draftengine.engine.position import Position, set_up
from engine.gates import cards_are_conserved

TOWNS = """
format: 1
id: towns
title: Towns
version: 1.0.0
players: 2
rounds: 1
zones: {towns: {per: table, seen_by: nobody}%s}
counters: {coins: {start: 1, max: 40}}
cards:
  harbour: {count: 3, starts_in: towns, adds: {coins: 5}}
  mill: {count: 9, adds: {coins: 2}}
setup:
  - shuffle: towns
  - deal: {from: towns, to: hand, cards: 1}
  - move: {from: hand, to: %s}
  - shuffle: deck
round:
  - deal: {to: hand, cards: 2}
  - repeat:
      until_empty: hand
      do:
        - choose: {}
  - score: round
scoring: {coins: {kind: each, of: coins, points: 1}}
winner: {order: most}
"""


@pytest.fixture(scope="module", params=["tableau", "outskirts"])
def towns(request, tmp_path_factory):
    """Return a game that begins with a town of each seat, in the tableau or another counting zone."""
    zone = request.param
    path = tmp_path_factory.mktemp("towns") / f"{zone}.yaml"
    path.write_text(TOWNS % (", outskirts: {per: seat, counts: true}" if zone == "outskirts" else "", zone), "utf-8")
    return zone, de.load(path, players=2)


def laid(zone, cards):
    """Return a position with cards in a counting zone."""
    return Position(tables=cards) if zone == "tableau" else Position(zones={zone: cards})


def test_the_set_up_lays_towns(towns):
    _, game = towns
    assert [own["coins"] for own in game.start(seed=1).counters] == [6, 6]


def test_what_is_said_of_a_zone_replaces_what_lies_there(towns):
    """Check that a given zone replaces the setup's towns with their counters; the pile gets them back."""
    zone, game = towns
    state = set_up(game.program, laid(zone, (("mill", "mill"), ()))).state
    assert [game.program.cards[card] for card in state.zones[game.program.zone_index(zone)][0]] == ["mill", "mill"]
    coins = next(field for field in game.program.fields if field.name == "coins")
    assert [coins.read(word) for word in state.words] == [5, 1]
    assert len(state.zones[game.program.zone_index("towns")][0]) == 3
    cards_are_conserved(state)


def test_what_is_not_said_stays(towns):
    zone, game = towns
    state = set_up(game.program, laid(zone, (("mill",),))).state
    assert [len(own) for own in state.zones[game.program.zone_index(zone)][:2]] == [1, 1]
    assert game.program.cards[state.zones[game.program.zone_index(zone)][1][0]] == "harbour"
    cards_are_conserved(state)


def test_a_pile_that_is_named_gets_nothing_back(towns):
    zone, game = towns
    lying = laid(zone, ((), ()))
    state = set_up(game.program, Position(tables=lying.tables, zones={**lying.zones, "towns": (("harbour",),)})).state
    assert len(state.zones[game.program.zone_index("towns")][0]) == 1


LATE = """
format: 2
id: late
title: Late
version: 1.0.0
players: 2
rounds: 1
cards: {soup: {count: 30}, bread: {count: 30}}
counters: {coins: {max: 99}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 5}
  - repeat:
      until_empty: hand
      do:
        - {choose: {from: hand, to: tableau}}
        - {add: {coins: turn}, id: pay}
        - pass: {zone: hand, to: left}
  - {score: round, id: end}
scoring: {coins: {points: coins + 0 * soup * bread}}
winner: {order: most}
examples:
  - {name: two turns are left, turn: 4, hands: [[soup, soup], [bread, bread]], moves: [[soup, bread], [bread, soup]],
     expect: {round: [9, 9]}}
  - {name: within a turn, turn: 5, at: pay, hands: [[soup], [bread]], moves: [[bread, soup]], expect: {round: [11, 11]}}
"""


ENDS = """
examples:
  - {name: before the hands are passed, to: hand_on, hands: [[soup, soup], [bread, bread]], moves: [[soup, bread]],
     expect: {counters: {coins: [1, 1]}, hands: [[soup], [bread]]}}
  - {name: in the second turn, to: pay, hands: [[soup, soup], [bread, bread]], moves: [[soup, bread], [bread, soup]],
     expect: {counters: {coins: [1, 1]}, tables: [[soup, bread], [bread, soup]], total: [0, 0]}}
  - {name: without moves, at: pay, to: end, hands: [[], []], counters: {coins: [4, 0]}, expect: {round: [5, 1]}}
  - {name: before the table is cleared, to: sweep, hands: [[soup], [bread]], moves: [[soup, bread]],
     expect: {tables: [[soup], [bread]], points: {coins: [1, 1]}}}
  - {name: after it was cleared, to: last, hands: [[soup], [bread]], moves: [[soup, bread]], expect: {tables: [[], []]}}
"""


HANDED_ON = "to: hand_on, hands: [[soup, soup], [bread, bread]]"


def ending_at(path, step):
    """Return the findings about examples, with these keys in the first one."""
    late = LATE.replace("pass: {zone: hand, to: left}", "{pass: {zone: hand, to: left}, id: hand_on}")
    late = late.replace("choose: {from: hand, to: tableau}", "choose: {from: hand, to: tableau}, id: take")
    late = late.replace("id: end}", "id: end}\n  - {clear: tableau, id: sweep}\n  - {shuffle: deck, id: last}")
    path.write_text(late.partition("examples:")[0] + ENDS.replace(HANDED_ON, step), encoding="utf-8")
    return [finding.message for finding in de.check(path)]


def test_an_example_goes_on_to_a_step(tmp_path):
    assert ending_at(tmp_path / "late.yaml", HANDED_ON) == []


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        ("to: last, hands: [[soup, soup], [bread, bread]]", "a player has to choose first"),
        ("to: take, hands: [[soup], [bread]]", "the game ends first"),
        ("to: nowhere", "no step “nowhere”"),
    ],
)
def test_an_example_that_cannot_come_to_its_step(tmp_path, step, problem):
    """Check a step behind a choice, one that does not come again, and one that is not there."""
    (finding,) = ending_at(tmp_path / "late.yaml", step)
    assert problem in finding


@pytest.mark.parametrize(("at", "problem"), [("pay", ""), ("end", "outside all repeats")])
def test_an_example_begins_in_a_later_turn(tmp_path, at, problem):
    """Check the first turn that is played, with and without `at`, and a place without turns."""
    path = tmp_path / "late.yaml"
    path.write_text(LATE.replace("at: pay", f"at: {at}"), encoding="utf-8")
    errors = [finding.message for finding in de.check(path) if finding.severity == "error"]
    assert len(errors) == bool(problem)
    assert all(problem in error for error in errors)
