"""Kernel and reference engine play the same games: the whole state at the end, after every policy."""

import pytest
from hypothesis import HealthCheck, assume, given, settings

from conftest import NIGHTLY
from draftengine.cardset.resolve import NOTHING_SELECTED, open_document
from draftengine.engine.chance import root_of
from draftengine.kernel import UnsupportedError
from draftengine.kernel.player import Player
from draftengine.library import WrongCardSetError, load_program
from draftengine.simulate.playing import player_of
from engine.configurations import CONFIGURATIONS
from kernel.comparing import by_machine, by_reference
from kernel.games import card_sets

# The machine is compiled once, not once for every process that runs tests.
pytestmark = pytest.mark.xdist_group("kernel")

GAMES = 200 if NIGHTLY else 3


def policies_of(name, players):
    return [("random", "greedy")[seat % 2] if name == "mixed" else name for seat in range(players)]


def agree(program, names, games):
    player = Player(program, names, tracked=True)
    for game in range(games):
        assert by_machine(player, "agreement", game) == by_reference(program, names, "agreement", game)


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
def test_random_games(configuration):
    agree(configuration.program, policies_of("random", configuration.players), GAMES)


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
def test_greedy_games(configuration):
    agree(configuration.program, policies_of("mixed", configuration.players), -(-GAMES // 10))


@pytest.mark.parametrize("configuration", CONFIGURATIONS, ids=str)
def test_what_is_counted(configuration):
    """Tallies with every play, and rows, in the lean form in which games are played by the million."""
    seats = ("random",) * configuration.players
    kernel, reference = (player_of(configuration.program, seats, own, logged=True) for own in ("kernel", "reference"))
    root = root_of("counted")
    assert kernel.play(root, 5, 5 + GAMES, rows=True) == reference.play(root, 5, 5 + GAMES, rows=True)


@settings(max_examples=2000 if NIGHTLY else 60, deadline=None, suppress_health_check=list(HealthCheck))
@given(card_sets())
def test_card_sets_that_nobody_wrote(text):
    document, _ = open_document(text.encode(), "drawn.yaml", lambda _: None)
    assume(document is not None)
    for players in (2, 3, 6):
        try:
            program = load_program(document, NOTHING_SELECTED, players)
        except WrongCardSetError:
            continue
        for names in (policies_of("random", players), policies_of("mixed", players)):
            try:
                agree(program, names, 2)
            except UnsupportedError:
                continue
