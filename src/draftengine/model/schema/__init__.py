"""The JSON Schema of card-set files, for completion in editors and for `validate`.

A *shape* is the JSON Schema of one part, such as a card. Every part has a shape for games (``card``) and a shape for
changes to games (``card_change``), which is derived from it: no key is required, and ``null`` removes a key.

This module has the shapes of whole files, of variants and readings, and of worked examples.

Editors check files before `for` is expanded, so the published schema allows it. Files of format 1 are checked with the
schema of that format.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from draftengine.model import limits
from draftengine.model.cardset.choices import ReadingInfo, ReadingOption, VariantInfo
from draftengine.model.cardset.records import Trigger
from draftengine.model.records import definition_schema, schema_of
from draftengine.model.records.schema_fragments import (
    CITED,
    ID,
    MOVED,
    PLACE,
    PLAY,
    SOURCE,
    described,
    leaves,
    list_of,
    map_of,
    record,
    ref,
    string,
    whole,
)
from draftengine.model.schema.game import (
    about,
    components,
    kind_changes,
    kinds_of_file,
    relaxed,
    rule_change,
    rule_shapes,
    step,
    step_change,
    winner,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.records.schema_fragments import Schema

_MADE = 3 * limits.NAME
"""The largest length of a name that the program makes from other names, such as ``COUNTER_CARD``."""


def example() -> Schema:
    """Return the shape of a worked example."""
    cards = {**_pile(MOVED), "type": ["string", "array"], "pattern": MOVED}
    other = described(
        map_of(ID, cards, 20, 1), "For", "The cards that the seat chooses for extra seats.", {"dummy": "soup"}
    )
    both = record(
        {"cards": described(cards, "Cards", "The cards that the seat chooses.", "soup"), "for": other}, ["for"]
    )
    kinds = ["string", "array", "object", "null"]
    text = "A card, or several by an ability; null for a seat that has nothing to choose."
    move = described({**cards, **both, "type": kinds}, "Move", text, "soup")
    keys = {
        "name": described(string(longest=200), "Name", "The thing that the example shows."),
        "source": SOURCE,
        "players": described(whole(1, 99), "Players", "The number of players.", 4),
        "variants": described(
            list_of(string(longest=100), 50, 0),
            "Variants",
            "Variants and readings, written as on the command line.",
            ["other"],
        ),
        "menu": described(
            {**list_of(string(longest=100), 20), "type": ["string", "array"]},
            "Menu",
            "The name of a menu, or the variants in it.",
            "short",
        ),
        "set": described(map_of(ID, whole(), 50), "Set", "Values of parameters.", {"hand_size": 8}),
        "round": described(whole(1, 20), "Round", "The number of the round.", 1),
        "turn": described(whole(1, 20_000), "Turn", "The number of the turn in which play begins.", 3),
        "at": described(
            string(ID, limits.NAME),
            "At",
            "The id of the step at which play begins. Default: the first choice.",
            "trade",
        ),
        "to": described(
            string(ID, limits.NAME),
            "To",
            "The id of the step before which play ends. Default: the choice after the last move.",
            "pass_hands",
        ),
        **position_keys(),
        "moves": described(
            list_of(list_of(move, limits.PLAYERS), limits.STEP, 0),
            "Moves",
            "The choices of the seats, with one entry for each turn.",
            [["soup", "bread"]],
        ),
        "expect": _expect(),
    }
    return described(record(keys, ["name", "expect"]), "Example", "A position, and the result that it must lead to.")


def example_keys() -> dict[str, Schema]:
    """Return the keys of a worked example, each with the shape of its value."""
    keys: dict[str, Schema] = example()["properties"]
    return keys


def position_keys() -> dict[str, Schema]:
    """Return the keys that describe a state of a game in an example, each with the shape of its value."""
    return {
        "tables": _tables("Tables", "The cards in front of each seat, in the order of play or as numbers of copies."),
        "hands": _hands("Hands", "The hand of each seat."),
        "deck": described(_pile(), "Deck", "The top cards of the deck, top card first.", ["soup"]),
        "zones": described(map_of(ID, _contents(), 50, longest=_MADE), "Zones", "The cards in other zones."),
        "markers": _markers("The holder of each marker: a seat, or nobody."),
        "counters": _counters("The values of counters that do not follow from cards, by seat."),
        "scores": _points("Scores", "The points so far, by seat."),
    }


def _expect() -> Schema:
    keys = {
        "points": described(
            map_of(ID, _points("Points", "By seat."), limits.RULES, 1, _MADE),
            "Points",
            "The points of each rule, by seat.",
            {"soup": [6, 0]},
        ),
        "round": _points("Round", "The points of the round that is scored now, by seat."),
        "game": _points("Game", "The points at the end of the game, by seat."),
        "total": _points("Total", "The total points, by seat."),
        "winners": described(list_of(whole(0, 98), 99, 0), "Winners", "The seats that win.", [0]),
        "tables": _tables("Tables", "The cards in front of each seat afterwards."),
        "hands": _hands("Hands", "The hand of each seat afterwards."),
        "zones": described(map_of(ID, _contents(), 50, longest=_MADE), "Zones", "The cards in other zones afterwards."),
        "legal": described({"type": "boolean"}, "Legal", "false: the last move is refused."),
        "markers": _markers("The holder of each marker afterwards."),
        "counters": _counters("The values of counters afterwards, by seat."),
    }
    return described({**record(keys), "minProperties": 1}, "Expect", "The expected result.", {"total": [12, 9]})


def _counters(description: str) -> Schema:
    values: Schema = {"type": ["integer", "array"], "items": whole(), "minItems": 2, "maxItems": 2}
    text = "By seat; of a counter of the table there is one. Of a track, number and order of arrival."
    by_seat = described(list_of(values, limits.PLAYERS), "Counter", text)
    return described(map_of(ID, by_seat, limits.COUNTERS, longest=_MADE), "Counters", description, {"die": [1, 6]})


def _pile(named: str = PLAY) -> Schema:
    return list_of(string(named, _MADE), 500, 0)


def _tables(title: str, description: str) -> Schema:
    counts = map_of(PLAY, whole(0, limits.COPIES), limits.CARDS)
    table = {**counts, **_pile(), "type": ["array", "object"]}
    return described(list_of(table, 99), title, description, [["soup"], {"bread": 2}])


def _hands(title: str, description: str) -> Schema:
    return described(list_of(_pile(), 99), title, description, [["soup"], ["bread"]])


def _contents() -> Schema:
    """Return the shape of the cards in a zone: a list, a list for each seat, or a mapping by place."""
    card = {**_pile(), "type": ["string", "array"], "pattern": PLAY}
    by_place = map_of(PLACE, string(PLAY, _MADE), 200)
    return {**by_place, **list_of(card, 500, 0), "type": ["array", "object"]}


def _markers(description: str) -> Schema:
    seat: Schema = {"type": ["integer", "string"], "minimum": 0, "maximum": 98, "if": {"type": "string"}}
    return described(map_of(ID, {**seat, "then": {"enum": ["nobody"]}}, 50), "Markers", description, {"trophy": 0})


def _points(title: str, description: str) -> Schema:
    return described(list_of(whole(), 99), title, description, [12, 9])


def variant() -> Schema:
    """Return the shape of a variant."""
    shape = schema_of(VariantInfo)
    del shape["properties"]["source"]  # it comes last, with `assumed`
    shape["properties"] |= {"changes": described(ref("changes"), "Changes", "The changes to the game."), **CITED}
    return described(shape, "Variant", "A named change to the game that players can choose.")


def reading() -> Schema:
    """Return the shape of a reading."""
    shape, option = schema_of(ReadingInfo), schema_of(ReadingOption)
    option["properties"]["changes"] = described(ref("reading_changes"), "Changes", "The changes to the game.")
    shape["properties"]["options"]["additionalProperties"] = described(option, "Option", "An answer.")
    return described(shape, "Reading", "A question that the rulebook leaves open, and the answers.")


ADDRESS = "https://draftengine.dev/schema/cardset-2.json"


def _definitions() -> dict[str, Schema]:
    """Return all shapes of games and of changes, by name."""
    shapes = {
        **leaves(),
        "about": about(),
        "winner": winner(),
        **components(),
        "step": step(),
        "steps": list_of(ref("step"), limits.STEPS, 0),
        "trigger": definition_schema(Trigger),
        **rule_shapes(),
        "variant": variant(),
        "reading": reading(),
        "example": example(),
    }
    changed = {f"{name}_change": relaxed(shape) for name, shape in shapes.items()}
    changed |= kind_changes(shapes)
    changed |= {"rule_change": rule_change(shapes["rule"]), "step_change": step_change(shapes["step"])}
    return shapes | changed


def schema() -> Schema:
    """Return the JSON Schema (draft 2020-12) of a card-set file."""
    kinds = kinds_of_file()
    properties = {
        key: {"title": shape["title"], "description": shape["description"]}
        for key, shape in kinds["extension"]["properties"].items()
    }
    definitions = kinds | _definitions()
    used = _used(definitions, ("game", "extension"))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": ADDRESS,
        "title": "Card set",
        "description": "A drafting card game for draftengine, as data.",
        "type": "object",
        "properties": properties,
        "if": {"required": ["extends"]},
        "then": ref("extension"),
        "else": ref("game"),
        "$defs": {name: definitions[name] for name in definitions if name in used},
    }


def file_schema(address: str, title: str, description: str, keys: dict[str, Schema], required: Iterable[str]) -> Schema:
    """Return the JSON Schema of a file that is not a card set, but contains shapes of card sets."""
    definitions = kinds_of_file() | _definitions()
    root = record(keys, required)
    used = _used(definitions, _named_in(root))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": address,
        "title": title,
        "description": description,
        **root,
        "$defs": {name: definitions[name] for name in definitions if name in used},
    }


def part_file() -> Schema:
    """Return the JSON Schema of an included file: variants with their sources and examples."""
    return part_of(schema())


def part_of(shape: Schema) -> Schema:
    """Return the JSON Schema of the files that a card set may include. `shape` is the card set's schema."""
    keys = {key: shape["$defs"]["game"]["properties"][key] for key in ("variants", "sources", "examples")}
    return {"title": "Part", **record(keys, ("variants",)), "$defs": shape["$defs"]}


def _used(definitions: dict[str, Schema], first: Iterable[str]) -> set[str]:
    """Return the names of the definitions in `first`, and of all definitions to which these refer."""
    used: set[str] = set()
    waiting = set(first)
    while waiting:
        used |= waiting
        waiting = {name for owner in waiting for name in _named_in(definitions[owner])} - used
    return used


def _named_in(part: Any) -> Iterator[str]:
    """Yield the names of the definitions to which a part of the schema refers."""
    if isinstance(part, dict):
        if "$ref" in part:
            yield part["$ref"].rpartition("/")[2]
        part = list(part.values())
    for inner in part if isinstance(part, list) else ():
        yield from _named_in(inner)


@cache
def schema_1() -> Schema:
    """Return the JSON Schema of a card-set file of format 1. Callers share it and must not change it."""
    shape: Schema = json.loads(Path(__file__).with_name("format_1.json").read_text("utf-8"))
    return shape


def part_file_1() -> Schema:
    """Return the JSON Schema of an included file of format 1."""
    return part_of(schema_1())


OLD_SHAPES = frozenset({schema_1, part_file_1})


_NO_SCHEMAS = frozenset({"examples", "default", "required", "enum", "const"})
"""Keywords whose values are not JSON Schemas."""

FOR: Schema = {
    "title": "For",
    "description": "It is there once for each of these values, which stand in place of the letter in braces.",
    "type": ["object", "array", "string"],
    "examples": [{"n": "1-9"}],
}


def schema_text() -> str:
    """Return the text of the published file ``schemas/cardset.schema.json``."""
    shape = with_for(schema())
    shape["$defs"]["for"] = FOR
    del shape["$defs"]["game"]["if"], shape["$defs"]["game"]["then"]  # sides and effects may give all points
    for thing in ("card", "die"):  # there is one if a file of its own does not say how many there are
        shape["$defs"][thing]["required"] = [key for key in shape["$defs"][thing]["required"] if key != "count"]
    for steps in ("step", "step_change"):  # short: the marker and to whom it goes
        given = shape["$defs"][steps]["properties"]["give"]
        given |= {"required": [], "additionalProperties": given["properties"]["to"]}
    return json.dumps(shape, indent=2, ensure_ascii=False) + "\n"


def with_for(part: Any) -> Any:
    """Return part of a schema, changed to allow `for` in mappings, and names in braces in its strings."""
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
