"""Opens card sets by name, and checks them completely."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.checks import dry_run_work, run_all
from draftengine.model.checks.scope import Extent, affordable, extent_of
from draftengine.model.diagnostics import ordered
from draftengine.model.selection import extreme_selections, open_document, resolve, single_selections
from draftengine.model.selection.inherited_errors import place_key, relocate_to_author
from draftengine.model.shelf import NoSuchCardSetError, fetcher, name_in, read_bytes, with_known_names
from draftengine.support.identity import by_identity

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.selection import Document, Fetch


Asked = dict[str, tuple[str, bytes] | None]
"""The answers of a `fetch` function, by the name it was called with."""
_LARGE = 1 << 16
"""The largest size in bytes of a text that is cached."""
_FIRST = Extent(1, base_whole=False, others_whole=False, most_only=True)
"""The part of a card set that is checked first: the base game with the most players."""

__all__ = [
    "CardSetError",
    "LibraryEntry",
    "examine",
    "first_errors",
    "noted",
    "open_bytes",
    "open_set",
    "open_text",
]


class CardSetError(ValueError):
    """An error: a card set has errors, which are listed in `findings`."""

    def __init__(self, findings: Iterable[Diagnostic]) -> None:
        self.findings = ordered(findings)
        errors = " ".join(finding.message for finding in self.findings if finding.severity == "error")
        super().__init__(f"the card set has errors: {errors}")


class LibraryEntry(Struct, frozen=True):
    """An opened card set: its document (``None`` if it has errors), and the findings."""

    name: str
    """The name of the card set for messages."""
    document: Document | None
    findings: tuple[Diagnostic, ...]
    data: bytes
    """The bytes of its file."""
    fetch: Fetch
    """The function that finds the files that the card set extends or includes."""


def open_set(name: str | PathLike[str]) -> LibraryEntry:
    """Open a card set by path or id, or from standard input (``-``). Raises `NoSuchCardSetError`."""
    text = name_in(name)
    return open_bytes(text, *read_bytes(text))


def open_bytes(name: str, label: str, data: bytes) -> LibraryEntry:
    """Open the card set for which `read_bytes` returned `label` and `data`.

    The result is cached until a file that it extends or includes changes.
    """
    if len(data) > _LARGE:
        return open_text(label, data, fetcher(name))
    opened, asked = _opened(name, label, data)
    if not unchanged(fetcher(name), tuple(asked.items())):
        _opened.cache_clear()
        opened, _ = _opened(name, label, data)
    return opened


def unchanged(fetch: Fetch, files: Iterable[tuple[str, tuple[str, bytes] | None]]) -> bool:
    """True if `fetch` still returns these answers. A file that can no longer be read has changed."""
    try:
        return all(fetch(wanted) == answer for wanted, answer in files)
    except NoSuchCardSetError:
        return False


@lru_cache(32)
def _opened(name: str, label: str, data: bytes) -> tuple[LibraryEntry, Asked]:
    """Return the opened card set, and the files that were fetched for it, by name."""
    asked: Asked = {}
    return open_text(label, data, noted(fetcher(name), asked)), asked


def noted(fetch: Fetch, asked: Asked) -> Fetch:
    """Return a function like `fetch` that also stores its answers in `asked`."""

    def noting(wanted: str) -> tuple[str, bytes] | None:
        try:
            answer = fetch(wanted)
        except NoSuchCardSetError as error:
            asked.setdefault(wanted, ("", str(error).encode()))  # unlike any file, so that it is read again
            raise
        asked.setdefault(wanted, answer)  # the first answer is the one that was used
        return answer

    return noting


def open_text(label: str, data: bytes, fetch: Fetch) -> LibraryEntry:
    """Open the card set with these bytes. Messages call it `label`."""
    document, findings = open_document(data, label, fetch)
    findings = tuple(
        with_known_names(finding) if finding.code == "extends-unknown" else finding for finding in findings
    )
    return LibraryEntry(label, document, findings, data, fetch)


def examine(document: Document) -> tuple[Diagnostic, ...]:
    """Return all findings about a card set: its base game, variants, options, and extreme parameters.

    Large card sets are checked only in part (see `draftengine.model.checks.scope`).
    """
    usual, unusual = single_selections(document), tuple(extreme_selections(document))
    selections = (*usual, *unusual)[: affordable(document.root)]
    games = [resolve(document, selection) for selection in selections]
    flows = dry_run_work(model for model, _ in games if model is not None)
    extent = extent_of(document.root, document.players, flows, len(usual) + len(unusual))
    checked = games[: extent.selections]
    collected = [*document.findings, *extent.findings]
    collected += [finding for _, findings in checked[: len(usual)] for finding in findings]
    models = [model for model, _ in checked[: len(usual)] if model is not None]
    others = [model for model, _ in checked[len(usual) :] if model is not None]
    return ordered(relocate_to_author(document, [*collected, *run_all(models, others, extent)], _of_parent))


def first_errors(document: Document) -> tuple[Diagnostic, ...]:
    """Return the errors of the base game with the most players, for which cards run out first.

    They take a fraction of the time that `examine` takes for all numbers of players, variants and options.
    """
    model, findings = resolve(document)
    checked = run_all([model], extent=_FIRST) if model is not None else ()
    errors = [finding for finding in (*document.findings, *findings, *checked) if finding.severity == "error"]
    return ordered(relocate_to_author(document, errors, _of_parent))


def _of_parent(document: Document) -> frozenset[object]:
    """Return the keys of the findings about an extended card set without the extending file."""
    parent = document.files[1]
    opened = open_bytes(parent.source.name, parent.source.name, parent.source.text.encode())
    return frozenset(map(place_key, opened.findings)) if opened.document is None else _keys_of(opened.document)


@by_identity(8)
def _keys_of(document: Document) -> frozenset[object]:
    """Return the keys of all findings about a card set. Cached, as only files that extend it change."""
    return frozenset(map(place_key, examine(document)))
