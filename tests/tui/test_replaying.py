"""Replays on the full screen: steps, seats, rounds, points, sheets, and opinions of bots."""

from __future__ import annotations

import re

import pytest

from conftest import NIGHTLY
from tui.harness import recorded, run, watching


@pytest.fixture(scope="module")
def pair():
    return recorded("sushi_go", 2)


def test_steps_rounds_and_seats(pair):
    """Keys go forward and back, to rounds and to the end, as seen by each seat or by all."""

    async def watch():
        async with watching(pair) as film:
            last = len(pair.decisions) - 1
            begin = film.screen
            assert f"step 0 of {last}" in begin
            await film.press("right", "right", "left")
            assert f"step 1 of {last}" in film.screen
            await film.press("left", "left")
            assert film.screen == begin
            await film.press("pagedown")
            assert "Round 2/3 · Turn 1/" in film.screen
            await film.press("r", "3")
            assert "Round 3/3 · Turn 1/" in film.screen
            await film.press("pageup", "pageup")
            assert film.screen == begin
            await film.press("end")
            assert f"step {last} of {last}" in film.screen
            assert "points" in film.screen
            await film.press("home", "2")
            assert "the hand of Player 2" in film.screen
            await film.press("tab", "0")
            assert film.screen == begin

    run(watch())


def test_every_seat_sees_its_own_hand_and_everybody_all(pair):
    """A seat sees its own hand only, the view of all sees all hands, and the taken card is marked."""
    game, first = pair.game, pair.decisions[0]
    hands = [{game.labels.card(name) for name, _ in first.state.view(seat).stock} for seat in range(2)]
    only = [hands[0] - hands[1], hands[1] - hands[0]]
    assert all(only)

    async def watch():
        async with watching(pair, size=(160, 45)) as film:
            taken = [game.labels.card(first.choices[seat].cards[0]) for seat in range(2)]
            assert all(f"{name}" in film.screen for name in taken)
            for seat in range(2):
                await film.press(str(seat + 1))
                assert "takes " in film.screen
                assert taken[seat] in film.screen
                assert all(card in film.screen for card in only[seat])
                assert not any(card in film.screen for card in only[1 - seat])
                assert "1✓" in film.screen

    run(watch())


def test_pages(pair):
    """Points over time, sheets, reasons, log, help and opinions open and close again."""

    async def watch():
        async with watching(pair, seat=0) as film:
            await film.press("pagedown")
            shown = film.screen
            for key, said in (
                ("p", "Points over time"),
                ("s", "Round 1 of 3"),
                ("w", "As things stand"),
                ("l", "What happened"),
                ("?", "to any round"),
                ("h", "What a bot thinks"),
            ):
                await film.press(key)
                assert said in film.screen, key
                await film.press("escape")
                assert film.screen == shown, key
            await film.press("end", "h")
            assert "Everything has been chosen here" in film.screen

    run(watch())


def test_of_a_game_that_goes_on_only_the_own_hand_is_shown():
    game = recorded("sushi_go", 3, decisions=7)
    theirs = {game.game.labels.card(name) for name, _ in game.end.view(1).stock}
    mine = {game.game.labels.card(name) for name, _ in game.end.view(0).stock}

    async def watch():
        async with watching(game, seat=0, size=(160, 45)) as film:
            await film.press("end", "2")
            assert "nobody else’s hand is shown" in film.screen
            assert all(card in film.screen for card in mine)
            await film.press("0")
            assert "stay covered" in film.screen
            assert "not over" in film.screen
            assert not any(f"│ {card}" in film.screen for card in theirs)
            await film.press("left", "h")
            assert "nothing to choose" in film.screen

    run(watch())


def test_chips_count_when_the_game_is_over():
    """A chip is one chip in the log; at the end its points count in the table and on the sheet."""
    game = recorded("sushi_draft", 3)
    result = game.end.result

    async def watch():
        async with watching(game, 0, (160, 45)) as film:
            await film.press("end")
            assert re.search(r" 1 chip\b", film.screen)
            assert " 1 chips" not in film.screen
            for name, score in zip(("Ada", "Player 2", "Player 3"), result.scores, strict=True):
                assert re.search(rf"{name}\s+{score}\b", film.screen)
            await film.press("s")
            (chips,) = re.findall(r"Chips +(\d+) +(\d+) +(\d+)", film.screen)
            assert tuple(map(int, chips)) == result.scores

    run(watch())


GAMES = (("anniversary", 2, ("sushi_battle",)), ("party_cutthroat", 8), ("sushi_draft", 3, ("advanced_triple",)))
SIZES = ((50, 20), (80, 24), (120, 36))
TOGETHER = [(game, size) for game in GAMES for size in SIZES] if NIGHTLY else list(zip(GAMES, SIZES, strict=True))


@pytest.mark.parametrize(("game", "size"), TOGETHER, ids=lambda own: str(own[0]))
def test_every_screen_fits(game, size):
    """All screens fit, for a layout, eight seats and wild cards, and after resizing."""

    async def watch():
        async with watching(recorded(*game), size=size) as film:
            for key in ("right", "1", "pagedown", "right", "2", "end", "0"):
                await film.press(key)
                lines = film.screen.splitlines()
                assert len(lines) == size[1]
                assert max(map(len, lines)) <= size[0]
            await film.resize(40, 10)
            assert "This terminal shows 40×10" in film.screen
            await film.resize(*size)
            assert film.screen.splitlines() == lines

    run(watch())
