"""Shapes of scores and events: effects, triggers, scoring rules, the winner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.records.schema_fragments import (
    CITED,
    LABEL,
    SOURCE,
    TEXT,
    described,
    formula,
    list_of,
    name,
    one_of,
    record,
    word,
)
from draftengine.model.rules import COMMON_KEYS, RULE_KINDS, schema_definitions
from draftengine.model.schema.changes import relaxed
from draftengine.model.verbs import LIST_VERBS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.model.records.schema_fragments import Schema


def list_step() -> Schema:
    """Return the shape of a step in a list that one seat carries out."""
    when = formula("When", "Only if this holds for the seat.", "soup > 1")
    keys = {"when": when, **{name: verb.schema() for name, verb in LIST_VERBS.items()}}
    return described(
        {**record(keys), **one_of(LIST_VERBS)}, "Step of a seat", "What one seat does, or what happens to it."
    )


def rule_shapes() -> dict[str, Schema]:
    """Return the shapes of scoring rules; each kind describes itself."""
    moment = name("At", "When it scores: the word of a score step.", "round", "game", default="round")
    when = formula("When", "It scores only if this holds.", "round == rounds")
    return schema_definitions({"at": moment, "label": LABEL, "text": TEXT, "when": when, **CITED})


def rule_change(rule: Schema) -> Schema:
    """Return the shape of a change to a rule: without a kind, the keys of every kind are allowed."""
    keys = {key: True for kind in RULE_KINDS.values() for key in (*COMMON_KEYS, *kind.properties)}
    change = relaxed(rule)
    unsaid = {"properties": keys, "additionalProperties": False}
    return {**change, "if": {"not": {"required": ["kind"]}}, "then": unsaid, "description": "A change to a rule."}


def kind_changes(shapes: Mapping[str, Schema]) -> dict[str, Schema]:
    """Return the shapes of changes that name the kind: ``null`` removes keys of another kind."""
    others = {"additionalProperties": {"type": "null"}, "maxProperties": 50}
    return {f"rule_{name}_change": {**relaxed(shapes[f"rule_{name}"]), **others} for name in RULE_KINDS}


def winner() -> Schema:
    """Return the shape of `winner`."""
    measures = {
        "most": formula("Most", "Who has most of this wins the tie.", "soup"),
        "fewest": formula("Fewest", "Who has fewest of this wins the tie.", "soup"),
        "holder": name("Holder", "Who holds this marker wins the tie.", "starter"),
    }
    breaker = {**record({**measures, "source": SOURCE}), **one_of(measures)}
    return described(
        record(
            {
                "order": word("Order", "Who wins: most or fewest points.", "most", "fewest", default="most"),
                "tie_breakers": described(
                    list_of(described(breaker, "Tie-breaker", "Compared among tied seats."), 20, 0),
                    "Tie-breakers",
                    "In order; seats that are still tied share the win.",
                    [{"most": "soup"}],
                ),
                **CITED,
            }
        ),
        "Winner",
        "Who wins.",
    )
