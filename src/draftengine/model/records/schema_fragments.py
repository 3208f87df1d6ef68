"""Parts of the JSON Schema of card sets: patterns, and functions that make small schemas."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from draftengine.model import limits

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Schema = dict[str, Any]

ID = "^[a-z][a-z0-9_]*$"
ZONE = r"^([a-z][a-z0-9_]*\.)?[a-z][a-z0-9_]*$"
CARDS_MEANT = r"^[a-z][a-z0-9_]*$|\bits\(|\bcard\b|\w\(|\b(and|or|not)\b"
CITATION = "^[A-Za-z0-9][A-Za-z0-9._-]*$"
LANGUAGE = "^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$"
PLAYERS = "^[1-9][0-9]?(-[1-9][0-9]?)?$"
PLAYER_COUNT = "^[1-9][0-9]?$"
VERSION = r"^(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$"
DEFINED = r"^[a-z][a-z0-9_]*(\( *[a-z][a-z0-9_]* *(, *[a-z][a-z0-9_]* *)*\))?$"
SLOT = r"^\{[a-z]\}$"
OF_PLAYERS = r"\bplayers\b"
PLACE = "^r[1-9][0-9]?c[1-9][0-9]?$"
_LYING = r"^[a-z][a-z0-9_]*(:[0-9]+)?(@[a-z][a-z0-9_]*)?(\^[a-z][a-z0-9_]*)*(-([0-9]+|closed))*"
PLAY = f"{_LYING}$"
_BOUGHT = r"(left|right) [1-9][0-9]?"
MOVED = rf"^([a-z][a-z0-9_]*\.)?{_LYING[1:]}(@[a-z][a-z0-9_]*)?(\({_BOUGHT}(, {_BOUGHT})?\))?$"
BASE = r"^[a-z0-9_-]+(\.ya?ml)?$"
PART = r"^([a-z0-9_-]+/)*[a-z0-9_-]+\.ya?ml$"
ADDRESSES = "^https?://"
SIGN = r"^(?![A-Za-z0-9 _.:/\\+-]{2,}$)(?![^\n]*[^\W\d_]{2})"

PATTERNS: Mapping[str, str] = MappingProxyType(
    {
        ID: "pattern.id",
        ZONE: "pattern.zone",
        CARDS_MEANT: "pattern.cards-meant",
        CITATION: "pattern.citation",
        LANGUAGE: "pattern.language",
        PLAYERS: "pattern.players",
        PLAYER_COUNT: "pattern.player-count",
        VERSION: "pattern.version",
        DEFINED: "pattern.defined",
        SLOT: "pattern.slot",
        OF_PLAYERS: "pattern.of-players",
        PLACE: "pattern.place",
        PLAY: "pattern.play",
        MOVED: "pattern.moved",
        BASE: "pattern.base",
        PART: "pattern.part",
        SIGN: "pattern.sign",
        ADDRESSES: "pattern.addresses",
    }
)
"""The keys of the messages that describe the patterns."""


def described(schema: Schema, title: str, description: str, *examples: object, **more: object) -> Schema:
    """Return `schema` with a title, a description and examples, which editors show."""
    heading: Schema = {"title": title, "description": description}
    if examples:
        heading["examples"] = list(examples)
    return {**heading, **schema, **more}


def ref(name: str) -> Schema:
    """Return a JSON Schema that refers to a definition."""
    return {"$ref": f"#/$defs/{name}"}


def whole(lowest: int = -limits.NUMBER, highest: int = limits.NUMBER) -> Schema:
    """Return the schema of an integer between two bounds, both included."""
    return {"type": "integer", "minimum": lowest, "maximum": highest}


def player_counts() -> Schema:
    """Return the schema of the numbers of players: one number, or a range such as ``2-5``."""
    return {"type": ["integer", "string"], "pattern": PLAYERS, "minimum": 1, "maximum": limits.PLAYERS}


def string(pattern: str | None = None, longest: int = limits.TEXT) -> Schema:
    """Return the schema of a text that is not empty."""
    schema: Schema = {"type": "string", "minLength": 1, "maxLength": longest}
    return schema if pattern is None else {**schema, "pattern": pattern}


def list_of(item: Schema, longest: int, shortest: int = 1) -> Schema:
    """Return the schema of a list of `shortest` to `longest` items with the schema `item`."""
    return {"type": "array", "items": item, "minItems": shortest, "maxItems": longest}


def map_of(pattern: str, value: Schema, most: int, fewest: int = 0, longest: int = limits.NAME) -> Schema:
    """Return the schema of a mapping from names to values. A name has at most `longest` characters."""
    schema: Schema = {
        "type": "object",
        "propertyNames": {"pattern": pattern, "maxLength": longest},
        "additionalProperties": value,
        "maxProperties": most,
    }
    return schema if not fewest else {**schema, "minProperties": fewest}


def record(properties: Mapping[str, Schema], required: Iterable[str] = ()) -> Schema:
    """Return the schema of a mapping that can have only these keys."""
    return {"type": "object", "required": list(required), "properties": dict(properties), "additionalProperties": False}


def one_of(keys: Iterable[str]) -> Schema:
    """Return the schema that requires exactly one of `keys`."""
    return {"oneOf": [{"required": [key]} for key in keys]}


def flag(title: str, description: str, *, default: bool) -> Schema:
    """Return the schema of a truth value."""
    return described({"type": "boolean"}, title, description, not default, default=default)


def word(title: str, description: str, *words: str, default: str | None = None) -> Schema:
    """Return the schema of a value that is one of `words`."""
    schema = described({"enum": list(words)}, title, description, *words)
    return schema if default is None else {**schema, "default": default}


def number(title: str, description: str, lowest: int, highest: int, default: int) -> Schema:
    """Return the schema of an integer with a default."""
    return described(whole(lowest, highest), title, description, max(default, 1), default=default)


def name(title: str, description: str, *examples: str, **more: object) -> Schema:
    """Return the schema of a name that the author chooses."""
    return described(ref("name"), title, description, *examples, **more)


def formula(title: str, description: str, *examples: object) -> Schema:
    """Return the schema of a formula."""
    return described(ref("formula"), title, description, *examples)


LABEL = described(
    ref("label"),
    "Label",
    "The name that people see, in one or several languages, with plural forms if needed.",
    "Onion soup",
    {"en": {"one": "Soup", "other": "Soups"}, "pl": "Zupa"},
)
TEXT = described(ref("text"), "Text", "The text that is printed about it.", "Two make a set.")
SOURCE = described(
    ref("source"), "Source", "The statements of the rulebook that it is based on (see `sources`).", "O-12", ["A-1"]
)
ASSUMED = described(
    ref("text"),
    "Assumed",
    "The reason for an assumption that no available document confirms.",
    "The booklet prints it as a picture.",
)
CITED: Mapping[str, Schema] = MappingProxyType({"source": SOURCE, "assumed": ASSUMED})
"""The keys that state where a rule comes from: cited, or assumed."""


def leaves() -> dict[str, Schema]:
    """Return the schemas of names, texts, formulas and numbers, by name."""
    value: Schema = {
        "type": ["integer", "boolean", "string"],
        "minLength": 1,
        "maxLength": limits.FORMULA,
        "minimum": -limits.NUMBER,
        "maximum": limits.NUMBER,
    }
    number = {**value, "type": ["integer", "string"], "minimum": 0, "maximum": limits.STEP}
    text: Schema = {"type": ["string", "object"], "maxLength": limits.TEXT}
    forms = {**text, **_entries({"enum": ["one", "few", "many", "other"]}, string(), 4)}
    languages, players = {"pattern": LANGUAGE}, {"pattern": PLAYER_COUNT}
    one_name: Schema = {"type": "string", "pattern": ID, "maxLength": limits.NAME}
    several = {**one_name, "type": ["string", "array"]}
    return {
        "name": one_name,
        "names": {**several, **_items(ref("name"), 100)},
        "zone_name": {**one_name, "pattern": ZONE, "maxLength": 2 * limits.NAME + 1},
        "zone_names": {**several, "pattern": ZONE, "maxLength": 2 * limits.NAME + 1, **_items(ref("zone_name"), 100)},
        "cards_meant": {**several, "pattern": CARDS_MEANT, "maxLength": limits.FORMULA, **_items(ref("name"), 100)},
        "text": {**text, **_entries(languages, string(), 50)},
        "label": {**text, **_entries(languages, forms, 50)},
        "source": {**several, "pattern": CITATION, **_items(string(CITATION, limits.NAME), 30)},
        "formula": value,
        "by_players": {**number, "type": ["integer", "string", "object"], **_entries(players, number, limits.PLAYERS)},
        "amounts": map_of(ID, ref("formula"), 20, 1),
        "copies": {
            **whole(0, limits.COPIES),
            "type": ["integer", "string", "object"],
            "if": {"type": "string", "not": {"pattern": OF_PLAYERS}},
            "then": {"type": ["integer", "object"], "examples": ["2 * players"]},
            **_entries(players, whole(0, limits.COPIES), limits.PLAYERS),
        },
    }


def by_player_count(number: Schema) -> Schema:
    """Return the shape of a number, or of a table of such numbers by number of players."""
    return {**number, "type": ["integer", "object"], **_entries({"pattern": PLAYER_COUNT}, number, limits.PLAYERS)}


def _entries(names: Schema, value: Schema, most: int) -> Schema:
    """Return the JSON Schema keywords of a mapping with 1 to `most` entries."""
    return {"propertyNames": names, "additionalProperties": value, "minProperties": 1, "maxProperties": most}


def _items(item: Schema, most: int) -> Schema:
    """Return the JSON Schema keywords of a list with 1 to `most` items."""
    return {"items": item, "minItems": 1, "maxItems": most}
