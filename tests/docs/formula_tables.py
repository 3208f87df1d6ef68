"""Print the parse tables of formulas; good ones stay, as Lark numbers states differently each time."""

from __future__ import annotations

import json
import sys

from draftengine.model.language import lark_parser

kept = lark_parser._TABLES.read_bytes()
good = json.loads(kept)["of"] == lark_parser._origin()
sys.stdout.buffer.write(kept if good else lark_parser.make_tables())
