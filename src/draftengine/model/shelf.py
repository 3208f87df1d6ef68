"""Finds card sets by name. Only this module opens files of card sets.

The name of a card set is a path, or the id of a card set that comes with the package. If both exist, the path counts.
This module imports little, so that short commands start quickly.
"""

from __future__ import annotations

import sys
from os import PathLike
from pathlib import Path
from reprlib import repr as brief
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.diagnostics.suggest import did_you_mean
from draftengine.model.yaml.fixes import renamed
from draftengine.support.locale.phrases import ReasonedError, said

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.model.diagnostics import Diagnostic

_PACKAGE = Path(__file__).resolve().parents[1]
_FOLDERS = (_PACKAGE / "cardsets", _PACKAGE.parent.parent / "cardsets")
"""The folder with the card sets of an installed package, and that of a checkout."""
_MAX_BYTES = 1 << 20


class NoSuchCardSetError(ReasonedError, LookupError):
    """An error: no card set has this name. The reason says what the user can do."""


def shipped() -> dict[str, Path]:
    """Return the paths of all card sets in the package, by id: games and house rules."""
    paths: dict[str, Path] = {}
    for folder in _FOLDERS:
        for path in sorted((*folder.glob("*.yaml"), *folder.glob("*/*.yaml"))):
            paths.setdefault(path.stem, path)
    return paths


def shelf() -> dict[str, Path]:
    """Return the paths of the games in the package, by id."""
    return {name: path for name, path in shipped().items() if path.parent.name != "house"}


def offered() -> list[str]:
    """Return the ids of the games in the package, in the order in which menus show them."""
    games = shelf()
    order = next((folder / "order.txt" for folder in _FOLDERS if (folder / "order.txt").exists()), None)
    named = order.read_text("utf-8").split() if order else []
    return [name for name in dict.fromkeys((*named, *games)) if name in games]


def house_rules() -> dict[str, Path]:
    """Return the paths of the house rules in the package, by id: short files that change a game."""
    return {name: path for name, path in shipped().items() if path.parent.name == "house"}


def with_known_names(finding: Diagnostic) -> Diagnostic:
    """Return a finding about an unknown name in `extends`, with the most similar name as hint and fix."""
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
    """Return the error that no card set has this name. It suggests a similar name, or lists all games."""
    hint = did_you_mean(name, shipped()) or said("command.there_are", names=", ".join(shelf()))
    return NoSuchCardSetError(said("no-card-set", name=name, hint=hint))


def read_bytes(name: str) -> tuple[str, bytes]:
    """Return the name for messages and the bytes of a card set. Raises `NoSuchCardSetError`.

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
    """Return a path as text: relative if it is below the working directory."""
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

    def look_for(wanted: str) -> tuple[str, bytes] | None:
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

    def fetch(wanted: str) -> tuple[str, bytes] | None:
        try:
            return look_for(wanted)
        except OSError as error:  # its name is too long, or its folder is closed
            raise NoSuchCardSetError(said("command.unreadable", path=wanted, error=error.strerror or "")) from None

    return fetch
