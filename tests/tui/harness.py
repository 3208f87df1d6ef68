"""The full screen without a terminal: keys go in, and the text of the screen comes out."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager

from textual import app as textual_app
from textual import pilot as textual_pilot

import draftengine as de
from draftengine.api.replay import Player, Recorded
from draftengine.apps.play import replay as replays
from draftengine.apps.play import score_book as scorebook
from draftengine.apps.play.labels import Names
from draftengine.apps.play.session import HUMAN, Session
from draftengine.apps.play.terminal_style import Style
from draftengine.apps.tui.app import TableApp
from draftengine.apps.tui.replay import ReplayApp
from draftengine.apps.tui.scorekeeper import ScoreApp
from loops import in_a_loop


async def _until_nothing_waits(*_):
    """Wait until the loop has nothing left to do, except callbacks that are timed.

    Textual's own wait sleeps several times for each key until the process is idle. That would take most of the time of
    these tests, and mistake a busy machine for an idle one.
    """
    loop = asyncio.get_running_loop()
    await asyncio.sleep(0)
    while loop._ready:  # noqa: ASYNC110 (no event tells of that)
        await asyncio.sleep(0)


textual_app.wait_for_idle = textual_pilot.wait_for_idle = _until_nothing_waits


async def _resize(pilot, size):
    """Resize the terminal, and wait until the app has handled it, which it delays briefly."""
    await pilot.resize_terminal(*size)
    while pilot.app._resize_timer is not None:  # noqa: ASYNC110 (a timer of the app's own)
        await asyncio.sleep(0.001)


def text_of(app):
    """Return the lines of a screen."""
    strips = app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


class Sitting:
    """A person at a table."""

    def __init__(self, app, pilot):
        self.app, self.pilot = app, pilot

    @property
    def session(self):
        return self.app.work.session

    @property
    def screen(self):
        """The lines of the screen."""
        return text_of(self.app)

    async def rest(self):
        """Wait until the app is idle."""
        for _ in range(2):
            while self.app.work.is_busy:  # noqa: ASYNC110 (the work is done by a thread)
                await asyncio.sleep(0.001)
            await self.pilot.pause()

    async def press(self, *keys):
        for key in keys:
            await self.pilot.press(key)
            await self.rest()

    async def resize(self, *size):
        await _resize(self.pilot, size)
        await self.rest()


@asynccontextmanager
async def sitting(
    game, seats=None, *, size=(80, 24), seed=7, people=(), keep=lambda: None, language="en", prepare=None, **options
):
    """Yield a game that has just begun, on a screen of this size; every choice waits for Enter."""
    seats = seats or [HUMAN, *["greedy"] * (game.players - 1)]
    session = Session.begin(game, seats, seed, people)
    session.prepare = prepare
    names = Names(game, seats, Style(), people, levels=False, language=language)
    app = TableApp(session, names, keep, **{"pause": None, **options})
    async with app.run_test(size=size) as pilot:
        found = Sitting(app, pilot)
        await (found.rest() if prepare is None else pilot.pause(0.2))
        try:
            yield found
        finally:
            app.work.stop()


def recorded(name, players, variants=(), decisions=1000):
    """Return a record of a game in which everybody takes the first card."""
    game = de.load(name, players=players, variants=variants)
    state = game.start(7)
    while not state.over and len(state.moves) < decisions:
        state = state.commit(state.waiting[0], state.view(state.waiting[0]).moves[0])
    people = (Player("Ada", ""), *(Player("", "greedy") for _ in range(players - 1)))
    return Recorded(game, 7, people, state.moves)


class AtTheScreen:
    """A person who replays a game, or keeps scores."""

    def __init__(self, app, pilot):
        self.app, self.pilot = app, pilot

    @property
    def screen(self):
        return text_of(self.app)

    async def press(self, *keys):
        for key in keys:
            await self.pilot.press(key)
            await self.app.workers.wait_for_complete()
            await self.pilot.pause()

    async def resize(self, *size):
        await _resize(self.pilot, size)
        await self.pilot.pause()


@asynccontextmanager
async def at(app, size):
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield AtTheScreen(app, pilot)


def watching(game, seat=-1, size=(80, 24), language="en"):
    return at(ReplayApp(game, replays.names_for(game, Style(), levels=False, language=language), seat), size)


def keeping(book, size=(80, 24), language="en"):
    return at(ScoreApp(book, scorebook.names_for(book.game, book.names, Style(), language)), size)


def run(coroutine):
    """Run a coroutine of a test to its end."""
    return in_a_loop(coroutine)
