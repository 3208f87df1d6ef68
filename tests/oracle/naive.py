"""A second scorer, written from the rulebooks alone: names of cards in, points out, nothing shared with the engine.

Statements are cited by their numbers in the card sets (O-16 and so on). A tableau is a list of names in order of play.
"""

from __future__ import annotations

from dataclasses import dataclass

ICONS = {"maki_1": 1, "maki_2": 2, "maki_3": 3}
NIGIRI = {"nigiri_egg": 1, "nigiri_salmon": 2, "nigiri_squid": 3}
DUMPLINGS = (0, 1, 3, 6, 10, 15)


@dataclass(frozen=True)
class Edition:
    """Where the editions differ."""

    second_after_tie: bool = False
    """Is there a second place in maki after a tie for the first (S-11)."""
    zero_can_be_second: bool = False
    """Can a player without icons be ranked (reading `zero_icons`)."""
    two_lose: bool = False
    """Does one of two players lose points for the fewest puddings (S-16)."""


def tempura(table: list[str]) -> int:
    """Every two are worth 5 (O-20)."""
    return table.count("tempura") // 2 * 5


def sashimi(table: list[str]) -> int:
    """Every three are worth 10 (O-21)."""
    return table.count("sashimi") // 3 * 10


def dumpling(table: list[str]) -> int:
    """1, 2, 3, 4, 5 or more are worth 1, 3, 6, 10, 15 (O-22)."""
    return DUMPLINGS[min(5, table.count("dumpling"))]


def nigiri(table: list[str]) -> int:
    """Each its points, three times those on a wasabi that lay there before and is free (O-09, O-10, O-23)."""
    points = free = 0
    for card in table:
        if card == "wasabi":
            free += 1
        elif card in NIGIRI:
            points += NIGIRI[card] * (3 if free else 1)
            free -= 1 if free else 0
    return points


def maki(tables: list[list[str]], edition: Edition) -> list[int]:
    """Most icons share 6, second most share 3 (O-16, O-17, O-19)."""
    icons = [sum(ICONS.get(card, 0) for card in table) for table in tables]
    ranked = sorted({count for count in icons if count or edition.zero_can_be_second}, reverse=True)
    points = [0] * len(tables)
    for prize, count in zip((6, 3), ranked, strict=False):
        winners = [seat for seat, own in enumerate(icons) if own == count]
        for seat in winners:
            points[seat] = prize // len(winners)
        if len(winners) > 1 and not edition.second_after_tie:
            break
    return points


def pudding(tables: list[list[str]], edition: Edition) -> list[int]:
    """Most share 6, fewest share a loss of 6; nothing if all have the same (O-28 to O-32)."""
    counts = [table.count("pudding") for table in tables]
    points = [0] * len(tables)
    if len(set(counts)) == 1:
        return points
    for count, prize in ((max(counts), 6), (min(counts), -6 if len(tables) > 2 or edition.two_lose else 0)):
        sharing = [seat for seat, own in enumerate(counts) if own == count]
        for seat in sharing:
            share = abs(prize) // len(sharing)
            points[seat] += share if prize > 0 else -share
    return points


ONE_SEAT = {"tempura": tempura, "sashimi": sashimi, "dumpling": dumpling, "nigiri": nigiri}
ALL_SEATS = {"maki": maki, "pudding": pudding}


def score(tables: list[list[str]], edition: Edition) -> dict[str, list[int]]:
    """The points of every rule, by seat."""
    own = {rule: [points(table) for table in tables] for rule, points in ONE_SEAT.items()}
    return own | {rule: points(tables, edition) for rule, points in ALL_SEATS.items()}
