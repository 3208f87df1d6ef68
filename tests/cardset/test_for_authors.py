"""Help for authors: the top of the deck in examples, and silenced warnings."""

from __future__ import annotations

import pytest

from draftengine.api.scenario.suite import check_bytes

GAME = """format: 2
id: inn
title: Inn
version: 1.0.0
players: 2
rounds: 1
cards:
  soup: {count: 20}
  bread: {count: 20}
  # allow card-does-nothing: a joker
  salt: {count: 1}
round:
  - deal: {to: hand, cards: 2}   # allow never-shuffled: by hand
  - repeat:
      until_empty: hand
      at_most: 5
      do:
        - choose: {from: hand, to: tableau}
        - draw: {to: hand}
          when: turn == 1
  - score: round
scoring: {soup: {each: soup + 2 * bread, points: 1}}
winner: {order: most}
examples:
  - {name: drawn, hands: [[soup], [bread]], DECK, moves: [[soup, bread]], expect: {hands: HANDS}}
"""


def found(text):
    return [(own.code, own.span.position[0]) for own in check_bytes("-", "inn.yaml", text.encode())]


@pytest.mark.parametrize(
    ("deck", "hands"),
    [
        ("deck: [bread, soup]", "[[bread], [soup]]"),
        ("zones: {deck: [soup, soup, bread]}", "[[soup], [soup]]"),
    ],
)
def test_the_top_of_the_deck(deck, hands):
    """Check that cards are drawn in the order in which an example names them."""
    text = GAME.replace("DECK", deck)
    assert found(text.replace("HANDS", hands)) == []
    assert {code for code, _ in found(text.replace("HANDS", "[[salt], [salt]]"))} == {"example-fails"}


def test_a_deck_that_the_box_cannot_fill():
    """Check that a deck that the box cannot fill is a finding."""
    assert found(GAME.replace("DECK", "deck: [salt, salt]").replace("HANDS", "[[], []]")) == [("example-invalid", 25)]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (": a joker", "", [("allows-nothing", 10), ("card-does-nothing", 11)]),
        ("allow card-does-nothing: a joker", "a joker", [("card-does-nothing", 11)]),
        ("never-shuffled: by", "never-shufled: by", [("never-shuffled", 13), ("allows-nothing", 13)]),
        ("each: soup +", "each: soup + salt +", [("allows-nothing", 10)]),
        ("rounds: 1", "rounds: 0 # allow out-of-range: no", [("out-of-range", 6)]),
    ],
)
def test_warnings_that_are_meant(old, new, expected):
    """Check that a comment with a reason silences warnings of its line or the next, but no errors.

    A comment that silences nothing is a finding.
    """
    text = GAME.replace("DECK", "deck: [soup, soup]").replace("HANDS", "[[soup], [soup]]")
    assert found(text) == []
    assert found(text.replace(old, new)) == expected


STAGES = """format: 2
id: stages
title: Stages
version: 1.0.0
players: 2
rounds: 2
cards: {soup: {count: 20}, bread: {count: 20}}
zones: {kept: {per: seat, counts: true}}
setup:
  - {shuffle: deck, id: mix}
round:
  - deal: {to: hand, cards: 3}
  - choose: {from: hand, to: tableau}
  - repeat:
      times: 2
      do:
        - {choose: {from: hand, to: kept}, id: put_aside, when: round == 2 or turn > 1}
        - {pass: {zone: hand, to: left}, id: trade}
        - choose: {from: hand, to: tableau}
  - {score: round, id: count}
finish:
  - {choose: {from: tableau, to: kept}, id: save_one}
scoring: {soup: {each: soup + 2 * bread, points: 1}}
winner: {order: most}
examples:
  - {name: later, players: 2, hands: [[soup, bread], [bread]], EXAMPLE}
"""


@pytest.mark.parametrize(
    "example",
    [
        "at: trade, moves: [[bread, soup]], expect: {hands: [[], [bread]], tables: [[bread], [soup]]}",
        "at: put_aside, round: 2, moves: [[soup, bread]], expect: {zones: {kept: [[soup], [bread]]}}",
        "at: put_aside, moves: [[bread, soup]], expect: {hands: [[], [bread]]}",  # its condition does not hold
        "at: save_one, tables: [[soup], [bread]], moves: [[soup, bread]], expect: {tables: [[], []]}",
    ],
)
def test_where_an_example_begins(example):
    """Check that an example begins at the named step, in the first turn of its repeat."""
    assert found(STAGES.replace("EXAMPLE", example)) == []


@pytest.mark.parametrize("step", ["trad", "mix"])
def test_an_example_begins_at_no_step(step):
    """Check that an example cannot begin before the first round, or at an unknown step."""
    example = f"at: {step}, moves: [[bread, soup]], expect: {{hands: [[], [bread]]}}"
    (code, message, hint), *_ = [
        (own.code, own.message, own.hint)
        for own in check_bytes("-", "stages.yaml", STAGES.replace("EXAMPLE", example).encode())
    ]
    assert code == "example-invalid"
    assert f"There is no “{step}” in this game" in message
    assert "trade" in hint


SIGNS = """format: 2
id: signs
title: Signs
version: 1.0.0
players: 2
cards: {soup: {count: 20, adds: {coins: 1}}}
counters: {coins: {}, rank: {}, steam: {}}
markers: {starter: {start: first}, crown: {start: nobody}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 4}
  - repeat: {until_empty: hand, do: [choose: {from: hand, to: tableau}, give: {starter: left}]}
  - {add: {steam: 1, rank: 1}, who: holds(starter)}
  - {give: {crown: {next: steam > 0}}}
  - score: round
scoring: {soup: {points: coins + holds(crown)}}
winner: {tie_breakers: [{most: rank}]}
examples: [{name: one soup, EXAMPLE}]
"""


@pytest.mark.parametrize(
    ("example", "idle"),
    [
        ("tables: [[soup], []], markers: {starter: 0}, expect: {points: {soup: [1, 0]}}", ["marker “starter”"]),
        ("tables: [[soup], []], counters: {steam: [1, 0]}, expect: {points: {soup: [1, 0]}}", ["counter “steam”"]),
        ("markers: {crown: 0}, counters: {coins: [2, 0]}, expect: {points: {soup: [3, 0]}}", []),
        ("counters: {rank: [0, 1]}, expect: {winners: [1]}", []),
        ("counters: {steam: [1, 0]}, expect: {counters: {steam: [1, 0]}}", []),
        ("markers: {starter: 0}, hands: [[soup], [soup]], moves: [[soup, soup]], expect: {hands: [[], []]}", []),
    ],
)
def test_what_an_example_names_in_vain(example, idle):
    """A marker or counter without effect in an example that is only scored has a warning."""
    text = SIGNS.replace("EXAMPLE", example)
    findings = check_bytes("-", "signs.yaml", text.encode())
    assert [(one.code, one.severity) for one in findings] == [("example-invalid", "warning")] * len(idle)
    assert all(f"names the {part}" in one.message for part, one in zip(idle, findings, strict=True))
