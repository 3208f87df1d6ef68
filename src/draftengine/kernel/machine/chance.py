"""Chance, as in `draftengine.engine.chance`: a stream is the key plus as many steps as words were used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.chance import GOLDEN, PURPOSES, SHARED_DRAWS, SHARED_LIMIT
from draftengine.kernel.machine.jit import high_half, inlined, int64, uint64

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number

_DEAL, _CHANCE, _BOT = PURPOSES["deal"], PURPOSES["chance"], PURPOSES["bot"]


@inlined
def mix(value: Number) -> Number:
    value = (value ^ (value >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> uint64(27))) * uint64(0x94D049BB133111EB)
    return value ^ (value >> uint64(31))


@inlined
def next_word(ram: Memory, stream: Number) -> Number:
    at = uint64(ram[stream]) + uint64(GOLDEN)
    ram[stream] = int64(at)
    return mix(at)


@inlined
def below(ram: Memory, stream: Number, bound: Number) -> Number:
    return int64(high_half(next_word(ram, stream), uint64(bound)))


@inlined
def base_of(root: Number, game: Number) -> Number:
    return mix(uint64(root) + uint64(game) * uint64(GOLDEN))


@inlined
def deal_key(base: Number) -> Number:
    return int64(mix(base ^ mix(uint64(_DEAL))))


@inlined
def chance_key(base: Number) -> Number:
    return int64(mix(base ^ mix(uint64(_CHANCE))))


@inlined
def bot_key(base: Number) -> Number:
    return int64(mix(base ^ mix(uint64(_BOT))))


@inlined
def shuffle(ram: Memory, cells: Memory, start: Number, cards: Number, stream: Number, rest: Number) -> None:
    """Shuffle from the end. The first `rest` cards may be left as they are, if nobody will ever look at them."""
    at = uint64(ram[stream])
    first = uint64(start)
    left = uint64(cards)
    one, two, three, four = uint64(1), uint64(2), uint64(3), uint64(SHARED_DRAWS)
    least = max(four, uint64(rest))
    while uint64(SHARED_LIMIT) >= left > least:
        at += uint64(GOLDEN)
        word = mix(at)
        place = high_half(word, left)
        _exchange(cells, first + left - one, first + place)
        word *= left
        place = high_half(word, left - one)
        _exchange(cells, first + left - two, first + place)
        word *= left - one
        place = high_half(word, left - two)
        _exchange(cells, first + left - three, first + place)
        place = high_half(word * (left - two), left - three)
        left -= four
        _exchange(cells, first + left, first + place)
    if left > four and cards <= SHARED_LIMIT:  # the words that shuffling the rest would take
        at += (left + two) // four * uint64(GOLDEN)
        left = one
    shared = four if cards <= SHARED_LIMIT else one
    while left > one:
        at += uint64(GOLDEN)
        word = mix(at)
        stop = left - shared if left > shared else one
        while left > stop:
            place = high_half(word, left)
            word *= left
            left -= one
            _exchange(cells, first + left, first + place)
    ram[stream] = int64(at)


@inlined
def _exchange(cells: Memory, one: Number, other: Number) -> None:
    card = cells[one]
    cells[one] = cells[other]
    cells[other] = card
