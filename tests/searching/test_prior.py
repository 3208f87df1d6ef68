"""The network in the search: it says what it says in Python, in all forms of the kernel."""

from __future__ import annotations

from random import Random

import pytest

from bots import networks
from bots.quick import guessed, moments
from draftengine.bots.net import Fitted, Inputs, SearchNetwork
from draftengine.bots.search.objectives import Objective
from draftengine.bots.search.searcher import CompiledSearcher, Searcher
from draftengine.engine.observe import observe
from draftengine.engine.redeal import HiddenCards
from engine.configurations import named

PLAYOUTS = 3
GAMES = (
    "sushi_go-2p",
    "anniversary-3p-boat_leader=round",  # a marker
    "sushi_draft-3p",  # chips, and cards put aside
    "tides_of_time-2p",
    "go_nuts_for_donuts-3p",  # bids
    "anniversary-2p-sushi_battle",  # a layout
)


def begun(searcher, state, seat):
    """Begin a search and carry out some playouts; return what it numbers."""
    known, seen = guessed(state.program), observe(state, seat)
    objective = Objective.of(state.program, known.lead, horizon="both", alone=False)
    searcher.begin(HiddenCards.of(seen), seat, objective, 0.3, ())
    searcher.run(77, 0, PLAYOUTS)
    return searcher.found(seen.moves)


def network_for(program):
    inputs = Inputs(program)
    fitted = Fitted(networks.made_up(program), inputs.names, inputs.outputs)
    return inputs, fitted, SearchNetwork(fitted, inputs)


@pytest.mark.parametrize("name", GAMES)
def test_it_says_in_a_world_what_it_says_in_python(name):
    """Check the numbers at the root, in a position with only one possible world.

    No other world gives the numbers of the true state, as all inputs have weights.
    """
    program = named(name).program
    inputs, fitted, network = network_for(program)
    searcher = Searcher(program, guessed(program).worth, network)
    for state, seat in [moment for seed in range(3) for moment in moments(program, seed)[::-1]]:
        begun(searcher, state, seat)
        first = searcher.search.noted[seat]
        numbers = list(searcher.search.opinion[first : first + network.outputs])
        if numbers == fitted(inputs.world(observe(state, seat), state))[:-1]:
            return
    pytest.fail("in no position")


@pytest.mark.parametrize("name", GAMES[:2])
def test_compiled(name):
    program = named(name).program
    network = network_for(program)[-1]
    plain, quick = (kind(program, guessed(program).worth, network) for kind in (Searcher, CompiledSearcher))
    for state, seat in Random(name).sample(moments(program, 12), 4):
        numbers = begun(plain, state, seat)
        assert numbers == begun(quick, state, seat)
        assert sum(visits for visits, _ in numbers.values()) == PLAYOUTS
