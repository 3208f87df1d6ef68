"""Where tables of worths are found: in memory, in the package, in the user's cache; or they are learnt now.

A game without a table of its own can borrow the nearest one of the package.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from draftengine.bots.worth import learning
from draftengine.bots.worth.kept import VERSION, WorthFile, decode, encode, traits_of
from draftengine.bots.worth.learning import Learned
from draftengine.bots.worth.sharing import players
from draftengine.engine.worth_tables import no_worth
from draftengine.support import caches
from draftengine.support.files import replacing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from draftengine.engine.program import Program

_PACKAGE = Path(__file__).resolve().parents[2]
SHIPPED = _PACKAGE / "learnt" if (_PACKAGE / "learnt").is_dir() else _PACKAGE.parents[1] / "learnt"
"""Where the tables are that come with the package, one for every shipped game and number of players."""
SUFFIX = ".table"
_ENOUGH = 0.5
"""A table that says nothing about half of the cards of a game is not worth borrowing."""

_Key = tuple[str, int]
_known: dict[_Key, Learned] = {}
"""What was learnt of games, by their rules and the number of players."""
_borrowed: dict[_Key, tuple[WorthFile, Learned]] = {}
"""What games without a table of their own know from others."""
_meanwhile: dict[_Key, Learned] = {}
"""Games whose cards stay unknown in this process: bots and hints look at points alone."""
_looking = RLock()
_learning: dict[_Key, RLock] = {}
"""Who learns the cards of a game: others who want the same wait. Who only looks what is known waits for nobody."""


def learned(program: Program, progress: Callable[[float], None] = lambda _: None) -> Learned:
    """What is known of the cards of a game; learnt now, if nobody has before. `progress` hears how far that is.

    Learning begins with what is known of the nearest game of the package, if there is one.
    """
    with _learning.setdefault(_key(program), RLock()):
        if not is_learned(program):
            progress(0.0)
            kept = nearest(program)
            before = kept.learned(program).worth if kept else None
            with players(program) as play:
                _known[_key(program)] = result = learning.learn(program, progress, play, before)
            _write(_file(program), encode(result))
    return _known[_key(program)]


def do_without(program: Program, *, learn: bool) -> None:
    """Let nobody in this process wait for the cards of a game; `learn` them in another one, for later games.

    That one ends with this one.
    """
    _meanwhile[_key(program)] = Learned(no_worth(program), 0.0)
    if learn:
        from multiprocessing import get_context  # noqa: PLC0415 (takes a while to import)

        get_context("spawn").Process(target=learn_in_background, args=(program,), daemon=True).start()


def is_left_out(program: Program) -> bool:
    """True if nobody in this process waits for the cards of a game to be learnt."""
    return _key(program) in _meanwhile


def learn_in_background(program: Program) -> None:
    """Learn in a process of its own, while others have the processor first."""
    if hasattr(os, "nice"):
        os.nice(15)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    learned(program)


def is_learned(program: Program) -> bool:
    """Has somebody learnt the cards of this very game."""
    with _looking:
        if _key(program) not in _known:
            files = [*SHIPPED.glob(f"*{_end(program)}"), _file(program)]
            kept = next(
                (candidate for candidate in map(_read, files) if candidate is not None and candidate.fits(program)),
                None,
            )
            if kept is not None:
                caches.used(_file(program))
                _known[_key(program)] = kept.learned(program)
        return _key(program) in _known


def at_hand(program: Program) -> Learned:
    """Return what is known of the cards of a game, if need be from another one (see `lender`)."""
    if _key(program) in _meanwhile:
        return _meanwhile[_key(program)]
    if lender(program) is None:
        return learned(program)
    return _borrowed[_key(program)][1]


def lender(program: Program) -> WorthFile | None:
    """The table that a game without one of its own borrows; ``None`` if it has one, or nothing is near enough."""
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
    """The table of the package that is made for the most similar rules; ``None`` if it knows too few of the cards."""
    traits = traits_of(program)
    closest = min(_shipped(), key=lambda kept: kept.distance(program, traits), default=None)
    return closest if closest is not None and closest.knows(program) >= _ENOUGH else None


def encoded(program: Program) -> bytes:
    """What is known of the cards of a game, for other processes; nothing, if nobody has learnt them."""
    return encode(learned(program)) if is_learned(program) else b""


def adopt(program: Program, data: bytes) -> None:
    """Know from now on what another process has learnt of a game, as it was encoded there."""
    kept = decode(data) if data and _key(program) not in _known else None
    if kept is not None and kept.fits(program):
        _known[_key(program)] = kept.learned(program)


def name_of(kept: WorthFile) -> str:
    """The name of the file of a table in the package: for people, and at its end for those who look it up."""
    return "-".join((kept.cardset, *kept.selected)) + _ending(kept.rules, kept.players)


def _key(program: Program) -> _Key:
    return program.rules_hash, program.players


def _end(program: Program) -> str:
    return _ending(*_key(program))


def _ending(rules: str, seats: int) -> str:
    return f".{seats}p.{rules[:16]}{SUFFIX}"


def _file(program: Program) -> Path:
    """Where what is learnt of a game is kept for this user."""
    return caches.folder() / f"worth-{VERSION}{_end(program)}"


def _shipped() -> Iterator[WorthFile]:
    loaded = (_read(file) for file in sorted(SHIPPED.glob(f"*{SUFFIX}")))
    return (kept for kept in loaded if kept is not None)


def _read(file: Path) -> WorthFile | None:
    """What a file says; ``None`` if there is none that can be read."""
    try:
        return decode(file.read_bytes())
    except OSError:
        return None


def _write(file: Path, data: bytes) -> None:
    """Keep it. Without a place to write it is learnt again next time."""
    with suppress(OSError):
        with replacing(file) as out:
            out.write(data)
        caches.trim()
