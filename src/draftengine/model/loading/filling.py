"""Replaces the letters of a `for` by their values, in names, formulas, numbers and texts."""

from __future__ import annotations

import re
from operator import is_

from msgspec.structs import replace

from draftengine.model.loading.letters import Row, number
from draftengine.model.yaml.tree import Entry, Key, Mapping, Node, Scalar, Sequence

TEXTS = frozenset({"label", "text", "title", "icon", "role", "call"})
"""Keys of printed texts.

In printed texts, a letter is replaced by the label of its value, and `{points}` stands for a number of a rule.
"""

_SLOT = re.compile(r"\{([a-z0-9_ +*/%()-]+)\}")
_NAME = re.compile(r"[a-z][a-z0-9_]*")


def filled(node: Node, row: Row, key: str = "", language: str = "") -> Node:
    """Return a node with its letters replaced by values or, in printed texts, by labels of the values.

    `key` is the key of the node, and `language` is the language of a printed text.
    """
    if isinstance(node, Mapping):
        changed = (
            Entry(
                Key(name_of(entry.key.text, row), entry.key.span),
                filled(entry.value, row, *((key, language or entry.key.text) if key in TEXTS else (entry.key.text,))),
            )
            for entry in node.entries
            if not is_lacking(entry.value, row)
        )
        made = tuple(changed)
        same = len(made) == len(node.entries) and all(
            one.value is other.value and one.key.text == other.key.text
            for one, other in zip(made, node.entries, strict=True)
        )
        return node if same else Mapping(made, node.span)
    if isinstance(node, Sequence):
        items = tuple(filled(item, row, key) for item in node.items)
        return node if all(map(is_, items, node.items)) else Sequence(items, node.span)
    if not isinstance(node.value, str) or "{" not in node.value:
        return node
    if key not in TEXTS:
        return _filled_value(node, row)
    text = _SLOT.sub(lambda slot: _said(slot, row, language), node.value)
    return node if text == node.value else Scalar(text, node.span)


def _filled_value(node: Scalar, row: Row) -> Node:
    whole = _SLOT.fullmatch(str(node.value))
    value = row.get(whole[1]) if whole else None
    if value is not None:
        return replace(value.node, span=node.span, text_at=None) if isinstance(value.node, Scalar) else value.node
    if whole and has_letter(whole[0], frozenset(row)):
        return Scalar(_calculated(whole[1], row), node.span)
    text = name_of(str(node.value), row)
    return node if text == node.value else Scalar(text, node.span)


def name_of(text: str, row: Row) -> str:
    """Return a name or formula in which each letter is replaced by its value."""
    return _SLOT.sub(lambda slot: _said(slot, row, None), text) if "{" in text else text


def _said(slot: re.Match[str], row: Row, language: str | None) -> str:
    """Return the text for a slot such as ``{n + 1}``, or the slot itself if it has no letter of the row."""
    value = row.get(slot[1])
    if value is not None:
        return value.text if language is None else value.said(language)
    return str(_calculated(slot[1], row)) if has_letter(slot[0], frozenset(row)) else slot[0]


def _calculated(text: str, row: Row) -> int:
    numbers = {letter: value.node.value for letter, value in row.items() if value and isinstance(value.node, Scalar)}
    return number(text, {letter: value for letter, value in numbers.items() if isinstance(value, int)})


def has_letter(text: str, letters: frozenset[str]) -> bool:
    """True if a text contains one of these letters in braces."""
    return "{" in text and any(not letters.isdisjoint(_NAME.findall(slot[1])) for slot in _SLOT.finditer(text))


def is_lacking(node: Node, row: Row) -> bool:
    """True if a node is just a letter, and the letter has no value in this row."""
    slot = _SLOT.fullmatch(node.value) if isinstance(node, Scalar) and isinstance(node.value, str) else None
    return slot is not None and slot[1] in row and row[slot[1]] is None
