"""Bots: players that get an observation and nothing else."""

from draftengine.bots.protocol import Bot, BotError, Budget, ScoredMove, Decision
from draftengine.bots.seats import SeatedBot

__all__ = ["Bot", "BotError", "Budget", "ScoredMove", "SeatedBot", "Decision"]
