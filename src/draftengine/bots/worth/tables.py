"""Storage of worth tables: in memory, in the package or in the user's cache.

A missing table is learnt. A game without a table can also borrow the table of the most similar game in the package.
Before bots play a game, they *learn the cards*: the game's table is made (`learn_cards`). This is skipped where nobody
should wait.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from contextlib import suppress
from math import inf
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from draftengine.bots.worth import learning
from draftengine.bots.worth.kept import VERSION, WorthFile, decode, encode, traits_of
from draftengine.bots.worth.learning import Learned, players
from draftengine.engine.policies import no_worth
from draftengine.support import caches
from draftengine.support.files import replacing

if TYPE_CHECKING:
    from draftengine.engine.program import Program

_PACKAGE = Path(__file__).resolve().parents[2]
SHIPPED = _PACKAGE / "learnt" if (_PACKAGE / "learnt").is_dir() else _PACKAGE.parents[1] / "learnt"
"""The folder of the shipped tables, one for every shipped game and number of players."""
SUFFIX = ".table"
_ENOUGH = 0.5
"""The share of a game's cards that a table must cover to be borrowed."""

_Key = tuple[str, int]
_known: dict[_Key, Learned] = {}
"""Tables of games, by hash of the rules and number of players."""
_borrowed: dict[_Key, tuple[WorthFile, Learned]] = {}
"""Tables that games borrow because they have none, with the part of each table that suits the game."""
_meanwhile: dict[_Key, Learned] = {}
"""Games whose tables this process does not learn. In these games, bots and hints consider only points."""
_looking = RLock()
_learning: dict[_Key, RLock] = {}
"""A lock for each game that is being learnt: threads that need the table wait, but lookups do not."""


def learned(program: Program, progress: Callable[[float], None] = lambda _: None) -> Learned:
    """Return the table of a game, and learn it if needed. `progress` gets the completed share.

    Learning starts from the table of the most similar game in the package, if there is one.
    """
    with _learning.setdefault(_key(program), RLock()):
        if not is_learned(program):
            progress(0.0)
            kept = nearest(program)
            before = kept.learned(program).worth if kept else None
            with players(program) as play:
                _known[_key(program)] = result = learning.learn(program, progress, play, before)
            with suppress(OSError):  # if it cannot be stored, it is learnt again next time
                with replacing(_file(program)) as out:
                    out.write(encode(result))
                caches.trim()
    return _known[_key(program)]


def do_without(program: Program, *, learn: bool) -> None:
    """Let this process play without the table of a game. With `learn`, another process makes the table.

    The other process ends with this one.
    """
    _meanwhile[_key(program)] = Learned(no_worth(program), 0.0)
    if learn:
        from multiprocessing import get_context  # noqa: PLC0415 (slow to import)

        get_context("spawn").Process(target=learn_in_background, args=(program,), daemon=True).start()


def is_left_out(program: Program) -> bool:
    """True if this process plays without waiting for the table of a game."""
    return _key(program) in _meanwhile


def learn_in_background(program: Program) -> None:
    """Learn a table in a separate process, at low priority, ignoring interrupts."""
    if hasattr(os, "nice"):
        os.nice(15)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    learned(program)


def is_learned(program: Program) -> bool:
    """True if the table of exactly this game is in memory or in a file. A file is loaded."""
    with _looking:
        if _key(program) not in _known:
            files = [*SHIPPED.glob(f"*{_end(program)}"), _file(program)]
            kept = next((kept for kept in filter(None, map(_read, files)) if kept.fits(program)), None)
            if kept is not None:
                caches.used(_file(program))
                _known[_key(program)] = kept.learned(program)
        return _key(program) in _known


def at_hand(program: Program) -> Learned:
    """Return the table of a game, or a borrowed one (see `lender`). If there is neither, learn the table."""
    if _key(program) in _meanwhile:
        return _meanwhile[_key(program)]
    if lender(program) is None:
        return learned(program)
    return _borrowed[_key(program)][1]


def lender(program: Program) -> WorthFile | None:
    """Return the table that a game borrows; ``None`` if it has a table, or if no other is similar enough."""
    key = _key(program)
    if key in _known or key in _meanwhile:
        return None
    with _looking:
        if key not in _borrowed:
            kept = None if is_learned(program) else nearest(program)
            if kept is None:
                return None
            _borrowed[key] = kept, kept.learned(program)
        return _borrowed[key][0]


def nearest(program: Program) -> WorthFile | None:
    """Return the shipped table of the most similar game; ``None`` if it covers too few cards."""
    traits = traits_of(program)
    shipped = filter(None, map(_read, sorted(SHIPPED.glob(f"*{SUFFIX}"))))
    closest = min(shipped, key=lambda kept: kept.distance(program, traits), default=None)
    if closest is None or closest.distance(program, traits) == inf or closest.knows(program) < _ENOUGH:
        return None
    return closest


def encoded(program: Program) -> bytes:
    """Return the table of a game in a form for other processes; empty if it has not been learnt."""
    return encode(learned(program)) if is_learned(program) else b""


def adopt(program: Program, data: bytes) -> None:
    """Use a table that another process has sent in the form of `encoded`."""
    kept = decode(data) if data and _key(program) not in _known else None
    if kept is not None and kept.fits(program):
        _known[_key(program)] = kept.learned(program)


def name_of(kept: WorthFile) -> str:
    """Return the file name of a shipped table. It begins with a readable part and ends with a unique one."""
    return "-".join((kept.cardset, *kept.selected)) + _ending(kept.rules, kept.players)


def _key(program: Program) -> _Key:
    return program.rules_hash, program.players


def _end(program: Program) -> str:
    return _ending(*_key(program))


def _ending(rules: str, seats: int) -> str:
    return f".{seats}p.{rules[:16]}{SUFFIX}"


def _file(program: Program) -> Path:
    """Return the path of this user's table for a game."""
    return caches.folder() / f"worth-{VERSION}{_end(program)}"


def _read(file: Path) -> WorthFile | None:
    """Return the table in a file; ``None`` if the file cannot be read."""
    try:
        return decode(file.read_bytes())
    except OSError:
        return None


LEARNING, COMPILING = "learning", "compiling"
Told = Callable[[str, float], None]
"""A callback that gets the current task (`LEARNING` or `COMPILING`) and its completed share (0 to 1)."""


def learn_cards(program: Program, progress: Told) -> None:
    """Learn the cards of a game, unless its table exists or this process does not wait for it."""
    if is_left_out(program):
        return
    learned(program, lambda share: progress(LEARNING, share))
