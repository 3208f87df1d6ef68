"""Which bots there are, and how a seat is written: ``NAME`` or ``NAME:option=value:option=value``.

``iterations`` and ``ms`` set the budget of any bot; other options are those of the bot itself: the keyword arguments
of its class. Other packages add bots through entry points in the group ``draftengine.bots``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from pkgutil import resolve_name
from reprlib import repr as brief
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.bots.protocol import BotError, Budget
from draftengine.model.diagnostics.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.bots.protocol import Bot

BotKind = Callable[..., "Bot"]
"""A class whose first line of documentation says what it does, and whose keyword arguments are its options."""

BUILT_IN: MappingProxyType[str, str] = MappingProxyType(
    {
        "random": "draftengine.bots.random_bot:RandomBot",
        "greedy": "draftengine.bots.greedy:GreedyBot",
        "table": "draftengine.bots.table:TableBot",
        "flat": "draftengine.bots.search.bot:FlatBot",
        "search": "draftengine.bots.search.bot:SearchBot",
        "easy": "draftengine.bots.levels:Easy",
        "medium": "draftengine.bots.levels:Medium",
        "hard": "draftengine.bots.levels:Hard",
        "expert": "draftengine.bots.levels:Expert",
    }
)
"""The bots that come with the package: where their classes are, so that nobody imports what is not played."""

_MOST = 1_000_000
_BUDGET = {"iterations": "iterations", "ms": "milliseconds"}


class BotSpec(Struct, frozen=True):
    """A bot as somebody asked for it."""

    text: str
    bot: Bot
    budget: Budget | None
    """``None``: whatever is usual where it plays."""


def names() -> tuple[str, ...]:
    """All bots, those of the package first."""
    return (*BUILT_IN, *(entry.name for entry in entry_points(group="draftengine.bots") if entry.name not in BUILT_IN))


def kind_named(name: str) -> BotKind:
    """The class of a bot. Raises `BotError`."""
    if name in BUILT_IN:
        kind: BotKind = resolve_name(BUILT_IN[name])
        return kind
    for entry in entry_points(group="draftengine.bots"):
        if entry.name == name:
            loaded: BotKind = entry.load()
            return loaded
    known = names()
    hint = did_you_mean(name, known) or f"There are {', '.join(known)}."
    raise BotError(f"There is no bot “{name}”. {hint}")


def wanted(text: str) -> BotSpec:
    """The bot that a text asks for, made anew. Raises `BotError`."""
    if not isinstance(text, str):
        raise BotError(f"A bot is named by a text, such as “search:iterations=500”, not by {brief(text)}.")
    text = text.strip()
    name, *written = text.split(":")
    kind = kind_named(name)
    given = dict(_option(name, part) for part in written)
    budget = {_BUDGET[key]: _whole(name, key, given.pop(key)) for key in list(given) if key in _BUDGET}
    known = options_of(kind)
    made = {key: _value(name, key, value, known) for key, value in given.items()}
    return BotSpec(text, kind(**made), Budget(**budget) if budget else None)


@cache
def options_of(kind: BotKind) -> Mapping[str, Any]:
    """The options of a bot and what they are by default."""
    return MappingProxyType({name: parameter.default for name, parameter in inspect.signature(kind).parameters.items()})


def described() -> dict[str, tuple[str, dict[str, Any]]]:
    """All bots by name: the first line of their documentation, and their options."""
    result = {}
    for name in names():
        kind = kind_named(name)
        result[name] = ((kind.__doc__ or "").strip().partition("\n")[0], dict(options_of(kind)))
    return result


def _option(bot: str, part: str) -> tuple[str, str]:
    key, equals, value = part.partition("=")
    if not equals or not key or not value:
        raise BotError(f"“{part}” of the seat “{bot}” is no option: write {bot}:iterations=200, for example.")
    return key, value


def _whole(bot: str, key: str, value: str) -> int:
    if not value.isdecimal() or len(value) > len(str(_MOST)) or not 1 <= int(value) <= _MOST:
        raise BotError(f"{key} of “{bot}” is a whole number from 1 to {_MOST}, not “{value}”.")
    return int(value)


def _value(bot: str, key: str, value: str, known: Mapping[str, Any]) -> Any:
    """The value of an option, of the kind that its default has."""
    if key not in known:
        options = (*_BUDGET, *known)
        hint = did_you_mean(key, options) or f"There are {', '.join(options)}."
        raise BotError(f"The bot “{bot}” has no option “{key}”. {hint}")
    default = known[key]
    if not isinstance(default, int | float):
        return value
    try:
        number = type(default)(value)
    except ValueError:
        number = None
    if number is None or not abs(number) <= _MOST:  # NaN is not, either
        raise BotError(f"{key} of “{bot}” is a number, such as {default}, not “{value}”.")
    return number
