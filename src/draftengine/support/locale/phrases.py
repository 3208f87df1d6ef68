"""Phrases as data: the id of a message and its values, independent of language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.support.locale import spoken

if TYPE_CHECKING:
    from draftengine.support.locale.catalogue import Catalogue


class Phrase(Struct, frozen=True):
    """A message of the catalogue with its values."""

    id: str
    given: tuple[tuple[str, int | str | Phrase | tuple[str, ...]], ...] = ()
    """Value by field: a number, a text, another phrase, or several texts, which become a list."""

    def __str__(self) -> str:
        return self.within(spoken("en"))

    def within(self, catalogue: Catalogue) -> str:
        """Return the phrase in a language."""
        filled = {
            name: value.within(catalogue)
            if isinstance(value, Phrase)
            else catalogue.join_list(value)
            if isinstance(value, tuple)
            else value
            for name, value in self.given
        }
        return catalogue.phrase(self.id, **filled)


def said(key: str, /, **given: int | str | Phrase | tuple[str, ...]) -> Phrase:
    """Return the phrase with an id and these values."""
    return Phrase(key, tuple(given.items()))
