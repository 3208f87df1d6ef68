"""Stretches of games, played and counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.accounting import DIGEST, DIGEST_FACTOR
from draftengine.kernel.accounting import account as account_
from draftengine.kernel.machine.chance import base_of, bot_key, chance_key, deal_key, mix
from draftengine.kernel.machine.flow import play, set_up
from draftengine.kernel.machine.jit import compiled, inlined, int64, uint64
from draftengine.kernel.machine.learning import close_round, learn, take_seats
from draftengine.kernel.machine.regions import in_cells, in_ram, in_rom, in_shape, in_tally
from draftengine.kernel.machine.scoring import total
from draftengine.kernel.machine.tree import begin, credit, give_up
from draftengine.kernel.machine.worlds import lay_world
from draftengine.kernel.memory import (
    BOT,
    CHANCE,
    CHIP_COUNTS,
    CHIPS,
    DEAL,
    FINISHED,
    LEARNING,
    LOG,
    LOG_COUNT,
    MAX_CHIPS,
    MODE,
    NEAR,
    PILE_COUNT,
    PILES_ROW,
    PILES_START,
    PLAYING,
    POINTS,
    ROUND_OVER,
    SCORES,
    SEARCHING,
    SEAT_STRIDE,
    SEATS,
    SOURCE_COUNT,
    START,
    STOP_AT_ROUND,
    UNKNOWN_POINTS,
    WINNERS,
)  # fmt: skip

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number

account = inlined(account_)


@compiled
def run_games(
    rom_array: Memory,
    ram_array: Memory,
    cells_array: Memory,
    root: Number,
    start: Number,
    first: Number,
    last: Number,
    tally_array: Memory,
    shape_array: Memory,
    parts_array: Memory,
    rows: Memory,
) -> tuple[Number, Number]:
    """Play the games `first` to `last - 1` and count them; the first game that was not finished, and why.

    Rows of games since `start` go to `rows`, if it has any: totals, winners, and points by source and seat.
    """
    rom, ram, cells = in_rom(rom_array), in_ram(ram_array), in_cells(cells_array)
    tally, shape, parts = in_tally(tally_array), in_shape(shape_array), in_shape(parts_array)
    game = first
    while game < last:
        base = base_of(root, game)
        searching = ram[MODE] == SEARCHING
        at = int64(0)
        if searching:
            ram[BOT] = int64(base)
            ram[STOP_AT_ROUND] = game < ram[NEAR]
            lay_world(rom, ram, cells)
            begin(rom, ram, game)
            at = ram[START]
        else:
            ram[DEAL], ram[CHANCE], ram[BOT] = deal_key(base), chance_key(base), bot_key(base)
            if ram[MODE] == LEARNING:
                take_seats(rom, ram)
            set_up(rom, ram, cells)
        ended = play(rom, ram, cells, at)
        if (ended == FINISHED or ended == ROUND_OVER) and not _evaluated(rom, ram, cells, ended == FINISHED):
            ended = int64(UNKNOWN_POINTS)
        if ended != FINISHED and ended != ROUND_OVER:
            if searching:
                give_up(ram)
            return game, ended
        if ram[MODE] == PLAYING:
            _count_chips(rom, ram)
            seats = rom[SEATS]
            for seat in range(seats):
                ram[SCORES + seat] = total(rom, ram, seat)
            account(tally, shape, parts, ram, SCORES, POINTS, ram[WINNERS], LOG, ram[LOG_COUNT])
            tally[DIGEST] = int64(uint64(tally[DIGEST]) + digest_of(game, ram, seats))
            if rows.shape[0] > 0:
                _write_row(ram, rows, game - start, seats, rom[SOURCE_COUNT])
        game += 1
    return game, FINISHED


@inlined
def _evaluated(rom: Memory, ram: Memory, cells: Memory, over: Number) -> Number:
    """What searches and learning do with a game that has ended. False: the points of a rule are not known yet."""
    if ram[MODE] == SEARCHING:
        return credit(rom, ram, cells, over)
    if ram[MODE] == LEARNING:
        if not close_round(rom, ram, cells, 1):
            return False
        learn(rom, ram)
    return True


@inlined
def digest_of(game: Number, ram: Memory, seats: Number) -> Number:
    """A game's part of the digest, as `draftengine.simulation.playing` computes it."""
    found = uint64(game)
    for seat in range(seats):
        found = (found ^ uint64(ram[SCORES + seat])) * uint64(DIGEST_FACTOR)
    return mix(found ^ uint64(ram[WINNERS]))


@inlined
def _count_chips(rom: Memory, ram: Memory) -> None:
    """The values of chips as points: the last sources are the piles."""
    first = rom[SOURCE_COUNT] - rom[PILE_COUNT]
    for seat in range(rom[SEATS]):
        for number in range(ram[CHIP_COUNTS + seat]):
            chip = ram[CHIPS + seat * MAX_CHIPS + number]
            pile = chip >> 32
            value = rom[rom[PILES_START] + pile * PILES_ROW + 1 + (chip & 0xFFFFFFFF)]
            ram[POINTS + (first + pile) * SEAT_STRIDE + seat] += value


@inlined
def _write_row(ram: Memory, rows: Memory, number: Number, seats: Number, sources: Number) -> None:
    for seat in range(seats):
        rows[number, seat] = ram[SCORES + seat]
    rows[number, seats] = ram[WINNERS]
    for source in range(sources):
        for seat in range(seats):
            rows[number, seats + 1 + source * seats + seat] = ram[POINTS + source * SEAT_STRIDE + seat]
