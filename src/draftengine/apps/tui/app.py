"""The application: one table, and the thread that advances the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.apps.tui.scene import Observer
from draftengine.apps.tui.screen import FullScreen
from draftengine.apps.tui.table import Table
from draftengine.apps.tui.worker import GameWorker

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.session import Session
    from draftengine.apps.tui.worker import Moment

USUAL_PAUSE = 1.5
"""The time in which the last choice can be undone, in seconds."""


class TableApp(FullScreen):
    """Game with people and bots."""

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
        """Open a table; `keep` writes the moves so far to disk. Without `pause`, choices wait for Enter."""
        super().__init__(names)
        self.observer = Observer(names)
        self.shows_hints = hints
        self.reviews = reviews
        self.pause = pause
        self.rings = rings
        self.work = GameWorker(session, keep, self.failed)
        self.table = Table()

    def board(self) -> Table:
        return self.table

    @property
    def only_person(self) -> int:
        """The only person's seat; -1 if there are several people, or none."""
        humans = self.work.session.humans
        return humans[0] if len(humans) == 1 else -1

    def on_mount(self) -> None:
        """Let the first bots choose."""
        self.work.go_on(self.tell)

    def say(self, text: str) -> None:
        """Show a message on the table; called by the thread of the game."""
        self.later(self.table.notify_in_line, text.strip())

    def tell(self, moment: Moment) -> None:
        """Show what has happened; called by the thread of the game."""
        self.later(self.table.arrive, moment)

    def stop(self) -> None:
        self.work.stop()
