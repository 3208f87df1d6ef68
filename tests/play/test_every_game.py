"""Every configuration of every card set can be played at the terminal, saved and resumed anywhere."""

from __future__ import annotations

import re
from random import Random

import pytest

from conftest import sample
from draftengine.api.game import Ruleset
from draftengine.apps.play.labels import Names
from draftengine.apps.play.saved import Saved, from_text
from draftengine.apps.play.session import HUMAN, Session
from draftengine.apps.play.terminal_style import Style
from draftengine.apps.terminal import QuitGame, Terminal
from engine import gates
from engine.configurations import ENTERING, ONE_OF_EACH, document_of
from play.conftest import game_of
from play.saving import to_text


class Person:
    """Types numbers, and sometimes Enter or a question; quits after `patience` answers."""

    def __init__(self, seed, patience=100_000):
        self.chance, self.patience, self.screen = Random(seed), patience, []

    def ask(self, prompt):
        self.screen.append(prompt)
        self.patience -= 1
        if self.patience < 0:
            raise QuitGame
        return self.chance.choice(["", "1", "1", "2", "3", "4", "5", "6", "1, 2", "? 1", "w"])


def sit_down(session, person):
    names = Names(session.game, session.seats, Style())
    return Terminal(session, names, person.ask, person.screen.append, lambda: None, interactive=False)


def begin(configuration, seed):
    seats = [HUMAN, *["random"] * (configuration.players - 1)]
    return Session.begin(game_of(configuration), seats, seed)


@pytest.mark.parametrize("configuration", sample(ONE_OF_EACH, 10), ids=str)
def test_it_can_be_played(configuration):
    """A game is played to its end, with plain text on the screen, and its final scores add up."""
    person, session = Person(str(configuration)), begin(configuration, 1)
    sit_down(session, person).play()
    shown = "\n".join(person.screen)
    assert not set(shown) & {"\x1b", "\x00", "\r"}
    assert session.game.replay(session.seed, session.moves).result == session.state.result
    gates.cards_are_conserved(session.state.position)
    *parts, totals = columns_of(shown[shown.rindex("Final score") :].split("By rule")[0])
    assert totals == list(session.state.result.scores)
    assert [sum(column) for column in zip(*parts, strict=True)] == totals


def columns_of(table):
    """Return the numbers of a table by row; a table that is too wide continues below."""
    rows = {}
    for line in table.splitlines():
        row = re.fullmatch(r"  (\w+(?: \d+)?)((?: +[-−]?\d+)+) *", line)
        if row:
            rows.setdefault(row[1], []).extend(int(number.replace("−", "-")) for number in row[2].split())
    return rows.values()


@pytest.mark.parametrize("configuration", sample(ENTERING, 10), ids=str)
def test_it_can_be_saved_and_gone_on_with(configuration):
    """A game resumed from any saved moment continues as if it had not been interrupted."""
    rules = Ruleset(document_of(configuration.cardset), configuration.selection)
    whole = begin(configuration, 2)
    sit_down(whole, Person(9)).play()

    stopped, person = begin(configuration, 2), Person(9, patience=5)
    with pytest.raises(QuitGame):
        sit_down(stopped, person).play()
    resumed = from_text(to_text(Saved.of(rules, stopped))).session
    assert resumed.state.digest == stopped.state.digest
    for seat, move in whole.moves[len(resumed.moves) :]:
        resumed.commit(seat, move)
    assert resumed.state.digest == whole.state.digest
