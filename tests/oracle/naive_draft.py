"""Independent scorer of Sushi Draft, from its statements alone (D-01 to D-18): who wins each chip.

A tableau is a list of names: a kind, a kind with wasabi (``ebi_w``), or a triple with the kind that it was placed as
(``triple@ebi``).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

KINDS = ("ikura", "ebi", "maguro", "tamago", "kappa")


@dataclass(frozen=True)
class Edition:
    """The advanced rules in force."""

    half_triples: bool = False
    """True if a triple counts half a card (D-17)."""
    half_wasabi: bool = False
    """True if a kind with any wasabi counts as half a kind for dessert (D-18)."""


def kind_of(card: str) -> str:
    """Return the kind that a card counts as (D-10)."""
    return card.partition("@")[2] or card.removesuffix("_w")


def single_most(counts: list[Fraction]) -> list[int]:
    """Give one chip to the highest number above 0, unless it is tied (D-11, D-13, D-14)."""
    alone = [own for own in counts if own > 0 and counts.count(own) == 1]
    return [int(own in alone and own == max(alone)) for own in counts]


def cards_of(table: list[str], kind: str, edition: Edition) -> Fraction:
    """Count the cards of a kind."""
    triple = Fraction(1, 2) if edition.half_triples else Fraction(1)
    return sum((triple if "@" in card else Fraction(1) for card in table if kind_of(card) == kind), Fraction())


def kinds_of(table: list[str], edition: Edition) -> Fraction:
    """Count the kinds on a table (D-12, D-18)."""
    found = Fraction()
    for kind in {kind_of(card) for card in table}:
        found += Fraction(1, 2) if edition.half_wasabi and f"{kind}_w" in table else Fraction(1)
    return found


def score_round(tables: list[list[str]], edition: Edition) -> dict[str, list[int]]:
    """Return the chips of every kind and for dessert, by seat."""
    chips = {kind: single_most([cards_of(table, kind, edition) for table in tables]) for kind in KINDS}
    return {**chips, "dessert": single_most([kinds_of(table, edition) for table in tables])}


def score_game(_tables: list[list[str]], _edition: Edition) -> dict[str, list[int]]:
    """Return no points: at the end the chips are only turned up."""
    return {}
