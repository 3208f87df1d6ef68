"""Bots: players that get an observation and nothing else."""

from draftengine.bots.protocol import BOTS, Bot, bot_named
from draftengine.bots.seats import Decider

__all__ = ["BOTS", "Bot", "Decider", "bot_named"]
