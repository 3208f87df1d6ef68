"""Compilation of a checked card set into a program: `compile_game`."""

from draftengine.engine.compile.game import compile_game

__all__ = ["compile_game"]
