"""Yardstick: one game, written by hand for speed in plain Python, without anything unnecessary.

It plays random four-seat games of the base set of `cardsets/sushi_go.yaml`. The policy is that of playouts. A seat
takes a physical card uniformly at random. With chopsticks in front and two or more cards in hand it takes, with
probability one half, a second card from the rest.
"""

from random import Random

COUNTS = (14, 14, 14, 6, 12, 8, 5, 10, 5, 6, 4, 10)
# tempura, sashimi and dumplings take 4 bits each from bit 0, maki icons 6 from 12, nigiri points 6 from 18, open wasabi
# 4 from 24, chopsticks 3 from 28, puddings 4 from 31
ADDS = (1, 1 << 4, 1 << 8, 1 << 12, 2 << 12, 3 << 12, 1 << 18, 2 << 18, 3 << 18, 1 << 24, 1 << 28, 1 << 31)
ON_WASABI = tuple(3 * add - (1 << 24) if 6 <= card <= 8 else add for card, add in enumerate(ADDS))
WASABI, CHOPSTICKS, PUDDING = 15 << 24, 7 << 28, 15 << 31
CHOPSTICKS_CARD, ONE_CHOPSTICKS = 10, 1 << 28
TEMPURA = tuple(count // 2 * 5 for count in range(16))
SASHIMI = tuple(count // 3 * 10 for count in range(16))
DUMPLING = tuple((0, 1, 3, 6, 10, 15)[min(count, 5)] for count in range(16))


def share(scores, measures, value, prize):
    """Split a prize among the seats with a measure, dropping the remainder."""
    count = measures.count(value)
    each = prize // count if prize > 0 else -(-prize // count)
    for seat, measure in enumerate(measures):
        if measure == value:
            scores[seat] += each
    return count


def play(rand, deck, seats=4, size=8):
    """Play one game and return the scores."""
    left = len(deck)
    for top in range(seats * size * 3):
        at = top + int(rand() * (left - top))
        deck[top], deck[at] = deck[at], deck[top]
    scores, tables, start = [0] * seats, [0] * seats, 0
    for _ in range(3):
        hands = [deck[start + seat * size : start + (seat + 1) * size] for seat in range(seats)]
        start += seats * size
        for cards in range(size, 0, -1):
            for seat in range(seats):
                hand, table = hands[seat], tables[seat]
                card = hand.pop(int(rand() * cards))
                table += (ON_WASABI if table & WASABI else ADDS)[card]
                if tables[seat] & CHOPSTICKS and cards > 1 and rand() < 0.5:
                    at = int(rand() * (cards - 1))
                    second, hand[at] = hand[at], CHOPSTICKS_CARD
                    table += (ON_WASABI if table & WASABI else ADDS)[second] - ONE_CHOPSTICKS
                tables[seat] = table
            hands.insert(0, hands.pop())
        icons = [table >> 12 & 63 for table in tables]
        best = max(icons)
        if best and share(scores, icons, best, 6) == 1:
            second = max(value for value in icons if value != best)
            if second:
                share(scores, icons, second, 3)
        for seat, table in enumerate(tables):
            scores[seat] += (
                TEMPURA[table & 15] + SASHIMI[table >> 4 & 15] + DUMPLING[table >> 8 & 15] + (table >> 18 & 63)
            )
        tables = [table & PUDDING for table in tables]
    puddings = [table >> 31 for table in tables]
    if min(puddings) != max(puddings):
        share(scores, puddings, max(puddings), 6)
        share(scores, puddings, min(puddings), -6)
    return scores


def games(count, seed=1):
    """Play games one after the other."""
    rand = Random(seed).random
    deck = [card for card, copies in enumerate(COUNTS) for _ in range(copies)]
    for _ in range(count):
        play(rand, deck)
