"""The flow of a game: one instruction after the other, as in `draftengine.engine.flow`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.chance import below, shuffle
from draftengine.kernel.machine.choosing import choice_row, pending, settle
from draftengine.kernel.machine.cycle import deal_into_words, fits, is_even, is_usual, play_cycle, take_up
from draftengine.kernel.machine.effects import run_watches
from draftengine.kernel.machine.expressions import evaluate, value_of
from draftengine.kernel.machine.jit import compiled, inlined, int64, uint64
from draftengine.kernel.machine.laid import play_layout
from draftengine.kernel.machine.layouts import look
from draftengine.kernel.machine.learning import close_round
from draftengine.kernel.machine.policies import decide
from draftengine.kernel.machine.regions import in_words
from draftengine.kernel.machine.rows import EIGHT, append, first_word, slot_of
from draftengine.kernel.machine.scoring import score, total
from draftengine.kernel.machine.steps import play_turns
from draftengine.kernel.machine.words import play_in_words
from draftengine.kernel.memory import (
    AT_RANDOM,
    BEFORE,
    CAN_WIN,
    CARD_COUNT,
    CELLS,
    CHANCE,
    CHIP_COUNTS,
    CHOICE_SOURCE,
    CODE,
    CODE_ROW,
    COPIES,
    COUNTS,
    DEAL,
    DEPTH,
    DISCARD,
    DOWN,
    EMPTY,
    FINISHED,
    FIRST_OF_TURNS,
    HAS_MIXED,
    HELD,
    IN_WORDS,
    KEEP_BITS,
    KEEP_WORD,
    LEARNING,
    LOG_COUNT,
    LYING,
    MARKER_COUNT,
    MARKERS,
    MARKERS_START,
    MIXED,
    MODE,
    MOST_WINS,
    ON_A_LAYOUT,
    OP_CLEAR,
    OP_DEAL,
    OP_END_GAME,
    OP_END_ROUND,
    OP_GATHER,
    OP_JUMP,
    OP_SCORE,
    OP_SHUFFLE,
    OP_START_GAME,
    OP_START_ROUND,
    OP_START_TURNS,
    OP_TURNS,
    OP_UNLESS,
    OUT,
    PILE_COUNT,
    PILES,
    PILES_ROW,
    PILES_START,
    PLACE_COUNT,
    PLAY_CARD,
    PLAY_STAYS,
    PLAYERS,
    PLAYS,
    PLAYS_ROW,
    POINTS,
    POLICIES,
    RANDOM,
    ROUND,
    ROUND_LOG,
    ROUND_OVER,
    ROUNDS,
    ROW_COUNT,
    SCORES,
    SEAT_STRIDE,
    SEATS,
    SLOTS,
    SOURCE_COUNT,
    START_CARDS,
    START_CARDS_ROW,
    START_WORD,
    STOP_AT_ROUND,
    TABLEAU,
    TIE_COUNT,
    TIES,
    TIES_ROW,
    TRACKED,
    TURNS,
    UNKNOWN_POINTS,
    WATCH_COUNT,
    WINNERS,
    WORDS,
    ZONE_COUNT,
    ZONE_OWNERS,
    ZONE_PLACE_COUNT,
    ZONE_PLACES,
    ZONE_ROW,
    ZONES,
    ZONES_ROW,
)  # fmt: skip

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@inlined
def set_up(rom: Memory, ram: Memory, cells: Memory) -> None:
    """The state before anything has happened."""
    for seat in range(rom[SEATS]):
        ram[WORDS + seat] = ram[BEFORE + seat] = rom[START_WORD]
        ram[SCORES + seat] = ram[CHIP_COUNTS + seat] = 0
    for marker in range(rom[MARKER_COUNT]):
        ram[MARKERS + marker] = -1
    for source in range(rom[SOURCE_COUNT]):
        for seat in range(rom[SEATS]):
            ram[POINTS + source * SEAT_STRIDE + seat] = 0
    for pile in range(rom[PILE_COUNT]):
        count = rom[rom[PILES_START] + pile * PILES_ROW]
        ram[PILES + pile * PILES_ROW] = count
        for chip in range(count):
            ram[PILES + pile * PILES_ROW + 1 + chip] = chip
    for row in range(rom[ROW_COUNT]):
        ram[SLOTS + row] = row
        _lay_as_at_first(rom, ram, cells, row, row)
    if rom[PLACE_COUNT] > 0:
        for place in range(rom[PLACE_COUNT]):
            ram[DOWN + place] = 0
        look(rom, ram, cells)
    ram[HELD] = ram[ROUND] = ram[DEPTH] = ram[WINNERS] = ram[LOG_COUNT] = ram[ROUND_LOG] = 0


@inlined
def _lay_as_at_first(rom: Memory, ram: Memory, cells: Memory, slot: Number, row: Number) -> None:
    """Lay the cards into a row of cells that lay in one of them before the game began."""
    start = rom[START_CARDS] + row * START_CARDS_ROW
    words, into, count = in_words(cells), first_word(rom, slot), rom[start]
    at = uint64(rom[start + 1])
    for word in range((uint64(count) + uint64(7)) // uint64(EIGHT)):
        words[into + word] = words[at + word]
    ram[COUNTS + slot] = count


@inlined
def play(rom: Memory, ram: Memory, cells: Memory, at: Number) -> Number:
    """Play a game from an instruction to its last, or in searches to the end of a round; how that ended."""
    at_random = True
    for seat in range(rom[PLAYERS]):
        at_random &= ram[POLICIES + seat] == RANDOM
    while True:
        row = rom[CODE] + at * CODE_ROW
        kind, following = rom[row], rom[row + 1]
        if kind == OP_DEAL and rom[row + 6] > 0 and deal_into_words(rom, ram, cells, row, rom[row + 6] - 1, at_random):
            at = following
        elif kind >= FIRST_OF_TURNS:
            before = at
            at = play_turns(rom, ram, cells, at, at_random)
            if at == before:  # a choice that has to be asked for
                choice, at = rom[row + 2], following
                seats = pending(rom, ram, choice)
                for seat in range(rom[PLAYERS]):
                    if seats >> seat & 1:
                        ended = decide(rom, ram, cells, choice, seat)
                        if ended != FINISHED:
                            return ended
                if seats:
                    settle(rom, ram, cells, choice, seats)
        elif kind == OP_TURNS:
            choice, plain = rom[row + 2], rom[row + 4] == IN_WORDS
            ram[TURNS + ram[DEPTH]] = 0
            ram[DEPTH] += 1
            at = following
            if rom[row + 4] == ON_A_LAYOUT:
                if at_random:
                    play_layout(rom, ram, cells, rom[choice_row(rom, choice) + CHOICE_SOURCE], rom[row + 5])
                    ram[DEPTH] -= 1
                    at = rom[row + 3]
            elif ram[HELD] == 0 and (
                (plain and at_random) or (is_even(rom, ram, choice, at_random) and fits(rom, ram, choice))
            ):
                take_up(rom, ram, cells, rom[choice_row(rom, choice) + CHOICE_SOURCE])
                ram[HELD] = 1
            if ram[HELD] == 1:
                if plain or not is_usual(rom, choice_row(rom, choice)):
                    play_in_words(rom, ram, cells, choice_row(rom, choice), rom[row + 5])
                else:
                    play_cycle(rom, ram, cells, choice_row(rom, choice))
                ram[HELD] = 0
                ram[DEPTH] -= 1
                at = rom[row + 3]
        elif kind == OP_SCORE:
            if not score(rom, ram, cells, rom[row + 2], rom[row + 3], rom[row + 5], rom[row + 6]):
                return UNKNOWN_POINTS
            if rom[WATCH_COUNT] > 0:
                run_watches(rom, ram, cells, rom[row + 4])
            at = following
        elif kind == OP_END_ROUND:
            if ram[ROUND] < rom[ROUNDS]:
                if ram[STOP_AT_ROUND] == 1:
                    return ROUND_OVER
                if ram[MODE] == LEARNING and not close_round(rom, ram, cells, 0):
                    return UNKNOWN_POINTS
                at = rom[row + 2]
            else:
                at = following
        elif kind == OP_END_GAME:
            ram[WINNERS] = winners_of(rom, ram, cells)
            return FINISHED
        else:
            at = step(rom, ram, cells, row, kind, following)


@inlined
def step(rom: Memory, ram: Memory, cells: Memory, row: Number, kind: Number, following: Number) -> Number:
    """An instruction without choices and points; the one that follows."""
    first, second = rom[row + 2], rom[row + 3]
    if kind == OP_JUMP:
        return following
    if kind == OP_SHUFFLE:
        for owner in range(rom[rom[ZONES] + first * ZONES_ROW + ZONE_OWNERS]):
            slot = slot_of(rom, ram, first, owner)
            count = ram[COUNTS + slot]
            shuffle(ram, cells, slot * rom[CELLS], count, int64(DEAL), max(count - second, 0))
    elif kind == OP_CLEAR:
        _clear(rom, ram, cells)
    elif kind == OP_START_TURNS:
        ram[TURNS + ram[DEPTH]] = 0
        ram[DEPTH] += 1
    elif kind == OP_START_ROUND:
        ram[ROUND] += 1
    elif kind == OP_UNLESS:
        return following if value_of(rom, ram, cells, first, 0) != 0 else second
    elif kind == OP_GATHER:
        _gather(rom, ram, cells, first, second)
    elif kind == OP_START_GAME:
        _start_game(rom, ram)
    return following


@inlined
def _start_game(rom: Memory, ram: Memory) -> None:
    for marker in range(rom[MARKER_COUNT]):
        start = rom[rom[MARKERS_START] + marker]
        ram[MARKERS + marker] = below(ram, CHANCE, rom[PLAYERS]) if start == AT_RANDOM else start


@compiled
def _clear(rom: Memory, ram: Memory, cells: Memory) -> None:
    """Discard the tableaus, except cards that are kept; their counters go with them."""
    if rom[TRACKED] == 1:
        discard = slot_of(rom, ram, rom[DISCARD], 0)
        for seat in range(rom[SEATS]):
            _clear_tableau(rom, ram, cells, slot_of(rom, ram, rom[TABLEAU], seat), discard)
    keep, start = uint64(rom[KEEP_BITS]), uint64(rom[KEEP_WORD])
    for seat in range(rom[SEATS]):
        ram[WORDS + seat] = int64((uint64(ram[WORDS + seat]) & keep) + start)
    if rom[HAS_MIXED] == 1:
        for seat in range(rom[SEATS]):
            slot = slot_of(rom, ram, rom[TABLEAU], seat)
            for place in range(ram[COUNTS + slot]):
                play_ = int64(cells[slot * rom[CELLS] + place])
                ram[WORDS + seat] += rom[rom[MIXED] + play_]


@inlined
def _clear_tableau(rom: Memory, ram: Memory, cells: Memory, slot: Number, discard: Number) -> None:
    start, stay = slot * rom[CELLS], 0
    for place in range(ram[COUNTS + slot]):
        play_ = int64(cells[start + place])
        row = rom[PLAYS] + play_ * PLAYS_ROW
        if rom[row + PLAY_STAYS] == 1:
            cells[start + stay] = play_
            stay += 1
        else:
            append(rom, ram, cells, discard, rom[row + PLAY_CARD])
    ram[COUNTS + slot] = stay


@compiled
def _gather(rom: Memory, ram: Memory, cells: Memory, target: Number, as_at_first: Number) -> None:
    """Bring every card of the box back into one zone, but for what is kept in tableaus.

    `as_at_first`: nothing is kept, and all lies there as it did at first.
    """
    _clear(rom, ram, cells)
    for zone in range(rom[ZONE_COUNT]):
        if zone != rom[TABLEAU]:
            _empty(rom, ram, cells, zone)
    deck = slot_of(rom, ram, target, 0)
    if as_at_first:
        _lay_as_at_first(rom, ram, cells, deck, rom[rom[ZONES] + target * ZONES_ROW + ZONE_ROW])
        return
    for card in range(rom[CARD_COUNT]):
        kept = _kept(rom, ram, cells, card) if rom[TRACKED] == 1 else 0
        for _ in range(rom[rom[COPIES] + card] - kept):
            append(rom, ram, cells, deck, card)


@inlined
def _empty(rom: Memory, ram: Memory, cells: Memory, zone: Number) -> None:
    row = rom[ZONES] + zone * ZONES_ROW
    for owner in range(rom[row + ZONE_OWNERS]):
        slot = slot_of(rom, ram, zone, owner)
        places = rom[row + ZONE_PLACE_COUNT]
        ram[COUNTS + slot] = places
        for place in range(places):
            cells[slot * rom[CELLS] + place] = EMPTY
    if rom[row + ZONE_PLACE_COUNT] > 0:
        ram[LYING + rom[row + ZONE_PLACES]] = ram[DOWN + rom[row + ZONE_PLACES]] = 0


@compiled
def _kept(rom: Memory, ram: Memory, cells: Memory, card: Number) -> Number:
    found = 0
    for seat in range(rom[SEATS]):
        slot = slot_of(rom, ram, rom[TABLEAU], seat)
        for place in range(ram[COUNTS + slot]):
            play_ = int64(cells[slot * rom[CELLS] + place])
            found += rom[rom[PLAYS] + play_ * PLAYS_ROW + PLAY_CARD] == card
    return found


@compiled
def winners_of(rom: Memory, ram: Memory, cells: Memory) -> Number:
    """Compare the totals, then the tie-breakers; the seats that win, as bits."""
    seats = 0
    for seat in range(rom[SEATS]):
        ram[OUT + seat] = total(rom, ram, seat)
        seats |= rom[rom[CAN_WIN] + seat] << seat
    seats = _best(ram, rom[SEATS], seats, OUT, rom[MOST_WINS] == 1)
    for number in range(rom[TIE_COUNT]):
        if seats & (seats - 1) == 0:
            break
        row = rom[TIES] + number * TIES_ROW
        values = evaluate(rom, ram, cells, rom[row + 1], WORDS, BEFORE)
        seats = _best(ram, rom[SEATS], seats, values, rom[row] == 1)
    return seats


@inlined
def _best(ram: Memory, count: Number, seats: Number, values: Number, most: Number) -> Number:
    found, best = 0, 0
    for seat in range(count):
        if seats >> seat & 1:
            value = ram[values + seat] if most else -ram[values + seat]
            if found == 0 or value > best:
                found, best = 1 << seat, value
            elif value == best:
                found |= 1 << seat
    return found
