"""The JSON Schema of card-set files, for completion in editors and for `validate`.

Everything has two shapes: one for games (``card``), and one for changes to games (``card_change``), in which no key is
required and ``null`` removes a key. The second is made from the first.
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
