"""A bot at a seat: the bot and its own stream of chance, so that thinking longer changes no deal."""

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
"""What is usual where the same games must come out everywhere."""
IN_PLAY = Budget(milliseconds=90)
"""What is usual at a table."""


def seats_of(bots: str | Iterable[str], players: int) -> tuple[str, ...]:
    """A bot for every player: those listed (``"table,random"``) take turns. Raises `draftengine.bots.BotError`."""
    named = listed_in(bots)
    if not named:
        raise BotError("no bot is named.")
    if len(named) > players:
        raise BotError(f"{len(named)} bots are named, and {players} play.")
    return tuple(named[seat % len(named)] for seat in range(players))


def listed_in(bots: str | Iterable[str]) -> tuple[str, ...]:
    """The bots in a list or in a text with commas, all of which there are. Raises `draftengine.bots.BotError`."""
    if isinstance(bots, str):
        bots = [part for part in bots.split(",") if part.strip()]
    if not isinstance(bots, Iterable):
        raise BotError(f"Bots are named by a list of texts, or by a text with commas, not by {brief(bots)}.")
    return tuple(wanted(part).text for part in bots)


def prepare(texts: Iterable[str], program: Program, progress: Told) -> None:
    """Let bots do what they have to do once before their first game.

    Raises `draftengine.bots.BotError`.
    """
    for text in learners(texts):
        get_ready: Callable[[Program, Told], None] = wanted(text).bot.prepare  # type: ignore[attr-defined]
        get_ready(program, progress)


def learners(texts: Iterable[str]) -> list[str]:
    """The bots that have something to do once before their first game. Raises `draftengine.bots.BotError`."""
    return [text for text in dict.fromkeys(texts) if hasattr(wanted(text).bot, "prepare")]


class SeatedBot(Struct, frozen=True):
    """A bot at one seat of one game."""

    bot: Bot
    key: int
    budget: Budget = IN_SIMULATIONS

    @classmethod
    def at(cls, text: str, seed: int | str, seat: int, *, game: int = 0, usual: Budget = IN_SIMULATIONS) -> SeatedBot:
        """The bot that a text asks for, at a seat. Raises `draftengine.bots.BotError`."""
        return cls.of(text, key_of(root_of(seed), game, "bot", seat), usual=usual)

    @classmethod
    def of(cls, text: str, key: int, *, usual: Budget = IN_SIMULATIONS) -> SeatedBot:
        """The bot that a text asks for, with the key of its stream of chance. Raises `draftengine.bots.BotError`."""
        parsed = wanted(text)
        return cls(parsed.bot, key, parsed.budget or usual)

    def decide(self, seen: Observation) -> Decision:
        """The bot's decision. Its chance depends on seat and moment alone, so a game can be resumed anywhere."""
        moment = (seen.round << 32) + (seen.turn << 16) + seen.decision
        return self.bot.decide(seen, Stream(mix(self.key ^ mix(moment))), self.budget)
