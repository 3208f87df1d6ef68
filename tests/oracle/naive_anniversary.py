"""Independent scorer of the tenth anniversary edition, from its statements alone (A-01 to A-56).

It shares nothing with the engine. A tableau is a list of card names in order of play; dice are numbers by seat. Rules
of the first edition are scored by `oracle.naive` (A-27 to A-29).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from oracle import naive
from oracle.naive import ROUND_BY_SEAT, padded

RUNS = (0, 1, 4, 8, 13, 20)


@dataclass(frozen=True)
class Edition:
    """The dessert that is played, and the readings of unclear rules."""

    dessert: str = "strawberry"
    must_have_maki: bool = False
    """True if a player without futomaki is not ranked (A-55)."""
    equal_lose_nothing: bool = False
    """True if three or more players with equally many strawberries lose nothing."""
    ranked: int | None = None
    """The number of ranked seats, from seat 0 on; ``None`` for all. A dummy is not ranked."""
    losses_of_two: bool = False
    """True if a game with the dummy uses the losses of two players (A-21, A-35)."""
    dice: list[int] = field(default_factory=list, compare=False)


def maki(tables: list[list[str]], edition: Edition) -> list[int]:
    """Share 6 for most icons, then 3 for second most unless the first is tied (A-23 to A-26)."""
    icons = [sum(naive.ICONS.get(card, 0) for card in table) for table in tables]
    considered = [seat for seat, own in enumerate(icons) if own > 0 or not edition.must_have_maki]
    points = [0] * len(tables)
    for prize in (6, 3):
        if not considered:
            break
        best = max(icons[seat] for seat in considered)
        winners = [seat for seat in considered if icons[seat] == best]
        for seat in winners:
            points[seat] = prize // len(winners)
        if len(winners) > 1:
            break
        considered = [seat for seat in considered if seat not in winners]
    return points


def share_of_loss(loss: int, seats: int) -> int:
    """Return a share of a loss, without the remainder."""
    return -(loss // seats)


def symbols(table: list[str]) -> int:
    """Count the strawberries on a table; the name of a card ends with its number."""
    return sum(int(card[-1]) for card in table if card.startswith("strawberry_"))


def value(table: list[str]) -> int:
    """Add the values of the frozen yogurts on a table; the name of a card ends with its value."""
    return sum(int(card[-1]) for card in table if card.startswith("yogurt_"))


def strawberry(tables: list[list[str]], edition: Edition) -> list[int]:
    """Share a loss of 6 among the fewest; of two players the one with fewer loses 3 (A-20, A-21)."""
    counts = [symbols(table) for table in tables]
    fewest = [seat for seat, own in enumerate(counts) if own == min(counts)]
    as_two = len(tables) == 2 or edition.losses_of_two
    points = [0] * len(tables)
    if (as_two and len(fewest) > 1) or (edition.equal_lose_nothing and len(set(counts)) == 1):
        return points
    for seat in fewest:
        points[seat] = share_of_loss(3 if as_two else 6, len(fewest))
    return points


def most_and_fewest(counts: list[int], edition: Edition) -> list[int]:
    """Share 6 among the most and a loss of 6 among the fewest (A-34, A-35, A-39, A-42)."""
    points = [0] * len(counts)
    if len(set(counts)) == 1:
        return points
    most = [seat for seat, own in enumerate(counts) if own == max(counts)]
    fewest = [seat for seat, own in enumerate(counts) if own == min(counts)]
    for seat in most:
        points[seat] += 6 // len(most)
    if len(counts) > 2 and not edition.losses_of_two:
        for seat in fewest:
            points[seat] += share_of_loss(6, len(fewest))
    return points


def frozen_yogurt(tables: list[list[str]], edition: Edition) -> list[int]:
    """Score by the value of all yogurts (A-34)."""
    return most_and_fewest([value(table) for table in tables], edition)


def good_ol_pudding(tables: list[list[str]], edition: Edition) -> list[int]:
    """Score by the number of puddings (A-39)."""
    return most_and_fewest([table.count("good_ol_pudding") for table in tables], edition)


def mochi(tables: list[list[str]], edition: Edition) -> list[int]:
    """Score by the dice, which begin at 1; the cards themselves score nothing (A-40, A-42)."""
    return most_and_fewest((edition.dice or [1] * len(tables))[: len(tables)], edition)


def bubble_tea(tables: list[list[str]], _edition: Edition) -> list[int]:
    """Score runs of consecutive numbers by length, divided in the best way (A-37, A-38)."""
    return [
        best_runs(tuple(sum(card == f"bubble_tea_{number}" for card in table) for number in range(1, 6)))
        for table in tables
    ]


def best_runs(left: tuple[int, ...]) -> int:
    """Return the best score of the runs that these numbers of cards allow."""
    if not any(left):
        return 0
    first = next(number for number, copies in enumerate(left) if copies)
    found = []
    for end in range(first + 1, len(left) + 1):
        if not left[end - 1]:
            break
        rest = tuple(copies - (first <= number < end) for number, copies in enumerate(left))
        found.append(RUNS[end - first] + best_runs(rest))
    return max(found)


DESSERTS = {
    "strawberry": strawberry,
    "frozen_yogurt": frozen_yogurt,
    "bubble_tea": bubble_tea,
    "good_ol_pudding": good_ol_pudding,
    "mochi": mochi,
}


def score_round(tables: list[list[str]], edition: Edition) -> dict[str, list[int]]:
    """Return the points of every rule after a round, by seat: 0 for seats that are not ranked."""
    compared = tables[: edition.ranked]
    own = {rule: [points(table) for table in compared] for rule, points in ROUND_BY_SEAT.items()}
    return padded({**own, "maki": maki(compared, edition)}, len(tables))


def score_game(tables: list[list[str]], edition: Edition) -> dict[str, list[int]]:
    """Return the points of the dessert after the last round, by seat."""
    points = DESSERTS[edition.dessert](tables[: edition.ranked], edition)
    return padded({edition.dessert: points}, len(tables))
