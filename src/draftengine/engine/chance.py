"""Chance: streams of 64-bit words that depend only on a seed, a game number and a purpose.

The generator is SplitMix64 (Steele, Lea, Flood 2014): word *k* is a mix of ``key + (k + 1) * GOLDEN``. So a *stream* is
just a key and a position. Any block of words can be computed at once, and is equal on all machines.

An integer below `n` is the high half of ``word * n``; the low half serves the next draw. Several draws share a word: at
most four, and the product of their bounds is at most 2**32. So the bias of any joint outcome is below 2**-32.
"""

from __future__ import annotations

import hashlib
import struct
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import MutableSequence

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
MIX_1 = 0xBF58476D1CE4E5B9
MIX_2 = 0x94D049BB133111EB
SHARED_DRAWS = 4
"""The number of draws in a shuffle that share one word, for up to `SHARED_LIMIT` cards."""
SHARED_LIMIT = 256

_BLOCK = 32
_LANES = sum(1 << (128 * lane) for lane in range(_BLOCK))
_LANE_MASK = _LANES * MASK
_STEPS = sum((lane * GOLDEN & MASK) << (128 * lane) for lane in range(_BLOCK))
_UNPACK = struct.Struct(f"<{2 * _BLOCK}Q").unpack

PURPOSES = {"deal": 0x64656C61, "chance": 0x63686E63, "bot": 0x626F7473, "search": 0x73726368}


def mix(value: int) -> int:
    """Mix a 64-bit word with SplitMix64's finaliser, a bijection."""
    value = (value ^ (value >> 30)) * MIX_1 & MASK
    value = (value ^ (value >> 27)) * MIX_2 & MASK
    return value ^ (value >> 31)


@lru_cache(16)
def root_of(seed: int | str) -> int:
    """Compute the 64-bit root key of a seed of any size."""
    return int.from_bytes(hashlib.sha256(f"draftengine/1/{seed}".encode()).digest()[:8], "little")


def key_of(root: int, game: int, purpose: str, which: int = 0) -> int:
    """Compute the key of a game's stream for a purpose. `which` numbers the streams with the same purpose."""
    return mix(mix(root + game * GOLDEN & MASK) ^ mix(PURPOSES[purpose] + which * GOLDEN & MASK))


class Stream:
    """A stream of words: its key and the number of words that have been used."""

    __slots__ = ("_ready", "_start", "key", "position")

    def __init__(self, key: int, position: int = 0) -> None:
        self.key = key
        self.position = position
        self._start = -_BLOCK
        self._ready: tuple[int, ...] = ()

    def clone(self) -> Stream:
        """Return an independent stream that yields the same words from here on."""
        return Stream(self.key, self.position)

    def word(self) -> int:
        """Return the next 64-bit word."""
        position = self.position
        self.position = position + 1
        offset = position - self._start
        if offset >= _BLOCK or offset < 0:
            self._start = position
            # The words `position` to `position + _BLOCK - 1`, in 128-bit lanes of one integer.
            value = (_STEPS + _LANES * (self.key + (position + 1) * GOLDEN & MASK)) & _LANE_MASK
            value = ((value ^ (value >> 30 & _LANE_MASK)) * MIX_1) & _LANE_MASK
            value = ((value ^ (value >> 27 & _LANE_MASK)) * MIX_2) & _LANE_MASK
            value ^= value >> 31 & _LANE_MASK
            self._ready = _UNPACK(value.to_bytes(16 * _BLOCK, "little"))[::2]
            offset = 0
        return self._ready[offset]

    def below(self, bound: int) -> int:
        """Draw an integer from 0 to `bound - 1`; uses one word."""
        return self.word() * bound >> 64

    def shuffle(self, cards: MutableSequence[int]) -> None:
        """Shuffle in place: Fisher–Yates from the end, so that the top card of a pile is decided first."""
        left = len(cards)
        if left <= SHARED_LIMIT:
            # The four draws from a word are the digits of one number. `places` does the same with equal bounds.
            while left > SHARED_DRAWS:
                one, two, three = left - 1, left - 2, left - 3
                number = self.word() * (left * one * two * three) >> 64
                number, fourth = divmod(number, three)
                number, third = divmod(number, two)
                first, second = divmod(number, one)
                cards[one], cards[first] = cards[first], cards[one]
                cards[two], cards[second] = cards[second], cards[two]
                cards[three], cards[third] = cards[third], cards[three]
                left -= SHARED_DRAWS
                cards[left], cards[fourth] = cards[fourth], cards[left]
        shared = SHARED_DRAWS if left <= SHARED_LIMIT else 1
        while left > 1:
            word = self.word()
            stop = max(left - shared, 1)
            while left > stop:
                word *= left
                left -= 1
                index = word >> 64
                word &= MASK
                cards[left], cards[index] = cards[index], cards[left]


def places(stream: Stream, size: int, seats: int) -> tuple[int, ...]:
    """Draw for each seat an index into a hand of `size` cards, all equally likely.

    Up to `SHARED_DRAWS` seats share a word of the stream. The first draw is the high half of ``word * size``. Each
    further draw does the same with the low half of the previous product in place of the word.
    """
    result: list[int] = []
    word = 0
    while len(result) < seats:
        if len(result) % SHARED_DRAWS == 0:
            word = stream.word()
        result.append(word * size >> 64)
        word = word * size & MASK
    return tuple(result)
