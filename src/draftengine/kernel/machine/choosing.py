"""Choices: what can be taken, and what is laid down, as in `draftengine.engine.flow.choose`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.effects import carry_out, run_watches, some_changed
from draftengine.kernel.machine.expressions import value_of
from draftengine.kernel.machine.jit import compiled, in_short, inlined, int64, lowest, uint64
from draftengine.kernel.machine.layouts import free, lying, put, take, turn_up
from draftengine.kernel.machine.rows import append, first_of, remove_at, remove_first, slot_of
from draftengine.kernel.machine.scoring import uses_of
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
    ALERT,
    ALERTS,
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
    CHOICE_READY,
    CHOICE_SOURCE,
    CHOICE_TARGET,
    CHOICE_TO_TABLEAU,
    CHOICES,
    CHOICES_ROW,
    COUNTS,
    DEPTH,
    DISCARD,
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
    NOTED,
    OPTION_ALLOWED,
    OPTION_COUNT,
    OPTION_LEAST,
    OPTION_LISTS,
    OPTION_MASK,
    OPTION_PLAYS,
    OPTION_SHIFT,
    OPTIONS,
    OPTIONS_ROW,
    PLACED,
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
    first, count = uint64(rom[MODIFIERS]), uint64(rom[MODIFIER_COUNT])
    # Most games have one modifier, or none and then bits that are never set.
    opened = uint64(word & uint64(rom[first]) != uint64(0))
    if count > uint64(1):
        for number in range(uint64(1), count):
            opened |= uint64(word & uint64(rom[first + number]) != uint64(0)) << number
    return uint64(rom[uint64(rom[INCREMENTS]) + opened * uint64(rom[PLAY_COUNT]) + uint64(play)])


@compiled
def open_places(rom: Memory, ram: Memory, zone: Number, stock: Number) -> Number:
    """List the places whose card can be taken; how many."""
    return _list_places(rom, ram, zone, lying(rom, ram, zone), stock)


@compiled
def uncovered(rom: Memory, ram: Memory, zone: Number, taken: Number, stock: Number) -> Number:
    """The same as if the card at the place `taken` (-1: none) were gone."""
    there = lying(rom, ram, zone)
    if taken >= 0:
        there &= ~(uint64(1) << uint64(taken))
    return _list_places(rom, ram, zone, there, stock)


@inlined
def _list_places(rom: Memory, ram: Memory, zone: Number, there: Number, stock: Number) -> Number:
    places, found = free(rom, zone, there), 0
    while places != uint64(0):
        ram[stock + found] = int64(lowest(places))
        places &= places - uint64(1)
        found += 1
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
def has_choice(rom: Memory, ram: Memory, choice: Number, seat: Number) -> Number:
    row = choice_row(rom, choice)
    source = rom[row + CHOICE_SOURCE]
    if rom[row + CHOICE_OFFER] == 1 and uint64(ram[WORDS + seat]) & uint64(rom[row + CHOICE_READY]) == uint64(0):
        return False
    if rom[row + CHOICE_LAYOUT] == 1:
        if lying(rom, ram, source) == uint64(0):  # of cards on one another, the top ones can be taken
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
def pending(rom: Memory, ram: Memory, choice: Number) -> Number:
    """The seats that have to choose, as bits."""
    marker = rom[choice_row(rom, choice) + CHOICE_MARKER]
    found = 0
    for seat in range(rom[PLAYERS]):
        if (marker < 0 or ram[MARKERS + marker] == seat) and has_choice(rom, ram, choice, seat):
            found |= 1 << seat
    return found


# ── what a card offers ────────────────────────────────────────────────────────────────────────────────────────────────


@inlined
def is_allowed(rom: Memory, ram: Memory, cells: Memory, option: Number, seat: Number) -> Number:
    """May a seat play a card in this form now."""
    row = rom[OPTIONS] + option * OPTIONS_ROW
    if rom[row + OPTION_MASK] != 0:
        value = uint64(ram[WORDS + seat]) >> uint64(rom[row + OPTION_SHIFT]) & uint64(rom[row + OPTION_MASK])
        return int64(value) >= rom[row + OPTION_LEAST]
    allowed = rom[row + OPTION_ALLOWED]
    return allowed < 0 or value_of(rom, ram, cells, allowed, seat) != 0


@compiled
def list_items(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number) -> None:
    """Write to `ALLOWED` which options can be named now, as 1; hands of simple games and layouts need no list."""
    in_short()
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
            if ram[ALLOWED + option] == 0 and is_allowed(rom, ram, cells, option, seat):
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


@inlined
def begin(rom: Memory, ram: Memory) -> None:
    """Nothing is laid down yet."""
    ram[PLACED] = 0
    for seat in range(rom[SEATS]):
        ram[BEFORE + seat] = ram[WORDS + seat]


@compiled
def settle(rom: Memory, ram: Memory, cells: Memory, choice: Number, seats: Number) -> None:
    """Everybody in `seats` has chosen: lay the cards down, then effects and triggers."""
    in_short()
    row = choice_row(rom, choice)
    begin(rom, ram)
    for seat in range(rom[PLAYERS]):
        if seats >> seat & 1:
            _lay(rom, ram, cells, choice, seat)
    after(rom, ram, cells, row)


@inlined
def after(rom: Memory, ram: Memory, cells: Memory, row: Number) -> None:
    """The effects of what was laid down, what turns up, and the triggers of a reveal."""
    if ram[PLACED] > 0:
        _carry_out_effects(rom, ram, cells)
    if rom[row + CHOICE_LAYOUT] == 1:
        turn_up(rom, ram, rom[row + CHOICE_SOURCE])
    if rom[row + CHOICE_TO_TABLEAU] == 1 and (rom[ALERT] == 1 or some_changed(rom, ram, rom[ALERTS], WORDS, BEFORE)):
        run_watches(rom, ram, cells, int64(REVEAL))


@compiled
def _carry_out_effects(rom: Memory, ram: Memory, cells: Memory) -> None:
    for number in range(ram[PLACED]):
        seat, play = ram[PLACED + 2 + 2 * number], ram[PLACED + 3 + 2 * number]
        own = rom[PLAYS] + play * PLAYS_ROW
        first, count = rom[own + PLAY_EFFECTS], rom[own + PLAY_EFFECT_COUNT]
        carry_out(rom, ram, cells, first, count, seat, rom[own + PLAY_SOURCE])
    ram[PLACED] = 0


@inlined
def lay_play(rom: Memory, ram: Memory, cells: Memory, seat: Number, play: Number) -> None:
    word = uint64(ram[WORDS + seat])
    ram[WORDS + seat] = int64(word + rise(rom, play, word))
    if rom[NOTED] == 1:
        write_down(rom, ram, cells, seat, play)


@compiled
def write_down(rom: Memory, ram: Memory, cells: Memory, seat: Number, play: Number) -> None:
    """What has to be known of a play beyond the counters: where its card lies, when it was made, has it effects."""
    if rom[TRACKED] == 1:
        append(rom, ram, cells, slot_of(rom, ram, rom[TABLEAU], seat), play)
    if rom[LOGGED] == 1 and ram[LOG_COUNT] < MAX_LOGGED:
        turn = ram[TURNS + ram[DEPTH] - 1] if ram[DEPTH] > 0 else 0
        ram[LOG + ram[LOG_COUNT]] = seat << 32 | turn << 16 | play
        ram[LOG_COUNT] += 1
    if rom[rom[PLAYS] + play * PLAYS_ROW + PLAY_EFFECT_COUNT] > 0:
        count = ram[PLACED]
        ram[PLACED + 2 + 2 * count], ram[PLACED + 3 + 2 * count] = seat, play
        ram[PLACED] = count + 1


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
            turn_up(rom, ram, rom[row + CHOICE_SOURCE])
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
        remove_first(rom, ram, cells, slot_of(rom, ram, rom[TABLEAU], seat), play)


@inlined
def _put_back(rom: Memory, ram: Memory, cells: Memory, row: Number, own: Number, seat: Number, place: Number) -> None:
    card, to = rom[own + ABILITY_CARD], rom[own + ABILITY_RETURNS]
    if to == TO_HAND:
        append(rom, ram, cells, slot_of(rom, ram, rom[row + CHOICE_SOURCE], seat), card)
    elif to == TO_PLACE:
        put(rom, ram, cells, rom[row + CHOICE_SOURCE], place, card)
    elif to == TO_DISCARD and rom[TRACKED] == 1:
        append(rom, ram, cells, slot_of(rom, ram, rom[DISCARD], 0), card)


@inlined
def _lay_card(
    rom: Memory, ram: Memory, cells: Memory, row: Number, seat: Number, receiver: Number, item: Number
) -> None:
    """Take the card that an item means and lay it down; see `_take` for which one that is."""
    source = rom[row + CHOICE_SOURCE]
    if rom[row + CHOICE_LAYOUT] == 1:
        card = take(rom, ram, cells, source, item)
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


@inlined
def place_of(rom: Memory, cells: Memory, slot: Number, item: Number) -> Number:
    """The first place in a hand with a card that an option means."""
    if rom[SIMPLE] == 1:
        return first_of(rom, cells, slot, item)
    start, plays, found = slot * rom[CELLS], rom[OPTION_PLAYS] + item * rom[CARD_COUNT], 0
    while rom[plays + int64(cells[start + found])] < 0:
        found += 1
    return found
