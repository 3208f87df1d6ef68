"""The file of a game that is put aside, without a disk."""

from __future__ import annotations

from draftengine.play.save import Lines, written
from draftengine.play.saved import STOPPED


def to_text(saved):
    saved.catch_up()
    return written(saved, STOPPED, Lines())
