"""Messages between page and server: JSON, in one version, checked completely before use."""

from __future__ import annotations

import json
import math
import re
from typing import TYPE_CHECKING, Annotated, Any, Literal

from msgspec import Meta, Struct, ValidationError, convert
from msgspec.structs import astuple

from draftengine.api.scenario.missing import Round
from draftengine.apps.web import RefusedError
from draftengine.apps.web.table import BOT, FREE, LEVELS, Request
from draftengine.model import limits
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

VERSION = 1
LARGEST = 16 << 10
"""The largest number of characters in a message of a client."""
LONGEST_NAME = 24
_DEEPEST = 6
_MOST_PARTS = 10_000
"""The largest number of brackets and strings in a message."""
_LONGEST_KEY = 64
_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}")
_BRACKETS = re.compile(r'[\[\]{}]|"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
"""The pattern of a bracket, or of a whole string with the brackets in it."""
_UNSHOWABLE = re.compile("[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x84\\x86-\\x9f\\ud800-\\udfff\\ufffe\\uffff]")
"""The pattern of characters that YAML rejects, too: most control characters, and lone surrogates."""
_MOST_DIGITS = 16
_MOST_CARDS = 64
_Tokens = Annotated[list[Annotated[str, Meta(max_length=100)]], Meta(max_length=20)]
_Cards = Annotated[tuple[str, ...], Meta(max_length=_MOST_CARDS)]
_Number = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
_Numbers = Annotated[tuple[_Number, ...], Meta(max_length=limits.SEATS)]


MOST_TIPS = 400
"""The largest number of tips that a page may report as shown."""


def read(text: object, largest: int = LARGEST) -> dict[str, Any]:
    """Return the JSON object in a message. Raises `RefusedError`: ``bad-message``, ``bad-version``.

    The time is linear in the length of the text. The result can be stored, sent and shown: no lone surrogates, no
    control characters except line ends and tabs, no numbers beyond those of JSON, no duplicate names.
    """
    if not isinstance(text, str) or len(text) > largest:
        raise RefusedError("bad-message")
    # Refuse too many brackets and strings, and brackets nested too deeply. An unclosed string extends to the end of the
    # text, so nothing is scanned twice.
    depth = 0
    for count, match in enumerate(_BRACKETS.finditer(text)):
        bracket = match.group()
        if bracket in "[{":
            depth += 1
        if depth > _DEEPEST or count > _MOST_PARTS:
            raise RefusedError("bad-message", said("detail.parts"))
        if bracket in "]}":
            depth -= 1
    try:
        data = json.loads(
            text,
            parse_constant=_refuse,
            parse_int=lambda digits: int(digits) if len(digits) <= _MOST_DIGITS else int(_refuse(digits)),
            parse_float=lambda digits: value if math.isfinite(value := float(digits)) else _refuse(digits),
            object_pairs_hook=_object,
        )
    except (ValueError, RecursionError):
        raise RefusedError("bad-message") from None
    if not isinstance(data, dict):
        raise RefusedError("bad-message")
    _check_texts(data)
    if data.get("v") != VERSION or type(data["v"]) is not int:
        raise RefusedError("bad-version")
    return data


def check_text(text: str) -> None:
    """Check that a text can be stored and shown. Raises `RefusedError`: ``bad-message``."""
    if (bad := _UNSHOWABLE.search(text)) is not None:
        raise RefusedError("bad-message", said("detail.character", code=f"U+{ord(bad.group()):04X}"))


def _check_texts(value: Any) -> None:
    """Check every text in a value, including names in objects. `read` has already limited the depth."""
    if isinstance(value, str):
        check_text(value)
    elif isinstance(value, dict):
        for name, part in value.items():
            check_text(name)
            _check_texts(part)
    elif isinstance(value, list):
        for part in value:
            _check_texts(part)


def _refuse(number: str) -> float:
    raise RefusedError("bad-message", said("detail.number", number=number[:20]))


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise RefusedError("bad-message", said("detail.twice"))
    return data


def request_in(message: Mapping[str, Any], seat: int) -> Request:
    """Return the request of a seat. Raises `RefusedError`: ``bad-message``."""
    kind, key = message.get("type"), message.get("key")
    reader = _REQUESTS.get(kind) if isinstance(kind, str) else None
    if reader is None or not isinstance(key, str) or not 0 < len(key) <= _LONGEST_KEY:
        raise RefusedError("bad-message")
    assert isinstance(kind, str)
    return Request(kind, seat, key, reader(message))


def part_in(message: Mapping[str, Any], name: str, kind: Any) -> Any:
    """Return the value under a name in a message, converted to the type `kind`. Raises `RefusedError`."""
    try:
        return convert(message.get(name), kind)
    except ValidationError:
        raise RefusedError("bad-message") from None


def whole(message: Mapping[str, Any], name: str, low: int, high: int) -> int:
    """Return the whole number under a name, from `low` to `high`. Raises `RefusedError`."""
    value = message.get(name)
    if type(value) is not int or not low <= value <= high:
        raise RefusedError("bad-message")
    return value


def name_in(message: Mapping[str, Any]) -> str:
    """Return a person's name: a short line of printable characters. Raises `RefusedError`."""
    name = message.get("name")
    if not isinstance(name, str):
        raise RefusedError("bad-message")
    cleaned = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
    if not 0 < len(cleaned) <= LONGEST_NAME:
        raise RefusedError("bad-message", said("detail.name", most=LONGEST_NAME))
    return cleaned


def language_in(message: Mapping[str, Any]) -> str:
    """Return the reader's language as a BCP 47 tag; English if none is named. Raises `RefusedError`."""
    language = message.get("language", "en")
    if not isinstance(language, str) or not _LANGUAGE.fullmatch(language):
        raise RefusedError("bad-message")
    return language


def tokens_in(message: Mapping[str, Any], name: str) -> list[str]:
    """Return the tokens under a key of a message; empty if the key is missing. Raises `RefusedError`."""
    tokens: list[str] = part_in({name: [], **message}, name, _Tokens)
    return tokens


def move_in(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a move as JSON data after checking its form and number of cards. Raises `RefusedError`."""
    move: _Move = part_in(message, "move", _Move)
    if sum(map(len, (move.cards, *move.by.values(), *move.to.values()))) > _MOST_CARDS:
        raise RefusedError("bad-message")
    written: dict[str, Any] = message["move"]
    return written


def tips_in(message: Mapping[str, Any]) -> tuple[frozenset[str], str]:
    """Return the ids of tips that a person has seen, and how cards are chosen. Raises `RefusedError`."""
    given = part_in(message, "given", Annotated[list[str], Meta(max_length=MOST_TIPS)])
    return frozenset(given), part_in(message, "by", Literal["touch", "mouse"])


class _Move(Struct, forbid_unknown_fields=True, rename={"by": "with", "to": "for"}):
    """The structure of a move in a message."""

    cards: list[str]
    by: dict[str, list[str]] = {}
    to: dict[str, list[str]] = {}


class _Round(Struct, forbid_unknown_fields=True):
    """The structure of a round of a score sheet in a message."""

    tables: Annotated[tuple[_Cards, ...], Meta(max_length=limits.SEATS)]
    markers: dict[str, _Number | None] = {}
    counters: dict[str, _Numbers] = {}
    points: _Numbers = ()
    chips: Annotated[tuple[_Number | None, ...], Meta(max_length=limits.SEATS)] = ()


def rounds_in(message: Mapping[str, Any], seats: int, most: int) -> list[Round]:
    """Return the rounds of a score sheet. Names of cards are not checked. Raises `RefusedError`."""
    rounds = message.get("rounds")
    if not isinstance(rounds, list) or not 1 <= len(rounds) <= most:
        raise RefusedError("bad-message")
    try:
        entries = [convert(entry if isinstance(entry, dict) else {"tables": entry}, _Round) for entry in rounds]
    except ValidationError:
        raise RefusedError("bad-message") from None
    if any(len(entry.tables) != seats or max(len(entry.points), len(entry.chips)) > seats for entry in entries):
        raise RefusedError("bad-message")
    return [Round(*astuple(entry)) for entry in entries]


def _decision(message: Mapping[str, Any]) -> list[int]:
    """Return the decision that a choice is for, as number of the game and number of the reveal."""
    return list(part_in(message, "decision", tuple[int, int]))


def word(message: Mapping[str, Any], name: str, known: Iterable[str]) -> str:
    """Return the word under a name if it is one of `known`. Raises `RefusedError` otherwise."""
    value = message.get(name)
    if not isinstance(value, str) or value not in known:
        raise RefusedError("bad-message")
    return value


EMOTES = ("nice", "wow", "ouch", "think", "thanks", "good")
"""The signs that people can send each other at a table, because there is no chat."""
_REQUESTS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "seat": lambda message: {
        "seat": whole(message, "seat", 0, 99),
        "to": word(message, "to", (BOT, FREE)),
        "level": word({"level": "medium", **message}, "level", LEVELS),
    },
    "start": lambda _: {},
    "choose": lambda message: {"decision": _decision(message), "move": move_in(message)},
    "withdraw": lambda message: {"decision": _decision(message)},
    "ready": lambda message: {"decision": _decision(message)} if "decision" in message else {},
    "again": lambda message: {"yes": message.get("yes") is True, "same": message.get("same") is True},
    "host": lambda message: {"seat": whole(message, "seat", 0, 99)},
    "replace": lambda message: {"seat": whole(message, "seat", 0, 99)},
}
"""The requests with which a seat changes its table, each with the function that reads its data."""
