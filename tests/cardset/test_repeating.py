"""`for`: one entry for many, and `series` and `each` of format 1, which are upgraded to it."""

import json

import pytest
from msgspec.structs import replace

from draftengine.model.cardset.records import text_in
from draftengine.model.selection import NOTHING_SELECTED, open_document, resolve

GAME = {
    "format": 1,
    "id": "series",
    "title": "Series",
    "version": "1.0.0",
    "players": "2-6",
    "rounds": 1,
    "round": [
        {"deal": {"to": "hand", "cards": 3}},
        {"choose": {"from": "hand", "to": "tableau", "cards": 3}},
        {"score": "round"},
    ],
    "setup": [{"shuffle": "deck"}],
    "winner": {"order": "most"},
}


def opened(cards, points="sum"):
    data = {**GAME, "cards": cards, "scoring": {"high": {"kind": "formula", "points": points}}}
    return open_document(json.dumps(data).encode(), "series.yaml", lambda _: None)


def test_three_hundred_cards_need_no_counters_of_their_own():
    """Check that only cards that formulas read have counters."""
    from compiled import load_program

    document, findings = opened({"n{n}": {"series": {"n": "1-300"}, "count": 1, "adds": {"sum": "{n}"}}})
    assert document is not None, findings
    program = load_program(document, NOTHING_SELECTED, 3)
    assert len(program.cards) == 300
    assert [own.name for own in program.fields] == ["sum"]


def test_numbers_stand_in_names_texts_and_formulas():
    cards = {"c{i}x": {"series": {"i": "8-10"}, "count": 2, "label": "No. {i}", "on_play": [{"points": "{i} * 2"}]}}
    document, findings = opened({**cards, "bread": {"count": 9, "adds": {"sum": 1}}})
    assert document is not None, findings
    model, _ = resolve(document, NOTHING_SELECTED)
    assert [card.id for card in model.cards] == ["c8x", "c9x", "c10x", "bread"]
    assert [dict(card.label)[""] for card in model.cards[:3]] == ["No. 8", "No. 9", "No. 10"]
    assert [card.on_play[0].amount.text for card in model.cards[:3]] == ["8 * 2", "9 * 2", "10 * 2"]


def test_lists_tell_a_series_in_one_line():
    """Check that a series is listed in one line, except for members with a text of their own."""
    from draftengine.api.phrasing.vocabulary import series_of

    by_hand = {f"tea_{n}": {"count": 1, "adds": {"sum": n}} for n in range(1, 8)}
    document, findings = opened({"n{n}": {"series": {"n": "1-14"}, "count": 1, "adds": {"sum": 1}}, **by_hand})
    assert document is not None, findings
    model, _ = resolve(document, NOTHING_SELECTED)
    assert [len(own) for own in series_of(model.cards)] == [14, *[1] * 7]
    changed = replace(model.cards[6], text_at=model.cards[-1].span)
    assert [len(own) for own in series_of((*model.cards[:6], changed, *model.cards[7:14]))] == [6, 1, 7]


@pytest.mark.parametrize(
    ("name", "series", "said"),
    [
        ("number", {"n": "1-20"}, "would have the same"),
        ("n{n}", {"n": "20-1"}, "goes backwards"),
        ("n{n}", {"n": "1-2001"}, "more than 2000"),
        ("n{n}", {"n": "1-2", "m": "1-2"}, "would make two entries called"),
    ],
)
def test_series_that_cannot_be_written_out(name, series, said):
    document, findings = opened({name: {"count": 1, "adds": {"sum": 1}, "series": series}})
    assert document is None
    assert [own.code for own in findings][:1] == ["bad-for"]
    assert said in findings[0].message


def choosing(**ways):
    """Return the game whose choice has these actions."""
    flow = [GAME["round"][0], {"repeat": {"times": 3, "do": [{"choose": {"as": ways}}]}}, GAME["round"][2]]
    cards = {"bread": {"count": 30, "adds": {"sum": 1}}}
    scoring = {"high": {"kind": "formula", "points": "sum + bid"}}
    data = {**GAME, "round": flow, "cards": cards, "scoring": scoring, "counters": {"bid": {"max": 9}}}
    return open_document(json.dumps(data).encode(), "series.yaml", lambda _: None)


def test_ways_come_in_series_too():
    bid = {"series": {"n": "2-6/2"}, "cards": 0, "label": "Bid {n}", "do": [{"set": {"bid": "{n}"}}]}
    document, findings = choosing(keep={}, **{"bid_{n}": bid})
    assert document is not None, findings
    model, _ = resolve(document, NOTHING_SELECTED)
    keep, *bids = model.round[1].do[0].as_
    assert [own.id for own in (keep, *bids)] == ["keep", "bid_2", "bid_4", "bid_6"]
    assert [own.do[0].amounts[0].formula.text for own in bids] == ["2", "4", "6"]
    assert [dict(own.label)[""] for own in bids] == ["Bid 2", "Bid 4", "Bid 6"]


@pytest.mark.parametrize(("name", "series"), [("bid", "1-3"), ("bid_{n}", "3-1")])
def test_series_of_ways_that_cannot_be_written_out(name, series):
    document, findings = choosing(keep={}, **{name: {"series": {"n": series}, "cards": 0}})
    assert document is None
    assert [own.code for own in findings] == ["bad-for"]


def with_ways(ways):
    """Return a game in which `soup` has this choice, with a counter and a pile for each of two cards."""
    cards = {
        "soup": {"count": 20, "on_play": [{"choose": {"as": ways}}]},
        "tea": {"count": 20, "family": "drink"},
        "milk": {"count": 20, "family": "drink"},
    }
    data = {
        **GAME,
        "cards": cards,
        "counters": {"tea_price": {}, "milk_price": {}},
        "zones": {f"{own}_pile": {"per": "table", "seen_by": "everyone"} for own in ("tea", "milk")},
        "scoring": {"prices": {"kind": "formula", "points": "tea_price + milk_price"}},
    }
    return open_document(json.dumps(data).encode(), "series.yaml", lambda _: None)


@pytest.mark.parametrize("inside", [False, True])
def test_a_letter_stands_at_the_beginning_of_names_in_keys_and_in_parts_of_names(inside):
    """Check the letter at the start of names, in keys and in parts of names, also in actions."""
    own = {
        "each": {"c": "drink"},
        "cards": 0,
        "when": "{c} > 0",
        "do": [{"add": {"{c}_price": 1}}, {"draw": {"from": "{c}_pile", "to": "hand", "cards": 1}}],
    }
    ways = {"{c}_up": own}
    if inside:
        ways = {"change": {"cards": 0, "do": [{"choose": {"as": ways}}]}}
    document, findings = with_ways(ways)
    assert document is not None, findings
    model, found = resolve(document, NOTHING_SELECTED)
    assert not [one for one in found if one.severity == "error"]
    choice = model.cards[0].on_play[0]
    if inside:
        choice = choice.as_[0].do[0]
    assert [way.id for way in choice.as_] == ["tea_up", "milk_up"]
    assert [[one.counter for one in way.do[0].amounts] for way in choice.as_] == [["tea_price"], ["milk_price"]]
    assert [way.do[1].from_ for way in choice.as_] == ["tea_pile", "milk_pile"]


def test_numbers_stand_in_keys():
    document, findings = opened({"n{n}": {"series": {"n": "1-2"}, "count": 9, "adds": {"a_{n}": 1}}}, "a_1 - a_2")
    assert document is not None, findings
    model, _ = resolve(document, NOTHING_SELECTED)
    assert [card.adds for card in model.cards] == [(("a_1", 1),), (("a_2", 1),)]


def test_a_letter_that_stands_for_nothing_is_no_name():
    document, (found,) = with_ways({"{c}_up": {"cards": 0, "do": [{"add": {"tea_price": 1}}]}})
    assert document is None
    assert (found.code, found.message) == ("bad-for", "A letter in “{c}_up” has no values.")


HEAD = """
format: 2
id: gems
title: Gems
version: 1.0.0
players: 2-4
rounds: 1
lists:
  gem: {ruby: Rubies, onyx: {en: Onyx, pl: Onyks}}
  stall: [{what: tea, n: 1-3}, {what: milk, n: 5, cost: 2}]
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 3}
  - choose: {from: hand, to: tableau, cards: 3}
  - score: round
winner: {order: most}
"""
SCORING = "scoring: {all: {points: cards(tableau)}}\n"


def read(text, fetch=lambda _: None):
    """Return the model of a game, and the messages of all findings."""
    document, findings = open_document((HEAD + text).encode(), "gems.yaml", fetch)
    if document is None:
        return None, [finding.message for finding in findings]
    model, more = resolve(document, NOTHING_SELECTED)
    return model, [finding.message for finding in (*findings, *more)]


def test_comparisons_in_braces_are_numbers():
    """Check that a comparison counts as 1 or 0, in a value and as the condition of an `if`."""
    card = '"x_{n}": {for: {n: 6-8}, count: "{1 + (n > 6)}", has: {low: "{n <= 6}", high: "{3 if n != 7 else 5}"}}'
    model, messages = read(f"cards: {{{card}}}\n" + SCORING)
    assert model is not None, messages
    assert [(card.count, dict(card.has)) for card in model.cards] == [
        (1, {"low": 1, "high": 3}),
        (2, {"low": 0, "high": 5}),
        (2, {"low": 0, "high": 3}),
    ]


def test_every_combination_that_a_condition_keeps():
    """Check names by their place in the list, arithmetic, and labels of lists in texts."""
    model, messages = read(
        """
cards:
  "{g}_{n}":
    for: {g: gem, n: 1-3, if: "n < 3 and g < onyx or n == 3"}
    count: 9
    label: "{g} no. {n + 6}"
    adds: {"{g}s": "{n}", worth: "{10 + n % 3}"}
scoring:
  "{g}": {for: {g: gem}, each: "{g}s", points: 2, text: "{points} for each of the {g}."}
"""
    )
    assert not messages
    assert [(card.id, text_in(card.label, "en"), card.adds) for card in model.cards] == [
        ("ruby_1", "Rubies no. 7", (("rubys", 1), ("worth", 11))),
        ("ruby_2", "Rubies no. 8", (("rubys", 2), ("worth", 12))),
        ("ruby_3", "Rubies no. 9", (("rubys", 3), ("worth", 10))),
        ("onyx_3", "Onyx no. 9", (("onyxs", 3), ("worth", 10))),
    ]
    assert [(rule.id, rule.text) for rule in model.scoring] == [
        ("ruby", (("", "2 for each of the Rubies."),)),
        ("onyx", (("en", "2 for each of the Onyx."), ("pl", "2 for each of the Onyks."))),
    ]


def test_rows_of_a_table():
    """Check a row, a row with a range, and a key whose letter the row lacks."""
    model, _ = read('cards: {"{what}_{n}": {for: stall, count: 9, has: {cost: "{cost}"}}}\n' + SCORING)
    assert [(card.id, card.has) for card in model.cards] == [
        ("tea_1", ()), ("tea_2", ()), ("tea_3", ()), ("milk_5", (("cost", 2),)),
    ]  # fmt: skip


def test_cells_of_a_table_have_the_labels_of_lists():
    """Check that a text says what a list calls a cell, and that names keep the cell itself."""
    model, _ = read(
        """
cards:
  "{one}_{two}": {for: [{one: ruby, two: onyx}, {one: onyx, two: plain}], count: 9, label: "{one}, {two}"}
"""
        + SCORING
    )
    assert [(card.id, text_in(card.label, "pl")) for card in model.cards] == [
        ("ruby_onyx", "Rubies, Onyks"), ("onyx_plain", "Onyks, plain"),
    ]  # fmt: skip


def test_one_text_is_there_in_all_languages_of_its_labels():
    """Check that a text without languages gets those of its labels, and that others keep theirs."""
    model, _ = read(
        """
cards:
  "{c}_{n}":
    for: {c: {red: {en: Red, pl: Czerwony}, blue: Blue}, n: 1-1}
    count: 9
    label: "{c} {n}"
    text: {en: "{c}."}
"""
        + SCORING
    )
    assert [(dict(card.label), dict(card.text)) for card in model.cards] == [
        ({"en": "Red 1", "pl": "Czerwony 1"}, {"en": "Red."}), ({"": "Blue 1"}, {"en": "Blue."}),
    ]  # fmt: skip


def test_items_of_lists_entries_beside_it_and_single_values():
    """Check `for` in the flow, in a mapping whose entries have the letter, and `is` in a list."""
    model, _ = read(
        """
cards: {bread: {count: 30, family: [{for: {n: 1-3}, is: "food_{n}"}]}}
counters: {"{g}": {for: {g: gem}, max: 9}}
zones: {"{g}_pile": {for: {g: gem}, per: table, seen_by: everyone}}
finish:
  - {for: {g: gem}, draw: {to: "{g}_pile", cards: 1}}
triggers: {start: {after: reveal, who: 1 == 1, do: [{set: {for: {g: gem}, "{g}": 3}}]}}
"""
        + SCORING
    )
    assert model.cards[0].family == ("food_1", "food_2", "food_3")
    assert [step.to for step in model.finish] == ["ruby_pile", "onyx_pile"]
    assert [amount.counter for amount in model.triggers[0].do[0].amounts] == ["ruby", "onyx"]


def test_a_table_is_combined_with_letters_and_tables():
    """Check that each row comes with each value beside it, and that a condition compares all letters."""
    model, _ = read(
        """
cards:
  "{what}_{n}_{m}": {for: [stall, {m: 2-4, if: m > n or what == milk}], count: 9, label: "{what} {n}"}
zones: {"{what}_{n}_{g}": {for: [{g: gem}, stall], per: table, seen_by: everyone}}
"""
        + SCORING
    )
    assert [card.id for card in model.cards] == [
        *("tea_1_2", "tea_1_3", "tea_1_4", "tea_2_3", "tea_2_4", "tea_3_4"),
        *("milk_5_2", "milk_5_3", "milk_5_4"),
    ]
    zones = [zone.id for zone in model.zones if zone.id.endswith(("_ruby", "_onyx"))]
    assert (len(zones), zones[:2], zones[-1]) == (8, ["tea_1_ruby", "tea_2_ruby"], "milk_5_onyx")


def test_the_letter_of_a_list_beside_others_is_proposed():
    """Check that the hint for a plain list among others can be used as it is."""
    _, (finding,) = open_document(
        (HEAD + 'cards: {"{g}_{n}": {for: [gem, {n: 1-9}], count: 9}}\n' + SCORING).encode(), "g.yaml", lambda _: None
    )
    assert "“for: {g: gem, n: 1-9}”" in finding.hint


def test_a_file_goes_through_the_lists_of_what_it_extends():
    base = (HEAD + 'cards: {"{g}_{n}": {for: {g: gem, n: 1-2}, count: 9}}\n' + SCORING).encode()
    text = """
format: 2
id: more_gems
extends: gems
cards: {"{g}_3": {for: {g: gem}, count: 4, label: "{g} 3"}, ruby_1: {count: 5}}
"""
    document, _ = open_document(text.encode(), "more.yaml", lambda _: ("gems.yaml", base))
    model, _ = resolve(document, NOTHING_SELECTED)
    assert [(card.id, card.count) for card in model.cards] == [
        ("ruby_1", 5), ("ruby_2", 9), ("onyx_1", 9), ("onyx_2", 9), ("ruby_3", 4), ("onyx_3", 4),
    ]  # fmt: skip
    assert text_in(model.cards[-1].label, "pl") == "Onyks 3"


def test_a_list_of_what_a_file_extends_stays_as_it_is():
    """Check that nobody changes a list too late: what goes through it is written out file by file."""
    base = (HEAD + 'cards: {"{g}_{n}": {for: {g: gem, n: 1-2}, count: 9}}\n' + SCORING).encode()
    text = "format: 2\nid: more\nextends: gems\nlists:\n  kind: [soft]\n  gem: [opal]\n"
    document, (finding,) = open_document(text.encode(), "more.yaml", lambda _: ("gems.yaml", base))
    assert document is None
    assert (finding.code, finding.span.position) == ("bad-for", (6, 3))
    assert finding.message.startswith("The game that this file changes has a list “gem”")


@pytest.mark.parametrize(
    ("card", "message"),
    [
        ('"x": {for: {g: gem}, count: 9}', "does not occur in the name"),
        ('"x_{n}": {for: {n: 9-1}, count: 9}', "9-1 goes backwards."),
        ('"x_{n}": {for: {n: stall}, count: 9}', "“stall” is a list of rows"),
        ('"x_{n}": {for: nowhere, count: 9}', "no list of rows called “nowhere”"),
        ('"{c}_{n}": {for: [gem, {n: 1-9}], count: 9}', "no list of rows called “gem”"),
        ('"{what}_{n}_{m}": {for: [stall, {m: 3-1}], count: 9}', "3-1 goes backwards."),
        ('"{what}_{n}": {for: [stall, stall], count: 9}', "This “for” would make two entries called “tea_1”."),
        ('"{what}_{n}_{m}": {for: [stall, {m: 1-999}], count: 9}', "more than 2000 entries"),
        ('"{what}_{n}_{m}": {for: [stall, {m: 1-9, if: m > 9}], count: 9}', "has no values to go through"),
        ('"x_{n}": {for: {n: 1-9, if: n < m}, count: 9}', "“n < m” can't be computed."),
        ('"x_{n}": {for: {n: 1-9, m: 1-9}, count: 9}', "This “for” would make two entries called “x_1”."),
        ('"x_{n}_{m}": {for: {n: 1-50, m: 1-50}, count: 9}', "more than 2000 entries"),
        ('"x_{n}": {for: {n: 1-9, if: n > 9}, count: 9}', "has no values to go through"),
    ],
)
def test_what_cannot_be_written_out(card, message):
    model, messages = read(f"cards: {{{card}}}\n" + SCORING)
    assert model is None
    assert [message in text for text in messages] == [True]


NESTED = """
format: 2
id: nested
title: Nested
version: 1.0.0
players: 2
lists:
  trade: [{a: 2, b: true}, {a: 3, b: its(soup) == 0}, {a: 4}]
  spice: [yellow, red, brown]
cards:
  soup: {count: 10, cost: {red: 0, yellow: 1}}
  "t_{a}":
    for: trade
    family: [{for: {k: 1-3, if: k + 1 < a}, is: "over_{k}"}]
    on_play:
      - choose:
          as:
            "times_{k}": {for: {k: 1-2}, pay: {yellow: "{k * a}"}, do: [{add: {red: "{k * 2 + a}"}, when: "{b}"}]}
zones: {grid: {copies: [2, 3]}}
counters: {"{s}": {for: {s: spice}, max: 60}}
payments: {claim: {goods: spice, from: [{counters: same}]}}
setup:
  - {for: {k: 1-3}, do: [{for: {j: 1-3, if: j < k}, add: {yellow: "{10 * k + j}"}}]}
  - {for: {s: spice}, do: [{for: {t: spice}, if: t != s, set: {"{t}": "{s}"}}]}
  - {for: trade, if: a > 2, add: {brown: "{a}"}}
  - {for: [{a: 7}, {a: 8}], if: a > 7, add: {brown: "{a}"}}
  - {for: {r: 1-2}, do: [{for: {i: 1-3}, draw: {to: "grid_{3 * r - 3 + i}"}}]}
  - {for: [trade, {n: 1-2}], if: a == n + 1, set: {red: "{n}"}}
round:
  - shuffle: deck
define: {weighed: {for: [{s: red, v: 2}, {s: brown, v: 3}], sum: "{s} * {v}"}}
scoring: {soup: {points: {for: {s: spice}, sum: "{s} + 1"}}, both: {points: weighed}}
"""


def test_a_for_inside_another_one_knows_its_letters():
    """Check that letters of two `for` meet in braces and conditions, also in one next to a table."""
    document, findings = open_document(NESTED.encode(), "nested.yaml", lambda _: None)
    assert document is not None, findings
    model, _ = resolve(document, NOTHING_SELECTED)
    setup = [step for outer in model.setup for step in getattr(outer, "within", ()) or (outer,)]
    assert [amount.formula.text for step in setup[:3] for amount in step.amounts] == ["21", "31", "32"]
    pairs = [(amount.formula.text, amount.counter) for step in setup[3:9] for amount in step.amounts]
    assert pairs == [
        (other, name) for other in ("yellow", "red", "brown") for name in ("yellow", "red", "brown") if name != other
    ]
    assert [amount.formula.text for step in setup[9:12] for amount in step.amounts] == ["3", "4", "8"]
    assert [step.to for step in setup[12:18]] == [f"grid_{n}" for n in range(1, 7)]
    assert [amount.formula.text for step in setup[18:] for amount in step.amounts] == ["1", "2"]
    ways = model.cards[2].on_play[0].as_
    assert [(way.pay[0].formula.text, way.do[0].amounts[0].formula.text) for way in ways] == [("3", "5"), ("6", "7")]
    assert [card.on_play[0].as_[0].do[0].when for card in model.cards[1:]][2] is None
    assert [card.family for card in model.cards[1:]] == [(), ("over_1",), ("over_1", "over_2")]
    assert dict(model.cards[0].cost) == {"yellow": 1}
    sums = [formula.text for rule in model.scoring for formula in rule.spec.inputs()]
    assert sums == ["(yellow + 1) + (red + 1) + (brown + 1)", "weighed"]
    assert model.definitions[0].formula.text == "(red * 2) + (brown * 3)"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("{for: trade, if: a > 2,", "{for: trade, if: a > 9,", "This “for” has no values to go through."),
        ("if: a > 2, add: {brown:", 'if: a > 2, add: {"brown{b}":', "A row of this “for” has no “b”"),
        ('sum: "{s} * {v}"', 'sum: ["{s} * {v}"]', "Only a formula can be added up here."),
    ],
)
def test_mistakes_of_inner_letters(tmp_path, old, new, message):
    """Check that mistakes of an inner `for`, of a row and of a sum are one error each."""
    import draftengine as de

    path = tmp_path / "nested.yaml"
    path.write_text(NESTED.replace(old, new))
    errors = [finding for finding in de.check(path) if finding.code == "bad-for"]
    assert [finding.message.startswith(message) for finding in errors] == [True]
