"""Conclusions about a game as a whole: its length, and whether knowing it pays."""

import pytest
from msgspec.structs import replace

from draftengine.api.ruleset import load
from draftengine.studies.report.statistics import wilson
from draftengine.studies.simulation import course
from draftengine.support.locale import spoken


def said_of(name, players, bot, language="en"):
    return [each.sentence(spoken(language)) for each in course.course_of(load(name, players=players), bot, 1)]


def test_a_draft_that_rewards_knowing_it():
    """Check the sentences about a game of fixed length in which the learnt bot wins nearly always."""
    length, knowing = said_of("sushi_go", 2, "table")
    assert length == "Every game is equally long: each player makes 30 choices in 3 rounds."
    assert knowing.startswith("Knowing the game pays: the table bot wins 9")
    assert knowing.endswith(" % of the games against a player who takes any card, where 50 % would be an even share.")


@pytest.mark.parametrize("bot", ["random", "expert"])
def test_who_stands_in(bot):
    """Check that a bot that takes any card, or would take too long, is replaced."""
    assert "the greedy bot wins" in said_of("sushi_go", 3, bot)[1]


def test_games_of_other_lengths():
    """Check that the fewest, the most, and the usual number of choices are said if games differ."""
    (length, _) = said_of("go_nuts_for_donuts", 3, "greedy", "pl")
    assert length.startswith("Jedne gry trwają dłużej niż inne: każdy gracz wybiera od 1")


@pytest.mark.parametrize(
    ("wins", "head"), [(900, "pays"), (480, "little"), (540, "unknown"), (300, "little"), (590, "pays")]
)
def test_how_much_knowing_a_game_brings(monkeypatch, wins, head):
    """Check what is concluded of 1,000 games of two players, in which an even share is 50 %."""
    summarised = course.summarise

    def told(program, bots, tally):
        summary = summarised(program, bots, tally)
        first = replace(summary.seats[0], win_rate=wins / 1000, win_rate_ci95=wilson(wins / 1000, 1000))
        return replace(summary, seats=[first, *summary.seats[1:]])

    monkeypatch.setattr(course, "summarise", told)
    _, knowing = course.course_of(load("sushi_go", players=2), "greedy", 1)
    assert (knowing.head.id, knowing.sure) == (f"study.knowing.{head}", "unknown" if head == "unknown" else "certain")
