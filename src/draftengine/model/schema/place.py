"""A schema error with the node of the file that is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.model.diagnostics import Diagnostic
from draftengine.model.loading.overlay import inside_overlay, pointer
from draftengine.model.yaml.tree import Entry, Mapping, Node, Sequence
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

    from draftengine.support.locale.phrases import Phrase, Text
    from draftengine.support.source import Span

_LINE = 60
_HUGE = 10**12
"""The size from which messages do not quote a number. Texts over `_LINE` are not quoted, either."""


class Problem(Struct, frozen=True):
    """A finding about a schema error, with details by which findings with the same cause are recognised."""

    diagnostic: Diagnostic
    keyword: str
    where: tuple[str | int, ...]
    key: str = ""
    """The missing key, or the key that the author may have meant by an unknown key."""
    takes: tuple[Entry, ...] = ()
    """For an empty entry: the next entries, which may have to be indented below it."""
    only_next: bool = False
    """True if only entries that follow the empty entry without a gap may belong below it."""


class Place(Struct, frozen=True):
    """A schema error and the node that is wrong."""

    error: ValidationError
    path: tuple[str | int, ...]
    node: Node
    entry: Entry | None
    """The entry whose value is the node; ``None`` for the root and for items of lists."""
    beside: Mapping | None = None
    """The mapping that contains the entry; ``None`` if there is no entry."""
    around: Sequence | None = None
    """The list that contains the node; ``None`` if the node is no item."""
    in_changes: bool = False
    """True if the node is in changes to a game, where ``null`` removes something."""
    counters: frozenset[str] = frozenset()
    """The counters that the file declares."""

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
        declared = root.get("counters")
        counters = {each.key.text for each in declared.entries} if isinstance(declared, Mapping) else ()
        return cls(error, path, node, entry, beside, around, in_changes, frozenset(counters))

    @property
    def value(self) -> Any:
        return self.error.instance

    @property
    def shown(self) -> Text:
        """The value of the node, as messages quote it."""
        value = self.value
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, str):
            return said("quoted", name=value) if len(value) <= _LINE else said("value.long-text")
        if isinstance(value, int):
            return str(value) if abs(value) < _HUGE else said("value.huge-number")
        return said("value.list" if isinstance(value, list) else "value.mapping")

    @property
    def asked(self) -> Any:
        """The value that the violated keyword has in the schema, such as the required type."""
        return self.error.validator_value

    @property
    def key(self) -> str:
        """The nearest key that contains the node; empty at the root."""
        return next((part for part in reversed(self.path) if isinstance(part, str)), "")

    @property
    def schema(self) -> Any:
        """The part of the schema that contains the violated keyword."""
        return self.error.schema

    @property
    def is_key(self) -> bool:
        """True if the error is about a key of the node, not about its value."""
        return "propertyNames" in self.error.absolute_schema_path

    @property
    def name(self) -> Phrase:
        """The name of the node for messages."""
        if not self.path:
            return said("place.file")
        if isinstance(self.path[-1], str):
            return said("quoted", name=self.path[-1])
        return said("place.entry", number=self.path[-1] + 1, name=self.key)

    @property
    def head(self) -> Span:
        """The span of the node's key or, for an item of a list, of the item's first key."""
        if self.entry is not None:
            return self.entry.key.span
        if isinstance(self.node, Mapping) and self.node.entries:
            return self.node.entries[0].key.span
        return self.node.span

    def key_span(self, name: str) -> Span:
        entry = self.node.entry(name) if isinstance(self.node, Mapping) else None
        return entry.key.span if entry else self.node.span

    def problem(self, code: str, message: Text, hint: Text = "", **more: Any) -> Problem:
        """Return a finding about the node or, if `at` is given, about this key in it."""
        key, span = more.pop("at", None), more.pop("span", None)
        path = (*self.path, key) if key is not None else self.path
        place = span or (self.key_span(key) if key is not None else self.node.span)
        related = more.pop("related", ())
        fix, missing = more.pop("fix", None), more.pop("missing", ())
        names = tuple(part for part in (*self.path[-1:], key, *missing, more.get("key")) if isinstance(part, str))
        where = pointer(tuple(map(str, path)))
        finding = Diagnostic(code, "error", message, place, where, hint, related, fix, missing, names)
        return Problem(finding, str(self.error.validator), self.path, **more)
