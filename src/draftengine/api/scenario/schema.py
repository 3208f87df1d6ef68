"""JSON Schemas of files beside card sets: scenario files and tables to score."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from draftengine.model.schema import example_keys, file_schema, position_keys

if TYPE_CHECKING:
    Schema = dict[str, Any]

_BASE = "https://draftengine.dev/schema/"
_SELECTION = ("players", "variants", "menu", "set")


def scenario_file() -> Schema:
    """Return the schema of a scenario file: a card set, common keys, and the scenarios."""
    example = {"$ref": "#/$defs/example"}
    keys = example_keys()
    common = {key: keys[key] for key in _SELECTION}
    named = {"type": "string", "minLength": 1, "maxLength": 200}
    keys = {
        "cardset": {**named, "title": "Card set", "description": "Its id, or a file beside this one."},
        **common,
        "tests": {"type": "array", "items": example, "maxItems": 10_000, "title": "Tests", "description": "Scenarios."},
    }
    description = "Positions, moves and what must come of them, for draftengine test."
    return file_schema(f"{_BASE}scenarios-1.json", "Scenarios", description, keys, ("cardset", "tests"))


def score_sheet() -> Schema:
    """Return the schema of tables of real players to be scored, once or round by round."""
    keys, positions = example_keys(), position_keys()
    names = {"type": "string", "maxLength": 40}
    lying = {key: positions[key] for key in ("tables", "markers", "counters")}
    points = {**positions["scores"], "title": "Points", "description": "Points that no table shows, by seat."}
    number = {**points["items"], "type": ["integer", "null"]}
    worth = "What all chips of each seat are worth so far; null where that is not known."
    chips = {**points, "items": number, "title": "Chips", "description": worth, "examples": [[9, 4]]}
    a_round = {
        "type": "object",
        "properties": {**lying, "points": points, "chips": chips},
        "required": ["tables"],
        "additionalProperties": False,
    }
    properties = {
        "names": {"type": "array", "items": names, "maxItems": 99, "title": "Names", "description": "Of the players."},
        **{key: keys[key] for key in (*_SELECTION, "round")},
        **lying,
        "scores": positions["scores"],
        "chips": chips,
        "rounds": {
            "type": "array",
            "items": a_round,
            "minItems": 1,
            "maxItems": 20,
            "title": "Rounds",
            "description": "The whole game, in place of tables: what lies before each seat at the end of each round. "
            "What stays from round to round is named once.",
            "examples": [[{"tables": [["soup"], ["bread"]]}]],
        },
    }
    description = "What lies in front of the players, for draftengine score."
    shape = file_schema(f"{_BASE}tables-1.json", "Tables", description, properties, ())
    return {**shape, "if": {"required": ["rounds"]}, "else": {"required": ["tables"]}}
