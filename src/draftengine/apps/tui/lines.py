"""Lines of text of an exact width, so that nothing shifts out of its column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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
        if gap and wide(line) + gap + wide(word) > columns:
            lines.append(line)
            line = Text(" " * indent, no_wrap=True, end="")
            gap = 0
        line.append(" " * gap)
        line.append_text(word)
    return [*lines, line]


def blank(columns: int = 0) -> Text:
    """Return a line of spaces."""
    return Text(" " * columns, no_wrap=True, end="")


def column(lines: Sequence[Text], columns: int, height: int) -> list[Text]:
    """Return lines in a box of an exact size, cut and padded to it."""
    rows = [fitted(line, columns) for line in lines[:height]]
    return [*rows, *[blank(columns)] * (height - len(rows))]
