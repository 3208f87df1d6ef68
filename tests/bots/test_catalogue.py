"""Names of bots for seats, the bots that can take a seat, and the errors if none can."""

from __future__ import annotations

from importlib import metadata

import pytest

from bots import quick
from draftengine.bots import BotError, Budget, SeatedBot, catalogue
from draftengine.bots.catalogue import IN_PLAY, IN_SIMULATIONS
from draftengine.bots.search.bot import SearchBot
from draftengine.engine.game import start
from draftengine.engine.observe import observe
from draftengine.support.locale import spoken

GROUP = "draftengine.bots"


@pytest.fixture
def last(monkeypatch):
    """Install a bot package that offers ``last``, and tries to replace ``greedy``."""
    entries = [metadata.EntryPoint(name, "bots.quick:Last", GROUP) for name in ("last", "greedy")]
    monkeypatch.setattr(metadata, "entry_points", lambda *, group: entries if group == GROUP else [])


# ── Seats ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "exploration", "exact", "budget"),
    [
        ("search", 0.3, 0, None),
        ("search:exact=4", 0.3, 4, None),
        ("search:exploration=1:exact=2", 1.0, 2, None),
        ("search:iterations=200", 0.3, 0, Budget(iterations=200)),
        ("search:ms=90", 0.3, 0, Budget(milliseconds=90)),
        ("search:ms=50:exploration=0.5:iterations=7", 0.5, 0, Budget(iterations=7, milliseconds=50)),
    ],
)
def test_options_and_budgets(text, exploration, exact, budget):
    found = catalogue.wanted(text)
    assert isinstance(found.bot, SearchBot)
    assert (found.text, found.bot.exploration, found.bot.exact, found.budget) == (text, exploration, exact, budget)


@pytest.mark.parametrize("name", catalogue.BUILT_IN)
def test_reports_describe_every_bot_as_its_first_line_does(name):
    """Compare ``bot.is.NAME`` with the first line of the docstring, which `draftengine bots` shows."""
    assert spoken("en").phrase(f"bot.is.{name}") == catalogue.described()[name][0]


def test_every_bot_has_a_budget():
    assert catalogue.wanted("random:iterations=5").budget == Budget(iterations=5)


def test_budgets_that_are_usual():
    assert SeatedBot.at("greedy", 1, 0).budget == IN_SIMULATIONS
    assert SeatedBot.at("greedy", 1, 0, usual=IN_PLAY).budget == IN_PLAY
    assert SeatedBot.at("greedy:ms=5", 1, 0, usual=IN_PLAY).budget == Budget(milliseconds=5)


def test_bots_are_made_anew():
    assert catalogue.wanted("search").bot is not catalogue.wanted("search").bot


@pytest.mark.parametrize("name", catalogue.BUILT_IN)
def test_streams_are_by_seat_and_moment(name):
    keys = {SeatedBot.at(name, seed, seat, game=game).key for seed in "ab" for seat in (0, 1) for game in (0, 1)}
    assert len(keys) == 8


# ── Mistakes ─────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("serch", ("no bot “serch”", "search")),
        ("xyzzy", ("no bot “xyzzy”", "There are random, greedy, table")),
        ("", ("no bot “”", "There are")),
        ("search:exploraton=1", ("no option “exploraton”", "exploration")),
        ("greedy:exact=4", ("“greedy” has no option “exact”", "There are iterations, ms, aim.")),
        ("search:iteration=4", ("no option “iteration”", "iterations")),
        ("search:fast", ("“fast” of the seat “search”", "search:iterations=200")),
        ("search:=4", ("“=4”",)),
        ("search:ms=", ("“ms=”",)),
        ("search:ms=0", ("ms of “search”", "from 1 to 1000000", "not “0”")),
        ("search:ms=-5", ("ms of “search”", "not “-5”")),
        ("search:iterations=1000001", ("iterations of “search”", "not “1000001”")),
        ("search:iterations=many", ("iterations of “search”", "not “many”")),
        ("search:exact=some", ("exact of “search” must be a number, such as 0, not “some”",)),
        ("8", ("strength is a whole number from 1 to 7, not 8",)),
        ("search:exploration=nan", ("exploration of “search” must be a number, such as 0.3, not “nan”",)),
        ("search:exploration=1e308", ("exploration of “search” must be a number",)),
        ("greedy:iterations=" + "9" * 5000, ("iterations of “greedy” must be a whole number from 1",)),
        ("search:horizon=turn", ("horizon must be both, round or game, not “turn”",)),
        ("search:exploration=wide", ("exploration of “search” must be a number, such as 0.3, not “wide”",)),
    ],
)
def test_mistakes(text, said):
    with pytest.raises(BotError) as error:
        catalogue.wanted(text)
    assert [part for part in said if part not in str(error.value)] == []


# ── What there is ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_all_are_described():
    found = catalogue.described()
    assert tuple(found) == catalogue.names()
    assert tuple(found)[: len(catalogue.BUILT_IN)] == tuple(catalogue.BUILT_IN)
    assert all(text.endswith(".") and "\n" not in text for text, _ in found.values())
    assert found["search"][1] | {"exploration": 0.3, "exact": 0} == found["search"][1]
    assert found["flat"][1] == found["random"][1] == {}


@pytest.mark.parametrize("name", catalogue.BUILT_IN)
def test_defaults_are_options(name):
    """Check that every listed default is accepted as an option."""
    options = catalogue.options_of(catalogue.kind_named(name))
    catalogue.wanted(":".join([name, *(f"{key}={value}" for key, value in options.items())]))


def test_bots_of_other_packages(last):
    assert catalogue.names() == (*catalogue.BUILT_IN, "last")
    assert catalogue.described()["last"] == (
        "A bot that makes the last legal move, as no other bot would.", {"depth": 3, "name": "last", "boldness": 0.5}
    )  # fmt: skip
    found = catalogue.wanted("last:depth=5:name=x:boldness=2:ms=10")
    assert isinstance(found.bot, quick.Last)
    assert (found.bot.depth, found.bot.name, found.bot.boldness) == (5, "x", 2.0)
    assert found.budget == Budget(milliseconds=10)
    seen = observe(start(quick.program_of("sushi_go", 2), 1).state, 0)
    assert SeatedBot.at("last", 1, 0).decide(seen).move == seen.moves[-1]


def test_names_of_the_package_are_its_own(last):
    assert not isinstance(catalogue.wanted("greedy").bot, quick.Last)


def test_names_of_other_packages_are_suggested(last):
    with pytest.raises(BotError, match="last"):
        catalogue.wanted("lats")
