"""Shapes of steps: each step has one verb, and each verb describes itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.records.record import schema_of
from draftengine.model.records.schema_fragments import ASSUMED, described, one_of, record, ref
from draftengine.model.schema.changes import relaxed
from draftengine.model.verbs import FLOW_VERBS
from draftengine.model.verbs.verb import Step

if TYPE_CHECKING:
    from draftengine.model.records.schema_fragments import Schema


def step() -> Schema:
    """Return the shape of a step: one verb with its arguments."""
    common = schema_of(Step)["properties"]
    keys = {**common, "assumed": ASSUMED, **{name: verb.schema() for name, verb in FLOW_VERBS.items()}}
    return described(
        {**record(keys), **one_of(FLOW_VERBS)},
        "Step",
        "A step has exactly one verb, and optionally id, when and source.",
    )


def step_change(step: Schema) -> Schema:
    """Return the shape of a change to a step, which may omit the verb around its arguments."""
    short = {argument.key: True for verb in FLOW_VERBS.values() if not verb.bare for argument in verb.arguments()}
    change = relaxed(step)
    beside = {
        key: described(ref("steps"), key.capitalize(), f"Steps that are put {key} it.", [{"shuffle": "deck"}])
        for key in ("before", "after")
    }
    return {**change, "properties": {**change["properties"], **short, **beside}, "description": "A change to a step."}
