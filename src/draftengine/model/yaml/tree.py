"""The tree of a document. Every key and every value has its position in the text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from draftengine.support.identity import by_identity
from draftengine.support.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Callable


class Scalar(Struct, frozen=True):
    """A string, a whole number, a truth value or null.

    `text_at` is the offset of the first character of the value, if the source contains the value as it is: plain, or
    quoted on one line without escapes. Otherwise, it is ``None``. Positions inside formulas are computed from it.
    """

    value: str | int | bool | None
    span: Span
    text_at: int | None = None


class Key(Struct, frozen=True):
    text: str
    span: Span


class Entry(Struct, frozen=True):
    key: Key
    value: Node


class Sequence(Struct, frozen=True):
    items: tuple[Node, ...]
    span: Span


class Mapping(Struct, frozen=True):
    entries: tuple[Entry, ...]
    span: Span

    def entry(self, name: str) -> Entry | None:
        """Return the entry with key `name`, or ``None``."""
        for entry in self.entries:
            if entry.key.text == name:
                return entry
        return None

    def get(self, name: str) -> Node | None:
        """Return the value under key `name`, or ``None``."""
        entry = self.entry(name)
        return entry.value if entry else None


Node = Scalar | Sequence | Mapping


def below(node: Node | None, path: tuple[str, ...]) -> Node | None:
    """Return the node at a path of keys; ``None`` if there is none."""
    for key in path:
        node = node.get(key) if isinstance(node, Mapping) else None
    return node


def entries_of(node: Node | None) -> tuple[Entry, ...]:
    """Return the entries of a mapping; empty if the node is not a mapping."""
    return node.entries if isinstance(node, Mapping) else ()


def put(base: Mapping, entry: Entry) -> Mapping:
    """Return `base` with `entry` in place of the entry with the same key, or at the end."""
    if base.entry(entry.key.text) is None:
        return Mapping((*base.entries, entry), base.span)
    return Mapping(tuple(entry if old.key.text == entry.key.text else old for old in base.entries), base.span)


def with_values(node: Mapping, entries: tuple[Entry, ...]) -> Mapping:
    """Return a mapping with these entries, or `node` itself if their values are the same objects."""
    same = all(one.value is other.value for one, other in zip(entries, node.entries, strict=True))
    return node if same else Mapping(entries, node.span)


def at_path(root: Mapping, path: tuple[str, ...], change: Callable[[Node, tuple[str, ...]], Node]) -> Mapping:
    """Return the tree with `change` applied to every node at `path`, where ``*`` stands for any key.

    Parts that do not change are the same objects.
    """

    def inside(node: Node, place: tuple[str, ...]) -> Node:
        if len(place) == len(path):
            return change(node, place)
        if not isinstance(node, Mapping):
            return node
        entries = tuple(
            Entry(entry.key, inside(entry.value, (*place, entry.key.text)))
            if path[len(place)] in {"*", entry.key.text}
            else entry
            for entry in node.entries
        )
        return with_values(node, entries)

    changed = inside(root, ())
    assert isinstance(changed, Mapping), "a path has at least one key"
    return changed


def plain(node: Node) -> Any:
    """Return the tree as plain dictionaries, lists and values."""
    if isinstance(node, Mapping):
        return {entry.key.text: plain(entry.value) for entry in node.entries}
    if isinstance(node, Sequence):
        return [plain(item) for item in node.items]
    return node.value


def plain_shared(root: Mapping) -> dict[str, Any]:
    """Return the tree as plain data, like `plain`, but convert the mappings in sections only once.

    The trees of a document share most of these mappings, so their plain data is shared, too.
    """
    data: dict[str, Any] = {}
    for section in root.entries:
        if isinstance(section.value, Mapping):
            parts = {entry.key.text: entry.value for entry in section.value.entries}
            data[section.key.text] = {
                name: _plain_once(node) if isinstance(node, Mapping) else plain(node) for name, node in parts.items()
            }
        else:
            data[section.key.text] = plain(section.value)
    return data


_plain_once = by_identity(1 << 12)(plain)


def named_at(node: Node, name: str) -> Span | None:
    """Return the first position where a name is a key or a value in the tree; ``None`` if there is none."""
    if not name:
        return None
    if isinstance(node, Scalar):
        return node.span if node.value == name else None
    if isinstance(node, Sequence):
        return next((span for item in node.items if (span := named_at(item, name))), None)
    for entry in node.entries:
        if entry.key.text == name:
            return entry.key.span
        if span := named_at(entry.value, name):
            return span
    return None


class OpenNode(Struct):
    """A list or mapping that has begun but not ended.

    `is_key` is true if it is a key of a mapping. This has been reported, because card sets may not have such keys.
    """

    start: int
    path: str
    flow: bool
    has_bracket: bool
    is_key: bool


class OpenSequence(OpenNode):
    items: list[Node] = field(default_factory=list)

    def inner_path(self) -> str:
        return f"{self.path}/{len(self.items)}"

    def add(self, node: Node) -> None:
        self.items.append(node)

    def node(self, source: Source, end: int) -> Node:
        last = self.items[-1].span.end if self.items else self.start
        return Sequence(tuple(self.items), Span(source, self.start, end if self.has_bracket else last))


class OpenMapping(OpenNode):
    entries: list[Entry] = field(default_factory=list)
    keys: dict[str, Key] = field(default_factory=dict)
    key: Key | None = None

    def inner_path(self) -> str:
        if not (self.key and self.key.text):
            return self.path
        return f"{self.path}/{self.key.text.replace('~', '~0').replace('/', '~1')}"

    def add(self, node: Node) -> None:
        """Add the value of the current key, or a node that is a key itself, which has been reported."""
        if self.key is None:
            self.key = Key("", node.span)
        else:
            if self.keys.get(self.key.text, self.key) is self.key:  # the first of duplicate keys counts
                self.entries.append(Entry(self.key, node))
            self.key = None

    def node(self, source: Source, end: int) -> Node:
        if self.has_bracket or not self.entries:
            return Mapping(tuple(self.entries), Span(source, self.start, end))
        span = Span(source, self.entries[0].key.span.start, self.entries[-1].value.span.end)
        return Mapping(tuple(self.entries), span)
