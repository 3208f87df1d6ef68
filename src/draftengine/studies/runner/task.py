"""Tasks for workers: all that a range of games depends on, and nothing that depends on the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from draftengine.api.game import Game


class Task(Struct, frozen=True):
    """Order to play the games `first` to `last - 1` of a seed."""

    game: Game
    bots: tuple[str, ...]
    """Bots by player."""
    seed: int | str
    first: int
    last: int
    engine: str
    """Engine to play with: ``compiled`` or ``reference``."""
    logged: bool = False
    """True to count every play by turn."""
    copies: bool = False
    """True if the rows also count the plays of each seat (see `card_worth`)."""
    rows: bool = False
    """True to return a row for every game."""
    table: bytes = b""
    """Encoded worth table (see `bots.worth.tables`), which the worker adopts; empty for none."""
