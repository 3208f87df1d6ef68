"""Turns at random in which seats take cards from a layout, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.chance import below
from draftengine.kernel.machine.choosing import after, begin, choice_row, lay_play, leave_tableau
from draftengine.kernel.machine.cycle import ready_ability
from draftengine.kernel.machine.jit import compiled, inlined, int64, ones, uint64
from draftengine.kernel.machine.layouts import free, lying, place_numbered, put, take, turn_up
from draftengine.kernel.machine.markers import give
from draftengine.kernel.memory import (
    ABILITY_CARD,
    ABILITY_PLAY,
    ABILITY_TURNS_UP,
    BEFORE,
    BOT,
    CARD_AT_PLACE,
    CARDS,
    CARDS_ROW,
    CHOICE_MARKER,
    CHOICE_OFFER,
    CHOICE_READY,
    CHOICE_SOURCE,
    CODE,
    CODE_ROW,
    DEPTH,
    MARKERS,
    OP_CHOOSE,
    OP_GIVE,
    PLAYERS,
    TURNS,
    WORDS,
)

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@compiled
def play_layout(rom: Memory, ram: Memory, cells: Memory, zone: Number, turn: Number) -> None:
    """Play turns until a layout has no cards. `turn`: the first step of one."""
    ram[TURNS + ram[DEPTH] - 1] = 0
    while lying(rom, ram, zone) != uint64(0):
        ram[TURNS + ram[DEPTH] - 1] += 1
        at = turn
        while True:
            row = rom[CODE] + at * CODE_ROW
            kind = rom[row]
            if kind == OP_CHOOSE:
                take_place(rom, ram, cells, choice_row(rom, rom[row + 2]))
            elif kind == OP_GIVE:
                give(rom, ram, cells, row)
            else:
                break
            at = rom[row + 1]


@inlined
def take_place(rom: Memory, ram: Memory, cells: Memory, row: Number) -> None:
    """Whoever holds the marker takes any card on which nothing lies, and perhaps another with an ability."""
    seat, source = ram[MARKERS + rom[row + CHOICE_MARKER]], rom[row + CHOICE_SOURCE]
    there = lying(rom, ram, source)
    if seat < 0 or seat >= rom[PLAYERS] or there == uint64(0):
        return
    packed, ready, offer = uint64(ram[WORDS + seat]), uint64(rom[row + CHOICE_READY]), rom[row + CHOICE_OFFER] == 1
    if offer and (packed & ready == uint64(0) or uint64(ram[BEFORE + seat]) & ready == uint64(0)):
        return  # the card of the ability must have lain there before the turn, too
    begin(rom, ram)
    if not offer:
        _lay_at(rom, ram, cells, source, seat, _draw_place(ram, free(rom, source, there)))
    if packed & ready != uint64(0):
        _take_more(rom, ram, cells, row, seat, packed)
    after(rom, ram, cells, row)


@compiled
def _take_more(rom: Memory, ram: Memory, cells: Memory, row: Number, seat: Number, packed: Number) -> None:
    """With probability one half, another card; that of the ability goes to its place."""
    source = rom[row + CHOICE_SOURCE]
    places = free(rom, source, lying(rom, ram, source))
    if places != uint64(0) and below(ram, BOT, 2) == 1:
        own, place = ready_ability(rom, row, packed), _draw_place(ram, places)
        leave_tableau(rom, ram, cells, seat, rom[own + ABILITY_PLAY])
        _lay_at(rom, ram, cells, source, seat, place)
        if rom[own + ABILITY_TURNS_UP] == 1:
            turn_up(rom, ram, source)
        put(rom, ram, cells, source, place, rom[own + ABILITY_CARD])


@inlined
def _draw_place(ram: Memory, places: Number) -> Number:
    """Any of some places."""
    return int64(place_numbered(places, below(ram, BOT, int64(ones(places)))))


@inlined
def _lay_at(rom: Memory, ram: Memory, cells: Memory, zone: Number, seat: Number, place: Number) -> None:
    """Lay down the card at a place of a layout."""
    card = take(rom, ram, cells, zone, place)
    lay_play(rom, ram, cells, seat, rom[rom[CARDS] + card * CARDS_ROW + CARD_AT_PLACE])
