"""A second scorer of Tides of Time, written from what its cards say alone.

A kingdom is a list of cards: what was drafted and the relics. Each card but three is of a suit, which is the last word
of its name.
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
"""What the old card of a suit counts, three points for each."""
FOR_MOST = {
    "palace": "garden",
    "library": "temple",
    "garden": "stronghold",
    "temple": "palace",
    "stronghold": "library",
}
"""What the high card of a suit asks most of, for seven points."""
TRIPLES = {"great_palace": ("garden", "temple", "stronghold"), "great_garden": ("palace", "library", "stronghold")}


@dataclass(frozen=True)
class Edition:
    """There is only one."""


def number(kingdom: list[str], suit: str) -> int:
    """How many cards of a suit lie there."""
    return len([card for card in kingdom if card.split("_")[-1] == suit])


def wins(mine: int, yours: int, kingdom: list[str]) -> bool:
    """Who has more, or as many and the card that wins ties; of nothing there is no majority."""
    return mine > yours or (mine == yours > 0 and "wins_ties" in kingdom)


def longest(kingdom: list[str]) -> int:
    """The most cards of a single suit."""
    return max(number(kingdom, suit) for suit in SUITS)


def objective(card: str, mine: list[str], yours: list[str]) -> int:  # noqa: PLR0911 (one for each sort of card)
    """What a card gives whoever has it."""
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
    """What every card of a kingdom gives; the echo comes last, and gives what the best of the others gives."""
    found = {card: objective(card, mine, yours) for card in mine}
    if "twice" in found:
        found["twice"] = max(found.values())
    return found


def score_round(tables: list[list[str]], _edition: Edition) -> dict[str, list[int]]:
    """The points of every card that scores, by seat."""
    both = [of_one(tables[seat], tables[1 - seat]) for seat in (0, 1)]
    scoring = [f"{rank}_{suit}" for rank in ("old", "high", "great") for suit in SUITS] + ["monument", "twice"]
    return {card: [own.get(card, 0) for own in both] for card in scoring}


def score_game(_tables: list[list[str]], _edition: Edition) -> dict[str, list[int]]:
    """Nothing is given at the end."""
    return {}
