"""Files with the counts of unfinished tunings, in the cache folder, so that a tuning can be continued."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct

from draftengine.studies.tune.tune import Count  # noqa: TC001 (msgspec reads the annotation)
from draftengine.support import caches
from draftengine.support.files import write_whole

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from draftengine.studies.tune.candidates import TuningTarget
    from draftengine.studies.tune.tune import Trials

VERSION: Literal[1] = 1


class Kept(Struct, frozen=True):
    """Counts of a tuning with their seed, as kept in a file."""

    version: Literal[1]
    seed: int | str
    games: int
    counts: list[Count]


def file_of(question: TuningTarget, bots: Sequence[str]) -> Path:
    """Return the path of the file for a question; it depends on rules, players, values, bots and target."""
    target, figure = question.target, question.target.figure
    asked = [
        question.game.fingerprint,
        question.game.players,
        list(bots),
        [(value, game.fingerprint) for value, game in question.games.items()],
        [figure.kind, figure.of, repr(target.low), repr(target.high), repr(target.aim)],
    ]
    digest = hashlib.sha256(msgspec.json.encode(asked)).hexdigest()
    return caches.folder() / f"tune-{digest[:24]}.json"


def read(path: Path, values: int) -> Kept | None:
    """Read the counts of `values` values; ``None`` if there is no usable file."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=Kept)
    except (OSError, msgspec.MsgspecError):
        return None
    return kept if len(kept.counts) == values else None


def write(path: Path, trials: Trials) -> None:
    """Write the counts of the trials. If that fails, the games are played again next time."""
    with suppress(OSError):
        write_whole(path, msgspec.json.encode(Kept(VERSION, trials.now.seed, trials.games, trials.counts)).decode())
        caches.trim()
