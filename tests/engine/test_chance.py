"""Shuffles, dice and draws are unbiased, and the streams of different purposes are independent."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product, repeat
from math import prod, sqrt

import pytest

from conftest import NIGHTLY
from draftengine.engine import chance
from draftengine.engine.chance import MASK, PURPOSES, SHARED_DRAWS, SHARED_LIMIT, Stream, key_of, mix, places, root_of

SHUFFLES = 1_200_000 if NIGHTLY else 60_000
DRAWS = 1_000_000 if NIGHTLY else 50_000


def too_far(counts, cells, total):
    """True if the chi-square of equally likely cells exceeds what chance reaches once in a million."""
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


class Given(Stream):
    """A stream with given words."""

    def __init__(self, words):
        super().__init__(0)
        self.words = iter(words)

    def word(self):
        return next(self.words)


def least_word(number, bound):
    """Return the smallest word with which a draw below `bound` gives `number`."""
    return -(-(number << 64) // bound)


def bounds_of(size, shared):
    """Return, for each word of a shuffle, the product of the bounds of the draws that share it."""
    draws = list(range(size, 1, -1))
    return [prod(draws[at : at + shared]) for at in range(0, len(draws), shared)]


def every_shuffle(size, shared, shuffle=Stream.shuffle):
    """Count how often each order results when every word takes each distinguishable value once."""
    found = Counter()
    for numbers in product(*(range(bound) for bound in bounds_of(size, shared))):
        cards = list(range(size))
        words = (least_word(number, bound) for number, bound in zip(numbers, bounds_of(size, shared), strict=True))
        shuffle(Given(words), cards)
        found[tuple(cards)] += 1
    return found


def every_order_once(size):
    return dict.fromkeys(permutations(range(size)), 1)


@pytest.mark.parametrize("size", range(1, 7))
def test_every_order_comes_from_as_many_words(size, monkeypatch):
    """Check that each order of a few cards comes from exactly one combination of draws.

    This holds for four draws from one word, and for one, which large decks use.
    """
    assert every_shuffle(size, SHARED_DRAWS) == every_order_once(size)
    monkeypatch.setattr(chance, "SHARED_LIMIT", 0)
    assert every_shuffle(size, 1) == every_order_once(size)


@pytest.mark.parametrize("size", [2, 7, 108, SHARED_LIMIT, SHARED_LIMIT + 1, 300])
def test_large_decks_can_stay_as_they_are(size):
    """Check the extreme draws: the highest leave all cards in place, the lowest move the first to the end."""
    cards = list(range(size))
    Stream.shuffle(Given(repeat(MASK)), cards)
    assert cards == list(range(size))
    Stream.shuffle(Given(repeat(0)), cards)
    assert cards == [*range(1, size), 0]


@pytest.mark.parametrize("size", [7, 108, SHARED_LIMIT, 300])
def test_large_decks_are_shuffled_as_fisher_and_yates_do(size):
    """Check shuffling against Fisher–Yates: from the end, swap each card with one up to itself."""
    for seed in range(20):
        shared = SHARED_DRAWS if size <= SHARED_LIMIT else 1
        cards, stream, left = list(range(size)), Stream(seed), size
        while left > 1:
            word = stream.word()
            for _ in range(min(shared, left - 1)):
                word *= left
                left -= 1
                cards[left], cards[word >> 64] = cards[word >> 64], cards[left]
                word &= MASK
        shuffled = list(range(size))
        Stream(seed).shuffle(shuffled)
        assert shuffled == cards


def sattolo(stream, cards):
    """Shuffle wrongly: all orders are one cycle, so no card stays in its place."""
    for at in range(len(cards) - 1, 0, -1):
        other = stream.below(at)
        cards[at], cards[other] = cards[other], cards[at]


def with_any(stream, cards):
    for at in range(len(cards) - 1, 0, -1):
        other = stream.below(len(cards))
        cards[at], cards[other] = cards[other], cards[at]


@pytest.mark.parametrize("wrong", [sattolo, with_any])
def test_wrong_shuffles_are_found(wrong):
    assert every_shuffle(4, 1, wrong) != every_order_once(4)
    cards = list(range(5))
    wrong(Given(repeat(MASK)), cards)
    assert cards != list(range(5))


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 7, 10, 100, 1000, 2**20 + 7])
def test_every_number_has_its_share_of_words(bound):
    """Check that each number has an equal share of words, give or take one, in order."""
    numbers = range(bound) if bound <= 1000 else [*range(100), bound // 2, bound - 1]
    for number in numbers:
        first, last = least_word(number, bound), least_word(number + 1, bound) - 1
        assert [Given([word]).below(bound) for word in (first, last)] == [number, number]
        assert last - first + 1 in {2**64 // bound, -(-(2**64) // bound)}


@pytest.mark.parametrize(("size", "seats"), [(1, 1), (3, 2), (2, 4), (4, 3), (12, 2), (3, 5)])
def test_every_place_comes_from_as_many_words(size, seats):
    """Check places in the hands of all seats: each combination comes from exactly one set of draws."""
    bounds = [size ** min(SHARED_DRAWS, seats - first) for first in range(0, seats, SHARED_DRAWS)]
    found = Counter()
    for numbers in product(*map(range, bounds)):
        found[places(Given(map(least_word, numbers, bounds)), size, seats)] += 1
    assert found == dict.fromkeys(product(range(size), repeat=seats), 1)


def test_all_orders_are_alike():
    assert not too_far(orders(Stream.shuffle, SHUFFLES), 120, SHUFFLES)


def test_a_biased_shuffle_is_found():
    def swap_with_any(stream, cards):
        for at in range(len(cards)):
            other = stream.below(len(cards))
            cards[at], cards[other] = cards[other], cards[at]

    assert too_far(orders(swap_with_any, SHUFFLES), 120, SHUFFLES)


def test_all_places_of_a_large_deck_are_alike():
    """Check that the first and last of 108 cards end up everywhere equally often."""
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
    """Check that a table of digits gives the draws that are otherwise made one after the other."""
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
    """Check that each purpose, game and user has a key of its own, with unrelated words."""
    root = root_of("seed")
    keys = {key_of(root, game, purpose, which) for game in range(50) for purpose in PURPOSES for which in range(5)}
    assert len(keys) == 50 * len(PURPOSES) * 5
    one, other = (Stream(key_of(root, 0, purpose)) for purpose in ("deal", "bot"))
    equal = sum((one.word() ^ other.word()).bit_count() for _ in range(2000))
    assert abs(equal - 64_000) < 5 * sqrt(2000 * 64) / 2


def test_any_word_can_be_had_alone():
    """Check that any word of a stream is available by key and position alone."""
    stream = Stream(11)
    words = [stream.word() for _ in range(100)]
    assert words == [Stream(11, position).word() for position in range(100)]
    assert words[5] == mix(11 + 6 * 0x9E3779B97F4A7C15 & MASK)
    twin = stream.clone()
    assert [twin.word() for _ in range(40)] == [stream.word() for _ in range(40)]
