"""The application: one table, and the thread that moves the game on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.apps.play.table_view import Observer
from draftengine.apps.tui.screen import FullScreen
from draftengine.apps.tui.table import Table
from draftengine.apps.tui.worker import GameWorker

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.session import Session
    from draftengine.apps.tui.worker import Moment

USUAL_PAUSE = 1.5
"""Seconds in which the last choice can be undone."""


class TableApp(FullScreen):
    """A game with people and bots."""

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
        super().__init__(names)
        self.observer = Observer(names)
        self.shows_hints = hints
        self.reviews = reviews
        self.pause = pause
        self.rings = rings
        self.work = GameWorker(session, keep, self.failed)
        self.table = Table()

    def board(self) -> Table:
        """The table."""
        return self.table

    @property
    def only_person(self) -> int:
        """The seat of the only person; -1 if there are several, or none."""
        humans = self.work.session.humans
        return humans[0] if len(humans) == 1 else -1

    def on_mount(self) -> None:
        """The first bots."""
        self.work.go_on(self.tell)

    def say(self, text: str) -> None:
        """Say something on the table: called by the thread of the game."""
        self.later(self.table.notify_in_line, text.strip())

    def tell(self, moment: Moment) -> None:
        """Something has happened: called by the thread of the game."""
        self.later(self.table.arrive, moment)

    def stop(self) -> None:
        """End the thread of the game."""
        self.work.stop()
