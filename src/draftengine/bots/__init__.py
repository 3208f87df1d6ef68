"""Bots: players that decide from an observation and know nothing else."""

from draftengine.bots.catalogue import SeatedBot
from draftengine.bots.protocol import Bot, BotError, Budget, Decision, ScoredMove

__all__ = ["Bot", "BotError", "Budget", "Decision", "ScoredMove", "SeatedBot"]
