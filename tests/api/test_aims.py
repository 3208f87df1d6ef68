"""Aims of bids: a bid shows the open pile from which its winner takes cards."""

from __future__ import annotations

from types import MappingProxyType

import pytest

import draftengine as de
from draftengine.apps.play.labels import Names
from draftengine.apps.play.move_builder import MoveBuilder
from draftengine.apps.play.terminal_style import Style
from draftengine.apps.tui.scene import Observer
from draftengine.apps.web.messages import options_shown

STALLS = """
format: 1
id: stalls
title: Stalls
version: 1.0.0
players: 2
rounds: 1
cards:
  plum: {count: 4, icon: "🍑"}
  pear: {count: 4, icon: "🍐"}
counters: {bid: {min: 0, max: 3}}
zones:
  left_stall: {per: table, seen_by: everyone, label: Left stall}
  right_stall: {per: table, seen_by: everyone, label: Right stall}
  won: {per: seat, seen_by: everyone}
setup: [{shuffle: deck}]
round:
  - repeat:
      times: 2
      do:
        - draw: {to: left_stall, cards: 1 - cards(left_stall)}
        - draw: {to: right_stall, cards: 1 - cards(right_stall)}
        - choose:
            as:
              left_bid: {label: The left one, cards: 0, do: [{set: {bid: 1}}]}
              right_bid: {cards: 0, do: [{set: {bid: 1 + 1}}]}
              pass: {cards: 0, do: [{set: {bid: 3}}]}
        - in_turn:
            who: others_with(bid == my(bid)) == 0
            do:
              - {draw: {from: left_stall, to: won, cards: 1}, when: bid == 1}
              - {draw: {from: right_stall, to: won, cards: 1}, when: 2 == bid}
              - move: {from: won, to: tableau, played: true}
  - score: game
scoring: {plum: {kind: each, of: plum, points: 2, at: game}}
winner: {order: most}
"""


def game(folder, instead=MappingProxyType({})):
    """Load the game with some texts replaced."""
    text = STALLS
    for before, after in instead.items():
        assert before in text
        text = text.replace(before, after)
    path = folder / "stalls.yaml"
    path.write_text(text, encoding="utf-8")
    return de.load(str(path), players=2)


@pytest.fixture(scope="module")
def state(tmp_path_factory):
    return game(tmp_path_factory.mktemp("stalls")).start(3)


def test_a_bid_is_about_the_pile_that_it_wins(state):
    """Check that each bid has its pile as the seat sees it, and that a pass has none."""
    assert state.game.aims == {"left_bid": "left_stall", "right_bid": "right_stall"}
    view = state.view(0)
    left, right = (view.aim(own) for own in ("left_bid", "right_bid"))
    lying = {zone.zone: zone.cards for zone in view.zones}
    assert (left.cards, right.cards) == (lying["left_stall"], lying["right_stall"])
    assert view.aim("pass") is None


LEFT, OWN = "when: bid == 1}", "do: [{set: {bid: 1}}]"


@pytest.mark.parametrize(
    ("instead", "left"),
    [
        ({LEFT: "when: bid < 2 and cards(left_stall) > 0}"}, "left_stall"),
        ({LEFT: "when: cards(left_stall) > 0}", "others_with(bid == my(bid)) == 0": "bid == 1"}, "left_stall"),
        ({LEFT: "when: cards(left_stall) > 0}"}, None),
        ({LEFT: "when: bid == cards(left_stall)}"}, None),
        ({LEFT: "when: bid == 1 and bid > 1}"}, None),
        ({"when: 2 == bid": "when: bid <= 2"}, None),
        ({OWN: "do: [{draw: {from: left_stall, to: won, cards: 1}}]"}, "left_stall"),
        ({OWN: "do: [{add: {bid: 1}}]"}, None),
    ],
)
def test_what_a_way_leads_to(tmp_path, instead, left):
    """Check that an action aims at the pile that its effects open, or from which its steps draw.

    Conditions that depend on anything else give no aim, and neither does a bid that could win either pile.
    """
    assert game(tmp_path, instead).aims.get("left_bid") == left


def test_screens_show_what_is_bid_for(state):
    """Check that the full screen and the page show the card that a bid can win."""
    view = state.view(0)
    [(left, _)], [(right, _)] = view.aim("left_bid").cards, view.aim("right_bid").cards
    names = Names(state.game, ["human", "greedy"], Style(), ["Ada"], levels=False)
    scene = Observer(names).scene(state, 0, MoveBuilder.of(view))
    assert scene.hand_title == "you may choose"
    assert [(own.item, own.face, own.effect) for own in scene.hand] == [
        ("left_bid", left, "The left one"),
        ("right_bid", right, "Right bid"),
        ("pass", "pass", ""),
    ]
    sent = options_shown(view, ())["options"]
    assert [own.get("lies") for own in sent] == [left, right, None]


def test_what_a_way_takes_at_once_is_its_aim():
    """A way that takes a pile leads there, although a counter that it sets lets others be taken later."""
    aims = de.load("point_salad", players=2).aims
    assert (aims["vegetables_2"], aims["second_5"], aims["recipe_3"]) == ("market_2", "market_5", "top_3")
