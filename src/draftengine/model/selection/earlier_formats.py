"""Documents of earlier formats: as they were written, and their files rewritten in the present format."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.diagnostics.diagnostic import ordered
from draftengine.model.selection.document import Opener
from draftengine.model.yaml.load import load
from draftengine.model.yaml.rewriting import rewritten
from draftengine.model.yaml.tree import plain
from draftengine.support.source import Source

if TYPE_CHECKING:
    from draftengine.model.selection.document import Document, Fetch
    from draftengine.model.selection.errors import Findings
    from draftengine.support.identity import IdentityKey


@lru_cache(32)
def as_written(document: IdentityKey[Document]) -> Document:
    """Return a document of an earlier format with the tree as its author wrote it.

    Nothing can play it, but it identifies the game: saves and records hold its hash.
    """
    files = (*document.own.files, *document.own.parts)
    texts = {file.asked: (file.source.name, file.source.text.encode()) for file in files}
    root = Opener(texts.get, as_written=True).open("", *texts[""])
    assert root is not None, "it was opened before"
    return replace(document.own, root=root)


class RewrittenFile(Struct, frozen=True):
    """A file of an earlier format, and its text in the present one."""

    source: Source
    text: str


def rewritten_files(data: bytes, name: str, fetch: Fetch) -> tuple[tuple[RewrittenFile, ...], Findings]:
    """Return a file and those that it includes, as far as they have an earlier format, and all findings.

    With errors there may be too few files: rewrite none of them then.
    """
    opener = Opener(fetch)
    opener.open("", name, data)
    sources = {file.source for file in (*opener.files[:1], *opener.parts[opener.included :])}
    files = []
    for upgrade in (upgrade for upgrade in opener.upgrades if upgrade.source in sources):
        text = rewritten(upgrade.source, upgrade.written, upgrade.upgraded)
        root, _ = load(Source(upgrade.source.name, text))
        assert root is not None, "the text is still YAML"
        assert plain(root) == plain(upgrade.upgraded), "the text says what the tree says"
        files.append(RewrittenFile(upgrade.source, text))
    return tuple(files), ordered(opener.findings)
