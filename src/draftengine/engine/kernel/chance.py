"""The random streams of `draftengine.engine.chance`. The record stores the position of each stream."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.chance import GOLDEN, MIX_1, MIX_2, SHARED_DRAWS
from draftengine.jit.primitives import high_half, shr, wrap

if TYPE_CHECKING:
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.state import StateRecord


def mix(value: int) -> int:
    """Mix a word with SplitMix64's finaliser, a bijection of 64-bit words."""
    one = wrap((value ^ shr(value, 30)) * MIX_1)
    two = wrap((one ^ shr(one, 27)) * MIX_2)
    return two ^ shr(two, 31)


def draw_from(state: StateRecord, position: int) -> None:
    """Set the position of the random stream from which policies draw, as a 64-bit word."""
    state.bot = wrap(position + GOLDEN)
    state.ahead = mix(state.bot)


def draw_as(state: StateRecord, other: StateRecord) -> None:
    """Let policies draw from the same random stream as those of another record."""
    state.bot = other.bot
    state.ahead = other.ahead


def bot_word(state: StateRecord) -> int:
    """Return the next random word for policies.

    The word after it is computed in advance, so that nothing has to wait for it.
    """
    word = state.ahead
    state.bot = wrap(state.bot + GOLDEN)
    state.ahead = mix(state.bot)
    return word


def bot_below(state: StateRecord, bound: int) -> int:
    """Draw an integer from 0 to `bound - 1` for a policy."""
    return high_half(bot_word(state), bound)


def bot_choice(state: StateRecord, count: int) -> int:
    """Draw one of `count` things for a policy, as a number from 0. A single thing takes no random word.

    There is no branch, because nobody could guess how many things there are.
    """
    drawn = count > 1
    number = high_half(state.ahead, count)
    following = wrap(state.bot + GOLDEN)
    mixed = mix(following)
    state.bot = following if drawn else state.bot
    state.ahead = mixed if drawn else state.ahead
    return number


def below(state: StateRecord, plan: AnyPlan, bound: int) -> int:
    """Draw an integer from 0 to `bound - 1` for the game: a die, a chip or a random marker."""
    if plan.plain:
        return plan.state(state).chance.below(bound)
    state.chance = wrap(state.chance + GOLDEN)
    return high_half(mix(state.chance), bound)


def swap(state: StateRecord, one: int, other: int) -> None:
    """Swap two cards of `card_array`."""
    card = state.card_array[one]
    state.card_array[one] = state.card_array[other]
    state.card_array[other] = card


def shuffle(state: StateRecord, first: int, count: int, unseen: int) -> None:
    """Shuffle at most `SHARED_LIMIT` cards of the array from index `first` on. Four draws share a word.

    The lowest `unseen` cards will never be seen, so they are not fully shuffled. The stream advances as if they
    were.
    """
    position = state.deal
    left = count
    while left > max(SHARED_DRAWS, unseen):
        position = wrap(position + GOLDEN)
        word = mix(position)
        swap(state, first + left - 1, first + high_half(word, left))
        word = wrap(word * left)
        swap(state, first + left - 2, first + high_half(word, left - 1))
        word = wrap(word * (left - 1))
        swap(state, first + left - 3, first + high_half(word, left - 2))
        other = high_half(wrap(word * (left - 2)), left - 3)
        left -= SHARED_DRAWS
        swap(state, first + left, first + other)
    if left > SHARED_DRAWS:
        state.deal = wrap(position + (left + 2 >> 2) * GOLDEN)
        return
    if left > 1:
        position = wrap(position + GOLDEN)
        word = mix(position)
        while left > 1:
            other = high_half(word, left)
            word = wrap(word * left)
            left -= 1
            swap(state, first + left, first + other)
    state.deal = position


def shuffle_many(state: StateRecord, first: int, count: int) -> None:
    """Shuffle more cards than `shuffle` can. Each draw uses a separate word."""
    left = count
    while left > 1:
        state.deal = wrap(state.deal + GOLDEN)
        other = high_half(mix(state.deal), left)
        left -= 1
        swap(state, first + left, first + other)
