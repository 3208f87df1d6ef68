"""A rulebook as data: parts made of blocks. Texts have the marks of `draftengine.support.locale.catalogue`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from draftengine.api.facts.box import Boxed


class Paragraph(Struct, frozen=True):
    text: str
    lead: str = ""
    """Words before it that stand out."""


class Steps(Struct, frozen=True):
    """A numbered list."""

    items: tuple[str, ...]


class Table(Struct, frozen=True):
    """A table; the first column names the row."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    icons: tuple[str, ...] = ()
    """A card for each row, whose sign stands before its name."""
    total: bool = False
    """Does the last row add the others up."""
    texts: bool = False
    """Are its cells texts, not numbers."""


class Picture(Struct, frozen=True):
    """A drawing, and what it shows in words."""

    svg: str
    said: str


class Box(Struct, frozen=True):
    """The cards in the box."""

    cards: tuple[Boxed, ...]


class Example(Struct, frozen=True):
    """A line of a worked example."""

    who: str
    cards: tuple[str, ...]
    text: str
    points: str


class Rule(Struct, frozen=True):
    """A rule, or a card with a rule of its own."""

    title: str
    cards: tuple[str, ...]
    """Cards whose signs stand beside it."""
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
    facts: tuple[tuple[str, str], ...]
    """Number and noun."""
    sign: str
    """The card whose sign stands on the cover."""
    parts: tuple[Part, ...]
    edition_line: str
    none: str
    """What stands where a seat has no cards."""
    names: tuple[tuple[str, str], ...]
    """What each card is called."""
    short: bool = False
    """Is it but one page, to look things up while playing."""
