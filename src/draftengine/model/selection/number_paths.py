"""The whole numbers of a card set by path, so that any of them can be replaced.

``scoring.soup.points``, ``cards.soup.count`` and ``scoring.salad.most.0`` consist of keys and list indices from 0. A
step with an id is named by it, wherever it is: ``steps.hand_on.deal.cards``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.loading.overlay import FLOW
from draftengine.model.yaml.tree import Entry, Mapping, Node, Scalar, Sequence

if TYPE_CHECKING:
    from collections.abc import Iterator
    from collections.abc import Mapping as MappingOf

_NO_RULES = frozenset(
    {"format", "version", "about", "assumed", "examples", "families", "parameters", "readings", "sources", "title"}
    | {"lists", "tokens", "values", "variants"}
)
"""Keys whose numbers do not change the game, or are selected in another way."""
_PRINTED = frozenset({"label", "text", "title", "icon", "source", "assumed"})


class NumberPlace(Struct, frozen=True):
    """The place of a value in a tree."""

    path: tuple[str | int, ...]
    """Keys and list indices."""
    node: Scalar


def numbers_of(root: Mapping) -> dict[str, int]:
    """Return every whole number of the rules by its path, in the order of the tree."""
    return {path: place.node.value for path, place in places_of(root).items() if _is_number(place.node)}  # type: ignore[misc]


def values_of(root: Mapping) -> dict[str, str | int | bool | None]:
    """Return every scalar value of the rules by its path."""
    return {path: place.node.value for path, place in places_of(root).items()}


def places_of(root: Mapping) -> MappingOf[str, NumberPlace]:
    """Return the place of every scalar value of the rules, by its path."""
    places: dict[str, NumberPlace] = {}
    for entry in root.entries:
        name = entry.key.text
        if name not in _NO_RULES:
            for words, place in _below(entry.value, (name,), (name,), steps=name in FLOW):
                places.setdefault(".".join(words), place)
    return places


def with_number(root: Mapping, path: str, number: Scalar) -> Mapping:
    """Return the tree with another number at a path; unchanged if there is no number."""
    place = places_of(root).get(path)
    changed = root if place is None or not _is_number(place.node) else _put(root, place.path, number)
    assert isinstance(changed, Mapping), "the root is never put elsewhere"
    return changed


def _is_number(node: Scalar) -> bool:
    return isinstance(node.value, int) and not isinstance(node.value, bool)


def _below(
    node: Node, words: tuple[str, ...], path: tuple[str | int, ...], *, steps: bool
) -> Iterator[tuple[tuple[str, ...], NumberPlace]]:
    if isinstance(node, Scalar):
        yield words, NumberPlace(path, node)
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            step_id = _step_id(item) if steps else None
            inner = ("steps", step_id) if step_id is not None else (*words, str(index))
            yield from _below(item, inner, (*path, index), steps=steps)
    else:
        for entry in node.entries:
            name = entry.key.text
            if name not in _PRINTED:
                yield from _below(entry.value, (*words, name), (*path, name), steps=steps)


def _step_id(node: Node) -> str | None:
    step_id = node.get("id") if isinstance(node, Mapping) else None
    return step_id.value if isinstance(step_id, Scalar) and isinstance(step_id.value, str) else None


def _put(node: Node, path: tuple[str | int, ...], number: Scalar) -> Node:
    if not path:
        return number
    first, *rest = path
    if isinstance(node, Sequence):
        items = (_put(item, tuple(rest), number) if index == first else item for index, item in enumerate(node.items))
        return Sequence(tuple(items), node.span)
    assert isinstance(node, Mapping), "a path goes through lists and mappings"
    entries = (
        Entry(entry.key, _put(entry.value, tuple(rest), number)) if entry.key.text == first else entry
        for entry in node.entries
    )
    return Mapping(tuple(entries), node.span)
