"""Choices: what can be taken, and what is laid down, as in `draftengine.engine.flow.choose`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.expressions import value_of
from draftengine.kernel.machine.jit import compiled, inlined, int64, uint64
from draftengine.kernel.machine.scoring import append, carry_out, remove_at, run_watches, slot_of, uses_of
from draftengine.kernel.memory import (
    ABILITIES,
    ABILITIES_ROW,
    ABILITY_BIAS,
    ABILITY_CARD,
    ABILITY_LISTS,
    ABILITY_MASK,
    ABILITY_PER_TURN,
    ABILITY_PLAY,
    ABILITY_RETURNS,
    ABILITY_SHIFT,
    ABILITY_TAKE,
    ABILITY_TURNS_UP,
    ALLOWED,
    ALSO,
    ALSO_ROW,
    BEFORE,
    CARD_AT_PLACE,
    CARD_COUNT,
    CARD_OPTION_COUNT,
    CARD_OPTIONS,
    CARDS,
    CARDS_ROW,
    CELLS,
    CHOICE_ABILITIES,
    CHOICE_ABILITY_COUNT,
    CHOICE_ALSO,
    CHOICE_FIRST_OTHER,
    CHOICE_LAYOUT,
    CHOICE_MARKER,
    CHOICE_OFFER,
    CHOICE_SOURCE,
    CHOICE_TARGET,
    CHOICE_TO_TABLEAU,
    CHOICES,
    CHOICES_ROW,
    COUNTS,
    DEPTH,
    DISCARD,
    DOWN,
    EMPTY,
    EVENTFUL,
    INCREMENTS,
    LOG,
    LOG_COUNT,
    LOGGED,
    MARKERS,
    MAX_LOGGED,
    MODIFIER_COUNT,
    MODIFIERS,
    MOVES,
    MOVES_ROW,
    OPTION_ALLOWED,
    OPTION_COUNT,
    OPTION_LISTS,
    OPTION_PLAYS,
    OPTIONS,
    OPTIONS_ROW,
    PLACED,
    PLACES,
    PLACES_ROW,
    PLAY_COUNT,
    PLAY_EFFECT_COUNT,
    PLAY_EFFECTS,
    PLAY_SOURCE,
    PLAYERS,
    PLAYS,
    PLAYS_ROW,
    REVEAL,
    SEATS,
    SIMPLE,
    STAYS,
    TABLEAU,
    TO_DISCARD,
    TO_HAND,
    TO_PLACE,
    TRACKED,
    TURNS,
    WORDS,
    ZONE_OWNERS,
    ZONE_PLACE_COUNT,
    ZONE_PLACES,
    ZONES,
    ZONES_ROW,
)  # fmt: skip

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@inlined
def choice_row(rom: Memory, choice: Number) -> Number:
    return rom[CHOICES] + choice * CHOICES_ROW


@inlined
def rise(rom: Memory, play: Number, word: Number) -> Number:
    """What a play adds to a packed word, using up the open modifiers that apply to it."""
    opened = uint64(0)
    first = uint64(rom[MODIFIERS])
    for number in range(uint64(rom[MODIFIER_COUNT])):
        opened |= uint64(word & uint64(rom[first + uint64(number)]) != uint64(0)) << uint64(number)
    return uint64(rom[uint64(rom[INCREMENTS]) + opened * uint64(rom[PLAY_COUNT]) + uint64(play)])


@inlined
def occupied(cells: Memory, start: Number, places: Number) -> Number:
    """The places of a layout where a card lies, as bits."""
    found, first = uint64(0), uint64(start)
    for place in range(uint64(places)):
        found |= uint64(cells[first + place] != EMPTY) << place
    return found


@inlined
def is_covered(rom: Memory, layout: Number, place: Number, taken: Number) -> Number:
    """Does something lie on a place, if cards lie where `taken` has bits."""
    return taken & uint64(rom[rom[PLACES] + (layout + place) * PLACES_ROW + 1]) != uint64(0)


@inlined
def is_bare(rom: Memory, ram: Memory, cells: Memory, layout: Number) -> Number:
    start = slot_of(rom, ram, layout, 0) * rom[CELLS]
    for place in range(rom[rom[ZONES] + layout * ZONES_ROW + ZONE_PLACE_COUNT]):
        if cells[start + place] != EMPTY:
            return False
    return True


@compiled
def open_places(rom: Memory, ram: Memory, cells: Memory, zone: Number, stock: Number) -> Number:
    """List the places whose card can be taken; how many."""
    row = rom[ZONES] + zone * ZONES_ROW
    start = slot_of(rom, ram, zone, 0) * rom[CELLS]
    layout, places, found = rom[row + ZONE_PLACES], rom[row + ZONE_PLACE_COUNT], 0
    there = occupied(cells, start, places)
    for place in range(places):
        ram[stock + found] = place
        found += there >> uint64(place) & uint64(1) != uint64(0) and not is_covered(rom, layout, place, there)
    return found


@compiled
def uncovered(rom: Memory, ram: Memory, cells: Memory, zone: Number, taken: Number, stock: Number) -> Number:
    """The same as if the card at the place `taken` (-1: none) were gone."""
    if taken < 0:
        return open_places(rom, ram, cells, zone, stock)
    at = slot_of(rom, ram, zone, 0) * rom[CELLS] + taken
    card = cells[at]
    cells[at] = EMPTY
    found = open_places(rom, ram, cells, zone, stock)
    cells[at] = card
    return found


@compiled
def uses(rom: Memory, ram: Memory, choice: Number, ability: Number, seat: Number) -> Number:
    row = rom[ABILITIES] + ability * ABILITIES_ROW
    return uses_of(
        uint64(ram[WORDS + seat]),
        uint64(ram[BEFORE + seat]),
        uint64(rom[row + ABILITY_SHIFT]),
        uint64(rom[row + ABILITY_MASK]),
        rom[row + ABILITY_BIAS],
        rom[choice_row(rom, choice) + CHOICE_OFFER] == 1,
        rom[row + ABILITY_PER_TURN],
    )


@inlined
def has_choice(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number) -> Number:
    row = choice_row(rom, choice)
    source = rom[row + CHOICE_SOURCE]
    if rom[row + CHOICE_LAYOUT] == 1:
        if is_bare(rom, ram, cells, source):  # of cards on one another, the top ones can be taken
            return False
    elif ram[COUNTS + slot_of(rom, ram, source, seat)] == 0:
        return False
    if rom[row + CHOICE_OFFER] == 0:
        return True
    for number in range(rom[row + CHOICE_ABILITY_COUNT]):
        if uses(rom, ram, choice, rom[rom[ABILITY_LISTS] + rom[row + CHOICE_ABILITIES] + number], seat) > 0:
            return True
    return False


@inlined
def pending(rom: Memory, ram: Memory, cells: Memory, choice: Number) -> Number:
    """The seats that have to choose, as bits."""
    marker = rom[choice_row(rom, choice) + CHOICE_MARKER]
    found = 0
    for seat in range(rom[PLAYERS]):
        if (marker < 0 or ram[MARKERS + marker] == seat) and has_choice(rom, ram, cells, choice, seat):
            found |= 1 << seat
    return found


# ── what a card offers ────────────────────────────────────────────────────────────────────────────────────────────────


@compiled
def list_items(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number) -> None:
    """Write to `ALLOWED` which options can be named now, as 1; hands of simple games and layouts need no list."""
    row = choice_row(rom, choice)
    options = rom[OPTION_COUNT]
    for option in range(options):
        ram[ALLOWED + option] = 0
    slot = slot_of(rom, ram, rom[row + CHOICE_SOURCE], seat)
    start = slot * rom[CELLS]
    found = False
    for place in range(ram[COUNTS + slot]):
        card = rom[CARDS] + int64(cells[start + place]) * CARDS_ROW
        first, count = rom[OPTION_LISTS] + rom[card + CARD_OPTIONS], rom[card + CARD_OPTION_COUNT]
        if rom[row + CHOICE_TO_TABLEAU] == 0:
            ram[ALLOWED + rom[first + count - 1]] = 1
            found = True
            continue
        for number in range(first, first + max(count - 1, 1)):
            option = rom[number]
            if ram[ALLOWED + option] == 0:
                allowed = rom[rom[OPTIONS] + option * OPTIONS_ROW + OPTION_ALLOWED]
                if allowed < 0 or value_of(rom, ram, cells, allowed, seat) != 0:
                    ram[ALLOWED + option] = 1
                    found = True
    if not found:  # nothing can be played as it should: a wild card is played as itself
        for place in range(ram[COUNTS + slot]):
            card = rom[CARDS] + int64(cells[start + place]) * CARDS_ROW
            ram[ALLOWED + rom[rom[OPTION_LISTS] + rom[card + CARD_OPTIONS] + rom[card + CARD_OPTION_COUNT] - 1]] = 1


@inlined
def items_of(rom: Memory, ram: Memory, card: Number) -> Number:
    """How many options a card offers, after `list_items`."""
    row = rom[CARDS] + card * CARDS_ROW
    first = rom[OPTION_LISTS] + rom[row + CARD_OPTIONS]
    found = 0
    for number in range(rom[row + CARD_OPTION_COUNT]):
        found += ram[ALLOWED + rom[first + number]]
    return found


@inlined
def item_of(rom: Memory, ram: Memory, card: Number, which: Number) -> Number:
    """The option of a card by its number among those that it offers."""
    row = rom[CARDS] + card * CARDS_ROW
    first = rom[OPTION_LISTS] + rom[row + CARD_OPTIONS]
    found = -1
    for number in range(rom[row + CARD_OPTION_COUNT]):
        option = rom[first + number]
        if ram[ALLOWED + option] == 1:
            if which == 0:
                found = option
                break
            which -= 1
    return found


# ── laying down ───────────────────────────────────────────────────────────────────────────────────────────────────────


@compiled
def settle(rom: Memory, ram: Memory, cells: Memory, choice: Number, seats: Number) -> None:
    """Everybody in `seats` has chosen: lay the cards down, then effects and triggers."""
    row = choice_row(rom, choice)
    for seat in range(rom[SEATS]):
        ram[BEFORE + seat] = ram[WORDS + seat]
    ram[PLACED] = 0
    for seat in range(rom[PLAYERS]):
        if seats >> seat & 1:
            _lay(rom, ram, cells, choice, seat)
    if rom[row + CHOICE_LAYOUT] == 1 or rom[EVENTFUL] == 1:
        after(rom, ram, cells, row)


@compiled
def after(rom: Memory, ram: Memory, cells: Memory, row: Number) -> None:
    """The effects of what was laid down, what turns up, and the triggers of a reveal."""
    for number in range(ram[PLACED]):
        seat, play = ram[PLACED + 2 + 2 * number], ram[PLACED + 3 + 2 * number]
        own = rom[PLAYS] + play * PLAYS_ROW
        if rom[own + PLAY_EFFECT_COUNT] > 0:
            first = rom[own + PLAY_EFFECTS]
            carry_out(rom, ram, cells, first, rom[own + PLAY_EFFECT_COUNT], seat, rom[own + PLAY_SOURCE])
    if rom[row + CHOICE_LAYOUT] == 1:
        turn_up(rom, ram, cells, rom[row + CHOICE_SOURCE])
    if rom[row + CHOICE_TO_TABLEAU] == 1:
        run_watches(rom, ram, cells, REVEAL)


@inlined
def turn_up(rom: Memory, ram: Memory, cells: Memory, zone: Number) -> None:
    """Face-down cards that nothing covers any more turn up."""
    row = rom[ZONES] + zone * ZONES_ROW
    layout = rom[row + ZONE_PLACES]
    start = slot_of(rom, ram, zone, 0) * rom[CELLS]
    places = rom[row + ZONE_PLACE_COUNT]
    there = occupied(cells, start, places)
    for place in range(places):
        if ram[DOWN + layout + place] == 1:
            lies = there >> uint64(place) & uint64(1) != uint64(0)
            ram[DOWN + layout + place] = lies and is_covered(rom, layout, place, there)


@inlined
def note(rom: Memory, ram: Memory, seat: Number, play: Number) -> None:
    """Log a play: its seat, the turn of the round, the play."""
    if rom[LOGGED] == 1 and ram[LOG_COUNT] < MAX_LOGGED:
        turn = ram[TURNS + ram[DEPTH] - 1] if ram[DEPTH] > 0 else 0
        ram[LOG + ram[LOG_COUNT]] = seat << 32 | turn << 16 | play
        ram[LOG_COUNT] += 1


@inlined
def _lay(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number) -> None:
    row = choice_row(rom, choice)
    move = MOVES + seat * MOVES_ROW
    first_other = rom[row + CHOICE_FIRST_OTHER]
    ability, taken, place = -1, 0, -1
    for number in range(ram[move]):
        channel, place = ram[move + 2 + 2 * number], ram[move + 3 + 2 * number]
        receiver = seat
        if channel >= first_other:
            receiver = rom[rom[ALSO] + (rom[row + CHOICE_ALSO] + channel - first_other) * ALSO_ROW]
        elif channel > 0:
            ability = channel - 1
            taken += 1
            _pick_up(rom, ram, cells, seat, ability, taken)
        _lay_card(rom, ram, cells, row, seat, receiver, place)
    if ability >= 0:
        own = rom[ABILITIES] + ability * ABILITIES_ROW
        if rom[own + ABILITY_TURNS_UP] == 1:
            turn_up(rom, ram, cells, rom[row + CHOICE_SOURCE])
        take = rom[own + ABILITY_TAKE]
        for _ in range((taken + take - 1) // take):
            _put_back(rom, ram, cells, row, own, seat, place)


@inlined
def _pick_up(rom: Memory, ram: Memory, cells: Memory, seat: Number, ability: Number, taken: Number) -> None:
    """The ability's card leaves the tableau when its first further card is taken."""
    own = rom[ABILITIES] + ability * ABILITIES_ROW
    if (taken - 1) % rom[own + ABILITY_TAKE] != 0 or rom[own + ABILITY_RETURNS] == STAYS:
        return
    leave_tableau(rom, ram, cells, seat, rom[own + ABILITY_PLAY])


@compiled
def leave_tableau(rom: Memory, ram: Memory, cells: Memory, seat: Number, play: Number) -> None:
    ram[WORDS + seat] -= rom[rom[INCREMENTS] + play]
    if rom[TRACKED] == 1:
        slot = slot_of(rom, ram, rom[TABLEAU], seat)
        start = slot * rom[CELLS]
        for place in range(ram[COUNTS + slot]):
            if cells[start + place] == play:
                remove_at(rom, ram, cells, slot, place)
                break


@inlined
def _put_back(rom: Memory, ram: Memory, cells: Memory, row: Number, own: Number, seat: Number, place: Number) -> None:
    card, to = rom[own + ABILITY_CARD], rom[own + ABILITY_RETURNS]
    if to == TO_HAND:
        append(rom, ram, cells, slot_of(rom, ram, rom[row + CHOICE_SOURCE], seat), card)
    elif to == TO_PLACE:
        cells[slot_of(rom, ram, rom[row + CHOICE_SOURCE], 0) * rom[CELLS] + place] = card
    elif to == TO_DISCARD and rom[TRACKED] == 1:
        append(rom, ram, cells, slot_of(rom, ram, rom[DISCARD], 0), card)


@inlined
def _lay_card(
    rom: Memory, ram: Memory, cells: Memory, row: Number, seat: Number, receiver: Number, item: Number
) -> None:
    """Take the card that an item means and lay it down; see `_take` for which one that is."""
    source = rom[row + CHOICE_SOURCE]
    if rom[row + CHOICE_LAYOUT] == 1:
        at = slot_of(rom, ram, source, 0) * rom[CELLS] + item
        card = int64(cells[at])
        cells[at] = EMPTY
        play = rom[rom[CARDS] + card * CARDS_ROW + CARD_AT_PLACE]
    else:
        slot = slot_of(rom, ram, source, seat)
        place = place_of(rom, cells, slot, item)
        card = int64(cells[slot * rom[CELLS] + place])
        play = rom[rom[OPTION_PLAYS] + item * rom[CARD_COUNT] + card]
        remove_at(rom, ram, cells, slot, place)
    if rom[row + CHOICE_TO_TABLEAU] == 0:
        target = rom[row + CHOICE_TARGET]
        owner = receiver if rom[rom[ZONES] + target * ZONES_ROW + ZONE_OWNERS] > 1 else 0
        append(rom, ram, cells, slot_of(rom, ram, target, owner), card)
        return
    lay_play(rom, ram, cells, receiver, play)
    note(rom, ram, receiver, play)
    count = ram[PLACED]
    ram[PLACED + 2 + 2 * count], ram[PLACED + 3 + 2 * count] = receiver, play
    ram[PLACED] = count + 1


@inlined
def lay_play(rom: Memory, ram: Memory, cells: Memory, seat: Number, play: Number) -> None:
    word = uint64(ram[WORDS + seat])
    ram[WORDS + seat] = int64(word + rise(rom, play, word))
    if rom[TRACKED] == 1:
        append(rom, ram, cells, slot_of(rom, ram, rom[TABLEAU], seat), play)


@inlined
def place_of(rom: Memory, cells: Memory, slot: Number, item: Number) -> Number:
    """The first place in a hand with a card that an option means."""
    start = slot * rom[CELLS]
    found = 0
    if rom[SIMPLE] == 1:
        while int64(cells[start + found]) != item:
            found += 1
    else:
        plays = rom[OPTION_PLAYS] + item * rom[CARD_COUNT]
        while rom[plays + int64(cells[start + found])] < 0:
            found += 1
    return found
