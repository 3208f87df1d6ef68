"""Chance: the streams of `draftengine.engine.chance`, each a position that moves on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.chance import GOLDEN, MIX_1, MIX_2, SHARED_DRAWS
from draftengine.jit.primitives import high_half, shr, wrap

if TYPE_CHECKING:
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.record import StateRecord


def mix(value: int) -> int:
    """Mix a word: SplitMix64's finaliser, a bijection of 64-bit words."""
    one = wrap((value ^ shr(value, 30)) * MIX_1)
    two = wrap((one ^ shr(one, 27)) * MIX_2)
    return two ^ shr(two, 31)


def draw_from(g: StateRecord, at: int) -> None:
    """From here on policies draw from the stream at a position."""
    g.bot = wrap(at + GOLDEN)
    g.ahead = mix(g.bot)


def draw_as(g: StateRecord, other: StateRecord) -> None:
    """From here on policies draw what they would draw at another table."""
    g.bot = other.bot
    g.ahead = other.ahead


def bot_word(g: StateRecord) -> int:
    """The next word of chance for policies. The one behind it is made before somebody waits for it."""
    word = g.ahead
    g.bot = wrap(g.bot + GOLDEN)
    g.ahead = mix(g.bot)
    return word


def bot_below(g: StateRecord, bound: int) -> int:
    """A whole number from 0 to `bound - 1`, drawn by a policy."""
    return high_half(bot_word(g), bound)


def below(g: StateRecord, plan: AnyPlan, bound: int) -> int:
    """A whole number from 0 to `bound - 1`, drawn by the game: a die, a chip or a random marker."""
    if plan.plain:
        return plan.state(g).chance.below(bound)
    g.chance = wrap(g.chance + GOLDEN)
    return high_half(mix(g.chance), bound)


def swap(g: StateRecord, one: int, other: int) -> None:
    """Two cards of the heaps change places."""
    card = g.card_array[one]
    g.card_array[one] = g.card_array[other]
    g.card_array[other] = card


def shuffle(g: StateRecord, first: int, count: int, unseen: int) -> None:
    """Shuffle at most `SHARED_LIMIT` cards from `first` on, from the end; four draws share a word of the stream.

    The lowest `unseen` cards cannot matter any more and are left alone.
    """
    at = g.deal
    left = count
    while left > max(SHARED_DRAWS, unseen):
        at = wrap(at + GOLDEN)
        word = mix(at)
        swap(g, first + left - 1, first + high_half(word, left))
        word = wrap(word * left)
        swap(g, first + left - 2, first + high_half(word, left - 1))
        word = wrap(word * (left - 1))
        swap(g, first + left - 3, first + high_half(word, left - 2))
        other = high_half(wrap(word * (left - 2)), left - 3)
        left -= SHARED_DRAWS
        swap(g, first + left, first + other)
    if left > SHARED_DRAWS:
        g.deal = wrap(at + (left + 2 >> 2) * GOLDEN)
        return
    if left > 1:
        at = wrap(at + GOLDEN)
        word = mix(at)
        while left > 1:
            other = high_half(word, left)
            word = wrap(word * left)
            left -= 1
            swap(g, first + left, first + other)
    g.deal = at


def shuffle_many(g: StateRecord, first: int, count: int) -> None:
    """Shuffle the cards of a lot that is too large for `shuffle`: every draw has a random word of its own."""
    left = count
    while left > 1:
        g.deal = wrap(g.deal + GOLDEN)
        other = high_half(mix(g.deal), left)
        left -= 1
        swap(g, first + left, first + other)
