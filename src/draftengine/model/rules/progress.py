"""The progress of a seat under a rule, as data and in a few words of any language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import Phrase, said

if TYPE_CHECKING:
    from draftengine.support.locale.catalogue import Catalogue

_NAMED = 8
"""Places up to this one have a word."""
_SHORT = 3
"""Places up to this one have a short form of their own."""


def ordinal(place: int) -> Phrase:
    """Return a place as a word, such as *second*."""
    return said(f"ordinal.{place}") if place <= _NAMED else said("ordinal", place=place)


class Rank(Struct, frozen=True):
    """A place among all seats, from 1."""

    order: str
    """``most`` or ``fewest``: the end from which places count."""
    place: int
    shared: bool

    @property
    def phrase(self) -> Phrase:
        """``most``, ``second fewest (shared)``."""
        key = f"progress.{self.order}"
        place = said(f"{key}.first") if self.place == 1 else said(key, ordinal=ordinal(self.place), count=self.place)
        return said("progress.shared", place=place) if self.shared else place

    @property
    def short(self) -> Phrase:
        """``most``, ``shared``, ``2nd``, ``2nd=``."""
        if self.place == 1:
            return said(f"progress.short.{'shared' if self.shared and self.order == 'most' else self.order}")
        key = f"progress.short.{self.place}" if self.place <= _SHORT else "progress.short"
        place = said(key, place=self.place)
        return said("progress.short.level", place=place) if self.shared else place


class Progress(Struct, frozen=True):
    """A seat's progress under a rule, for people who look at a table."""

    have: int
    """Cards collected towards `need`; with `need` = 0, the whole count."""
    need: int = 0
    """Cards that complete one set; 0 if the rule has no sets."""
    count: str = ""
    """The progress in figures, if they say it: ``2/3``, ``5``."""
    ranks: tuple[Rank, ...] = ()
    """The places that the count would have now."""
    runs: tuple[int, ...] = ()
    """The lengths of the runs."""

    @property
    def text(self) -> str:
        """The progress in English."""
        return self.within(spoken("en"))

    def within(self, catalogue: Catalogue) -> str:
        """Return the progress: ``2/3``, ``5 · second most (shared)``, ``runs of 3 and 2``."""
        words = [rank.phrase.within(catalogue) for rank in self.ranks]
        return " · ".join(part for part in (self.count, *words, self._runs(catalogue)) if part)

    def short(self, catalogue: Catalogue) -> str:
        """Return places and runs in few columns; empty if there are none."""
        words = [rank.short.within(catalogue) for rank in self.ranks]
        return " · ".join(part for part in (*words, self._runs(catalogue)) if part)

    def brief(self, catalogue: Catalogue) -> str:
        """Return places, runs or figures in few columns; nothing for a mere count, which says little."""
        if not self.have:
            return ""
        return self.short(catalogue) or ("" if self.count.isdecimal() else self.count)

    def _runs(self, catalogue: Catalogue) -> str:
        if not self.runs:
            return ""
        several = said("progress.runs", lengths=tuple(map(str, self.runs)))
        return (several if len(self.runs) > 1 else said("progress.run", length=self.runs[0])).within(catalogue)
