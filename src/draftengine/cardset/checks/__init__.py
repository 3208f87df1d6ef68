"""Semantic checks of a game."""


def run(model, players=None):
    return ()
