"""The JSON Schema of card-set files, for completion in editors and for `validate`.

A *shape* is the JSON Schema of one part, such as a card. Every part has a shape for games (``card``) and a shape for
changes to games (``card_change``), which is derived from it: no key is required, and ``null`` removes a key.
"""

from draftengine.model.records.schema_fragments import PATTERNS
from draftengine.model.schema.document import example_keys, file_schema, part_file, position_keys, schema
from draftengine.model.schema.game import REQUIRED

__all__ = ["PATTERNS", "REQUIRED", "example_keys", "file_schema", "part_file", "position_keys", "schema"]
