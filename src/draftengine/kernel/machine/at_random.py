"""The move of a seat that chooses at random, as `draftengine.engine.policies.random_move`, draw by draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.chance import below
from draftengine.kernel.machine.choosing import choice_row, item_of, items_of, list_items, uncovered, uses
from draftengine.kernel.machine.expressions import value_of
from draftengine.kernel.machine.jit import compiled, in_short, inlined
from draftengine.kernel.machine.stock import last_option, left_for_ability, name, remove, some_wild, stock_of
from draftengine.kernel.memory import (
    ABILITIES,
    ABILITIES_ROW,
    ABILITY_LISTS,
    ABILITY_TAKE,
    ALSO,
    ALSO_ROW,
    BOT,
    CHOICE_ABILITIES,
    CHOICE_ABILITY_COUNT,
    CHOICE_ALSO,
    CHOICE_ALSO_COUNT,
    CHOICE_CARDS,
    CHOICE_FIRST_OTHER,
    CHOICE_LAYOUT,
    CHOICE_OFFER,
    CHOICE_SOURCE,
    CHOICE_TO_TABLEAU,
    MARKERS,
    MOVES,
    MOVES_ROW,
    SIMPLE,
    STOCK,
)  # fmt: skip

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


ITSELF, LAST_OPTION, LISTED = range(3)
"""How cards are named in a move: by themselves, by their last option, or by any that `list_items` found."""


@compiled
def choose_at_random(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number) -> None:
    in_short()
    row = choice_row(rom, choice)
    layout = rom[row + CHOICE_LAYOUT] == 1
    move = MOVES + seat * MOVES_ROW
    ram[move] = 0
    stock = stock_of(rom, ram, cells, row, seat)
    named = ITSELF
    if rom[SIMPLE] == 0 and not layout:
        named = LAST_OPTION
        if rom[row + CHOICE_TO_TABLEAU] == 1 and some_wild(rom, ram, stock):
            named = LISTED
            list_items(rom, ram, cells, choice, seat)
    taken = -1
    if rom[row + CHOICE_OFFER] == 0:
        count = min(value_of(rom, ram, cells, rom[row + CHOICE_CARDS], 0), stock)
        for _ in range(count):
            stock = _draw(rom, ram, move, 0, stock, named)
        if layout and ram[move] > 0:
            taken = ram[move + 3]
    stock = _more_with_ability(rom, ram, cells, choice, seat, stock, taken, named)
    first_other = rom[row + CHOICE_FIRST_OTHER]
    for number in range(rom[row + CHOICE_ALSO_COUNT]):
        other = rom[ALSO] + (rom[row + CHOICE_ALSO] + number) * ALSO_ROW
        if ram[MARKERS + rom[other + 1]] == seat:
            for _ in range(min(rom[other + 2], stock)):
                stock = _draw(rom, ram, move, first_other + number, stock, named)


@compiled
def _draw(rom: Memory, ram: Memory, move: Number, channel: Number, stock: Number, named: Number) -> Number:
    """Take a card of the stock at random, and its form; what is left of the stock, or -1 if no card can be taken."""
    if named != LISTED:
        place = below(ram, BOT, stock)
        item = ram[STOCK + place]
        name(ram, move, channel, item if named == ITSELF else last_option(rom, item))
        return remove(ram, place, stock)
    takeable = 0
    for place in range(stock):
        takeable += items_of(rom, ram, ram[STOCK + place]) > 0
    if takeable == 0:
        return -1
    which = below(ram, BOT, takeable)
    place = 0
    while True:
        if items_of(rom, ram, ram[STOCK + place]) > 0:
            if which == 0:
                break
            which -= 1
        place += 1
    card = ram[STOCK + place]
    forms = items_of(rom, ram, card)
    form = below(ram, BOT, forms) if forms > 1 else 0
    name(ram, move, channel, item_of(rom, ram, card, form))
    return remove(ram, place, stock)


@inlined
def _more_with_ability(
    rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number, stock: Number, taken: Number, named: Number
) -> Number:
    """With probability one half, the first ability that is ready; what is left of the stock."""
    row = choice_row(rom, choice)
    layout = rom[row + CHOICE_LAYOUT] == 1
    move = MOVES + seat * MOVES_ROW
    for number in range(rom[row + CHOICE_ABILITY_COUNT]):
        ability = rom[rom[ABILITY_LISTS] + rom[row + CHOICE_ABILITIES] + number]
        if uses(rom, ram, choice, ability, seat) <= 0:
            continue
        wider = uncovered(rom, ram, rom[row + CHOICE_SOURCE], taken, STOCK) if layout else stock
        take = rom[rom[ABILITIES] + ability * ABILITIES_ROW + ABILITY_TAKE]
        if left_for_ability(rom, ram, row, seat, wider) < take:
            if layout:
                _without(rom, ram, cells, choice, seat, taken)
            continue
        if below(ram, BOT, 2) == 0:
            if layout:
                return _without(rom, ram, cells, choice, seat, taken)
            return stock
        codes = ram[move]
        for _ in range(take):
            wider = _draw(rom, ram, move, 1 + ability, wider, named)
            if wider < 0:
                ram[move] = codes
                return stock
        return wider
    return stock


@compiled
def _without(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number, taken: Number) -> Number:
    """The open places without the one that was taken."""
    stock = stock_of(rom, ram, cells, choice_row(rom, choice), seat)
    for place in range(stock):
        if ram[STOCK + place] == taken:
            return remove(ram, place, stock)
    return stock
