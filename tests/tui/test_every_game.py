"""Every configuration of every card set can be played on the whole screen, by keys alone."""

from __future__ import annotations

from random import Random

import pytest

from conftest import NIGHTLY
from draftengine.api.game import Game
from engine.configurations import EVERY
from tui.harness import run, sitting

BY_DAY = (
    "sushi_go-2p",
    "anniversary-2p-sushi_battle",
    "anniversary-2p-two_player_dummy",
    "party_cutthroat-8p",
    "sushi_draft-4p-advanced_triple",
)
"""A hand with an ability, a layout, cards for another seat, eight seats, and wild cards with cards put aside."""
ENTERING = EVERY if NIGHTLY else [own for own in EVERY if str(own) in BY_DAY]
SIZES = ((80, 24), (120, 36), (60, 20), (160, 45))


def test_the_games_by_day_are_there():
    """None of them is left out because it is called otherwise."""
    assert {str(own) for own in EVERY} >= set(BY_DAY)


@pytest.mark.parametrize("configuration", ENTERING, ids=str)
def test_it_can_be_played(configuration):
    """Random keys lead to the end of the game; every screen fits, and the last one says who won.

    By day only one of the games goes beyond its first round.
    """
    run(_play(configuration, whole_game=NIGHTLY or configuration.cardset == "sushi_draft"))


async def _play(configuration, *, whole_game):
    chance = Random(str(configuration))
    game = Game(None, configuration.program)
    seats = ["human", *["random"] * (configuration.players - 1)]
    async with sitting(game, seats, size=SIZES[len(str(configuration)) % len(SIZES)], people=("Ada",)) as table:
        columns, lines = table.app.size
        for _ in range(1000):
            screen = table.screen
            assert len(screen.splitlines()) == lines
            assert max(map(len, screen.splitlines())) <= columns
            if table.session.over or (not whole_game and table.session.state.round > 1):
                break
            if table.app.screen is not table.app.table:
                await table.press(chance.choice(["escape", "1"]))
                continue
            choosing = table.app.table.choosing
            whole = choosing is not None and choosing.settled and chance.random() < 0.7
            await table.press("enter" if whole else chance.choice([*"123456789tu", "right", "enter"]))
        if not whole_game:
            assert table.session.state.round > 1, table.screen
            return
        assert table.session.over, table.screen
        assert "The game is over" in table.screen
        if table.app.screen is not table.app.table:
            await table.press("escape")
        for score in table.session.state.view(0).scores:
            assert str(score) in table.screen
        again = table.session.game.replay(table.session.seed, table.session.moves)
        assert again.result == table.session.state.result
