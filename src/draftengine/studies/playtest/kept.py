"""Cache of playtest findings on disk, by the texts of a card set and the version of the program."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from draftengine import __version__
from draftengine.model.diagnostics.diagnostic import Diagnostic
from draftengine.support import caches
from draftengine.support.files import write_whole
from draftengine.support.source import Source, Span

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from draftengine.model.selection import Document


def read(document: Document) -> tuple[Diagnostic, ...] | None:
    """Return the cached findings of these texts; ``None`` if this version of the program has none."""
    path = _path(document)
    sources = {file.source.name: file.source for file in (*document.files, *document.parts)}
    with suppress(OSError, msgspec.MsgspecError, KeyError):
        findings = msgspec.json.decode(path.read_bytes(), type=tuple[Diagnostic, ...])
        caches.used(path)
        return tuple(
            replace(finding, span=Span(sources[finding.span.source.name], finding.span.start, finding.span.end))
            for finding in findings
        )
    return None


def write(document: Document, findings: Sequence[Diagnostic]) -> None:
    """Cache findings. If the file cannot be written, the games are played again next time."""
    small = [replace(each, span=replace(each.span, source=Source(each.span.source.name, ""))) for each in findings]
    with suppress(OSError):
        write_whole(_path(document), msgspec.json.encode(small).decode())


def _path(document: Document) -> Path:
    digest = hashlib.sha256(caches.program_key(__version__).encode())
    for file in (*document.files, *document.parts):
        named = f"\n{len(file.source.text)} {file.source.name}\n{file.source.text}"
        digest.update(named.encode("utf-8", "surrogatepass"))
    return caches.folder() / f"played-{digest.hexdigest()[:32]}.json"
