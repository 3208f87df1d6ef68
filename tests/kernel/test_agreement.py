"""Kernel and reference engine play the same games: the whole state at the end, after every policy."""

from collections import Counter
from contextlib import contextmanager

import pytest
from hypothesis import HealthCheck, given, settings

from conftest import NIGHTLY
from draftengine.engine.chance import root_of
from draftengine.kernel import UnsupportedError
from draftengine.kernel.player import Player
from draftengine.simulation.playing import ReferencePlayer
from engine.configurations import CONFIGURATIONS, ENTERING
from engine.crowded import SHARED, WILD, crowded
from engine.drawn import card_sets, programs_of
from kernel.comparing import by_machine, by_reference

# The machine is compiled once, not once for every process that runs tests.
pytestmark = [pytest.mark.kernel, pytest.mark.xdist_group("kernel")]

GAMES = 200 if NIGHTLY else 3


def policies_of(name, players):
    return [("random", "greedy")[seat % 2] if name == "mixed" else name for seat in range(players)]


def agree(program, names, games):
    player = Player(program, names, tracked=True)
    for game in range(games):
        assert by_machine(player, "agreement", game) == by_reference(program, names, "agreement", game)


def counts_alike(program, names, root, first, last, *, logged=False):
    kernel = Player(program, names, logged=logged).play(root, first, last, rows=True)
    tally, rows = ReferencePlayer(program, names, logged=logged).play(root, first, last, rows=True)
    assert (kernel.tally.tolist(), kernel.rows.tolist()) == (tally, rows)


@contextmanager
def in_the_kernel(configuration):
    """Every configuration that is shipped fits into the kernel; with several readings at once one may be too large."""
    try:
        yield
    except UnsupportedError:
        if configuration in CONFIGURATIONS:
            raise


@pytest.mark.parametrize("configuration", ENTERING, ids=str)
def test_random_games(configuration):
    with in_the_kernel(configuration):
        agree(configuration.program, policies_of("random", configuration.players), GAMES)


@pytest.mark.parametrize("configuration", ENTERING, ids=str)
def test_greedy_games(configuration):
    with in_the_kernel(configuration):
        agree(configuration.program, policies_of("mixed", configuration.players), -(-GAMES // 10))


@pytest.mark.parametrize("configuration", ENTERING, ids=str)
def test_what_is_counted(configuration):
    """Tallies with every play, and rows, in the lean form in which games are played by the million."""
    program, seats, root = configuration.program, ("random",) * configuration.players, root_of("counted")
    with in_the_kernel(configuration):
        counts_alike(program, seats, root, 5, 5 + GAMES, logged=True)


@pytest.mark.parametrize("more", [{}, WILD, SHARED], ids=["plain", "wild", "shared"])
@pytest.mark.parametrize(("hand", "cards"), [(9, 4), (20, 4), (35, 4), (9, 70)])
def test_large_hands_and_many_cards(hand, cards, more):
    program = crowded(hand, cards, more)
    for names in (policies_of("random", 2), policies_of("mixed", 2)):
        agree(program, names, 5)
    counts_alike(program, ("random",) * 2, root_of("crowded"), 0, 20)


def test_hands_that_a_trigger_counts():
    """Hands that are packed into words are nowhere to be counted, so such games are played otherwise."""
    trigger = {"after": "reveal", "who": "cards(hand) == 3", "only": "each", "do": [{"points": 1}]}
    program = crowded(9, 4, triggers={"late": trigger})
    agree(program, policies_of("random", 2), 5)
    assert by_reference(program, policies_of("random", 2), "agreement", 0)["points"]["late"] == [2, 2]
    counts_alike(program, ("random",) * 2, root_of("counted"), 0, 20)


def test_card_sets_that_nobody_wrote():
    """Most of what is drawn can be played by the kernel (five games of seven), and plays the same."""
    found = Counter()

    @settings(max_examples=2000 if NIGHTLY else 60, deadline=None, suppress_health_check=list(HealthCheck))
    @given(card_sets())
    def draw(text):
        for program in programs_of(text, (2, 3, 6)):
            for names in (policies_of("random", program.players), policies_of("mixed", program.players)):
                try:
                    agree(program, names, 2)
                except UnsupportedError:
                    found["refused"] += 1
                else:
                    found["played"] += 1

    draw()
    assert found["played"] > found["refused"]
