"""Saved games of version 1: a JSON document with the engine's codes for moves; read, never written.

Their moves are replayed by these codes, and the game continues in the current format.
"""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

from draftengine.apps.play.saved import MARK, OVER, STOPPED, Saved, SaveError, begun, named_damage, rules_in

if TYPE_CHECKING:
    from draftengine.apps.play.session import Session


def from_text(text: str) -> Saved:
    """Return the saved game in a text of version 1. Raises `SaveError`."""
    data = _data(text)
    with named_damage():
        return _restored(data)


def _data(text: str) -> dict[str, Any]:
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
    return data


def rendered(data: dict[str, Any]) -> str:
    """Return the text of the file, with a checksum computed anew."""
    rest = {key: value for key, value in data.items() if key != "checksum"}
    canonical = json.dumps(rest, sort_keys=True, separators=(",", ":"))
    return json.dumps({**rest, "checksum": hashlib.sha256(canonical.encode()).hexdigest()}, indent=1) + "\n"


def _restored(data: dict[str, Any]) -> Saved:
    rules = rules_in(data)
    session = begun(rules, data)
    saved = Saved.of(rules, session)
    _play(session, data["moves"])
    session.take_news()
    if session.game.fingerprint != data["rules"] or session.state.position.digest() != data["state"]:
        raise SaveError("other-rules", "The saved game was played under other rules than those of this version.")
    saved.catch_up()
    saved.status = OVER if session.over else STOPPED
    return saved


def _play(session: Session, moves: list[list[int]]) -> None:
    for seat, *codes in moves:
        try:
            session.commit(seat, session.view(seat).name(tuple(codes)))
        except (LookupError, ValueError) as error:
            raise SaveError("other-rules", f"A move of the saved game is refused: {error}.") from error
