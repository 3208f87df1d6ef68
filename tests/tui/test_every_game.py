"""Every configuration of every card set can be played on the full screen, by keys alone."""

from __future__ import annotations

from random import Random

import pytest

from conftest import NIGHTLY, sample
from draftengine.api.game import Game
from engine.configurations import EVERY, ONE_OF_EACH
from tui.harness import run, sitting

WHOLE = next(each for each in ONE_OF_EACH if each.cardset == "sushi_draft")
"""The configuration that is played to its end; the others are played for a few turns."""
ENTERING = EVERY if NIGHTLY else (WHOLE, *(each for each in sample(ONE_OF_EACH[::2], 7) if each is not WHOLE))
"""The configurations that are entered; by day one of every second family, and `WHOLE`.

Canaries look at the screens of the other families (`leaks`).
"""
TURNS = 2
SIZES = ((80, 24), (120, 36), (60, 20), (160, 45))
MISTAKES = 0.1
"""The probability of pressing a key that may be invalid."""


@pytest.mark.parametrize("configuration", ENTERING, ids=str)
def test_it_can_be_played(configuration):
    """Keys alone lead to the end of a game; every screen fits, and the last one names the winner."""
    run(_play(configuration, whole_game=NIGHTLY or configuration == WHOLE))


def _key(table, chance):
    """Return a key for a legal card, Enter once a move is complete, or rarely any key."""
    choosing, scene = table.app.table.choosing, table.app.table.scene
    if table.app.table.hidden:
        return "p"
    if chance.random() < MISTAKES:
        return chance.choice([*"123456789tuphw", "right", "enter"])
    if choosing is None or choosing.settled or scene is None:
        return "enter"
    keys = [card.key for card in scene.hand if card.open and card.key]
    return chance.choice(keys) if keys else "enter"


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
            state = table.session.state
            if state.over or (not whole_game and (state.round > 1 or state.turn > TURNS)):
                break
            if table.app.screen is not table.app.table:
                await table.press(chance.choice(["escape", "1"]))
                continue
            await table.press(_key(table, chance))
        if not whole_game:
            assert state.round > 1 or state.turn > TURNS, table.screen
            return
        assert table.session.over, table.screen
        assert "The game is over" in table.screen
        if table.app.screen is not table.app.table:
            await table.press("escape")
        for score in table.session.state.totals:
            assert str(score) in table.screen
        again = table.session.game.replay(table.session.seed, table.session.moves)
        assert again.result == table.session.state.result
