"""The configurations played by day: every card set, and every two choices that can be combined."""

from __future__ import annotations

from itertools import combinations

import pytest
from msgspec.structs import replace

from conftest import NIGHTLY
from draftengine.model.selection import allowed
from draftengine.model.shelf import shelf
from engine.configurations import CONFIGURATIONS, ENTERING, ONCE_BY_DAY, PAIRWISE, document_of, facts_of, pairs_in


def pairs(configurations):
    """Return every two choices that occur together in one of these configurations."""
    return {frozenset(pair) for own in configurations for pair in pairs_in(facts_of(own))}


def with_readings(base, count):
    """Yield the configurations with this number of readings answered differently than by default."""
    document = document_of(base.cardset)
    answers = [
        (reading.id, option.id)
        for reading in document.readings
        for option in reading.options
        if option.id != reading.default
    ]
    for readings in combinations(answers, count):
        selection = replace(base.selection, readings=readings)
        if len(dict(readings)) == count and not allowed(document, selection.variants, base.players, selection):
            yield base._replace(selection=selection)


@pytest.mark.parametrize("cardset", shelf())
def test_every_two_choices_meet_by_day(cardset):
    """Check pairs of players, variants and readings; two readings meet without variants only."""
    bases = [own for own in CONFIGURATIONS if own.cardset == cardset and not own.selection.readings]
    plain = [own for own in bases if not own.selection.variants]
    single = [more for own in bases for more in with_readings(own, 1)]
    double = [more for own in plain for more in with_readings(own, 2)]
    met = pairs(own for own in PAIRWISE if own.cardset == cardset)
    assert met == pairs([*bases, *single, *double])


def test_a_pair_that_does_not_meet_is_found():
    """Check that leaving out the last configuration of a card set loses a pair."""
    some = [own for own in PAIRWISE if own.cardset == "anniversary"]
    assert pairs(some[:-1]) < pairs(some)


def test_all_of_them_can_be_played():
    """Check that configurations are unique and playable, and that readings meet their variants."""
    assert len({*map(str, PAIRWISE)}) == len(PAIRWISE)
    assert len({*map(str, CONFIGURATIONS)}) == len(CONFIGURATIONS)
    assert all(own.program.players == own.players for own in ENTERING)
    assert any("sushi_battle" in str(own) and "battle_starter" in str(own) for own in PAIRWISE)


def test_every_card_set_is_here():
    """Check that every number of players is played, by day and by night."""
    every = {
        (cardset, players)
        for cardset in shelf()
        for players in range(document_of(cardset).players[0], document_of(cardset).players[1] + 1)
    }
    by_day = {game for game in every if game[0] not in ONCE_BY_DAY} | {*ONCE_BY_DAY.items()}
    for configurations in (CONFIGURATIONS, PAIRWISE):
        assert {(one.cardset, one.players) for one in configurations} == every
    assert {(one.cardset, one.players) for one in ENTERING} == (every if NIGHTLY else by_day)


def test_by_day_it_is_less_than_half():
    assert len(PAIRWISE) < len(CONFIGURATIONS) / 2
