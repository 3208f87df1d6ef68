"""YAML lists and mappings that are still being read."""

from __future__ import annotations

from msgspec import Struct, field

from draftengine.model.yaml.tree import Entry, Key, Mapping, Node, Sequence
from draftengine.support.source import Source, Span


class OpenNode(Struct):
    """A list or mapping whose end has not been read; `is_key` if it was reported as standing for a key."""

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
        """Add a value, or something in the place of a key that has been reported."""
        if self.key is None:
            self.key = Key("", node.span)
        else:
            if self.keys.get(self.key.text, self.key) is self.key:  # of duplicate keys the first counts
                self.entries.append(Entry(self.key, node))
            self.key = None

    def node(self, source: Source, end: int) -> Node:
        if self.has_bracket or not self.entries:
            return Mapping(tuple(self.entries), Span(source, self.start, end))
        span = Span(source, self.entries[0].key.span.start, self.entries[-1].value.span.end)
        return Mapping(tuple(self.entries), span)
