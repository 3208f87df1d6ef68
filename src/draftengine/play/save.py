"""Saved games: everything a game is made of, in one file that can be read by people and is refused if it was changed.

A game is its card set (with the files it extends), variants, seats, seed and moves. It is restored by playing the moves
again; the state it must lead to is written down with it.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.api.errors import SelectionError
from draftengine.api.ruleset import Ruleset
from draftengine.bots import BotError
from draftengine.cardset.resolve import Selection, open_document
from draftengine.library import CardSetError
from draftengine.play.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.cardset.resolve import Document

VERSION = 1
_MARK = "draftengine saved game"
_MAX_BYTES = 8 << 20
_HEAD = 100


class SaveError(ValueError):
    """A saved game that cannot be used. `code` says why, as a name; the message says it as a sentence."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Saved(Struct, frozen=True):
    """A game with what it was made from."""

    document: Document
    selection: Selection
    session: Session


def to_text(saved: Saved) -> str:
    """The file of a saved game."""
    session = saved.session
    data: dict[str, Any] = {
        "file": _MARK,
        "version": VERSION,
        "cardset": [
            {"asked": file.asked, "name": Path(file.source.name).name, "text": file.source.text}
            for file in saved.document.files
        ],
        "variants": list(saved.selection.variants),
        "readings": dict(saved.selection.readings),
        "parameters": dict(saved.selection.parameters),
        "seats": list(session.seats),
        **({"names": list(session.names)} if session.names else {}),
        "seed": session.seed,
        "moves": list(_written(session)),
        "rules": session.game.fingerprint,
        "state": session.state.position.digest(),
    }
    return _rendered(data)


def _written(session: Session) -> Iterator[list[int]]:
    """Every move as its seat and the engine's codes."""
    state = session.game.start(session.seed)
    for seat, move in session.moves:
        yield [seat, *state.view(seat).codes(move)]
        state = state.commit(seat, move)


def _rendered(data: dict[str, Any]) -> str:
    rest = {key: value for key, value in data.items() if key != "checksum"}
    canonical = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return json.dumps({**rest, "checksum": hashlib.sha256(canonical.encode()).hexdigest()}, indent=1) + "\n"


def from_text(text: str) -> Saved:
    """The game of a file. Raises `SaveError`."""
    data = _data(text)
    try:
        return _restored(data)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, SaveError):
            raise
        raise SaveError("damaged-save", "The saved game is damaged: a part of it is missing or wrong.") from error


def _data(text: str) -> dict[str, Any]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise SaveError("not-a-save", "This is not a saved game, or it is damaged.") from None
    if not isinstance(data, dict) or data.get("file") != _MARK:
        raise SaveError("not-a-save", "This is not a saved game.")
    if data.get("version") != VERSION:
        message = f"The saved game has version {data.get('version')}, and this program reads version {VERSION}."
        raise SaveError("other-version", message)
    if _rendered(data) != text:
        raise SaveError("damaged-save", "The saved game was changed after it was written: it cannot be trusted.")
    return data


def _restored(data: dict[str, Any]) -> Saved:
    files = {file["asked"]: (file["name"], file["text"].encode()) for file in data["cardset"]}
    name, source = files[""]
    document, _ = open_document(source, name, files.get)
    if document is None:
        raise SaveError("other-rules", "The card set in the saved game is not valid for this version of draftengine.")
    selection = Selection(tuple(data["variants"]), tuple(data["readings"].items()), tuple(data["parameters"].items()))
    seats = tuple(data["seats"])
    try:
        game = Ruleset(document, selection).game(len(seats))
    except (CardSetError, SelectionError) as error:
        raise SaveError("other-rules", "This version of draftengine refuses the card set of the saved game.") from error
    try:
        session = Session.begin(game, seats, data["seed"], tuple(data.get("names", ())))
    except BotError as error:
        raise SaveError("unknown-bot", f"A seat of the saved game cannot be taken: {error}") from error
    for seat, *codes in data["moves"]:
        try:
            session.commit(seat, session.view(seat).name(tuple(codes)))
        except (IndexError, ValueError) as error:
            raise SaveError("other-rules", f"A move of the saved game is refused: {error}.") from error
    session.take_news()
    if game.fingerprint != data["rules"] or session.state.position.digest() != data["state"]:
        raise SaveError("other-rules", "The saved game was played under other rules than those of this version.")
    return Saved(document, selection, session)


def write(saved: Saved, path: Path) -> None:
    """Write a game to a file, whole or not at all. Raises `OSError`."""
    text, fresh = to_text(saved), path.with_name(f"{path.name}.new")
    try:
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise


def read(path: Path) -> Saved:
    """Read a saved game. Raises `SaveError`, also if there is no such file."""
    try:
        with path.open("rb") as file:
            text = file.read(_MAX_BYTES).decode("utf-8")
    except OSError as error:
        raise SaveError("no-such-save", f"It cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise SaveError("not-a-save", "This is not a saved game, or it is damaged.") from None
    return from_text(text)


def is_save(path: Path) -> bool:
    """Does a file look like a saved game, whole or not. Raises `OSError`."""
    with path.open("rb") as file:
        return _MARK.encode() in file.read(_HEAD)


def free_path(name: str, folder: Path = Path()) -> Path:
    """A file name in a folder (the current one) that is not in use: ``NAME-1.save.json``."""
    number = 1
    while (path := folder / f"{name}-{number}.save.json").exists():
        number += 1
    return path
