"""Panes of lines, and overlays on the table: pages, questions, score sheets, and the cover of hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from msgspec import Struct
from rich.cells import cell_len
from rich.segment import Segment
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Input, Static

from draftengine.apps.tui.widgets import centred

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.app import ComposeResult
    from textual.events import Click, Key, Resize

    from draftengine.apps.tui.pages import SheetView
    from draftengine.apps.tui.styles import Pen


class Place(Struct, frozen=True):
    """Clickable rectangle of a pane, in columns and lines from 0."""

    x: int
    y: int
    columns: int
    lines: int
    does: str
    """The command for the screen when it is clicked: a key, or a card and its number."""


class Pane(Widget):
    """A part of a screen that shows lines as they are."""

    DEFAULT_CSS = """
    Pane { width: 100%; height: 1; background: $background; color: $foreground; }
    """
    ALLOW_SELECT = False

    class Pressed(Message):
        """A click on a clickable place."""

        def __init__(self, does: str) -> None:
            super().__init__()
            self.does = does

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self.lines: Sequence[Text] = ()
        self.places: tuple[Place, ...] = ()

    def show(self, lines: Sequence[Text], places: Sequence[Place] = ()) -> None:
        """Show other lines. The pane becomes as high as there are lines."""
        self.lines, self.places = lines, tuple(places)
        self.display = bool(lines)
        if lines and self.styles.height is not None and self.styles.height.value != len(lines):
            self.styles.height = len(lines)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return a line of the pane. Text without a colour gets the colour of the pane."""
        columns, style = self.size.width, self.rich_style
        if y >= len(self.lines):
            return Strip.blank(columns, style)
        segments = [
            Segment(segment.text, style + segment.style if segment.style else style)
            for segment in self.lines[y].render(self.app.console)
        ]
        return Strip(segments).adjust_cell_length(columns, style)

    def on_click(self, event: Click) -> None:
        """Post the command of the place that was clicked."""
        for place in self.places:
            if place.x <= event.x < place.x + place.columns and place.y <= event.y < place.y + place.lines:
                self.post_message(self.Pressed(place.does))
                event.stop()
                return


Draw = Callable[[int], list[Text]]
"""A function that returns the lines of a text for a number of columns."""

_MARGIN = 10
"""The number of columns of a page besides its text: margins, border, padding and scroll bar."""
_PER_RULE = 0.7
"""The seconds between the points of two rules on a sheet that shows them one after the other."""
_WIDEST = 94


def as_text(lines: Sequence[Text]) -> Text:
    """Join lines into one text."""
    return Text("\n", no_wrap=True).join(lines)


class Overlay(ModalScreen[str]):
    """A box over the table, which returns a word when it is closed."""

    DEFAULT_CSS = """
    Overlay { align: center middle; }
    Overlay > #box {
        width: auto; max-width: 100; height: auto; max-height: 100%; margin: 1 2; padding: 0 1;
        background: $surface; color: $foreground; border: round $accent; border-title-color: $accent;
        border-subtitle-color: $foreground;
    }
    Overlay Static { width: auto; background: $surface; }
    """


class Page(Overlay):
    """A text that scrolls. The keys that close overlays, or the key that opened it, close it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,enter,q", "dismiss('')", "close"),
        Binding("down,j", "by(1)", show=False),
        Binding("up,k", "by(-1)", show=False),
        Binding("pagedown,space", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("home", "page(-999)", show=False),
        Binding("end", "page(999)", show=False),
    ]

    def __init__(self, title: str, draw: Draw, pen: Pen, opened_by: str = "") -> None:
        super().__init__()
        self._title = title
        self._draw = draw
        self._pen = pen
        self._opened_by = opened_by

    def compose(self) -> ComposeResult:
        """Yield a box that scrolls."""
        with VerticalScroll(id="box", can_focus=False) as box:
            box.border_title = self._title
            yield Static(id="text")

    def on_mount(self) -> None:
        self._fill()

    def on_resize(self, _: Resize) -> None:
        self._fill()

    def _fill(self) -> None:
        columns = min(_WIDEST, self.app.size.width - _MARGIN)
        lines = self._draw(columns)
        while lines and not lines[0].plain.strip():
            lines = lines[1:]
        self.query_one("#text", Static).update(as_text(lines))
        more = len(lines) > self.app.size.height - 4
        self.query_one("#box").border_subtitle = self._pen.say("screen.closes.more" if more else "screen.closes")

    def on_key(self, event: Key) -> None:
        """Close the page if the key is the one that opened it."""
        if self._opened_by and event.character == self._opened_by:
            event.stop()
            self.dismiss("")

    def action_by(self, lines: int) -> None:
        self.query_one("#box").scroll_relative(y=lines, animate=False)

    def action_page(self, pages: int) -> None:
        self.query_one("#box").scroll_relative(y=pages * max(1, self.app.size.height - 6), animate=False)

    def on_click(self) -> None:
        self.dismiss("")


class Question(Overlay):
    """A question with a few answers, each with the key that gives it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss('')", "close")]

    def __init__(self, title: str, answers: Sequence[tuple[str, str, str]], pen: Pen) -> None:
        """Ask a question; `answers` are triples of key, text, and the value that is returned."""
        super().__init__()
        self._title = title
        self._answers = answers
        self._pen = pen

    def compose(self) -> ComposeResult:
        """Yield a line for each answer."""
        with Vertical(id="box") as box:
            box.border_title = self._title
            box.border_subtitle = self._pen.say("screen.closes")
            box.styles.min_width = cell_len(self._title) + 6
            pen = self._pen
            lines = [Text.assemble(pen.focus(f" {key}  "), pen.plain(f"{words} ")) for key, words, _ in self._answers]
            yield Static(as_text(lines))

    def on_key(self, event: Key) -> None:
        """Close with the answer of the key."""
        for key, _, meaning in self._answers:
            if event.character == key:
                event.stop()
                self.dismiss(meaning)


class Typed(Overlay):
    """A line in which people type a text."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss('')", "close")]

    def __init__(self, title: str, hint: str) -> None:
        super().__init__()
        self._title = title
        self._hint = hint

    def compose(self) -> ComposeResult:
        """Yield a line to type in."""
        with Vertical(id="box") as box:
            box.border_title = self._title
            box.styles.width = 44
            yield Input(placeholder=self._hint)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Close with the typed text."""
        self.dismiss(event.value)


class Cover(ModalScreen[str]):
    """A screen that hides hands, so that the next person does not see the hand of the one before."""

    DEFAULT_CSS = """
    Cover { background: $background; }
    Cover > Pane { height: 100%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "dismiss('show')", "show my hand"),
        Binding("u", "dismiss('undo')", "take back"),
        Binding("q,ctrl+c", "dismiss('quit')", "quit"),
    ]

    def __init__(self, lines: Sequence[Text]) -> None:
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        """Yield one pane that covers everything."""
        yield Pane("cover")

    def on_resize(self, _: Resize) -> None:
        """Draw the cover for the new size."""
        size = self.app.size
        self.query_one("#cover", Pane).show(centred(self._lines, size.width, size.height))

    def on_click(self) -> None:
        """Show the hand, as the key Enter does."""
        self.dismiss("show")


class Sheets(Overlay):
    """Score sheets with a line for each rule. Opening a line shows the reasons for the points."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "by(-1)", show=False),
        Binding("down,j", "by(1)", show=False),
        Binding("space", "open", show=False),
        Binding("w", "open_all", show=False),
        Binding("left,pageup", "turn(-1)", show=False),
        Binding("right,pagedown", "turn(1)", show=False),
        Binding("enter,c,escape,s", "dismiss('')", "continue"),
        Binding("r", "dismiss('review')", show=False),
        Binding("n", "dismiss('again')", show=False),
        Binding("m", "dismiss('same')", show=False),
        Binding("q", "dismiss('quit')", show=False),
    ]

    def __init__(self, view: SheetView, ends: str, *, counts: bool = False) -> None:
        """Show score sheets. With `counts`, the newest shows rule after rule, until a key shows the rest."""
        super().__init__()
        self._view = view
        self._ends = ends
        view.counted = 0 if counts else None

    def compose(self) -> ComposeResult:
        with VerticalScroll(id="box", can_focus=False):
            yield Static(id="text")

    def on_mount(self) -> None:
        """Show the newest sheet, and start the timer that shows its rules one by one."""
        self._fill()
        if self._view.counted is not None:
            self._counting = self.set_interval(_PER_RULE, self.count)

    def count(self) -> None:
        """Show the points of one more rule."""
        if not self._view.count():
            self._counting.stop()
        self._fill()

    def on_key(self, event: Key) -> None:
        """Show all rules at once, if some are not shown yet."""
        if self._view.counted is not None:
            event.stop()
            self._view.counted = None
            self._fill()

    def on_resize(self, _: Resize) -> None:
        self._fill()

    def _fill(self) -> None:
        columns = min(_WIDEST, self.app.size.width - _MARGIN)
        box = self.query_one("#box", VerticalScroll)
        lines, position = self._view.lines(columns)
        self.query_one("#text", Static).update(as_text(lines))
        box.border_title = self._view.title
        box.border_subtitle = self._view.key_line(self._ends)
        box.styles.min_width = min(self.app.size.width - 4, cell_len(box.border_subtitle) + 6)
        visible = self.app.size.height - 4
        box.scroll_to(y=max(0, position - visible + 3), animate=False)

    def action_by(self, rows: int) -> None:
        """Move the selection down by `rows` rules, and draw it."""
        self._view.by(rows)
        self._fill()

    def action_open(self) -> None:
        """Show or hide the reasons for the selected rule."""
        self._view.toggle()
        self._fill()

    def action_open_all(self) -> None:
        """Show or hide the reasons for all rules."""
        self._view.toggle_all()
        self._fill()

    def action_turn(self, pages: int) -> None:
        """Show another sheet: `pages` forward, or back if the number is negative."""
        self._view.turn(pages)
        self._fill()
