"""draftengine: a rules engine for drafting games in which a game is data."""

__version__ = "0.1.0"
