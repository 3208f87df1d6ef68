"""A fact: one true statement about a game, in sentences and, where it gives points, in lines."""

from __future__ import annotations

from msgspec import Struct

from draftengine.support.locale.catalogue import plain

Cell = tuple[str, str]
"""A heading, which may be empty, and its points: ``("most", "6")``."""


class Line(Struct, frozen=True, kw_only=True):
    """The worth of something, as a row of a quick reference or a strip of signs on a card."""

    title: str
    text: str
    """The thing that counts, with moment, players and notes.

    ``at the end: most, fewest (3–5 players); ties share``.
    """
    cells: tuple[Cell, ...] = ()
    """Headings with points; empty if only a sentence can say it."""
    players: tuple[int, ...]
    """The numbers of players for which it holds."""
    span: str = ""
    """`players` in words, in brackets; empty if it holds for all numbers covered."""
    condition: str = ""
    """The condition under which it holds; empty for none."""
    counts: str = ""
    """The thing that counts, without the rest of `text`."""
    icon: str = ""
    """The card whose sign the line shows."""
    card: str = ""
    """The card that the line is about, if each card of a rule has a line."""
    copies: int = 0
    """The number of cards that make a set; 0 if it does not score that way, or counts what cards show."""

    @property
    def points(self) -> list[str]:
        """Points in the order of the headings."""
        return [value for _, value in self.cells]


class Fact(Struct, frozen=True, kw_only=True):
    """A true statement about a game: a rule, a card with a rule of its own, or an event."""

    id: str
    title: str
    text: str
    """One or more sentences, with the marks of `draftengine.support.locale.catalogue`."""
    written: bool = False
    """True if the author wrote the text."""
    source: tuple[str, ...] = ()
    """Statements of the rulebook that it is based on."""
    at: str = ""
    """The moment at which it is scored: ``round``, ``game`` or the label of a step."""
    moment: str = ""
    """That moment as a sentence; empty for every round."""
    icons: tuple[str, ...] = ()
    """Cards whose signs illustrate it; empty if there are too many."""
    signs: tuple[str, ...] = ()
    """One card of each sign that it looks at; empty if there are too many."""
    cards: frozenset[str] = frozenset()
    """All cards that it looks at, except those that only change others."""
    lines: tuple[Line, ...] = ()
    counts_others: bool = False
    """True if it is printed on a card and looks at other cards."""

    @property
    def plain(self) -> str:
        """The text without marks."""
        return plain(self.text)
