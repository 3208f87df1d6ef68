"""Selections of variants, readings and parameters, and the paths of numbers that they can replace.

The path of a number consists of keys and list indices from 0: ``scoring.soup.points``, ``scoring.salad.most.0``. For a
step with an id, the path begins with that id: ``steps.hand_on.deal.cards``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.loading.steps import FLOW
from draftengine.model.yaml.tree import Entry, Mapping, Node, Scalar, Sequence, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Mapping as MappingOf

_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")


class Selection(Struct, frozen=True):
    """The selected variants, options of readings and values of parameters."""

    variants: tuple[str, ...] = ()
    readings: tuple[tuple[str, str], ...] = ()
    parameters: tuple[tuple[str, int], ...] = ()
    """The values of parameters and of other numbers, whose names are their paths (see `numbers_of`)."""


NOTHING_SELECTED = Selection()


def parse_selection(texts: Iterable[str]) -> Selection:
    """Return the selection for texts such as ``NAME``, ``NAME:parameter=3`` and ``READING=option``.

    Parameters (``parameter=3``) and other numbers (``cards.soup.count=3``) are allowed, too. One text may have several
    names, separated by commas. If two texts contradict each other, the last one counts. Raises `ValueError` for any
    other text.
    """
    variants: dict[str, None] = {}
    readings: dict[str, str] = {}
    parameters: dict[str, int] = {}
    for text in texts:
        name, colon, rest = (part.strip() for part in text.partition(":"))
        if colon:
            variants[_named(name, text)] = None
        elif "=" not in name:
            variants |= dict.fromkeys(_named(part.strip(), text) for part in name.split(","))
        for setting in rest.split(",") if colon else [name] if "=" in name else []:
            key, value = (_named(part.strip(), text) for part in setting.partition("=")[::2])
            if _NUMBER.fullmatch(value):
                parameters[key] = int(value)
            elif colon:
                raise ValueError(f"“{value}” in “{text}” is not a whole number.")
            else:
                readings[key] = value
    return Selection(tuple(variants), tuple(readings.items()), tuple(parameters.items()))


def _named(part: str, text: str) -> str:
    """Return `part`, which is a name in the text of a selection. Raises `ValueError` if it is empty."""
    if not part:
        raise ValueError(f"“{text}” is not of the form NAME, NAME:PARAMETER=NUMBER or NAME=VALUE.")
    return part


_NO_RULES = frozenset(
    {"format", "version", "about", "assumed", "examples", "families", "parameters", "readings", "sources", "title"}
    | {"lists", "tokens", "values", "variants"}
)
"""Sections whose numbers cannot be replaced: they do not change the game, or are selected differently."""
_PRINTED = frozenset({"label", "text", "title", "icon", "source", "assumed"})


class NumberPlace(Struct, frozen=True):
    """A scalar value in a tree, and its path."""

    path: tuple[str | int, ...]
    """The keys and list indices that lead to the value."""
    node: Scalar


def numbers_of(root: Mapping) -> dict[str, int]:
    """Return every integer in the rules by its path, in the order of the tree."""
    return {path: place.node.value for path, place in places_of(root).items() if _is_number(place.node)}  # type: ignore[misc]


def values_of(root: Mapping) -> dict[str, str | int | bool | None]:
    """Return every scalar value in the rules by its path, in the order of the tree."""
    return {path: place.node.value for path, place in places_of(root).items()}


def places_of(root: Mapping) -> MappingOf[str, NumberPlace]:
    """Return the node and path of every scalar value in the rules, by its path as text."""
    places: dict[str, NumberPlace] = {}
    for entry in root.entries:
        name = entry.key.text
        if name not in _NO_RULES:
            for words, place in _below(entry.value, (name,), (name,), steps=name in FLOW):
                places.setdefault(".".join(words), place)
    return places


def with_number(root: Mapping, path: str, number: Scalar) -> Mapping:
    """Return the tree with `number` at a path; the same tree if there is no number at this path."""
    place = places_of(root).get(path)
    return root if place is None or not _is_number(place.node) else with_node(root, place.path, number)


def with_node(root: Mapping, path: tuple[str | int, ...], node: Node) -> Mapping:
    """Return the tree with `node` at a path. There must be a node at this path."""
    changed = _with_node(root, path, node)
    assert isinstance(changed, Mapping), "the root is never put elsewhere"
    return changed


def _with_node(root: Node, path: tuple[str | int, ...], node: Node) -> Node:
    if not path:
        return node
    first, rest = path[0], path[1:]
    if isinstance(root, Sequence):
        items = (_with_node(item, rest, node) if index == first else item for index, item in enumerate(root.items))
        return Sequence(tuple(items), root.span)
    assert isinstance(root, Mapping), "a path goes through lists and mappings"
    entries = (
        Entry(entry.key, _with_node(entry.value, rest, node)) if entry.key.text == first else entry
        for entry in root.entries
    )
    return Mapping(tuple(entries), root.span)


def _is_number(node: Scalar) -> bool:
    return isinstance(node.value, int) and not isinstance(node.value, bool)


def _below(
    node: Node, words: tuple[str, ...], path: tuple[str | int, ...], *, steps: bool
) -> Iterator[tuple[tuple[str, ...], NumberPlace]]:
    if isinstance(node, Scalar):
        yield words, NumberPlace(path, node)
    elif isinstance(node, Sequence):
        for index, item in enumerate(node.items):
            name = item.get("id") if steps and isinstance(item, Mapping) else None
            named = isinstance(name, Scalar) and isinstance(name.value, str)
            inner = ("steps", str(plain(name))) if name and named else (*words, str(index))
            yield from _below(item, inner, (*path, index), steps=steps)
    else:
        for entry in node.entries:
            key = entry.key.text
            if key not in _PRINTED:
                yield from _below(entry.value, (*words, key), (*path, key), steps=steps)
