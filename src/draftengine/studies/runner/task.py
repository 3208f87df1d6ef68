"""What a worker is given: everything that a stretch of games depends on, and nothing of the machine it was made on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from draftengine.api.game import Game


class Task(Struct, frozen=True):
    """The games `first` to `last - 1` of a seed."""

    game: Game
    bots: tuple[str, ...]
    """One bot for each player."""
    seed: int | str
    first: int
    last: int
    engine: str
    """``compiled`` or ``reference``."""
    logged: bool = False
    """Is every play counted with its turn."""
    copies: bool = False
    """Do the rows of the first games also tell who made which plays (see `worths`)."""
    rows: bool = False
    """Is a row of every game wanted."""
    table: bytes = b""
    """What bots have learnt of the cards (see `bots.worth.tables`), so that no worker has to learn it again."""
