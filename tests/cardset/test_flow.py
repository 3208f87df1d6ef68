"""The dry run of the flow: it plays a game with numbers of cards only."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conftest import NIGHTLY, sample
from draftengine.api.scenario.suite import check_bytes
from draftengine.model import flow as flow_package
from draftengine.model import limits
from draftengine.model.flow import FlowBounds, flow_bounds
from draftengine.model.selection import open_document, resolve
from draftengine.model.shelf import fetcher, shelf

if TYPE_CHECKING:
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.diagnostics import Diagnostic

TOP = """
format: 1
id: game
title: Game
version: 1.0.0
players: 2-5
"""
END = """
scoring:
  soup: {kind: each, of: soup, points: 1}
winner: {order: most}
"""
DRAFT = """
setup:
  - shuffle: deck
round:
  - deal: {to: hand, cards: {2: 10, 3: 9, 4: 8, 5: 7}}
  - repeat:
      until_empty: hand
      do:
        - choose: {from: hand, to: tableau}
        - pass: {zone: hand, to: left}
  - score: round
  - clear: tableau
"""


def model_of(*parts: str) -> CardSet:
    return model_in("".join((TOP, *parts, END)))


def model_in(text: str) -> CardSet:
    document, findings = open_document(text.encode(), "game.yaml", lambda _name: None)
    assert document is not None, findings
    model, findings = resolve(document)
    assert model is not None, findings
    return model


def cards(count: int, more: str = "") -> str:
    return f"rounds: 3\ncards:\n  soup: {{count: {count}}}\n{more}"


def codes(own: FlowBounds) -> list[str]:
    return [finding.code for finding in own.findings]


@pytest.mark.parametrize(("players", "hand"), [(2, 10), (3, 9), (4, 8), (5, 7)])
def test_a_draft(players, hand):
    """Check a draft: each turn takes one card from every hand, so a round has as many turns as cards."""
    own = flow_bounds(model_of(cards(108), DRAFT), players)
    assert own.findings == ()
    assert own.turns == 3 * hand
    assert [one.turns for one in own.rounds] == [hand] * 3
    assert [one.left for one in own.rounds] == [108 - players * hand * number for number in (1, 2, 3)]
    assert own.rounds[0].dealt == (("hand", players * hand),)
    assert own.rounds[2].hands == tuple((size,) * players for size in range(hand, 0, -1))
    assert (own.plays, own.plays_in_game, own.clearings, own.reveals) == (hand, 3 * hand, 3, 3 * hand)
    assert dict(own.sizes)["deck"] == (108,)
    assert dict(own.sizes)["discard"] == (3 * players * hand,)
    assert own.scored == (("round", 3),)
    assert not own.recirculates


def test_the_deck_runs_out():
    """Check that a deal without enough cards ends the dry run with a finding."""
    own = flow_bounds(model_of(cards(100), DRAFT), 5)
    (finding,) = own.findings
    assert finding.code == "deck-runs-out"
    assert finding.message == "The deal needs 35 cards, but deck has 30 in round 3."
    assert not own.complete
    assert [one.left for one in own.rounds] == [65, 30]


def test_gathered_cards_are_dealt_again():
    """Check that a gathered deck is whole except for cards that may have stayed in tableaus."""
    again = DRAFT.replace("clear: tableau", "gather: deck")
    own = flow_bounds(model_of(cards(40), again), 5)
    assert own.findings == ()
    assert own.recirculates
    kept = "  bread: {count: 6, keep: true}\n"
    assert [one.left for one in flow_bounds(model_of(cards(36, kept), again), 5).rounds] == [36, 36, 36]
    assert codes(flow_bounds(model_of(cards(34, kept), again), 5)) == ["deck-runs-out"]


def test_cards_stay_among_the_zones_to_which_ways_take_them():
    """Check that only the targets of the actions receive cards, and the target of the choice none."""
    flow = """
families: {role: {label: Role}}
zones:
  court: {per: table, seen_by: nobody}
  own: {per: seat, seen_by: owner}
  front: {per: seat, counts: true}
round:
  - deal: {from: court, to: own, cards: 2}
  - choose: {from: own, as: {show: {when: soup > 0, to: front}, hide: {cards: 0}}}
  - move: {from: front, to: court}
  - move: {from: own, to: court}
  - choose: {from: hand, to: tableau}
  - score: round
"""
    role = "  king: {count: 4, family: role, starts_in: court}\n"
    assert flow_bounds(model_of(cards(9, role), flow), 2).findings == ()
    leaving = flow.replace("show: {when: soup > 0, to: front}", "show: {when: soup > 0}")
    assert codes(flow_bounds(model_of(cards(9, role), leaving), 2)) == ["deck-runs-out"]


def test_keep_some_and_pass_the_rest():
    """Check cards that are kept back, drawn from a seat's own pile, and left over."""
    flow = """
zones:
  kept: {per: seat}
  pile: {per: seat, seen_by: nobody}
round:
  - deal: {to: hand, cards: 6}
  - deal: {to: pile, cards: 3}
  - repeat:
      times: 5
      do:
        - choose: {from: hand, to: tableau}
        - choose: {from: hand, to: kept}
        - pass: {zone: hand, to: [left, right]}
        - move: {from: kept, to: hand}
        - draw: {from: pile, to: hand, cards: 1}
  - move: {from: hand, to: discard}
  - score: round
  - clear: tableau
"""
    own = flow_bounds(model_of(cards(60), flow), 2)
    assert own.findings == ()
    assert own.rounds[0].hands == ((6, 6), (6, 6), (6, 6), (6, 6), (5, 5))
    assert own.rounds[0].dealt == (("hand", 12 + 6), ("pile", 6))
    assert (own.turns, own.plays, dict(own.sizes)["pile"]) == (15, 5, (3, 3))


def test_choosing_for_an_extra_seat():
    """Check that the holder of a marker draws and chooses for two seats, and the other for itself."""
    flow = """
extra_seats: {dummy: {}}
zones: {pile: {per: table}}
markers: {controller: {start: first}}
round:
  - deal: {to: hand, cards: 9}
  - deal: {to: pile, cards: 9}
  - repeat:
      until_empty: hand
      do:
        - draw: {from: pile, to: hand, who: {holder: controller}}
        - choose: {also: [{seat: dummy, by: controller}]}
        - pass: {to: left}
        - give: {marker: controller, to: left}
  - clear: tableau
"""
    own = flow_bounds(model_of(cards(81), flow), 2)
    assert own.findings == ()
    assert own.turns == 27
    assert dict(own.sizes)["tableau"] == (9, 9, 9)
    assert own.seats == 3


@pytest.mark.parametrize("start", ["random", "first", "1"])
@pytest.mark.parametrize("to", ["left", "{most: soup}", "{fewest: points}"])
def test_a_layout_taken_in_turns(start, to):
    """Check that the length of a layout game does not depend on who begins, which chance decides."""
    flow = f"""
zones:
  display: {{per: table, layout: {{rows: [{{cards: 2}}, {{cards: 3}}, {{cards: 4}}], covers: pyramid}}}}
markers: {{starter: {{start: {start}}}}}
round:
  - deal: {{to: display}}
  - repeat:
      until_empty: display
      do:
        - choose: {{from: display, to: tableau, who: {{holder: starter}}}}
        - give: {{marker: starter, to: {to}, tie: left}}
  - clear: tableau
"""
    own = flow_bounds(model_of(cards(27), flow), 2)
    assert own.findings == ()
    assert own.turns == 27
    assert own.plays == (5 if to == "left" else 9)


def test_conditions_that_depend_on_play_go_both_ways():
    """Check that bounds assume the worse outcome of each unknown condition."""
    flow = """
round:
  - deal: {to: hand, cards: 2}
  - deal: {to: hand, cards: 1}
    when: total(soup) > 3
  - repeat: {until_empty: hand, do: [choose: {}]}
  - clear: tableau
    when: round == 2
"""
    own = flow_bounds(model_of(cards(18), flow), 2)
    assert own.findings == ()
    assert own.plays == 6
    assert own.turns == 9
    assert [one.left for one in own.rounds] == [12, 6, 0]
    assert codes(flow_bounds(model_of(cards(17), flow), 2)) == ["deck-runs-out"]


def test_conditions_known_before_play():
    """Check conditions on round, turn, players and sizes of zones, which are known before play."""
    flow = """
round:
  - deal: {to: hand, cards: 4}
    when: round % 2 == 1 and players < 3
  - repeat:
      until: cards(hand) == 1 or turn == 7
      do:
        - choose: {}
  - score: round
    when: cards(hand) > 1
"""
    own = flow_bounds(model_of(cards(16, "parameters: {size: {default: 2}}\n"), flow), 2)
    assert [one.turns for one in own.rounds] == [3, 0, 4 - 0]
    assert own.scored == ()


@pytest.mark.parametrize(
    "body",
    [
        "- repeat: {until_empty: hand, do: [pass: {to: left}]}",
        "- repeat: {times: 300 * players, do: [{repeat: {times: 99, do: [choose: {}]}}]}",
        "- repeat: {times: 400, do: [{repeat: {times: 400, do: [choose: {}]}}]}",
        "- repeat: {until_empty: hand, do: [choose: {to: used}, move: {from: used, to: deck}, draw: {to: hand}]}",
        "- repeat: {until_empty: hand, do: [choose: {who: {holder: crown}}]}",
    ],
)
def test_turns_without_end(body):
    """Check that repeats that use nothing up are refused by name."""
    start = "zones: {used: {per: seat}}\nmarkers: {crown: {start: nobody}}"
    flow = f"{start}\nround:\n  - deal: {{to: hand, cards: 5}}\n  {body}\n"
    own = flow_bounds(model_of(cards(60), flow), 2)
    assert codes(own) == ["endless-turns"]
    assert not own.complete


def test_turns_that_may_have_no_end():
    """Check that a repeat that may not end gets a bound, which is lower if other repeats contain it."""
    flow = "round:\n  - deal: {to: hand, cards: 5}\n  - repeat: {until: total(points) > 100, do: [choose: {}]}\n"
    (finding,) = (bounds := flow_bounds(model_of(cards(60), flow), 2)).findings
    assert (finding.code, finding.severity) == ("endless-turns", "warning")
    assert finding.message.endswith("If it continues after turn 200, the game ends there.")
    assert (bounds.complete, bounds.turns) == (True, 600)
    nested = flow.replace("do: [choose: {}]", "do: [{repeat: {until: total(soup) > 9, do: [choose: {}]}}]")
    bounds = flow_bounds(model_of(cards(60), nested), 2)
    assert {finding.severity for finding in bounds.findings} == {"warning"}
    assert bounds.turns <= limits.TURNS


def test_limits_that_multiply_get_a_lower_bound():
    """Check that repeats within repeats may have generous limits; only certain turns are refused."""
    inner = "{repeat: {until: total(soup) > 9, at_most: 15, do: [choose: {}]}}"
    outer = f"{{repeat: {{until: total(points) > 9, at_most: 100, do: [{inner}]}}}}"
    flow = f"round: [deal: {{to: hand, cards: 2}}, {outer}]\n"
    bounds = flow_bounds(model_of("rounds: 20\ncards:\n  soup: {count: 100}\n", flow), 2)
    (finding,) = bounds.findings
    assert (finding.code, finding.severity) == ("endless-turns", "warning")
    assert "may have more than 20000 turns in round 13" in finding.message
    assert finding.message.endswith("If it continues after turn 50, the game ends there.")
    assert bounds.turns == 20 * 50 * 16 < limits.TURNS
    certain = re.sub(r"until: total\(\w+\) > 9, at_most", "times", flow)
    (refused,) = flow_bounds(model_of("rounds: 20\ncards:\n  soup: {count: 100}\n", certain), 2).findings
    assert (refused.code, refused.severity) == ("endless-turns", "error")


def test_a_repeat_may_have_all_turns_of_a_game():
    """Check that the largest number of turns is accepted, and one more is refused at its place."""
    flow = "round:\n  - deal: {to: hand, cards: 1}\n  - repeat: {until: total(soup) > 99, at_most: MOST, do: [DO]}\n"
    turn = flow.replace("DO", "choose: {}, move: {from: tableau, to: hand}")
    game = "rounds: 1\ncards:\n  soup: {count: 60}\n"
    bounds = flow_bounds(model_of(game, turn.replace("MOST", str(limits.STEP))), 2)
    assert (codes(bounds), bounds.turns) == ([], limits.STEP)
    document, findings = open_document("".join((TOP, game, turn.replace("MOST", "1001"), END)).encode(), "g", str)
    assert (document, [finding.code for finding in findings]) == (None, ["out-of-range"])


KEEPERS = """
zones: {treasury: {per: table, seen_by: nobody}, won: {per: seat, seen_by: everyone}}
round:
  - deal: {to: hand, cards: 10}
  - repeat: {until_empty: hand, do: [{choose: {from: hand, to: tableau}}]}
  - draw: {from: treasury, to: won, cards: 1, who: power == most(power)}
  - move: {from: won, to: tableau}
  - score: round
  - clear: tableau
  - move: {from: discard, to: deck}
"""


def test_cards_that_stay_are_not_missed_in_the_deck():
    """Check that cards kept in tableaus are not counted in the deck; one card fewer is too few."""
    gems = "  gem: {count: 20, starts_in: treasury, keep: true}\n"
    for count, findings in ((20, []), (19, ["deck-runs-out"])):
        swords = f"rounds: 3\ncards:\n  sword: {{count: {count}, adds: {{power: 1}}}}\n{gems}"
        assert codes(flow_bounds(model_of(swords, KEEPERS), 2)) == findings


def test_abilities_bring_further_cards():
    """Check plays with abilities: a card that goes back adds one for the moment, one that stays for good."""
    more = "  ladle: {count: 4}\nabilities: {second: {card: ladle, returns_to: WHERE}}\n"
    back = flow_bounds(model_of(cards(104, more.replace("WHERE", "hand")), DRAFT), 2)
    stays = flow_bounds(model_of(cards(104, more.replace("WHERE", "stays")), DRAFT), 2)
    assert (back.plays, back.plays_in_game) == (10, 30)
    assert stays.plays == 19
    assert back.turns == stays.turns == 30


@given(
    count=st.integers(20, 120),
    players=st.integers(2, 5),
    hand=st.integers(1, 9),
    taken=st.integers(1, 3),
    end=st.sampled_from(["clear: tableau", "gather: deck", "score: round"]),
)
def test_totals_add_up(count, players, hand, taken, end):
    """Check that the number of cards is constant: played plus remaining cards are those dealt."""
    flow = f"""
round:
  - deal: {{to: hand, cards: {hand}}}
  - repeat: {{until_empty: hand, do: [{{choose: {{cards: {taken}}}}}, {{pass: {{to: right}}}}]}}
  - {end}
"""
    own = flow_bounds(model_of(cards(count), flow), players)
    per_round = players * hand
    if not own.complete:
        assert codes(own) == ["deck-runs-out"]
        assert count < per_round * (1 if end.startswith("gather") else 3)
        return
    gathered = end.startswith("gather")
    for one in own.rounds:
        assert one.left == (count if gathered else count - per_round * one.number)
        assert dict(one.dealt) == {"hand": per_round}
        assert one.turns == -(-hand // taken)
        assert one.hands == tuple((hand - turn * taken,) * players for turn in range(one.turns))
    assert own.turns == sum(one.turns for one in own.rounds)
    assert own.plays == (3 * hand if end.startswith("score") else hand)
    assert own.plays_in_game == 3 * hand
    assert sum(max(size) for _, size in own.sizes if _ == "deck") == count


def test_versions_of_a_text_share_a_dry_run():
    """Check that an edit elsewhere plays no flow again, and that its findings stand where the text now is."""
    flow = """
round:
  - deal: {to: hand, cards: 10}
  - repeat: {until_empty: hand, do: [{choose: {from: hand, to: tableau}}]}
  - move: {from: discard, to: deck}
"""
    before, after = (model_of(cards(10, more), flow) for more in ("", "# a word\n"))
    first = flow_bounds(before, 2)
    runs = flow_package._plan.cache_info().misses
    again = flow_bounds(after, 2)
    assert flow_package._plan.cache_info().misses == runs
    assert [*map(place, first.findings)] == [("deal", False)]
    assert [*map(place, again.findings)] == [("deal", True)]
    assert flow_bounds(model_of(cards(10), flow.replace("10}", "9}")), 2) != again
    assert flow_package._plan.cache_info().misses == runs + 1


def test_printed_texts_and_citations_are_no_part_of_a_flow():
    """Check that steps whose texts and sources differ share a dry run, but not those with other words."""
    flow = """
sources: {A-01: "Deal.", A-02: "Deal cards."}
round:
  - {deal: {to: hand, cards: 5}, source: A-01}
  - choose: {from: hand, to: tableau, as: {lay: {label: Lay it}, drop: {to: discard}}}
  - score: round
"""

    def edited(old: str, new: str) -> CardSet:
        text = "".join((TOP, cards(10), flow, END)).replace("format: 1", "format: 2").replace("kind: each, of", "each")
        return model_in(text.replace(old, new))

    flow_bounds(edited("", ""), 2)
    runs = flow_package._plan.cache_info().misses
    flow_bounds(edited("Lay it", "Lay"), 2)
    flow_bounds(edited("source: A-01", "source: A-02"), 2)
    assert flow_package._plan.cache_info().misses == runs
    flow_bounds(edited("drop:", "gone:"), 2)
    assert flow_package._plan.cache_info().misses == runs + 1


def place(finding: Diagnostic) -> tuple[str, bool]:
    """Return the text at a finding, and whether it is that of the later version."""
    text = finding.span.source.text
    return text[finding.span.start : finding.span.end], "# a word" in text


SHIPPED = sorted(shelf().values())


@pytest.mark.parametrize("path", sample(SHIPPED, 8), ids=lambda path: path.stem)
def test_shipped_games(path):
    """Check every shipped card set to the end of the game; by day with the fewest and the most players."""
    document, findings = open_document(path.read_bytes(), str(path), fetcher(str(path)))
    assert document is not None, findings
    model, findings = resolve(document)
    assert model is not None, findings
    fewest, most = model.min_players, model.max_players
    for players in range(fewest, most + 1) if NIGHTLY else (fewest, most):
        own = flow_bounds(model, players)
        assert own.complete
        assert len(own.rounds) == model.rounds or (model.until and len(own.rounds) < model.rounds)


CASINO = """format: 2
id: casino
title: Casino
version: 1.0.0
players: 2-3
rounds: 2
dice: {die: {count: 4 * players, starts_in: bag, faces: {one: 1, two: 1}}}
zones:
  bag: {seen_by: nobody}
  cup: {per: seat, seen_by: everyone}
  left_house: {per: seat, seen_by: everyone}
  right_house: {per: seat, seen_by: everyone}
setup: [shuffle: bag]
round:
  - draw: {from: bag, to: cup, cards: 4}
  - repeat: {until_empty: cup, do: [TURN]}
  - score: round
  - move: {from: [left_house, right_house], to: bag}
  - shuffle: bag
scoring:
  left: {majority: cards(left_house), most: [5, 3]}
  right: {majority: cards(right_house), most: [4, 2]}
"""
ROLLED = "in_turn: {do: [{roll: {zone: cup}}, {choose: {WAYS}}]}"
ONE, TWO = "a: {of: one, to: left_house}", "b: {of: two, to: right_house}"
ALL_ONES = "a: {when: 'cards(cup, one) > 0', do: [move: {from: cup, to: left_house, of: one}]}"
ALL_TWOS = "b: {when: 'cards(cup, two) >= 1', do: [move: {from: cup, to: right_house, of: two}]}"


def surely_ends(text):
    """Return whether no finding says that the turns may never end. The game has no errors."""
    findings = check_bytes("-", "casino.yaml", text.encode())
    assert not [finding for finding in findings if finding.severity == "error"]
    return "endless-turns" not in {finding.code for finding in findings}


@pytest.mark.parametrize(
    ("ways", "ends"),
    [
        (f"from: cup, as: {{{ONE}, {TWO}}}", True),
        (f"as: {{{ALL_ONES}, {ALL_TWOS}}}", True),
        (f"from: cup, as: {{{ONE}, {ALL_TWOS}}}", True),
        ("from: cup, as: {any: {to: left_house, cards: 1-2}}", True),
        (f"from: cup, as: {{{ONE}, {TWO.replace('of: two', 'of: two, cards: 0-2')}}}", False),
        (f"from: cup, as: {{{ONE}, {TWO}, pass: {{cards: 0}}}}", False),
        (f"from: cup, as: {{{ONE}}}", False),
        (f"as: {{{ALL_ONES}, {ALL_TWOS.replace('b: {', 'b: {pay: {coins: 1}, ')}}}", False),
        (f"as: {{{ALL_ONES}, {ALL_TWOS.replace('of: two', 'of: one')}}}", False),
        (f"as: {{{ALL_ONES}, {ALL_TWOS.replace('>= 1', '>= 2')}}}", False),
    ],
)
def test_dice_that_are_placed_until_none_are_left(ways, ends):
    """A repeat ends if some way is open for each face that rolled dice may show, and each way places dice."""
    coins = "counters: {coins: {start: 3}}\nround:" if "coins" in ways else "round:"
    text = CASINO.replace("TURN", ROLLED.replace("WAYS", ways)).replace("round:", coins, 1)
    assert surely_ends(text) == ends


def test_dice_that_are_not_rolled_may_show_no_face():
    """Without a roll, no way for faces need be open. A seat whose turn comes only with dice uses them up."""
    ways = f"choose: {{from: cup, as: {{{ONE}, {TWO}}}}}"
    for turn, ends in (
        (f"in_turn: {{do: [{ways}]}}", False),
        (f"in_turn: {{do: [roll: {{zone: cup, of: one}}, {ways}]}}", False),
        (f"in_turn: {{do: [roll: {{zone: cup}}, {ways}]}}, who: cards(cup) > 0", True),
        (f"in_turn: {{do: [roll: {{zone: cup}}, {ways}]}}, who: cards(cup) > 1", False),
    ):
        text = CASINO.replace("TURN", f"{{{turn}}}")
        assert surely_ends(text) == ends, turn
