"""A fact: one true statement about a game, in sentences and, where it gives points, in lines."""

from __future__ import annotations

from msgspec import Struct

from draftengine.support.locale.catalogue import plain

Cell = tuple[str, str]
"""A heading, which may be empty, and its points: ``("most", "6")``."""


class Line(Struct, frozen=True, kw_only=True):
    """The worth of something: a row of a quick reference, or a strip of signs on a card."""

    title: str
    text: str
    """The things that count, followed by the time, the numbers of players and notes.

    ``at the end: most, fewest (3–5 players); ties share``.
    """
    cells: tuple[Cell, ...] = ()
    """Headings with their points; empty if only a sentence can express them."""
    players: tuple[int, ...]
    """The numbers of players for which the line holds."""
    span: str = ""
    """`players` in words, in brackets; empty if the line holds for all numbers that the facts cover."""
    condition: str = ""
    """The condition under which the line holds; empty if it always holds."""
    counts: str = ""
    """The things that count, without the additions of `text`."""
    icon: str = ""
    """The card whose sign the line shows."""
    card: str = ""
    """The card that the line is about, if each card of a rule has a line."""
    copies: int = 0
    """The number of cards in a set; 0 if the rule does not score sets, or counts amounts printed on cards."""

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
    """Statements in the rulebook on which it is based."""
    at: str = ""
    """The moment at which it is scored: ``round``, ``game`` or the label of a step."""
    moment: str = ""
    """A sentence about that moment; empty if it comes in every round."""
    icons: tuple[str, ...] = ()
    """Cards whose signs illustrate it; empty if there are too many."""
    signs: tuple[str, ...] = ()
    """One card for each sign that it counts; empty if there are too many."""
    cards: frozenset[str] = frozenset()
    """All cards that it counts, except cards that merely change others."""
    lines: tuple[Line, ...] = ()
    counts_others: bool = False
    """True if it is printed on a card but counts other cards."""

    @property
    def plain(self) -> str:
        """The text without marks."""
        return plain(self.text)
