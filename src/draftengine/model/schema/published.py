"""The schema of card sets for editors, which see files in which `for` has not been written out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from draftengine.model.records.schema_fragments import ref
from draftengine.model.schema.document import schema

if TYPE_CHECKING:
    from draftengine.model.records.schema_fragments import Schema

_NO_SCHEMAS = frozenset({"examples", "default", "required", "enum", "const"})
"""Keywords whose values are no schemas."""

FOR: Schema = {
    "title": "For",
    "description": "It is there once for each of these values, which stand in place of the letter in braces.",
    "type": ["object", "array", "string"],
    "examples": [{"n": "1-9"}],
}


def schema_text() -> str:
    """Return the schema as published in ``schemas/cardset.schema.json``."""
    shape = with_for(schema())
    shape["$defs"]["for"] = FOR
    return json.dumps(shape, indent=2, ensure_ascii=False) + "\n"


def with_for(part: Any) -> Any:
    """Return a part of a schema where mappings may have `for`, and names and numbers letters in braces."""
    if isinstance(part, list):
        return [with_for(item) for item in part]
    if not isinstance(part, dict):
        return part
    shape = {key: value if key in _NO_SCHEMAS else with_for(value) for key, value in part.items()}
    if part.get("additionalProperties") is False and isinstance(part.get("properties"), dict):
        shape["properties"] = {**shape["properties"], "for": ref("for")}
    if isinstance(part.get("pattern"), str):
        shape["pattern"] = f"({part['pattern']})|[{{]"
    elif part.get("type") == "integer":
        shape |= {"type": ["integer", "string"], "pattern": "[{]"}
    return shape
