"""Saved games: text with everything that makes up a game. A text that was changed is refused.

The first line describes the game: the card set with the files that it extends, the selection, the seats and the seed.
Each further line is a move, written with names. It may end with the hash of the state after the move. A game is
restored by playing its moves again, and the states must have these hashes. Each line also has a hash of all lines so
far, so no line can be changed, lost or inserted.

The file grows by a line per move (see `draftengine.apps.play.journal`). If the machine stopped during a write, the last
line may be incomplete and is ignored. If a game was stopped properly, its first line has the number of moves, so that
missing moves are noticed. Version 1 was one JSON document with the engine's codes for moves. This version is read, but
never written.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.api.errors import IllegalMove, SelectionError
from draftengine.api.game import Ruleset
from draftengine.api.moves import Move, move_from
from draftengine.api.ruleset import rules_in_json
from draftengine.apps.play.session import Session
from draftengine.bots import BotError
from draftengine.model.library import CardSetError

if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = "draftengine saved game"
"""The text in a file by which it is recognised as a saved game."""
OPEN, STOPPED, OVER = "open", "stopped", "over"
"""The status of a saved game: in progress (or interrupted), stopped by its people, or finished."""


class SaveError(ValueError):
    """Error for a saved game that cannot be used. `code` is the reason, and the message explains it."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Entry(Struct, frozen=True):
    """One move of a saved game."""

    seat: int
    move: Move
    state: str = ""
    """The hash of the state after the move; empty if it was not stored."""


class Saved(Struct):
    """A game with its rules, as a saved game stores it. `entries` are its moves so far."""

    rules: Ruleset
    session: Session
    start: str
    """The hash of the state before the first move."""
    entries: list[Entry]
    status: str = OPEN
    """The status in the file: `OPEN`, `STOPPED` or `OVER`."""

    @classmethod
    def of(cls, rules: Ruleset, session: Session) -> Saved:
        """Return a game that has not been saved yet."""
        return cls(rules, session, session.game.start(session.seed).digest, [])

    def catch_up(self) -> int:
        """Make `entries` equal to the moves of the session. Return the number of entries that did not change."""
        moves = self.session.moves
        same = 0
        for entry, move in zip(self.entries, moves, strict=False):
            if (entry.seat, entry.move) != move:
                break
            same += 1
        del self.entries[same:]
        self.entries += [Entry(seat, move) for seat, move in moves[same:]]
        if len(self.entries) > same:
            self.entries[-1] = Entry(*moves[-1], self.session.state.digest)
        return same


def begun(data: dict[str, Any]) -> Saved:
    """Return the game that the first line of a file describes, without its moves. Raises `SaveError`."""
    try:
        rules, seats = rules_in_json(data), tuple(data["seats"])
        session = Session.begin(rules.game(len(seats)), seats, data["seed"], tuple(data.get("names", ())))
    except (CardSetError, SelectionError) as error:
        message = f"This version of draftengine refuses the rules of the saved game: {error}"
        raise SaveError("other-rules", message) from error
    except BotError as error:
        raise SaveError("unknown-bot", f"A seat of the saved game cannot be taken: {error}") from error
    return Saved.of(rules, session)


@contextmanager
def named_damage() -> Iterator[None]:
    """Turn errors about malformed data in the ``with`` block into `SaveError`."""
    try:
        yield
    except SaveError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise SaveError("damaged-save", "The saved game is damaged: a part of it is missing or wrong.") from error


def from_version_1(text: str) -> Saved:
    """Return the saved game in a text of version 1. Raises `SaveError`."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise SaveError("not-a-save", "This is not a saved game, or it is damaged.") from None
    if not isinstance(data, dict) or data.get("file") != MARK:
        raise SaveError("not-a-save", "This is not a saved game.")
    if data.get("version") != 1:
        raise SaveError("other-version", f"The saved game has version {data.get('version')}, which nobody knows.")
    if rendered(data) != text:
        raise SaveError("damaged-save", "The saved game was changed after it was written: it cannot be trusted.")
    with named_damage():
        saved = begun(data)
        session = saved.session
        for seat, *codes in data["moves"]:
            try:
                session.commit(seat, session.view(seat).name(tuple(codes)))
            except (LookupError, ValueError) as error:
                raise SaveError("other-rules", f"A move of the saved game is refused: {error}.") from error
        session.take_news()
        if session.game.fingerprint != data["rules"] or session.state.position.digest() != data["state"]:
            raise SaveError("other-rules", "The saved game was played under other rules than those of this version.")
        saved.catch_up()
        saved.status = OVER if session.over else STOPPED
        return saved


def rendered(data: dict[str, Any]) -> str:
    """Return the text of a save of version 1, with a new checksum."""
    rest = {key: value for key, value in data.items() if key != "checksum"}
    canonical = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return json.dumps({**rest, "checksum": hashlib.sha256(canonical.encode()).hexdigest()}, indent=1) + "\n"


VERSION = 2
_MAX_BYTES = 8 << 20
_HEAD = 100
_CHAIN = 32


# ── Writing ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class Lines(Struct):
    """Makes the lines of a saved game. Each line has a hash of all lines so far."""

    chain: str = ""

    def next(self, data: dict[str, Any]) -> str:
        """Return `data` as the next line, and advance the hash."""
        self.chain = _chained(self.chain, data)
        return json.dumps({**data, "chain": self.chain}) + "\n"

    def entry(self, entry: Entry) -> str:
        """Return the line of a move."""
        state = {"state": entry.state} if entry.state else {}
        return self.next({"seat": entry.seat, **entry.move.to_json(), **state})


def _chained(before: str, data: dict[str, Any]) -> str:
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{before}{canonical}".encode()).hexdigest()[:_CHAIN]


def head_of(saved: Saved, status: str) -> dict[str, Any]:
    """Return the content of the first line of a saved game."""
    session, rules = saved.session, saved.rules
    return {
        "file": MARK,
        "version": VERSION,
        "status": status,
        "id": rules.model.id,
        "title": session.game.title,
        **rules.to_json(),
        "seats": list(session.seats),
        **({"names": list(session.names)} if session.names else {}),
        "seed": session.seed,
        "start": saved.start,
        **({} if status == OPEN else {"moves": len(saved.entries)}),
    }


def written(saved: Saved, status: str, lines: Lines) -> str:
    """Return the whole text of a saved game. `lines` can then make further lines for it."""
    return "".join([lines.next(head_of(saved, status)), *map(lines.entry, saved.entries)])


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def from_text(text: str) -> Saved:
    """Return the saved game in a text, in either version of the format. Raises `SaveError`."""
    head = _object(text.partition("\n")[0])
    if head is None or "version" not in head:
        return from_version_1(text)
    if head.get("file") != MARK:
        raise SaveError("not-a-save", "This is not a saved game.")
    if head["version"] != VERSION:
        message = f"The saved game has version {head['version']}, and this program reads versions 1 and {VERSION}."
        raise SaveError("other-version", message)
    with named_damage():
        lines = _lines(head, text)
        saved = begun(head)
        if saved.start != head["start"]:
            raise SaveError("other-rules", "The saved game was dealt under other rules than those of this version.")
        session = saved.session
        for number, line in enumerate(lines, 1):
            seat, move = line["seat"], move_from({key: line[key] for key in ("cards", "with", "for") if key in line})
            try:
                session.commit(seat, move)
            except IllegalMove as error:
                raise SaveError("other-rules", f"Move {number} of the saved game is refused: {error}.") from error
            saved.entries.append(Entry(seat, move, line.get("state", "")))
            if "state" in line and line["state"] != session.state.digest:
                message = f"Move {number} of the saved game leads elsewhere under the rules of this version."
                raise SaveError("other-rules", message)
        session.take_news()
        saved.status = head["status"]
        return saved


def _object(line: str) -> dict[str, Any] | None:
    """Return the JSON object in a line; ``None`` if it is something else."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _lines(head: dict[str, Any], text: str) -> list[dict[str, Any]]:
    """Return the content of all lines after the first. `head` is the content of the first line.

    Raises `SaveError` if a line, the first included, was changed after it was written, or if moves are missing.
    """
    *whole, last = text.split("\n")
    entries: list[dict[str, Any]] = []
    chain = ""
    for number, line in enumerate(whole, 1):
        data = _as_written(chain, line)
        if data is None:
            raise SaveError("damaged-save", f"The saved game was changed after it was written (line {number}).")
        chain = data["chain"]
        entries.append(data)
    if last and (head["status"] != OPEN or not entries or _as_written(chain, last[:-1])):
        raise SaveError("damaged-save", "The saved game is damaged: its end is not as it was written.")
    cut_off = _as_written(chain, last)
    entries = [*entries[1:], cut_off] if cut_off else entries[1:]
    if head["status"] != OPEN and head["moves"] != len(entries):
        raise SaveError("damaged-save", f"The saved game is damaged: it has {len(entries)} of {head['moves']} moves.")
    return entries


def _as_written(chain: str, line: str) -> dict[str, Any] | None:
    """Return the content of a line that follows lines with the hash `chain`.

    Returns ``None`` if the line is incomplete, changed or out of order.
    """
    data = _object(line)
    rest = {key: value for key, value in (data or {}).items() if key != "chain"}
    if data is None or json.dumps(data) != line or data.get("chain") != _chained(chain, rest):
        return None
    return data


class Summary(Struct, frozen=True):
    """Facts about a saved game that are known without playing its moves again."""

    id: str
    title: str
    status: str
    seats: tuple[str, ...]
    variants: tuple[str, ...]
    moves: int


def summary(text: str) -> Summary:
    """Return the summary of a saved game after checking all its lines. Raises `SaveError`."""
    head = _object(text.partition("\n")[0])
    if head is None or head.get("version") != VERSION:
        saved = from_text(text)
        session, model = saved.session, saved.rules.model
        status = OVER if session.over else STOPPED
        return Summary(model.id, session.game.title, status, session.seats, model.active, len(saved.entries))
    with named_damage():
        moves = len(_lines(head, text))
        seats, variants = tuple(head["seats"]), tuple(head["variants"])
        return Summary(head["id"], head["title"], head["status"], seats, variants, moves)


# ── Files ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def read(path: Path) -> Saved:
    """Read a saved game. Raises `SaveError`, also if there is no such file."""
    return from_text(text_of(path))


def text_of(path: Path) -> str:
    """Return the text of a file, up to 8 MiB. Raises `SaveError` if it cannot be read or is not UTF-8."""
    try:
        with path.open("rb") as file:
            return file.read(_MAX_BYTES).decode("utf-8")
    except OSError as error:
        raise SaveError("no-such-save", f"This file cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise SaveError("not-a-save", "This is not a saved game, or it is damaged.") from None


def is_save(path: Path) -> bool:
    """True if a file looks like a saved game, damaged or not. Raises `OSError`."""
    with path.open("rb") as file:
        return MARK.encode() in file.read(_HEAD)
