"""Node counts by an independent program, which knows the first editions and nothing of the engine.

It visits every joint sequence, which is slow and simple.
"""

from __future__ import annotations

from functools import partial
from itertools import combinations, product
from typing import TYPE_CHECKING, NamedTuple

from oracle.naive import NIGIRI, Edition, score_game, score_round

if TYPE_CHECKING:
    from collections.abc import Iterator

Cards = tuple[str, ...]


class Rules(NamedTuple):
    """The rules of a round."""

    edition: Edition
    late: bool
    """True if chopsticks are used after all cards are revealed (S-10), not before (O-12)."""
    to_the_left: bool
    last: bool
    """True in the last round, after which puddings count."""


class Position(NamedTuple):
    """The cards of all seats before a choice."""

    hands: tuple[Cards, ...]
    tables: tuple[Cards, ...]
    """Cards by seat, in order of play."""
    offered: frozenset[int] = frozenset()
    """Seats that may still use chopsticks in this turn; their cards are revealed."""


def rules_of(cardset: str, *, both_ways: bool, round_number: int) -> Rules:
    """Return the rules of a card set in one of its three rounds."""
    summary = cardset == "sushi_go_summary"
    return Rules(
        Edition(second_after_tie=True, two_lose=True) if summary else Edition(),
        late=summary,
        to_the_left=not (both_ways and round_number == 2),
        last=round_number == 3,
    )


def actions(position: Position, seat: int, *, late: bool) -> list[Cards]:
    """Return the actions of a seat: one card, or two with chopsticks; after the reveal one more, or none.

    Equal cards are one action. Two cards at once are one action in either order, except wasabi and a nigiri.
    """
    hand, table = position.hands[seat], position.tables[seat]
    single = [(card,) for card in sorted(set(hand))]
    if position.offered:
        return [(), *single] if seat in position.offered else [()]
    if late or "chopsticks" not in table:
        return single
    pairs = sorted({tuple(sorted(pair)) for pair in combinations(hand, 2)})
    return single + pairs + [(other, one) for one, other in pairs if order_counts(one, other)]


def order_counts(one: str, other: str) -> bool:
    """True if one of two cards is a wasabi and the other a nigiri, so that order matters (O-09, O-12)."""
    return (one == "wasabi" and other in NIGIRI) or (other == "wasabi" and one in NIGIRI)


def taken(hand: Cards, table: Cards, action: Cards, *, with_chopsticks: bool) -> tuple[Cards, Cards]:
    """Return hand and table of a seat after its action; chopsticks go back into the hand (O-13)."""
    cards, lying = list(hand), list(table)
    for card in action:
        cards.remove(card)
        lying.append(card)
    if with_chopsticks:
        lying.remove("chopsticks")
        cards.append("chopsticks")
    return tuple(cards), tuple(lying)


def after(position: Position, joint: tuple[Cards, ...], rules: Rules) -> Position:
    """Return the position before the next choice: an offer of chopsticks, or a turn with hands passed on."""
    own_cards = 0 if position.offered else 1
    done = [
        taken(hand, table, action, with_chopsticks=len(action) > own_cards)
        for hand, table, action in zip(position.hands, position.tables, joint, strict=True)
    ]
    hands, tables = tuple(hand for hand, _ in done), tuple(table for _, table in done)
    if rules.late and not position.offered:
        offered = frozenset(seat for seat, before in enumerate(position.tables) if "chopsticks" in before)
        if offered and any(hands):
            return Position(hands, tables, offered)
    return Position(passed(hands, to_the_left=rules.to_the_left), tables)


def passed(hands: tuple[Cards, ...], *, to_the_left: bool) -> tuple[Cards, ...]:
    """Return the hands passed to the left, which is to the next seat (O-08, O-35)."""
    return (hands[-1], *hands[:-1]) if to_the_left else (*hands[1:], hands[0])


def following(position: Position, rules: Rules) -> Iterator[Position]:
    """Yield the position after each joint action."""
    seats = range(len(position.hands))
    for joint in product(*(actions(position, seat, late=rules.late) for seat in seats)):
        yield after(position, joint, rules)


def is_over(position: Position) -> bool:
    """True if the round has no choices left."""
    return not any(position.hands)


def key(position: Position) -> object:
    """Return what identifies a position: cards, worth of nigiri, free wasabi, and seats with an offer."""
    hands = tuple(tuple(sorted(hand)) for hand in position.hands)
    tables = tuple((tuple(sorted(table)), worth(table)) for table in position.tables)
    return hands, tables, position.offered


def worth(table: Cards) -> tuple[int, int]:
    """Return the points of nigiri, and the number of free wasabi."""
    points = free = 0
    for card in table:
        if card in NIGIRI:
            points += NIGIRI[card] * (3 if free else 1)
            free -= 1 if free else 0
        free += card == "wasabi"
    return points, free


def scores(position: Position, rules: Rules) -> tuple[int, ...]:
    """Return the points of every seat at the end of the round."""
    tables = [list(table) for table in position.tables]
    given = score_round(tables, rules.edition)
    if rules.last:
        given |= score_game(tables, rules.edition)
    return tuple(map(sum, zip(*given.values(), strict=True)))


def count(rules: Rules, hands: list[list[str]], tables: list[list[str]]) -> dict[str, object]:
    """Return the figures of a vector."""
    start = Position(tuple(map(tuple, hands)), tuple(map(tuple, tables)))
    return walked(start, partial(following, rules=rules), is_over, partial(scores, rules=rules), key)


def walked(start, following, is_over, scores, key) -> dict[str, object]:
    """Return the figures of all positions after a start, with functions that describe a position."""
    level, ends, nodes, unique = [start], [], [], []
    while level:
        reached = [position for before in level for position in following(before)]
        level = [position for position in reached if not is_over(position)]
        ends += [scores(position) for position in reached if is_over(position)]
        nodes.append(len(reached))
        unique.append(len(set(map(key, level))))

    def leaves(position) -> int:
        """Count the joint sequences to the end of the round."""
        return 1 if is_over(position) else sum(map(leaves, following(position)))

    return {
        "nodes": nodes,
        "unique": unique[:-1],
        "leaves": len(ends),
        "scores": len(set(ends)),
        "checksum": sum((seat + 1) * points for end in ends for seat, points in enumerate(end)),
        "divide": list(map(leaves, following(start))),
    }
