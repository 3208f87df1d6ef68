"""The rule kinds: ways to score, one module each, and the table in which the program finds them.

A new kind costs one module, one row of `_MODULES` and one case file under ``tests/rules``.
"""

from __future__ import annotations

from copy import deepcopy
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from draftengine.model.rules import collection, each, formula, majority, runs, sets, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.model.rules.kind import RuleKind

__all__ = ["COMMON_KEYS", "RULE_KINDS", "schema_definitions"]

_MODULES = (each, sets, table, collection, runs, majority, formula)

RULE_KINDS: Mapping[str, RuleKind] = MappingProxyType({module.KIND.name: module.KIND for module in _MODULES})
"""Every rule kind by its name, in the order of the reference."""

COMMON_KEYS = ("kind", "at", "label", "text", "when", "source", "assumed")
"""The keys that every rule may have, whatever its kind."""


def schema_definitions(common: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """JSON Schema of a rule, for ``$defs``: ``rule``, and ``rule_NAME`` for each kind.

    `common` describes the common keys other than `kind`. The kind is an ``enum``, and each kind has its own
    ``if``/``then``: so a mistake is reported at the very key, not as "matches none of the kinds".
    """
    return {"rule": _rule(common), **{f"rule_{kind.name}": _rule_of(kind) for kind in RULE_KINDS.values()}}


def _rule(common: Mapping[str, Any]) -> dict[str, Any]:
    meanings = "; ".join(f"{kind.name}: {kind.title.lower()}" for kind in RULE_KINDS.values())
    kind = {"enum": list(RULE_KINDS), "title": "Kind of rule", "description": f"{meanings}."}
    return {
        "title": "Scoring rule",
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": kind, **dict(common)},
        "allOf": [
            {
                "if": {"properties": {"kind": {"const": name}}, "required": ["kind"]},
                "then": {"$ref": f"#/$defs/rule_{name}"},
            }
            for name in RULE_KINDS
        ],
    }


def _rule_of(kind: RuleKind) -> dict[str, Any]:
    schema = {
        "title": kind.title,
        "properties": {**dict.fromkeys(COMMON_KEYS, True), **deepcopy(dict(kind.properties))},
        "required": list(kind.required),
        "additionalProperties": False,
    }
    return schema | _asked_for(kind.one_of)


def _asked_for(keys: tuple[str, ...]) -> dict[str, Any]:
    """Ask for the first of `keys` if none of them is there (clearer than ``anyOf``)."""
    if not keys:
        return {}
    first, *others = keys
    return {"if": {"not": {"anyOf": [{"required": [key]} for key in others]}}, "then": {"required": [first]}}
