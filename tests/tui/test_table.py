"""The full screen: keys, mouse, overlays, several people, sizes, and saving before showing."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from types import SimpleNamespace

import pytest

import draftengine as de
from draftengine.api.score_sheets import sheets
from draftengine.apps.play.coach import Tips
from draftengine.apps.play.review import in_bars
from draftengine.apps.play.session import HUMAN
from draftengine.apps.tui.overlays import Sheets
from draftengine.bots.hints import Evaluator
from draftengine.engine.position import Position
from tui.harness import run, sitting


@pytest.fixture(scope="module")
def pair():
    return de.load("sushi_go", players=2)


SHORT = """
format: 1
id: short
extends: sushi_go
title: Short
version: 1.0.0
rounds: 2
round:
  - deal: {to: hand, cards: 4}
  - repeat: {until_empty: hand, do: [{choose: {from: hand, to: tableau}}, {pass: {zone: hand, to: left}}]}
  - score: round
  - clear: tableau
"""


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    """Return a game with two rounds of four choices, for tests that play to the end."""
    file = tmp_path_factory.mktemp("short") / "short.yaml"
    file.write_text(SHORT, encoding="utf-8")
    return de.load(file, players=2)


def test_a_choice_can_be_changed_until_it_is_played(pair):
    """A choice can be replaced, removed by its key or undone with u, until Enter plays it."""

    async def play():
        async with sitting(pair) as table:
            choosing = table.app.table.choosing
            first, third = (table.app.table.scene.hand[at].item for at in (0, 3))
            await table.press("1")
            assert choosing.picking.taken.cards == (first,)
            await table.press("4")
            assert choosing.picking.taken.cards == (third,)
            await table.press("4")
            assert choosing.is_empty
            await table.press("4", "u")
            assert choosing.is_empty
            assert not [seat for seat, _ in table.session.moves if seat == 0]
            await table.press("1", "enter")
            assert [move.cards for seat, move in table.session.moves if seat == 0] == [(first,)]

    run(play())


def test_the_last_choice_is_played_after_a_pause(pair):
    """The last choice is played after a pause without keys."""

    async def play():
        async with sitting(pair, pause=0.01) as table:
            await table.press("1")
            for _ in range(100):
                await table.pilot.pause(0.01)
                await table.rest()
                if any(seat == 0 for seat, _ in table.session.moves):
                    return
            pytest.fail("the choice was never played")

    run(play())


def test_nothing_is_shown_before_it_is_kept(pair):
    """A choice is saved to disk before the screen shows its result."""
    tables, kept, shown = [], [], []

    async def play():
        def keep():
            kept.append(max((len(own.session.moves) for own in tables), default=0))

        async with sitting(pair, keep=keep) as table:
            tables.append(table)
            arrive = table.app.table.arrive

            def arrived(moment):
                shown.append((len(moment.state.moves), max(kept)))
                arrive(moment)

            table.app.table.arrive = arrived
            await table.press("1", "enter", "1", "enter")

    run(play())
    assert len(shown) > 2
    assert all(moves <= on_disk for moves, on_disk in shown)


def test_an_ability_takes_one_card_more(pair):
    """T uses an ability and waits for a second card; Enter plays only one."""
    position = Position(
        tables=(("chopsticks",), ()), hands=(("tempura", "sashimi", "wasabi"), ("tempura", "sashimi", "wasabi"))
    )

    async def play(*keys):
        async with sitting(pair) as table:
            session = table.session
            session.state = pair.set_up(position)
            table.app.table.decision = -1
            table.app.work.go_on(table.app.tell)
            await table.rest()
            assert "t two" in table.screen
            await table.press(*keys)
            return [move.taken for seat, move in session.moves if seat == 0]

    (taken,) = run(play("1", "t", "2", "enter"))
    assert [own.ability for own in taken] == ["", "chopsticks"]
    (taken,) = run(play("t", "1", "2", "enter"))
    assert [own.ability for own in taken] == ["", "chopsticks"]
    (taken,) = run(play("1", "enter"))
    assert len(taken) == 1


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (160, 50)])
def test_no_page_is_cut(pair, size):
    """Every line of the help fits beside the scroll bar."""

    async def play():
        async with sitting(pair, size=size) as table:
            await table.press("?")
            box = table.app.screen.query_one("#box")
            assert box.show_vertical_scrollbar
            assert box.query_one("#text").region.width <= box.scrollable_content_region.width

    run(play())


def test_overlays_leave_the_table_as_it_was(pair):
    """Overlays close without affecting a choice that was made."""

    async def play():
        async with sitting(pair) as table:
            await table.press("2")
            before = table.screen
            for key, words in (("?", "What gives points"), ("w", "As things stand"), ("s", "so far"), ("l", "Round 1")):
                await table.press(key)
                assert words in table.screen, key
                await table.press("escape")
                assert table.screen == before, key
            await table.press("h")
            assert table.screen.count("Hint") == 1
            await table.press("h")
            assert table.screen == before
            await table.press("p")
            assert "hidden" in table.screen
            await table.press("p")
            assert table.screen == before
            await table.press("r", "escape", "o", "escape", "ctrl+t")
            assert table.screen == before

    run(play())


def test_a_hint_that_comes_late_stays_away(pair, monkeypatch):
    """A late hint opens only for a person who is still choosing."""
    waiting = []

    async def play():
        async with sitting(pair) as table:
            monkeypatch.setattr(table.app.work, "advise", lambda *asked: waiting.append(asked))
            own = table.app.table
            await table.press("h", "1")
            waiting[0][2]([])
            await table.rest()
            assert table.app.screen is own
            await table.press("h")
            waiting[1][2]([])
            await table.rest()
            assert table.app.screen is not own

    run(play())


def test_who_leaves_waits_for_no_opinion(pair, monkeypatch):
    """Leaving does not wait for an adviser or a review, whose late result is ignored."""
    waiting = []

    async def play():
        async with sitting(pair) as table:
            monkeypatch.setattr(table.app.work, "advise", lambda *asked: waiting.append(asked[-1]))
            monkeypatch.setattr(table.app.work, "look_back", lambda *asked: waiting.extend(asked[-2:]))
            await table.press("h")
            monkeypatch.setattr(table.app.table, "draw", lambda: None)
            monkeypatch.setattr(table.app.table, "moment", SimpleNamespace(state=SimpleNamespace(over=True)))
            table.app.table._look_back()
        assert len(waiting) == 3
        with ThreadPoolExecutor(1) as thread:  # the game's own thread does not know the screen
            for tell in waiting:
                thread.submit(tell, 0).result()

    run(play())


def test_a_card_can_be_typed(pair):
    """The start of a card's name is enough; an unknown name is reported."""

    async def play():
        async with sitting(pair) as table:
            card = table.app.table.scene.hand[0]
            await table.press("/", *card.label[:4].lower(), "enter")
            assert table.app.table.choosing.picking.taken.cards == (card.item,)
            await table.press("/", "q", "q", "enter")
            assert "“qq” cannot be taken" in table.screen

    run(play())


def test_a_click_does_what_a_key_does(pair):
    """A click on a card, or on the line of keys, does what its key does."""

    async def play():
        async with sitting(pair) as table:
            hand = table.app.table.query_one("#hand")
            spot = hand.places[2]
            await table.pilot.click(hand, offset=(spot.x + 2, spot.y + 1))
            await table.rest()
            assert table.app.table.choosing.picking.taken.cards == (table.app.table.scene.hand[2].item,)
            keys = table.app.table.query_one("#keys")
            undo = next(own for own in keys.places if own.does == "u")
            await table.pilot.click(keys, offset=(undo.x, 0))
            await table.rest()
            assert table.app.table.choosing.is_empty

    run(play())


def test_a_small_window_loses_nothing(pair):
    """Below the smallest size a message appears; after enlarging, the choice is still there."""

    async def play():
        async with sitting(pair) as table:
            await table.press("1")
            before = table.screen
            await table.resize(40, 10)
            assert "needs" in table.screen
            await table.resize(80, 24)
            assert table.screen == before

    run(play())


def test_between_people_the_screen_is_covered():
    """Hands are covered until their owner confirms, and people who have chosen can change that."""
    game = de.load("sushi_go", players=3)

    async def play():
        async with sitting(game, [HUMAN, HUMAN, "greedy"], people=("Ada", "Ben"), tips=Tips()) as table:
            hands = [{game.labels.card(name) for name, _ in table.session.view(seat).stock} for seat in range(2)]
            assert "Pass the screen to Ada" in table.screen
            assert not any(card in table.screen for hand in hands for card in hand)
            await table.press("enter")
            shown = table.screen
            assert any(card in shown for card in hands[0])
            assert not any(card in shown for card in hands[1] - hands[0])
            await table.press("v", "1", "enter")
            assert "Ada has chosen" in table.screen
            assert not table.app.table.tip, "a tip tells of the hand that it is about"
            assert not any(card in table.screen for hand in hands for card in hand)
            await table.press("u")
            assert "Pass the screen to Ada" in table.screen
            assert not table.session.state.committed.get(0)
            await table.press("enter", "2", "enter", "enter", "1", "enter")
            assert table.session.state.turn == 2
            assert "Pass the screen to Ada" in table.screen

    run(play())


def test_a_wild_card_asks_as_what():
    """A wild card with several forms asks for one."""
    game = de.load("sushi_draft", players=3, variants=["advanced_triple"])
    position = Position(
        tables=(("ebi", "maguro"), (), ()),
        hands=(("triple", "ikura", "kappa"), ("ebi", "ebi", "ebi"), ("tamago", "tamago", "tamago")),
    )

    async def play():
        async with sitting(game) as table:
            table.session.state = game.set_up(position)
            table.app.table.decision = -1
            table.app.work.go_on(table.app.tell)
            await table.rest()
            wild = next(own for own in table.app.table.scene.hand if own.item == "triple")
            forms = table.app.table.choosing.forms("triple")
            await table.press(wild.key)
            if len(forms) > 1:
                assert "play it as" in table.screen
                await table.press("2")
            assert table.app.table.choosing.picking.taken.cards[0].startswith("triple@")

    run(play())


def test_what_goes_wrong_beside_the_screen_ends_the_application(pair):
    """An error in a background task ends the application, and is not swallowed."""

    def fails():
        raise ZeroDivisionError

    async def play():
        async with sitting(pair, keep=fails) as table:
            await table.rest()
            assert isinstance(table.app.trouble, ZeroDivisionError)

    run(play())


def test_every_page_says_who_leads_and_why_after_a_round(pair):
    """After a round there is a sheet whose rules open and close, and then the game goes on."""

    async def play():
        async with sitting(pair, people=("Ada",)) as table:
            while table.session.state.round == 1:
                await table.press("1", "enter")
            assert "Round 1 of 3" in table.screen
            closed = table.screen
            await table.press("space")
            assert table.screen != closed
            await table.press("space")
            assert table.screen == closed
            await table.press("w", "w")
            assert table.screen == closed
            await table.press("enter")
            assert "Round 2/3" in table.screen
            assert str(table.session.state.view(0).scores[0]) in table.screen

    run(play())


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_behind_a_sheet_the_round_is_over(short, size):
    """Behind a sheet nobody is choosing, and its points are shown, with how to continue."""

    async def play():
        async with sitting(short, size=size) as table:
            while table.session.state.round == 1:
                await table.press("1", "enter")
            scene = table.app.table.scene
            assert {own.seat: own.points for own in scene.seats} == dict(enumerate(table.session.view(-1).scores))
            assert {(own.standing, own.chosen) for own in scene.seats} == {(0, None)}
            assert not any(group.points for own in scene.seats for group in own.groups), "before the last card was laid"
            assert (scene.table.turn, scene.hand) == (0, ())
            assert "Enter continue · ↑↓ Space why" in table.screen
            while not table.session.over:
                await table.press(*(["1", "enter"] if table.app.screen is table.app.table else ["enter"]))
            assert "n again · m same · Enter table · r review · q quit · Space why" in table.screen

    run(play())


def test_behind_a_sheet_lie_the_cards_that_were_scored(short):
    """Behind a sheet the cards of the round remain, including the last one."""

    async def play():
        async with sitting(short, size=(120, 40)) as table:
            while not table.session.over:
                if table.app.screen is table.app.table:
                    await table.press("1", "enter")
                    continue
                shown = [(own.seat, group) for own in table.app.table.scene.seats for group in own.groups]
                nigiri = {seat: group.progress for seat, group in shown if "igiri" in group.label}
                number = max(1, table.session.state.round - (not table.session.over))
                rows = {row.rule: row.points for row in sheets(short, table.session.story)[number - 1].rows}
                assert nigiri == {seat: str(points) for seat, points in enumerate(rows["nigiri"]) if points}
                await table.press("enter")

    run(play())


def test_behind_the_last_sheet_chips_count():
    """Behind the last sheet, chips are turned up and counted."""

    async def play():
        async with sitting(de.load("sushi_draft", players=3)) as table:
            while not table.session.over:
                await table.press(*(["1", "enter"] if table.app.screen is table.app.table else ["enter"]))
                if "─ Round 1 of 3 ─" in table.screen:
                    assert "Chips are counted at the end." in table.screen
                    assert "Points" not in table.screen
            totals = table.session.state.totals
            assert totals != table.session.state.points
            assert {own.seat: own.points for own in table.app.table.scene.seats} == dict(enumerate(totals))

    run(play())


def test_a_layout_is_hidden_like_a_hand():
    """P hides the cards of a layout that can be chosen, and shows them again."""

    async def play():
        async with sitting(de.load("anniversary", players=2, variants=["sushi_battle"])) as table:
            before = table.screen
            await table.press("p")
            assert "hidden" in table.screen
            await table.press("1", "p")
            assert table.screen == before

    run(play())


MARKET = """
format: 1
id: stalls
title: Stalls
version: 1.0.0
players: 2
rounds: 1
cards: {apple: {count: 12}, pear: {count: 12}, plum: {count: 12}}
markers: {mover: {start: first}}
zones: {market: {per: table, layout: {rows: [{cards: 3}]}}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 2}
  - draw: {to: market}
  - choose: {from: hand, to: tableau}
  - choose: {from: market, to: tableau, who: {holder: mover}}
  - score: round
scoring: {fruit: {kind: each, of: apple, points: 1}}
winner: {order: most}
"""


def test_the_hand_is_seen_beside_a_market(tmp_path):
    """A choice from the hand shows the hand, and one from the market shows the market."""
    (tmp_path / "stalls.yaml").write_text(MARKET)

    async def play():
        async with sitting(de.load(tmp_path / "stalls.yaml", players=2)) as table:
            scene = table.app.table.scene
            assert (scene.layout, len(scene.hand)) == ((), 2)
            await table.press("1", "enter")
            for _ in range(100):
                await table.pilot.pause(0.01)
                await table.rest()
                if table.app.table.scene.layout:
                    break
            assert len(table.app.table.scene.layout[0]) == 3

    run(play())


@pytest.mark.parametrize("size", [(50, 20), (80, 24), (100, 30), (120, 40)])
def test_what_lies_on_the_table_is_seen_at_every_size(size):
    """Each row that a card can go to is shown with its cards."""

    async def play():
        async with sitting(de.load("six_nimmt", players=5), size=size) as table:
            for row in table.app.table.scene.piles:
                assert table.screen.count(row) == 1, row

    run(play())


def test_cards_without_a_picture_say_their_name_once_and_what_they_cost():
    """A name is not repeated as letters, and a card shows the number that a rule takes from each card."""

    async def play():
        async with sitting(de.load("six_nimmt", players=3), seed=3) as table:
            lines = table.screen.splitlines()
            assert lines[0].startswith(" 6 nimmt!  Round 1 · Turn 1 ")  # it goes on until somebody has 66 points
            at = next(number for number, line in enumerate(lines) if "No. 70" in line)
            assert "│ No. 70 " in lines[at]
            assert lines[at + 1].startswith(" │ →3 ")

    run(play())


def test_the_log_counts_turns_as_the_heading_does():
    """The log counts turns as the heading does: a choice after the last repetition is a turn of its own."""

    async def play():
        async with sitting(de.load("sushi_draft", players=3), size=(120, 36)) as table:
            while not table.screen.count("Turn 5/5"):
                await table.press("1", "enter")
            await table.press("1", "enter")
            last = [text.plain for text in table.app.table.entries if " · " in text.plain]
            assert last[-1].startswith("T5 ")

    run(play())


def test_the_first_screen_waits_for_no_bot(pair):
    """While bots get ready, a person sees the hand and chooses; afterwards the game goes on."""
    ready = Event()

    async def play():
        async with sitting(pair, prepare=ready.wait) as table:
            assert "Choose a card." in table.screen
            await table.pilot.press("1", "enter")
            await table.pilot.pause()
            assert "thinking" in table.screen
            ready.set()
            await table.rest()
            assert len(table.session.moves) >= 2

    run(play())


def test_the_end_says_who_won_and_offers_another_game(short):
    """After the game the table says who won, and `n` leaves for another game; before, it does nothing."""

    async def play():
        async with sitting(short, [HUMAN, "random"], size=(120, 40)) as table:
            await table.press("n")
            assert table.app.return_value is None
            while not table.session.over:
                await table.press(*(["1", "enter"] if table.app.screen is table.app.table else ["enter"]))
            await table.press("enter")
            mine, theirs = table.session.state.totals
            assert (f"You win with {mine} points" if mine > theirs else f"wins with {theirs} points") in table.screen
            assert "n plays again · m the same deal" in table.screen
            await table.press("m")
            assert table.app.return_value == "same"

    run(play())


def test_bars_and_tips_come_and_go(pair):
    """`v` shows the adviser's bars on every card; a tip stands below the message until `x` turns tips off."""

    async def played():
        tips = Tips()
        async with sitting(pair, tips=tips) as table:
            assert "Tip: These are your cards. Press the key" in " ".join(table.screen.split())
            await table.press("v")
            bars = Evaluator(table.session.view(0)).bars()
            drawn = re.findall("[▮▯]{5}", table.screen)
            assert sorted(set(drawn)) == sorted({in_bars(number) for number in bars.values()})
            await table.press("v", "x")
            assert "▮" not in table.screen
            assert "Tip:" not in table.screen
            assert not tips.wanted
            await table.press("1", "enter")
            assert "Tip:" not in table.screen

    run(played())


def test_a_sheet_is_counted_rule_by_rule(pair):
    """Rules are counted one after another; a key shows all of them, and only then Enter goes on."""

    async def played():
        async with sitting(pair, pause=60) as table:
            while not isinstance(table.app.screen, Sheets):
                await table.press("1", "enter")
            sheet = table.app.screen
            assert "Maki" in table.screen
            assert "leads by" not in table.screen
            assert re.findall(r"[■●] (?:Player 2|You) +(\d+)", table.screen) == ["0", "0"], "points before the round"
            before = re.findall(r"\[\d+\]", table.screen)
            sheet.count()
            sheet.count()
            await table.rest()
            assert before == []
            assert re.findall(r"\[\d+\]", table.screen)
            await table.press("enter")
            assert "lead" in table.screen
            await table.press("enter")
            assert not isinstance(table.app.screen, Sheets)

    run(played())
