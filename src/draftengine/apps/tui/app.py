"""The application for one table, and the thread that carries out moves, one job after the other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event as Flag
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from draftengine.apps.tui.scene import Observer
from draftengine.apps.tui.screen import FullScreen
from draftengine.apps.tui.table import Table
from draftengine.bots.hints import Evaluator

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from draftengine.api.moves import Move
    from draftengine.api.records import Event
    from draftengine.api.state import State
    from draftengine.api.view import View
    from draftengine.apps.play.coach import Tips
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.review import GameReview
    from draftengine.apps.play.session import Session


Answer = TypeVar("Answer")


class Moment(Struct, frozen=True):
    """A snapshot of the game for the screen. All moves before it have been saved."""

    state: State
    events: int
    """The number of events of the game so far."""
    decision: int
    """The number of moves that were revealed so far, which identifies the current decision."""
    thinking: bool
    """True if bots are about to choose."""
    scored: State | None
    """The state before rules last scored, which the table shows behind the score sheet; ``None`` before."""


class GameWorker:
    """One game, and the thread that carries out its moves. Callbacks (`tell`) run on that thread."""

    def __init__(self, session: Session, keep: Callable[[], None], failed: Callable[[BaseException], None]) -> None:
        self.session = session
        self._keep = keep
        self._failed = failed
        self._stop = Flag()
        self._pool = ThreadPoolExecutor(1, "game")
        self._newest: Future[None] | None = None

    def stop(self) -> None:
        """Stop the thread after the running job. Waiting jobs are dropped."""
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)

    def go_on(self, tell: Callable[[Moment], None]) -> None:
        """Let bots choose until a person has to choose.

        Preparing the bots can take long, so `tell` gets the table before that.
        """

        def job() -> None:
            if self.session.prepare is not None:
                tell(self._moment(thinking=True))
            self._bots(tell)

        self._submit(job)

    def commit(self, seat: int, move: Move, tell: Callable[[Moment], None]) -> None:
        """Commit a person to a move, then let bots choose. `tell` is called once the move is on disk."""

        def job() -> None:
            self.session.commit(seat, move)
            self._keep()
            bots_next = len(self.session.to_choose()) < len(self.session.state.waiting)
            tell(self._moment(thinking=bots_next and not self.session.over))
            self._bots(tell)

        self._submit(job)

    def take_back(self, tell: Callable[[Moment], None]) -> None:

        def job() -> None:
            self.session.take_back()
            self._keep()
            tell(self._moment(thinking=False))

        self._submit(job)

    def advise(self, view: View, ask: Callable[[Evaluator], Answer], tell: Callable[[Answer], None]) -> None:
        """Call `ask` with the adviser's ratings for a choice, and pass the result to `tell`."""
        self._submit(lambda: tell(ask(Evaluator(view))))

    def look_back(self, seat: int, busy: Callable[[float], None], tell: Callable[[GameReview], None]) -> None:
        """Send the review of a person's choices to `tell`; `busy` gets the fraction that is done."""
        from draftengine.apps.play.review import review  # noqa: PLC0415 (most games end without it)

        def progress(share: float) -> None:
            if self._stop.is_set():
                raise _StoppedError
            busy(share)

        self._submit(lambda: tell(review(self.session, seat, progress)))

    def _bots(self, tell: Callable[[Moment], None]) -> None:
        """Let bots choose one by one. `tell` gets the table after each reveal and at the end."""
        for _ in self.session.bots_choosing():
            if not self.session.state.committed:
                self._keep()
                tell(self._moment(thinking=True))
            if self._stop.is_set():
                raise _StoppedError
        self._keep()
        tell(self._moment(thinking=False))

    def _moment(self, *, thinking: bool) -> Moment:
        state = self.session.state
        decisions = len(state.moves) - len(state.committed)
        return Moment(state, len(self.session.story), decisions, thinking, self.session.scored)

    def news(self, since: int, until: int) -> list[Event]:
        """Return the events from index `since` up to index `until`."""
        return self.session.story[since:until]

    def _submit(self, job: Callable[[], None]) -> None:
        def look(done: Future[None]) -> None:
            error = None if done.cancelled() else done.exception()
            if error is not None and not isinstance(error, _StoppedError):
                self._failed(error)

        if not self._stop.is_set():
            self._newest = self._pool.submit(job)
            self._newest.add_done_callback(look)

    @property
    def is_busy(self) -> bool:
        """True while a job is running or waiting."""
        return self._newest is not None and not self._newest.done()


class _StoppedError(Exception):
    """Raised in a job when the program ends, because nobody needs its result any more."""


USUAL_PAUSE = 1.5
"""The seconds in which a complete choice can be undone before it is played."""


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
        tips: Tips | None = None,
        pause: float | None = USUAL_PAUSE,
        rings: bool = False,
    ) -> None:
        """Open a table; `keep` writes the moves to disk. If `pause` is ``None``, choices wait for Enter."""
        super().__init__(names)
        self.observer = Observer(names)
        self.shows_hints = hints
        self.reviews = reviews
        self.tips = tips
        self.shows_bars = False
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
        """Show a message on the table. The thread of the game calls this."""
        self.later(self.table.notify_in_line, text.strip())

    def tell(self, moment: Moment) -> None:
        """Show a new snapshot of the game. The thread of the game calls this."""
        self.later(self.table.arrive, moment)

    def stop(self) -> None:
        self.work.stop()
