"""Distillation: the search's opinion of moves is taught to a network, which plays without searching.

`training` plays games with the search, and teaches a network from these. `distil` does that for a game, and finds the
levels that use the network. The network itself, and the bot that plays with it, are in `draftengine.bots.net`.
"""
