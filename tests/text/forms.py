"""The forms in which the text plays, behind one face."""

from draftengine.bots.worth.tables import at_hand
from draftengine.engine.players import GameRunner

RUBBISH = 5


def compiled(program, policies):
    """Through LLVM."""
    return _player(program, policies, compiled=True)


def as_it_stands(program, policies):
    """In CPython, unspecialised; its records begin with rubbish, as registers do when it is compiled.

    So nothing may be read of a game that it has not written.
    """
    player = _player(program, policies, compiled=False)
    for record in (player._games.records["state"], player._games.records["view"]):
        for name, field in type(record).fields.items():
            if field.way == "number":
                setattr(record, name, RUBBISH)
            elif field.way == "split":
                setattr(record, name, [RUBBISH] * len(getattr(record, name)))
    return player


def specialised(program, policies):
    """In CPython, specialised from the first game on."""
    player = _player(program, policies, compiled=False)
    player.specialise()
    return player


def _player(program, policies, *, compiled):
    worth = at_hand(program).worth if "table" in policies else None
    return GameRunner(program, policies, logged=True, worth=worth, compiled=compiled)
