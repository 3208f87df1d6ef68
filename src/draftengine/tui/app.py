"""The application: one table, the thread that moves the game on, and the two themes."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App

from draftengine.tui.pen import PALETTES, Pen, themes
from draftengine.tui.scene import Observer
from draftengine.tui.table import Table
from draftengine.tui.work import Work

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.binding import BindingType

    from draftengine.play.names import Names
    from draftengine.play.session import Session
    from draftengine.tui.work import Moment

USUAL_PAUSE = 1.5
"""Seconds in which the last choice can be undone."""


class TableApp(App[str]):
    """A game with people and bots. It ends with ``quit``, or with the name of a signal."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(
        self,
        session: Session,
        names: Names,
        keep: Callable[[], None],
        *,
        hints: bool = False,
        reviews: bool = False,
        pause: float | None = USUAL_PAUSE,
        rings: bool = False,
    ) -> None:
        """`keep` brings the moves so far to the disk; without a `pause` choices wait for Enter."""
        super().__init__()
        self.names = names
        self.observer = Observer(names)
        self.shows_hints = hints
        self.reviews = reviews
        self.pause = pause
        self.rings = rings
        self.trouble: BaseException | None = None
        """What went wrong beside the screen."""
        self.work = Work(session, keep, self._failed)
        self.table = Table()
        for own in themes():
            self.register_theme(own)
        self.theme = "table-light" if os.environ.get("COLORFGBG", "").endswith(";15") else "table-dark"

    @property
    def pen(self) -> Pen:
        """How texts are written now."""
        return Pen(PALETTES[self.theme], self.names.style)

    @property
    def only_person(self) -> int:
        """The seat of the only person; -1 if there are several, or none."""
        humans = self.work.session.humans
        return humans[0] if len(humans) == 1 else -1

    def on_mount(self) -> None:
        """The table, and the first bots."""
        if not self.is_headless:
            self._heed_signals()
        self.push_screen(self.table)
        self.work.go_on(self.tell)

    def _heed_signals(self) -> None:
        """Let signals end the application in good order: whoever started it puts the game aside then."""
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP", "SIGINT"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                with suppress(NotImplementedError, RuntimeError, ValueError):
                    loop.add_signal_handler(number, self._stopped_by, name)

    def _stopped_by(self, name: str) -> None:
        self.exit(name)

    def _handle_exception(self, error: Exception) -> None:
        """A bug ends the application; who started it tells it as every other bug."""
        if self.is_headless:
            super()._handle_exception(error)
            return
        self.trouble = error
        self.exit("trouble")

    def say(self, text: str) -> None:
        """Say something on the table: called by the thread of the game."""
        self.later(self.table.notify_in_line, text.strip())

    def later(self, do: Callable[..., Any], *arguments: Any) -> None:
        """Do something on the thread of the screen."""
        self.call_later(do, *arguments)

    def tell(self, moment: Moment) -> None:
        """Something has happened: called by the thread of the game."""
        self.later(self.table.arrive, moment)

    def _failed(self, error: BaseException) -> None:
        self.trouble = error
        self.later(self.exit, "trouble")

    def leave(self) -> None:
        """Leave the table: whoever started the application puts the game aside."""
        self.exit("quit")

    def action_leave(self) -> None:
        """The same, as a key does it."""
        self.leave()

    def action_other_theme(self) -> None:
        """From dark to light, and back."""
        self.theme = "table-light" if self.theme == "table-dark" else "table-dark"
        self.table.draw()


def sit_down(app: TableApp) -> str:
    """Play until somebody leaves, the game is over and closed, or a signal comes; how it ended (see `TableApp`)."""
    try:
        how = app.run()
    finally:
        app.work.stop()
    if app.trouble is not None:
        raise app.trouble
    return how or "quit"
