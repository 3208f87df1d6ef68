"""A bot at a seat: the bot and its own random stream, so that longer searches change no deal."""

from __future__ import annotations

from collections.abc import Iterable
from reprlib import repr as brief
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.bots.catalogue import wanted
from draftengine.bots.protocol import BotError, Budget
from draftengine.engine.chance import Stream, key_of, mix, root_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.bots.protocol import Bot, Decision
    from draftengine.bots.worth.ready import Told
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program

IN_SIMULATIONS = Budget(iterations=100)
"""Default budget where games must be reproducible."""
IN_PLAY = Budget(milliseconds=90)
"""Default budget at a table."""


def seats_of(bots: str | Iterable[str], players: int) -> tuple[str, ...]:
    """Return a bot for every player: those listed (``"table,random"``) take turns. Raise `BotError`."""
    named = listed_in(bots)
    if not named:
        raise BotError("no bot is named.")
    if len(named) > players:
        raise BotError(f"{len(named)} bots are named, and {players} play.")
    return tuple(named[seat % len(named)] for seat in range(players))


def listed_in(bots: str | Iterable[str]) -> tuple[str, ...]:
    """Return the bots in a list or in a text with commas. Raise `BotError` if one does not exist."""
    if isinstance(bots, str):
        bots = [part for part in bots.split(",") if part.strip()]
    if not isinstance(bots, Iterable):
        raise BotError(f"Bots are named by a list of texts, or by a text with commas, not by {brief(bots)}.")
    return tuple(wanted(part).text for part in bots)


def prepare(texts: Iterable[str], program: Program, progress: Told) -> None:
    """Prepare bots for their first game.

    Raise `draftengine.bots.BotError` for a wrong text.
    """
    for text in learners(texts):
        get_ready: Callable[[Program, Told], None] = wanted(text).bot.prepare  # type: ignore[attr-defined]
        get_ready(program, progress)


def learners(texts: Iterable[str]) -> list[str]:
    """Return the bots that must be prepared before their first game. Raise `BotError` for a wrong text."""
    return [text for text in dict.fromkeys(texts) if hasattr(wanted(text).bot, "prepare")]


class SeatedBot(Struct, frozen=True):
    """A bot at one seat of one game."""

    bot: Bot
    key: int
    budget: Budget = IN_SIMULATIONS

    @classmethod
    def at(cls, text: str, seed: int | str, seat: int, *, game: int = 0, usual: Budget = IN_SIMULATIONS) -> SeatedBot:
        """Return the bot for a text, at a seat. Raise `draftengine.bots.BotError` for a wrong text."""
        return cls.of(text, key_of(root_of(seed), game, "bot", seat), usual=usual)

    @classmethod
    def of(cls, text: str, key: int, *, usual: Budget = IN_SIMULATIONS) -> SeatedBot:
        """Return the bot for a text, with the key of its random stream. Raise `draftengine.bots.BotError`."""
        parsed = wanted(text)
        return cls(parsed.bot, key, parsed.budget or usual)

    def decide(self, seen: Observation) -> Decision:
        """Return the bot's decision. Its randomness depends only on seat and moment, so games can be resumed."""
        moment = (seen.round << 32) + (seen.turn << 16) + seen.decision
        return self.bot.decide(seen, Stream(mix(self.key ^ mix(moment))), self.budget)
