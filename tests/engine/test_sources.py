"""Choices from several zones: every form plays them alike, moves find their cards, and nothing leaks."""

from random import Random

import pytest

import draftengine as de
from draftengine.api import turns
from engine.test_redeal import cannot_be_told_apart
from text.forms import play_alike

HEAD = """
format: 2
id: sources
title: Sources
version: 1.0.0
players: 2-3
lists: {dish: [soup, bread, cake]}
cards:
  "{d}": {for: {d: dish}, count: 12, has: {cost: 1}, adds: {stars: 2}, keep: true}
  guest: {count: 4, forms: {of: [soup, bread], when: card > 0}}
counters: {coins: {start: 4, max: 30}, stars: {label: stars}}
zones:
  row: {copies: 2, holds: 3}
  pile: {copies: 2, seen_by: nobody}
  reserve: {per: seat, seen_by: owner, label: Reserve}
  shelf: {per: seat, seen_by: everyone}
setup: [{shuffle: deck}, {deal: {to: "pile", cards: 6}}]
finish: [{score: game}]
scoring: {stars: {each: stars, points: 1}}
"""
IN_TURN = (
    HEAD
    + """
round:
  - deal: {to: hand, cards: 3}
  - draw: {to: row}
  - repeat:
      times: 6
      do:
        - in_turn:
            do:
              - choose:
                  as:
                    buy: {from: [row, reserve, hand], pay: {coins: its(cost)}, to: tableau}
                    keep: {from: [row], when: cards(reserve) < 2, to: reserve, do: [{add: {coins: 1}}]}
                    peek: {from: pile, take: top, when: cards(reserve) < 3, to: reserve}
                    wait: {do: [{add: {coins: 1}}]}
              - draw: {to: row}
              - repeat:
                  until: coins <= 4
                  at_most: 3
                  do: [{choose: {as: {give: {pay: {coins: 1}}, feast: {pay: {coins: 2}, do: [{points: 1}]}}}}]
                when: coins > 4
"""
)
TOGETHER = (
    HEAD
    + """
round:
  - deal: {to: hand, cards: 5}
  - repeat:
      times: 4
      do:
        - choose: {from: [hand, shelf, reserve], cards: 1-2, to: tableau}
        - choose:
            from: [hand, reserve]
            as: {lay: {to: shelf}, hide: {from: hand, to: reserve}, swap: {of: soup, to: discard}}
        - pass: {to: left}
        - draw: {to: hand, cards: 1}
"""
)
TWICE = """
round:
  - deal: {to: hand, cards: 6}
  - deal: {to: shelf, cards: 2}
  - repeat:
      until_empty: hand
      do:
        - choose: {from: hand, to: tableau}
        - choose: {from: [shelf, hand], to: tableau}
        - pass: {to: left}
"""


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sources")
    paths = {}
    for name, text in {"in_turn": IN_TURN, "together": TOGETHER}.items():
        paths[name] = folder / f"{name}.yaml"
        paths[name].write_text(text)
    return paths


@pytest.mark.parametrize("name", ["in_turn", "together"])
def test_every_form_plays_alike_and_nothing_leaks(games, name):
    assert not [finding for finding in de.check(games[name]) if finding.severity == "error"]
    for players in (2, 3):
        game = de.load(games[name], players=players)
        play_alike(game.program, name, 6)
        cannot_be_told_apart(game.program, Random(name), often=0.3)


def test_moves_are_those_of_each_zone(games):
    """Check by hand which moves there are, and what each takes."""
    game = de.load(games["in_turn"], players=2)
    zones = {"row_1": [["soup"]], "row_2": [["soup", "cake"]], "pile_1": [[]], "reserve": [["bread"], []]}
    state = game.set_up(
        de.Position(tables=[[], []], hands=[["cake"], ["soup"]], zones=zones, counters={"coins": (1, 0)})
    )
    assert sorted(map(str, state.view(0).moves)) == [
        *("bread@buy_reserve", "cake@buy_hand", "cake@buy_row_2", "cake@keep_row_2", "peek_2"),
        *("soup@buy_row_1", "soup@buy_row_2", "soup@keep_row_1", "soup@keep_row_2", "wait"),
    ]
    left = {  # in the reserve and in the hand; the rows are filled again
        "soup@buy": (["bread"], ["cake"]),
        "row_2.soup@buy": (["bread"], ["cake"]),
        "cake@buy": (["bread"], ["cake"]),
        "hand.cake@buy": (["bread"], []),
        "bread@buy": ([], ["cake"]),
        "reserve.bread@buy": ([], ["cake"]),
        "cake@keep": (["bread", "cake"], ["cake"]),
    }
    for name, wanted in left.items():
        views = {view.zone: view for view in state.commit(0, name).view(0).zones if view.owner == 0}
        there = tuple(
            [card for card, number in views[zone].cards for _ in range(number)] for zone in ("reserve", "hand")
        )
        assert there == wanted, name
    for wrong in ("bread@keep", "row_1.cake@buy", "reserve.soup@buy", "shelf.soup@buy"):
        with pytest.raises(de.IllegalMove):
            state.commit(0, wrong)


@pytest.mark.parametrize(
    ("old", "new", "say"),
    [
        ("from: [hand, shelf, reserve]", "from: [hand, row]", "shared-pile"),
        ("from: [hand, shelf, reserve]", "from: [hand, pile]", "shared-pile"),
        ("hide: {from: hand, to: reserve}", "hide: {from: tableau, to: reserve}", "counts-beside"),
        ("hide: {from: hand, to: reserve}", "hide: {from: reserve, to: reserve}", "to-itself"),
        ("hide: {from: hand, to: reserve}", "hide: {from: deck, take: top, cards: 2, to: reserve}", "take-top-and"),
    ],
)
def test_what_does_not_go_together_is_refused(tmp_path, old, new, say):
    path = tmp_path / "wrong.yaml"
    path.write_text(TOGETHER.replace(old, new))
    codes = [finding.text.id for finding in de.check(path) if finding.code == "zone-misuse"]
    assert f"zone-misuse.{say}" in codes, [finding.message for finding in de.check(path)]


def test_what_a_view_says_of_the_next_turns_knows_all_zones(tmp_path):
    """Check turns, returning cards and the stock where a second choice may take from the hand, too."""
    path = tmp_path / "twice.yaml"
    path.write_text(HEAD + TWICE)
    game = de.load(path, players=3)
    hands, shelf = [["soup", "soup", "bread"]] * 3, [["cake", "soup"]] * 3
    state = game.set_up(de.Position(hands=hands, zones={"shelf": shelf}))
    assert (state.view(0).turns, turns.chance_of_return(state.view(0).seen, "bread")) == (0, None)
    for seat in range(3):
        state = state.commit(seat, "bread")
    assert state.view(0).stock == (("soup", 3), ("cake", 1))
    assert turns.chance_of_return(state.view(0).seen, "soup") is None


def test_a_way_called_like_one_of_a_zone_is_told_where_that_name_comes_from(tmp_path):
    path = tmp_path / "wrong.yaml"
    path.write_text(TOGETHER.replace("swap: {of: soup", "lay_hand: {from: hand, of: soup"))
    (finding,) = [finding for finding in de.check(path) if finding.severity == "error"]
    assert finding.text.id == "zone-misuse.same-ways"
    assert "for one of several zones" in finding.hint


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("from: [hand, shelf, reserve]", "from: [hand, hand, reserve]"),
        ("hide: {from: hand, to: reserve}", "hide: {from: [hand, hand], to: reserve}"),
        ("- pass: {to: left}", "- move: {from: [shelf, shelf], to: discard}"),
        ("swap: {of: soup, to", "swap: {of: [soup, soup], to"),
    ],
)
def test_a_name_that_is_named_twice_is_found(tmp_path, old, new):
    path = tmp_path / "twice.yaml"
    path.write_text(TOGETHER.replace(old, new))
    (finding,) = [finding for finding in de.check(path) if finding.code == "argument-twice"]
    assert finding.span.start == path.read_text().index(new) + new.index("[")
