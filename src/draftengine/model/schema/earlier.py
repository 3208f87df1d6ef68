"""The schema of format 1 as it was: files of that format are checked by it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from draftengine.model.schema.document import part_of

if TYPE_CHECKING:
    from draftengine.model.records.schema_fragments import Schema


@cache
def schema_1() -> Schema:
    """Return the JSON Schema of a card-set file of format 1; read only."""
    shape: Schema = json.loads(Path(__file__).with_name("format_1.json").read_text("utf-8"))
    return shape


def part_file_1() -> Schema:
    """Return the JSON Schema of an included file of format 1."""
    return part_of(schema_1())


OLD_SHAPES = frozenset({schema_1, part_file_1})
