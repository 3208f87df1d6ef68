"""Saves to text and loads from it, without a disk."""

from __future__ import annotations

from draftengine.apps.play.save_format import Lines, written
from draftengine.apps.play.saved import STOPPED


def to_text(saved):
    saved.catch_up()
    return written(saved, STOPPED, Lines())
