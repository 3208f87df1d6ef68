"""The catalogue of bots, and the notation of a seat: ``NAME`` or ``NAME:option=value:option=value``.

``iterations`` and ``ms`` set the budget of any bot. Every other option is a keyword argument of the bot's class. Other
packages add bots through entry points in the group ``draftengine.bots``.
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
"""Class of a bot.

The first line of its docstring describes it to users; its keyword arguments are its options.
"""

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
"""Import paths of the bots of the package, by name; a class is imported only when it is used."""

_MOST = 1_000_000
_BUDGET = {"iterations": "iterations", "ms": "milliseconds"}


class BotSpec(Struct, frozen=True):
    """A parsed seat: the bot and its budget."""

    text: str
    bot: Bot
    budget: Budget | None
    """Budget from the text; ``None`` for the default of the place where the bot plays."""


def names() -> tuple[str, ...]:
    """Return the names of all bots, those of the package first."""
    return (*BUILT_IN, *(entry.name for entry in entry_points(group="draftengine.bots") if entry.name not in BUILT_IN))


def kind_named(name: str) -> BotKind:
    """Return the class of a bot. Raise `BotError` if there is no such bot."""
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
    """Parse a seat and construct its bot. Raise `BotError` for an unknown bot or a wrong option."""
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
    """Return the options of a bot with their default values."""
    return MappingProxyType({name: parameter.default for name, parameter in inspect.signature(kind).parameters.items()})


def described() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the first line of documentation and the options of every bot, by name."""
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
    """Return the value of an option, converted to the type of its default. Raise `BotError`."""
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
    if number is None or not abs(number) <= _MOST:  # written so that NaN is refused too
        raise BotError(f"{key} of “{bot}” is a number, such as {default}, not “{value}”.")
    return number
