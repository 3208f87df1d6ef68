"""Scenarios: declarative tests of card sets, in files of their own or as worked examples inside them.

Here a scenario is read from plain YAML data, and files with scenarios and tables have their schemas.

Errors name the part of the data that they are about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from draftengine.api.records import Position
from draftengine.model.language.macros import TRACK
from draftengine.model.schema import example_keys, file_schema, position_keys
from draftengine.model.selection import Selection, parse_selection
from draftengine.support.locale.phrases import ReasonedError, said

if TYPE_CHECKING:
    from draftengine.support.locale.phrases import Text

    Schema = dict[str, Any]

NOBODY = "nobody"
"""The word that takes the place of a seat if no seat holds a marker."""

KEYS = (
    "name", "source", "players", "variants", "menu", "set", "round", "turn", "at", "to", "tables", "hands", "deck",
    "zones", "markers", "counters", "scores", "moves", "expect",
)  # fmt: skip
EXPECTED = ("points", "round", "game", "total", "winners", "tables", "hands", "zones", "legal", "markers", "counters")


class ScenarioError(ReasonedError, ValueError):
    """Error for a scenario that cannot be read or run.

    If a name is unknown, it is the first of `names`, and `known` has the existing names.
    """

    def __init__(self, reason: Text, *names: str, known: Sequence[str] = ()) -> None:
        super().__init__(reason, *names)
        self.known = tuple(known)


class ScenarioMove(Struct, frozen=True):
    """The cards that one seat takes in one choice."""

    cards: tuple[str, ...]
    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class Scenario(Struct, frozen=True):
    name: str
    players: int
    selection: Selection
    position: Position
    moves: tuple[tuple[ScenarioMove | None, ...], ...]
    """For each choice, the moves by seat; ``None`` for a seat that does not choose."""
    expect: Mapping[str, Any]
    to: str = ""
    """The id of the step before which play ends; empty if it ends at the choice after the last move."""


def read(data: Mapping[str, Any], *, default_players: int) -> Scenario:
    """Return the scenario that `data` describes. Raises `ScenarioError`."""
    _known(data, KEYS, "scenario")
    expect = data.get("expect") or {}
    _known(expect, EXPECTED, "expect")
    players = data.get("players", default_players)
    try:
        selection = parse_selection(variants_in(data))
    except ValueError as error:
        raise ScenarioError(str(error), "menu", "set", "variants") from None
    zones = {**data.get("zones", {}), **({"deck": data["deck"]} if "deck" in data else {})}
    position = Position(
        **lying_in(data),
        hands=tuple(tuple(hand) for hand in data.get("hands", ())),
        zones={name: by_owner(cards) for name, cards in zones.items()},
        scores=tuple(data.get("scores", ())),
        round=data.get("round", 1),
        turn=data.get("turn", 1),
        at=data.get("at", ""),
    )
    moves = tuple(tuple(_choice(move) for move in turn) for turn in data.get("moves", ()))
    return Scenario(str(data.get("name", "unnamed")), players, selection, position, moves, expect, data.get("to", ""))


def variants_in(data: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the selection that a file states, as values of the option ``--variant``."""
    settings = (f"{key}={value}" for key, value in data.get("set", {}).items())
    return (*data.get("variants", ()), *_names(data.get("menu", ())), *settings)


def lying_in(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the tables, markers and counters that a file states, as arguments for a `Position`."""
    return {
        "tables": tuple(
            dict(table) if isinstance(table, Mapping) else tuple(table) for table in data.get("tables", ())
        ),
        "markers": {name: None if holder == NOBODY else holder for name, holder in data.get("markers", {}).items()},
        "counters": {
            counter: values
            for name, stated in data.get("counters", {}).items()
            for counter, values in stated_counters(name, stated).items()
        },
    }


def stated_counters(name: str, values: Sequence[int | Sequence[int]]) -> dict[str, tuple[int, ...]]:
    """Return the values of a counter by seat. On a track, each may be a pair: value, order of arrival.

    With pairs, a second counter has the number of seats that reached the same value before each seat.
    """
    pairs = [(value, 0) if isinstance(value, int) else (value[0], value[1]) for value in values]
    stated = {name: tuple(value for value, _ in pairs)}
    if not all(isinstance(value, int) for value in values):
        ranks = (sum(other == value and before < order for other, before in pairs) for value, order in pairs)
        stated[f"{TRACK}{name}"] = tuple(ranks)
    return stated


def with_arrivals(name: str, counters: Sequence[Mapping[str, int]]) -> list[int | list[int]]:
    """Return the values of a counter by seat, as (value, order of arrival) pairs if the order matters."""
    arrivals = [seat_counters.get(f"{TRACK}{name}", 0) for seat_counters in counters]
    values = [seat_counters[name] for seat_counters in counters]
    pairs: list[int | list[int]] = [[*pair] for pair in zip(values, arrivals, strict=True)]
    return pairs if any(arrivals) else [*values]


def by_owner(contents: Any) -> tuple[tuple[str, ...], ...] | Mapping[str, str]:
    """Return the cards of a zone: a mapping by place for a layout, otherwise a tuple for each owner.

    A plain list of names is the content of a shared zone, which has one owner.
    """
    if isinstance(contents, Mapping):
        return dict(contents)
    if all(isinstance(card, str) for card in contents):
        return (tuple(contents),)
    return tuple(tuple(cards) for cards in contents)


def _known(data: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in data:
        if key not in keys:
            raise ScenarioError(said("scenario.unknown-key", key=key, where=where, known=", ".join(keys)), key)


def _choice(data: Any) -> ScenarioMove | None:
    if data is None:
        return None
    if isinstance(data, str):
        return ScenarioMove((data,))
    if isinstance(data, Mapping):
        others = {seat: tuple(_names(cards)) for seat, cards in data.get("for", {}).items()}
        return ScenarioMove(tuple(_names(data.get("cards", ()))), others)
    return ScenarioMove(tuple(data))


def _names(data: Any) -> list[str]:
    return [data] if isinstance(data, str) else list(data)


_BASE = "https://draftengine.dev/schema/"
_SELECTION = ("players", "variants", "menu", "set")


def scenario_file() -> Schema:
    """Return the schema of a scenario file: its card set, keys common to all scenarios, and the scenarios."""
    example = {"$ref": "#/$defs/example"}
    keys = example_keys()
    common = {key: keys[key] for key in _SELECTION}
    named = {"type": "string", "minLength": 1, "maxLength": 200}
    keys = {
        "cardset": {
            **named,
            "title": "Card set",
            "description": "The id of the card set, or a file in the same folder.",
        },
        **common,
        "tests": {"type": "array", "items": example, "maxItems": 10_000, "title": "Tests", "description": "Scenarios."},
    }
    description = "Positions, moves and what must come of them, for draftengine test."
    return file_schema(f"{_BASE}scenarios-1.json", "Scenarios", description, keys, ("cardset", "tests"))


def score_sheet() -> Schema:
    """Return the schema of a score sheet: real tables to be scored, once or round by round."""
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
