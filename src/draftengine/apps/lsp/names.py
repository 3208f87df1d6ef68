"""Names in a card set: where each is declared, and all places that refer to it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.yaml.tree import Mapping, Node, Scalar, Sequence
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.yaml.tree import Entry

SHARED = ("cards", "counters", "parameters", "zones", "markers", "chips", "extra_seats")
"""Sections whose names must differ from each other, because formulas can use all of them."""

_OWN = {
    "scoring": "rule", "modifiers": "modifier", "abilities": "ability", "triggers": "trigger",
    "variants": "variant", "readings": "reading", "steps": "step", "sources": "statement", "lists": "list",
}  # fmt: skip
"""Sections whose names may equal names in other sections."""

_PRINTED = frozenset(
    {"label", "text", "title", "about", "assumed", "question", "reason", "icon", "name", "id", "version", "format"}
    | {"order", "tie", "seen_by", "per", "extends", "tokens", "returns_to", "opens"}
)
"""Keys whose values are not names of the card set."""

_AMOUNTS = frozenset({"adds", "then", "add", "set"})
_WORD = re.compile(r"[A-Za-z_]\w*")


class Name(Struct, frozen=True):
    """A name at one place.

    `space` is ``shared`` for names that formulas can use, else the kind of the name.
    """

    text: str
    space: str
    span: Span
    declares: str = ""
    """The section in which this place declares the name; empty if the place only refers to it."""


def names_in(root: Mapping, path: tuple[str, ...] = ()) -> Iterator[Name]:
    """Yield every name in a tree, in order; `path` leads to it."""
    for entry in root.entries:
        inner = (*path, entry.key.text)
        yield from _key(entry, plain_path(inner))
        yield from _value(entry.value, inner)


def declared(root: Mapping) -> dict[tuple[str, str], Name]:
    """Return the first declaration of each name in a merged tree, by space and text."""
    names: dict[tuple[str, str], Name] = {}
    for name in names_in(root):
        if name.declares:
            names.setdefault((name.space, name.text), name)
    return names


def plain_path(path: tuple[str, ...]) -> tuple[str, ...]:
    """Return a path without the part that leads into the changes of a variant or reading."""
    if path[:1] == ("variants",) and path[2:3] == ("changes",):
        return path[3:]
    if path[:1] == ("readings",) and path[4:5] == ("changes",):
        return path[5:]
    return path


def _key(entry: Entry, path: tuple[str, ...]) -> Iterator[Name]:
    text, span = entry.key.text, entry.key.span
    parent = "".join(path[-2:-1])
    if path[:1] in {("examples",), ("tests",)}:
        if parent == "points":
            yield Name(text, "rule", span)
        elif parent in {"counters", "markers", "zones"} or (parent.isdecimal() and "tables" in path[:-1]):
            yield Name(text, "shared", span)
        return
    if len(path) == 2:  # noqa: PLR2004 (a section and a name)
        removed = isinstance(entry.value, Scalar) and entry.value.value is None
        section = "" if removed else path[0]
        if path[0] in SHARED:
            yield Name(text, "shared", span, section)
        elif path[0] in _OWN:
            yield Name(text, _OWN[path[0]], span, section if path[0] != "steps" else "")
    elif parent in _AMOUNTS or (parent == "give" and text not in {"marker", "to", "tie"}):
        yield Name(text, "shared", span, parent if parent == "adds" else "")


def _value(node: Node, path: tuple[str, ...]) -> Iterator[Name]:
    if isinstance(node, Mapping):
        yield from names_in(node, path)
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            yield from _value(item, (*path, str(index)))
    elif isinstance(node.value, str):
        yield from _scalar(node, path)


def _scalar(node: Scalar, path: tuple[str, ...]) -> Iterator[Name]:
    keys = [part for part in path if not part.isdecimal()]
    last = keys[-1] if keys else ""
    space, declares = "shared", ""
    if last == "id" and keys != ["id"]:
        space, declares = "step", "steps"
    elif last == "source":
        space = "statement"
    elif last in {"excludes", "requires", "builds_on", "variants"}:
        space = "variant"
    elif last in _PRINTED or (keys[:1] == ["sources"]):
        return
    elif last == "family":
        declares = "family"
    start = node.text_at
    if start is None:
        return
    source = node.span.source
    word = re.compile(r"[\w.-]+") if space in {"statement", "variant"} else _WORD
    for match in word.finditer(str(node.value)):
        yield Name(match[0], space, Span(source, start + match.start(), start + match.end()), declares)


def name_at(root: Mapping, offset: int) -> Name | None:
    """Return the name at an offset, if there is one."""
    return next((name for name in names_in(root) if name.span.start <= offset <= name.span.end), None)


def locate(root: Mapping, offset: int) -> tuple[tuple[str, ...], Node, bool]:
    """Return the path to the innermost key or value at an offset, the value, and True if the key was hit."""
    node: Node = root
    path: tuple[str, ...] = ()
    while True:
        if isinstance(node, Mapping):
            parts = [(entry.key.text, entry.key.span.start, entry.value, entry.key.span.end) for entry in node.entries]
        elif isinstance(node, Sequence):
            parts = [(str(index), item.span.start, item, -1) for index, item in enumerate(node.items)]
        else:
            return path, node, False
        matches = [part for part in parts if part[1] <= offset <= max(part[2].span.end, part[3])]
        if not matches:
            return path, node, False
        text, _, value, key_end = matches[-1]
        path = (*path, text)
        if offset <= key_end:
            return path, value, True
        node = value


def at_path(root: Mapping, path: tuple[str, ...]) -> tuple[Span | None, Node | None]:
    """Return the span of the key and the value at a path of a tree, each ``None`` if it is missing."""
    node: Node | None = root
    key: Span | None = None
    for part in path:
        if isinstance(node, Mapping):
            entry = node.entry(part)
            node, key = (entry.value, entry.key.span) if entry else (None, None)
        elif isinstance(node, Sequence) and part.isdecimal() and int(part) < len(node.items):
            node = node.items[int(part)]
            key = node.span
        else:
            return None, None
    return key, node
