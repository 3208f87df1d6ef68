# ruff: noqa: E501 (a row is a case)
"""Mistakes of meaning and form, each with the answer that a person would give.

Every case changes one of two small games: `HOUSE`, which extends a shipped one, and `WHOLE`, which extends nothing.
"""

from __future__ import annotations

import pytest

from draftengine.api.scenario.suite import check_bytes

HOUSE = """\
format: 2
id: evening
extends: sushi_go
title: An evening
version: 0.1.0
cards:
  cocoa: {count: 6, label: Cocoa, text: Two points each.}
  syrup: {count: 4, label: Syrup}
modifiers:
  syrup: {card: syrup, applies_to: maki, then: {maki_icons: amount + 1}}
scoring:
  cocoa: {each: cocoa, points: 2}
  banquet: {points: "5 if kinds(tempura, sashimi) == 2 else 0"}
examples:
  - {name: two cocoas, players: 2, tables: [[cocoa, cocoa], []], expect: {points: {cocoa: [4, 0]}}}
"""
WHOLE = """\
format: 2
id: meadow
title: The meadow
version: 0.1.0
players: 2-4
rounds: 3
cards:
  daisy: {count: 30, text: Two make a pair worth 5 points.}
  clover: {count: 30, keep: true}
  poppy: {count: 12, adds: {petals: 2}}
setup:
  - shuffle: deck
round:
  - deal: {to: hand, cards: 5}
  - repeat:
      until_empty: hand
      do: [{choose: {from: hand, to: tableau}}, {pass: {zone: hand, to: left}}]
  - score: round
  - clear: tableau
finish:
  - score: game
scoring:
  daisies: {set: daisy, size: 2, points: 5}
  clovers: {majority: clover, most: [6, 3], fewest: [-6], tie: split, at: game}
  petals: {each: petals, points: 1}
winner: {order: most}
"""

SHELVES = """\
format: 2
id: shelves
title: Shelves
version: 1.0.0
players: 2
rounds: 1
cards:
  "pear_{n}": {for: {n: 1-3}, count: 4, family: tree, has: {n: "{n}"}, adds: {loss: "-{n}"}}
counters: {"x_{n}": {for: {n: 1-3}}}
zones: {"shelf_{n}": {for: {n: 1-3}}, box: {copies: 2}}
setup: [{shuffle: deck}]
round:
  - draw: {from: deck, to: hand, cards: 2}
  - {for: {n: 1-3}, who: x_1 > 0, draw: {to: "shelf_{n}"}}
  - choose: {from: hand}
  - draw: {to: box}
  - choose: {from: hand, as: {left: {}, right: {to: discard}}}
  - {who: "cards(tableau, its(tree) and its(n) > 1) > 0", add: {"x_{n}": {for: {n: 1-3}, is: 1}}}
  - score: round
scoring: {trees: {points: "loss + x_1 + x_2 + x_3"}}
examples:
  - name: two pears
    zones: {shelf_1: [pear_1]}
    moves: [[pear_1, pear_2]]
    hands: [[pear_1, pear_1], [pear_2, pear_2]]
    expect: {tables: [[pear_1], [pear_2]]}
"""
"""A game with a negative letter (`-{n}`), and entries of a `for` that are only a value (`is`)."""

ORCHARD = """\
format: 1
id: orchard
title: The orchard
version: 0.1.0
players: 2-4
rounds: 1
cards: {apple: {count: 40}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 4}
  - repeat:
      until_empty: hand
      do:
        - choose: {from: hand, to: tableau}
  - score: round
  - clear: tableau
scoring:
  apples: {kind: set, of: apple, size: 2, points: 5}
winner: {order: most}
"""
LINES = """\
format: 2
id: lines
title: Lines
version: 0.1.0
players: 2-4
zones: {grid: {copies: [2, 3], holds: 1}}
cards: {apple: {count: 40}}
setup: [{shuffle: deck}]
round:
  - draw: {to: grid}
  - in_turn:
      do:
        - choose:
            as: {get: {from: grid, take: line, to: hand}, rest: {}}
  - move: {from: hand, to: tableau}
  - move: {from: grid, to: discard}
  - score: round
scoring: {apples: {each: apple, points: 1}}
winner: {order: most}
"""
BANQUET = "5 if kinds(tempura, sashimi) == 2 else 0"
CASES = [
    # conditions that are certain
    (HOUSE, BANQUET, "5 if wasabi > 40 else 0", "condition-always-false", 13, "from 0 to 6"),
    (HOUSE, BANQUET, "5 if tempura >= 5 and tempura <= 4 else 0", "condition-always-false", 13, "at least 5 and at most 4"),
    (HOUSE, BANQUET, "5 if kinds(tempura, cocoa) > 2 else 0", "condition-always-false", 13, "from 0 to 2"),
    (HOUSE, BANQUET, "5 if round > rounds else 0", "condition-always-false", 13, "“rounds” is always 3"),
    (HOUSE, BANQUET, "5 if players > 5 else 0", "condition-always-false", 13, "from 2 to 5"),
    (HOUSE, BANQUET, "5 if players >= 2 else 0", "condition-always-true", 13, "from 2 to 5"),
    (HOUSE, BANQUET, "5 if cocoa >= 0 else 1", "condition-always-true", 13, "always holds"),
    (WHOLE, "daisies: {set", "daisies: {when: round == 5, set", "condition-always-false", 23, "from 1 to 3"),
    (HOUSE, BANQUET, "5 if round >= 1 else 0", "condition-always-true", 13, "from 1 to 3"),
    (HOUSE, BANQUET, "5 if cocoa > 2 or not cocoa > 2 else 0", "condition-always-true", 13, "is always true"),
    (HOUSE, BANQUET, "5 if cocoa > most(cocoa) else 0", "condition-always-false", 13, "can never be true"),
    (HOUSE, BANQUET, "5 if total(wasabi) - 6 > 0 else 0", "condition-always-false", 13, "from −6 to 0"),
    (HOUSE, BANQUET, "5 if cocoa > 1 else 9 if cocoa > 2 else 0", "condition-always-false", 13, "rarely first"),
    (HOUSE, BANQUET, "5 if cocoa - maki > 0 and maki >= cocoa else 0", "condition-always-false", 13, "can never be true"),
    # turns and scoring in which nothing happens
    (WHOLE, "until_empty: hand", "times: 9", "idle-step", 15, "times: 5"),
    (WHOLE, "  - deal:", "  - score: round\n  - deal:", "scores-nothing", 14, "after “choose”"),
    # rankings
    (WHOLE, "most: [6, 3]", "most: [1, 3]", "second-beats-first", 24, "[3, 1]"),
    (WHOLE, "cards:\n", "cards:\n  reed: {count: 0, family: grass}\n", "card-does-nothing", 8, "Write how many there are"),
    (WHOLE, "{set: daisy, size: 2, points: 5}", "{table: daisy, points: [1, 3, -6]}", "odd-sign", 23, "[1, 3, 6]"),
    (WHOLE, "{set: daisy, size: 2, points: 5}", "{table: daisy, points: [6, 3, 0]}", "points-fall", 23, "[0, 3, 6]"),
    (WHOLE, "most: [6, 3]", "most: [6, 1, 3]", "second-beats-first", 24, "[6, 3, 1]"),
    (WHOLE, "most: [6, 3], fewest: [-6]", "most: [-3, -6]", "second-beats-first", 24, "[-6, -3]"),
    (WHOLE, "fewest: [-6]", "fewest: [6]", "fewest-rewarded", 24, "[-6]"),
    (WHOLE, "most: [6, 3]", "most: [6, 3 if players < 4 else 9]", "second-beats-first", 24, "[9, 6]"),
    (WHOLE, "most: [6, 3]", "most: [6, 3 if players < 9 else 2]", "condition-always-true", 24, "from 2 to 4"),
    (WHOLE, "clovers: {majority: clover", "clovers: {majority: daisy", "rule-counts-others", 24, "Count “clover”"),
    (WHOLE, "{order: most}", "{order: fewest}", "fewest-wins", 26, "“daisies”"),
    (WHOLE, "winner:", "triggers: {gift: {after: reveal, do: []}}\nwinner:", "idle-step", 26, "“gift” does nothing"),
    (WHOLE, "  - score: game", "  - in_turn: {do: []}\n  - score: game", "idle-step", 21, "“in_turn” does nothing"),
    (WHOLE, "{set: daisy, size: 2, points: 5}", "{table: daisy, points: [6, 3, -1, -1]}", "points-fall", 23, "[-1, -1, 3, 6]"),
    (WHOLE, "{set: daisy, size: 2, points: 5}", "{table: daisy, points: [-2, 3, -6]}", "odd-sign", 23, "[-2, 3, 6]"),
    (WHOLE, "size: 2, points: 5", "size: 2, points: -5", "odd-sign", 23, "leave out the minus of -5"),
    (WHOLE, "most: [6, 3], fewest: [-6]", "most: [-6]", "odd-sign", 24, "fewest: [-6]"),
    (WHOLE, "{each: petals, points: 1}", "{points: 2 * daisy + 3 * clover + 4 * daisy}", "argument-twice", 25, "“daisy” is counted twice"),
    (HOUSE, "{each: cocoa, points: 2}", "{each: cocoa, points: -2}", "text-contradicts-rule", 7, "says 2"),
    (HOUSE, "text: Two points each.", "text: You lose 2 points each.", "text-contradicts-rule", 7, "says −2"),
    # what is written twice
    (HOUSE, BANQUET, "5 if cocoa > 1 and (maki > 2 and cocoa > 1) else 0", "argument-twice", 13, "“cocoa > 1” is asked twice"),
    # who chooses
    (WHOLE, "{choose: {from: hand, to: tableau}}", "{choose: {from: hand, as: {eat: {to: tableau, who: daisy > 1}, drop: {to: discard}}}}", "unknown-key", 17, "when: daisy > 1"),
    # changes without effect, and values that nothing reads
    (HOUSE, "amount + 1}", "amount * 1}", "modifier-does-nothing", 10, "amount + 1"),
    (WHOLE, "winner:", "parameters: {bonus: {default: 2}}\nwinner:", "never-used", 26, "Use it"),
    (WHOLE, "winner:", "families: {herbs: {label: Herbs}}\nwinner:", "never-used", 26, "family: herbs"),
    # rules that are worth nothing
    (WHOLE, "most: [6, 3], fewest: [-6]", "most: [0]", "rule-never-scores", 24, "all its prizes are 0"),
    (HOUSE, BANQUET, "tempura // 99", "rule-never-scores", 13, "always 0"),
    (WHOLE, "winner:", "  gift: {points: 0}\nwinner:", "rule-never-scores", 26, "always 0"),
    (WHOLE, "winner:", "  jars: {each: jars, points: 1, at: game}\ncounters: {jars: {min: 0, max: 5, keep: true}}\nwinner:", "rule-never-scores", 26, "nothing raises"),
    # cards that were renamed in one place
    (WHOLE, "  clover: {count", "  trefoil: {count", "unknown-name", 24, "trefoil"),
    (HOUSE, "  cocoa: {count", "  hot_cocoa: {count", "unknown-name", 12, "hot_cocoa"),
    (HOUSE, "each: cocoa, points", "each: hot_cocoa, points", "unknown-name", 12, "“cocoa”"),
    # the order of steps
    (WHOLE, "  - score: round\n  - clear: tableau", "  - clear: tableau\n  - score: round", "rule-never-scores", 23, "cleared"),
    (WHOLE, "  - score: round\n", "  - end: round\n  - score: round\n", "rule-never-scores", 24, "“end: round” stands before"),
    (WHOLE, "  - score: round\n", "  - {end: round, when: round > 9}\n  - {score: round, when: round > 9}\n", "rule-never-scores", 24, "Check the"),
    (WHOLE, "petals, points: 1", "petals, points: 1, at: game", "rule-never-scores", 25, "keep: true"),
    (WHOLE, "round:\n  - deal: {to: hand, cards: 5}\n", "  - deal: {to: hand, cards: 5}\nround:\n", "idle-round", 13, "Deal the cards in the round"),
    # texts
    (WHOLE, "Two make a pair worth 5 points", "Four make 5 points", "text-contradicts-rule", 8, "says 4"),
    (WHOLE, "Two make a pair", "A set of four is", "text-contradicts-rule", 8, "says 4"),
    (HOUSE, "Two points each", "Three points each", "text-contradicts-rule", 7, "says 3"),
    (WHOLE, "size: 2, points: 5", "size: 3, points: 2", "text-contradicts-rule", 8, "says"),
    (HOUSE, "title: An evening", "title: Evening #3", "comment-in-text", 4, '"Evening #3"'),
    (HOUSE, "text: Two points each.}", "text: No #2}", "comment-in-text", 7, "in quotes"),
    # examples
    (HOUSE, "[[cocoa, cocoa], []]", "[[cocoa, cocoa], [], []]", "example-invalid", 15, "one table for each player"),
    (WHOLE, "players: 2-4", "players: two to four", "wrong-form", 5, "“2-4”"),
    (WHOLE, "players: 2-4", "players: 0-400", "wrong-form", 5, "“1-99”"),
    (WHOLE, "adds: {petals: 2}}", "adds: {petals: 2}, scoring: {each: daisy, points: 2}}", "unknown-key", 10, "“scores”"),
    # hints
    (HOUSE, "cocoa: {count: 6, ", "cocoa: {", "required-key", 7, "Add it, for example “count:"),
    (HOUSE, "{each: cocoa, points: 2}", "{of: cocoa, points: 2}", "unknown-key", 12, "“cocoa: {each: cocoa, points: 2}”"),
    (HOUSE, "{each: cocoa, points: 2}", "{kind: each, points: 2}", "unknown-key", 12, "“cocoa: {each: cocoa, points: 2}”"),
    (HOUSE, "{each: cocoa, points: 2}", "{each: cocoa}", "required-key", 12, "“points: "),
    (HOUSE, "amount + 1", "worth + 1", "unknown-name", 10, "“amount”"),
    (HOUSE, BANQUET, "If(tempura > 1, 5, 0)", "unknown-name", 13, "A if C else B"),
    (HOUSE, BANQUET, "5 if tempura == min(tempura) else 0", "wrong-arguments", 13, "fewest(x)"),
    (HOUSE, "examples:", "round: [{score: round}]\nexamples:", "removal-incomplete", 14, "steps: {"),
    (HOUSE, "scoring:", "triggers: {t: {on: reveal, who: gained(cocoa) > 0, do: [{points: 1}]}}\nscoring:", "ambiguous-word", 11, "“after”"),
    (WHOLE, "until_empty: hand", "while: cards(hand) > 1", "unknown-key", 16, "until: cards(hand) <= 1"),
    (WHOLE, "      until_empty: hand\n      do:", "      until_empty: hand\n    do:", "required-key", 15, "indent further"),
    (WHOLE, "      until_empty: hand\n      do:", "      until_empty: hand\n      do: []\n    do:", "one-verb", 18, "indent further"),
    (WHOLE, "repeat:\n      until_empty: hand\n      do:", "repeat: 5\n    do:", "wrong-type", 15, "“repeat: {times: 5, do: []}”"),
    (WHOLE, "pass: {zone: hand, to: left}", "pass: {marker: crown, to: left}", "unknown-key", 17, "give: {marker: crown"),
    (HOUSE, "sushi_go", "SushiGo", "extends-name", 3, "“sushi_go”"),
    (WHOLE, "  - clear: tableau", "  - discard: tableau", "unknown-card", 19, "clear: tableau"),
    (ORCHARD, "clear: tableau", "discard: tableau", "unknown-key", 16, "clear: tableau"),
    (WHOLE, "adds: {petals: 2}}", "on_play: [{steal: daisy}]}", "unknown-key", 10, "Possible: "),
    (WHOLE, "  - score: round\n  - clear: tableau\nfinish:\n  - score: game\n", "  - score: round\n  - clear: tableau\nfinish:\n  score: game\n  clear: tableau\n", "wrong-type", 21, "before each step: “score” and “clear”"),
    (WHOLE, "rounds: 3", "rounds: 0", "out-of-range", 6, "For example “rounds: "),
    (WHOLE, "{each: petals, points: 1}", "{each: petals, points: round}", "unknown-name", 25, "“petals: {points: petals * round}”"),
    (WHOLE, "{each: petals, points: 1}", "{each: petals + daisy, points: clover}", "unknown-name", 25, "“petals: {points: (petals + daisy) * clover}”"),
    # rules in the shape of another kind
    (WHOLE, "majority: clover, most: [6, 3], fewest: [-6], tie: split", "most: clover, points: [6, 3]", "unknown-key", 24, "“majority: clover, most: [6, 3]”"),
    (WHOLE, "majority: clover, most: [6, 3], fewest: [-6], tie: split", "fewest: clover, points: -6", "unknown-key", 24, "“majority: clover, fewest: [-6]”"),
    (WHOLE, "{each: petals, points: 1}", "{each: petals, points: [1, 3, 6]}", "wrong-type", 25, "“table: petals, points: [1, 3, 6]”"),
    (WHOLE, "{each: petals, points: 1}", "{each: petals, points: [6, 3]}", "wrong-type", 25, "“majority: petals, most: [6, 3]”"),
    (WHOLE, "{each: petals, points: 1}", "{table: petals, points: 1}", "wrong-type", 25, "“each: petals, points: 1”"),
    (WHOLE, "{each: petals, points: 1}", "{kinds: [daisy, poppy], points: [1, 4]}", "unknown-key", 25, "“table: kinds(daisy, poppy), points: [1, 4]”"),
    (WHOLE, "{each: petals, points: 1}", "{collection: [daisy, poppy], points: [1, 4]}", "wrong-type", 25, "“table: kinds(daisy, poppy), points: [1, 4]”"),
    (WHOLE, "{set: daisy, size: 2, points: 5}", "{set: daisy, size: 2, points: [5, 12]}", "wrong-type", 23, "“table: daisy // 2, points: [5, 12]”"),
    (WHOLE, "{set: daisy, size: 2, points: 5}", "{set: [daisy, poppy], points: 5}", "required-key", 23, "“collection: [daisy, poppy], points: 5”"),
    (WHOLE, "{set: daisy, size: 2, points: 5}", "{collection: daisy, size: 2, points: 5}", "wrong-type", 23, "“set: daisy, size: 2, points: 5”"),
    # triggers
    (WHOLE, "winner:", "triggers: {gift: {after: reveal, only: daisy > 1, do: [{points: 1}]}}\nwinner:", "not-allowed-value", 26, "who: daisy > 1"),
    (WHOLE, "winner:", "triggers: {gift: {after: reveal, who: clover > 1, only: daisy > 1, do: [{points: 1}]}}\nwinner:", "not-allowed-value", 26, "who: (clover > 1) and (daisy > 1)"),
    (WHOLE, "winner:", "triggers: {gift: {after: reveal, when: daisy > 1, do: [{points: 1}]}}\nwinner:", "unknown-key", 26, "“who”"),
    (WHOLE, "winner:", "triggers: {gift: {at: reveal, do: [{points: 1}]}}\nwinner:", "unknown-key", 26, "“after”"),
    # places and lines
    (LINES, "take: line", "take: 3", "wrong-type", 14, "cards: 3"),
    (LINES, "to: hand", "to: grid", "zone-misuse", 14, "for example grid_1"),
    (LINES, "to: hand", "to: hand, when: cards(grid) > 1", "unknown-name", 14, "over(grid, …)"),
    (LINES, "{from: grid, take", "{from: gird, take", "zone-misuse", 14, "“grid”"),
    (WHOLE, "rounds: 3", "rounds: 3\nzones: {grid: {per: seat, copies: [3, 3]}}", "never-used", 7, "“grid”"),
    (WHOLE, "  - score: game", "  - {in_turn: {do: [{points: 1}]}, who: {holder: crown}}\n  - score: game", "wrong-type", 21, "who: crown"),
    (SHELVES, "loss + x_1", "over(tree, tree > 1) + loss + x_1", "formula-syntax", 20, "card"),
    # entries that a `for` repeats
    (SHELVES, "who: x_1 > 0", "who: x_{n}", "missing-comma", 14, "needs quotes"),
    (SHELVES, "who: x_1 > 0", "id: tidy", "name-clash", 14, "tidy_{c}"),
    (SHELVES, "who: x_1 > 0", 'who: "y_{n} > 0"', "unknown-name", 14, "“y_1” here. The same applies to 2 others"),
    (SHELVES, 'to: "shelf', 'to: "shelve', "unknown-zone", 14, "“shelve_1”. The same applies to 2 others"),
    (SHELVES, "counters: {", 'counters: {"unread_{n}": {for: {n: 1-3}}, ', "never-used", 9, "counter “unread_1”. The same applies to 2 others"),
    (SHELVES, "its(tree) and its(n) > 1", "its(n) > 1 and tree", "wrong-type", 18, "its(tree)"),
    (SHELVES, "deck, to: hand", "deck, to: hand, of: tree", "zone-misuse", 13, "starts_in"),
    (SHELVES, "zones: {shelf_1: [pear_1]}", "zones: {box: [pear_1]}", "example-invalid", 23, "box_1, box_2"),
    (SHELVES, "[pear_1, pear_2]", "[left, pear_2]", "example-invalid", 24, "Possible: pear_1"),
    (SHELVES, "[pear_1, pear_2]", "[pear_1@left, pear_2]", "example-invalid", 24, "Possible: pear_1"),
]  # fmt: skip
"""Game, old text, new text; code, line, and a part of the message or hint."""


@pytest.mark.parametrize(("game", "old", "new", "code", "line", "part"), CASES, ids=[case[2][:50] for case in CASES])
def test_the_answer_is_a_persons(game, old, new, code, line, part):
    """Check that the mistake is found at its place, and is the only one of its code.

    No fix or hint replaces a new card or rule by an existing one. A mistake in a line is one finding.
    """
    assert game.count(old) == 1
    findings = check_bytes("wrong.yaml", "wrong.yaml", game.replace(old, new).encode())
    answers = [(it.span.position[0], f"{it.message} {it.hint}") for it in findings if it.code == code]
    assert [place for place, _ in answers] == [line], findings
    assert part in answers[0][1]
    if code in {"required-key", "unknown-name"}:
        assert not any("tempura" in it.hint or (it.fix and it.fix.certain) for it in findings)
    if game is LINES:
        assert [it.code for it in findings if it.severity != "note"] == [code]


@pytest.mark.parametrize("game", [HOUSE, WHOLE, ORCHARD, LINES, SHELVES], ids=lambda game: game.split()[3])
def test_the_games_are_right(game):
    """Check that the unchanged games have no finding except a note about examples."""
    findings = check_bytes("right.yaml", "right.yaml", game.encode())
    assert [it for it in findings if it.severity != "note"] == []


@pytest.mark.parametrize("seats", ["cards(hand) > 2 and die == 6", "left", "everyone"])
def test_others_may_choose_on_the_turn_of_each(seats):
    turn = f"{{in_turn: {{do: [{{choose: {{from: hand, to: tableau}}}}, {{choose: {{from: hand}}, who: {seats}}}]}}}}"
    text = WHOLE.replace("{choose: {from: hand, to: tableau}}", f"{{roll: die}}, {turn}")
    text += "counters: {die: {die: 6, per: table}}\n"
    assert {finding.code for finding in check_bytes("-", "meadow.yaml", text.encode())} <= {
        "endless-turns",
        "never-used",
    }


@pytest.mark.parametrize(("effect", "codes"), [("", {"odd-sign"}), (", on_play: [{points: 1}]", set())])
def test_a_loss_may_be_the_price_of_an_effect(effect, codes):
    """Check that a card may cost points at the end if it does something when it is played."""
    rule = "scores: {set: poppy, size: 2, points: -3}"
    text = WHOLE.replace("adds: {petals: 2}}", f"adds: {{petals: 2}}, {rule}{effect}}}")
    assert {finding.code for finding in check_bytes("-", "meadow.yaml", text.encode())} == codes


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("'No. 1 in 1984, and in round 9 of the cup.'", True),
        ("From 12 to 99 years. A pair gives 5 points.", True),
        ("Bought in 3 sizes; a pair scores 5.", True),
        ("{en: Bought in 3 sizes., pl: Para daje 5 punktów.}", True),
        ("A pair scores 6.", False),
        ("Bought in 3 sizes. Worth 6 a pair.", False),
        ("'6 / 12'", False),
        ("{pl: Para daje 6 punktów.}", False),
    ],
)
def test_a_number_counts_in_a_sentence_about_scoring(text, right):
    """Check that other numbers in a text contradict no rule."""
    wrong = WHOLE.replace("text: Two make a pair worth 5 points.", f"text: {text}")
    codes = {it.code for it in check_bytes("-", "meadow.yaml", wrong.encode())}
    assert codes == (set() if right else {"text-contradicts-rule"})


@pytest.mark.parametrize(
    "change",
    [
        "scoring: {dumpling: {points: [15, 10, 6, 3, 1]}}",
        "modifiers: {wasabi: {then: {nigiri_points: amount - 3}}}",
    ],
)
def test_quoted_numbers_contradict_nothing(change):
    """Check texts of the base that quote the numbers of a list and of a modifier, which the file changes."""
    text = f"format: 2\nid: night\nextends: sushi_go\ntitle: Night\nversion: 0.1.0\n{change}\n"
    assert "text-contradicts-rule" not in {it.code for it in check_bytes("-", "night.yaml", text.encode())}


def test_a_rule_in_another_shape_has_one_finding_and_a_fix():
    """Check that the fix writes the whole rule, with what any kind of rule can have."""
    wrong = WHOLE.replace(
        "majority: clover, most: [6, 3], fewest: [-6], tie: split,", "label: Most, most: clover, points: 6,"
    )
    errors = [it for it in check_bytes("-", "meadow.yaml", wrong.encode()) if it.severity == "error"]
    (edit,) = (edit for finding in errors for edit in finding.fix.edits)
    mended = wrong[: edit.place.start] + edit.new_text + wrong[edit.place.end :]
    assert "clovers: {majority: clover, most: [6], label: Most, at: game}" in mended
    assert check_bytes("-", "meadow.yaml", mended.encode()) == ()


def test_repeated_rules_have_one_finding():
    text = WHOLE.replace(
        "  petals: {each", "".join(f"  r{n}: {{each: daisy, points: 1}}\n" for n in range(4)) + "  petals: {each"
    )
    (finding,) = check_bytes("-", "meadow.yaml", text.encode())
    assert (finding.code, finding.path, finding.text["count"]) == ("rule-twice", "/scoring/r1", 2)
    shown = [text[place.span.start : place.span.end] for place in finding.related]
    assert shown == ["r0", "r2", "r3"]


def test_a_repeated_condition_has_one_finding():
    """Check that the second of two equal conditions is a repetition, and not one that comes too late."""
    text = HOUSE.replace(BANQUET, "5 if cocoa > 1 or cocoa > 1 else 0")
    (finding,) = check_bytes("-", "evening.yaml", text.encode())
    assert finding.code == "argument-twice"


READING = """
readings:
  late: {question: "Late?", players: PLAYERS, default: a, options: {a: {text: A}, b: {text: B}}}
"""


@pytest.mark.parametrize(
    ("players", "more", "codes"),
    [
        ("5-6", "", ["never-used"]),
        ("4-6", "", []),
        ("5-6", "variants: {crowd: {label: Crowd, changes: {players: 2-5}}}\n", []),
    ],
)
def test_a_question_for_no_number_of_players_is_never_asked(players, more, codes):
    findings = check_bytes("-", "meadow.yaml", f"{WHOLE}{READING.replace('PLAYERS', players)}{more}".encode())
    assert [finding.code for finding in findings if finding.severity == "warning"] == codes


def test_a_broken_definition_is_reported_once():
    """Check that rules that use a broken definition have no finding of their own."""
    text = WHOLE.replace("petals, points: 1}", "petals, points: 1}\n  x: {points: lucky}\n")
    text = text.replace("scoring:", "define: {lucky: daysy * 2}\nscoring:").replace(
        "x:", "y: {points: lucky + 1}\n  x:"
    )
    findings = check_bytes("wrong.yaml", "wrong.yaml", text.encode())
    assert [it.code for it in findings if it.severity == "error"] == ["unknown-name"]


@pytest.mark.parametrize(
    ("copies", "expect", "codes"),
    [
        (16, "points: {clovers: [0, 0]}", ["example-invalid"]),
        (15, "points: {clovers: [0, 0]}", []),
        (16, "points: {daisies: [0, 0]}", []),
        (16, "game: [0, 0], winners: [0, 1]", ["example-invalid"]),
    ],
)
def test_seats_that_are_compared_share_the_box(copies, expect, codes):
    """Tables may be alternatives, and then hold more cards than the box, unless the example compares them."""
    tables = f"{{clover: {copies}}}, {{clover: {copies}}}"
    example = f"examples: [{{name: tie, players: 2, tables: [{tables}], expect: {{{expect}}}}}]\n"
    findings = check_bytes("-", "meadow.yaml", (WHOLE + example).encode())
    assert [finding.code for finding in findings] == codes


@pytest.mark.parametrize("places", ["most: [-6, -3]", "fewest: [-6, -3]", "most: [0, 6]", "most: [6, 0, 3]"])
def test_prizes_that_may_be_meant_are_not_questioned(places):
    text = WHOLE.replace("most: [6, 3], fewest: [-6]", places)
    assert check_bytes("-", "meadow.yaml", text.encode()) == ()


def test_a_marker_of_a_rulebook_needs_no_purpose():
    """A marker that steps give and nothing asks for may show who leads, if the rulebook has it."""
    give = "  - give: {marker: ribbon, to: {most: daisy}}\n  - score: round"
    sources = "sources: {R-1: The ribbon shows who leads.}\n"
    for marker, codes in (("start: nobody", ["never-used"]), ("start: nobody, source: R-1", [])):
        text = WHOLE.replace("  - score: round", give, 1) + f"markers: {{ribbon: {{{marker}}}}}\n"
        findings = check_bytes("-", "meadow.yaml", (text + sources * (not codes)).encode())
        assert [finding.code for finding in findings] == codes


def test_cards_of_the_deck_that_no_step_lays_are_not_called_missing():
    text = WHOLE.replace("from: hand, to: tableau", "from: hand, to: discard")
    findings = [it for it in check_bytes("wrong.yaml", "wrong.yaml", text.encode()) if it.code == "rule-never-scores"]
    assert [it.text["finding"].id for it in findings] == ["rule-never-scores.not-laid"]
    assert [(other.span.position[0], it.text["count"]) for it in findings for other in it.related] == [(25, 1)]
