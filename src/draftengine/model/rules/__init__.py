"""Rule kinds, which are the ways to score, and the table `RULE_KINDS` that lists them by name.

To add a kind, write its class in a module here, an entry in `RULE_KINDS`, a case file under ``tests/rules``, and the
patterns of its sentences in `draftengine.support.locale`.
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
    from collections.abc import Container, Iterable, Mapping

    from draftengine.model.rules.kind import OneSeatKind, RankedKind

    RuleKind = type[OneSeatKind[Any] | RankedKind[Any]]

__all__ = [
    "COMMON_KEYS",
    "FORMULA",
    "KIND_KEYS",
    "RULE_KINDS",
    "kind_choices",
    "kind_named",
    "no_kind",
    "schema_definitions",
]

RULE_KINDS: Mapping[str, RuleKind] = MappingProxyType(
    {kind.name: kind for kind in (Each, Set, Table, Collection, Runs, Majority, Formula)}
)
"""All rule kinds by name, in the order in which the documentation describes them."""

FORMULA = Formula.name
"""The name of the kind of a rule that names no kind."""

KIND_KEYS = tuple(name for name in RULE_KINDS if name != FORMULA)
"""The keys that name the kind of a rule. The value of such a key says what the rule counts."""

COMMON_KEYS = ("at", "label", "text", "when", "source", "assumed")
"""The keys that a rule of any kind may have."""


def kind_named(rule: Container[str]) -> str:
    """Return the name of the kind of a rule with these keys; empty if none of them names a kind."""
    return next((key for key in KIND_KEYS if key in rule), "")


def likely_kind(rule: Mapping[str, object]) -> str:
    """Return the name of the first kind that can have all keys of a rule; if none can, of the first kind.

    A key accepts a list if one of its examples is a list, and a single value if one of its examples is a single value.
    """

    def may_have(kind: RuleKind, key: str, value: object) -> bool:
        if key in COMMON_KEYS:
            return True
        examples = kind.properties[key]["examples"] if key in kind.properties else ()
        return any(isinstance(value, list) == isinstance(example, list) for example in examples)

    fitting = (name for name in KIND_KEYS if all(may_have(RULE_KINDS[name], key, rule[key]) for key in rule))
    return next(fitting, KIND_KEYS[0])


def schema_definitions(common: Mapping[str, Any] = MappingProxyType({})) -> dict[str, Any]:
    """Return the JSON Schema of a rule, for ``$defs``: ``rule``, and ``rule_NAME`` for each kind.

    `common` describes the common keys. Each kind has its own ``if``/``then``. So validation reports the key that is
    wrong, instead of "matches none of the kinds".
    """
    kinds = {
        name: {
            "title": name.capitalize(),
            "description": f"{RULE_KINDS[name].title}. The value of the key is what is counted.",
            "examples": RULE_KINDS[name].properties[name]["examples"],
        }
        for name in KIND_KEYS
    }
    rule = {
        "title": "Scoring rule",
        "type": "object",
        "properties": {**kinds, **dict(common)},
        "allOf": [*kind_choices(""), {"if": no_kind(), "then": {"$ref": f"#/$defs/rule_{FORMULA}"}}],
    }
    definitions: dict[str, Any] = {"rule": rule}
    for kind in RULE_KINDS.values():
        definitions[f"rule_{kind.name}"] = schema = {
            "title": kind.title,
            "properties": {**dict.fromkeys(COMMON_KEYS, True), **deepcopy(dict(kind.properties))},
            "required": list(kind.required),
            "additionalProperties": False,
        }
        if kind.one_of:
            # If all of the keys are missing, only the first is reported, which is clearer than ``anyOf``.
            first, *others = kind.one_of
            schema["if"] = {"not": {"anyOf": [{"required": [key]} for key in others]}}
            schema["then"] = {"required": [first]}
    return definitions


def kind_choices(suffix: str) -> list[dict[str, Any]]:
    """Return a JSON Schema ``if``/``then`` for each kind: rules that name it must match its definition.

    `suffix` ends the name of the definition in ``$defs``. If a rule names several kinds, the first one counts, and the
    other names are unknown keys. A variant removes a key with ``null``, so a key with this value does not name a kind.
    """
    return [
        {"if": _names(name, KIND_KEYS[:index]), "then": {"$ref": f"#/$defs/rule_{name}{suffix}"}}
        for index, name in enumerate(KIND_KEYS)
    ]


def no_kind() -> dict[str, Any]:
    """Return the JSON Schema that only a rule without the name of a kind matches."""
    return {"not": {"anyOf": [_names(name, ()) for name in KIND_KEYS]}}


def _names(kind: str, not_: Iterable[str]) -> dict[str, Any]:
    null = {"type": "null"}
    return {"required": [kind], "properties": {**dict.fromkeys(not_, null), kind: {"not": null}}}
