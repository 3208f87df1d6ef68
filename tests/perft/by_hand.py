"""Node counts by a program of its own: it knows the rules of one family of games and nothing of the engine.

It walks every joint sequence one by one, which is slow and simple.
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

from oracle.naive import NIGIRI, Edition, score

if TYPE_CHECKING:
    from collections.abc import Iterator

LATE = {"sushi_go_summary"}
"""Where chopsticks are used after the cards of all are revealed (S-10)."""

EDITIONS = {
    "sushi_go": Edition(),
    "sushi_go_2014": Edition(),
    "sushi_go_summary": Edition(second_after_tie=True, two_lose=True),
}


def actions(hand: tuple[str, ...], table: tuple[str, ...], *, late: bool) -> Iterator[tuple[str, ...]]:
    """What a seat can do in a turn: one card, or two with chopsticks that lie there.

    Two cards chosen at once are one action in either order, except wasabi and a nigiri; a second card that is chosen
    after the reveal makes another action than the same two in the other order.
    """
    kinds = sorted(set(hand))
    yield from ((card,) for card in kinds)
    if "chopsticks" not in table or len(hand) < 2:
        return
    pairs = {tuple(sorted(pair)) for pair in combinations(hand, 2)}
    for one, other in sorted(pairs):
        yield one, other
        if one != other and (late or ({one, other} & {"wasabi"} and {one, other} & set(NIGIRI))):
            yield other, one


def after(
    hand: tuple[str, ...], table: tuple[str, ...], action: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Hand and table of a seat after its action."""
    cards, lying = list(hand), list(table)
    for card in action:
        cards.remove(card)
        lying.append(card)
    if len(action) == 2:
        lying.remove("chopsticks")
        cards.append("chopsticks")
    return tuple(cards), tuple(lying)


def turn(
    hands: tuple[tuple[str, ...], ...], tables: tuple[tuple[str, ...], ...], *, late: bool
) -> Iterator[tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]]:
    """Every joint action with the hands (passed to the left) and tables that follow."""
    for joint in product(*(tuple(actions(hand, table, late=late)) for hand, table in zip(hands, tables, strict=True))):
        done = [after(*seat) for seat in zip(hands, tables, joint, strict=True)]
        passed = [hand for hand, _ in done]
        yield joint, (passed[-1], *passed[:-1]), tuple(table for _, table in done)


def key(hands: tuple[tuple[str, ...], ...], tables: tuple[tuple[str, ...], ...]) -> object:
    """What makes two positions the same: the cards, the points of nigiri so far and the free wasabi."""
    return tuple(
        (tuple(sorted(hand)), tuple(sorted(table)), worth(table)) for hand, table in zip(hands, tables, strict=True)
    )


def worth(table: tuple[str, ...]) -> tuple[int, int]:
    """Points of nigiri, and wasabi that are still free."""
    points = free = 0
    for card in table:
        if card in NIGIRI:
            points += NIGIRI[card] * (3 if free else 1)
            free -= 1 if free else 0
        free += card == "wasabi"
    return points, free


def count(cardset: str, hands: list[list[str]], tables: list[list[str]]) -> dict[str, object]:
    """The figures of a vector. After the last turn nothing is left to compare, so `unique` ends before it."""
    late, edition = cardset in LATE, EDITIONS[cardset]
    level = [(tuple(map(tuple, hands)), tuple(map(tuple, tables)))]
    nodes, unique, divide = [], [], []
    while any(hand for hand in level[0][0]):
        if not nodes:
            divide = sorted(_leaves(*after_one, late=late) for _, *after_one in turn(*level[0], late=late))
        level = [following for position in level for _, *following in turn(*position, late=late)]
        nodes.append(len(level))
        unique.append(len({key(*position) for position in level}))
    totals = [_totals(position[1], edition) for position in level]
    return {
        "nodes": nodes,
        "unique": unique[:-1],
        "leaves": len(level),
        "scores": len(set(totals)),
        "checksum": sum((seat + 1) * points for total in totals for seat, points in enumerate(total)),
        "divide": divide,
    }


def _leaves(hands: tuple[tuple[str, ...], ...], tables: tuple[tuple[str, ...], ...], *, late: bool) -> int:
    if not any(hands):
        return 1
    return sum(_leaves(*following, late=late) for _, *following in turn(hands, tables, late=late))


def _totals(tables: tuple[tuple[str, ...], ...], edition: Edition) -> tuple[int, ...]:
    rules = score([list(table) for table in tables], edition)
    return tuple(map(sum, zip(*rules.values(), strict=True)))
