"""Node counts by a program of its own: it knows the rules of one family of games and nothing of the engine.

It walks every joint sequence one by one, which is slow and simple.
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
    """What a round is played by."""

    edition: Edition
    late: bool
    """Are chopsticks used after the cards of all are revealed (S-10), not before (O-12)."""
    to_the_left: bool
    last: bool
    """Is it the last round, after which puddings count."""


class Position(NamedTuple):
    """What lies where, before a choice."""

    hands: tuple[Cards, ...]
    tables: tuple[Cards, ...]
    """In order of play."""
    offered: frozenset[int] = frozenset()
    """The seats that may still use chopsticks in this turn, their cards having been revealed."""


def rules_of(cardset: str, *, both_ways: bool, round_number: int) -> Rules:
    """The rules of a card set in one of its three rounds."""
    summary = cardset == "sushi_go_summary"
    return Rules(
        Edition(second_after_tie=True, two_lose=True) if summary else Edition(),
        late=summary,
        to_the_left=not (both_ways and round_number == 2),
        last=round_number == 3,
    )


def actions(position: Position, seat: int, *, late: bool) -> list[Cards]:
    """What a seat can choose: one card, or two with chopsticks that lie there; after the reveal one more, or none.

    Identical cards are one action. Two cards at once are one in either order, except wasabi and a nigiri.
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
    """Does a nigiri go on the wasabi if it is the second of two cards (O-09, O-12)."""
    return (one == "wasabi" and other in NIGIRI) or (other == "wasabi" and one in NIGIRI)


def taken(hand: Cards, table: Cards, action: Cards, *, with_chopsticks: bool) -> tuple[Cards, Cards]:
    """Hand and table of a seat after its action; chopsticks go back into the hand (O-13)."""
    cards, lying = list(hand), list(table)
    for card in action:
        cards.remove(card)
        lying.append(card)
    if with_chopsticks:
        lying.remove("chopsticks")
        cards.append("chopsticks")
    return tuple(cards), tuple(lying)


def after(position: Position, joint: tuple[Cards, ...], rules: Rules) -> Position:
    """The position before the next choice: an offer of chopsticks, or the next turn with the hands passed on."""
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
    """Every seat has the hand of its neighbour; the seat on the left is the next one (O-08, O-35)."""
    return (hands[-1], *hands[:-1]) if to_the_left else (*hands[1:], hands[0])


def following(position: Position, rules: Rules) -> Iterator[Position]:
    """Where each joint action leads."""
    seats = range(len(position.hands))
    for joint in product(*(actions(position, seat, late=rules.late) for seat in seats)):
        yield after(position, joint, rules)


def is_over(position: Position) -> bool:
    """Is nothing left to choose in this round."""
    return not any(position.hands)


def key(position: Position) -> object:
    """What makes two positions the same: the cards, what the nigiri are worth, the free wasabi, and who may go on."""
    hands = tuple(tuple(sorted(hand)) for hand in position.hands)
    tables = tuple((tuple(sorted(table)), worth(table)) for table in position.tables)
    return hands, tables, position.offered


def worth(table: Cards) -> tuple[int, int]:
    """Points of nigiri, and wasabi that are still free."""
    points = free = 0
    for card in table:
        if card in NIGIRI:
            points += NIGIRI[card] * (3 if free else 1)
            free -= 1 if free else 0
        free += card == "wasabi"
    return points, free


def scores(position: Position, rules: Rules) -> tuple[int, ...]:
    """The points of every seat when the round is over."""
    tables = [list(table) for table in position.tables]
    given = score_round(tables, rules.edition)
    if rules.last:
        given |= score_game(tables, rules.edition)
    return tuple(map(sum, zip(*given.values(), strict=True)))


def count(rules: Rules, hands: list[list[str]], tables: list[list[str]]) -> dict[str, object]:
    """The figures of a vector."""
    start = Position(tuple(map(tuple, hands)), tuple(map(tuple, tables)))
    return walked(start, partial(following, rules=rules), is_over, partial(scores, rules=rules), key)


def walked(start, following, is_over, scores, key) -> dict[str, object]:
    """The figures of the positions that follow from a start, by what is said of one of them."""
    level, ends, nodes, unique = [start], [], [], []
    while level:
        reached = [position for before in level for position in following(before)]
        level = [position for position in reached if not is_over(position)]
        ends += [scores(position) for position in reached if is_over(position)]
        nodes.append(len(reached))
        unique.append(len(set(map(key, level))))

    def leaves(position) -> int:
        """How many joint sequences lead to the end of the round."""
        return 1 if is_over(position) else sum(map(leaves, following(position)))

    return {
        "nodes": nodes,
        "unique": unique[:-1],
        "leaves": len(ends),
        "scores": len(set(ends)),
        "checksum": sum((seat + 1) * points for end in ends for seat, points in enumerate(end)),
        "divide": list(map(leaves, following(start))),
    }
