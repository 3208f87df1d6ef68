"""Bots: players that get an observation and nothing else."""

from draftengine.bots.protocol import Bot, BotError, Budget, Decision, ScoredMove
from draftengine.bots.seats import SeatedBot

__all__ = ["Bot", "BotError", "Budget", "Decision", "ScoredMove", "SeatedBot"]
