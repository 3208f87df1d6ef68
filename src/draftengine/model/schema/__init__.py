"""The JSON Schema of card-set files, for completion in editors and for `validate`.

Everything has two shapes: that of a game (``card``), and that of a change to one (``card_change``), in which nothing is
required and ``null`` removes. The second is made from the first.
"""

from draftengine.model.records.schema_fragments import PATTERNS
from draftengine.model.schema.document import file_schema, part_file, schema
from draftengine.model.schema.examples import example_keys, position_keys
from draftengine.model.schema.game import REQUIRED

__all__ = [
    "PATTERNS",
    "REQUIRED",
    "example_keys",
    "file_schema",
    "part_file",
    "position_keys",
    "schema",
]
