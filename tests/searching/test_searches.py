"""Searches of the kernel equal those of `bots.reference`: visits and margins of each move."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from bots import reference
from bots.quick import guessed, moments
from bots.reference import Trees
from conftest import NIGHTLY
from draftengine.bots.search import bot as search
from draftengine.bots.search import objectives, playouts, searcher
from draftengine.bots.search.bot import FlatBot, SearchBot
from draftengine.bots.search.objectives import Objective, PolicyWeights
from draftengine.bots.search.searcher import CompiledSearcher, Searcher
from draftengine.engine.kernel import policies
from draftengine.engine.moves import legal_moves
from draftengine.engine.observe import observe
from draftengine.engine.position import Position, set_up
from draftengine.engine.redeal import HiddenCards
from engine.configurations import ENTERING, named
from engine.drawn import card_sets, programs_of
from engine.feasts import program_of

BOTS = (SearchBot(), SearchBot(exploration=1.0, horizon="game"), FlatBot())
KEY, PLAYOUTS, BREAK = 77, 40, 23
FEW = 15
"""The number of playouts that end with the round in these tests, where a bot uses two horizons."""
EVERY_WAY = PolicyWeights(ahead=0.4, table=0.2, greedy=0.2, random=0.2)
"""Weights with which opponents play in every known way."""
AS_IT_STANDS = (
    "sushi_go-2p",
    "sushi_go-5p-pass_both_ways",
    "anniversary-2p-sushi_battle",  # a layout
    "anniversary-2p-mochi-two_player_dummy",  # cards for another seat, dice
    "anniversary-3p-sushi_golf",  # fewest points win
    "sushi_draft-3p-advanced_triple-advanced_wasabi",  # keep one and pass one; chips; wild cards
    "party_first_meal-2p",
    "tides_of_time-2p",  # cards leave the tableau
    "ohanami-2p",
)
COMPILED = ("anniversary-2p-sushi_battle", "sushi_go-4p")


ARMFULS = Path(__file__).parents[1] / "text" / "written" / "armfuls.yaml"


def of_names(names):
    return pytest.mark.parametrize("configuration", ENTERING if NIGHTLY else list(map(named, names)), ids=str)


def objective_of(bot, known):
    return Objective.of(known.worth.program, known.lead, horizon=bot.horizon, alone=bot.alone)


def both(found_by, bot, state, seat):
    """Return what kernel and reference find; the kernel searches in two stretches, as bots do."""
    seen = observe(state, seat)
    known, knowledge = guessed(seen.program), HiddenCards.of(seen)
    objective = objective_of(bot, known)
    models = search._reader(search.IdentityKey(known)).models(seen) if objective.by_models else ()
    reference = Trees(knowledge, known.worth, objective, seat, bot.exploration, models)
    reference.run(KEY, 0, PLAYOUTS)
    found_by.begin(knowledge, seat, objective, bot.exploration, models)
    found_by.run(KEY, 0, BREAK)
    found_by.run(KEY, BREAK, PLAYOUTS)
    children = reference.roots[seat].children
    return found_by.found(seen.moves), {move: (own.visits, own.margins) for move, own in children.items() if own.visits}


@pytest.fixture(autouse=True)
def _styles(monkeypatch):
    monkeypatch.setattr(objectives, "SHORT_PLAYOUTS", FEW)
    monkeypatch.setattr(search.OpponentModel, "styles", lambda _, seen: [EVERY_WAY] * seen.program.players)


def agree(found_by, program, chance, positions):
    for number, (state, seat) in enumerate(chance.sample(moments(program, chance.randrange(10**6)), positions)):
        found, expected = both(found_by, BOTS[number % len(BOTS)], state, seat)
        assert found == expected
        assert sum(visits for visits, _ in found.values()) == PLAYOUTS


@of_names(AS_IT_STANDS)
def test_as_it_stands(configuration):
    program = configuration.program
    agree(Searcher(program, guessed(program).worth), program, Random(str(configuration)), 2 if NIGHTLY else 1)


@of_names(COMPILED[:1])
def test_specialised_in_python(configuration):
    """The search that is specialised in CPython finds what the reference finds."""
    program = configuration.program
    text = Searcher(program, guessed(program).worth)
    text.specialise()
    agree(text, program, Random(str(configuration)), 6 if NIGHTLY else 3)


@of_names(COMPILED)
def test_compiled(configuration):
    program = configuration.program
    agree(CompiledSearcher(program, guessed(program).worth), program, Random(str(configuration)), 6 if NIGHTLY else 3)


def test_moves_that_are_too_many_to_list(monkeypatch):
    """The kernel samples moves in the order of the reference, which decides between equal ones.

    Exploring is switched off: where there are too many moves, the two draw random moves differently.
    """
    for own in (policies, playouts, reference):
        monkeypatch.setattr(own, "EXPLORE", 1 << 30)
    program = program_of(ARMFULS.read_text("utf-8"))
    searching = Searcher(program, guessed(program).worth)
    many = [(state, seat) for state, seat in moments(program, 213419) if not legal_moves(state, seat).few]
    found, expected = both(searching, BOTS[0], *many[1])  # several moves have equal values
    assert found == expected


@pytest.mark.parametrize("form", [Searcher, CompiledSearcher])
def test_positions_that_somebody_laid_out(form):
    """Searches for laid-out positions accept hands of different sizes, larger than any deal."""
    hands = (("tempura",) * 3 + ("wasabi", "chopsticks") * 2, ("sashimi", "pudding", "dumpling") * 5)
    program = named("sushi_go-2p").program
    state = set_up(program, Position(hands=hands, tables=(("chopsticks",), ("wasabi",)), round=2)).state
    own = form(program, guessed(program).worth, laid_out=True)
    for seat in range(2):
        found, expected = both(own, BOTS[1], state, seat)
        assert found == expected


def test_one_compiled_search_serves_every_aim_and_grows(monkeypatch):
    """A search whose trees outgrow their memory moves them midway, and finds the same."""
    program = named("sushi_go-2p").program
    state, seat = moments(program, 1)[3]
    roomy = CompiledSearcher(program, guessed(program).worth)
    monkeypatch.setattr(searcher, "FIRST_ROOM", 8)
    narrow = CompiledSearcher(program, guessed(program).worth)
    seen = observe(state, seat)
    knowledge, found = HiddenCards.of(seen), []
    for own in (roomy, narrow):
        own.begin(knowledge, seat, objective_of(BOTS[0], guessed(program)), 0.3, ())
        own.run(KEY, 0, 640)
        found.append(own.found(seen.moves))
    assert found[0] == found[1]
    assert 1024 < narrow.search.room < roomy.search.room


def test_card_sets_that_nobody_wrote():
    """Searches agree in randomly drawn card sets, from any moment; about half have moves of several cards."""
    found = Counter()

    @settings(max_examples=200 if NIGHTLY else 3, deadline=None, suppress_health_check=list(HealthCheck))
    @given(card_sets())
    def draw(text):
        chance = Random(text)
        for program in programs_of(text, (2, 3)):
            own = Searcher(program, guessed(program).worth)
            found["searched"] += 1
            for state, seat in moments(program, chance.randrange(10**6))[:: 9 if NIGHTLY else 18]:
                mine, expected = both(own, BOTS[0], state, seat)
                assert mine == expected

    draw()
    assert found["searched"] > 2
