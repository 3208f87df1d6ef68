"""Parts of a text around a place: entries of mappings and items of lists."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.yaml.tree import Mapping, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.yaml.tree import Node


class Part(Struct, frozen=True):
    """An entry of a mapping or an item of a list."""

    start: int
    end: int
    key: str
    """Key of the entry, or index of the item."""
    value: Node
    parent: Node


def around(root: Mapping, offset: int) -> Iterator[Part]:
    """Yield the entries and items in which an offset lies, outermost first."""
    node: Node = root
    while (part := _part(node, offset)) is not None:
        yield part
        if offset < part.value.span.start:
            return
        node = part.value


def _part(node: Node, offset: int) -> Part | None:
    """Return the entry or item of a node in which an offset lies."""
    if isinstance(node, Mapping):
        for entry in node.entries:
            start, end = entry.key.span.start, max(entry.value.span.end, entry.key.span.end)
            if start <= offset < max(end, start + 1):
                return Part(start, end, entry.key.text, entry.value, node)
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            start, end = item.span.start, item.span.end
            if start <= offset < max(end, start + 1):
                return Part(start, end, str(index), item, node)
    return None


def size(node: Node) -> int:
    """Return the number of entries or items."""
    return len(node.entries if isinstance(node, Mapping) else node.items if isinstance(node, Sequence) else ())


def with_comma(text: str, part: Part) -> tuple[int, int]:
    """Return the range to delete with a part: it includes the comma after it, or its hyphen."""
    start, end = part.start, part.end
    behind = re.match(r"[ \n]*,", text[end:])
    if behind:
        return start, end + behind.end()
    line = text.rfind("\n", 0, start) + 1
    lead = re.fullmatch(r" *(- +)*", text[line:start])
    if lead and "-" in lead[0] and isinstance(part.parent, Sequence):
        start = line + lead[0].rindex("-")
    return start, end
