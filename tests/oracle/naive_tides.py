"""Independent scorer of Tides of Time, written from the texts of its cards alone.

A kingdom is a list of cards: those drafted, and the relics. All cards but three have a suit, which is the last word of
their name.
"""

from __future__ import annotations

from dataclasses import dataclass

SUITS = ("palace", "library", "garden", "temple", "stronghold")
FOR_EACH = {
    "palace": "library",
    "library": "garden",
    "garden": "temple",
    "temple": "stronghold",
    "stronghold": "palace",
}
"""The suit that the old card of a suit counts, for three points each."""
FOR_MOST = {
    "palace": "garden",
    "library": "temple",
    "garden": "stronghold",
    "temple": "palace",
    "stronghold": "library",
}
"""The suit in which the high card of a suit wants the majority, for seven points."""
TRIPLES = {"great_palace": ("garden", "temple", "stronghold"), "great_garden": ("palace", "library", "stronghold")}


@dataclass(frozen=True)
class Edition:
    """Placeholder: Tides of Time has one edition."""


def number(kingdom: list[str], suit: str) -> int:
    """Count the cards of a suit."""
    return len([card for card in kingdom if card.split("_")[-1] == suit])


def wins(mine: int, yours: int, kingdom: list[str]) -> bool:
    """True if a kingdom has the majority: more, or as many and the card that wins ties; never with none."""
    return mine > yours or (mine == yours > 0 and "wins_ties" in kingdom)


def longest(kingdom: list[str]) -> int:
    """Return the size of the largest suit."""
    return max(number(kingdom, suit) for suit in SUITS)


def objective(card: str, mine: list[str], yours: list[str]) -> int:  # noqa: PLR0911 (one for each sort of card)
    """Return the points that a card gives its kingdom."""
    rank, _, suit = card.partition("_")
    have = {suit for suit in SUITS if number(mine, suit)}
    if rank == "old":
        return 3 * number(mine, FOR_EACH[suit])
    if rank == "high":
        return 7 if wins(number(mine, FOR_MOST[suit]), number(yours, FOR_MOST[suit]), mine) else 0
    if card in TRIPLES:
        return 9 * min(number(mine, own) for own in TRIPLES[card])
    if card == "great_library":
        return 13 * min(number(mine, own) for own in SUITS)
    if card == "great_temple":
        return 3 * (5 - len(have))
    if card == "great_stronghold":
        return 8 if wins(longest(mine), longest(yours), mine) else 0
    if card == "monument":
        return 6 * len([own for own in SUITS if number(mine, own) == 3])
    return 0


def of_one(mine: list[str], yours: list[str]) -> dict[str, int]:
    """Return the points of each card of a kingdom; the echo comes last and repeats the best of the others."""
    found = {card: objective(card, mine, yours) for card in mine}
    if "twice" in found:
        found["twice"] = max(found.values())
    return found


def score_round(tables: list[list[str]], _edition: Edition) -> dict[str, list[int]]:
    """Return the points of every card that scores, by seat."""
    both = [of_one(tables[seat], tables[1 - seat]) for seat in (0, 1)]
    scoring = [f"{rank}_{suit}" for rank in ("old", "high", "great") for suit in SUITS] + ["monument", "twice"]
    return {card: [own.get(card, 0) for own in both] for card in scoring}


def score_game(_tables: list[list[str]], _edition: Edition) -> dict[str, list[int]]:
    """Return no points: the end of the game scores nothing."""
    return {}
