"""The shipped worth tables: complete, current, equal to what is learnt again, and good."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from bots import shipped
from bots.networks import made_up
from conftest import NIGHTLY
from draftengine.bots.net.kept import NetworkFile, store
from draftengine.bots.worth import learning, tables
from draftengine.bots.worth.tables import decode
from draftengine.engine.chance import Stream, key_of, root_of
from draftengine.engine.policies import by_table, greedy_move, play_by
from draftengine.engine.state import initial_state
from engine.configurations import CONFIGURATIONS, ENTERING


@pytest.fixture(autouse=True)
def cache_folder():
    """Use the tables of the package instead of temporary folders."""


def configuration(name):
    return next(own for own in CONFIGURATIONS if str(own) == name)


def table_of(program):
    return decode(shipped.file_of(program).read_bytes()).learned(program)


def test_every_configuration_has_its_table():
    """Check that no table is missing or needless. If it fails, run ``make tables``.

    By day only the configurations played by day are checked: a change of a card set affects some of them.
    """
    daily = [own for own in ENTERING if own in shipped.CONFIGURATIONS]
    assert [str(own) for own in shipped.missing(None if NIGHTLY else daily)] == []
    assert None not in shipped.there().values()
    assert not NIGHTLY or [file.name for file in shipped.needless()] == []


def test_they_take_little_room():
    assert 0 < sum(file.stat().st_size for file in tables.SHIPPED.iterdir()) <= shipped.MOST_BYTES


def test_networks_are_current():
    """Check that networks are of the rules that games have now. If not, run ``make learnt``."""
    assert shipped.stale_networks() == []


def test_networks_of_changed_selections_are_stale(monkeypatch, tmp_path):
    """Check that a network is stale if any selection that it learnt has other rules or players now."""
    monkeypatch.setattr(tables, "SHIPPED", tmp_path)
    programs = [configuration(name).program for name in ("sushi_go-2p", "sushi_go-2p-pass_both_ways")]
    kept = NetworkFile.of(programs, made_up(programs[0]))
    first, second = kept.taught
    for changed, stale in (
        (second, False),
        (replace(second, rules="0" * 64), True),
        (replace(second, selected=()), True),
        (replace(second, players=(2, 9)), True),
    ):
        file = store(replace(kept, taught=(first, changed)), tmp_path)
        assert shipped.stale_networks() == [file] * stale


def test_it_is_known_which_games_a_network_guides(monkeypatch, tmp_path):
    """Check that games are listed until it is measured whether their network guides searches."""
    monkeypatch.setattr(tables, "SHIPPED", tmp_path)
    some = [configuration(name) for name in ("sushi_go-2p", "sushi_go-2p-pass_both_ways", "sushi_go-3p")]
    kept = NetworkFile.of([some[0].program], made_up(some[0].program))
    store(kept, tmp_path)
    assert shipped.unguided(some) == some[:2]
    store(replace(kept, guides={some[1].program.rules_hash: {2: True}}), tmp_path)
    assert shipped.unguided(some) == some[:1]


def test_a_change_of_the_rules_is_noticed(monkeypatch):
    """Check that a table of changed rules is needless, and the one for the new rules missing."""
    own, found = configuration("sushi_go-3p"), shipped.there()
    key, table = (own.program.rules_hash, 3), table_of(own.program)
    monkeypatch.setattr(shipped, "wanted", lambda: {key: own})
    monkeypatch.setattr(shipped, "there", lambda: {file: kept for file, kept in found.items() if kept.rules == key[0]})
    assert shipped.missing() == []
    changed = {
        file: replace(kept, rules="0" * 64) if kept.fits(own.program) else kept
        for file, kept in shipped.there().items()
    }
    monkeypatch.setattr(shipped, "there", lambda: changed)
    assert shipped.missing() == [own]
    assert len(shipped.needless()) == len(changed)
    assert table.worth.program is own.program


@pytest.mark.usefixtures("improved")
@pytest.mark.parametrize("name", shipped.SAMPLE if NIGHTLY else shipped.SAMPLE[:1])
def test_they_are_what_is_learnt(name):
    """Check that learning again gives the shipped tables. If it fails, run ``make tables ARGS=--anew``."""
    program = configuration(name).program
    assert learning.learn(program) == table_of(program)


# ── How good they are ────────────────────────────────────────────────────────────────────────────────────────────────


def wins(program, policy, deals):
    """Return the share of games that a policy wins from every seat against others that play by the table."""
    table, root, won = by_table(table_of(program).worth), root_of("honest"), 0.0
    for number in range(deals * program.players):
        deal, own = divmod(number, program.players)
        policies = [policy if seat == own else table for seat in range(program.players)]
        stream = Stream(key_of(root, number, "bot"))
        state = play_by(initial_state(program, root, deal, memory=False), policies, stream)
        won += (own in state.winners) / len(state.winners)
    return won / (deals * program.players)


def first_in_hand(state, choice, seat, stream):
    """Return a policy that takes the first card of the hand, like a person who always types 1."""
    from draftengine.engine.moves import legal_moves

    return legal_moves(state, seat)[0]


def test_who_always_takes_the_first_card_wins_hardly_ever():
    """Check that taking the first card wins at most 5 % of games of three against the default opponents.

    Against greedy opponents it wins 46 %.
    """
    assert wins(configuration("sushi_go-3p").program, first_in_hand, deals=500 if NIGHTLY else 100) <= 0.05


@pytest.mark.parametrize("name", ["sushi_go-2p", "anniversary-4p", "sushi_go_2014-5p"])
def test_greedy_loses_to_them(name):
    program = configuration(name).program
    assert wins(program, greedy_move, deals=100 if NIGHTLY else 10) < 0.6 / program.players
