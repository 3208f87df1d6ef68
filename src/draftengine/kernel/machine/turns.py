"""One turn at random, laid down at once: what a seat takes does not depend on what the others take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.chance import GOLDEN, SHARED_DRAWS
from draftengine.kernel.machine.chance import below, mix
from draftengine.kernel.machine.choosing import after, begin, is_allowed, lay_play, leave_tableau, place_of
from draftengine.kernel.machine.cycle import ready_ability
from draftengine.kernel.machine.jit import compiled, high_half, in_short, inlined, int64, ones, uint64
from draftengine.kernel.machine.laid import take_place
from draftengine.kernel.machine.layouts import place_numbered
from draftengine.kernel.machine.rows import append, copy_row, first_of, remove_at, slot_of, slots_of
from draftengine.kernel.machine.stock import reserved
from draftengine.kernel.memory import (
    ABILITY_CARD,
    ABILITY_PLAY,
    ALSO,
    ALSO_ROW,
    BOT,
    CARD_ALONE,
    CARD_COUNT,
    CARD_LAST,
    CARD_OPTION_COUNT,
    CARD_OPTIONS,
    CARD_PLAY,
    CARDS,
    CARDS_ROW,
    CELLS,
    CHOICE_ALSO,
    CHOICE_ALSO_COUNT,
    CHOICE_LAYOUT,
    CHOICE_MARKER,
    CHOICE_OFFER,
    CHOICE_READY,
    CHOICE_SOURCE,
    CHOICE_TARGET,
    CHOICE_TO_TABLEAU,
    COUNTS,
    MARKERS,
    OPTION_LISTS,
    OPTION_PLAYS,
    PLAYERS,
    SCRATCH,
    STOCK,
    WILD_CARDS,
    WORD_BITS,
    WORDS,
    ZONE_OWNERS,
    ZONES,
    ZONES_ROW,
)  # fmt: skip

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@compiled
def settle_at_random(rom: Memory, ram: Memory, cells: Memory, row: Number) -> None:
    """Play one such turn where hands don't fit into words, or a turn is more than a choice and a pass."""
    slots, width = slots_of(rom, rom[row + CHOICE_SOURCE]), rom[CELLS]
    size = uint64(ram[COUNTS + ram[slots]])
    drawing = uint64(ram[BOT])
    stream = drawing + uint64(GOLDEN) * uint64((rom[PLAYERS] + SHARED_DRAWS - 1) // SHARED_DRAWS)
    places, drawn = uint64(0), 0
    ready = uint64(rom[row + CHOICE_READY])
    begin(rom, ram)
    for seat in range(rom[PLAYERS]):
        if drawn == 0:
            drawing += uint64(GOLDEN)
            places = mix(drawing)
            drawn = SHARED_DRAWS
        drawn -= 1
        place = int64(high_half(places, size))
        places *= size
        slot = ram[slots + seat]
        card = int64(cells[slot * width + place])
        remove_at(rom, ram, cells, slot, place)
        packed = uint64(ram[WORDS + seat])
        lay_play(rom, ram, cells, seat, card)
        if packed & ready != uint64(0) and size > uint64(1):
            stream += uint64(GOLDEN)
            if mix(stream) >> uint64(63):
                stream += uint64(GOLDEN)
                place = int64(high_half(mix(stream), size - uint64(1)))
                card = int64(cells[slot * width + place])
                remove_at(rom, ram, cells, slot, place)
                own = ready_ability(rom, row, packed)
                leave_tableau(rom, ram, cells, seat, rom[own + ABILITY_PLAY])
                lay_play(rom, ram, cells, seat, card)
                append(rom, ram, cells, slot, rom[own + ABILITY_CARD])
    ram[BOT] = int64(stream)
    after(rom, ram, cells, row)


@inlined
def settle_plain(rom: Memory, ram: Memory, cells: Memory, row: Number) -> None:
    """Play one such turn: as `draftengine.kernel.machine.policies` chooses, and what was chosen laid down at once.

    What a seat takes does not depend on what the others do, so nobody has to wait for the reveal.
    """
    if rom[row + CHOICE_LAYOUT] == 1:
        take_place(rom, ram, cells, row)
        return
    marker = rom[row + CHOICE_MARKER]
    first, last = 0, rom[PLAYERS]
    if marker >= 0:
        first = max(ram[MARKERS + marker], 0)
        last = min(ram[MARKERS + marker] + 1, last)
    _take_cards(rom, ram, cells, row, first, last)


@inlined
def nobody_offers(rom: Memory, ram: Memory, row: Number) -> Number:
    """Is a choice no more than the offer of abilities that nobody has."""
    ready = uint64(rom[row + CHOICE_READY]) if rom[row + CHOICE_OFFER] == 1 else ~uint64(0)
    found = rom[row + CHOICE_OFFER] == 0
    for seat in range(rom[PLAYERS]):
        found |= uint64(ram[WORDS + seat]) & ready != uint64(0)
    return not found


# ── from a hand ───────────────────────────────────────────────────────────────────────────────────────────────────────


@compiled
def _take_cards(rom: Memory, ram: Memory, cells: Memory, row: Number, first: Number, last: Number) -> None:
    slots, cards = slots_of(rom, rom[row + CHOICE_SOURCE]), 0
    for seat in range(first, last):
        cards += ram[COUNTS + ram[slots + seat]]
    if cards == 0:
        return
    begin(rom, ram)
    wild = uint64(rom[WILD_CARDS]) if rom[row + CHOICE_TO_TABLEAU] == 1 else uint64(0)
    for seat in range(first, last):
        slot = ram[slots + seat]
        if ram[COUNTS + slot] > 0:
            if rom[row + CHOICE_ALSO_COUNT] > 0 and reserved(rom, ram, row, seat) > 0:
                _take_for_all(rom, ram, cells, row, seat, slot)
            elif wild != uint64(0) and _has_any(rom, ram, cells, slot, wild):
                _take_listed(rom, ram, cells, row, seat, slot)
            else:
                _take_card(rom, ram, cells, row, seat, slot)
    after(rom, ram, cells, row)


@inlined
def _take_card(rom: Memory, ram: Memory, cells: Memory, row: Number, seat: Number, slot: Number) -> None:
    """For the seat itself, where each card of its hand has one form."""
    size, start, packed = ram[COUNTS + slot], slot * rom[CELLS], uint64(ram[WORDS + seat])
    drawn = below(ram, BOT, size)
    card, more = int64(cells[start + drawn]), int64(-1)
    if packed & uint64(rom[row + CHOICE_READY]) != uint64(0) and size > 1 and below(ram, BOT, 2) == 1:
        further = below(ram, BOT, size - 1)
        more = int64(cells[start + further + (further >= drawn)])
    _lay_like(rom, ram, cells, row, seat, slot, card)
    if more >= 0:
        own = ready_ability(rom, row, packed)
        _lay_more(rom, ram, cells, row, own, seat, slot, more)
        append(rom, ram, cells, slot, rom[own + ABILITY_CARD])


@compiled
def _take_for_all(rom: Memory, ram: Memory, cells: Memory, row: Number, seat: Number, slot: Number) -> None:
    """For the seat itself and for others, where each card of its hand has one form."""
    size, packed, stock = ram[COUNTS + slot], uint64(ram[WORDS + seat]), rom[SCRATCH]
    copy_row(rom, ram, cells, slot, stock)  # cards are drawn by place, and the first of equal ones leaves the hand
    card, more = _draw_from(rom, ram, cells, stock), int64(-1)
    ready = packed & uint64(rom[row + CHOICE_READY]) != uint64(0) and size - 1 > reserved(rom, ram, row, seat)
    if ready and below(ram, BOT, 2) == 1:
        more = _draw_from(rom, ram, cells, stock)
    _lay_like(rom, ram, cells, row, seat, slot, card)
    own = ready_ability(rom, row, packed)
    if more >= 0:
        _lay_more(rom, ram, cells, row, own, seat, slot, more)
    for number in range(rom[row + CHOICE_ALSO_COUNT]):
        other = rom[ALSO] + (rom[row + CHOICE_ALSO] + number) * ALSO_ROW
        if ram[MARKERS + rom[other + 1]] == seat:
            for _ in range(min(rom[other + 2], ram[COUNTS + stock])):
                _lay_like(rom, ram, cells, row, rom[other], slot, _draw_from(rom, ram, cells, stock))
    if more >= 0:
        append(rom, ram, cells, slot, rom[own + ABILITY_CARD])


@inlined
def _draw_from(rom: Memory, ram: Memory, cells: Memory, slot: Number) -> Number:
    """Take any card out of a row."""
    place = below(ram, BOT, ram[COUNTS + slot])
    card = int64(cells[slot * rom[CELLS] + place])
    remove_at(rom, ram, cells, slot, place)
    return card


@inlined
def _lay_like(rom: Memory, ram: Memory, cells: Memory, row: Number, seat: Number, slot: Number, card: Number) -> None:
    """Lay down the first card of a hand that is named as a card is: by its last option, the only one or its face."""
    own = rom[CARDS] + card * CARDS_ROW
    if rom[own + CARD_ALONE] == 1:
        place, play = first_of(rom, cells, slot, card), rom[own + CARD_PLAY]
        _lay_from(rom, ram, cells, row, seat, slot, place, card, play)
    else:
        _lay_option(rom, ram, cells, row, seat, slot, rom[own + CARD_LAST])


@compiled
def _lay_more(
    rom: Memory, ram: Memory, cells: Memory, row: Number, own: Number, seat: Number, slot: Number, card: Number
) -> None:
    """The same with an ability, whose card leaves the tableau."""
    leave_tableau(rom, ram, cells, seat, rom[own + ABILITY_PLAY])
    _lay_like(rom, ram, cells, row, seat, slot, card)


@compiled
def _lay_option(rom: Memory, ram: Memory, cells: Memory, row: Number, seat: Number, slot: Number, item: Number) -> None:
    """Lay down the first card of a hand that an option means."""
    place = place_of(rom, cells, slot, item)
    card = int64(cells[slot * rom[CELLS] + place])
    play = rom[rom[OPTION_PLAYS] + item * rom[CARD_COUNT] + card]
    _lay_from(rom, ram, cells, row, seat, slot, place, card, play)


@inlined
def _lay_from(
    rom: Memory,
    ram: Memory,
    cells: Memory,
    row: Number,
    seat: Number,
    slot: Number,
    place: Number,
    card: Number,
    play: Number,
) -> None:
    """Lay down the card at a place of a hand."""
    remove_at(rom, ram, cells, slot, place)
    if rom[row + CHOICE_TO_TABLEAU] == 1:
        lay_play(rom, ram, cells, seat, play)
    else:
        target = rom[row + CHOICE_TARGET]
        owner = seat if rom[rom[ZONES] + target * ZONES_ROW + ZONE_OWNERS] > 1 else 0
        append(rom, ram, cells, slot_of(rom, ram, target, owner), card)


# ── from a hand with wild cards ───────────────────────────────────────────────────────────────────────────────────────


@inlined
def _has_any(rom: Memory, ram: Memory, cells: Memory, slot: Number, cards: Number) -> Number:
    """Does a card of some lie in a row (they are bits, and every bit if there are too many)."""
    start, found = uint64(slot * rom[CELLS]), uint64(0)
    for place in range(uint64(ram[COUNTS + slot])):
        found |= cards >> (uint64(cells[start + place]) & uint64(WORD_BITS - 1))
    return found & uint64(1) != uint64(0)


@compiled
def _take_listed(rom: Memory, ram: Memory, cells: Memory, row: Number, seat: Number, slot: Number) -> None:
    """For the seat itself, from cards that may have several forms."""
    packed = uint64(ram[WORDS + seat])
    drawn, item = _draw_listed(rom, ram, cells, seat, slot, int64(-1))
    more = int64(-1)
    if packed & uint64(rom[row + CHOICE_READY]) != uint64(0) and ram[COUNTS + slot] > 1 and below(ram, BOT, 2) == 1:
        _, more = _draw_listed(rom, ram, cells, seat, slot, drawn)
    _lay_option(rom, ram, cells, row, seat, slot, item)
    if more >= 0:
        own = ready_ability(rom, row, packed)
        leave_tableau(rom, ram, cells, seat, rom[own + ABILITY_PLAY])
        _lay_option(rom, ram, cells, row, seat, slot, more)
        append(rom, ram, cells, slot, rom[own + ABILITY_CARD])


@compiled
def _draw_listed(
    rom: Memory, ram: Memory, cells: Memory, seat: Number, slot: Number, without: Number
) -> tuple[Number, Number]:
    """A place whose card offers something, and one of its options; -1 for both if there is none."""
    in_short()
    start, count, wild = slot * rom[CELLS], ram[COUNTS + slot], uint64(rom[WILD_CARDS])
    found, bare = 0, True
    for place in range(count):
        card = int64(cells[start + place])
        takeable = wild >> uint64(card & WORD_BITS - 1) & uint64(1) == uint64(0)
        if not takeable:
            takeable = _forms(rom, ram, cells, card, seat) != uint64(0)
        ram[STOCK + found] = place
        found += takeable and place != without
        bare &= not takeable
    if bare:  # nothing can be played as it should: a wild card is played as itself
        found = 0
        for place in range(count):
            ram[STOCK + found] = place
            found += place != without
    if found == 0:
        return int64(-1), int64(-1)
    place = ram[STOCK + below(ram, BOT, found)]
    row = rom[CARDS] + int64(cells[start + place]) * CARDS_ROW
    if bare or rom[row + CARD_OPTION_COUNT] == 1:
        return place, rom[row + CARD_LAST]
    forms, which = _forms(rom, ram, cells, int64(cells[start + place]), seat), int64(0)
    if forms & (forms - uint64(1)) != uint64(0):
        which = below(ram, BOT, int64(ones(forms)))
    return place, rom[rom[OPTION_LISTS] + rom[row + CARD_OPTIONS] + int64(place_numbered(forms, which))]


@inlined
def _forms(rom: Memory, ram: Memory, cells: Memory, card: Number, seat: Number) -> Number:
    """The forms in which a seat may play a card now, as bits; the bare form of a wild card is none of its own."""
    row = rom[CARDS] + card * CARDS_ROW
    first, found = rom[OPTION_LISTS] + rom[row + CARD_OPTIONS], uint64(0)
    for number in range(max(rom[row + CARD_OPTION_COUNT] - 1, 1)):
        found |= uint64(is_allowed(rom, ram, cells, rom[first + number], seat)) << uint64(number)
    return found
