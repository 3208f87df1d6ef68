"""The rule kinds: ways to score, one module each, and the table in which the program looks them up.

A new kind costs one module, one entry in `RULE_KINDS`, one case file under ``tests/rules``, and its patterns in
`draftengine.support.locale`.
"""

from __future__ import annotations

from copy import deepcopy
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from draftengine.model.rules.formula import Formula
from draftengine.model.rules.majority import Majority
from draftengine.model.rules.runs import Runs
from draftengine.model.rules.sets import Collection, Each, Set
from draftengine.model.rules.table import Table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.model.rules.kind import OneSeatKind, RankedKind

    RuleKind = type[OneSeatKind[Any] | RankedKind[Any]]

__all__ = ["COMMON_KEYS", "RULE_KINDS", "schema_definitions"]

RULE_KINDS: Mapping[str, RuleKind] = MappingProxyType(
    {kind.name: kind for kind in (Each, Set, Table, Collection, Runs, Majority, Formula)}
)
"""All rule kinds by name, in the order of the reference."""

COMMON_KEYS = ("kind", "at", "label", "text", "when", "source", "assumed")
"""The keys that a rule of any kind may have."""


def schema_definitions(common: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """Return the JSON Schema of a rule, for ``$defs``: ``rule``, and ``rule_NAME`` for each kind.

    `common` describes the common keys other than `kind`. The kind is an ``enum``, and each kind has its own
    ``if``/``then``: so a mistake is reported at the very key, not as "matches none of the kinds".
    """
    meanings = "; ".join(f"{kind.name}: {kind.title.lower()}" for kind in RULE_KINDS.values())
    kind_key = {"enum": list(RULE_KINDS), "title": "Kind of rule", "description": f"{meanings}."}
    choices = [
        {
            "if": {"properties": {"kind": {"const": name}}, "required": ["kind"]},
            "then": {"$ref": f"#/$defs/rule_{name}"},
        }
        for name in RULE_KINDS
    ]
    rule = {
        "title": "Scoring rule",
        "type": "object",
        "required": ["kind"],
        "properties": {"kind": kind_key, **dict(common)},
        "allOf": choices,
    }
    return {"rule": rule, **{f"rule_{kind.name}": _definition(kind) for kind in RULE_KINDS.values()}}


def _definition(kind: RuleKind) -> dict[str, Any]:
    """Return the JSON Schema of the keys of one kind.

    Where one of several keys is required, a missing one is reported as the first: clearer than ``anyOf``.
    """
    schema: dict[str, Any] = {
        "title": kind.title,
        "properties": {**dict.fromkeys(COMMON_KEYS, True), **deepcopy(dict(kind.properties))},
        "required": list(kind.required),
        "additionalProperties": False,
    }
    if kind.one_of:
        first, *others = kind.one_of
        schema["if"] = {"not": {"anyOf": [{"required": [key]} for key in others]}}
        schema["then"] = {"required": [first]}
    return schema
