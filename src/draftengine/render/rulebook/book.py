"""A rulebook as data: parts made of blocks.

Texts use the marks of `draftengine.support.locale.catalogue`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from draftengine.api.facts.box import Boxed


class Paragraph(Struct, frozen=True):
    text: str
    lead: str = ""
    """Emphasised words before the text."""


class Steps(Struct, frozen=True):
    """A numbered list."""

    items: tuple[str, ...]


class Table(Struct, frozen=True):
    """A table. Its first column has the names of the rows."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    icons: tuple[str, ...] = ()
    """A card for each row. The icon of the card precedes the name of the row."""
    texts: bool = False
    """True if the cells are texts, not numbers."""


class Picture(Struct, frozen=True):
    """A drawing, and a description of the drawing."""

    svg: str
    said: str


class Box(Struct, frozen=True):
    """The cards in the box."""

    cards: tuple[Boxed, ...]


class Example(Struct, frozen=True):
    """A line of a worked example."""

    who: str
    cards: tuple[str, ...]
    words: str
    """The cards in words."""
    text: str
    points: str


class Rule(Struct, frozen=True):
    """A rule, or a card with a rule of its own."""

    title: str
    cards: tuple[str, ...]
    """Cards whose icons are printed next to the rule."""
    text: str
    lead: str = ""
    examples: tuple[Example, ...] = ()
    boxed: bool = False


Block = Paragraph | Steps | Table | Picture | Box | Rule


class Part(Struct, frozen=True):
    title: str
    blocks: tuple[Block, ...]


class Book(Struct, frozen=True):
    """A rulebook."""

    language: str
    title: str
    about: str
    facts: tuple[str, ...]
    """Phrases that are on the box, such as the number of players. Their numbers are bold."""
    sign: str
    """The card whose icon is on the cover."""
    parts: tuple[Part, ...]
    edition_line: str
    names: tuple[tuple[str, str], ...]
    """The names of the cards, as pairs of card and name."""
    short: bool = False
    """True if it is a one-page player aid."""
