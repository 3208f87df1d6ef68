"""The scorekeeper on the full screen: keys and mouse add cards, and the sheet has their points."""

from __future__ import annotations

import json

import pytest

import draftengine as de
from conftest import NIGHTLY
from draftengine.api.scenario.score_tables import read_sheet
from draftengine.apps.cli.opening import tables_in
from draftengine.apps.play.score_book import Scorebook, things_of
from draftengine.model.shelf import shelf
from tui.harness import keeping, run


@pytest.fixture
def book(tmp_path):
    return Scorebook(de.load("sushi_go", players=2), ["Ada", ""], path=tmp_path / "sheet.json")


def test_keys_lay_cards_down(book):
    """Keys, cursor and names add and remove cards; points appear at once, and are saved."""

    async def keep():
        async with keeping(book) as table:
            assert "what lies before ● Ada" in table.screen
            await table.press("1", "1", "right", "enter", "backspace")
            assert book.laid(0, 0) == ("tempura", "tempura")
            assert "Tempura: Ada 5" in table.screen
            await table.press("tab", "4", "4", "x", "/", *"squid", "enter")
            assert book.laid(0, 1) == ("maki_1", "nigiri_squid")
            assert json.loads(book.path.read_text("utf-8"))["rounds"][0]["tables"][1] == ["maki_1", "nigiri_squid"]
            assert "Player 2" in table.screen
            await table.press("u")
            assert book.laid(0, 1) == ("maki_1",)
            await table.press("m", *"Ben", "enter")
            assert "what lies before ■ Ben" in table.screen
            assert json.loads(book.path.read_text("utf-8"))["names"] == ["Ada", "Ben"]

    run(keep())


def test_rounds_sheets_and_beginning_again(book):
    """The next round starts empty, sheets have reasons, the end names the winner, clearing can be undone."""

    async def keep():
        async with keeping(book) as table:
            await table.press("1", "1", "n")
            assert "Round 2/3" in table.screen
            assert book.laid(1, 0) == ()
            await table.press("pageup")
            assert "Round 1/3" in table.screen
            await table.press("s", "down", "space")
            assert "2 make 1 set of 2: 5" in table.screen
            await table.press("escape", "pagedown", "n", "n")
            assert "This is the last round." in table.screen
            await table.press("s")
            assert "Ada wins with 5 points" in table.screen
            await table.press("escape", "z", "y")
            assert book.is_empty
            await table.press("u")
            assert len(book.rounds) == 3

    run(keep())


def test_the_mouse_lays_down_and_takes_away(book):
    async def keep():
        async with keeping(book) as table:
            hand, message = (table.app.sheet.pane(name) for name in ("hand", "message"))
            spot = next(own for own in hand.places if own.does == "card 2")
            await table.pilot.click("#hand", offset=(spot.x + 3, spot.y + 1))
            await table.pilot.pause()
            assert book.laid(0, 0) == ("dumpling",)
            seat = next(own for own in table.app.sheet.pane("seats").places if own.does == "seat 1")
            await table.pilot.click("#seats", offset=(seat.x + 2, seat.y))
            await table.pilot.pause()
            assert "what lies before ■ Player 2" in table.screen
            await table.press("tab")
            away = next(own for own in message.places if own.does == "away 0")
            await table.pilot.click("#message", offset=(away.x, 0))
            await table.pilot.pause()
            assert book.laid(0, 0) == ()

    run(keep())


def test_more_than_the_box_holds_is_refused(book):
    async def keep():
        async with keeping(book) as table:
            await table.press(*["b"] * 11)
            assert "The box contains 10" in table.screen
            assert book.laid(0, 0) == ("pudding",) * 10

    run(keep())


def test_chips_are_typed_and_decide(tmp_path):
    """Without the values of chips there is no winner; the end is a sheet of its own, also after reopening."""
    game = de.load("sushi_draft", players=3)
    sheet = Scorebook(game, [], path=tmp_path / "sheet.json")

    async def keep():
        async with keeping(sheet) as table:
            await table.press("1", "n", "n")
            assert "Nobody has won yet: s shows why." in table.screen
            await table.press("s")
            assert "Nobody has won yet." in table.screen
            assert "Player 1 has 2 chips, worth 4 to 8 points" in table.screen
            await table.press("escape", "/", *"chips", "enter", *"9", "enter", "s")
            assert "the sheet says 9" in table.screen
            await table.press("escape", "=", *"8", "enter", "s", "right")
            assert "The game is over" in table.screen
            assert "At the end" in table.screen
            assert "Player 1 wins with 8 points." in table.screen
            await table.press("escape", "x")
            assert sheet.reckoned().winners == ()
            await table.press("u")
            assert sheet.reckoned().winners == (0,)

    run(keep())
    kept = read_sheet(tables_in(str(sheet.path)))
    assert (kept.names, kept.rounds[2].chips) == (("", "", ""), (8, None, None))


def test_what_cannot_lie_so_is_refused(tmp_path):
    """Impossible entries are refused, such as a triple first or a die of seven, with the reason."""
    draft = Scorebook(de.load("sushi_draft", players=3), [])
    dice = Scorebook(de.load("anniversary", players=3, variants=["mochi"]), [])

    async def keep():
        async with keeping(draft) as table:
            await table.press("/", *"triple as ik", "enter")
            assert "cannot have this form" in table.screen
            assert draft.is_empty
        async with keeping(dice) as table:
            await table.press("/", *"pips", "enter", "=", *"7", "enter")
            assert "must be at most 6" in table.screen
            assert dice.rounds[0].counters == {"mochi_die": (2, 1, 1)}

    run(keep())


@pytest.mark.parametrize("cardset", sorted(shelf()) if NIGHTLY else ["anniversary", "party_cutthroat", "sushi_draft"])
def test_it_works_for_every_card_set(cardset):
    """For every card set, all that can be entered is visible or reached by the cursor, and screens fit."""
    rules = de.open_rules(cardset)
    game = rules.game(rules.players[1])
    sheet = Scorebook(game, [""] * game.players)
    size = ((80, 24), (120, 36), (50, 20))[len(cardset) % 3]

    async def keep():
        async with keeping(sheet, size) as table:
            await table.press("1", "tab", "2", "left", "left", "left", "enter")
            assert sheet.count(0, 1, things_of(game)[-2]) == 1
            assert len(table.screen.splitlines()) == size[1]
            assert max(map(len, table.screen.splitlines())) <= size[0]
            lying = table.screen
            await table.press("s", "w")
            assert table.screen != lying
            await table.press("escape")
            assert table.screen == lying

    run(keep())
