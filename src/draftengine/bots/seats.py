"""A bot at a seat: the bot and its own stream of chance, so that thinking longer changes no deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.bots.protocol import bot_named
from draftengine.engine.chance import Stream, key_of, mix, root_of

if TYPE_CHECKING:
    from draftengine.bots.protocol import Bot
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation


class Decider(Struct, frozen=True):
    """A bot at one seat of one game."""

    bot: Bot
    key: int

    @classmethod
    def at(cls, name: str, seed: int | str, seat: int, *, game: int = 0) -> Decider:
        """The bot `name` at a seat. Raises `KeyError` if there is no such bot."""
        return cls(bot_named(name), key_of(root_of(seed), game, "bot", seat))

    def decide(self, seen: Observation) -> Move:
        """The bot's move. Its chance depends on the seat and the moment alone, so a game can be resumed anywhere."""
        moment = (seen.round << 32) + (seen.turn << 16) + seen.decision
        return self.bot(seen, Stream(mix(self.key ^ mix(moment))))
