"""Finds the steps in the tree of a card set, with their ids and verbs.

This module also expands `turn_order`. It names a marker whose holder begins in all `in_turn` steps without a marker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.records import TurnOrder
from draftengine.model.verbs import VERBS
from draftengine.model.yaml.tree import Entry, Key, Mapping, Node, Scalar, Sequence, below

if TYPE_CHECKING:
    from collections.abc import Iterator


FLOW = ("setup", "round", "finish")
"""The sections of a card set that hold the steps of the flow."""

STEP_KEYS = ("id", "who", "when", "else", "text", "source", "assumed")
"""The keys that a step may have in addition to its verb."""

INSIDE = (("do",), ("else",), ("repeat", "do"), ("in_turn", "do"))
"""The paths from a step to the lists of steps in it."""


def steps_in(root: Mapping) -> Iterator[Mapping]:
    """Yield all steps of the flow, each followed by the steps in it."""
    for section in FLOW:
        yield from _steps_of(root.get(section))


def _steps_of(steps: Node | None) -> Iterator[Mapping]:
    for step in steps.items if isinstance(steps, Sequence) else ():
        if isinstance(step, Mapping):
            yield step
            for inside in INSIDE:
                yield from _steps_of(below(step, inside))


def step_id(step: Mapping) -> str | None:
    """Return the id of a step, if it has one."""
    node = step.get("id")
    return node.value if isinstance(node, Scalar) and isinstance(node.value, str) else None


def verbs_in(root: Mapping) -> frozenset[str]:
    """Return the keys of all steps in a tree: their verbs and other keys."""
    return frozenset(entry.key.text for step in steps_in(root) for entry in step.entries)


def spelt_out(step: Mapping, patch: Mapping) -> Mapping:
    """Return a change to a step, with the verb added: ``{pass: {to: left}}`` for ``{to: left}``."""
    verb = next((entry for entry in step.entries if entry.key.text in VERBS), None)
    if verb is None or not isinstance(verb.value, Mapping):
        return patch
    whole = {*VERBS, *STEP_KEYS}
    short = tuple(entry for entry in patch.entries if entry.key.text not in whole)
    if not short:
        return patch
    full_entry = patch.entry(verb.key.text)
    entries = full_entry.value.entries if full_entry and isinstance(full_entry.value, Mapping) else ()
    rest = tuple(entry for entry in patch.entries if entry.key.text in whole and entry is not full_entry)
    key = Key(verb.key.text, short[0].key.span)
    return Mapping((*rest, Entry(key, Mapping((*entries, *short), patch.span))), patch.span)


def with_turn_order(root: Mapping) -> Mapping:
    """Return the tree of a game with the marker of `turn_order` as `from` in `in_turn` steps without it.

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
