"""Independent scorer of Sushi Go!, written from the rulebooks alone: card names in, points out.

It knows the game of 2012, and the differences of the edition of 2014 and of the summary document. Statements are cited
by their numbers in the card sets, such as O-16. A tableau is a list of card names in order of play.
"""

from __future__ import annotations

from dataclasses import dataclass

ICONS = {"maki_1": 1, "maki_2": 2, "maki_3": 3}
NIGIRI = {"nigiri_egg": 1, "nigiri_salmon": 2, "nigiri_squid": 3}
DUMPLINGS = (0, 1, 3, 6, 10, 15)


@dataclass(frozen=True)
class Edition:
    """Differences between the editions in scoring."""

    second_after_tie: bool = False
    """True if there is a second place in maki after a tie for the first (S-11)."""
    zero_can_be_second: bool = False
    """True if a player without icons can be ranked (reading `zero_icons`)."""
    two_lose: bool = False
    """True if one of two players loses points for the fewest puddings (S-16)."""
    rounded_down: bool = False
    """True if a shared loss is rounded down, and so may grow (reading `split_loss`)."""
    nobody_if_equal: bool = True
    """True if nobody scores when all have equally many puddings (O-31, G-22, reading `equal_puddings`)."""
    ranked: int | None = None
    """The number of seats that are ranked, from seat 0 on; ``None`` for all."""


def tempura(table: list[str]) -> int:
    """Score 5 for every two (O-20)."""
    return table.count("tempura") // 2 * 5


def sashimi(table: list[str]) -> int:
    """Score 10 for every three (O-21)."""
    return table.count("sashimi") // 3 * 10


def dumpling(table: list[str]) -> int:
    """Score 1, 3, 6, 10 or 15 for 1, 2, 3, 4, or 5 and more (O-22)."""
    return DUMPLINGS[min(5, table.count("dumpling"))]


def nigiri(table: list[str]) -> int:
    """Score nigiri, tripled on a free wasabi that was played before (O-09, O-10, O-23)."""
    points = free = 0
    for card in table:
        if card == "wasabi":
            free += 1
        elif card in NIGIRI and free:
            points += 3 * NIGIRI[card]
            free -= 1
        elif card in NIGIRI:
            points += NIGIRI[card]
    return points


def maki(tables: list[list[str]], edition: Edition) -> list[int]:
    """Share 6 among the most icons and 3 among the second, without remainders (O-16, O-17, O-19)."""
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
    """Share 6 among the most and a loss of 6 among the fewest, rounding to zero (O-28 to O-32).

    Nobody scores if all have equally many. Without that exception (S-16), gain and loss of all cancel out,
    unless losses are rounded down.
    """
    counts = [table.count("pudding") for table in tables]
    points = [0] * len(tables)
    if len(set(counts)) == 1 and edition.nobody_if_equal:
        return points
    most = [seat for seat, own in enumerate(counts) if own == max(counts)]
    fewest = [seat for seat, own in enumerate(counts) if own == min(counts)]
    for seat in most:
        points[seat] += 6 // len(most)
    if len(tables) > 2 or edition.two_lose:
        for seat in fewest:
            points[seat] -= -(-6 // len(fewest)) if edition.rounded_down else 6 // len(fewest)
    return points


ROUND_BY_SEAT = {"tempura": tempura, "sashimi": sashimi, "dumpling": dumpling, "nigiri": nigiri}


def score_round(tables: list[list[str]], edition: Edition) -> dict[str, list[int]]:
    """Return the points of every rule after a round, by seat."""
    compared = tables[: edition.ranked]
    own = {rule: [points(table) for table in compared] for rule, points in ROUND_BY_SEAT.items()}
    return padded({**own, "maki": maki(compared, edition)}, len(tables))


def score_game(tables: list[list[str]], edition: Edition) -> dict[str, list[int]]:
    """Return the points of every rule after the last round, by seat."""
    return padded({"pudding": pudding(tables[: edition.ranked], edition)}, len(tables))


def padded(rules: dict[str, list[int]], seats: int) -> dict[str, list[int]]:
    """Return the points by seat, with 0 for the seats that are not ranked."""
    return {rule: points + [0] * (seats - len(points)) for rule, points in rules.items()}


def winners(totals: list[int], tables: list[list[str]]) -> tuple[int, ...]:
    """Return the winners: most points, then most puddings, then all that are still tied (O-33, O-34)."""
    standing = [(total, table.count("pudding")) for total, table in zip(totals, tables, strict=True)]
    return tuple(seat for seat, own in enumerate(standing) if own == max(standing))
