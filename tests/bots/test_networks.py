"""Networks: their arithmetic, their files, who borrows which, and the bots that play by them."""

from __future__ import annotations

import os
from collections import Counter
from math import exp

import pytest
from msgspec.structs import replace

from bots import networks
from bots.quick import moments, program_of
from draftengine.bots import Budget, SeatedBot
from draftengine.bots.levels import STRENGTHS, Beginner, BriefSearch, Experienced, Expert, player_of, setting_of
from draftengine.bots.net import BITS, ONE, Fitted, Inputs
from draftengine.bots.net import kept as files
from draftengine.bots.net.kept import Setting
from draftengine.bots.worth import tables
from draftengine.engine.chance import Stream
from draftengine.engine.observe import observe
from draftengine.support import caches


@pytest.fixture
def program():
    return program_of("sushi_go", 2)


def plainly(fitted, inputs):
    """Return what a network says, unit by unit."""
    values = [int(value) << BITS for value in inputs]
    for number, (rows, shifts) in enumerate(zip(fitted.rows, fitted.shifts, strict=True)):
        sums = [
            (shift << BITS) + sum(value * row[unit] for value, row in zip(values, rows, strict=True)) >> BITS
            for unit, shift in enumerate(shifts)
        ]
        values = sums if number == len(fitted.rows) - 1 else [max(0, value) for value in sums]
    return values


def test_lanes_compute_what_units_do(program):
    inputs = Inputs(program)
    fitted = Fitted(networks.made_up(program), inputs.names, inputs.outputs)
    for state, seat in moments(program, 3):
        known = inputs.known(observe(state, seat))
        assert fitted(known) == plainly(fitted, known)


def test_weights_are_nearly_those_that_were_rounded(program):
    """Check that eight bits keep a weight of each unit to one part in 254 of the largest."""
    layer = networks.Scaled.of([[0.5, -3.0], [-0.25, 1.0]], [0.125, -2.0], [2.0, 1.0])
    rows = [[weight / ONE for weight in row] for row in layer.rows()]
    assert rows[0] == pytest.approx([1.0, -6.0], abs=0.01)
    assert rows[1] == pytest.approx([-0.25, 1.0], abs=0.013)
    assert [shift / ONE for shift in layer.shifts()] == [0.125, -2.0]


# ── Files ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_game_finds_its_network(program):
    assert files.opinion_of(program) is None
    kept = networks.ship(program)
    opinion = files.opinion_of(program)
    assert opinion.kept == kept
    assert opinion.kept.fits(program)
    (file,) = tables.SHIPPED.iterdir()
    assert file.name == f"sushi_go.{program.rules_hash[:16]}.network"


@pytest.mark.parametrize("content", [b"", b"no network", b"x\x9c\x03\x00\x00\x00\x00\x01"])
def test_a_broken_file_is_no_network(program, content):
    networks.ship(program)
    (file,) = tables.SHIPPED.iterdir()
    file.write_bytes(content)
    files.forget()
    assert files.opinion_of(program) is None


def test_who_knows_all_moves_borrows(program):
    """Check that a network is borrowed for the same moves and seats, even if it lacks a counter."""
    kept = networks.ship(program)
    assert files.opinion_of(program_of("sushi_go_2014", 2)).kept == kept
    apart = files.opinion_of(program_of("sushi_go", 2, "chopsticks_order=apart"))
    assert apart.kept == kept
    assert {*apart.inputs.names} - {*kept.network.names} == {"counters.0:wasabi", "counters.1:wasabi"}
    assert files.opinion_of(program_of("sushi_go", 3)) is None
    assert files.opinion_of(program_of("anniversary", 2)) is None


def test_a_network_for_other_players_replaces_none(monkeypatch, tmp_path):
    """Check that a cache keeps networks by numbers of players, and that the newest one of a number plays."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    programs = [program_of("sushi_go", players) for players in (2, 3, 4)]
    two = files.NetworkFile.of(programs[:1], networks.made_up(programs[0]))
    others = files.NetworkFile.of(programs[1:], networks.made_up(programs[1]))
    anew = files.NetworkFile.of(programs[1:2], networks.made_up(programs[1], seed=2))
    for age, kept in enumerate((anew, others, two)):
        file = files.store(kept, caches.folder())
        os.utime(file, (1e9 - age, 1e9 - age))
    assert [files.opinion_of(program).kept for program in programs] == [two, anew, others]


def test_all_selections_that_were_taught_are_found():
    """Check that a game finds the network that learnt its variants, beside others of its card set."""
    both = [program_of("anniversary", 2), program_of("anniversary", 2, "pass_both_ways", "must_have_maki")]
    shared = files.NetworkFile.of(both, networks.made_up(both[0]))
    nearer = files.NetworkFile.of([program_of("anniversary", 2, "must_have_maki")], networks.made_up(both[0], seed=2))
    tables.SHIPPED.mkdir()
    for kept in (nearer, shared):
        files.store(kept, tables.SHIPPED)
    assert all(files.opinion_of(program).kept == shared for program in both)
    assert all(shared.fits(program) for program in both)
    assert (shared.players, [each.selected for each in shared.taught]) == (
        (2,),
        [(), ("pass_both_ways", "must_have_maki")],
    )


def test_a_search_goes_by_what_was_measured_in_its_game():
    """Check that a game in which nothing was measured is like the most similar selection that was taught."""
    plain, maki = program_of("anniversary", 2), program_of("anniversary", 2, "must_have_maki")
    both = program_of("anniversary", 2, "pass_both_ways", "must_have_maki")
    kept = files.NetworkFile.of([plain, maki], networks.made_up(plain))
    assert [kept.guides_search(program) for program in (plain, maki, both)] == [True, True, True]
    kept = replace(kept, guides={maki.rules_hash: {2: False}})
    assert [kept.guides_search(program) for program in (plain, maki, both)] == [True, False, False]
    kept = replace(kept, guides={**kept.guides, both.rules_hash: {2: True}})
    assert [kept.guides_search(program) for program in (plain, maki, both)] == [True, False, True]


def test_actions_are_found_by_any_of_their_names(program):
    """Check that a network for games with more choices serves one that has some of them."""
    network = replace(
        networks.made_up(program), outputs=("eel or eel@keep", "tofu", "eel or eel@ask or eel@keep", "done")
    )
    assert network.columns(["eel", "eel@ask", "eel@ask or tofu", "maki", "eel or eel@keep", "done"]) == [
        0,
        2,
        2,
        -1,
        0,
        3,
    ]


def test_far_games_borrow_nothing(program, monkeypatch):
    networks.ship(program)
    monkeypatch.setattr(files, "distance_of", lambda *_: 0.75)
    assert files.opinion_of(program_of("sushi_go_2014", 2)) is None


def test_who_wants_the_opposite_lends_nothing():
    """Check that a game that the fewest points win borrows no network of a game that the most win."""
    kept = networks.ship(program_of("anniversary", 2))
    assert files.opinion_of(program_of("anniversary", 2, "pass_both_ways")).kept == kept
    assert files.opinion_of(program_of("anniversary", 2, "sushi_golf")) is None


def test_names_decide_not_places(program):
    """Check that a network says the same of inputs and outputs in another order."""
    inputs = Inputs(program)
    network = networks.made_up(program)
    fitted = Fitted(network, inputs.names, inputs.outputs)
    turned = Fitted(network, inputs.names[::-1], inputs.outputs[::-1])
    known = inputs.known(observe(*moments(program, 3)[4]))
    *outputs, margin = fitted(known)
    assert turned(known[::-1]) == [*outputs[::-1], margin]


# ── Bots ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_best_move_is_made(program):
    networks.ship(program)
    opinion = files.opinion_of(program)
    for state, seat in moments(program, 5):
        seen = observe(state, seat)
        decision = SeatedBot.at("network", 1, seat).decide(seen)
        outputs = opinion.outputs(seen)
        values = {move: opinion.value(outputs, move) for move in seen.moves}
        assert values[decision.move] == max(values.values())
        assert [each.value for each in decision.considered] == sorted((v / ONE for v in values.values()), reverse=True)


def test_noise_draws_from_the_policy(program):
    """Check that with noise 1 a move is made as often as the softmax of the network's numbers says."""
    networks.ship(program)
    state, seat = moments(program, 5)[0]
    seen, drawn = observe(state, seat), 2000
    bot = SeatedBot.at("network:noise=1", 1, seat).bot
    made = Counter(bot.decide(seen, Stream(number), None).move for number in range(drawn))
    weights = {each.move: exp(each.value) for each in bot.decide(seen, Stream(0), None).considered}
    for move, weight in weights.items():
        share = weight / sum(weights.values())
        assert made[move] / drawn == pytest.approx(share, abs=4 * (share * (1 - share) / drawn) ** 0.5 + 1e-3)


def test_levels_play_as_the_network_says(program):
    """Check that strengths are players of the network, and that those without a player equal the last one."""
    some = Setting(noise=2.5), Setting(noise=0.7), Setting(iterations=3)
    networks.ship(program, some)
    settings = [setting_of(program, strength) for strength in range(1, STRENGTHS)]
    assert settings == [*some, *[some[-1]] * (STRENGTHS - 1 - len(some))]
    seen = observe(*moments(program, 5)[0])
    for names, same in ((("2", "level:strength=2"), "network:noise=0.7"), (("medium", "hard"), "search:iterations=3")):
        expected = SeatedBot.at(same, 1, 0).decide(seen)
        assert [SeatedBot.at(name, 1, 0).decide(seen) for name in names] == [expected] * 2
    usual = Budget(iterations=4)
    assert SeatedBot.at("7", 1, 0, usual=usual).decide(seen).iterations == usual.iterations


def test_without_levels_a_network_is_no_opponent(program):
    """Check that levels play as in games without a network, in four steps, if its file names none."""
    networks.ship(program)
    kinds = [type(player_of(program, strength)) for strength in range(1, STRENGTHS + 1)]
    assert kinds == [Beginner, Beginner, Experienced, Experienced, BriefSearch, BriefSearch, Expert]
