"""Cache of the findings about card sets, so that checking them again is instant.

Findings depend on the text, on what it extends and includes, and on draftengine itself. As long as none of these has
changed, the findings are the same. A cache file that is damaged, or that another version wrote, is ignored.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from draftengine import __version__
from draftengine.model.library.catalog import fetcher
from draftengine.support import caches

if TYPE_CHECKING:
    from draftengine.model.diagnostics.diagnostic import Diagnostic

    Asked = dict[str, str]
    """The files that a card set requests, by name, with hashes of their texts."""


class Entry(TypedDict):
    """A checked text."""

    asked: Asked
    findings: str
    """Findings as JSON, without the texts of their files; empty if there are none."""


MOST = 200
"""The number of texts in the cache. The oldest ones are removed first."""
_PLAYED = " played"


def is_sound(name: str, data: bytes, *, play: bool = False) -> bool:
    """True if the cache knows that a card set with this text has no findings.

    The files that the card set extends or includes must be unchanged. With `play`, test games must not have found
    anything either.
    """
    known = _known(name, data, play=play)
    return known is not None and not known[0]


def findings_in(name: str, label: str, data: bytes, *, play: bool = False) -> tuple[Diagnostic, ...]:
    """Return the findings about a card set, from the cache if possible; with `play`, also from games."""
    from msgspec import MsgspecError, json

    from draftengine.model.diagnostics.diagnostic import Diagnostic, ordered, with_sources
    from draftengine.model.yaml.load import read_source
    from draftengine.support.source import Source

    known = _known(name, data, play=play)
    if known is not None:
        texts = {label: data, **known[1]}
        sources = {file: read_source(text, file)[0] for file, text in texts.items()}
        with suppress(KeyError, MsgspecError):  # it is about another name of the file, or damaged
            findings = json.decode(known[0] or "[]", type=tuple[Diagnostic, ...])
            return tuple(with_sources(finding, sources.__getitem__) for finding in findings)

    from draftengine.api.scenario.suite import check_opened
    from draftengine.model.library.library import noted, open_text

    asked: dict[str, tuple[str, bytes] | None] = {}
    opened = open_text(label, data, noted(fetcher(name), asked))
    findings = check_opened(opened)
    if play and opened.document is not None:
        from draftengine.studies.playtest import playtest

        findings = ordered((*findings, *playtest(opened.document, findings)))
    small = json.encode([with_sources(finding, lambda file: Source(file, "")) for finding in findings]).decode()
    digests = {wanted: _digest_of(file) for wanted, file in asked.items()}
    _keep(_key(data, play=play), Entry(asked=digests, findings=small if findings else ""))
    return findings


def _known(name: str, data: bytes, *, play: bool) -> tuple[str, dict[str, bytes]] | None:
    """Return the cached findings about a text as JSON, and the texts of the files that it needs.

    The result is ``None`` if nothing is known or one of the files has changed.
    """
    entry = _kept(caches.program_key(__version__)).get(_key(data, play=play))
    if entry is None:
        return None
    fetch, texts = fetcher(name), {}
    for wanted, digest in entry["asked"].items():
        file = fetch(wanted)
        if _digest_of(file) != digest:
            return None
        if file is not None:
            texts[file[0]] = file[1]
    return entry["findings"], texts


def _digest_of(file: tuple[str, bytes] | None) -> str:
    return "" if file is None else _digest(file[1])


def _key(data: bytes, *, play: bool) -> str:
    return _digest(data) + _PLAYED * play


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _file() -> Path:
    return caches.folder() / "checked-1.json"


def _kept(program: str) -> dict[str, Entry]:
    """Return the cache that this version wrote; empty if the file is missing or damaged."""
    with suppress(OSError, ValueError, TypeError, KeyError, RecursionError):
        data = json.loads(_file().read_bytes())
        if data["program"] == program and data["check"] == _check_of(data["sets"]):
            sets: dict[str, Entry] = data["sets"]
            return sets
    return {}


def _check_of(sets: object) -> str:
    return _digest(json.dumps(sets).encode())


def _keep(key: str, entry: Entry) -> None:
    """Add a card set to the cache. If it cannot be written, the card set is checked again next time."""
    from draftengine.support.files import write_whole

    program = caches.program_key(__version__)
    kept = {**_kept(program), key: entry}
    sets = dict(list(kept.items())[-MOST:])
    with suppress(OSError):
        write_whole(_file(), json.dumps({"program": program, "check": _check_of(sets), "sets": sets}))
