"""The messages between page and server: JSON, one version, every form checked before anything looks at it."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta, Struct, ValidationError, convert

from draftengine.api.scenario.score_tables import Round
from draftengine.apps.web.errors import RefusedError
from draftengine.apps.web.table import BOT, FREE, LEVELS, Request

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

VERSION = 1
LARGEST = 16 << 10
"""Bytes of a message that a client may send."""
LONGEST_NAME = 24
_DEEPEST = 6
_LONGEST_KEY = 64
_TEXTS = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}")
_BRACKETS = re.compile(r"[\[\]{}]")
_MOST_CARDS = 64
_MOST_SEATS = 100
_Cards = Annotated[list[str], Meta(max_length=_MOST_CARDS)]
_Number = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
_Numbers = Annotated[list[_Number], Meta(max_length=_MOST_SEATS)]


def read(text: str | bytes, largest: int = LARGEST) -> dict[str, Any]:
    """A message as its sender wrote it. Raises `RefusedError`: ``bad-message``, ``bad-version``."""
    if not isinstance(text, str) or len(text) > largest or _depth(text) > _DEEPEST:
        raise RefusedError("bad-message")
    try:
        data = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise RefusedError("bad-message") from None
    if not isinstance(data, dict):
        raise RefusedError("bad-message")
    if data.get("v") != VERSION or type(data["v"]) is not int:
        raise RefusedError("bad-version")
    return data


def _refuse(_: str) -> None:
    raise RefusedError("bad-message")


def _depth(text: str) -> int:
    """How deep brackets stand in each other, but for those in texts."""
    deep = most = 0
    for sign in _BRACKETS.findall(_TEXTS.sub("", text)):
        deep += 1 if sign in "[{" else -1
        most = max(most, deep)
    return most


def request_in(message: Mapping[str, Any], seat: int) -> Request:
    """What a seat asks of its table. Raises `RefusedError`: ``bad-message``."""
    kind, key = message.get("type"), message.get("key")
    reader = _REQUESTS.get(kind) if isinstance(kind, str) else None
    if reader is None or not isinstance(key, str) or not 0 < len(key) <= _LONGEST_KEY:
        raise RefusedError("bad-message")
    assert isinstance(kind, str)
    return Request(kind, seat, key, reader(message))


def whole(message: Mapping[str, Any], name: str, low: int, high: int) -> int:
    """A whole number within bounds. Raises `RefusedError`."""
    value = message.get(name)
    if type(value) is not int or not low <= value <= high:
        raise RefusedError("bad-message")
    return value


def name_in(message: Mapping[str, Any]) -> str:
    """What a person wants to be called: one short line of signs that can be seen. Raises `RefusedError`."""
    name = message.get("name")
    if not isinstance(name, str):
        raise RefusedError("bad-message")
    cleaned = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
    if not 0 < len(cleaned) <= LONGEST_NAME:
        raise RefusedError("bad-message", f"A name has 1 to {LONGEST_NAME} signs.")
    return cleaned


def language_in(message: Mapping[str, Any]) -> str:
    """The language that somebody reads, as BCP 47 writes it; English if none is named. Raises `RefusedError`."""
    language = message.get("language", "en")
    if not isinstance(language, str) or not _LANGUAGE.fullmatch(language):
        raise RefusedError("bad-message")
    return language


def move_in(message: Mapping[str, Any], name: str = "move") -> dict[str, Any]:
    """A move as plain data, of names and of no more of them than a choice can have. Raises `RefusedError`."""
    move = message.get(name)
    if not isinstance(move, dict) or not move.keys() <= {"cards", "with", "for"} or "cards" not in move:
        raise RefusedError("bad-message")
    lists = [move["cards"]]
    for part in ("with", "for"):
        named = move.get(part, {})
        if not isinstance(named, dict):
            raise RefusedError("bad-message")
        lists += named.values()
    if not all(isinstance(cards, list) and all(isinstance(card, str) for card in cards) for cards in lists):
        raise RefusedError("bad-message")
    if sum(map(len, lists)) > _MOST_CARDS:
        raise RefusedError("bad-message")
    return move


class _Round(Struct, forbid_unknown_fields=True):
    """A round as it is sent."""

    tables: Annotated[list[_Cards], Meta(max_length=_MOST_SEATS)]
    markers: dict[str, _Number | None] = {}
    counters: dict[str, _Numbers] = {}
    points: _Numbers = []


def rounds_in(message: Mapping[str, Any], seats: int, most: int) -> list[Round]:
    """What lies on a real table, round by round: tables, or tables with markers, counters and points beside them.

    Whether the game has what they name is not looked at. Raises `RefusedError`.
    """
    rounds = message.get("rounds")
    if not isinstance(rounds, list) or not 1 <= len(rounds) <= most:
        raise RefusedError("bad-message")
    try:
        entries = [convert(entry if isinstance(entry, dict) else {"tables": entry}, _Round) for entry in rounds]
    except ValidationError:
        raise RefusedError("bad-message") from None
    if any(len(entry.tables) != seats or len(entry.points) > seats for entry in entries):
        raise RefusedError("bad-message")
    return [
        Round(
            tuple(map(tuple, entry.tables)),
            entry.markers,
            {name: tuple(values) for name, values in entry.counters.items()},
            tuple(entry.points),
        )
        for entry in entries
    ]


def _decision(message: Mapping[str, Any]) -> list[int]:
    """The number of the game and of the reveal that a choice is for."""
    value = message.get("decision")
    if not isinstance(value, list) or [type(number) for number in value] != [int, int]:
        raise RefusedError("bad-message")
    return value


def word(message: Mapping[str, Any], name: str, known: Iterable[str]) -> str:
    """One of the words that are known. Raises `RefusedError`."""
    value = message.get(name)
    if not isinstance(value, str) or value not in known:
        raise RefusedError("bad-message")
    return value


def _seat(message: Mapping[str, Any]) -> dict[str, Any]:
    level = word({"level": "medium", **message}, "level", LEVELS)
    return {"seat": whole(message, "seat", 0, 99), "to": word(message, "to", (BOT, FREE)), "level": level}


def _choose(message: Mapping[str, Any]) -> dict[str, Any]:
    return {"decision": _decision(message), "move": move_in(message)}


_REQUESTS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "seat": _seat,
    "start": lambda _: {},
    "choose": _choose,
    "withdraw": lambda message: {"decision": _decision(message)},
    "ready": lambda _: {},
    "replace": lambda message: {"seat": whole(message, "seat", 0, 99)},
}
"""What a seat may ask that changes its table, and how the rest of the message is read."""
