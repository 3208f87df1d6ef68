"""Lines of text of an exact width: everything has its column, so nothing pushes anything from its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def wide(text: Text | str) -> int:
    """The columns that a text takes."""
    return cell_len(text if isinstance(text, str) else text.plain)


def joined(*parts: Text) -> Text:
    """Texts one after the other."""
    line = Text(no_wrap=True, end="")
    for part in parts:
        line.append_text(part)
    return line


def separated(parts: Iterable[Text], between: Text) -> Text:
    """Texts with something between them."""
    line = Text(no_wrap=True, end="")
    for part in parts:
        if line.plain:
            line.append_text(between)
        line.append_text(part)
    return line


def cropped(text: Text, columns: int, ellipsis: str = "…") -> Text:
    """As much of a text as has room."""
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
    """A text in exactly so many columns."""
    result = cropped(text, columns).copy()
    result.append(" " * (columns - wide(result)))
    return result


def between(left: Text, right: Text, columns: int) -> Text:
    """A text at the left edge and one at the right; the left one gives way."""
    room = columns - wide(right)
    if room <= 0:
        return fitted(right, columns)
    return joined(fitted(left, room), right)


def wrapped(text: Text, columns: int, indent: int = 0) -> list[Text]:
    """A text in lines, broken between words; later ones indented."""
    begin = len(text.plain) - len(text.plain.lstrip(" "))
    lines, line = [], Text(" " * begin, no_wrap=True, end="")
    for word in text[begin:].split(" "):
        gap = 1 if line.plain.strip() else 0
        if gap and wide(line) + gap + wide(word) > columns:
            lines.append(line)
            line = Text(" " * indent, no_wrap=True, end="")
            gap = 0
        line.append(" " * gap)
        line.append_text(word)
    return [*lines, line]


def blank(columns: int = 0) -> Text:
    """A line with nothing in it."""
    return Text(" " * columns, no_wrap=True, end="")


def column(lines: Sequence[Text], columns: int, height: int) -> list[Text]:
    """Lines in a box of an exact size: those that have no room are left out."""
    rows = [fitted(line, columns) for line in lines[:height]]
    return [*rows, *[blank(columns)] * (height - len(rows))]
