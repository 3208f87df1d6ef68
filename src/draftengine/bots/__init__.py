"""Bots: players that decide by an observation and know nothing else."""

from draftengine.bots.catalogue import SeatedBot
from draftengine.bots.protocol import Bot, BotError, Budget, Decision, ScoredMove

__all__ = ["Bot", "BotError", "Budget", "Decision", "ScoredMove", "SeatedBot"]
