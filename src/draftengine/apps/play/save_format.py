"""Format of saved games: text with everything that makes up a game, refused after any change.

The first line describes the game: card set with the files that it extends, selection, seats and seed. Each further line
is a move by names, and may end with the hash of the state that the move led to. A game is restored by playing its moves
again, which must lead to those states. Each line carries the hash of all lines so far, so none can be changed, lost or
inserted.

The file grows by a line per move (see `draftengine.apps.play.journal`). If the machine stopped during a write, the last
line may be incomplete and is ignored. The first line of a game that was put aside has the number of moves, so that
missing moves are noticed.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.api.errors import IllegalMove
from draftengine.api.moves import move_from
from draftengine.apps.play import save_one
from draftengine.apps.play.saved import (
    MARK,
    OPEN,
    OVER,
    STOPPED,
    Entry,
    Saved,
    SaveError,
    begun,
    named_damage,
    rules_in,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

VERSION = 2
_MAX_BYTES = 8 << 20
_HEAD = 100
_CHAIN = 32


# ── Writing ───────────────────────────────────────────────────────────────────────────────────────────────────────────


class Lines(Struct):
    """Writer of the lines of a saved game; each line carries the hash of all lines so far."""

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
    """Return the content of the first line."""
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
    """Return the whole file of a game; `lines` can then continue at its end."""
    return "".join([lines.next(head_of(saved, status)), *map(lines.entry, saved.entries)])


# ── Reading ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def from_text(text: str) -> Saved:
    """Return the saved game in a text, in either version of the format. Raises `SaveError`."""
    head = _object(text.partition("\n")[0])
    if head is None or "version" not in head:
        return save_one.from_text(text)
    if head.get("file") != MARK:
        raise SaveError("not-a-save", "This is not a saved game.")
    if head["version"] != VERSION:
        message = f"The saved game has version {head['version']}, and this program reads versions 1 and {VERSION}."
        raise SaveError("other-version", message)
    with named_damage():
        return _restored(head, _lines(head, text))


def _object(line: str) -> dict[str, Any] | None:
    """Return the JSON object in a line; ``None`` if it is something else."""
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _lines(head: dict[str, Any], text: str) -> list[dict[str, Any]]:
    """Return the content of the lines after the first.

    Raises `SaveError` if any line, including the first, is not as it was written, or if moves are missing.
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
    """Return the content of a line; ``None`` if it is incomplete, changed or out of order."""
    data = _object(line)
    if data is None or json.dumps(data) != line or data.get("chain") != _chained(chain, _but_chain(data)):
        return None
    return data


def _but_chain(data: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key != "chain"}


class Summary(Struct, frozen=True):
    """Facts of a saved game that are known without playing it."""

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


def _restored(head: dict[str, Any], lines: Iterable[dict[str, Any]]) -> Saved:
    rules = rules_in(head)
    session = begun(rules, head)
    saved = Saved.of(rules, session)
    if saved.start != head["start"]:
        raise SaveError("other-rules", "The saved game was dealt under other rules than those of this version.")
    for number, line in enumerate(lines, 1):
        _play(saved, line, number)
    session.take_news()
    saved.status = head["status"]
    return saved


def _play(saved: Saved, line: dict[str, Any], number: int) -> None:
    """Play one move of the file again. Raises `SaveError` if it is illegal or leads to another state."""
    session, seat = saved.session, line["seat"]
    move = move_from({key: line[key] for key in ("cards", "with", "for") if key in line})
    try:
        session.commit(seat, move)
    except IllegalMove as error:
        raise SaveError("other-rules", f"Move {number} of the saved game is refused: {error}.") from error
    saved.entries.append(Entry(seat, move, line.get("state", "")))
    if "state" in line and line["state"] != session.state.digest:
        message = f"Move {number} of the saved game leads elsewhere under the rules of this version."
        raise SaveError("other-rules", message)


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
