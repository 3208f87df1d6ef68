"""Resolved card sets as plain data, and the hash of their rules."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from draftengine.model.yaml.tree import Mapping, plain

_NAMED = frozenset(
    {"cards", "counters", "modifiers", "abilities", "zones", "extra_seats", "markers", "chips"}
    | {"parameters", "triggers", "scoring", "adds", "then", "add", "set"}
)
"""Keys of mappings with names as keys: their order counts."""

_PRINTED = frozenset({"label", "role", "call", "text", "title", "icon", "source", "assumed"})

_NOT_RULES = frozenset(
    {
        "tokens",
        "families",
        "values",
        "lists",
        "title",
        "version",
        "about",
        "assumed",
        "variants",
        "readings",
        "menus",
        "include",
        "sources",
        "examples",
    }
)


def document_json(root: Mapping) -> dict[str, Any]:
    """Return a resolved tree as plain data."""
    data: dict[str, Any] = plain(root)
    return data


def rules_hash(root: Mapping) -> str:
    """Return the SHA-256 of the rules of a resolved tree, independent of its texts and layout."""
    rules = {key: _rules(key, value) for key, value in plain(root).items() if key not in _NOT_RULES}
    text = json.dumps(rules, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _rules(key: str, value: Any) -> Any:
    """Return a value without printed texts.

    Mappings by name become lists of pairs, so that sorting keeps their order.
    """
    if isinstance(value, list):
        return [_rules("", item) for item in value]
    if not isinstance(value, dict):
        return value
    if key in _NAMED:
        return [[name, _rules("", item)] for name, item in value.items()]
    return {name: _rules(name, item) for name, item in value.items() if name not in _PRINTED}
