"""Moves that are made code by code: what a seat can name next, as `draftengine.engine.moves` lists whole moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.choosing import choice_row, items_of, list_items, uncovered, uses
from draftengine.kernel.machine.expressions import value_of
from draftengine.kernel.machine.jit import compiled, inlined, uint64
from draftengine.kernel.machine.stock import reserved, stock_of
from draftengine.kernel.memory import (
    ABILITIES,
    ABILITIES_ROW,
    ABILITY_LISTS,
    ABILITY_TAKE,
    ALLOWED,
    ALSO,
    ALSO_ROW,
    CARD_COUNT,
    CARD_OPTION_COUNT,
    CARD_OPTIONS,
    CARDS,
    CARDS_ROW,
    CHOICE_ABILITIES,
    CHOICE_ABILITY_COUNT,
    CHOICE_ALSO,
    CHOICE_ALSO_COUNT,
    CHOICE_CARDS,
    CHOICE_FIRST_OTHER,
    CHOICE_LAYOUT,
    CHOICE_OFFER,
    CHOICE_READY,
    CHOICE_SOURCE,
    MARKERS,
    MOVES,
    MOVES_ROW,
    OPTION_LISTS,
    OPTION_PLAYS,
    SIMPLE,
    STOCK,
    WORDS,
)
from draftengine.kernel.table_memory import ACTIONS, CHANNELS, DONE, ITEMS, NAMED, NAMED_ROW, WIDTH

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@compiled
def list_actions(
    rom: Memory, ram: Memory, cells: Memory, plan: Memory, kept: Memory, choice: Number, seat: Number, mask: Memory
) -> Number:
    """A one in `mask` for every action that goes on with the move of a seat; is the move whole because nothing does.

    The mask is all zero before. If nothing can be added, or if the move is a move already, *done* is an action, too.
    """
    row = choice_row(rom, choice)
    layout, first_other = rom[row + CHOICE_LAYOUT] == 1, rom[row + CHOICE_FIRST_OTHER]
    named = plan[NAMED] + seat * plan[NAMED_ROW]
    own, used, ability, others = 0, 0, -1, 0
    for number in range(kept[named]):
        channel = plan[plan[CHANNELS] + kept[named + 1 + number]]
        if channel == 0:
            own += 1
        elif channel < first_other:
            used += 1
            ability = channel - 1
        else:
            others += 1
    wanted = 0 if rom[row + CHOICE_OFFER] == 1 else value_of(rom, ram, cells, rom[row + CHOICE_CARDS], 0)
    able = uint64(ram[WORDS + seat]) & uint64(rom[row + CHOICE_READY]) != uint64(0)
    if own >= wanted and not able and rom[row + CHOICE_ALSO_COUNT] == 0:
        mask[plan[DONE]] = 1
        return True
    if rom[SIMPLE] == 0 and not layout:
        list_items(rom, ram, cells, choice, seat)
    if own < wanted:
        stock = stock_of(rom, ram, cells, row, seat)
        if own < min(wanted, stock):
            stock = _without_named(rom, ram, plan, kept, named, 0, own, stock, layout)
            found = _name_all(rom, ram, plan, mask, stock, 0, layout)
            mask[plan[DONE]] = found == 0
            return found == 0
    found = 0
    if others == 0:
        for number in range(rom[row + CHOICE_ABILITY_COUNT]):
            other = rom[rom[ABILITY_LISTS] + rom[row + CHOICE_ABILITIES] + number]
            times = uses(rom, ram, choice, other, seat)
            if times > 0 and (ability < 0 or ability == other):
                found += _name_more(rom, ram, cells, plan, kept, mask, choice, seat, other, times, own, used)
    if ability >= 0 and used % rom[rom[ABILITIES] + ability * ABILITIES_ROW + ABILITY_TAKE] != 0:
        return False
    for number in range(rom[row + CHOICE_ALSO_COUNT]):
        other = rom[ALSO] + (rom[row + CHOICE_ALSO] + number) * ALSO_ROW
        if ram[MARKERS + rom[other + 1]] == seat:
            chosen = 0
            for place in range(kept[named]):
                chosen += plan[plan[CHANNELS] + kept[named + 1 + place]] == first_other + number
            left = _left_for_others(rom, ram, cells, plan, kept, row, seat, own, used)
            if left > 0 and chosen < rom[other + 2]:
                found += _name_all(rom, ram, plan, mask, left, first_other + number, layout)
                mask[plan[DONE]] = found == 0
                return found == 0
    mask[plan[DONE]] = 1
    return found == 0


@inlined
def _name_more(
    rom: Memory,
    ram: Memory,
    cells: Memory,
    plan: Memory,
    kept: Memory,
    mask: Memory,
    choice: Number,
    seat: Number,
    ability: Number,
    times: Number,
    own: Number,
    used: Number,
) -> Number:
    """One more card with an ability, if it can be used so often; how many actions that makes."""
    row = choice_row(rom, choice)
    layout, named = rom[row + CHOICE_LAYOUT] == 1, plan[NAMED] + seat * plan[NAMED_ROW]
    take = rom[rom[ABILITIES] + ability * ABILITIES_ROW + ABILITY_TAKE]
    wanted = (used // take + 1) * take
    stock = _list_wider(rom, ram, cells, plan, kept, row, seat, own)
    # What has to be left for others is no part of the stock, neither before cards are named nor afterwards.
    wanted += reserved(rom, ram, row, seat)
    if wanted > stock or used // take >= times:
        return 0
    stock = _without_named(rom, ram, plan, kept, named, own, own + used, stock, layout)
    if rom[SIMPLE] == 0 and not layout:
        takeable = 0
        for place in range(stock):
            takeable += items_of(rom, ram, ram[STOCK + place]) > 0
        if takeable < (used // take + 1) * take - used:
            return 0
    return _name_all(rom, ram, plan, mask, stock, 1 + ability, layout)


@compiled
def _list_wider(
    rom: Memory, ram: Memory, cells: Memory, plan: Memory, kept: Memory, row: Number, seat: Number, own: Number
) -> Number:
    """What abilities may take after the `own` cards that the seat has named first, to `STOCK`; how many."""
    named = plan[NAMED] + seat * plan[NAMED_ROW]
    if rom[row + CHOICE_LAYOUT] == 1:
        taken = plan[plan[ITEMS] + kept[named + 1]] if own > 0 else -1
        return uncovered(rom, ram, rom[row + CHOICE_SOURCE], taken, STOCK)
    stock = stock_of(rom, ram, cells, row, seat)
    return _without_named(rom, ram, plan, kept, named, 0, own, stock, layout=False)


@inlined
def _left_for_others(
    rom: Memory,
    ram: Memory,
    cells: Memory,
    plan: Memory,
    kept: Memory,
    row: Number,
    seat: Number,
    own: Number,
    used: Number,
) -> Number:
    """What is left when all that was named is gone, to `STOCK`: places that an ability uncovers only if it was used."""
    named, layout = plan[NAMED] + seat * plan[NAMED_ROW], rom[row + CHOICE_LAYOUT] == 1
    if used > 0:
        stock = _list_wider(rom, ram, cells, plan, kept, row, seat, own)
        return _without_named(rom, ram, plan, kept, named, own, kept[named], stock, layout)
    stock = stock_of(rom, ram, cells, row, seat)
    return _without_named(rom, ram, plan, kept, named, 0, kept[named], stock, layout)


@compiled
def _without_named(
    rom: Memory,
    ram: Memory,
    plan: Memory,
    kept: Memory,
    named: Number,
    first: Number,
    last: Number,
    stock: Number,
    layout: Number,
) -> Number:
    """Take out of `STOCK` what the actions `first` to `last - 1` of a move mean; how many cards are left."""
    for number in range(first, last):
        item = plan[plan[ITEMS] + kept[named + 1 + number]]
        found = False
        for place in range(stock):
            card = ram[STOCK + place]
            if found:
                ram[STOCK + place - 1] = card
            elif layout or rom[SIMPLE] == 1:
                found = card == item
            else:
                found = rom[rom[OPTION_PLAYS] + item * rom[CARD_COUNT] + card] >= 0
        stock -= found
    return stock


@compiled
def _name_all(
    rom: Memory, ram: Memory, plan: Memory, mask: Memory, stock: Number, channel: Number, layout: Number
) -> Number:
    """A one for everything that the cards in `STOCK` offer on a channel; is there anything."""
    codes, found = plan[ACTIONS] + channel * plan[WIDTH], 0
    for place in range(stock):
        card = ram[STOCK + place]
        if layout or rom[SIMPLE] == 1:
            mask[plan[codes + card]] = 1
            found = 1
        else:
            row = rom[CARDS] + card * CARDS_ROW
            first = rom[OPTION_LISTS] + rom[row + CARD_OPTIONS]
            for number in range(rom[row + CARD_OPTION_COUNT]):
                if ram[ALLOWED + rom[first + number]] == 1:
                    mask[plan[codes + rom[first + number]]] = 1
                    found = 1
    return found


@inlined
def write_moves(ram: Memory, plan: Memory, kept: Memory, players: Number) -> None:
    """The moves of all players, as the machine reads them."""
    for seat in range(players):
        named, move = plan[NAMED] + seat * plan[NAMED_ROW], MOVES + seat * MOVES_ROW
        ram[move] = kept[named]
        for number in range(kept[named]):
            action = kept[named + 1 + number]
            ram[move + 2 + 2 * number] = plan[plan[CHANNELS] + action]
            ram[move + 3 + 2 * number] = plan[plan[ITEMS] + action]
