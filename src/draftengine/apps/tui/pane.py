"""Pane: lines drawn for its size, with places that can be clicked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from rich.segment import Segment
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text
    from textual.events import Click


class Place(Struct, frozen=True):
    """Clickable rectangle of a pane, in columns and lines from 0."""

    x: int
    y: int
    columns: int
    lines: int
    does: str
    """The action sent to the screen: a key, or a card and its number."""


class Pane(Widget):
    """Shows lines as they are."""

    DEFAULT_CSS = """
    Pane { width: 100%; height: 1; background: $background; color: $foreground; }
    """
    ALLOW_SELECT = False

    class Pressed(Message):
        """Click on a place."""

        def __init__(self, does: str) -> None:
            super().__init__()
            self.does = does

    def __init__(self, name: str) -> None:
        super().__init__(id=name)
        self.lines: Sequence[Text] = ()
        self.places: tuple[Place, ...] = ()

    def show(self, lines: Sequence[Text], places: Sequence[Place] = ()) -> None:
        """Show other lines; the height of the pane becomes their number."""
        self.lines, self.places = lines, tuple(places)
        self.display = bool(lines)
        if lines and self.styles.height is not None and self.styles.height.value != len(lines):
            self.styles.height = len(lines)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """Return a line; text without a colour gets that of the pane."""
        columns, style = self.size.width, self.rich_style
        if y >= len(self.lines):
            return Strip.blank(columns, style)
        segments = [
            Segment(segment.text, style + segment.style if segment.style else style)
            for segment in self.lines[y].render(self.app.console)
        ]
        return Strip(segments).adjust_cell_length(columns, style)

    def on_click(self, event: Click) -> None:
        """Post the action of the place that was clicked."""
        for place in self.places:
            if place.x <= event.x < place.x + place.columns and place.y <= event.y < place.y + place.lines:
                self.post_message(self.Pressed(place.does))
                event.stop()
                return
