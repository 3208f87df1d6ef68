"""The forms in which the text plays, behind one face."""

from draftengine.bots.tables import at_hand
from draftengine.compiled.player import Player


def compiled(program, policies):
    """Through LLVM."""
    return _player(program, policies, compiled=True)


def as_it_stands(program, policies):
    """In CPython, unspecialised."""
    return _player(program, policies, compiled=False)


def specialised(program, policies):
    """In CPython, specialised from the first game on."""
    player = _player(program, policies, compiled=False)
    player.specialise()
    return player


def _player(program, policies, *, compiled):
    worth = at_hand(program).worth if "table" in policies else None
    return Player(program, policies, logged=True, worth=worth, compiled=compiled)
