"""Groups of actions: their seats, their conditions and alternatives, in every form of the kernel."""

from random import Random

import pytest

import draftengine as de
from draftengine.api.ruleset import rules_named
from draftengine.engine.game import result
from draftengine.engine.plan import Plan
from draftengine.engine.policies import random_game
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from engine.test_redeal import cannot_be_told_apart
from text.forms import play_alike

GAME = """
format: 2
id: groups
title: Groups
version: 1.0.0
players: 2-3
rounds: 2
markers: {starter: {start: first}}
counters:
  coins: {max: 60, keep: true, label: coins}
  bank: {per: table, max: 60}
cards:
  soup:
    count: 30
    on_play: [{when: coins < 3, do: [{add: {coins: 1}}, {draw: {to: hand}}], else: [{add: {coins: 0 - 2}}]}]
  bread: {count: 30}
  bun:
    count: 20
    on_play:
      - when: bread > 1
        do: [{add: {coins: 2}}, {choose: {from: hand, to: discard}, when: soup > 0}]
        else: [{points: 1}]
setup: [{shuffle: deck}, {add: {coins: 2}}]
round:
  - draw: {to: hand, cards: 5}
  - {add: {coins: 3}, who: starter}
  - {add: {bank: 1}, id: fill}
  - repeat:
      times: 3
      do:
        - choose: {from: hand, to: tableau}
        - when: cards(deck) > 20
          do: [{pass: {to: left, zone: hand}}, {draw: {to: discard}}]
          else: [{pass: {to: right, zone: hand}}]
        - who: coins > 4
          do:
            - add: {coins: -1}
            - {points: 1, when: bread > 0}
            - {when: soup > 1, do: [{add: {coins: -1}}, {points: 2}], else: [{add: {coins: 1}}]}
        - {draw: {to: hand}, who: starter, when: turn == 2, else: [{draw: {to: hand}, who: coins > 5}]}
        - {move: {from: hand, to: discard}, who: coins == 0}
        - {points: 1, who: coins > 3, when: turn == 1, else: [{points: 2}, {add: {coins: 1}}]}
  - give: {marker: starter, to: left}
  - move: {from: hand, to: discard}
  - score: round
  - clear: tableau
finish: [{points: coins + bank}]
scoring: {bread: {each: bread, points: 1}}
winner: {order: most}
"""


def test_nothing_is_wrong_with_it(path):
    """Check that a game with groups everywhere is sound."""
    assert de.check(path) == ()


def test_every_form_plays_the_same_games(path):
    """Check that the reference, the kernel as it stands and machine code play the same games."""
    play_alike(de.load(path, players=3).program, "groups", 12)


def test_a_condition_is_asked_once(path):
    """Check that what a group changes does not decide whether the rest of it, or `else`, is done."""
    game = de.load(path, players=2)
    state = game.set_up(de.Position(hands=[["soup", "bun"], ["bread", "bun"]], counters={"coins": [2, 0]}))
    state = state.commit(0, "soup").commit(1, "bread")  # 2 coins are fewer than 3, so soup brings a coin and a card
    assert state.counters[0]["coins"] == 3


@pytest.mark.parametrize("effect", ["points: 1", "do: [{points: 1}]", "move: {from: hand, to: discard}"])
def test_what_is_done_otherwise_is_for_the_same_players(tmp_path, effect):
    """Check that `else` in the flow asks who carries it out, as the group does."""
    step = f"  - {{{effect}, who: coins > 4, when: round == 2, else: [{{add: {{coins: 5}}}}]}}\n"
    path = tmp_path / "otherwise.yaml"
    path.write_text(GAME.replace("  - repeat:\n", f"{step}  - repeat:\n"))
    coins = [counters["coins"] for counters in de.load(path, players=2).start(1).counters]
    assert coins == [10, 2]  # the holder of the marker has 5 coins before


OTHERS = """
format: 2
id: others
title: Others
version: 1.0.0
players: 2-4
markers: {starter: {start: first}}
zones: {market: {}}
counters: {coins: {start: 5, min: 0, max: 60, keep: true}}
cards:
  soup: {count: 20, on_play: [{points: 1}, {who: others, add: {coins: -1}}]}
  tax:
    count: 20
    on_play: [{add: {coins: "others_total(min(2, coins))"}}, {who: others, add: {coins: "0 - min(2, coins)"}}]
  raid: {count: 20, on_play: [{who: left, choose: {from: hand, to: discard}}]}
  feast:
    count: 20
    on_play: [{who: others, do: [{draw: {to: hand}}, {choose: {from: hand, to: tableau}}], when: coins > 3}]
  vote:
    count: 20
    on_play:
      - who: coins > 4
        when: tax > 0
        do: [{add: {coins: -1}}, {points: 2, when: coins < 6}]
        else: [{add: {coins: 1}}]
      - {who: starter, choose: {from: market, to: tableau}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 4}
  - draw: {to: market, cards: 8}
  - repeat: {until_empty: hand, at_most: 20, do: [{choose: {from: hand, to: tableau}}]}
  - in_turn:
      do:
        - draw: {to: hand}
        - choose: {as: {keep: {}, send: {to: discard, do: [{points: 1}, {who: right, draw: {to: hand}}]}}}
        - {who: everyone, draw: {to: hand}}
        - {who: others, choose: {to: discard}}
  - score: round
scoring: {all: {each: soup + tax + raid + feast + vote + coins, points: 1}}
"""


@pytest.fixture(scope="module")
def others(tmp_path_factory):
    """Write the game in which players do something to each other, and return its path."""
    path = tmp_path_factory.mktemp("others") / "others.yaml"
    path.write_text(OTHERS)
    return path


def test_every_form_knows_who_the_others_are(others):
    """Check that a game in which lists are for other seats is sound, and all forms play it alike."""
    assert de.check(others) == ()
    play_alike(de.load(others, players=3).program, "others", 8)


def test_one_after_the_other_takes_from_all_others(others):
    """Check that each of two taxes takes what is there then, and leaves its own seat alone."""
    state = de.load(others, players=3).set_up(
        de.Position(hands=[["tax", "soup"], ["tax", "soup"], ["feast", "soup"]], counters={"coins": [5, 3, 1]})
    )
    state = state.commit(0, "tax").commit(1, "tax").commit(2, "feast")
    assert [counters["coins"] for counters in state.counters] == [6, 3, 0]


def test_neighbours_are_seen_from_the_seat_of_the_list(others):
    """Check that the player on the left is asked, and nobody else."""
    state = de.load(others, players=4).set_up(de.Position(hands=[["soup", "raid"]] * 4, counters={"coins": [9] * 4}))
    state = state.commit(0, "soup").commit(1, "raid").commit(2, "soup").commit(3, "soup")
    assert state.waiting == (2,)
    assert state.commit(2, "raid").describe()["zones"]["discard"] == ["raid"]


def test_the_condition_is_about_the_seat_of_the_list(others):
    """Check that all others choose together, and only if the seat of the list meets the condition."""
    for coins, waiting in ((9, (1, 2)), (3, (0, 1, 2))):
        position = de.Position(hands=[["feast", "soup"]] + [["soup", "soup"]] * 2, counters={"coins": [coins, 9, 9]})
        state = de.load(others, players=3).set_up(position)
        assert state.commit(0, "feast").commit(1, "soup").commit(2, "soup").waiting == waiting


def test_what_others_draw_has_room(tmp_path):
    """Check that the most cards of a hand include those that other seats make it draw."""
    path = tmp_path / "gifts.yaml"
    path.write_text(OTHERS.replace("choose: {from: hand, to: discard}}]", "draw: {to: hand, cards: 3}}]"))
    game, most = de.load(path, players=2), 0
    for seed in range(5):
        state = game.start(seed)
        while not state.over:
            most = max(most, *(len(hand) for hand in state.describe()["zones"]["hand"]))
            seat = state.waiting[0]
            moves = state.view(seat).moves
            state = state.commit(seat, next((move for move in moves if "raid" in move.cards), moves[0]))
    assert 4 < most <= max(dict(Plan(game.program, ()).flow.sizes)["hand"])


@pytest.mark.parametrize(
    ("step", "code"),
    [
        ("{choose: {from: discard}, who: coins == 0}", "zone-misuse"),
        ("{who: coins == 0, do: [{choose: {from: discard}}]}", "zone-misuse"),
        ("{who: others, points: 1}", "misplaced-step"),
        ("{who: left, choose: {to: discard}}", "misplaced-step"),
        ("{who: right, in_turn: {do: [{points: 1}]}}", "misplaced-step"),
        ("{in_turn: {do: [{who: others, do: [{draw: {}}, {who: left, points: 1}]}]}}", "misplaced-step"),
        (
            "{who: coins == 0, do: [{add: {coins: 1}}], when: round > 1, else: [{choose: {from: discard}}]}",
            "zone-misuse",
        ),
        (
            "{in_turn: {do: [{who: others, when: coins > 1, do: [{draw: {}}], else: [{who: left, points: 1}]}]}}",
            "misplaced-step",
        ),
    ],
)
def test_what_others_cannot_do(tmp_path, step, code):
    """Check that two seats never choose from one pile together, and that others are seen from one seat."""
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(GAME.replace("2-3", "3").replace("{move: {from: hand, to: discard}, who: coins == 0}", step))
    assert [finding.code for finding in de.check(wrong) if finding.severity == "error"] == [code]


TUBS = """
format: 2
id: tubs
title: Tubs
version: 1.0.0
players: 2-3
rounds: 1
zones: {tub: {per: seat, seen_by: everyone}, bag: {}}
cards: {soup: {count: 20}, bread: {count: 20}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 6}
  - repeat: {until_empty: hand, do: [{choose: {from: hand, to: tub}}, {who: WHO, move: {from: tub, of: soup, to: bag}}]}
  - move: {from: tub, to: tableau}
  - score: round
scoring: {soup: {each: soup, points: 1}, bread: {each: bread, points: 1}}
winner: {order: most}
"""


@pytest.mark.parametrize("who", ["everyone", "cards(tub) > 0"])
def test_players_bring_some_cards_to_a_shared_pile(tmp_path, who):
    """Check that `who` beside a move of some cards makes it a group, as it does beside a move of all."""
    path = tmp_path / "tubs.yaml"
    path.write_text(TUBS.replace("WHO", who), encoding="utf-8")
    game = de.load(path, players=3)
    state = random_game(game.program, 1, 4)
    assert not any(
        game.program.plays[play].name == "soup" for seat in state.zones[game.program.tableau] for play in seat
    )
    assert sum(result(state).scores) < 18
    play_alike(game.program, "tubs", 8)


HANDS = """
format: 2
id: hands
title: Hands
version: 1.0.0
players: 2-4
rounds: 2
zones:
  loot: {seen_by: nobody}
  spread: {seen_by: everyone}
  stash: {per: seat, seen_by: everyone}
cards:
  soup: {count: 20}
  bread: {count: 20}
  gift:
    count: 9
    on_play: [{move: {from: stash, of: soup, cards: 1, to: loot}}, {who: left, move: {from: loot, to: stash}}]
  tax:
    count: 9
    on_play: [{who: others, move: {from: stash, of: bread, cards: 1, to: loot}}, {move: {from: loot, to: hand}}]
  beggar: {count: 9, on_play: [{who: right, choose: {from: tableau, to: loot}}, {move: {from: loot, to: hand}}]}
  thief:
    count: 9
    on_play:
      - {who: left, move: {from: stash, to: spread}}
      - choose: {from: spread, to: stash}
      - {who: left, move: {from: spread, to: stash}}
setup: [{shuffle: deck}]
round:
  - draw: {to: hand, cards: 7}
  - choose: {from: hand, to: stash, cards: 3}
  - repeat: {times: 3, do: [{choose: {from: hand, to: tableau}}]}
  - score: round
  - {move: {from: hand, to: discard}}
scoring: {stash: {points: "cards(stash)"}, soup: {each: soup, points: 1}}
winner: {order: most}
"""


@pytest.fixture
def hands(tmp_path):
    path = tmp_path / "hands.yaml"
    path.write_text(HANDS, encoding="utf-8")
    return path


@pytest.mark.parametrize("players", [2, 4])
def test_cards_change_hands_through_a_shared_pile(hands, players):
    """Check how cards go to other seats, in every form, and that worlds are dealt as a seat knows them."""
    assert not [finding for finding in de.check(hands) if finding.severity == "error"]
    program = de.load(hands, players=players).program
    play_alike(program, "hands", 8)
    cannot_be_told_apart(program, Random(1), often=0.2)


def test_a_move_of_some_cards_says_whose_they_are(hands):
    """Check that the rulebook names the seat beside a move that the reader splits into steps."""
    text = " ".join(as_text(book_of(rules_named(hands))).split())
    assert "the player on your left does this (put all of “Stash” with “Spread”)" in text
    assert "all others do this (put 1 card (only bread) of “Stash” with “Loot”)" in text
