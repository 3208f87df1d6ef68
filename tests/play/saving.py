"""Saves to text and loads from it, without a disk."""

from __future__ import annotations

from draftengine.apps.play.saved import STOPPED, Lines, written


def to_text(saved):
    saved.catch_up()
    return written(saved, STOPPED, Lines())
