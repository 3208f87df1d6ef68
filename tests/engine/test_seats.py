"""Zones of other seats in step lists: taken from, given to and swapped, in every form of the kernel."""

from random import Random

import pytest

import draftengine as de
from draftengine.api.labels import Labels
from draftengine.api.phrasing.events import EventPhraser, EventTeller, PlainNames
from draftengine.api.ruleset import rules_named
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from engine.test_redeal import cannot_be_told_apart
from text.forms import play_alike

OPEN = """
format: 2
id: thieves
title: Thieves
version: 1.0.0
players: 2-4
markers: {lord: {start: nobody}}
counters: {coins: {max: 60}}
zones: {stash: {per: seat, seen_by: everyone}, market: {}}
cards:
  soup: {count: 30, has: {value: 1}, on_play: [{add: {coins: 1}}, {give: {lord: self}}]}
  bread: {count: 20, has: {value: 2}, adds: {loaves: 1}}
  thief: {count: 12, on_play: [{choose: {from: left.stash, to: stash}}]}
  spy:
    count: 12
    on_play:
      - choose: {name: other, of: others, cards: 0-1}
      - choose: {from: other.stash, cards: 0-2, to: hand}
      - move: {from: hand, to: other.stash, cards: 1}
  tax: {count: 12, on_play: [{choose: {from: lord.stash, of: its(value) > coins, to: right.stash}}]}
  cook: {count: 12, on_play: [{choose: {from: hand, of: bread, to: left.tableau}}]}
  heir: {count: 12, on_play: [{move: {from: left.stash, to: right.stash}}]}
  crier:
    count: 12
    on_play: [{draw: {from: market, to: right.stash}}, {move: {from: left.stash, to: discard, cards: 1}}]
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 6}
  - draw: {to: market, cards: 6}
  - choose: {from: hand, to: stash, cards: 2}
  - repeat: {until_empty: hand, at_most: 9, do: [{id: play, choose: {from: hand, to: tableau}}]}
  - score: round
scoring: {all: {points: 2 * loaves + coins + cards(stash)}}
"""
HIDDEN = """
format: 2
id: letters
title: Letters
version: 1.0.0
players: 2-4
markers: {lord: {start: first}}
zones:
  aside: {per: seat, seen_by: owner}
  yard: {per: seat, counts: true}
  row: {per: seat, seen_by: everyone}
cards:
  soup: {count: 30, adds: {gold: 1}, has: {value: 1}}
  note: {count: 20, on_play: [{choose: {from: hand, to: left.hand}}]}
  trade:
    count: 12
    on_play:
      - choose: {name: other, of: others}
      - move: {from: hand, to: aside}
      - move: {from: other.hand, to: hand}
      - move: {from: aside, to: other.hand}
  tithe: {count: 12, on_play: [{draw: {to: lord.hand, cards: gold}}, {give: {lord: left}}]}
  plant: {count: 12, on_play: [{choose: {from: tableau, to: right.tableau}}, {move: {from: right.tableau, to: yard}}]}
  fine: {count: 12, on_play: [{move: {from: left.row, of: "its(value) >= gold", cards: 2, to: right.hand}}]}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 5}
  - draw: {to: row, cards: 2}
  - repeat:
      until_empty: hand
      at_most: 8
      do:
        - {id: play, choose: {from: hand, to: tableau}}
        - who: lord
          in_turn:
            do: [{choose: {from: left.row, as: {sell: {to: discard, do: [{points: 1}]}, keep: {to: hand}}}}]
  - score: round
scoring: {all: {points: gold + 2 * yard.soup}}
"""


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    """Write a game with open and one with hidden zones, and return their paths by id."""
    folder = tmp_path_factory.mktemp("seats")
    for name, text in (("thieves", OPEN), ("letters", HIDDEN)):
        (folder / f"{name}.yaml").write_text(text)
    return {name: folder / f"{name}.yaml" for name in ("thieves", "letters")}


@pytest.mark.parametrize(("name", "players"), [("thieves", 2), ("thieves", 4), ("letters", 3)])
def test_every_form_moves_the_same_cards(paths, name, players):
    """Check that the games are sound, all forms play alike, and no dealt world differs for a seat."""
    assert {finding.code for finding in de.check(paths[name])} <= {"not-all-checked"}
    program = de.load(paths[name], players=players).program
    play_alike(program, name, 8)
    cannot_be_told_apart(program, Random(name), often=0.2)


def cards(state, zone):
    """Return the cards of each seat's zone in their order."""
    program = state.game.program
    index = [declared.id for declared in program.zones].index(zone)
    return [[program.play_names[card] for card in zone_of_seat] for zone_of_seat in state.position.zones[index]]


def log(state, since, viewer=-1):
    """Return what the table reads of the last events, from the event with the number `since` on."""
    game = state.game
    names = PlainNames(Labels(game.model, "en"), ["Ann", "Ben", "Cleo"])
    happenings = EventTeller(game, viewer, state.history[:since]).tell(state.history[since:])
    return [EventPhraser(names).sentence(happening) for happening in happenings]


STASHES = [["cook"], ["soup", "bread", "tax"], ["spy", "thief"]]


def moves(state):
    """Return the moves that Ann can make, as text."""
    return [" ".join(move.cards) for move in state.view(0).moves]


def laid_down(paths, card, *more_moves, hand=(), stashes=STASHES, **more):
    """Return the state after Ann, who alone has cards in the hand, has played a card and made more moves."""
    position = de.Position(at="play", hands=[[card, *hand], [], []], zones={"stash": stashes}, **more)
    state = de.load(paths["thieves"], players=3).set_up(position)
    for move in (card, *more_moves):
        state = state.commit(0, move)
    return state


def test_a_card_of_the_player_on_the_left_is_taken(paths):
    """Check whose cards can be chosen, the order of those that go back, and the log."""
    state = laid_down(paths, "thief")
    assert moves(state) == ["soup", "bread", "tax"]
    after = state.commit(0, "bread")
    assert cards(after, "stash") == [["cook", "bread"], ["soup", "tax"], ["spy", "thief"]]
    assert log(after, len(state.history))[0] == "Ann took Bread from Ben (to “Stash”)."


def test_cards_of_a_named_player_are_taken_and_exchanged(paths):
    """Check a range of cards of a player who was chosen, and a move of the top card to that player."""
    state = laid_down(paths, "spy", "left_2", hand=["cook"])
    assert moves(state)[:3] == ["take_0", "thief@take_1", "spy@take_1"]
    after = state.commit(0, "spy")
    assert cards(after, "stash") == [["cook"], ["soup", "bread", "tax"], ["thief", "spy"]]
    lines = ["Ann took Spy from Cleo into the hand.", "Ann gave Spy to Cleo (“Stash”)."]
    assert log(after, len(state.history))[1:3] == lines
    assert cards(after, "hand")[0] == ["cook"]


def test_nothing_moves_if_nobody_is_named(paths):
    """Check that a name without meaning, or a marker without holder, asks nobody and moves nothing."""
    after = laid_down(paths, "spy", "no_other", hand=["cook"])
    assert (cards(after, "stash"), cards(after, "hand")[0]) == (STASHES, ["cook"])
    after = laid_down(paths, "tax", hand=["soup"])
    assert (cards(after, "stash"), moves(after)) == (STASHES, ["soup"])


def test_a_condition_is_about_the_seat_of_the_list(paths):
    """Check which cards of a marker's holder can be taken for a third player."""
    state = laid_down(paths, "tax", markers={"lord": 1}, counters={"coins": [1, 0, 0]}, hand=["soup"])
    assert moves(state) == ["bread"]
    after = state.commit(0, "bread")
    assert cards(after, "stash") == [["cook"], ["soup", "tax"], ["spy", "thief", "bread"]]
    assert log(after, len(state.history))[:2] == ["Ann took Bread from Ben.", "Ann gave Bread to Cleo (“Stash”)."]


def test_a_card_for_another_tableau_is_played_there(paths):
    """Check that it counts for the other player, whose card it is from then on."""
    state = laid_down(paths, "cook", hand=["bread", "soup"])
    after = state.commit(0, "bread")
    assert after.tableaus == (("cook",), ("bread",), ())
    assert [counters["loaves"] for counters in after.counters] == [0, 1, 0]
    assert log(after, len(state.history))[:2] == ["Ann gave Bread to Ben.", "Ben played Bread."]


def test_cards_are_taken_and_given_without_a_choice(paths):
    """Check a draw for another player, and a move of the top card to a shared pile."""
    zones = {"stash": STASHES, "market": [["soup", "bread"]]}
    market = de.Position(at="play", hands=[["crier", "soup"], [], []], zones=zones)
    before = de.load(paths["thieves"], players=3).set_up(market)
    after = before.commit(0, "crier")
    assert cards(after, "stash") == [["cook"], ["soup", "bread"], ["spy", "thief", "bread"]]
    assert cards(after, "discard") == [["tax"]]
    assert log(after, len(before.history))[1:3] == ["Cleo got Bread (stash).", "Ben discarded Tax."]


def test_whole_stashes_keep_their_order(paths):
    after = laid_down(paths, "heir", hand=["soup"])
    assert cards(after, "stash") == [["cook"], [], ["spy", "thief", "soup", "bread", "tax"]]


def in_letters(paths, card, *more, hands, **position):
    """Return the state after Ann has played a card and made more moves, in the game with hidden zones."""
    state = de.load(paths["letters"], players=3).set_up(de.Position(at="play", hands=hands, **position))
    for move in (card, *more):
        state = state.commit(0, move)
    return state


def test_a_hidden_card_is_seen_only_by_giver_and_receiver(paths):
    """Check what the log tells each seat about a card that goes from hand to hand."""
    state = in_letters(paths, "note", hands=[["note", "soup", "fine"], [], []])
    after = state.commit(0, "soup")
    assert cards(after, "hand") == [["fine"], ["soup"], []]
    lines = [log(after, len(state.history), viewer)[0] for viewer in (-1, 0, 1, 2)]
    assert lines == [f"Ann gave {card} to Ben." for card in ("a card", "Soup", "Soup", "a card")]


def test_whole_hands_are_exchanged(paths):
    state = in_letters(paths, "trade", hands=[["trade", "soup", "soup"], [], ["fine", "note", "note", "soup"]])
    after = state.commit(2, "soup").commit(0, "left_2")
    assert [sorted(hand) for hand in cards(after, "hand")] == [["fine", "note", "note"], [], ["soup", "soup"]]


def test_a_number_is_that_of_the_seat_of_the_list(paths):
    """Check that the holder of the marker gets as many cards as the other seat has gold."""
    deck = {"deck": [["note"] * 5]}
    hands, tables = [["tithe", "soup"], [], []], [["soup", "soup"], [], ["soup"]]
    after = in_letters(paths, "tithe", hands=hands, tables=tables, zones=deck, markers={"lord": 2})
    assert [len(hand) for hand in cards(after, "hand")] == [1, 0, 2]


def test_cards_that_counted_are_not_played_again(paths):
    """Check that a card from a tableau counts in another one, and does not start its list there."""
    state = in_letters(paths, "plant", hands=[["plant", "soup"], [], []], tables=[["note"], [], ["soup"]])
    after = state.commit(0, "note")
    assert after.tableaus == (("plant",), (), ())
    assert [sorted(yard) for yard in cards(after, "yard")] == [["note", "soup"], [], []]


@pytest.mark.parametrize(
    ("language", "sentences"),
    [
        (
            "en",
            [
                "choose 1 card from “Stash” of the player on your left and put it with “Stash”.",
                "choose up to 2 cards from “Stash” of “Other” and take them into your hand",
                "of whoever holds “Lord”",
                "put it with the cards in front of the player on your left",
                "Keep these cards in their order, as a row: “Stash” and “Market”.",
            ],
        ),
        ("pl", ["ze strefy „Stash” osoby po lewej", "ze strefy „Stash” osoby „Other”", "gracza mającego „Lord”"]),
        ("ja", ["左隣のプレイヤーの「Stash」から1枚選び", "「Other」の「Stash」から", "左隣のプレイヤーの前に移す"]),
    ],
)
def test_the_rulebook_says_whose_cards_they_are(paths, language, sentences):
    book = as_text(book_of(rules_named(paths["thieves"], ()), language))
    text = "".join(book.split()) if language == "ja" else " ".join(book.split())
    assert [sentence for sentence in sentences if sentence not in text] == []
    assert "list:" not in text


THIEF = "from: left.stash, to: stash}"


@pytest.mark.parametrize(
    ("old", "source", "at", "code", "hint"),
    [
        (THIEF, "left.hand", "left.hand, to", "zone-misuse", "“who: left”"),
        (THIEF, "left.tableau", "left.tableau, to", "zone-misuse", "“who: left”"),
        (THIEF, "left.market", "left.market, to", "zone-misuse", "Write market without"),
        (THIEF, "lft.stash", "lft.stash, to", "unknown-name", "“left”"),
        (THIEF, "others.stash", "others.stash, to", "unknown-name", "left, right"),
        (THIEF, "left.stahs", "stahs, to", "unknown-zone", "“stash”"),
        ("from: hand, to: stash, cards: 2}", "left.stash", "left.stash, to: stash, c", "misplaced-step", "in a list"),
    ],
)
def test_what_is_refused_says_what_to_write(tmp_path, old, source, at, code, hint):
    """Check hidden, counting, shared and unknown zones, unknown seats, and a step of the flow."""
    text = OPEN.replace(old, f"from: {source}, {old.partition(', ')[2]}")
    (tmp_path / "wrong.yaml").write_text(text)
    finding = next(finding for finding in de.check(tmp_path / "wrong.yaml") if finding.severity == "error")
    assert (finding.code, finding.span.start) == (code, text.index(at))
    assert hint in finding.hint


ONE_WAY = "as: {rob: {to: hand, from: left.stash}, pass: {cards: 0}}"
REPEATED = "at_most: 3, do: [{draw: {to: hand}}]}"


@pytest.mark.parametrize(
    ("step", "hint", "right"),
    [
        ("flip: left.stash", "“who: left, flip: {zone: stash}”", ""),
        ("add: {coins: cards(left.stash)}", "left(cards(stash))", "add: {coins: left(cards(stash))}"),
        ('add: {coins: "cards(lord.stash, soup)"}', "of(lord, cards(stash, soup))", ""),
        ("add: {coins: left.stash}", "left(cards(stash))", ""),
        ("add: {coins: lord.coins}", "of(lord, coins)", 'add: {coins: "of(lord, coins)"}'),
        ("choose: {from: [left.stash, stash], to: hand}", "“from: left.stash” alone", ""),
        (f"choose: {{from: hand, {ONE_WAY}}}", "“from” beside “as”", ""),
        (f"choose: {{from: hand, {ONE_WAY.replace('left.stash', '[left.stash]')}}}", "“from” beside “as”", ""),
        (
            f"repeat: {{until_empty: left.stash, {REPEATED}",
            "“until: left(cards(stash)) == 0”",
            f"repeat: {{until: left(cards(stash)) == 0, {REPEATED}",
        ),
        ("shuffle: left.stash", "Only choose, move and draw", ""),
    ],
)
def test_a_zone_of_another_seat_where_none_can_be_named(tmp_path, step, hint, right):
    """Check that the hint names what is right in that place, and that this is accepted."""
    path, text = tmp_path / "seats.yaml", OPEN.replace("players: 2-4", "players: 2")
    path.write_text(text.replace("choose: {from: left.stash, to: stash}", step))
    (error,) = (finding for finding in de.check(path) if finding.severity == "error")
    assert hint in error.hint
    path.write_text(text.replace("choose: {from: left.stash, to: stash}", right or "draw: {to: hand}"))
    assert not [finding for finding in de.check(path) if finding.severity == "error"]


def test_several_seats_cannot_take_from_others_together(tmp_path):
    """Check that a group of the flow is refused once, and that `in_turn` is named instead of it."""
    step = "{who: coins > 1, do: [{choose: {from: left.stash, to: hand}}]}"
    (tmp_path / "wrong.yaml").write_text(OPEN.replace("  - score: round\n", f"  - {step}\n  - score: round\n"))
    errors = [finding for finding in de.check(tmp_path / "wrong.yaml") if finding.severity == "error"]
    assert [(finding.code, "in_turn" in finding.hint) for finding in errors] == [("misplaced-step", True)]


def test_a_card_that_is_taken_can_be_turned_over(tmp_path):
    """Check that `side` works with the zone of another seat, and that the log names no hidden zone."""
    text = OPEN.replace("adds: {loaves: 1}}", "adds: {loaves: 1}, back: {has: {value: 5}}}")
    text = text.replace("from: left.stash, to: stash}", "from: left.stash, to: stash, side: back}")
    (tmp_path / "turned.yaml").write_text(text)
    state = laid_down({"thieves": tmp_path / "turned.yaml"}, "thief")
    after = state.commit(0, "bread")
    assert cards(after, "stash") == [["cook", "bread_back"], ["soup", "tax"], ["spy", "thief"]]
    assert log(after, len(state.history))[0] == "Ann took Bread from Ben."
    assert "taken" not in " ".join(log(after, len(state.history))).lower()


ROWS = """
format: 2
id: rows
title: Rows
version: 1.0.0
players: 2-3
cards:
  soup: {count: 20}
  thief: {count: 6, on_play: [{choose: {from: left.row_1, to: row_2}}, {move: {from: row_1, to: right.row_2}}]}
  toll: {count: 6, on_play: [{move: {from: row_2, of: soup, cards: 1, to: shop}}, {move: {from: shop, to: hand}}]}
zones:
  row: {copies: 2, per: seat, seen_by: everyone}
  shop: {}
setup: [{shuffle: deck}]
round:
  - draw: {to: row}
  - deal: {to: hand, cards: 3}
  - repeat: {times: 3, do: [{choose: {from: hand, to: tableau}}]}
  - score: round
scoring: {soup: {points: "soup + 2 * cards(row_1) + 3 * cards(row_2)"}}
"""


def test_copies_that_each_seat_has_are_no_shared_zones(tmp_path):
    """Check a copy of another seat, and a move of some cards from a copy to a shared zone."""
    path = tmp_path / "rows.yaml"
    path.write_text(ROWS)
    assert [finding.message for finding in de.check(path) if finding.severity == "error"] == []
    play_alike(de.load(path, players=2).program, "rows", 2)
    path.write_text(ROWS.replace("left.row_1", "left.row"))
    assert [finding.text.id for finding in de.check(path)] == ["zone-misuse.copies"]
