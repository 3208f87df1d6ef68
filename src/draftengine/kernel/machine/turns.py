"""One turn at random, laid down at once: what a seat takes does not depend on what the others take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.chance import GOLDEN, SHARED_DRAWS
from draftengine.kernel.machine.chance import below, mix
from draftengine.kernel.machine.choosing import (
    after,
    choice_row,
    is_bare,
    item_of,
    items_of,
    leave_tableau,
    list_items,
    open_places,
    place_of,
    rise,
    turn_up,
)
from draftengine.kernel.machine.cycle import ready_ability, write_down
from draftengine.kernel.machine.jit import compiled, high_half, inlined, int64, uint64
from draftengine.kernel.machine.scoring import append, remove_at, slot_of
from draftengine.kernel.memory import (
    ABILITY_CARD,
    ABILITY_PLAY,
    ABILITY_TURNS_UP,
    ALSO,
    ALSO_ROW,
    BEFORE,
    BOT,
    CARD_AT_PLACE,
    CARD_COUNT,
    CARD_OPTION_COUNT,
    CARD_OPTIONS,
    CARDS,
    CARDS_ROW,
    CELLS,
    CHOICE_ALSO,
    CHOICE_ALSO_COUNT,
    CHOICE_FOLLOWING,
    CHOICE_LAYOUT,
    CHOICE_MARKER,
    CHOICE_PLAIN,
    CHOICE_READY,
    CHOICE_SOURCE,
    CHOICE_TARGET,
    CHOICE_TO_TABLEAU,
    COUNTS,
    EMPTY,
    EVENTFUL,
    MARKERS,
    OPTION_LISTS,
    OPTION_PLAYS,
    PLACED,
    PLAYERS,
    POLICIES,
    RANDOM,
    SEATS,
    SIMPLE,
    STOCK,
    WORDS,
    ZONE_OWNERS,
    ZONES,
    ZONES_ROW,
)  # fmt: skip

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@compiled
def settle_at_random(rom: Memory, ram: Memory, cells: Memory, choice: Number) -> Number:
    """Play one such turn where hands don't fit into words, or a turn is more than a choice and a pass."""
    row = choice_row(rom, choice)
    source = rom[row + CHOICE_SOURCE]
    size = uint64(ram[COUNTS + slot_of(rom, ram, source, 0)])
    drawing = uint64(ram[BOT])
    stream = drawing + uint64(GOLDEN) * uint64((rom[PLAYERS] + SHARED_DRAWS - 1) // SHARED_DRAWS)
    ram[PLACED] = 0
    places = uint64(0)
    drawn = 0
    ready = uint64(rom[row + CHOICE_READY])
    for seat in range(rom[PLAYERS]):
        ram[BEFORE + seat] = ram[WORDS + seat]
    for seat in range(rom[PLAYERS]):
        if drawn == 0:
            drawing += uint64(GOLDEN)
            places = mix(drawing)
            drawn = SHARED_DRAWS
        drawn -= 1
        place = int64(high_half(places, size))
        places *= size
        slot = slot_of(rom, ram, source, seat)
        card = int64(cells[slot * rom[CELLS] + place])
        remove_at(rom, ram, cells, slot, place)
        packed = uint64(ram[WORDS + seat])
        ram[WORDS + seat] = int64(packed + rise(rom, card, packed))
        write_down(rom, ram, cells, seat, card)
        if packed & ready != uint64(0) and size > uint64(1):
            stream += uint64(GOLDEN)
            if mix(stream) >> uint64(63):
                stream += uint64(GOLDEN)
                place = int64(high_half(mix(stream), size - uint64(1)))
                card = int64(cells[slot * rom[CELLS] + place])
                remove_at(rom, ram, cells, slot, place)
                own = ready_ability(rom, row, packed)
                leave_tableau(rom, ram, cells, seat, rom[own + ABILITY_PLAY])
                word = uint64(ram[WORDS + seat])
                ram[WORDS + seat] = int64(word + rise(rom, card, word))
                write_down(rom, ram, cells, seat, card)
                append(rom, ram, cells, slot, rom[own + ABILITY_CARD])
    ram[BOT] = int64(stream)
    if rom[EVENTFUL] == 1:
        after(rom, ram, cells, row)
    return rom[row + CHOICE_FOLLOWING]


@compiled
def is_plain(rom: Memory, ram: Memory, choice: Number) -> Number:
    """Does everybody choose one card at random (for others only where no card has several forms)."""
    plain = rom[choice_row(rom, choice) + CHOICE_PLAIN] == 1
    for seat in range(rom[PLAYERS]):
        plain &= ram[POLICIES + seat] == RANDOM
    return plain


@compiled
def _has_wild(rom: Memory, ram: Memory, cells: Memory, slot: Number) -> Number:
    start, found = slot * rom[CELLS], False
    for place in range(ram[COUNTS + slot]):
        found |= rom[rom[CARDS] + int64(cells[start + place]) * CARDS_ROW + CARD_OPTION_COUNT] > 1
    return found


@compiled
def settle_plain(rom: Memory, ram: Memory, cells: Memory, choice: Number) -> None:
    """Play one such turn: as `draftengine.kernel.machine.policies` chooses, and what was chosen laid down at once.

    What a seat takes does not depend on what the others do, so nobody has to wait for the reveal.
    """
    row = choice_row(rom, choice)
    source, marker = rom[row + CHOICE_SOURCE], rom[row + CHOICE_MARKER]
    first, last = 0, rom[PLAYERS]
    if marker >= 0:
        first = max(ram[MARKERS + marker], 0)
        last = ram[MARKERS + marker] + 1
    layout, cards = rom[row + CHOICE_LAYOUT] == 1, 0
    for seat in range(first, last):
        cards += 0 if layout else ram[COUNTS + slot_of(rom, ram, source, seat)]
    if cards == 0 and (first == last or not layout or is_bare(rom, ram, cells, source)):
        return
    ram[PLACED] = 0
    for seat in range(rom[SEATS]):
        ram[BEFORE + seat] = ram[WORDS + seat]
    for seat in range(first, last):
        if layout:
            _take_place(rom, ram, cells, row, seat)
        elif _reserved(rom, ram, row, seat) > 0:
            _take_for_all(rom, ram, cells, row, seat)
        else:
            _take_card(rom, ram, cells, choice, seat)
    if layout or rom[EVENTFUL] == 1:
        after(rom, ram, cells, row)


@inlined
def _reserved(rom: Memory, ram: Memory, row: Number, seat: Number) -> Number:
    """How many cards the seat has to choose for others."""
    found = 0
    for number in range(rom[row + CHOICE_ALSO_COUNT]):
        other = rom[ALSO] + (rom[row + CHOICE_ALSO] + number) * ALSO_ROW
        if ram[MARKERS + rom[other + 1]] == seat:
            found += rom[other + 2]
    return found


@inlined
def _take_card(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number) -> None:
    """From a hand."""
    row = choice_row(rom, choice)
    slot = slot_of(rom, ram, rom[row + CHOICE_SOURCE], seat)
    size = ram[COUNTS + slot]
    if size == 0:
        return
    packed, start, ready = uint64(ram[WORDS + seat]), slot * rom[CELLS], uint64(rom[row + CHOICE_READY])
    listed = rom[SIMPLE] == 0 and rom[row + CHOICE_TO_TABLEAU] == 1 and _has_wild(rom, ram, cells, slot)
    if listed:
        list_items(rom, ram, cells, choice, seat)
        drawn, item = _draw_listed(rom, ram, cells, slot, -1)
    else:
        drawn = below(ram, BOT, size)
        item = _option_of(rom, int64(cells[start + drawn]))
    more = -1
    if packed & ready != uint64(0) and size > 1 and below(ram, BOT, 2) == 1:
        if listed:
            _, more = _draw_listed(rom, ram, cells, slot, drawn)
        else:
            further = below(ram, BOT, size - 1)
            more = _option_of(rom, int64(cells[start + further + (further >= drawn)]))
    _lay_one(rom, ram, cells, row, seat, slot, item)
    if more >= 0:
        own = ready_ability(rom, row, packed)
        leave_tableau(rom, ram, cells, seat, rom[own + ABILITY_PLAY])
        _lay_one(rom, ram, cells, row, seat, slot, more)
        append(rom, ram, cells, slot, rom[own + ABILITY_CARD])


@inlined
def _take_for_all(rom: Memory, ram: Memory, cells: Memory, row: Number, seat: Number) -> None:
    """From a hand of cards with one form each, for the seat itself and for others."""
    slot = slot_of(rom, ram, rom[row + CHOICE_SOURCE], seat)
    size = ram[COUNTS + slot]
    for place in range(size):
        ram[STOCK + place] = _option_of(rom, int64(cells[slot * rom[CELLS] + place]))
    if size == 0:
        return
    packed, ready = uint64(ram[WORDS + seat]), uint64(rom[row + CHOICE_READY])
    item, more = _draw_from(ram, size), -1
    size -= 1
    if packed & ready != uint64(0) and size > _reserved(rom, ram, row, seat) and below(ram, BOT, 2) == 1:
        more = _draw_from(ram, size)
        size -= 1
    _lay_one(rom, ram, cells, row, seat, slot, item)
    own = ready_ability(rom, row, packed)
    if more >= 0:
        leave_tableau(rom, ram, cells, seat, rom[own + ABILITY_PLAY])
        _lay_one(rom, ram, cells, row, seat, slot, more)
    for number in range(rom[row + CHOICE_ALSO_COUNT]):
        other = rom[ALSO] + (rom[row + CHOICE_ALSO] + number) * ALSO_ROW
        if ram[MARKERS + rom[other + 1]] == seat:
            for _ in range(min(rom[other + 2], size)):
                _lay_one(rom, ram, cells, row, rom[other], slot, _draw_from(ram, size))
                size -= 1
    if more >= 0:
        append(rom, ram, cells, slot, rom[own + ABILITY_CARD])


@inlined
def _draw_from(ram: Memory, size: Number) -> Number:
    """One of the first things in `STOCK`; those behind it move up."""
    place = STOCK + below(ram, BOT, size)
    item = ram[place]
    for at in range(place, STOCK + size - 1):
        ram[at] = ram[at + 1]
    return item


@inlined
def _take_place(rom: Memory, ram: Memory, cells: Memory, row: Number, seat: Number) -> None:
    """From a layout."""
    source = rom[row + CHOICE_SOURCE]
    start = slot_of(rom, ram, source, 0) * rom[CELLS]
    packed = uint64(ram[WORDS + seat])
    place = ram[STOCK + below(ram, BOT, open_places(rom, ram, cells, source, STOCK))]
    _lay_from(rom, ram, cells, seat, start + place)
    if packed & uint64(rom[row + CHOICE_READY]) == uint64(0):
        return
    wider = open_places(rom, ram, cells, source, STOCK)
    if wider > 0 and below(ram, BOT, 2) == 1:
        own = ready_ability(rom, row, packed)
        place = ram[STOCK + below(ram, BOT, wider)]
        leave_tableau(rom, ram, cells, seat, rom[own + ABILITY_PLAY])
        _lay_from(rom, ram, cells, seat, start + place)
        if rom[own + ABILITY_TURNS_UP] == 1:
            turn_up(rom, ram, cells, source)
        cells[start + place] = rom[own + ABILITY_CARD]


@compiled
def _lay_from(rom: Memory, ram: Memory, cells: Memory, seat: Number, at: Number) -> None:
    """Lay down the card at a place of a layout."""
    play = rom[rom[CARDS] + int64(cells[at]) * CARDS_ROW + CARD_AT_PLACE]
    cells[at] = EMPTY
    _lay_play(rom, ram, cells, seat, play)


@inlined
def _lay_play(rom: Memory, ram: Memory, cells: Memory, seat: Number, play: Number) -> None:
    word = uint64(ram[WORDS + seat])
    ram[WORDS + seat] = int64(word + rise(rom, play, word))
    write_down(rom, ram, cells, seat, play)


@compiled
def _draw_listed(rom: Memory, ram: Memory, cells: Memory, slot: Number, without: Number) -> tuple[Number, Number]:
    """A card that offers something, and one of its options, after `list_items`; -1 for the option if there is none."""
    start, takeable = slot * rom[CELLS], 0
    for place in range(ram[COUNTS + slot]):
        takeable += place != without and items_of(rom, ram, int64(cells[start + place])) > 0
    if takeable == 0:
        return -1, -1
    which, place = below(ram, BOT, takeable), 0
    while True:
        if place != without and items_of(rom, ram, int64(cells[start + place])) > 0:
            if which == 0:
                break
            which -= 1
        place += 1
    card = int64(cells[start + place])
    forms = items_of(rom, ram, card)
    return place, item_of(rom, ram, card, below(ram, BOT, forms) if forms > 1 else 0)


@inlined
def _option_of(rom: Memory, card: Number) -> Number:
    """A card's last option: its only one, or in a hand from which nothing is played, its face."""
    row = rom[CARDS] + card * CARDS_ROW
    return rom[rom[OPTION_LISTS] + rom[row + CARD_OPTIONS] + rom[row + CARD_OPTION_COUNT] - 1]


@compiled
def _lay_one(rom: Memory, ram: Memory, cells: Memory, row: Number, seat: Number, slot: Number, item: Number) -> None:
    """Take the first card that an option means out of a hand, and lay it down."""
    place = place_of(rom, cells, slot, item)
    card = int64(cells[slot * rom[CELLS] + place])
    remove_at(rom, ram, cells, slot, place)
    if rom[row + CHOICE_TO_TABLEAU] == 0:
        target = rom[row + CHOICE_TARGET]
        owner = seat if rom[rom[ZONES] + target * ZONES_ROW + ZONE_OWNERS] > 1 else 0
        append(rom, ram, cells, slot_of(rom, ram, target, owner), card)
        return
    play = rom[rom[OPTION_PLAYS] + item * rom[CARD_COUNT] + card]
    _lay_play(rom, ram, cells, seat, play)
