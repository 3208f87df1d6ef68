"""The forms of the kernel, behind one interface."""

from zlib import crc32

from conftest import NIGHTLY
from draftengine.bots.worth.tables import at_hand
from draftengine.engine.chance import root_of
from draftengine.engine.forms import GameRunner
from draftengine.studies.runner.playing import ReferencePlayer

RUBBISH = 5


def compiled(program, policies):
    """Return the form compiled by LLVM."""
    return _player(program, policies, compiled=True)


def as_it_stands(program, policies):
    """Return the unspecialised form in CPython; its records start with arbitrary values.

    The kernel must therefore write each field of a game before reading it.
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
    """Return the form in CPython that is specialised before the first game."""
    player = _player(program, policies, compiled=False)
    player.specialise()
    return player


def play_alike(program, word, games):
    """Assert that the reference and the kernel as it stands play the same random games.

    So must machine code, by day for every third game. A game with every construct is compiled by day in any case.
    By night this number of games is played, and by day half of them.
    """
    games = games if NIGHTLY else -(-games // 2)
    seats = ["random"] * program.players
    reference = ReferencePlayer(program, seats, logged=True).play(root_of(word), 0, games, rows=True)
    assert as_it_stands(program, seats).play(root_of(word), 0, games, rows=True) == reference
    if NIGHTLY or crc32(f"{program.model.id} {program.players}".encode()) % 3 == 0:
        assert compiled(program, seats).play(root_of(word), 0, games, rows=True) == reference


def _player(program, policies, *, compiled):
    worth = at_hand(program).worth if "table" in policies else None
    return GameRunner(program, policies, logged=True, worth=worth, compiled=compiled)
