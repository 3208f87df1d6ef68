"""What ``draftengine play`` prints for whoever sits at a seat, alone or as a spectator, in the plain form."""

from __future__ import annotations

import re
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

from msgspec import field

from draftengine.bots.hints import Opinion
from draftengine.play import advice_words, board, story
from draftengine.play.choosing import Picking
from draftengine.play.names import Names
from draftengine.play.session import HUMAN, Session
from draftengine.play.style import Style
from draftengine.play.terminal import QuitGame, Terminal
from leaks.canaries import LABEL, NOTHING_EARNED, earned

if TYPE_CHECKING:
    from collections.abc import Callable

    import draftengine as de
    from leaks.canaries import Earned

STYLE = Style(columns=1000)
"""Wide enough for every sentence, so that none is broken within what is looked for."""
_COMMANDS = ("t", "w", "u", "?", "s", "nonsense", "? nothing like that")
"""What people ask for besides cards and hints. What is in the box is told to everybody, so nobody asks for it here."""
_CUT_OFF = re.compile(r"canary_[0-9a-f]{6,}")
"""A canary in a place that is too narrow for all of it."""
_PREPARED = re.compile(rf"({LABEL.pattern})(?:@\w+| as {LABEL.pattern})? would then bring")
"""A reason for a move names a card that could still come, of those that the seat cannot place."""
_ADVICE = re.compile("Hint  | instead of | gave (away|nothing) ")
"""Bots reckon with what a chip is worth on average, which may be what some chip is worth."""


class Watched(Session):
    """A session that notes what it comes through."""

    passed: list[de.State] = field(default_factory=list)

    def commit(self, seat: int, move: de.Move) -> None:
        super().commit(seat, move)
        self.passed.append(self.state)


class Viewer:
    """Somebody who looks at the screen and types; `check` is given all that is shown, with what they have earned."""

    def __init__(
        self,
        session: Watched,
        seat: int,
        chance: Random,
        check: Callable[[str, Earned], None],
        known: Earned = NOTHING_EARNED,
    ) -> None:
        self.session, self.seat, self.chance, self.check, self.known = session, seat, chance, check, known
        session.passed.insert(0, session.state)

    def show(self, text: str) -> None:
        for state in self.session.passed:
            self.known = earned(self.known, state, self.seat)
        self.session.passed.clear()
        self.check(text, self.known)

    def ask(self, prompt: str) -> str:
        """Mostly a card; now and then a hint or another command."""
        self.show(prompt)
        dice = self.chance.random()
        if dice < 0.7:
            return self.chance.choice(["", *map(str, range(1, 11))])
        return "h" if dice < 0.75 else self.chance.choice(_COMMANDS)


def watch(game: de.Game, seat: int, seed: str, chance: Random, check: Callable[[str, Earned], None]) -> None:
    """A whole game on the screen of somebody at a seat; -1: of somebody who looks on."""
    seats = [HUMAN if own == seat else "random" for own in range(game.players)]
    session = Watched.begin(game, seats, seed)
    viewer = Viewer(session, seat, chance, check)
    interactive = chance.random() < 0.5
    names = Names(game, seats, STYLE)
    terminal = Terminal(session, names, viewer.ask, viewer.show, lambda: None, interactive, review=seat >= 0)
    terminal.play()


def go_on(session: Session, known: Earned, check: Callable[[str, Earned], None]) -> None:
    """What is shown to a person who goes on with a game that was put aside, up to their first choice."""
    own = Watched(*(getattr(session, name) for name in Session.__struct_fields__))
    viewer = Viewer(own, session.humans[0], Random(), check, known)
    names = Names(session.game, session.seats, STYLE)
    with suppress(QuitGame):
        Terminal(own, names, viewer.show, viewer.show, lambda: None, interactive=False).play()


def printed(view: de.View) -> list[str]:
    """What the screen of a seat shows of a moment: the table, the news, and the advice if it has to choose."""
    names = Names(view.game, [HUMAN if own == view.seat else "random" for own in range(view.game.players)], STYLE)
    lines = [board.heading(view, names), *board.table(view, names), *story.tell(view.events, view.seat, names)]
    return [*lines, *advice_words.hint(Picking.of(view), Opinion(view).hints(), names)] if view.moves else lines


def canaries_on(screen: str) -> set[str]:
    """The canaries that a screen tells of, as much of each as there was room for."""
    return {*_CUT_OFF.findall(_PREPARED.sub("", screen))}


def numbers_on(screen: str) -> set[int]:
    """The whole numbers on a screen, but for those in the names of canaries and the estimates of bots."""
    if _ADVICE.search(screen):
        return set()
    return {int(number) for number in re.findall(r"\d+", _CUT_OFF.sub("", screen))}
