"""Finds and opens card sets by name, and checks them completely.

No other module opens files of card sets. The name of a card set is a path, or the id of a card set that comes with the
package. If both exist, the path counts.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from os import PathLike
from pathlib import Path
from reprlib import repr as brief
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.checks import dry_run_work, run_all
from draftengine.model.checks.scope import Extent, affordable, extent_of
from draftengine.model.diagnostics.diagnostic import ordered
from draftengine.model.diagnostics.suggest import did_you_mean
from draftengine.model.selection import extreme_selections, open_document, resolve, single_selections
from draftengine.model.selection.inherited_errors import place_key, relocate_to_author
from draftengine.model.yaml.fixes import renamed
from draftengine.support.locale.phrases import ReasonedError, said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.selection import Document, Fetch


_PACKAGE = Path(__file__).resolve().parents[1]
_FOLDERS = (_PACKAGE / "cardsets", _PACKAGE.parent.parent / "cardsets")
"""The folder with the card sets of an installed package, and that of a checkout."""
_MAX_BYTES = 1 << 20


class NoSuchCardSetError(ReasonedError, LookupError):
    """No card set has this name. The reason says what the user can do."""


def shipped() -> dict[str, Path]:
    """Return the paths of all card sets that come with the package, by id: games and house rules."""
    paths: dict[str, Path] = {}
    for folder in _FOLDERS:
        for path in sorted((*folder.glob("*.yaml"), *folder.glob("*/*.yaml"))):
            paths.setdefault(path.stem, path)
    return paths


def shelf() -> dict[str, Path]:
    """Return the paths of the games that come with the package, by id."""
    return {name: path for name, path in shipped().items() if path.parent.name != "house"}


def offered() -> list[str]:
    """Return the ids of the games that come with the package, in the order in which people see them."""
    games = shelf()
    order = next((folder / "order.txt" for folder in _FOLDERS if (folder / "order.txt").exists()), None)
    named = order.read_text("utf-8").split() if order else []
    return [name for name in dict.fromkeys((*named, *games)) if name in games]


def house_rules() -> dict[str, Path]:
    """Return the paths of the house rules of the gallery, by id: short files that change one of the games."""
    return {name: path for name, path in shipped().items() if path.parent.name == "house"}


def with_known_names(finding: Diagnostic) -> Diagnostic:
    """Return a finding about an unknown name in `extends`, with a similar name as hint and fix."""
    asked = finding.span.source.text[finding.span.start : finding.span.end].strip("'\"")
    fix = renamed(finding.span, asked, known := [*shipped()])
    games = [*shelf()]
    begun = next((game for game in games if game.startswith(f"{asked}_")), None)
    hint = said("hint.did-you-mean", meant=begun) if begun and not fix else did_you_mean(asked, known)
    return replace(finding, advice=hint, fix=fix) if hint else finding


def name_in(name: str | PathLike[str]) -> str:
    """Return the name of a card set as text. Raises `NoSuchCardSetError` unless it is a text or a path."""
    if not isinstance(name, (str, PathLike)):
        raise NoSuchCardSetError(said("no-card-set.type", name=brief(name)))
    return str(name)


def none_called(name: str) -> NoSuchCardSetError:
    """Return the error that no card set has this name. It mentions a similar name, or else all games."""
    hint = did_you_mean(name, shipped()) or said("command.there_are", names=", ".join(shelf()))
    return NoSuchCardSetError(said("no-card-set", name=name, hint=hint))


def read_bytes(name: str) -> tuple[str, bytes]:
    """Return the name to show and the bytes of a card set. Raises `NoSuchCardSetError`.

    `name` is a path, an id, or ``-`` for standard input. A path may lead to a pipe, such as ``<(cat my_game.yaml)``.
    """
    if name == "-":
        return "<stdin>", sys.stdin.buffer.read(_MAX_BYTES)
    path = Path(name)
    try:
        if not (path.is_file() or path.is_fifo()):
            known = shipped()
            if name and path.is_dir():
                raise NoSuchCardSetError(said("no-card-set.folder", name=name))
            if name not in known:
                raise none_called(name)
            path = known[name]
        with path.open("rb") as file:
            return (_shown(path), file.read(_MAX_BYTES))
    except OSError as error:
        raise NoSuchCardSetError(said("command.unreadable", path=name, error=error.strerror or "")) from None


def _shown(path: Path) -> str:
    """Return a path as text, relative to the working directory if it is below that."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def fetcher(name: str) -> Callable[[str], tuple[str, bytes] | None]:
    """Return a function that finds the files that the card set `name` extends or includes.

    It looks in the folder of the card set, and then among the card sets of the package.
    """
    folder = Path(name).parent if name != "-" and Path(name).is_file() else None
    if folder is None and name in (known := shipped()):
        folder = known[name].parent

    def fetch(wanted: str) -> tuple[str, bytes] | None:
        if "/" in wanted:  # an included file, below the folder of the card set or of one that comes with the package
            folders = [*([folder] if folder else []), *dict.fromkeys(path.parent for path in shipped().values())]
            beside = next((folder / wanted for folder in folders if (folder / wanted).is_file()), None)
            return read_bytes(str(beside)) if beside else None
        file_name = wanted if wanted.endswith((".yaml", ".yml")) else f"{wanted}.yaml"
        near = folder / file_name if folder else None
        path = near if near and near.is_file() else shipped().get(file_name.rsplit(".", 1)[0])
        if path is None:
            return None
        return read_bytes(str(path))

    return fetch


Asked = dict[str, tuple[str, bytes] | None]
"""The answers of a `fetch` function, by requested name."""
_LARGE = 1 << 16
"""Texts with more bytes are not cached."""
_FIRST = Extent(1, base_whole=False, others_whole=False)
"""The part of a card set that is checked first."""

__all__ = [
    "CardSetError",
    "LibraryEntry",
    "NoSuchCardSetError",
    "examine",
    "fetcher",
    "first_errors",
    "house_rules",
    "name_in",
    "noted",
    "open_bytes",
    "open_set",
    "open_text",
    "read_bytes",
    "shelf",
    "shipped",
]


class CardSetError(ValueError):
    """The card set has errors, which are in `findings`."""

    def __init__(self, findings: Iterable[Diagnostic]) -> None:
        self.findings = ordered(findings)
        errors = " ".join(finding.message for finding in self.findings if finding.severity == "error")
        super().__init__(f"the card set has errors: {errors}")


class LibraryEntry(Struct, frozen=True):
    """An opened card set: its document (``None`` if it has errors), and the findings."""

    name: str
    """The name that people see."""
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
    fetch = fetcher(name)
    if any(fetch(wanted) != answer for wanted, answer in tuple(asked.items())):
        _opened.cache_clear()
        opened, _ = _opened(name, label, data)
    return opened


@lru_cache(32)
def _opened(name: str, label: str, data: bytes) -> tuple[LibraryEntry, Asked]:
    """Return the opened card set, and the files that it requested."""
    asked: Asked = {}
    return open_text(label, data, noted(fetcher(name), asked)), asked


def noted(fetch: Fetch, asked: Asked) -> Fetch:
    """Return a function like `fetch` that also stores its answers in `asked`."""

    def noting(wanted: str) -> tuple[str, bytes] | None:
        answer = fetch(wanted)
        asked.setdefault(wanted, answer)  # the first answer is the one that was used
        return answer

    return noting


def open_text(label: str, data: bytes, fetch: Fetch) -> LibraryEntry:
    """Open the card set with these bytes, which people see under the name `label`."""
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
    """Return the errors of the base game with the fewest and the most players.

    They take a fraction of the time that `examine` takes for all variants and options.
    """
    model, findings = resolve(document)
    checked = run_all([model], extent=_FIRST) if model is not None else ()
    errors = [finding for finding in (*document.findings, *findings, *checked) if finding.severity == "error"]
    return ordered(relocate_to_author(document, errors, _of_parent))


def _of_parent(document: Document) -> frozenset[object]:
    """Return the keys of the findings that the extended card set has by itself."""
    parent = document.files[1]
    opened = open_bytes(parent.source.name, parent.source.name, parent.source.text.encode())
    findings = opened.findings if opened.document is None else examine(opened.document)
    return frozenset(map(place_key, findings))
