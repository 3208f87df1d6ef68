"""Distillation: a network learns what the search thinks of moves, and then plays without searching.

`training` plays games with the search, and teaches a network with them. `distil` does that for a game, and finds the
levels that use the network. The network itself, and the bot that plays with it, are in `draftengine.bots.net`.
"""
