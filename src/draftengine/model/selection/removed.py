"""Removals by an extending file, which the variants and readings of the game then need not repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.loading.overlay import inside_overlay, put
from draftengine.model.yaml.tree import Entry, Mapping, Scalar

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.model.loading.overlay import OverlayWrite, Path
    from draftengine.model.yaml.tree import Node


def without_removed(base: Mapping, writes: Iterable[OverlayWrite]) -> Mapping:
    """Return the extended card set without those removals in its variants and readings."""
    for path in [write.path for write in writes if write.removes and not inside_overlay(write.path)]:
        for variant in _names_at(base, ("variants",)):
            base = _with_less(base, ("variants", variant, "changes", *path))
        for reading in _names_at(base, ("readings",)):
            for option in _names_at(base, ("readings", reading, "options")):
                base = _with_less(base, ("readings", reading, "options", option, "changes", *path))
    return base


def _names_at(root: Mapping, path: Path) -> list[str]:
    node: Node | None = root
    for name in path:
        node = node.get(name) if isinstance(node, Mapping) else None
    return [entry.key.text for entry in node.entries] if isinstance(node, Mapping) else []


def _with_less(node: Mapping, path: Path) -> Mapping:
    """Return a tree without the ``null`` at a path, and without mappings that this leaves empty.

    The tree itself if there is no such ``null``.
    """
    entry = node.entry(path[0])
    if entry is None:
        return node
    if len(path) == 1:
        is_null = isinstance(entry.value, Scalar) and entry.value.value is None
        return _without(node, entry) if is_null else node
    inner = _with_less(entry.value, path[1:]) if isinstance(entry.value, Mapping) else entry.value
    if inner is entry.value:
        return node
    empty = isinstance(inner, Mapping) and not inner.entries and path[0] != "changes"
    return _without(node, entry) if empty else put(node, Entry(entry.key, inner))


def _without(node: Mapping, entry: Entry) -> Mapping:
    return Mapping(tuple(other for other in node.entries if other is not entry), node.span)
