"""Bots: players that decide from an observation and know nothing else."""

from draftengine.bots.protocol import Bot, BotError, Budget, Decision, ScoredMove
from draftengine.bots.seats import SeatedBot

__all__ = ["Bot", "BotError", "Budget", "Decision", "ScoredMove", "SeatedBot"]
