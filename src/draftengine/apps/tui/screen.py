"""What every full screen has: two themes, signals that end it in good order, and parts that keep their places."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App
from textual.binding import Binding
from textual.screen import Screen

from draftengine.apps.tui import widgets as drawing
from draftengine.apps.tui.layout import FEWEST, is_large_enough
from draftengine.apps.tui.lines import joined, wide, wrapped
from draftengine.apps.tui.overlays import Page
from draftengine.apps.tui.pane import Pane, Place
from draftengine.apps.tui.prompts import in_words
from draftengine.apps.tui.styles import PALETTES, Pen, themes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.text import Text
    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.driver import Driver
    from textual.events import Key, Resize

    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.table_view import TableView
    from draftengine.apps.tui.layout import Plan
    from draftengine.apps.tui.overlays import Draw
    from draftengine.apps.tui.prompts import KeyWord


class FullScreen(App[str]):
    """An application on the whole screen. It ends with ``quit``, or with the name of a signal."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, names: Names) -> None:
        super().__init__()
        self.names = names
        self.trouble: BaseException | None = None
        """What went wrong beside the screen."""
        for theme in themes():
            self.register_theme(theme)
        self.theme = "table-light" if os.environ.get("COLORFGBG", "").endswith(";15") else "table-dark"

    @property
    def pen(self) -> Pen:
        """How texts are written now."""
        return Pen(PALETTES[self.theme], self.names.style, self.names.language)

    def board(self) -> GameScreen:
        """The screen that stays."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """The screen that stays."""
        self.push_screen(self.board())

    def get_driver_class(self) -> type[Driver]:
        """Return the driver of this system, which lets signals end the application in good order."""
        driver: type[Driver] = super().get_driver_class()
        if driver.__name__ == "LinuxDriver":
            from draftengine.apps.tui.driver import TerminalDriver  # noqa: PLC0415 (Windows has not what it needs)

            return TerminalDriver
        return driver

    def _handle_exception(self, error: Exception) -> None:
        """A bug ends the application; who started it tells it as every other bug."""
        if self.is_headless:
            super()._handle_exception(error)
            return
        self.trouble = error
        self.exit("trouble")

    def failed(self, error: BaseException) -> None:
        """Something went wrong beside the screen, on another thread."""
        self.trouble = error
        self.later(self.exit, "trouble")

    def later(self, do: Callable[..., Any], *arguments: Any) -> None:
        """Do something on the thread of the screen."""
        self.call_later(do, *arguments)

    def leave(self) -> None:
        """Leave: whoever started the application keeps what there is to keep."""
        self.exit("quit")

    def action_leave(self) -> None:
        """Leave, when the key is pressed that is bound to “leave”."""
        self.leave()

    def action_other_theme(self) -> None:
        """From dark to light, and back."""
        self.theme = "table-light" if self.theme == "table-dark" else "table-dark"
        self.board().draw()

    def stop(self) -> None:
        """End what is done beside the screen."""

    def sit_down(self) -> str:
        """Run until somebody leaves or a signal comes; how it ended. Raises what went wrong beside the screen."""
        try:
            how = self.run()
        finally:
            self.stop()
        if self.trouble is not None:
            raise self.trouble
        return how or "quit"


PARTS = ("head", "keys", "side", "seats", "coming", "hand", "message", "log")
"""Every part has its place on the screen, and stays there."""


class GameScreen(Screen[None]):
    """A screen of parts that are drawn for its size."""

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
        """Every part has its place, and stays there."""
        yield from map(Pane, PARTS)

    def on_resize(self, _: Resize) -> None:
        """Everything is drawn for the new size."""
        self.draw()

    @property
    def pen(self) -> Pen:
        return self.app.pen

    def pane(self, name: str) -> Pane:
        """A part of the screen."""
        return self.query_one(f"#{name}", Pane)

    def draw(self) -> None:
        """Draw everything as it is now, or say that there is no room for it."""
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
        """Draw every part."""
        raise NotImplementedError

    def draw_around(
        self,
        scene: TableView,
        plan: Plan,
        entries: Sequence[Text],
        *,
        head: Text | None = None,
        title: str = "screen.log",
        log: str = "l",
        seats: Callable[[int], str] | None = None,
    ) -> None:
        """Draw the head, the seats, and the newest entries where there is room for them.

        A click on the entries does what `log` says; one on a seat what `seats` gives for it, once nobody plays.
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
        indented = [joined(pen.text(" "), entry) for entry in entries]
        below = [
            drawing.rule(pen.muted(pen.say(title)), drawing.empty(), left, pen),
            *drawing.log(indented, left, plan.log - 1),
        ]
        self.pane("log").show(below if plan.log and not plan.side else [], [Place(0, 0, left, plan.log, log)])

    def draw_keys(self, key_words: Sequence[KeyWord], columns: int) -> None:
        """What can be done now, each to be clicked."""
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
        """Text over the screen, which `key` closes again."""
        self.app.push_screen(Page(title, draw, self.pen, key))

    def on_key(self, event: Key) -> None:
        """One key for each thing to do."""
        if event.character and self.key_pressed(event.character):
            event.stop()

    def key_pressed(self, key: str) -> bool:
        """Do what a key stands for; does it stand for anything."""
        raise NotImplementedError

    def on_pane_pressed(self, message: Pane.Pressed) -> None:
        """A click does what the key does."""
        self.key_pressed(message.does)

    def action_redraw(self) -> None:
        """Draw everything again, whatever another program wrote over it."""
        self.app.refresh(layout=True)
