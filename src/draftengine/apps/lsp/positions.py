"""Positions in the units of editors: lines and characters from 0, by default in units of UTF-16."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types

if TYPE_CHECKING:
    from draftengine.support.source import Source, Span

_WIDTH = {"utf-8": 1, "utf-16": 2}


def units(text: str, encoding: str) -> int:
    """Return the length of a text in the units of an encoding."""
    if encoding not in _WIDTH:
        return len(text)
    return len(text.encode("utf-8" if encoding == "utf-8" else "utf-16-le", "surrogatepass")) // _WIDTH[encoding]


def position(source: Source, offset: int, encoding: str) -> types.Position:
    """Return the position of an offset."""
    line, column = source.position(offset)
    return types.Position(line - 1, units(source.text[offset - column + 1 : offset], encoding))


def range_of(span: Span, encoding: str) -> types.Range:
    """Return the range of a span."""
    return types.Range(position(span.source, span.start, encoding), position(span.source, span.end, encoding))


def offset_of(source: Source, place: types.Position, encoding: str) -> int:
    """Return the offset of a position; beyond the end of a line, that end."""
    lines = source.text.split("\n")
    if place.line >= len(lines):
        return len(source.text)
    start = sum(len(line) + 1 for line in lines[: place.line])
    for index in range(len(lines[place.line])):
        if units(lines[place.line][:index], encoding) >= place.character:
            return start + index
    return start + len(lines[place.line])
