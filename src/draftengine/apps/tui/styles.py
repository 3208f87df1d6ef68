"""Colours and signs of the themes, and coloured texts cut or padded to an exact width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from rich.cells import cell_len
from rich.text import Text
from textual.theme import Theme

from draftengine.support.locale import spoken
from draftengine.support.locale.catalogue import in_print
from draftengine.support.text import breaks

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.apps.play.terminal_style import Style

SEAT_MARKS = "●■◆▲▼★♥♣✚"
"""Shapes of the seats, to distinguish them without colours."""
EDGES = ("─·", "╱╱", "∿∿", "┼─", "○─", "══", "∧∧", "+─")
"""Patterns of the top edge of a card's face, by family. They distinguish families without colours."""


class Palette(Struct, frozen=True):
    """The colours of a theme. Nothing is expressed by a colour alone."""

    surface: str
    background: str
    text: str
    muted: str
    accent: str
    good: str
    bad: str
    focus: str
    families: tuple[str, ...]


LIGHT = Palette(
    surface="#FFFDF8",
    background="#F3EFE6",
    text="#1D2126",
    muted="#656157",
    accent="#8F5B00",
    good="#0B6B4F",
    bad="#A3340C",
    focus="#0A58CA",
    families=("#393B63", "#961D0A", "#026B50", "#B071A5", "#C67607", "#008DF0", "#799155", "#672197"),
)
DARK = Palette(
    surface="#21262C",
    background="#14171B",
    text="#F0EBE0",
    muted="#A3A6A8",
    accent="#F2C14E",
    good="#6FD3AE",
    bad="#FF9D73",
    focus="#7DB3FF",
    families=("#6876A8", "#CD5120", "#0A9162", "#D49BB9", "#EFA027", "#50BBF5", "#A0B666", "#915DD8"),
)
PALETTES = {"table-dark": DARK, "table-light": LIGHT}


def themes() -> list[Theme]:
    return [
        Theme(
            name,
            primary=palette.focus,
            warning=palette.bad,
            error=palette.bad,
            success=palette.good,
            accent=palette.accent,
            foreground=palette.text,
            background=palette.background,
            surface=palette.surface,
            panel=palette.surface,
            dark=palette is DARK,
            text_alpha=1.0,
        )
        for name, palette in PALETTES.items()
    ]


class Pen(Struct, frozen=True):
    """Makes texts in the colours of a theme, in characters that the terminal of `style` can show."""

    palette: Palette
    style: Style
    language: str = "en"

    def say(self, key: str, /, **given: object) -> str:
        return spoken(self.language).phrase(key, **given)

    def text(self, words: str = "", style: str = "") -> Text:
        """Return a text with typographic signs, in a style that the library Rich defines."""
        return Text(in_print(words), style=style, no_wrap=True, end="")

    def plain(self, words: str) -> Text:
        return self.text(words, self.palette.text)

    def bold(self, words: str) -> Text:
        return self.text(words, f"bold {self.palette.text}")

    def muted(self, words: str) -> Text:
        return self.text(words, self.palette.muted)

    def accent(self, words: str) -> Text:
        return self.text(words, f"bold {self.palette.accent}")

    def good(self, words: str) -> Text:
        return self.text(words, self.palette.good)

    def bad(self, words: str) -> Text:
        return self.text(words, self.palette.bad)

    def focus(self, words: str) -> Text:
        return self.text(words, f"bold {self.palette.focus}")

    def points(self, amount: int) -> Text:
        """Return an amount with its sign, green or red by its sign."""
        words = f"{amount:+d}"
        return self.good(words) if amount > 0 else self.bad(words) if amount < 0 else self.muted(words)

    def mark(self, seat: int) -> str:
        return SEAT_MARKS[seat % len(SEAT_MARKS)]

    def family(self, family: int) -> str:
        return self.palette.families[family % len(self.palette.families)]

    def edge(self, family: int, columns: int) -> str:
        return (EDGES[family % len(EDGES)] * columns)[:columns]

    def lines(self, printed: list[str]) -> list[Text]:
        """Return lines printed by `draftengine.apps.terminal` as texts in the colours of the theme."""
        colours = {
            "0": self.palette.text, "1": f"bold {self.palette.text}", "2": self.palette.muted, "32": self.palette.good,
            "31": self.palette.bad, "36": f"bold {self.palette.accent}",
        }  # fmt: skip
        lines = []
        for text in printed:
            line, style = Text(no_wrap=True, end=""), self.palette.text
            for number, part in enumerate(text.split("\x1b[")):
                code, _, words = part.partition("m") if number else ("0", "", part)
                style = colours.get(code, style)
                line.append(in_print(words), style)
            lines.append(line)
        return lines


def wide(text: Text | str) -> int:
    """Return the width of a text in columns."""
    return cell_len(text if isinstance(text, str) else text.plain)


def joined(*parts: Text) -> Text:
    """Join texts into one line."""
    line = Text(no_wrap=True, end="")
    for part in parts:
        line.append_text(part)
    return line


def separated(parts: Iterable[Text], between: Text) -> Text:
    """Join texts with a separator."""
    line = Text(no_wrap=True, end="")
    for part in parts:
        if line.plain:
            line.append_text(between)
        line.append_text(part)
    return line


def cropped(text: Text, columns: int, ellipsis: str = "…") -> Text:
    """Cut a text to a width, with an ellipsis."""
    if wide(text) <= columns:
        return text
    if columns <= 0:
        return Text("", end="")
    result = text.copy()
    result.truncate(columns - cell_len(ellipsis), overflow="crop")
    result.rstrip()
    result.append(ellipsis)
    return result


def fitted(text: Text, columns: int) -> Text:
    """Cut or pad a text to exactly `columns`."""
    result = cropped(text, columns).copy()
    result.append(" " * (columns - wide(result)))
    return result


def between(left: Text, right: Text, columns: int) -> Text:
    """Return a line with a text at each edge; the left one is cut if both do not fit."""
    room = columns - wide(right)
    if room <= 0:
        return fitted(right, columns)
    return joined(fitted(left, room), right)


def wrapped(text: Text, columns: int, indent: int = 0) -> list[Text]:
    """Wrap a text between words, with later lines indented."""
    begin = len(text.plain) - len(text.plain.lstrip(" "))
    lines, line = [], Text(" " * begin, no_wrap=True, end="")
    for word in text[begin:].split(" "):
        gap = 1 if line.plain.strip() else 0
        for part in word.divide(breaks(word.plain)):
            if line.plain.strip() and wide(line) + gap + wide(part) > columns:
                lines.append(line)
                line = Text(" " * indent, no_wrap=True, end="")
                gap = 0
            line.append(" " * gap)
            line.append_text(part)
            gap = 0
    return [*lines, line]


def blank(columns: int = 0) -> Text:
    """Return a line of spaces."""
    return Text(" " * columns, no_wrap=True, end="")


def column(lines: Sequence[Text], columns: int, height: int) -> list[Text]:
    """Return lines cut and padded to `columns` columns and `height` lines."""
    rows = [fitted(line, columns) for line in lines[:height]]
    return [*rows, *[blank(columns)] * (height - len(rows))]
