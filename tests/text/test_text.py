"""The kernel plays what the reference engine plays: tallies, rows and plays, even of random card sets."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings

import draftengine as de
from conftest import NIGHTLY
from draftengine.engine.chance import root_of
from draftengine.engine.compilable import why_not_compiled
from draftengine.engine.plan.base import UnsupportedError
from draftengine.model import limits
from draftengine.studies.runner.playing import ReferencePlayer
from engine.configurations import ENTERING
from engine.crowded import SHARED, WILD, crowded
from engine.drawn import PAYING, SIDED, card_sets, programs_of
from text.forms import as_it_stands, compiled, specialised

GAMES = 20 if NIGHTLY else 1
COMPILED = ENTERING if NIGHTLY else ENTERING[::36]
"""The configurations that are compiled; few by day, since each takes a second."""


def counts_alike(player, program, names, games, *, logged=True, seed="text"):
    reference = ReferencePlayer(program, names, logged=logged)
    assert player.play(root_of(seed), 5, 5 + games, rows=True) == reference.play(root_of(seed), 5, 5 + games, rows=True)


def policies_of(name, players):
    return [("random", "greedy")[seat % 2] if name == "mixed" else name for seat in range(players)]


@pytest.mark.parametrize("configuration", ENTERING if NIGHTLY else ENTERING[::3], ids=str)
def test_as_it_stands(configuration):
    """Unspecialised games equal those of the reference, even where counters exceed 64 bits."""
    program = configuration.program
    names = policies_of("random", program.players)
    counts_alike(as_it_stands(program, names), program, names, GAMES)


@pytest.mark.parametrize("configuration", ENTERING if NIGHTLY else ENTERING[8::72], ids=str)
def test_specialised_in_python(configuration):
    program = configuration.program
    names = policies_of("mixed", program.players)
    counts_alike(specialised(program, names), program, names, 5 * GAMES)


@pytest.mark.usefixtures("improved")
@pytest.mark.parametrize("configuration", COMPILED, ids=str)
def test_compiled(configuration):
    program = configuration.program
    names = policies_of("mixed", program.players)
    counts_alike(compiled(program, names), program, names, 10 * GAMES)


@pytest.mark.parametrize("more", [{}, WILD, SHARED], ids=["plain", "wild", "shared"])
@pytest.mark.parametrize(("hand", "cards"), [(9, 4), (20, 4), (35, 4), (9, 70)])
def test_large_hands_and_many_cards(hand, cards, more):
    program = crowded(hand, cards, more)
    form = compiled if NIGHTLY or hand == 20 else as_it_stands
    counts_alike(form(program, ["random"] * 2), program, ["random"] * 2, 5)


ARMFULS = [
    {"deal": {"to": "hand", "cards": 40}},
    {"choose": {"from": "hand", "to": "tableau", "cards": 30}},
    {"score": "round"},
    {"gather": "deck"},
    {"shuffle": "deck"},
]
STEWS = {f"stew_{number}": {"count": 1, "forms": {"of": ["dish_0", "dish_2"]}} for number in range(limits.WILD + 1)}
TOO_WILD = (f"there are more than {limits.WILD} wild cards",)
CROWDS = [
    ({}, {}, (), ()),
    (STEWS, {}, TOO_WILD, TOO_WILD),
    ({}, {"round": ARMFULS, "abilities": {}}, (), ("moves with that many cards do not fit into a machine word",)),
]


@pytest.mark.parametrize(("more", "parts", "at_random", "by_any"), CROWDS, ids=["fits", "wild", "armfuls"])
def test_what_will_not_be_compiled_is_known_before(more, parts, at_random, by_any):
    """Check that the reasons are those for which compiling fails, for random games and for all policies."""
    program = crowded(9, 4, more, **parts)
    assert tuple(map(str, why_not_compiled(program, ["random"]))) == at_random
    assert tuple(map(str, why_not_compiled(program))) == by_any
    for reason in by_any:
        with pytest.raises(UnsupportedError, match=reason):
            compiled(program, ["greedy"] * 2)


LARGE = [("dinner_for_two", 2), (("maki", "onigiri", "tofu", "eel", "special_order", "spoon", "fruit"), 4)]


@pytest.mark.parametrize(("menu", "players"), LARGE if NIGHTLY else LARGE[:1], ids=str)
def test_counters_of_several_words(menu, players):
    """Counters of several words are compiled like those of one word."""
    program = de.load("sushi_go_party", menu=menu, players=players).program
    assert max(own.shift + own.mask.bit_length() for own in program.fields) > 64
    names = policies_of("mixed" if NIGHTLY else "random", players)
    counts_alike(compiled(program, names), program, names, 4)


def test_hands_that_a_trigger_counts():
    trigger = {"after": "reveal", "who": "cards(hand) == 3", "only": "each", "do": [{"points": 1}]}
    program = crowded(9, 4, triggers={"late": trigger})
    counts_alike(compiled(program, ["random"] * 2), program, ["random"] * 2, 10)


@pytest.mark.parametrize("kinds", [(), SIDED, PAYING], ids=["all", "sided", "paying"])
def test_card_sets_that_nobody_wrote(kinds):
    """Random card sets play alike, and nearly all of them can be compiled."""
    found = Counter()

    @settings(max_examples=2000 if NIGHTLY else 2, deadline=None, suppress_health_check=list(HealthCheck))
    @given(card_sets(kinds=kinds))
    def draw(text):
        for program in programs_of(text, (2, 3, 6)):
            found["drawn"] += 1
            forms = [(as_it_stands, "random"), (as_it_stands, "mixed")]
            if NIGHTLY or found["drawn"] % 8 == 1:
                forms += [(compiled, "random"), (specialised, "mixed")]
            for form, policies in forms:
                names = policies_of(policies, program.players)
                try:
                    player = form(program, names)
                except UnsupportedError:
                    found["refused", policies] += 1
                else:
                    found["played", policies] += 1
                    counts_alike(player, program, names, 2)

    draw()
    assert found["played", "random"] > 20 * found["refused", "random"]
    assert found["played", "mixed"] > 20 * found["refused", "mixed"]
