"""Frozen expectations: named parts of files, rewritten only if asked for by name.

``DRAFTENGINE_WRITE='sushi_draft-*,anniversary-2p'`` rewrites the parts whose names match one of the patterns. A run
that writes still fails and says what has changed, so that somebody reads the changes before they are trusted.
"""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def hold(found: Mapping[str, Any], kept: Mapping[str, Any], write: Callable[[dict[str, Any]], None]) -> None:
    """Assert that `found` equals the parts in `kept`; `write` saves the changes that were asked for."""
    changed = {name: own for name, own in found.items() if kept.get(name) != own}
    asked = [pattern.strip() for pattern in os.environ.get("DRAFTENGINE_WRITE", "").split(",")]
    written = {name: own for name, own in changed.items() if any(fnmatchcase(name, pattern) for pattern in asked)}
    if written:
        write({**kept, **written})
    assert not changed, "\n".join(
        [
            f"{len(changed)} differ from what is frozen, and {len(written)} of them were written now:",
            *(
                f"{'written' if name in written else 'differs' if name in kept else 'missing'}: {name}"
                for name in changed
            ),
            "If they are to change, name them: DRAFTENGINE_WRITE='PATTERN,PATTERN' writes what fits, and nothing else.",
        ]
    )
