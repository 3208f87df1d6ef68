"""Fixes of card sets: those that are certain are written to the file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draftengine.model.diagnostics.diagnostic import Edit

_ROUNDS = 20
"""The number of passes over a file, as one mistake can hide another; the rest is left."""

_MARK = "\ufeff"


def mend(name: str) -> None:
    """Apply all certain fixes to a file, then list them on standard error.

    Raises `OSError` if the file cannot be written.
    """
    from draftengine.api.scenario.suite import check_bytes
    from draftengine.apps.cli.opening import in_words
    from draftengine.model.diagnostics.render.text import escaped
    from draftengine.model.library.library import read_bytes
    from draftengine.model.yaml.fixes import certain_edits, edited
    from draftengine.support.files import write_whole

    with in_words():
        label, data = read_bytes(name)
        done: list[str] = []
        for _ in range(_ROUNDS):
            edits = certain_edits(check_bytes(name, label, data), label)
            if not edits:
                break
            for edit in edits:
                line, column = edit.place.position
                done.append(f"{escaped(label)}:{line}:{column}: {escaped(_said(edit))}\n")
            mark = _MARK if data.startswith(_MARK.encode()) else ""
            data = (mark + edited(edits[0].place.source.text, edits)).encode()
    if done:
        write_whole(Path(name), data.decode())
        sys.stderr.write("".join(done))


def _said(edit: Edit) -> str:
    """Return what an edit did, in words."""
    place = edit.place
    old = place.source.text[place.start : place.end].strip()
    new = " ".join(edit.new_text.split())
    if not old:
        return f"added “{new}”"
    return f"“{old}” is now “{new}”" if new else f"took out “{old}”"
