"""What was frozen: parts of files, each under a name, that are written again only where somebody asks for it by name.

``DRAFTENGINE_WRITE='sushi_draft-*,anniversary-2p'`` writes the parts of which the names fit one of the patterns. A run
that writes fails all the same, and says what has changed: what is frozen is read before it is believed.
"""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def hold(found: Mapping[str, Any], kept: Mapping[str, Any], write: Callable[[dict[str, Any]], None]) -> None:
    """Assert that what is found now is what is kept under the same names; `write` keeps what was asked for."""
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
