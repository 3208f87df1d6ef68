"""The key `turn_order`: the marker whose holder begins, for all `in_turn` steps that name no marker."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.records import TurnOrder
from draftengine.model.loading.steps import FLOW
from draftengine.model.yaml.tree import Entry, Key, Mapping, Scalar, Sequence

if TYPE_CHECKING:
    from draftengine.model.yaml.tree import Node


def with_turn_order(root: Mapping) -> Mapping:
    """Return the tree of a game with `from` added to every `in_turn` without it.

    The tree is unchanged if `turn_order` is missing, or names a marker that does not exist.
    """
    marker, markers = root.get("turn_order"), root.get("markers")
    if not isinstance(marker, Scalar) or not isinstance(markers, Mapping) or markers.get(str(marker.value)) is None:
        return root
    entries = [
        Entry(entry.key, _steps(entry.value, marker)) if entry.key.text in FLOW else entry for entry in root.entries
    ]
    return Mapping(tuple(entries), root.span)


def turn_order_of(root: Mapping) -> TurnOrder | None:
    """Return the `turn_order` of a game; ``None`` if it has none."""
    marker = root.get("turn_order")
    return TurnOrder(str(marker.value), marker.span) if isinstance(marker, Scalar) else None


def _steps(node: Node, marker: Scalar) -> Node:
    if isinstance(node, Sequence):
        return Sequence(tuple(_steps(item, marker) for item in node.items), node.span)
    if not isinstance(node, Mapping):
        return node
    entries = []
    for entry in node.entries:
        value = _steps(entry.value, marker)
        if entry.key.text == "in_turn" and isinstance(value, Mapping) and value.get("from") is None:
            value = Mapping((*value.entries, Entry(Key("from", marker.span), marker)), value.span)
        entries.append(Entry(entry.key, value))
    return Mapping(tuple(entries), node.span)
