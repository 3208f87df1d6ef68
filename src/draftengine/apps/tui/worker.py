"""What takes time happens beside the screen, one thing after the other: choices brought to the disk, bots, advice."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event as Flag
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.bots.hints.hints import Evaluator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

    from draftengine.api.moves import Move
    from draftengine.api.records import Event
    from draftengine.api.state import State
    from draftengine.api.view import View
    from draftengine.apps.play.review import GameReview
    from draftengine.apps.play.session import Session
    from draftengine.bots.hints.hints import Hint


class Moment(Struct, frozen=True):
    """How the game stands when something that is on the disk has happened: all that the screen is told of it."""

    state: State
    events: int
    """So much of the session's story has happened."""
    decision: int
    """The number of choices that everybody knows of: it names the decision that is being made."""
    thinking: bool
    """Are bots about to choose."""
    scored: State | None
    """The cards as they lay when rules were last scored."""


class GameWorker:
    """One game, moved on by one thread."""

    def __init__(self, session: Session, keep: Callable[[], None], failed: Callable[[BaseException], None]) -> None:
        self.session = session
        self._keep = keep
        self._failed = failed
        self._stop = Flag()
        self._pool = ThreadPoolExecutor(1, "game")
        self._newest: Future[None] | None = None

    def stop(self) -> None:
        """End: what is being done comes to its end first, what is only wanted is not done any more."""
        self._stop.set()
        self._pool.shutdown(cancel_futures=True)

    def go_on(self, tell: Callable[[Moment], None]) -> None:
        """Let bots choose as long as no person has to."""
        self._submit(lambda: self._bots(tell))

    def commit(self, seat: int, move: Move, tell: Callable[[Moment], None]) -> None:
        """Commit a person to a move, then let bots choose. Nobody is told before it is on the disk."""

        def job() -> None:
            self.session.commit(seat, move)
            self._keep()
            tell(self._moment(thinking=self._bots_next))
            self._bots(tell)

        self._submit(job)

    def take_back(self, tell: Callable[[Moment], None]) -> None:
        """Take the last commitment of a person back."""

        def job() -> None:
            self.session.take_back()
            self._keep()
            tell(self._moment(thinking=False))

        self._submit(job)

    def advise(self, view: View, taken: Move, tell: Callable[[list[Hint]], None]) -> None:
        """Ask the adviser what to choose."""
        self._submit(lambda: tell(Evaluator(view).hints(taken)))

    def look_back(self, seat: int, busy: Callable[[float], None], tell: Callable[[GameReview], None]) -> None:
        """Look at all choices of a person once more."""
        from draftengine.apps.play.review import review  # noqa: PLC0415 (most games end without it)

        def progress(share: float) -> None:
            if self._stop.is_set():
                raise _StoppedError
            busy(share)

        self._submit(lambda: tell(review(self.session, seat, progress)))

    @property
    def _bots_next(self) -> bool:
        return not self.session.over and len(self.session.to_choose()) < len(self.session.state.waiting)

    def _bots(self, tell: Callable[[Moment], None]) -> None:
        """Bots one by one; a reveal among them is told at once."""
        for _ in self._choosing():
            if not self.session.state.committed:
                self._keep()
                tell(self._moment(thinking=True))
        self._keep()
        tell(self._moment(thinking=False))

    def _choosing(self) -> Iterator[int]:
        for seat in self.session.bots_choosing():
            yield seat
            if self._stop.is_set():
                raise _StoppedError

    def _moment(self, *, thinking: bool) -> Moment:
        state = self.session.state
        decisions = len(state.moves) - len(state.committed)
        return Moment(state, len(self.session.story), decisions, thinking, self.session.scored)

    def news(self, since: int, until: int) -> list[Event]:
        """What happened between two moments."""
        return self.session.story[since:until]

    def _submit(self, job: Callable[[], None]) -> None:
        if not self._stop.is_set():
            self._newest = self._pool.submit(job)
            self._newest.add_done_callback(self._look)

    @property
    def is_busy(self) -> bool:
        """Is anything still being done: jobs are done in their order."""
        return self._newest is not None and not self._newest.done()

    def _look(self, done: Future[None]) -> None:
        if done.cancelled():
            return
        error = done.exception()
        if error is not None and not isinstance(error, _StoppedError):
            self._failed(error)


class _StoppedError(Exception):
    """The program ends, so nobody waits for this."""
