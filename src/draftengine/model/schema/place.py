"""A complaint of the schema: where it stands, and what is found there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.model.diagnostics.diagnostic import Diagnostic
from draftengine.model.loading.overlay import inside_overlay, pointer
from draftengine.model.yaml.tree import Entry, Mapping, Node, Sequence

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

    from draftengine.support.source import Span

_LINE = 60
_HUGE = 10**12
"""A longer text and a larger number are not shown in a sentence."""


class Problem(Struct, frozen=True):
    """A finding with what decides whether another one makes it superfluous."""

    diagnostic: Diagnostic
    keyword: str
    where: tuple[str | int, ...]
    key: str = ""
    """The key that is missing, or the one that another key may have meant."""
    takes: tuple[Entry, ...] = ()
    """What stands beside an entry that is empty, and could belong below it."""


class Place(Struct, frozen=True):
    """A complaint of the schema and the node that it is about."""

    error: ValidationError
    path: tuple[str | int, ...]
    node: Node
    entry: Entry | None
    """The entry whose value the node is; ``None`` for the root and in lists."""
    beside: Mapping | None = None
    """What that entry stands in."""
    around: Sequence | None = None
    """The list of which the node is an entry."""
    in_changes: bool = False
    """Whether it stands in what changes a game, where null takes something away."""

    @classmethod
    def of(cls, root: Mapping, error: ValidationError) -> Place:
        node: Node = root
        entry: Entry | None = None
        beside: Mapping | None = None
        around: Sequence | None = None
        path = tuple(error.absolute_path)
        for part in path:
            if isinstance(node, Mapping):
                entry, beside, around = node.entry(str(part)), node, None
                node = entry.value if entry else node
            elif isinstance(node, Sequence):
                entry, beside, around, node = None, None, node, node.items[int(part)]
        names = tuple(map(str, path))
        in_changes = root.get("extends") is not None or inside_overlay(names)
        return cls(error, path, node, entry, beside, around, in_changes)

    @property
    def value(self) -> Any:
        return self.error.instance

    @property
    def shown(self) -> str:
        """The value in a sentence."""
        value = self.value
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str):
            return f"“{value}”" if len(value) <= _LINE else "a long text"
        if isinstance(value, int):
            return str(value) if abs(value) < _HUGE else "a huge number"
        return "a list" if isinstance(value, list) else "a mapping"

    @property
    def asked(self) -> Any:
        """What the schema's keyword asks for."""
        return self.error.validator_value

    @property
    def schema(self) -> Any:
        """The part of the schema that complains."""
        return self.error.schema

    @property
    def is_key(self) -> bool:
        """Whether the complaint is about a key of the node, not about its value."""
        return "propertyNames" in self.error.absolute_schema_path

    @property
    def name(self) -> str:
        """How the node is called in a sentence."""
        if not self.path:
            return "the file"
        if isinstance(self.path[-1], str):
            return f"“{self.path[-1]}”"
        owner = next((part for part in reversed(self.path) if isinstance(part, str)), "")
        return f"entry {self.path[-1] + 1} of “{owner}”"

    @property
    def head(self) -> Span:
        """Where a mapping is introduced: its key, or its first key in a list."""
        if self.entry is not None:
            return self.entry.key.span
        if isinstance(self.node, Mapping) and self.node.entries:
            return self.node.entries[0].key.span
        return self.node.span

    def key_span(self, name: str) -> Span:
        entry = self.node.entry(name) if isinstance(self.node, Mapping) else None
        return entry.key.span if entry else self.node.span

    def problem(self, code: str, message: str, hint: str = "", **more: Any) -> Problem:
        """A problem with the node, or with one key in it (`at`)."""
        key, span = more.pop("at", None), more.pop("span", None)
        path = (*self.path, key) if key is not None else self.path
        place = span or (self.key_span(key) if key is not None else self.node.span)
        related = more.pop("related", ())
        text = message[:1].upper() + message[1:]
        fix, missing = more.pop("fix", None), more.pop("missing", ())
        names = tuple(part for part in (*self.path[-1:], key, *missing, more.get("key")) if isinstance(part, str))
        where = pointer(tuple(map(str, path)))
        finding = Diagnostic(code, "error", text, place, where, hint, related, fix, missing, names)
        return Problem(finding, str(self.error.validator), self.path, **more)
