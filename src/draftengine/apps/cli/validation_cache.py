"""Cache of card sets without findings, so that checking them again is instant.

Findings depend on the text, on what it extends and includes, and on draftengine itself. While none of these has
changed, there is still nothing to find. A cache file that is damaged, or of another draftengine, counts as none.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from draftengine import __version__
from draftengine.model.library.catalog import fetcher
from draftengine.support import caches

if TYPE_CHECKING:
    from draftengine.model.diagnostics.diagnostic import Diagnostic

    Asked = dict[str, str]
    """The files that a card set asks for, by name, with hashes of their texts."""

MOST = 200
"""The number of texts in the cache; the oldest ones go first."""
_PLAYED = " played"


def is_sound(name: str, data: bytes, *, play: bool = False) -> bool:
    """True if a card set with this text, and all that it asks for, is known to have no findings.

    With `play`, test games must have found nothing either.
    """
    asked = _kept(caches.program_key(__version__)).get(_key(data, play=play))
    if asked is None:
        return False
    fetch = fetcher(name)
    return all(_digest_of(fetch(wanted)) == digest for wanted, digest in asked.items())


def findings_in(name: str, label: str, data: bytes, *, play: bool = False) -> tuple[Diagnostic, ...]:
    """Return the findings about a card set, with `play` also from games. Cache it if there are none."""
    from draftengine.api.scenario.suite import check_opened
    from draftengine.model.diagnostics.diagnostic import ordered
    from draftengine.model.library.library import noted, open_text

    asked: dict[str, tuple[str, bytes] | None] = {}
    opened = open_text(label, data, noted(fetcher(name), asked))
    findings = check_opened(opened)
    if play and opened.document is not None:
        from draftengine.studies.playtest import playtest

        findings = ordered((*findings, *playtest(opened.document, findings)))
    if not findings:
        _keep(_key(data, play=play), {wanted: _digest_of(file) for wanted, file in asked.items()})
    return findings


def _digest_of(file: tuple[str, bytes] | None) -> str:
    return "" if file is None else _digest(file[1])


def _key(data: bytes, *, play: bool) -> str:
    return _digest(data) + _PLAYED * play


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _file() -> Path:
    return caches.folder() / "sound-1.json"


def _kept(program: str) -> dict[str, Asked]:
    """Return the cache of this program; empty if the file is missing or damaged."""
    with suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
        data = json.loads(_file().read_bytes())
        if data["program"] == program and data["check"] == _check_of(data["sets"]):
            sets: dict[str, Asked] = data["sets"]
            return sets
    return {}


def _check_of(sets: object) -> str:
    return _digest(json.dumps(sets).encode())


def _keep(key: str, asked: Asked) -> None:
    """Add a card set to the cache. If it cannot be written, the card set is checked again next time."""
    from draftengine.support.files import write_whole

    program = caches.program_key(__version__)
    kept = {**_kept(program), key: asked}
    sets = dict(list(kept.items())[-MOST:])
    with suppress(OSError):
        write_whole(_file(), json.dumps({"program": program, "check": _check_of(sets), "sets": sets}))
