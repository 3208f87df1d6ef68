"""The coach: tips for any card set, from its data and from what a seat sees."""

from __future__ import annotations

import contextlib
import re
from random import Random

import pytest

import draftengine as de
from draftengine.api.moves import Move
from draftengine.api.phrasing.events import PlainNames
from draftengine.apps.play.coach import Tips, tip_for
from draftengine.apps.play.move_builder import MoveBuilder
from draftengine.apps.play.review import in_bars, worth_of_items
from draftengine.apps.play.session import HUMAN
from draftengine.apps.terminal import QuitGame, Terminal
from draftengine.bots.hints import Evaluator
from engine.configurations import EVEN
from play.conftest import game_of

LONGEST = 250
"""The most characters of a bubble on a phone."""


def coached(game, language="en", decisions=80):
    """Return the tips of seat 0 in a game that is played at random, with the moments at which they come."""
    chance, state, tips = Random(4), game.start(7), {}
    names = PlainNames(game.labels_in(language), [f"Player {seat}" for seat in range(game.players)])
    for decision in range(decisions):
        if state.over:
            break
        for seat in state.waiting:
            view = state.view(seat)
            tip = tip_for(view, names, [tip.id for tip in tips.values()], by="mouse") if seat == 0 else None
            if tip is not None:
                assert decision not in tips, "two tips in one turn"
                tips[decision] = tip
            state = state.commit(seat, view.moves[chance.randrange(min(view.moves.total, 1000))])
    return tips


def test_a_first_game():
    """A set, a ranking, a modifier, an ability and a card that stays are explained when they first come."""
    tips = coached(de.load("sushi_go", 3))
    kinds = [tip.id.removeprefix("sushi_go/") for tip in tips.values()]
    assert kinds[0] == "turn"
    assert {"reveal", "passing", "modifier", "ability", "set", "table", "most", "keep", "round", "last"} < set(kinds)
    texts = {tip.id: tip.text for tip in tips.values()}
    assert texts["sushi_go/set"] == "Sashimi: worth something only as a set of 3. You have 1."
    assert "you may call out “Sushi Go!” and take" in texts["sushi_go/ability"]
    assert texts["sushi_go/most"].startswith("Maki: The player with the most maki icons scores 6 points")
    assert texts["passing"] == "Your other cards travelled to Player 1. You got the hand of Player 2."


@pytest.mark.parametrize("configuration", EVEN, ids=str)
def test_every_game_has_a_coach(configuration):
    """Tips of any game come one a turn, each once, and fit a bubble; most are about how its cards count."""
    tips = list(coached(game_of(configuration), decisions=30).values())
    assert len(tips) >= 3
    assert len({tip.id for tip in tips}) == len(tips)
    assert all(0 < len(tip.text) <= LONGEST and "{" not in tip.text for tip in tips)
    assert not any(tip.text[0].islower() or tip.text[-1].isspace() for tip in tips)


def test_what_was_given_is_not_given_again():
    """Tips about turns are given once in all games; those about cards once for each card set."""
    one, other = de.load("sushi_go", 3), de.load("anniversary", 3)
    names = PlainNames(one.labels, ["A", "B", "C"])
    given = {tip.id for tip in coached(one).values()}
    view = one.start(9).view(0)
    assert tip_for(view, names, (), by="touch").text.startswith("These are your cards. Slide")
    again = tip_for(view, names, given, by="touch")
    assert again is None or again.id not in given
    there = [tip.id for tip in coached(other).values() if tip.id not in given]
    assert there
    assert all(tip.startswith("anniversary/") for tip in there)


def test_the_wait_until_all_have_chosen():
    """A seat that has chosen hears that it can take that back, where others choose at the same time."""
    game = de.load("sushi_go", 2)
    names = PlainNames(game.labels, ["A", "B"])
    state = game.start(3)
    state = state.commit(0, state.view(0).moves[0])
    tip = tip_for(state.view(0), names, (), by="touch", chosen=True)
    assert (tip.id, "take it back" in tip.text) == ("chosen", True)
    assert tip_for(state.view(0), names, [tip.id], by="touch", chosen=True) is None


@pytest.mark.parametrize("language", ["pl", "ja"])
def test_other_languages(language):
    """A coach has the same tips in every language, and none of its own words is English."""
    tips = coached(de.load("anniversary", 3), language)
    assert [tip.id for tip in tips.values()] == [tip.id for tip in coached(de.load("anniversary", 3)).values()]
    assert not any("your" in tip.text.split() for tip in tips.values())


def test_tips_at_the_keyboard(table, tmp_path):
    """A tip stands above the cards, once; `x` turns tips off, and the next game remembers both."""
    terminals, memory = table("sushi_go", [HUMAN, "greedy"]), tmp_path / "tips.json"

    def played(*answers):
        script, lines = iter(answers), []

        def ask(prompt):
            lines.append(prompt)
            return next(script, None)

        terminal = Terminal(
            terminals.session(1), terminals.names(), ask, lines.append, print, interactive=True, tips=Tips.kept(memory)
        )
        with contextlib.suppress(QuitGame):
            terminal.play()
        return "".join(lines)

    first = played("t", "1", "", "x")
    assert first.count("Tip: These are your cards. Type the number") == 2, "`t` shows the table with its tip again"
    assert "Tip: All cards have turned over" in first
    assert "No more tips" in first
    assert "Tip:" not in played("1", "")
    assert "Tips are on" in (again := played("tips", "1", ""))
    assert "These are your cards" not in again


def test_bars_at_the_keyboard(table):
    """`v` shows the adviser's bars beside the cards of the menu, and hides them again."""
    terminals, lines = table("sushi_go", [HUMAN, "greedy"]), []
    script = iter(["v", "v"])
    terminal = Terminal(
        terminals.session(1), terminals.names(), lambda _: next(script, None), lines.append, print, interactive=True
    )
    with contextlib.suppress(QuitGame):
        terminal.play()
    plain, barred, hidden = "".join(lines).split("Your hand\n")[1:]
    worth = worth_of_items(Evaluator(terminal.session.view(0)), Move())
    assert re.findall("[▮▯]{5}", barred) == [
        in_bars(worth[item.name]) for item in MoveBuilder.of(terminal.session.view(0)).items
    ]
    assert "▮" not in plain + hidden
