"""The base of all full screens: two themes, a proper end on signals, and parts at fixed places."""

from __future__ import annotations

import asyncio
import os
import select
import signal
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App
from textual.binding import Binding
from textual.drivers.linux_driver import LinuxDriver
from textual.screen import Screen

from draftengine.apps.tui import widgets as drawing
from draftengine.apps.tui.choosing import in_words
from draftengine.apps.tui.hand import FEWEST, is_large_enough
from draftengine.apps.tui.overlays import Page, Pane, Place
from draftengine.apps.tui.styles import PALETTES, Pen, joined, themes, wide, wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TextIO

    from rich.text import Text
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.driver import Driver
    from textual.events import Key, Resize

    from draftengine.apps.play.labels import Names
    from draftengine.apps.tui.choosing import KeyWord
    from draftengine.apps.tui.hand import Plan
    from draftengine.apps.tui.overlays import Draw
    from draftengine.apps.tui.scene import Scene


class TerminalDriver(LinuxDriver):
    """Terminal driver that ends the application on signals and hang-ups. The result is the signal's name."""

    def __init__(self, app: Any, **how: Any) -> None:
        super().__init__(app, **how)
        self._file: Any = _Output(self._file)
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP", "SIGINT"):
            number = getattr(signal, name)
            if signal.getsignal(number) is not signal.SIG_IGN:
                loop.add_signal_handler(number, app.exit, name)
        loop.add_signal_handler(signal.SIGCONT, self._go_on)
        Thread(target=self._wait_for_hang_up, name="hang-up", daemon=True).start()

    def _wait_for_hang_up(self) -> None:
        """End the application when the terminal hangs up, even if SIGHUP is ignored or goes elsewhere."""
        self._has_hung_up(None)
        self._app.call_later(self._app.exit, "SIGHUP")

    def _has_hung_up(self, timeout: float | None = 0) -> bool:
        """True if the terminal hangs up within `timeout` milliseconds; ``None`` waits without a limit."""
        poll = select.poll()
        poll.register(self.fileno, 0)
        return bool(poll.poll(timeout))

    def _go_on(self) -> None:
        """Use the terminal again after the program was stopped and continued, with one input thread."""
        if self._has_hung_up():
            return
        if self._key_thread is not None and self._key_thread.is_alive():
            self.suspend_application_mode()
        self._sigcont_application()


class _Output:
    """A file that ignores write errors, so that the output thread keeps running."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.fileno = file.fileno

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()


class FullScreen(App[str]):
    """A full-screen application. It returns a word such as ``quit`` or ``same``, or the name of a signal."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, names: Names) -> None:
        super().__init__()
        self.names = names
        self.trouble: BaseException | None = None
        """The error on another thread, or in a callback, that ended the application."""
        for theme in themes():
            self.register_theme(theme)
        self.theme = "table-light" if os.environ.get("COLORFGBG", "").endswith(";15") else "table-dark"

    @property
    def pen(self) -> Pen:
        """The `Pen` with the colours of the current theme."""
        return Pen(PALETTES[self.theme], self.names.style, self.names.language)

    def board(self) -> GameScreen:
        raise NotImplementedError

    def on_mount(self) -> None:
        self.push_screen(self.board())

    def get_driver_class(self) -> type[Driver]:
        """Return a terminal driver that lets signals end the application properly."""
        driver: type[Driver] = super().get_driver_class()
        if driver.__name__ == "LinuxDriver":
            from draftengine.apps.tui.screen import TerminalDriver  # noqa: PLC0415 (Windows lacks what it needs)

            return TerminalDriver
        return driver

    def _handle_exception(self, error: Exception) -> None:
        """End the application after a bug, so that its caller can report the bug."""
        if self.is_headless:
            super()._handle_exception(error)
            return
        self.trouble = error
        self.exit("trouble")

    def failed(self, error: BaseException) -> None:
        """End the application because of an error on another thread."""
        self.trouble = error
        self.later(self.exit, "trouble")

    def later(self, do: Callable[..., Any], *arguments: Any) -> None:
        """Schedule a call on the thread of the screen."""
        self.call_later(do, *arguments)

    def leave(self) -> None:
        """End the application. Its caller saves the game."""
        self.exit("quit")

    def action_leave(self) -> None:
        self.leave()

    def action_other_theme(self) -> None:
        """Switch between dark and light."""
        self.theme = "table-light" if self.theme == "table-dark" else "table-dark"
        self.board().draw()

    def stop(self) -> None:
        """Stop work on other threads; subclasses override it."""

    def sit_down(self) -> str:
        """Run until somebody leaves or a signal comes. Return a word or signal name that says how it ended.

        Raises errors from other threads.
        """
        try:
            how = self.run()
        finally:
            self.stop()
        if self.trouble is not None:
            raise self.trouble
        return how or "quit"


PARTS = ("head", "keys", "side", "seats", "coming", "hand", "message", "log")
"""The parts of the screen, each at a fixed place."""


class GameScreen(Screen[None]):
    """A screen that consists of panes, which are drawn again for each size."""

    DEFAULT_CSS = """
    GameScreen { background: $background; layout: vertical; }
    GameScreen #head { dock: top; background: $surface; }
    GameScreen #keys { dock: bottom; background: $surface; }
    GameScreen #side { dock: right; height: 100%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+t", "app.other_theme", show=False),
        Binding("ctrl+l", "redraw", show=False),
        Binding("ctrl+c,ctrl+q", "app.leave", show=False, priority=True),
        Binding("ctrl+z", "app.suspend_process", show=False),
    ]
    app: FullScreen

    def compose(self) -> ComposeResult:
        """Yield a pane for each part."""
        yield from map(Pane, PARTS)

    def on_resize(self, _: Resize) -> None:
        self.draw()

    @property
    def pen(self) -> Pen:
        return self.app.pen

    def pane(self, name: str) -> Pane:
        return self.query_one(f"#{name}", Pane)

    def on_screen(self, do: Callable[..., Any]) -> Callable[..., None]:
        """Return a function that calls `do` on the thread of the screen.

        Other threads may call it even after this screen has left its application.
        """
        later = self.app.later
        return lambda *given: later(do, *given)

    def draw(self) -> None:
        """Draw everything or, on a screen that is too small, a message that says so."""
        if not self.is_mounted:
            return
        columns, lines = self.app.size
        if is_large_enough(columns, lines):
            self.draw_parts(columns, lines)
            return
        words = self.pen.say("screen.small", columns=columns, lines=lines, wide=FEWEST[0], high=FEWEST[1])
        for part in PARTS:
            self.pane(part).show([])
        self.pane("message").show(wrapped(self.pen.plain(words), max(10, columns - 2), 1)[:lines])

    def draw_parts(self, columns: int, lines: int) -> None:
        raise NotImplementedError

    def draw_around(
        self,
        scene: Scene,
        plan: Plan,
        entries: Sequence[Text],
        *,
        head: Text | None = None,
        title: str = "screen.log",
        coming: str = "screen.coming",
        log: str = "l",
        seats: Callable[[int], str] | None = None,
    ) -> None:
        """Draw all parts but the hand, message and keys: head, seats, zones, coming hands and log.

        A click on the log presses the key `log`. If nobody plays at the table, a click on a seat presses the key that
        `seats` returns.
        """
        pen, left, side = self.pen, plan.columns, self.pane("side")
        self.pane("head").show([head or drawing.head(scene, left, pen)], [Place(left - 4, 0, 4, 1, "?")])
        lines = self.app.size.height - 2
        side.show(drawing.side(scene, entries, plan.side, lines, pen, title) if plan.side else [])
        side.styles.width = plan.side
        each = plan.seats // max(1, len(scene.seats))
        clicks = enumerate(seats(seat.seat) for seat in scene.seats) if seats else ()
        places = [Place(0, index * each, left, max(1, each), does) for index, does in clicks if does]
        drawn = drawing.seats(scene, left, plan.seats, pen, rich=plan.rich, playing=seats is None)
        self.pane("seats").show(drawn, places)
        piles = [pen.plain(line) for line in drawing.piles(scene, left)[: plan.piles]]
        way = [
            drawing.rule(pen.muted(pen.say(coming)), drawing.empty(), left, pen),
            drawing.coming_line(scene, left, pen),
        ]
        ways = [] if seats else [Place(0, len(piles), left, 2, "o")]
        self.pane("coming").show([*piles, *(way if plan.coming else [])], ways)
        indented = [joined(pen.text(" "), entry) for entry in entries]
        below = [
            drawing.rule(pen.muted(pen.say(title)), drawing.empty(), left, pen),
            *drawing.log(indented, left, plan.log - 1),
        ]
        self.pane("log").show(below if plan.log and not plan.side else [], [Place(0, 0, left, plan.log, log)])

    def draw_keys(self, key_words: Sequence[KeyWord], columns: int) -> None:
        """Draw the keys that can be used now; each can be clicked."""
        pen = self.pen
        line, places = pen.text(" "), []
        for keys, words, does in in_words(key_words, columns, pen):
            label = joined(pen.focus(keys), pen.muted(f" {words}"))
            if wide(line) + wide(label) > columns:
                break
            places.append(Place(wide(line), 0, wide(label), 1, does))
            line = joined(line, label, pen.text("  "))
        self.pane("keys").show([line], places)

    def show_page(self, title: str, draw: Draw, key: str = "") -> None:
        """Show a page over the screen. The key `key` closes it again."""
        self.app.push_screen(Page(title, draw, self.pen, key))

    def on_key(self, event: Key) -> None:
        """Carry out the command of a key."""
        if event.character and self.key_pressed(event.character):
            event.stop()

    def key_pressed(self, key: str) -> bool:
        """Carry out the command of a key. Return False if the key has no command."""
        raise NotImplementedError

    def on_pane_pressed(self, message: Pane.Pressed) -> None:
        """Carry out the command that belongs to the clicked text, as its key would."""
        self.key_pressed(message.does)

    def action_redraw(self) -> None:
        """Draw everything again, in case another program has written over it."""
        self.app.refresh(layout=True)
