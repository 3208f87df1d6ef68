"""Bots: players that get an observation and nothing else."""

from draftengine.bots.protocol import Bot, BotError, Budget, Considered, Decision
from draftengine.bots.seats import Decider

__all__ = ["Bot", "BotError", "Budget", "Considered", "Decider", "Decision"]
