"""The levels of a game, as its players would be if their strength were known."""

from __future__ import annotations

from itertools import pairwise
from math import log

import pytest
from msgspec.structs import replace

import draftengine as de
from bots import networks
from bots.quick import moments
from draftengine.bots import Budget
from draftengine.bots.levels import STEP, STRENGTHS
from draftengine.bots.net import kept as files
from draftengine.bots.net.kept import Setting
from draftengine.bots.search.bot import SearchBot
from draftengine.engine.chance import Stream
from draftengine.engine.observe import observe
from draftengine.studies import distilling
from draftengine.studies.distilling import FAMILY, scale


def strengths(steps):
    """Return how many steps each player of the family is above chance; the strongest is `steps`."""
    return {player: steps * place / (len(FAMILY) - 1) for place, player in enumerate(FAMILY)} | {None: 0.0}


def steps_of_levels(steps):
    """Return the steps above chance of the players that become levels, if the strongest is `steps`."""
    known = strengths(steps)
    return [known[player] for player in scale(FAMILY, lambda one, other: STEP ** (known[one] - known[other]))]


def test_each_level_is_a_step_above_the_one_below():
    chosen = steps_of_levels(8.0)
    assert len(chosen) == STRENGTHS - 1
    finest = 8.0 / (len(FAMILY) - 1)
    assert all(1 <= above - below <= 1 + finest for below, above in pairwise([0.0, *chosen]))


@pytest.mark.parametrize(
    ("steps", "last"),
    [(2.8, [1, 2, 2.8]), (2.3, [1, 2]), (1.6, [0.8, 1.6]), (0.3, [0.15])],
    ids=["most of a step is left", "little is left", "the first is halfway", "mere luck"],
)
def test_the_scale_ends_with_its_span(steps, last):
    """Check that the rest of a span is a level of its own if it is at least half a step."""
    finest = steps / (len(FAMILY) - 1)
    assert steps_of_levels(steps) == pytest.approx(last, abs=2 * finest)


def test_the_family_begins_near_chance_and_ends_with_a_search():
    assert [*FAMILY[:1], FAMILY[-1]] == [Setting(noise=32), Setting(iterations=512)]
    assert len({*FAMILY}) == len(FAMILY)


def test_odds_are_of_real_games(monkeypatch):
    """Check that players who play by chance have about even odds with three seats."""
    monkeypatch.setattr(files, "_adopted", {})
    game = de.load("sushi_go", players=3)
    files.adopt(kept := files.NetworkFile.of([game.program], networks.made_up(game.program)), game.program)
    assert files.opinion_of(game.program).kept is kept
    some, others = Setting(noise=999), Setting(noise=1000)
    even = [distilling.odds(game, 8, others, None), distilling.odds(game, 8, some, others)]
    assert all(abs(log(each)) < 1.2 for each in even)


def test_a_search_does_not_go_by_a_network_that_misleads_it(monkeypatch):
    """Check that searches go by the table where a network prefers the worst cards."""
    monkeypatch.setattr(files, "_adopted", {})
    monkeypatch.setattr(distilling, "levels_of", lambda _: [])
    game = de.load("sushi_go", players=2)
    seen = observe(*moments(game.program, 3)[0])
    table = SearchBot(prior="table").decide(seen, Stream(1), Budget(30))
    made_up = networks.made_up(game.program)
    wrong = {"chopsticks": 50.0, "nigiri_squid": -50.0, "sashimi": -50.0, "tempura": -50.0}
    *layers, last = made_up.layers
    biases = tuple(wrong.get(name, 0.0) for name in (*made_up.outputs, "margin"))
    network = replace(made_up, layers=(*layers, replace(last, biases=biases)))
    kept = distilling.with_levels([game], files.NetworkFile.of([game.program], network), lambda *_: None)
    assert kept.guides == {game.program.rules_hash: {2: False}}
    files.adopt(kept, game.program)
    assert SearchBot().decide(seen, Stream(1), Budget(30)) == table
    files.adopt(replace(kept, guides={}), game.program)
    assert SearchBot().decide(seen, Stream(1), Budget(30)) != table
