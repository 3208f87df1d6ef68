"""From a checked model to a program: `compile_game`."""

from draftengine.engine.compile.game import compile_game

__all__ = ["compile_game"]
