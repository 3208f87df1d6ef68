"""Where card sets are found: the only place that opens card-set files.

A card set is named by path or by the id of one that comes with the package. A path always wins.
"""

from __future__ import annotations

import sys
from os import PathLike
from pathlib import Path
from reprlib import repr as brief
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.cardset.checks import followed, run_all
from draftengine.cardset.checks.extent import affordable, extent_of
from draftengine.cardset.resolve import (
    extreme_selections,
    open_document,
    resolve,
    single_selections,
)
from draftengine.cardset.resolve.inherited import place_key, told_to_author
from draftengine.diagnostics.finding import ordered
from draftengine.diagnostics.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from draftengine.cardset.resolve import Document, Fetch
    from draftengine.diagnostics.finding import Diagnostic

_PACKAGE = Path(__file__).resolve().parent
_MAX_BYTES = 1 << 20


class NoSuchCardSetError(LookupError):
    """There is no card set of a name; the message says so in words, and what to do."""


class CardSetError(ValueError):
    """The card set has errors. `findings` says which."""

    def __init__(self, findings: Iterable[Diagnostic]) -> None:
        self.findings = ordered(findings)
        errors = " ".join(own.message for own in self.findings if own.severity == "error")
        super().__init__(f"the card set has errors: {errors}")


def shipped() -> dict[str, Path]:
    """Every card set that comes with the package, by id: games and house rules."""
    found: dict[str, Path] = {}
    for folder in (_PACKAGE / "cardsets", _PACKAGE.parent.parent / "cardsets"):
        for path in sorted((*folder.glob("*.yaml"), *folder.glob("*/*.yaml"))):
            found.setdefault(path.stem, path)
    return found


def shelf() -> dict[str, Path]:
    """The games that come with the package, by id."""
    return {name: path for name, path in shipped().items() if path.parent.name != "house"}


def house_rules() -> dict[str, Path]:
    """The house rules of the gallery, by id: short files that change one of those games."""
    return {name: path for name, path in shipped().items() if path.parent.name == "house"}


def name_in(name: str | PathLike[str]) -> str:
    """The name of a card set as text. Raises `NoSuchCardSetError` for what is neither a text nor a path."""
    if not isinstance(name, (str, PathLike)):
        raise NoSuchCardSetError(f"A card set is named by its path or its id, not by {brief(name)}.")
    return str(name)


def read_bytes(name: str) -> tuple[str, bytes]:
    """The shown name and the bytes of a card set named by path, by id, or ``-`` for standard input.

    A path may also lead to a pipe, as the shell makes one of ``<(cat my_game.yaml)``. Raises `NoSuchCardSetError`.
    """
    if name == "-":
        return "<stdin>", sys.stdin.buffer.read(_MAX_BYTES)
    path = Path(name)
    try:
        if not (path.is_file() or path.is_fifo()):
            known = shipped()
            if name and path.is_dir():
                raise NoSuchCardSetError(f"{name} is a folder, not a card set.")
            if name not in known:
                hint = did_you_mean(name, known) or f"There are {', '.join(shelf())}."
                raise NoSuchCardSetError(f"There is no card set or file “{name}”. {hint}")
            path = known[name]
        with path.open("rb") as file:
            return (_shown(path), file.read(_MAX_BYTES))
    except OSError as error:
        raise NoSuchCardSetError(f"{name} cannot be read: {error.strerror}.") from None


def _shown(path: Path) -> str:
    """The path as people want to see it: relative to where they are, if it lies below."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def fetcher(name: str) -> Callable[[str], tuple[str, bytes] | None]:
    """What `extends` may name from a file: its neighbours, then the shelf."""
    folder = Path(name).parent if name != "-" and Path(name).is_file() else None
    if folder is None and name in (known := shipped()):
        folder = known[name].parent

    def fetch(wanted: str) -> tuple[str, bytes] | None:
        if "/" in wanted:  # a part of a card set, beside it or beside one on the shelf
            folders = [*([folder] if folder else []), *dict.fromkeys(path.parent for path in shipped().values())]
            beside = next((own / wanted for own in folders if (own / wanted).is_file()), None)
            return read_bytes(str(beside)) if beside else None
        file_name = wanted if wanted.endswith((".yaml", ".yml")) else f"{wanted}.yaml"
        near = folder / file_name if folder else None
        path = near if near and near.is_file() else shipped().get(file_name.rsplit(".", 1)[0])
        if path is None:
            return None
        return read_bytes(str(path))

    return fetch


class Opened(Struct, frozen=True):
    """A card set from the library: the document, if it could be made, and everything found about it."""

    name: str
    """As shown to people."""
    document: Document | None
    findings: tuple[Diagnostic, ...]
    data: bytes
    """What was opened."""
    fetch: Fetch
    """What `extends` may name in it."""


def open_set(name: str | PathLike[str]) -> Opened:
    """Open a card set by path, id or ``-``. Raises `NoSuchCardSetError`."""
    text = name_in(name)
    return open_bytes(text, *read_bytes(text))


def open_bytes(name: str, shown: str, data: bytes) -> Opened:
    """Open what `read_bytes` read under a name."""
    return open_text(shown, data, fetcher(name))


def open_text(shown: str, data: bytes, fetch: Fetch) -> Opened:
    """Open a text that is shown under a name."""
    document, findings = open_document(data, shown, fetch)
    return Opened(shown, document, findings, data, fetch)


def examine(document: Document) -> tuple[Diagnostic, ...]:
    """Everything that is wrong with a card set: its base game, each of its variants, each answer of its readings."""
    usual, unusual = single_selections(document), tuple(extreme_selections(document))
    selections = (*usual, *unusual)[: affordable(document.root)]
    games = [resolve(document, selection) for selection in selections]
    flows = followed(model for model, _ in games if model is not None)
    extent = extent_of(document.root, document.players, flows, len(usual) + len(unusual))
    checked = games[: extent.selections]
    found = [*document.findings, *extent.findings]
    found += [finding for _, findings in checked[: len(usual)] for finding in findings]
    models = [model for model, _ in checked[: len(usual)] if model is not None]
    others = [model for model, _ in checked[len(usual) :] if model is not None]
    return ordered(told_to_author(document, [*found, *run_all(models, others, extent)], _of_parent))


def _of_parent(document: Document) -> frozenset[object]:
    """The findings that what a document extends has by itself, whatever the document changes."""
    parent = document.files[1]
    opened = open_bytes(parent.source.name, parent.source.name, parent.source.text.encode())
    found = opened.findings if opened.document is None else examine(opened.document)
    return frozenset(map(place_key, found))
