"""Series of cards: one entry for many."""

import json

import pytest
from msgspec.structs import replace

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
        ("number", {"n": "1-20"}, "same name"),
        ("n{n}", {"n": "20-1"}, "at least one"),
        ("n{n}", {"n": "1-301"}, "at most 300"),
        ("n{n}", {"n": "many"}, "from a number to a number"),
        ("n{n}", {"n": "1-2", "m": "1-2"}, "from which number"),
        ("n{n}", None, "from which number"),
    ],
)
def test_series_that_cannot_be_written_out(name, series, said):
    card = {"count": 1, "adds": {"sum": 1}} | ({"series": series} if series else {})
    document, findings = opened({name: card})
    assert document is None
    assert [own.code for own in findings][:1] == ["bad-series"]
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


@pytest.mark.parametrize(("name", "series"), [("bid", "1-3"), ("bid_{n}", "3-1"), ("bid_{n}", "few")])
def test_series_of_ways_that_cannot_be_written_out(name, series):
    document, findings = choosing(keep={}, **{name: {"series": {"n": series}, "cards": 0}})
    assert document is None
    assert [own.code for own in findings] == ["bad-series"]


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
    document, _ = with_ways({"{c}_up": {"cards": 0, "do": [{"add": {"tea_price": 1}}]}})
    assert document is not None
    _, findings = resolve(document, NOTHING_SELECTED)
    (found,) = [own for own in findings if own.severity == "error"]
    assert (found.code, found.message) == ("bad-series", "This letter stands for nothing.")
