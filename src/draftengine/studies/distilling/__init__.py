"""Distillation: the search's opinion of moves is taught to a network, which plays without searching.

`lessons` plays games with the search, `training` teaches a network from these, and `distil` does both for a game. The
network itself, and the bot that plays with it, are in `draftengine.bots.net`.
"""
