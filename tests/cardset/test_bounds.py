"""Flows with bounded repeats are accepted, and games stay within the proved bounds."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import NIGHTLY
from draftengine.model.checks import run
from draftengine.model.diagnostics import has_errors
from draftengine.model.flow import MAX_FOLLOWED, flow_bounds
from draftengine.model.flow.positions import Between, Position, fewest, merged, most
from draftengine.model.library import examine
from draftengine.model.selection import open_document, resolve
from engine import gates
from engine.feasts import program_of

MARKERS = ("spoon", "ladle", "crown")
UNCERTAIN = (
    "total(points) > 3",
    "most(soup) > 1",
    "seats_with(holds(spoon)) > 0 or total(gold) > 2",
    "cards(row) == 0",
)

BASE = {
    "format": 1,
    "id": "drawn",
    "title": "Drawn",
    "version": "1.0.0",
    "cards": {"soup": {"count": 40}, "gold": {"count": 9, "adds": {"coins": 2}}},
    "markers": {marker: {"start": "nobody"} for marker in MARKERS},
    "zones": {
        "offer": {"per": "seat", "seen_by": "owner"},
        "spare": {"per": "seat", "seen_by": "owner"},
        "row": {"per": "table", "seen_by": "everyone"},
    },
    "counters": {"stars": {"start": 1, "max": 3}},
    "setup": [{"shuffle": "deck"}],
    "triggers": {
        f"takes_{marker}": {"after": "reveal", "who": f"gained({card}) > 0", "only": "single", "do": [{"take": marker}]}
        for marker, card in zip(MARKERS, ("soup", "gold", "soup"), strict=True)
    },
    "scoring": {"soup": {"kind": "each", "of": "soup", "points": 1}},
    "winner": {"order": "most"},
}

WAYS = {
    "lay": {"cards": 0, "when": "cards(row) < 3", "do": [{"draw": {"to": "row", "cards": 1}}]},
    "take": {"cards": 0, "when": "cards(row) > 0", "do": [{"draw": {"from": "row", "to": "spare", "cards": 3}}]},
    "wait": {"cards": 0},
}
MARKER = st.sampled_from(MARKERS)
FEW = st.integers(1, 3)
STEPS = st.one_of(
    st.builds(lambda marker: {"choose": {"from": "hand", "to": "spare", "who": {"holder": marker}}}, MARKER),
    st.builds(lambda own, most: {"draw": {"to": "offer", "cards": most, "who": {"holder": own}}}, MARKER, FEW),
    st.builds(lambda marker, to: {"give": {"marker": marker, "to": to}}, MARKER, st.sampled_from(["left", "nobody"])),
    st.builds(lambda marker: {"give": {"marker": marker, "to": {"most": "soup"}, "tie": "left"}}, MARKER),
    st.builds(lambda most: {"draw": {"to": "row", "cards": f"max(0, {most} - cards(row))"}}, FEW),
    st.sampled_from(
        [
            {"choose": {"from": "offer", "to": "tableau"}},
            {"move": {"from": "offer", "to": "deck"}},
            {"move": {"from": "row", "to": "discard"}},
            {"move": {"from": "discard", "to": "deck"}},
            {"shuffle": "deck"},
            {"pass": {"zone": "hand", "to": "left"}},
            {"draw": {"to": "spare", "cards": "1 + turn % 2"}},
            {"move": {"from": "spare", "to": "hand"}},
            {"clear": "tableau"},
            {"in_turn": {"do": [{"choose": {"as": WAYS}}]}},
            {"in_turn": {"who": "cards(row) > 0", "do": [{"choose": {"as": WAYS}}]}},
        ]
    ),
)  # fmt: skip
CONDITIONAL = st.one_of(STEPS, st.builds(lambda step, when: {**step, "when": when}, STEPS, st.sampled_from(UNCERTAIN)))
ENDS = st.sampled_from(
    [
        {"times": 7},
        {"times": "3 + round"},
        {"until": "turn >= 6 or total(points) > 40"},
        {"until": "most(soup) > 2 or turn == (players if round == 1 else 4)"},
        {"until": "not (turn < 3 + round)"},
        {"until": "total(points) > 30", "at_most": 9},
        {"until": "cards(deck) < 5", "at_most": 8},
        {"until_empty": "hand", "at_most": "2 * players"},
    ]
)
CALM = CONDITIONAL.filter(lambda own: own.get("move", {}).get("to") not in {"deck", "hand"})
KEPT_OR_SOLD = {"keep": {"when": "gold > 1", "do": [{"points": 1}]}, "sell": {"to": "discard"}}
SHRINKING = st.sampled_from(
    [
        ({"until": "cards(deck) < 5"}, {"draw": {"to": "row", "cards": 1}}),
        ({"until": "cards(deck) <= players or most(soup) > 3"}, {"draw": {"to": "offer", "cards": "3 - players // 3"}}),
        ({"until_empty": "deck"}, {"draw": {"to": "row", "cards": 2}}),
        ({"until_empty": "hand"}, {"choose": {"from": "hand", "to": "tableau"}}),
        ({"until": "total(cards(hand)) == 0 or cards(row) == 9"}, {"choose": {"from": "hand", "to": "spare"}}),
        ({"until": "total(cards(hand)) == 0"}, {"move": {"from": "hand", "to": "spare"}}),
        ({"until_empty": "hand"}, {"choose": {"from": "hand", "as": KEPT_OR_SOLD}}),
        ({"until_empty": "hand"}, {"in_turn": {"by": "0 - soup", "do": [{"choose": {"from": "hand", "to": "spare"}}]}}),
        (
            {"until": "cards(deck) < 5"},
            {"in_turn": {"do": [{"draw": {"to": "offer", "cards": "2 if soup > 1 else 1"}}]}},
        ),
        ({"until_empty": "deck"}, {"repeat": {"times": "players // 2", "do": [{"draw": {"to": "row", "cards": 1}}]}}),
    ]
)
"""Ends of a repeat, each with the step by which a zone shrinks in every turn."""


INNER = st.recursive(
    CONDITIONAL,
    lambda steps: st.builds(
        lambda ends, do: {"repeat": {**ends, "do": do}}, ENDS, st.lists(steps, min_size=1, max_size=3)
    ),
    max_leaves=4,
)
"""Repeats within a turn."""


@st.composite
def flows(draw: st.DrawFn) -> dict[str, object]:
    """Return a game whose markers and conditions multiply the possible positions."""
    turn = [{"choose": {"from": "hand", "to": "tableau"}}, *draw(st.lists(CONDITIONAL, min_size=2, max_size=9))]
    if draw(st.booleans()):
        turn.append(draw(INNER))
    return game_of(draw, draw(st.sampled_from([1, 2, 3, 5])), {**draw(ENDS), "do": turn})


@st.composite
def shrinking_flows(draw: st.DrawFn) -> dict[str, object]:
    """Return a game whose repeats, also nested ones, end only because a zone shrinks."""
    ends, takes = draw(SHRINKING)
    turn = [takes, *draw(st.lists(CALM, min_size=1, max_size=8))]
    for inner, *own in draw(st.lists(st.one_of(SHRINKING, st.tuples(ENDS)), max_size=1)):
        turn.append({"repeat": {**inner, "do": [*own, *draw(st.lists(CALM, min_size=1, max_size=3))]}})
    return game_of(draw, 1, {**ends, "do": draw(st.permutations(turn))})


def game_of(draw: st.DrawFn, rounds: int, turns: dict[str, object]) -> dict[str, object]:
    return {
        **BASE,
        "players": draw(st.integers(2, 5)),
        "rounds": rounds,
        "round": [
            {"draw": {"to": "hand", "cards": draw(st.integers(1, 6))}},
            {"repeat": turns},
            {"score": "round"},
            {"gather": "deck"},
        ],
    }


@given(st.one_of(flows(), shrinking_flows()))
@settings(max_examples=500 if NIGHTLY else 10, deadline=None)
def test_bounded_flows_are_accepted_and_end(game):
    """Check that the dry run stays within limits, and a random game within the proved bounds."""
    text = json.dumps(game)
    document, findings = open_document(text.encode(), "drawn.yaml", lambda _name: None)
    assert document is not None, findings
    model, findings = resolve(document)
    assert model is not None, findings
    own = flow_bounds(model, game["players"])
    assert own.findings == ()
    assert own.work < 4 * MAX_FOLLOWED
    if has_errors(examine(document)):  # e.g. a choice from a zone that is always empty
        return
    program = program_of(text, players=game["players"])
    sizes = dict(own.sizes)
    turns = 0
    for state, _, _, _, events in gates.steps(program, 5):
        turns += sum(event.kind == "turn-started" for event in events)
        for zone, owners in zip(program.zones, state.zones, strict=True):
            assert all(len(cards) <= most for cards, most in zip(owners, sizes[zone.id], strict=True)), zone.id
    assert turns <= own.turns


def model_of(text):
    document, findings = open_document(text.encode(), "game.yaml", lambda _name: None)
    assert document is not None, findings
    model, findings = resolve(document)
    assert model is not None, findings
    return model


WITHIN_TURNS = {"choose": {"from": "hand", "to": "spare", "who": {"holder": "spoon"}}}


def test_a_zone_that_only_shrinks_is_enough():
    """Check that a shrinking zone bounds the turns, however many positions there are to follow."""
    turn = [
        {"draw": {"to": "row", "cards": 1}},
        *[WITHIN_TURNS] * 7,
        {"give": {"marker": "spoon", "to": {"most": "soup"}, "tie": "left"}},
        {"repeat": {"times": 7, "do": [WITHIN_TURNS, {"draw": {"to": "row", "cards": "max(0, 2 - cards(row))"}}]}},
    ]
    rounds = [
        {"draw": {"to": "hand", "cards": 1}},
        {"repeat": {"until": "cards(deck) < 5", "do": turn}},
        {"score": "round"},
        {"gather": "deck"},
    ]
    game = {**BASE, "players": 5, "rounds": 3, "round": rounds}
    own = flow_bounds(model_of(json.dumps(game)), 5)
    assert own.findings == ()
    assert own.turns <= 3 * 40 * 8, "of 44 cards 40 are drawn, each in a turn with seven within it"
    (refused,) = flow_bounds(model_of(json.dumps({**game, "rounds": 63})), 5).findings
    assert refused.message == "The game has more than 20000 turns in round 63, which is the limit."


@pytest.mark.parametrize(
    "cards",
    [
        *("max(1, soup)", "soup + 1", "1 + total(coins)", "2 - (stars > 0)", "4 - min(stars, 3)", "1 + cards(discard)"),
        *("1 + cards(row, soup)", "1 + highest(row, coins, 0)", "1 + sum(row, coins)", "3 - lowest(row, coins, 1)"),
    ],
)
def test_what_each_seat_draws_is_enough(cards):
    """Check formulas about the drawing seat that are never 0: the deck shrinks, so turns are bounded."""
    turn = [{"draw": {"to": "hand", "cards": cards}}, {"choose": {"from": "hand", "to": "tableau"}}]
    rounds = [{"repeat": {"until_empty": "deck", "do": turn}}, {"score": "round"}]
    assert flow_bounds(model_of(json.dumps({**BASE, "players": 2, "rounds": 1, "round": rounds})), 2).findings == ()


@pytest.mark.parametrize(
    ("cards", "turns"), [("max(1, cards(hand) // 2)", 5), ("soup + 1", 9), ("3 - min(2, stars)", 9)]
)
def test_what_each_seat_takes_is_enough(cards, turns):
    """Check a hand that only shrinks because each seat takes at least one card."""
    turn = [{"choose": {"from": "hand", "cards": cards}}, {"pass": {"zone": "hand", "to": "left"}}]
    rounds = [{"deal": {"to": "hand", "cards": 9}}, {"repeat": {"until_empty": "hand", "do": turn}}, {"score": "round"}]
    own = flow_bounds(model_of(json.dumps({**BASE, "players": 2, "rounds": 1, "round": rounds})), 2)
    assert (own.findings, own.turns) == ((), turns)


@pytest.mark.parametrize(
    ("ends", "step"),
    [
        ({"until": "cards(deck) < 5"}, {"draw": {"to": "row", "cards": 1}, "when": "most(soup) > 1"}),
        ({"until": "cards(deck) < 5"}, {"draw": {"to": "offer", "cards": 1, "who": {"holder": "spoon"}}}),
        ({"until": "cards(deck) < 5"}, {"draw": {"to": "row", "cards": "1 - min(1, cards(row))"}}),
        ({"until": "cards(deck) < 5"}, {"draw": {"to": "row", "cards": 1, "of": "soup", "from": "row"}}),
        ({"until_empty": "deck"}, {"draw": {"to": "hand", "cards": "2 - cards(hand)"}}),
        ({"until_empty": "deck"}, {"draw": {"to": "hand", "cards": "soup"}}),
        ({"until_empty": "deck"}, {"draw": {"to": "hand", "cards": "points + 1"}}),
        ({"until_empty": "deck"}, {"draw": {"to": "hand", "cards": "3 - highest(row, coins, 3)"}}),
        ({"until": "most(soup) > 3"}, {"draw": {"to": "row", "cards": 1}}),
        ({"until_empty": "deck"}, {"choose": {"from": "hand", "to": "tableau"}}),
        ({"until_empty": "hand"}, {"choose": {"from": "hand", "cards": "cards(hand) // 2"}}),
        ({"until_empty": "hand"}, {"choose": {"from": "hand", "cards": "soup"}}),
    ],
)
def test_what_need_not_shrink_is_not_enough(ends, step):
    turns = {"repeat": {**ends, "do": [step]}}
    game = {
        **BASE,
        "players": 2,
        "rounds": 1,
        "round": [{"deal": {"to": "hand", "cards": 6}}, turns, {"score": "round"}],
    }
    assert [own.code for own in flow_bounds(model_of(json.dumps(game)), 2).findings] == ["endless-turns"]


ASIDE = {"choose": {"from": "hand", "to": "spare", "cards": "0-3"}}
BACK = {"move": {"from": "spare", "to": "hand"}}
PLAY = {"choose": {"from": "hand", "to": "tableau"}}
ON = {"pass": {"zone": "hand", "to": "left"}}


@pytest.mark.parametrize(
    ("do", "codes"),
    [
        ([ASIDE, BACK, PLAY, ON], []),
        ([PLAY, ASIDE, BACK, ON], []),
        ([ASIDE, BACK, ASIDE, BACK, PLAY], []),
        ([{**ASIDE, "when": "most(soup) > 1"}, BACK, PLAY, ON], []),
        ([ASIDE, PLAY, BACK, ON], ["endless-turns"]),
        ([ASIDE, BACK, ASIDE, PLAY, BACK], ["endless-turns"]),
        ([ASIDE, {**BACK, "when": "most(soup) > 1"}, PLAY, BACK], ["endless-turns"]),
        ([ASIDE, BACK, {**PLAY, "when": "most(soup) > 1"}], ["endless-turns"]),
        ([ASIDE, BACK, PLAY, {"draw": {"to": "spare", "cards": "1 - min(1, points)"}}], ["endless-turns"]),
    ],
)
def test_cards_that_are_put_aside_come_back(do, codes):
    """Check turns that put cards of a hand aside. A card is surely played only while all lie in the hand."""
    rounds = [{"deal": {"to": "hand", "cards": 6}}, {"repeat": {"until_empty": "hand", "do": do}}, {"score": "round"}]
    bounds = flow_bounds(model_of(json.dumps({**BASE, "players": 2, "rounds": 1, "round": rounds})), 2)
    assert [finding.code for finding in bounds.findings] == codes
    assert codes or bounds.turns <= 12


ONE = {"draw": {"to": "row", "cards": 1}}
TWO = {"draw": {"to": "offer", "cards": 2}}
LATER = {"choose": {"from": "hand", "to": "tableau"}}
MORE = {"draw": {"from": "hand", "to": "row", "cards": 1}}
PLAYED = {"move": {"from": "spare", "to": "tableau"}}


@pytest.mark.parametrize(
    "do",
    [
        [{**ONE, "when": "total(points) > 3"}, {**ONE, "when": "not total(points) > 3"}],
        [{**ONE, "when": "total(points) > 3"}, {**TWO, "when": "total(points) <= 3"}],
        [{**ONE, "when": "3 < total(points)"}, {"shuffle": "deck"}, {**TWO, "when": "total(points) < 4"}, LATER],
        [{**ONE, "when": "most(soup) > most(stars)"}, {**TWO, "when": "not (most(stars) < most(soup))"}],
        [
            {**ONE, "when": "most(soup) > 3 and most(stars) > 1"},
            {**TWO, "when": "most(soup) < 4"},
            {**ONE, "when": "most(stars) <= 1"},
        ],
        [LATER, {**ONE, "when": "cards(discard) == 0"}, {**TWO, "when": "cards(discard) != 0"}],
        [{**ONE, "when": "most(stars) > 1"}, {**TWO, "when": "most(soup) > 3"}, {**ONE, "when": "most(soup) <= 3"}],
    ],
)
def test_one_of_several_steps_is_enough(do):
    """Check steps whose conditions cannot all fail: one of them draws in each turn."""
    assert _ends_with_the_deck(do) == []


@pytest.mark.parametrize(
    "do",
    [
        [{**ONE, "when": "total(points) > 3"}, {**ONE, "when": "total(points) < 3"}],
        [{**ONE, "when": "most(soup) > 3"}, LATER, {**ONE, "when": "most(soup) <= 3"}],
        [{**ONE, "when": "most(soup) > 3"}, {**ONE, "when": "most(stars) <= 1"}],
        [{**TWO, "when": "sum(row, coins) > 8"}, MORE, {**TWO, "when": "sum(row, coins) <= 8"}],
        [{**TWO, "when": "most(soup) > 3"}, PLAYED, {**TWO, "when": "most(soup) <= 3"}],
    ],
)
def test_one_of_several_steps_is_not_enough(do):
    """Check conditions that may all fail, also because a step between them changes a value."""
    assert _ends_with_the_deck(do) == ["endless-turns"]


def _ends_with_the_deck(do):
    """Return the findings about turns that repeat until the deck is empty."""
    rounds = [
        {"deal": {"to": "hand", "cards": 6}},
        {"draw": {"to": "row", "cards": 8}},
        {"repeat": {"until_empty": "deck", "do": do}},
        {"score": "round"},
    ]
    game = {**BASE, "players": 2, "rounds": 1, "round": rounds}
    return [own.code for own in flow_bounds(model_of(json.dumps(game)), 2).findings]


DINER = """
format: 1
id: diner
title: Diner
version: 1.0.0
players: 3
rounds: 1
cards:
  soup: {count: SOUP}
  menu: {count: 12, on_play: [{take: diner}]}
markers: {diner: {start: nobody}}
zones: {offer: {per: seat, seen_by: owner}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 8}
  - repeat:
      times: 8
      do:
        - choose: {from: hand, to: tableau}
        - draw: {to: offer, cards: 2, who: {holder: diner}}
        - give: {marker: diner, to: nobody}
        - choose: {from: offer, to: tableau}
        - move: {from: offer, to: deck}
        - pass: {zone: hand, to: left}
  - DEAL: {to: hand, cards: 2}
  - score: round
scoring:
  soup: {kind: each, of: soup, points: 1}
winner: {order: most}
"""


def test_what_is_left_of_the_deck_is_known_exactly():
    """Check exact bounds of the deck: at most one card per turn stays out, so at most 60 of 72 are drawn."""
    game = DINER.replace("DEAL", "deal")
    assert flow_bounds(model_of(game.replace("SOUP", "60")), 3).findings == ()
    assert flow_bounds(model_of(game.replace("SOUP", "26")), 3).findings == ()
    (doubt,) = flow_bounds(model_of(game.replace("SOUP", "25")), 3).findings
    assert (doubt.code, doubt.hint) == (
        "deck-runs-out",
        "Write draw instead of deal: it takes as many cards as there are.",
    )
    assert doubt.message == (
        "The deal needs 6 cards, but deck may have only 5 in round 1. If that happens, the game ends at this point."
    )
    assert (
        flow_bounds(
            model_of(game.replace("SOUP", "25").replace("deal: {to: hand, cards: 2}", "draw: {to: hand}")), 3
        ).findings
        == ()
    )


NATURAL = ("times: 12", "until: cards(deck) < players + 1\n      at_most: 40", "until: cards(deck) == 0 or turn == 30")


def cell(low, high):
    return low if low == high else Between(low, high)


@given(
    has=st.tuples(st.integers(0, 6), st.integers(0, 4)),
    wanted=st.tuples(st.integers(0, 6), st.integers(0, 4)),
)
def test_taking_from_a_merged_zone(has, wanted):
    """Check that the bounds of taken and remaining cards contain every outcome, and are reached."""
    position = Position([[cell(has[0], sum(has))], [0]], [], [0], [0])
    taken = position.take(0, 0, cell(wanted[0], sum(wanted)))
    left = position.zones[0][0]
    ways = [(min(a, b), max(0, a - b)) for a in range(has[0], sum(has) + 1) for b in range(wanted[0], sum(wanted) + 1)]
    assert (fewest(taken), most(taken)) == (min(own for own, _ in ways), max(own for own, _ in ways))
    assert (fewest(left), most(left)) == (min(own for _, own in ways), max(own for _, own in ways))


def test_merged_positions_stand_for_all():
    """Check that merging keeps the given zones exact, bounds the others, and loses no cards."""
    first, second = (Position([[deck], [10 - deck]], [holder], [1], [2]) for deck, holder in ((4, 0), (6, 1)))
    (found,) = merged([first, second], (), 1, markers=False, lists=False)
    assert found.zones == [[Between(4, 6)], [Between(4, 6)]]
    assert found.holders(0) == {0, 1}
    assert merged([first, second], (0,), 1, markers=False, lists=False) is None
    assert [own.zones for own in merged([first, second], (0,), 2, markers=False, lists=False)] == [
        [[4], [6]],
        [[6], [4]],
    ]
    found.zones[0] = [Between(5, 9)]
    found.tighten(10, (0, 1))
    assert found.zones == [[Between(5, 6)], [Between(4, 5)]]
    told = sorted((own.zones[0][0], own.markers[0]) for own in found.split([0], [0], 8))
    assert told == [(5, 0), (5, 1), (6, 0), (6, 1)]


@pytest.mark.parametrize("ends", NATURAL)
def test_bids_in_their_natural_form(ends):
    """Check bids for five places with eight markers: a seat alone at a place takes the cards there."""
    places = range(1, 6)
    game = {
        **BASE,
        "players": 4,
        "rounds": 1,
        "counters": {"bid": {"keep": True, "min": 0, "max": 5}},
        "cards": {
            "soup": {"count": 60},
            **{f"bid_{at}": {"count": 40, "starts_in": "box", "on_play": [{"set": {"bid": at}}]} for at in places},
        },
        "markers": {f"takes_{at}": {"start": "nobody"} for at in places},
        "zones": {
            "box": {"per": "table", "seen_by": "nobody"},
            "bids": {"per": "seat", "seen_by": "owner"},
            "drawn": {"per": "seat", "seen_by": "owner"},
            **{f"slot_{at}": {"per": "table", "seen_by": "everyone"} for at in places},
        },
        "setup": [{"shuffle": "deck"}, {"shuffle": "box"}, {"deal": {"from": "box", "to": "bids", "cards": 50}}],
        "round": [
            {
                "repeat": {
                    "ENDS": "",
                    "do": [
                        *({"draw": {"to": f"slot_{at}", "cards": f"1 - cards(slot_{at})"}} for at in places),
                        {"choose": {"from": "bids", "to": "tableau"}},
                        *(
                            {"draw": {"from": f"slot_{at}", "to": "drawn", "who": {"holder": f"takes_{at}"}}}
                            for at in places
                        ),
                        *({"give": {"marker": f"takes_{at}", "to": "nobody"}} for at in places),
                        *(
                            {"move": {"from": f"slot_{at}", "to": "discard"}, "when": f"seats_with(bid == {at}) > 1"}
                            for at in places
                        ),
                        {"choose": {"from": "drawn", "to": "tableau"}},
                    ],
                }
            },
            {"score": "round"},
        ],
        "triggers": {
            f"alone_{at}": {
                "after": "reveal",
                "who": f"bid == {at} and others_with(bid == {at}) == 0",
                "only": "single",
                "do": [{"take": f"takes_{at}"}],
            }
            for at in places
        },
    }
    key, *limit = (line.strip() for line in ends.splitlines())
    loop = game["round"][0]["repeat"]
    del loop["ENDS"]
    for one in (key, *limit):
        name, _, value = one.partition(": ")
        loop[name] = value
    own = flow_bounds(model_of(json.dumps(game)), 4)
    assert own.findings == ()
    assert own.turns == {"times": 12, "until": 40 if limit else 30}[key.partition(":")[0]]


MENUS = """
format: 1
id: menus
title: Menus
version: 1.0.0
players: 5
rounds: 3
cards:
  soup: {count: SOUP}
  gift: {count: 8, on_play: [{draw: {to: hand, cards: 1}}]}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 8}
  - repeat:
      times: 5
      do: [{choose: {from: hand, to: tableau}}, {pass: {zone: hand, to: left}}]
  - move: {from: hand, to: discard}
  - score: round
  - clear: tableau
scoring: {soup: {kind: each, of: soup, points: 1}}
winner: {order: most}
"""


def test_a_deal_after_lists_that_draw():
    """Check three deals of 40 cards where each gift draws once per game: 128 cards always suffice."""
    assert flow_bounds(model_of(MENUS.replace("SOUP", "120")), 5).findings == ()
    (doubt,) = flow_bounds(model_of(MENUS.replace("SOUP", "119")), 5).findings
    assert doubt.code == "deck-runs-out"


ROLES = """
format: 1
id: roles
title: Roles
version: 1.0.0
players: 3-6
rounds: 20
cards:
  soup: {count: 60}
  role: {count: 8, starts_in: box}
zones:
  box: {per: table, seen_by: nobody}
  choice: {per: seat, seen_by: owner}
  mine: {per: seat, seen_by: owner}
  offer: {per: seat, seen_by: owner}
markers: {crown: {start: first}}
round:
  - deal: {from: box, to: choice, cards: 8, who: {holder: crown}}
  - repeat:
      times: players
      do: [{choose: {from: choice, to: mine}}, {pass: {zone: choice, to: left}}]
  - move: {from: choice, to: box}
  - move: {from: mine, to: box}
  - in_turn:
      do:
        - choose:
            as:
              crown: {cards: 0, do: [{take: crown}]}
              two:
                cards: 0
                do: [{draw: {to: offer, cards: 2}}, {choose: {from: offer}}, {move: {from: offer, to: deck}}]
  - score: round
scoring: {soup: {kind: each, of: soup, points: 1}}
winner: {order: most}
"""


@pytest.mark.parametrize("players", [3, 6])
def test_cards_that_stay_among_some_zones(players):
    """Check that the eight roles are back in the box before each deal, regardless of the flow between."""
    assert flow_bounds(model_of(ROLES), players).findings == ()


@pytest.mark.parametrize(("most", "codes"), [([17], []), ([17, 4, -9], []), ([999_999], ["points-unlimited"])])
def test_a_majority_pays_its_places_only(most, codes):
    """Check that a majority pays one place for most and one for fewest, however much it compares."""
    scoring = {"far": {"kind": "majority", "of": "900000 * soup", "most": most, "fewest": [-3]}}
    played = [{"draw": {"to": "hand"}}, {"score": "round"}]
    game = {**BASE, "players": 2, "rounds": 20, "round": played, "scoring": scoring}
    findings = run(model_of(json.dumps(game)))
    assert [finding.code for finding in findings if finding.severity == "error"] == codes
