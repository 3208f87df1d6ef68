"""What moves are worth to a seat: the provisional score after each, as far as it can tell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.worth import SCALE
from draftengine.kernel.machine.choosing import choice_row, rise
from draftengine.kernel.machine.effects import expect, expect_of_reveal
from draftengine.kernel.machine.jit import compiled, in_short, inlined, int64, uint64
from draftengine.kernel.machine.learning import place_of_worth
from draftengine.kernel.machine.rows import slot_of
from draftengine.kernel.machine.scoring import NOT_KNOWN, standing_by
from draftengine.kernel.memory import (
    ABILITIES,
    ABILITIES_ROW,
    ABILITY_PLAY,
    ABILITY_RETURNS,
    ALSO,
    ALSO_ROW,
    CANDIDATES,
    CARD_TYPICAL,
    CARDS,
    CARDS_ROW,
    CELLS,
    CHOICE_ALSO,
    CHOICE_LAYOUT,
    CHOICE_SOURCE,
    CHOICE_TO_TABLEAU,
    DOWN,
    EMPTY,
    GUESS,
    INCREMENTS,
    MOST_WINS,
    NOTED,
    OPTION_SHOWN,
    OPTIONS,
    OPTIONS_ROW,
    PLAY_EFFECT_COUNT,
    PLAY_EFFECTS,
    PLAYS,
    PLAYS_ROW,
    RULE_BITS,
    RULE_COUNT,
    RULES,
    RULES_ROW,
    SEATS,
    STANDINGS,
    STAYS,
    VALUES,
    WATCH_COUNT,
    WORDS,
    WORTH,
    ZONE_PLACES,
    ZONES,
    ZONES_ROW,
)  # fmt: skip

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@compiled
def evaluate_moves(
    rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number, count: Number, by_table: Number
) -> Number:
    """The provisional score after every move, by table with what its cards are worth beyond, to `VALUES`.

    Only the rules are asked again whose counters a move changes. False: the points of a rule are not known yet.
    """
    in_short()
    sign = 1 if rom[MOST_WINS] == 1 else -1
    before = 0
    for rule in range(rom[RULE_COUNT]):
        points = standing_by(rom, ram, cells, rule, WORDS, seat)
        if points == NOT_KNOWN:
            return False
        ram[STANDINGS + rule] = points
        before += points
    for number in range(count):
        at = CANDIDATES + 4 * number
        value, changed = before + guess(rom, ram, cells, choice, seat, at), 0
        for other in range(rom[SEATS]):
            changed |= ram[GUESS + other] ^ ram[WORDS + other]
        for rule in range(rom[RULE_COUNT]):
            if rom[rom[RULES] + rule * RULES_ROW + RULE_BITS] & changed != 0:
                points = standing_by(rom, ram, cells, rule, GUESS, seat)
                if points == NOT_KNOWN:
                    return False
                value += points - ram[STANDINGS + rule]
        if by_table:
            value = sign * SCALE * value + _worth(rom, ram, cells, choice, seat, at)
        ram[VALUES + number] = value
    return True


@inlined
def guess(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number, candidate: Number) -> Number:
    """The counters of all seats if this move were laid down alone, as far as the seat can tell, to `GUESS`.

    With what its effects can be expected to do; the points that they give the seat at once.
    """
    row = choice_row(rom, choice)
    for other in range(rom[SEATS]):
        ram[GUESS + other] = ram[WORDS + other]
    if rom[row + CHOICE_TO_TABLEAU] == 0:
        return 0
    own, ability, more, for_other = ram[candidate], ram[candidate + 1], ram[candidate + 2], ram[candidate + 3]
    receiver = rom[rom[ALSO] + rom[row + CHOICE_ALSO] * ALSO_ROW] if for_other >= 0 else seat
    first = second = third = -1
    if own >= 0:
        first = _guess_play(rom, ram, cells, row, seat, own)
    if ability >= 0:
        ability_row = rom[ABILITIES] + ability * ABILITIES_ROW
        if rom[ability_row + ABILITY_RETURNS] != STAYS:
            ram[GUESS + seat] -= rom[rom[INCREMENTS] + rom[ability_row + ABILITY_PLAY]]
        second = _guess_play(rom, ram, cells, row, seat, more)
    if for_other >= 0:
        third = _guess_play(rom, ram, cells, row, receiver, for_other)
    points = 0
    if rom[NOTED] == 1:
        points = _expect_of(rom, ram, cells, seat, first) + _expect_of(rom, ram, cells, seat, second)
        _expect_of(rom, ram, cells, receiver, third)
    if rom[WATCH_COUNT] > 0:
        points += expect_of_reveal(rom, ram, cells, seat)
    return points


@compiled
def _guess_play(rom: Memory, ram: Memory, cells: Memory, row: Number, seat: Number, item: Number) -> Number:
    """Lay down an item alone; what play it looks like."""
    play = shown(rom, ram, cells, row, item)
    if play >= 0:
        word = uint64(ram[GUESS + seat])
        ram[GUESS + seat] = int64(word + rise(rom, play, word))
    return play


@inlined
def _expect_of(rom: Memory, ram: Memory, cells: Memory, seat: Number, play: Number) -> Number:
    """What can be expected of the effects of a play, if it has any; the points."""
    row = rom[PLAYS] + play * PLAYS_ROW
    if play < 0 or rom[row + PLAY_EFFECT_COUNT] == 0:
        return 0
    return expect(rom, ram, cells, rom[row + PLAY_EFFECTS], rom[row + PLAY_EFFECT_COUNT], seat)


@inlined
def shown(rom: Memory, ram: Memory, cells: Memory, row: Number, item: Number) -> Number:
    """The play that an item looks like; -1 for a card that lies face down."""
    if rom[row + CHOICE_LAYOUT] == 0:
        return rom[rom[OPTIONS] + item * OPTIONS_ROW + OPTION_SHOWN]
    zone = rom[row + CHOICE_SOURCE]
    if uint64(ram[DOWN + rom[rom[ZONES] + zone * ZONES_ROW + ZONE_PLACES]]) >> uint64(item) & uint64(1) != uint64(0):
        return -1
    card = cells[slot_of(rom, ram, zone, 0) * rom[CELLS] + item]
    return -1 if card == EMPTY else rom[rom[CARDS] + int64(card) * CARDS_ROW + CARD_TYPICAL]


@inlined
def _worth(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number, candidate: Number) -> Number:
    """As `draftengine.engine.worth.worth_of`."""
    row = choice_row(rom, choice)
    aside, found = 1 - rom[row + CHOICE_TO_TABLEAU], 0
    own, ability, more = ram[candidate], ram[candidate + 1], ram[candidate + 2]
    for item in (own, more):
        play = shown(rom, ram, cells, row, item) if item >= 0 else -1
        if play >= 0:
            found += rom[rom[WORTH] + place_of_worth(rom, ram, play, seat, aside)]
    if ability >= 0:
        ability_row = rom[ABILITIES] + ability * ABILITIES_ROW
        if rom[ability_row + ABILITY_RETURNS] != STAYS:
            found -= rom[rom[WORTH] + place_of_worth(rom, ram, rom[ability_row + ABILITY_PLAY], seat, 0)]
    return found
