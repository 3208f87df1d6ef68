"""Output of ``draftengine play`` for a seat or an onlooker, line by line and on the full screen."""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

from msgspec import field, to_builtins
from rich.text import Text

from conftest import NIGHTLY
from draftengine.apps.play import board
from draftengine.apps.play import review as reviews
from draftengine.apps.play import score_board as scoreboard
from draftengine.apps.play.board import sentences
from draftengine.apps.play.labels import Names
from draftengine.apps.play.move_builder import MoveBuilder
from draftengine.apps.play.session import HUMAN, Session
from draftengine.apps.play.table_view import TableView
from draftengine.apps.play.terminal_style import Style
from draftengine.apps.terminal import QuitGame, Terminal
from draftengine.apps.tui import choosing as prompts
from draftengine.apps.tui import hand, pages
from draftengine.apps.tui import widgets as drawing
from draftengine.apps.tui.choosing import Choosing
from draftengine.apps.tui.hand import planned
from draftengine.apps.tui.pages import Log
from draftengine.apps.tui.scene import Observer
from draftengine.apps.tui.styles import PALETTES, Pen
from draftengine.bots.hints import Evaluator
from leaks.canaries import LABEL, NOTHING_EARNED, earned

if TYPE_CHECKING:
    from collections.abc import Callable

    import draftengine as de
    from leaks.canaries import Earned

STYLE = Style(columns=1000)
"""A style so wide that no line break splits a name that is searched for."""
_COMMANDS = ("t", "w", "u", "?", "s", "nonsense", "? nothing like that")
"""Commands besides cards and hints. The command for the box is missing, because its answer is public."""
_CUT_OFF = re.compile(r"canary_[0-9a-f]{6,}")
"""A canary that is cut because its place is too narrow."""
_COULD_COME = re.compile(
    rf"({LABEL.pattern})(?:@\w+| as {LABEL.pattern})? (?:would then|after it would) bring"
    r"|\b[Aa]sks? for canary_[0-9a-f]+"
)
"""Texts that may name any canary: reasons with cards that could still come, and requests for a card."""
_ADVICE = re.compile("Hint\\n| instead of | gave (away|nothing) ")
"""Lines with estimates of bots, which count a chip as its pile's mean: it may equal a real value."""


class Watched(Session):
    """A session that notes what it comes through."""

    passed: list[de.State] = field(default_factory=list)

    def commit(self, seat: int, move: de.Move) -> None:
        super().commit(seat, move)
        self.passed.append(self.state)


class Viewer:
    """Person at the screen, who types at random; `check` gets the texts shown and what the seat can know."""

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
        """Show the prompt and return an answer: mostly a card, sometimes a hint or another command."""
        self.show(prompt)
        dice = self.chance.random()
        if dice < 0.7:
            return self.chance.choice(["", *map(str, range(1, 11))])
        return "h" if dice < 0.75 else self.chance.choice(_COMMANDS)


def watch(game: de.Game, seat: int, seed: str, chance: Random, check: Callable[[str, Earned], None]) -> None:
    """Play a whole game on the screen of a seat, or of an onlooker for -1."""
    seats = [HUMAN if own == seat else "random" for own in range(game.players)]
    session = Watched.begin(game, seats, seed)
    viewer = Viewer(session, seat, chance, check)
    interactive = chance.random() < 0.5
    names = Names(game, seats, STYLE)
    terminal = Terminal(session, names, viewer.ask, viewer.show, lambda: None, interactive, review=seat >= 0)
    terminal.play()


def go_on(session: Session, known: Earned, check: Callable[[str, Earned], None]) -> None:
    """Show a continued game to its person, up to the first choice."""
    own = Watched(*(getattr(session, name) for name in Session.__struct_fields__))
    viewer = Viewer(own, session.humans[0], Random(), check, known)
    names = Names(session.game, session.seats, STYLE)
    with suppress(QuitGame):
        Terminal(own, names, viewer.show, viewer.show, lambda: None, interactive=False).play()


def printed(view: de.View) -> list[str]:
    """Return the lines that a seat sees: the table, the events, and the advice if it must choose."""
    names = Names(view.game, [HUMAN if own == view.seat else "random" for own in range(view.game.players)], STYLE)
    table = TableView.of(view)
    lines = [board.heading(table, names), *board.table(table, names), *sentences(view.events, view.seat, names)]
    return [*lines, *reviews.hint(MoveBuilder.of(view), Evaluator(view).hints(), names)] if view.moves else lines


SIZES = ((160, 45), (80, 24), (50, 20)) if NIGHTLY else ((80, 24),)
"""Columns and lines of full screens: with the pane at the side, with faces, and with a list."""


@lru_cache(8)
def _observer(game: de.Game, seat: int) -> Observer:
    """Return the observer of a seat, from a cache by game."""
    seats = [HUMAN if own == seat else "random" for own in range(game.players)]
    return Observer(Names(game, seats, STYLE, levels=False))


def drawn(state: de.State, seat: int) -> list[str]:
    """Return all that the full screen can show a seat: its parts at every size, its pages, and the log.

    The data behind the lines is included, because lines are cut if there is no room.
    """
    view, game = state.view(seat), state.game
    observer = _observer(game, seat)
    names, pen = observer.names, Pen(PALETTES["table-dark"], STYLE)
    choosing = Choosing(view) if view.moves else None
    asked = {*state.waiting, *state.committed}
    scene = observer.scene(state, seat, choosing.picking if choosing else None, state.events, asked)
    lines = [Text(str(to_builtins(scene)))]
    log = Log(names, seat).tell(state.history, pen)
    for columns, height in SIZES:
        plan = planned(scene, columns, height)
        lines += [drawing.head(scene, plan.columns, pen), drawing.coming_line(scene, plan.columns, pen)]
        lines += drawing.seats(scene, plan.columns, plan.seats, pen, rich=plan.rich)
        lines += hand.draw(scene, plan.columns, plan.hand, 0, pen, rich=plan.rich).lines
        lines += drawing.side(scene, log, 38, height, pen)
    lines += [*log, *drawing.coming_lines(scene, 1000, pen)]
    lines += pages.why(scene, scoreboard.scorings(state.history, game), names, pen)(1000)
    lines += prompts.prompt(choosing, names, pen) if choosing else []
    lines.append(prompts.waiting(state, -1, [max(seat, 0)], names, pen))
    if seat < 0 and state.waiting:  # several people, and one of them is to come
        lines += prompts.cover(state.waiting[0], state, range(game.players), names, pen)
    return [own.plain for own in lines]


def canaries_on(screen: str) -> set[str]:
    """Return the canaries on a screen; names may be cut off."""
    return {*_CUT_OFF.findall(_COULD_COME.sub("", screen))}


def numbers_on(screen: str) -> set[int]:
    """Return the integers on a screen, without those in canaries; none for screens with bot estimates."""
    if _ADVICE.search(screen):
        return set()
    return {int(number) for number in re.findall(r"\d+", _CUT_OFF.sub("", screen))}
