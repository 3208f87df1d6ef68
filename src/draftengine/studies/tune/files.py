"""Tunings that can be gone on with: what was counted so far, in the folder of what can be made again."""

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
    """What was counted with a seed."""

    version: Literal[1]
    seed: int | str
    games: int
    counts: list[Count]


def file_of(question: TuningTarget, bots: Sequence[str]) -> Path:
    """Where the answer to a question is kept: another one for other rules, values, bots or targets."""
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
    """What is kept there of so many values; ``None`` if there is nothing, or nothing that can be used."""
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=Kept)
    except (OSError, msgspec.MsgspecError):
        return None
    return kept if len(kept.counts) == values else None


def write(path: Path, trials: Trials) -> None:
    """Keep what was counted. Without a place to write it is counted again next time."""
    with suppress(OSError):
        write_whole(path, msgspec.json.encode(Kept(VERSION, trials.now.seed, trials.games, trials.counts)).decode())
        caches.trim()
