"""Turns at random with hands in words, for what `draftengine.kernel.machine.cycle` is too narrow for.

More is written down of a play than counters, or a turn has more to it: draws from piles, choices for a seat at which
nobody sits, hidden faces. `draftengine.kernel.machine.turns` does the same where hands do not fit into words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.chance import GOLDEN, SHARED_DRAWS
from draftengine.kernel.machine.chance import mix
from draftengine.kernel.machine.choosing import after, begin, lay_play, leave_tableau
from draftengine.kernel.machine.cycle import following, ready_ability
from draftengine.kernel.machine.expressions import value_of
from draftengine.kernel.machine.jit import compiled, high_half, inlined, int64, lowest, uint64
from draftengine.kernel.machine.markers import give
from draftengine.kernel.machine.rows import slot_of
from draftengine.kernel.machine.stock import reserved
from draftengine.kernel.memory import (
    ABILITY_CARD,
    ABILITY_PLAY,
    ALSO,
    ALSO_ROW,
    BOT,
    CARD_ALONE,
    CARD_BITS,
    CARD_COUNT,
    CARD_LANES,
    CARD_LAST,
    CARD_PLAY,
    CARDS,
    CARDS_ROW,
    CELLS,
    CHOICE_ALSO,
    CHOICE_ALSO_COUNT,
    CHOICE_KEEPS_EVEN,
    CHOICE_ORDINARY,
    CHOICE_READY,
    CODE,
    CODE_ROW,
    COUNTS,
    DEPTH,
    DIRECTIONS,
    HAND_SIZES,
    HANDS,
    MARKERS,
    OP_CHOOSE,
    OP_DEAL,
    OP_GIVE,
    OP_PASS,
    OPTION_PLAYS,
    PLAYERS,
    ROUND,
    TURNS,
    WORDS,
    ZONE_OWNERS,
    ZONES,
    ZONES_ROW,
)  # fmt: skip

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@compiled
def play_in_words(rom: Memory, ram: Memory, cells: Memory, choice: Number, turn: Number) -> None:
    """Play turns until no hand has cards. `choice`: the row of the one choice in a turn; `turn`: its first step."""
    players, first, left = uint64(rom[PLAYERS]), uint64(0), 0
    for seat in range(players):
        left += ram[HAND_SIZES + seat]
    ram[TURNS + ram[DEPTH] - 1] = 0
    while left > 0:
        ram[TURNS + ram[DEPTH] - 1] += 1
        at = turn
        while True:
            row = rom[CODE] + at * CODE_ROW
            kind = rom[row]
            if kind == OP_CHOOSE:
                left -= _choose(rom, ram, cells, choice, first)
            elif kind == OP_PASS:
                leftward = rom[rom[DIRECTIONS] + rom[row + 3] + ram[ROUND]] == 1
                first = following(first, players, leftward)
            elif kind == OP_DEAL:
                left += _draw(rom, ram, cells, row, first)
            elif kind == OP_GIVE:
                give(rom, ram, cells, row)
            else:
                break
            at = rom[row + 1]


@inlined
def _holder(rom: Memory, first: Number, seat: Number) -> Number:
    """Whose hand at first a seat has now."""
    players, own = uint64(rom[PLAYERS]), first + uint64(seat)
    return own - players if own >= players else own


@inlined
def _cut(hand: Number, shift: Number, bits: Number) -> Number:
    """A hand without the card that begins at a bit."""
    low = hand & ((uint64(1) << shift) - uint64(1))
    return low | ((hand >> (shift + bits)) << shift)


@inlined
def _draw(rom: Memory, ram: Memory, cells: Memory, row: Number, first: Number) -> Number:
    """Cards from the top of a pile to hands; how many."""
    source, count, marker, drawn = rom[row + 2], value_of(rom, ram, cells, rom[row + 4], 0), rom[row + 5], 0
    shared, bits = rom[rom[ZONES] + source * ZONES_ROW + ZONE_OWNERS] == 1, uint64(rom[CARD_BITS])
    for seat in range(rom[PLAYERS]):
        if marker >= 0 and ram[MARKERS + marker] != seat:
            continue
        pile, hand = slot_of(rom, ram, source, 0 if shared else seat), int64(_holder(rom, first, seat))
        left, size = ram[COUNTS + pile], ram[HAND_SIZES + hand]
        dealt = max(0, min(count, left))
        for number in range(dealt):
            card = uint64(cells[pile * rom[CELLS] + left - 1 - number])
            ram[HANDS + hand] = int64(uint64(ram[HANDS + hand]) | card << (uint64(size + number) * bits))
        ram[COUNTS + pile], ram[HAND_SIZES + hand] = left - dealt, size + dealt
        drawn += dealt
    return drawn


@inlined
def _choose(rom: Memory, ram: Memory, cells: Memory, row: Number, first: Number) -> Number:
    """Everybody chooses, and what was chosen is laid down; how many cards left the hands."""
    size, even = ram[HAND_SIZES], rom[row + CHOICE_ORDINARY] & rom[row + CHOICE_KEEPS_EVEN]
    for hand in range(1, rom[PLAYERS]):
        even &= ram[HAND_SIZES + hand] == size
    begin(rom, ram)
    if even:
        _choose_evenly(rom, ram, cells, row, first)
        taken = rom[PLAYERS]
    else:
        taken = _choose_each(rom, ram, cells, row, first)
    after(rom, ram, cells, row)
    return taken


@inlined
def _choose_evenly(rom: Memory, ram: Memory, cells: Memory, row: Number, first: Number) -> None:
    """From hands of the same size, which share words of the stream."""
    size, stream = uint64(ram[HAND_SIZES]), uint64(ram[BOT])
    bits, ready, word, places = uint64(rom[CARD_BITS]), uint64(rom[row + CHOICE_READY]), uint64(0), stream
    mask = (uint64(1) << bits) - uint64(1)
    stream += uint64(GOLDEN) * uint64((rom[PLAYERS] + SHARED_DRAWS - 1) // SHARED_DRAWS)
    for seat in range(rom[PLAYERS]):
        if seat % SHARED_DRAWS == 0:
            places += uint64(GOLDEN)
            word = mix(places)
        at = int64(_holder(rom, first, seat))
        hand, shift = uint64(ram[HANDS + at]), high_half(word, size) * bits
        word *= size
        packed = uint64(ram[WORDS + seat])
        card, hand = int64(hand >> shift & mask), _cut(hand, shift, bits)
        lay_play(rom, ram, cells, seat, card)
        if packed & ready != uint64(0) and size > uint64(1):
            stream += uint64(GOLDEN)
            if mix(stream) >> uint64(63):
                stream += uint64(GOLDEN)
                shift = high_half(mix(stream), size - uint64(1)) * bits
                card, hand = int64(hand >> shift & mask), _cut(hand, shift, bits)
                own = ready_ability(rom, row, packed)
                leave_tableau(rom, ram, cells, seat, rom[own + ABILITY_PLAY])
                lay_play(rom, ram, cells, seat, card)
                hand |= uint64(rom[own + ABILITY_CARD]) << ((size - uint64(2)) * bits)
        ram[HANDS + at], ram[HAND_SIZES + at] = int64(hand), int64(size) - 1
    ram[BOT] = int64(stream)


@inlined
def _choose_each(rom: Memory, ram: Memory, cells: Memory, row: Number, first: Number) -> Number:
    """From hands of any size, and for seats that nobody sits at; how many cards left the hands."""
    stream, bits, taken = uint64(ram[BOT]), uint64(rom[CARD_BITS]), 0
    mask = (uint64(1) << bits) - uint64(1)
    for seat in range(rom[PLAYERS]):
        at = int64(_holder(rom, first, seat))
        size = ram[HAND_SIZES + at]
        if size == 0:
            continue
        others = reserved(rom, ram, row, seat) if rom[row + CHOICE_ALSO_COUNT] > 0 else 0
        hand, packed, more = uint64(ram[HANDS + at]), uint64(ram[WORDS + seat]), int64(-1)
        stock, stocked = hand, uint64(size)  # cards are drawn by place, and the first of equal ones leaves the hand
        stream += uint64(GOLDEN)
        shift = high_half(mix(stream), stocked) * bits
        card, stock, stocked = int64(stock >> shift & mask), _cut(stock, shift, bits), stocked - uint64(1)
        if packed & uint64(rom[row + CHOICE_READY]) != uint64(0) and size - 1 > others:
            stream += uint64(GOLDEN)
            if mix(stream) >> uint64(63):
                stream += uint64(GOLDEN)
                shift = high_half(mix(stream), stocked) * bits
                more, stock, stocked = int64(stock >> shift & mask), _cut(stock, shift, bits), stocked - uint64(1)
        hand = _lay_like(rom, ram, cells, seat, hand, card)
        size -= 1
        own = ready_ability(rom, row, packed)
        if more >= 0:
            leave_tableau(rom, ram, cells, seat, rom[own + ABILITY_PLAY])
            hand = _lay_like(rom, ram, cells, seat, hand, more)
            size -= 1
        if others > 0:
            for number in range(rom[row + CHOICE_ALSO_COUNT]):
                other = rom[ALSO] + (rom[row + CHOICE_ALSO] + number) * ALSO_ROW
                if ram[MARKERS + rom[other + 1]] == seat:
                    for _ in range(min(rom[other + 2], int64(stocked))):
                        stream += uint64(GOLDEN)
                        shift = high_half(mix(stream), stocked) * bits
                        card, stock = int64(stock >> shift & mask), _cut(stock, shift, bits)
                        stocked -= uint64(1)
                        hand = _lay_like(rom, ram, cells, rom[other], hand, card)
                        size -= 1
        if more >= 0:
            hand |= uint64(rom[own + ABILITY_CARD]) << (uint64(size) * bits)
            size += 1
        taken += ram[HAND_SIZES + at] - size
        ram[HANDS + at], ram[HAND_SIZES + at] = int64(hand), size
    ram[BOT] = int64(stream)
    return taken


@inlined
def _lay_like(rom: Memory, ram: Memory, cells: Memory, seat: Number, hand: Number, card: Number) -> Number:
    """Lay down the first card of a hand that is named as a card is, by itself or by its face; the hand without it."""
    row, bits = rom[CARDS] + card * CARDS_ROW, uint64(rom[CARD_BITS])
    if rom[row + CARD_ALONE] == 1:
        lanes = uint64(rom[CARD_LANES])
        other = hand ^ lanes * uint64(card)
        equal = (other - lanes) & ~other & lanes << (bits - uint64(1))  # the lowest bit is that of the first
        shift, play = lowest(equal) - (bits - uint64(1)), rom[row + CARD_PLAY]
    else:
        plays, mask, shift = (
            rom[OPTION_PLAYS] + rom[row + CARD_LAST] * rom[CARD_COUNT],
            (uint64(1) << bits) - uint64(1),
            uint64(0),
        )
        while rom[plays + int64(hand >> shift & mask)] < 0:
            shift += bits
        play = rom[plays + int64(hand >> shift & mask)]
    lay_play(rom, ram, cells, seat, play)
    return _cut(hand, shift, bits)
