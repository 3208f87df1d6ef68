"""``draftengine schema``."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import Annotated

import typer


class Kind(StrEnum):
    CARDSET = "cardset"
    SCENARIOS = "scenarios"
    TABLES = "tables"
    GAME = "game"


def schema(
    kind: Annotated[Kind, typer.Argument(help="Of which kind of file.")] = Kind.CARDSET,
) -> None:
    """Print the JSON Schema of card sets, for editors.

    Also that of scenario files, of tables to score, and of records of games.

    \b
    Examples:
      draftengine schema > cardset.schema.json
      draftengine schema scenarios > scenarios.schema.json
    """
    import json

    from draftengine.api.replay import schema as game
    from draftengine.api.scenario.scenario import scenario_file, score_sheet
    from draftengine.model.schema import schema as cardset

    shape = {Kind.CARDSET: cardset, Kind.SCENARIOS: scenario_file, Kind.TABLES: score_sheet, Kind.GAME: game}[kind]
    sys.stdout.write(json.dumps(shape(), indent=2, ensure_ascii=False) + "\n")
