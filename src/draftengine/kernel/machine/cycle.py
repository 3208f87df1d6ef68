"""The hot path: "everybody takes a card at random, hands are passed on", as `Choice.settle_at_random` plays it.

A hand is packed in one word, the first card in the lowest bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.chance import GOLDEN, SHARED_DRAWS
from draftengine.kernel.machine.chance import mix
from draftengine.kernel.machine.choosing import (
    after,
    choice_row,
)
from draftengine.kernel.machine.expressions import value_of
from draftengine.kernel.machine.jit import compiled, high_half, inlined, int64, uint64
from draftengine.kernel.machine.rows import slot_of, slots_of
from draftengine.kernel.memory import (
    ABILITIES,
    ABILITIES_ROW,
    ABILITY_CARD,
    ABILITY_LISTS,
    ABILITY_MASK,
    ABILITY_PLAY,
    ABILITY_SHIFT,
    ALERT,
    ALERTS,
    BEFORE,
    BOT,
    CARD_BITS,
    CELLS,
    CHOICE_ABILITIES,
    CHOICE_ABILITY_COUNT,
    CHOICE_CYCLE,
    CHOICE_KEEPS_EVEN,
    CHOICE_ORDINARY,
    CHOICE_READY,
    CHOICE_SOURCE,
    COUNTS,
    DEPTH,
    DIRECTIONS,
    HAND_SIZES,
    HANDS,
    HELD,
    INCREMENTS,
    MODIFIER_COUNT,
    MODIFIERS,
    NOTED,
    PLACED,
    PLAY_COUNT,
    PLAYERS,
    ROUND,
    TURNS,
    WORD_BITS,
    WORDS,
)  # fmt: skip

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.kernel.machine.jit import Memory, Number

    Cycle = Callable[[Memory, Memory, Memory, Number], None]


@inlined
def is_even(rom: Memory, ram: Memory, choice: Number, at_random: Number) -> Number:
    """Does everybody choose at random from hands that are and stay equally large, and not empty."""
    row = choice_row(rom, choice)
    if not at_random or rom[row + CHOICE_ORDINARY] == 0 or rom[row + CHOICE_KEEPS_EVEN] == 0:
        return False
    slots = slots_of(rom, rom[row + CHOICE_SOURCE])
    size, even = ram[COUNTS + ram[slots]], True
    for seat in range(1, rom[PLAYERS]):
        even &= ram[COUNTS + ram[slots + seat]] == size
    return even and size > 0


@inlined
def fits(rom: Memory, ram: Memory, choice: Number) -> Number:
    """Do hands fit into words."""
    row = choice_row(rom, choice)
    size = ram[COUNTS + slot_of(rom, ram, rom[row + CHOICE_SOURCE], 0)]
    return size * rom[CARD_BITS] < WORD_BITS


@inlined
def ready_ability(rom: Memory, row: Number, word: Number) -> Number:
    """The first ability whose card lies there."""
    for number in range(rom[row + CHOICE_ABILITY_COUNT]):
        ability = rom[rom[ABILITY_LISTS] + rom[row + CHOICE_ABILITIES] + number]
        own = rom[ABILITIES] + ability * ABILITIES_ROW
        if word >> uint64(rom[own + ABILITY_SHIFT]) & uint64(rom[own + ABILITY_MASK]) != uint64(0):
            return own
    return -1


@inlined
def is_usual(rom: Memory, row: Number) -> Number:
    """Is nothing but counters to be known of a play, with few players, one modifier and one ability at most."""
    several = rom[MODIFIER_COUNT] > 1 or rom[row + CHOICE_ABILITY_COUNT] > 1
    return rom[NOTED] == 0 and not several and 2 <= rom[PLAYERS] <= 5  # noqa: PLR2004


@inlined
def play_cycle(rom: Memory, ram: Memory, cells: Memory, row: Number) -> None:
    """Play turns until the hands are empty."""
    players, alert = rom[PLAYERS], rom[ALERT] == 1 or rom[ALERTS] != 0
    if players == 2:  # noqa: PLR2004
        if alert:
            _alert_cycle_of_2(rom, ram, cells, row)
        else:
            _cycle_of_2(rom, ram, cells, row)
    elif players == 3:  # noqa: PLR2004
        if alert:
            _alert_cycle_of_3(rom, ram, cells, row)
        else:
            _cycle_of_3(rom, ram, cells, row)
    elif players == 4:  # noqa: PLR2004
        if alert:
            _alert_cycle_of_4(rom, ram, cells, row)
        else:
            _cycle_of_4(rom, ram, cells, row)
    elif alert:
        _alert_cycle_of_5(rom, ram, cells, row)
    else:
        _cycle_of_5(rom, ram, cells, row)


@inlined
def _leftward(rom: Memory, ram: Memory, row: Number) -> Number:
    """Do the hands go to the left in this round."""
    return rom[rom[DIRECTIONS] + rom[row + CHOICE_CYCLE] + ram[ROUND]] == 1


@inlined
def following(first: Number, players: Number, leftward: Number) -> Number:
    """Whose hand the first seat has in the next turn."""
    if leftward:
        return players - uint64(1) if first == uint64(0) else first - uint64(1)
    return uint64(0) if first == players - uint64(1) else first + uint64(1)


@inlined
def _usual_cycle(rom: Memory, ram: Memory, cells: Memory, row: Number, players: Number, alert: Number) -> None:
    """The turns of a round in which nothing but counters has to be known, with one modifier and one ability at most.

    `alert`: triggers may happen after a turn.
    """
    bits = uint64(rom[CARD_BITS])
    mask = (uint64(1) << bits) - uint64(1)
    increments, plays = uint64(rom[INCREMENTS]), uint64(rom[PLAY_COUNT])
    modifier, ready = uint64(rom[uint64(rom[MODIFIERS])]), uint64(rom[row + CHOICE_READY])
    own = ready_ability(rom, row, ready)
    back, picked_up = uint64(0), uint64(0)
    if own >= 0:
        back = uint64(rom[own + ABILITY_CARD])
        picked_up = uint64(rom[increments + uint64(rom[own + ABILITY_PLAY])])
    leftward = _leftward(rom, ram, row)
    one, golden, words, hands = uint64(1), uint64(GOLDEN), uint64(WORDS), uint64(HANDS)
    for_picks = golden * ((players + uint64(SHARED_DRAWS - 1)) // uint64(SHARED_DRAWS))
    stream, first, size = uint64(ram[BOT]), uint64(0), uint64(ram[HAND_SIZES])
    ram[TURNS + ram[DEPTH] - 1] = 1 if alert else int64(size)
    ram[PLACED] = 0
    while size > one:
        owner, word, places = first, uint64(0), stream
        stream += for_picks
        for seat in range(players):
            if seat % uint64(SHARED_DRAWS) == uint64(0):
                places += golden
                word = mix(places)
            shift = high_half(word, size) * bits
            word *= size
            hand = uint64(ram[hands + owner])
            card = (hand >> shift) & mask
            low = hand & ((one << shift) - one)
            hand = low | ((hand >> (shift + bits)) << shift)
            packed = uint64(ram[words + seat])
            now = packed + uint64(rom[increments + plays * uint64(packed & modifier != uint64(0)) + card])
            if packed & ready != uint64(0):
                stream += golden
                if mix(stream) >> uint64(63):
                    stream += golden
                    shift = high_half(mix(stream), size - one) * bits
                    card = (hand >> shift) & mask
                    low = hand & ((one << shift) - one)
                    hand = low | ((hand >> (shift + bits)) << shift) | back << ((size - uint64(2)) * bits)
                    now -= picked_up
                    now += uint64(rom[increments + plays * uint64(now & modifier != uint64(0)) + card])
            if alert:
                ram[uint64(BEFORE) + seat] = int64(packed)
            ram[words + seat] = int64(now)
            ram[hands + owner] = int64(hand)
            owner = uint64(0) if owner == players - one else owner + one
        if alert:
            after(rom, ram, cells, row)
            ram[TURNS + ram[DEPTH] - 1] += 1
        first = following(first, players, leftward)
        size -= one
    for seat in range(players):  # the last cards
        packed, card = uint64(ram[words + seat]), uint64(ram[hands + first])
        ram[uint64(BEFORE) + seat] = int64(packed)
        now = packed + uint64(rom[increments + plays * uint64(packed & modifier != uint64(0)) + card])
        ram[words + seat] = int64(now)
        first = uint64(0) if first == players - one else first + one
    ram[BOT] = int64(stream + for_picks)
    if alert:
        after(rom, ram, cells, row)


def _cycle_for(number: int, *, alert: bool) -> Cycle:
    """A copy of the loop for a number of players, which is faster by a third."""

    @compiled
    def cycle(rom: Memory, ram: Memory, cells: Memory, row: Number) -> None:
        _usual_cycle(rom, ram, cells, row, uint64(number), alert)

    return cycle


_cycle_of_2, _cycle_of_3, _cycle_of_4, _cycle_of_5 = (_cycle_for(number, alert=False) for number in range(2, 6))
_alert_cycle_of_2, _alert_cycle_of_3, _alert_cycle_of_4, _alert_cycle_of_5 = (
    _cycle_for(number, alert=True) for number in range(2, 6)
)


@inlined
def deal_into_words(rom: Memory, ram: Memory, cells: Memory, deal: Number, choice: Number, at_random: Number) -> Number:
    """Deal hands for `play_cycle` from the top of a pile, without laying them down. False: that cannot be done here."""
    source, target, count = rom[deal + 2], rom[deal + 3], value_of(rom, ram, cells, rom[deal + 4], 0)
    row, players = choice_row(rom, choice), rom[PLAYERS]
    pile = slot_of(rom, ram, source, 0)
    left = ram[COUNTS + pile]
    able = at_random and rom[row + CHOICE_ORDINARY] == 1 and rom[row + CHOICE_KEEPS_EVEN] == 1
    able &= count > 0 and count * players <= left and count * rom[CARD_BITS] < WORD_BITS
    for seat in range(players):
        able &= ram[COUNTS + slot_of(rom, ram, target, seat)] == 0
    if not able:
        return False
    bits, top = uint64(rom[CARD_BITS]), uint64(pile * rom[CELLS] + left - 1)
    for seat in range(uint64(players)):
        hand, shift = uint64(0), uint64(0)
        for _ in range(uint64(count)):
            hand |= uint64(cells[top]) << shift
            shift += bits
            top -= uint64(1)
        ram[uint64(HANDS) + seat], ram[uint64(HAND_SIZES) + seat] = int64(hand), count
    ram[COUNTS + pile] = left - count * players
    ram[HELD] = 1
    return True


@inlined
def take_up(rom: Memory, ram: Memory, cells: Memory, zone: Number) -> None:
    """Pack the hands into words, by the seat that has them now."""
    bits = uint64(rom[CARD_BITS])
    for seat in range(rom[PLAYERS]):
        slot = slot_of(rom, ram, zone, seat)
        size = uint64(ram[COUNTS + slot])
        start = uint64(slot * rom[CELLS])
        hand = uint64(0)
        for place in range(size):
            hand |= uint64(cells[start + uint64(place)]) << (uint64(place) * bits)
        ram[HANDS + seat], ram[HAND_SIZES + seat] = int64(hand), int64(size)
        ram[COUNTS + slot] = 0
