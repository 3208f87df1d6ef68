"""What a worker is given: everything that a stretch of games depends on, and nothing of the machine it was made on."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.cardset.resolve import Selection, open_document
from draftengine.library import load_program

if TYPE_CHECKING:
    from draftengine.cardset.resolve import Document
    from draftengine.engine.program import Program


class Game(Struct, frozen=True):
    """A card set with what it extends, as text, what was selected of it, and who plays."""

    files: tuple[tuple[str, str, bytes], ...]
    """The name each file is asked for by (``""`` = the card set itself), its shown name, its text."""
    selection: Selection
    bots: tuple[str, ...]
    """One bot for each player."""

    @classmethod
    def of(cls, document: Document, selection: Selection, bots: tuple[str, ...]) -> Game:
        files = tuple((file.asked, file.source.name, file.source.text.encode()) for file in document.files)
        return cls(files, selection, bots)

    @property
    def program(self) -> Program:
        """The compiled game."""
        return _compiled(self.files, self.selection, len(self.bots))


@lru_cache(8)
def _compiled(files: tuple[tuple[str, str, bytes], ...], selection: Selection, players: int) -> Program:
    by_name = {asked: (name, text) for asked, name, text in files}
    name, text = by_name[""]
    document, _ = open_document(text, name, by_name.get)
    assert document is not None, "the card set was checked before it was sent"
    return load_program(document, selection, players)


class Task(Struct, frozen=True):
    """The games `first` to `last - 1` of a seed."""

    game: Game
    seed: int | str
    first: int
    last: int
    engine: str
    """``kernel`` or ``reference``."""
    logged: bool = False
    """Is every play counted with its turn."""
    rows: bool = False
    """Is a row of every game wanted."""
