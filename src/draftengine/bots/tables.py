"""Tables of worths, learnt when a game needs them first and kept on disk."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from draftengine import caches
from draftengine.bots import learning
from draftengine.bots.learning import Learned
from draftengine.bots.sharing import players
from draftengine.engine import effects, policies, preview, prospect, worth
from draftengine.engine.compile import plays, rules
from draftengine.engine.worth import Worth, counters_of, size_of
from draftengine.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.engine.program import Program

_known: dict[tuple[str, int], Learned] = {}


def learned(program: Program, told: Callable[[float], None] = lambda _: None) -> Learned:
    """What is known of the cards of a game; learnt now, if nobody has before. `told` is told how far that is."""
    key = program.rules_hash, program.players
    if key not in _known:
        file = _file(program)
        found = _read(file, program)
        if found is None:
            told(0.0)
            with players(program) as play:
                found = learning.learn(program, told, play)
            _write(file, found)
        _known[key] = found
    return _known[key]


def is_learned(program: Program) -> bool:
    """Is all known already."""
    return (program.rules_hash, program.players) in _known or _read(_file(program), program) is not None


def _file(program: Program) -> Path:
    return caches.folder() / f"worth-{_version()}-{program.rules_hash[:32]}-{program.players}.json"


@cache
def _version() -> str:
    """Of what is learnt, and how: another one with every change of the source."""
    modules = (learning, effects, plays, policies, preview, prospect, rules, worth)
    files = [Path(module.__file__ or "") for module in modules]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]


def _read(file: Path, program: Program) -> Learned | None:
    """What a file says; ``None`` if there is none that can be read."""
    try:
        data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
        values = tuple(map(int, data["values"]))
        lead = float(data["lead"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return Learned(Worth(program, counters_of(program), values), lead) if len(values) == size_of(program) else None


def _write(file: Path, found: Learned) -> None:
    """Keep it. Without a place to write it is learnt again next time."""
    with suppress(OSError):
        write_whole(file, json.dumps({"lead": found.lead, "values": found.worth.values}))
