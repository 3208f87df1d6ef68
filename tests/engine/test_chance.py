"""Shuffles, dice and draws are unbiased, and the streams of different purposes have nothing to do with each other."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import sqrt

import pytest

from conftest import NIGHTLY
from draftengine.engine.chance import MASK, PURPOSES, Stream, key_of, mix, root_of
from draftengine.engine.flow.choose import places

SHUFFLES = 1_200_000 if NIGHTLY else 60_000
DRAWS = 1_000_000 if NIGHTLY else 50_000


def too_far(counts, cells, total):
    """Is the chi-square of equally likely cells beyond what chance does once in a million."""
    expected = total / cells
    chi = sum((counts[cell] - expected) ** 2 / expected for cell in range(cells))
    freedom = cells - 1
    return chi > freedom + 5 * sqrt(2 * freedom) + 25


def orders(shuffle, count):
    index = {order: number for number, order in enumerate(permutations(range(5)))}
    stream, found = Stream(7), Counter()
    for _ in range(count):
        cards = list(range(5))
        shuffle(stream, cards)
        found[index[tuple(cards)]] += 1
    return found


def test_all_orders_are_alike():
    assert not too_far(orders(Stream.shuffle, SHUFFLES), 120, SHUFFLES)


def test_a_biased_shuffle_is_found():
    def swap_with_any(stream, cards):
        for at in range(len(cards)):
            other = stream.below(len(cards))
            cards[at], cards[other] = cards[other], cards[at]

    assert too_far(orders(swap_with_any, SHUFFLES), 120, SHUFFLES)


def test_all_places_of_a_large_deck_are_alike():
    """Where the first and the last card of 108 end up."""
    stream, first, last = Stream(8), Counter(), Counter()
    games = DRAWS // 50
    for _ in range(games):
        cards = list(range(108))
        stream.shuffle(cards)
        first[cards.index(0)] += 1
        last[cards.index(107)] += 1
    assert not too_far(first, 108, games)
    assert not too_far(last, 108, games)


@pytest.mark.parametrize("bound", [2, 6, 7, 100])
def test_draws_are_alike(bound):
    stream = Stream(9)
    assert not too_far(Counter(stream.below(bound) for _ in range(DRAWS)), bound, DRAWS)


@pytest.mark.parametrize(("size", "seats"), [(1, 1), (3, 2), (10, 4), (7, 5), (12, 3), (20, 8)])
def test_draws_that_share_words(size, seats):
    """A table of digits gives what drawing one after the other gives."""
    together, apart = Stream(10), Stream(10)
    for _ in range(200):
        expected, word = [], 0
        for seat in range(seats):
            word = (apart.word() if seat % 4 == 0 else word) * size
            expected.append(word >> 64)
            word &= MASK
        assert list(places(together, size, seats)) == expected
    assert together.position == apart.position


def test_streams_of_other_purposes_differ():
    """For every purpose, game and user another key, and the words of one say nothing about another."""
    root = root_of("seed")
    keys = {key_of(root, game, purpose, which) for game in range(50) for purpose in PURPOSES for which in range(5)}
    assert len(keys) == 50 * len(PURPOSES) * 5
    one, other = (Stream(key_of(root, 0, purpose)) for purpose in ("deal", "bot"))
    equal = sum((one.word() ^ other.word()).bit_count() for _ in range(2000))
    assert abs(equal - 64_000) < 5 * sqrt(2000 * 64) / 2


def test_any_word_can_be_had_alone():
    """A stream is a key and a position."""
    stream = Stream(11)
    words = [stream.word() for _ in range(100)]
    assert words == [Stream(11, position).word() for position in range(100)]
    assert words[5] == mix(11 + 6 * 0x9E3779B97F4A7C15 & MASK)
    twin = stream.clone()
    assert [twin.word() for _ in range(40)] == [stream.word() for _ in range(40)]
