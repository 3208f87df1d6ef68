"""Distillation: what the search thinks of moves becomes a network that plays without searching.

`lessons` plays games with the search, `training` makes a network of what it thought, and `distil` does both for a game.
The network itself, and the bot that plays by it, are in `draftengine.bots.net`.
"""
