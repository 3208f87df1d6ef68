"""Bots: players that get an observation and nothing else."""

from draftengine.bots.catalogue import BotError
from draftengine.bots.protocol import Bot, Budget, Considered, Decision
from draftengine.bots.seats import Decider

__all__ = ["Bot", "BotError", "Budget", "Considered", "Decider", "Decision"]
