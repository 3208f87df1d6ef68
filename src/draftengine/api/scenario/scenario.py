"""A scenario, read from plain YAML data. Errors say where in the data they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from draftengine.api.records import Position
from draftengine.model.selection import Selection, parse_selection

NOBODY = "nobody"
"""The holder of a marker that no seat holds."""

KEYS = (
    "name", "source", "players", "variants", "menu", "set", "round", "at", "tables", "hands", "deck", "zones",
    "markers", "counters", "scores", "moves", "expect",
)  # fmt: skip
EXPECTED = ("points", "round", "game", "total", "winners", "tables", "hands", "zones", "legal", "markers", "counters")


class ScenarioError(ValueError):
    """A scenario that cannot be read or run. The message says why.

    `names` are the keys and names at fault. If a name is unknown, it is the first, and `known` are those that exist.
    """

    def __init__(self, message: str, *names: str, known: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.names = names
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
    """Moves by choice and seat; ``None`` for a seat that takes no part."""
    expect: Mapping[str, Any]


def read(data: Mapping[str, Any], *, default_players: int) -> Scenario:
    """Return the scenario that is written as `data`. Raises `ScenarioError`."""
    _known(data, KEYS, "scenario")
    expect = data.get("expect") or {}
    _known(expect, EXPECTED, "expect")
    tables = tuple(table_of(table) for table in data.get("tables", ()))
    hands = tuple(tuple(hand) for hand in data.get("hands", ()))
    players = data.get("players", default_players)
    settings = (f"{key}={value}" for key, value in data.get("set", {}).items())
    texts = [*data.get("variants", ()), *_names(data.get("menu", ())), *settings]
    try:
        selection = parse_selection(texts)
    except ValueError as error:
        raise ScenarioError(str(error), "menu", "set", "variants") from None
    zones = {**data.get("zones", {}), **({"deck": data["deck"]} if "deck" in data else {})}
    position = Position(
        tables=tables,
        hands=hands,
        zones={name: by_owner(cards) for name, cards in zones.items()},
        markers={name: None if holder == NOBODY else holder for name, holder in data.get("markers", {}).items()},
        counters={name: tuple(values) for name, values in data.get("counters", {}).items()},
        scores=tuple(data.get("scores", ())),
        round=data.get("round", 1),
        at=data.get("at", ""),
    )
    moves = tuple(tuple(_choice(move) for move in turn) for turn in data.get("moves", ()))
    return Scenario(str(data.get("name", "unnamed")), players, selection, position, moves, expect)


def by_owner(contents: Any) -> tuple[tuple[str, ...], ...] | Mapping[str, str]:
    """Return the cards of a zone by owner, or by place for a mapping.

    A plain list of cards is that of a shared zone.
    """
    if isinstance(contents, Mapping):
        return dict(contents)
    if all(isinstance(card, str) for card in contents):
        return (tuple(contents),)
    return tuple(tuple(cards) for cards in contents)


def _known(data: Mapping[str, Any], keys: tuple[str, ...], where: str) -> None:
    for key in data:
        if key not in keys:
            raise ScenarioError(f"unknown key “{key}” in {where}; known are {', '.join(keys)}", key)


def table_of(table: Any) -> tuple[str, ...] | dict[str, int]:
    return dict(table) if isinstance(table, Mapping) else tuple(table)


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
