"""Shapes of changes, made from the shapes of the things that are changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from draftengine.model.records.schema_fragments import Schema

_STRICT = ("required", "minProperties", "oneOf", "default", "examples")
_KEEPS_SHAPE = ("changes", "reading_changes")


def relaxed(schema: Schema) -> Schema:
    """Return the shape of a change to something of shape `schema`: nothing is required, ``null`` removes.

    Lists replace, so their items keep their shape; ``append`` adds to one.
    """
    change = {key: value for key, value in schema.items() if key not in _STRICT}
    if "$ref" in change:
        change["$ref"] = _relaxed_ref(change["$ref"])
    if "type" in change:
        kinds = change["type"] if isinstance(change["type"], list) else [change["type"]]
        change["type"] = [*kinds, "null"]
    if "enum" in change:
        change["enum"] = [*change["enum"], None]
    if "properties" in change:
        change["properties"] = {key: _relaxed_any(value) for key, value in change["properties"].items()}
    if isinstance(change.get("additionalProperties"), dict):
        change["additionalProperties"] = relaxed(change["additionalProperties"])
    return _relaxed_branches(_with_append(change))


def _with_append(change: Schema) -> Schema:
    """Return a shape that also accepts ``append`` if it is that of a list."""
    if "array" not in change.get("type", ()) or "object" in change["type"] or "items" not in change:
        return change
    more = {"type": "array", "items": change["items"], "minItems": 1, "maxItems": change.get("maxItems", 100)}
    more |= {"title": "Append", "description": "What is added to the list, behind what stands there."}
    appendable = {"type": [*change["type"], "object"], "properties": {"append": more}, "additionalProperties": False}
    return change | appendable


def _relaxed_any(schema: Any) -> Any:
    return relaxed(schema) if isinstance(schema, dict) else schema


def _relaxed_ref(address: str) -> str:
    return address if address.rpartition("/")[2] in _KEEPS_SHAPE else f"{address}_change"


def _relaxed_branches(change: Schema) -> Schema:
    """Return `change`, edited in place: branches between shapes are relaxed.

    Branches that only require keys are removed.
    """
    if "allOf" in change:
        change["allOf"] = [{**branch, "then": relaxed(branch["then"])} for branch in change["allOf"]]
    if "required" in change.get("then", {}):
        del change["if"], change["then"]
    change.pop("else", None)
    return change
