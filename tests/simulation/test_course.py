"""Conclusions about a game as a whole: its length, and whether knowing it pays."""

from itertools import cycle, islice

import pytest

from draftengine.api.ruleset import load
from draftengine.studies.runner.playing import Chunk
from draftengine.studies.simulation import words
from draftengine.support.locale import spoken

RACE = """
format: 2
id: race
title: Race
version: 1.0.0
players: 2
rounds: {rounds}
wins: fig >= {goal}
cards:
  fig: {{count: {figs}}}
  plum: {{count: {plums}}}
setup: [{{shuffle: deck}}]
round:
  - deal: {{to: hand, cards: 1}}
  - in_turn: {{do: [{{choose: {{from: hand, to: tableau}}}}]}}
  - score: round
scoring: {{fig: {{each: fig, points: 1}}}}
winner: {{order: most}}
"""


def of_race(folder, **given):
    """Return the conclusions about a game without a decision, in which the first to have enough figs wins."""
    file = folder / "race.yaml"
    file.write_text(RACE.format(**given))
    return words.course_of(load(file), "greedy", 1)


def said_of(name, players, bot, language="en"):
    return [each.sentence(spoken(language)) for each in words.course_of(load(name, players=players), bot, 1)]


def test_a_draft_that_rewards_knowing_it():
    """Check the sentences about a game of fixed length in which the learnt bot wins nearly always."""
    length, knowing = said_of("sushi_go", 2, "table")
    assert length == "Every game is equally long: each player makes 30 choices in 3 rounds."
    assert knowing.startswith("Knowing the game pays: the table bot wins 9")
    assert knowing.endswith(
        " % of the games against a player who takes any card, where another such player in its seat wins 50 %."
    )


@pytest.mark.parametrize("bot", ["random", "expert"])
def test_who_stands_in(bot):
    """Check that a bot that takes any card, or would take too long, is replaced."""
    assert "the greedy bot wins" in said_of("sushi_go", 3, bot)[1]


def test_players_who_choose_a_different_number_of_times(tmp_path):
    """Check a sum of choices, for if the first player wins, the second one does not choose at all."""
    (length, _) = of_race(tmp_path, rounds=1, goal=1, figs=9, plums=0)
    assert length.sentence(spoken("en")) == "Every game is equally long: all players together make 1 choice in 1 round."


def test_games_that_differ_by_one_choice(tmp_path):
    """Check that games of three choices are not as long as games of four.

    Both are about two choices for each player. The sentence has the fewest, the most, and the usual number.
    """
    (length, _) = of_race(tmp_path, rounds=2, goal=2, figs=6, plums=3)
    assert length.sentence(spoken("pl")) == (
        "Jedne gry trwają dłużej niż inne: każdy gracz wybiera od 1 do 2 razy, zwykle około 2."
    )


@pytest.mark.parametrize(
    ("figs", "plums", "share"),
    [pytest.param(9, 0, "0 %", id="always-the-first"), pytest.param(9, 6, "66 %", id="often-the-first")],
)
def test_the_advantage_of_a_seat_is_no_knowledge(tmp_path, figs, plums, share):
    """Check that a bot in a good seat does not count as a bot that knows the game."""
    (_, knowing) = of_race(tmp_path, rounds=1, goal=1, figs=figs, plums=plums)
    assert (knowing.head.id, knowing.sure) == ("study.knowing.little", "certain")
    assert knowing.text.within(spoken("en")) == (
        f"the greedy bot wins {share} of the games against a player who takes any card, "
        f"where another such player in its seat wins {share}"
    )


@pytest.mark.parametrize(
    ("knows", "usual", "head"),
    [
        ([True], [True, False], "pays"),
        ([True, False], [True, False], "little"),
        ([True, False, False], [True, False], "little"),
        ([True] * 14 + [False] * 11, [True, False], "unknown"),
        ([True, False], [False], "pays"),
    ],
)
def test_how_much_knowing_a_game_brings(monkeypatch, knows, usual, head):
    """Check conclusions from 2,000 deals, each played with and without the bot that knows the game."""

    def played(task):
        won = islice(cycle(knows if "greedy" in task.bots else usual), task.last)
        return Chunk(0, task.last, [], [[0, 0, 1 if first else 2] for first in won], 0.0)

    monkeypatch.setattr(words, "play_chunk", played)
    _, knowing = words.course_of(load("sushi_go", players=2), "greedy", 1)
    assert (knowing.head.id, knowing.sure) == (f"study.knowing.{head}", "unknown" if head == "unknown" else "certain")
