"""The file of a game that is put aside, without a disk."""

from __future__ import annotations

from draftengine.play.save import STOPPED, Lines, written


def to_text(saved):
    saved.catch_up()
    return written(saved, STOPPED, Lines())
