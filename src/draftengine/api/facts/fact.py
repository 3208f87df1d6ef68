"""A fact: one true statement about a game, in sentences. If it gives points, it also has lines."""

from __future__ import annotations

from msgspec import Struct

from draftengine.support.locale.catalogue import plain

Cell = tuple[str, str]
"""A heading, which may be empty, and its points, such as ``("most", "6")``."""


class Line(Struct, frozen=True, kw_only=True):
    """A line that says how much something is worth: a row of a quick reference, or a strip on a card."""

    title: str
    text: str
    """The counted things, then the moment, the numbers of players, and notes.

    An example is ``at the end: most, fewest (3–5 players); ties share``.
    """
    cells: tuple[Cell, ...] = ()
    """Headings with their points; empty if only a sentence can express the points."""
    players: tuple[int, ...]
    """The numbers of players for which the line holds."""
    span: str = ""
    """`players` in words, in brackets; empty if the line holds for all numbers that the facts cover."""
    condition: str = ""
    """The condition under which the line holds; empty if it always holds."""
    counts: str = ""
    """The counted things, without the additions in `text`."""
    icon: str = ""
    """The card whose picture the line shows."""
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
    """Passages of the rulebook on which the fact is based."""
    at: str = ""
    """The moment at which the rule scores: ``round``, ``game`` or the label of a step."""
    moment: str = ""
    """A sentence about the moment `at`; empty if it occurs in every round."""
    icons: tuple[str, ...] = ()
    """Cards whose pictures illustrate the fact; empty if there are too many."""
    signs: tuple[str, ...] = ()
    """One card for each different picture among the counted cards; empty if there are too many."""
    cards: frozenset[str] = frozenset()
    """All cards that the fact counts, except cards that only change other cards."""
    lines: tuple[Line, ...] = ()
    counts_others: bool = False
    """True if the fact is printed on a card but counts other cards."""

    @property
    def plain(self) -> str:
        """The text without marks."""
        return plain(self.text)
