"""The catalogue of bots, and texts that name a bot for a seat: ``NAME`` or ``NAME:option=value:…``.

``iterations`` and ``ms`` set the budget of any bot. Every other option is a keyword argument of the bot's class. Other
packages add bots through entry points in the group ``draftengine.bots``. Each bot has its own random stream, so a
longer search does not change how cards are dealt.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from functools import cache
from pkgutil import resolve_name
from reprlib import repr as brief
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

from draftengine.bots.outsiders import COMMAND, admit, legal, outsider
from draftengine.bots.protocol import BotError, Budget, Decision
from draftengine.engine.chance import Stream, key_of, mix, root_of
from draftengine.model.diagnostics.suggest import did_you_mean
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Mapping
    from importlib.metadata import EntryPoints

    from draftengine.bots.protocol import Bot, NamedBot
    from draftengine.bots.worth.tables import Told
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program

BotKind = Callable[..., "Bot"]
"""The class of a bot, or another callable that makes one.

The first line of its docstring describes the bot to users; its keyword arguments are the options.
"""

Named: TypeAlias = "str | Iterable[str | Bot | NamedBot | Callable[[Observation], Move]]"
"""The ways to pass bots: a text with commas, or a list of texts, functions, and objects with `decide`."""

BUILT_IN: MappingProxyType[str, str] = MappingProxyType(
    {
        "random": "draftengine.bots.simple:RandomBot",
        "greedy": "draftengine.bots.simple:GreedyBot",
        "table": "draftengine.bots.simple:TableBot",
        "network": "draftengine.bots.simple:NetworkBot",
        "flat": "draftengine.bots.search.bot:FlatBot",
        "search": "draftengine.bots.search.bot:SearchBot",
        "level": "draftengine.bots.levels:Level",
        "easy": "draftengine.bots.levels:Easy",
        "medium": "draftengine.bots.levels:Medium",
        "hard": "draftengine.bots.levels:Hard",
        "expert": "draftengine.bots.levels:Expert",
    }
)
"""Import paths of the package's bots, by name. A class is imported only when its bot is requested."""

_LISTED = re.compile(r"""(?:'[^']*'|"[^"]*"|[^,'"])+""")
"""A part of a list of bots."""
_WHOLE = re.compile(r"""(['"])(?P<inside>(?:(?!\1).)*)\1""")
"""A part that is in quotation marks from its beginning to its end."""
_MOST = 1_000_000
_BUDGET = {"iterations": "iterations", "ms": "milliseconds"}


class BotSpec(Struct, frozen=True):
    """A parsed text that names a bot: the bot and its budget."""

    text: str
    bot: Bot
    budget: Budget | None
    """The budget that the text states; ``None`` if it states none, so that a default applies."""


def names() -> tuple[str, ...]:
    """Return the names of all bots. Those of this package come first."""
    return (*BUILT_IN, *(entry.name for entry in _added() if entry.name not in BUILT_IN))


def _added() -> EntryPoints:
    """Return the bots of other packages."""
    from importlib.metadata import entry_points  # noqa: PLC0415 (slow to import)

    return entry_points(group="draftengine.bots")


def kind_named(name: str) -> BotKind:
    """Return the class of a bot. Raise `BotError` if there is no such bot."""
    if name in BUILT_IN:
        kind: BotKind = resolve_name(BUILT_IN[name])
        return kind
    for entry in _added():
        if entry.name == name:
            loaded: BotKind = entry.load()
            return loaded
    known = names()
    hint = did_you_mean(name, known) or said("command.there_are", names=", ".join(known))
    raise BotError(said("bot.unknown", name=name, hint=hint))


def wanted(text: str) -> BotSpec:
    """Parse a text that names a bot with options, and construct the bot.

    Raise `BotError` for an unknown bot or a wrong option.
    """
    if not isinstance(text, str):
        raise BotError(f"A bot is named by a text, such as “search:iterations=500”, not by {brief(text)}.")
    text = text.strip()
    bot = outsider(text)
    if bot is not None:
        return BotSpec(text, bot, None)
    name, *written = (f"level:strength={text}" if text.isdecimal() else text).split(":")
    kind = kind_named(name)
    budget, options = {}, {}
    for part in written:
        key, equals, value = part.partition("=")
        if not equals or not key or not value:
            raise BotError(said("bot.no_option", part=part, bot=name, example=f"{name}:iterations=200"))
        if key in _BUDGET:
            if not value.isdecimal() or len(value) > len(str(_MOST)) or not 1 <= int(value) <= _MOST:
                raise BotError(said("bot.whole", key=key, bot=name, most=_MOST, value=value))
            budget[_BUDGET[key]] = int(value)
        else:
            options[key] = _value(name, key, value, options_of(kind))
    return BotSpec(text, kind(**options), Budget(**budget) if budget else None)


@cache
def options_of(kind: BotKind) -> Mapping[str, Any]:
    """Return the options of a bot with their default values."""
    return MappingProxyType({name: parameter.default for name, parameter in inspect.signature(kind).parameters.items()})


def described() -> dict[str, tuple[str, dict[str, Any]]]:
    """Return the description for users, and the options with default values, of each bot, by its name."""
    result = {}
    for name in names():
        kind = kind_named(name)
        result[name] = ((kind.__doc__ or "").strip().partition("\n")[0], dict(options_of(kind)))
    return result


def _value(bot: str, key: str, value: str, known: Mapping[str, Any]) -> Any:
    """Return the value of an option, converted to the type of its default.

    Raise `BotError` for an unknown option or a wrong value.
    """
    if key not in known:
        options = (*_BUDGET, *known)
        hint = did_you_mean(key, options) or said("command.there_are", names=", ".join(options))
        raise BotError(said("bot.unknown_option", bot=bot, key=key, hint=hint))
    default = known[key]
    if not isinstance(default, int | float):
        return value
    try:
        number = type(default)(value)
    except ValueError:
        number = None
    if number is None or not abs(number) <= _MOST:  # this form also refuses NaN
        raise BotError(said("bot.number", key=key, bot=bot, example=str(default), value=value))
    return number


IN_SIMULATIONS = Budget(iterations=100)
"""The default budget in simulations, which must be reproducible."""
IN_PLAY = Budget(milliseconds=90)
"""The default budget at a table, where people wait."""


def seats_of(bots: Named, players: int) -> tuple[str, ...]:
    """Return one text for each player, which names the player's bot.

    If fewer bots are given (``"table,random"``), the list is repeated. Raise `BotError` if there are too many, or
    if a text is invalid.
    """
    named = listed_in(bots)
    if not named:
        raise BotError(said("bot.none_named"))
    if len(named) > players:
        raise BotError(said("bot.many_named", count=len(named), players=players))
    return tuple(named[seat % len(named)] for seat in range(players))


def listed_in(bots: Named) -> tuple[str, ...]:
    """Return the texts that name bots, from a list or from one text with commas.

    Commas in quotation marks separate nothing. Marks around a whole part are removed; others belong to its command.
    Raise `BotError` if a text is invalid. Bots from outside the package may be used in this process from now on
    (see `draftengine.bots.outsiders`).
    """
    if isinstance(bots, str):
        if _LISTED.sub("", bots).strip(","):
            raise BotError(said("bot.quotes", text=bots))
        parts = filter(None, map(str.strip, _LISTED.findall(bots)))
        bots = [whole["inside"] if (whole := _WHOLE.fullmatch(part)) else part for part in parts]
    if not isinstance(bots, Iterable):
        raise BotError(f"Bots are named by a list of texts, or by a text with commas, not by {brief(bots)}.")
    texts = [getattr(part, "text", part) for part in bots]
    return tuple(
        wanted(part).text if isinstance(part, str) and not part.startswith(COMMAND) else admit(part) for part in texts
    )


def prepare(texts: Iterable[str], program: Program, progress: Told) -> None:
    """Prepare bots for their first game, and report to `progress`.

    Raise `draftengine.bots.BotError` if a text is invalid.
    """
    for text in learners(texts):
        get_ready: Callable[[Program, Told], None] = wanted(text).bot.prepare  # type: ignore[attr-defined]
        get_ready(program, progress)


def learners(texts: Iterable[str]) -> list[str]:
    """Return the texts that name bots which need preparation before their first game.

    Raise `BotError` if a text is invalid.
    """
    return [text for text in dict.fromkeys(texts) if hasattr(wanted(text).bot, "prepare")]


class SeatedBot(Struct, frozen=True):
    """A bot at one seat of one game, with the key of its random stream."""

    bot: Bot
    key: int
    budget: Budget = IN_SIMULATIONS

    @classmethod
    def at(cls, text: str, seed: int | str, seat: int, *, game: int = 0, usual: Budget = IN_SIMULATIONS) -> SeatedBot:
        """Return the bot that a text names, at a seat of a game.

        Raise `draftengine.bots.BotError` if a text is invalid.
        """
        return cls.of(text, key_of(root_of(seed), game, "bot", seat), usual=usual)

    @classmethod
    def of(cls, text: str, key: int, *, usual: Budget = IN_SIMULATIONS) -> SeatedBot:
        """Return the bot that a text names, with the key of its random stream.

        Raise `draftengine.bots.BotError`.
        """
        parsed = wanted(text)
        return cls(parsed.bot, key, parsed.budget or usual)

    def decide(self, seen: Observation) -> Decision:
        """Return the bot's decision. Raise `BotError` if its move is not legal.

        A bot can also return a move alone. Its randomness depends only on the seat and the point of the game, so games
        can be resumed.
        """
        moment = (seen.round << 32) + (seen.turn << 16) + seen.decision
        decided: Decision | Move = self.bot.decide(seen, Stream(mix(self.key ^ mix(moment))), self.budget)
        move = legal(getattr(decided, "move", decided), seen, type(self.bot).__name__)
        return decided if isinstance(decided, Decision) else Decision(move)
