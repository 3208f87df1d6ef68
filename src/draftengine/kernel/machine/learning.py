"""Learning what cards are worth: what a seat had in the end more than when it took them.

The same as `draftengine.bots.learning`, number by number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.worth import LEVELS, ROUNDS_LEFT, SCALE, STRANGERS, TURNS
from draftengine.kernel.machine.chance import below
from draftengine.kernel.machine.jit import compiled, inlined, int64, uint64
from draftengine.kernel.machine.scoring import prospects, total
from draftengine.kernel.memory import (
    BOT,
    DEPTH,
    GREEDY,
    GUESS,
    LEAD,
    LOG,
    LOG_COUNT,
    MAX_LOGGED,
    MOST_WINS,
    PLAY_BIAS,
    PLAY_COUNT,
    PLAY_MASK,
    PLAY_SHIFT,
    PLAYERS,
    PLAYOUT,
    PLAYS,
    PLAYS_ROW,
    POLICIES,
    RAM_SIZE,
    ROUND,
    ROUND_LOG,
    ROUNDS,
    WORDS,
)
from draftengine.kernel.memory import TURNS as TURNS_OF_ROUND

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number

LOG_ROW = 3
"""Of a choice: the seat and the place in the table, what the seat had then, and what it gained in the round."""


@inlined
def place_of_worth(rom: Memory, ram: Memory, play: Number, seat: Number, aside: Number) -> Number:
    """Where the worth of a play stands (see `draftengine.engine.worth.Worth.place`)."""
    row = rom[PLAYS] + play * PLAYS_ROW
    value = int64(uint64(ram[WORDS + seat]) >> uint64(rom[row + PLAY_SHIFT]) & uint64(rom[row + PLAY_MASK]))
    level = min(max(value - rom[row + PLAY_BIAS], 0), LEVELS - 1)
    turn = ram[TURNS_OF_ROUND + ram[DEPTH] - 1] if ram[DEPTH] > 0 else 0
    left = min(rom[ROUNDS] - ram[ROUND], ROUNDS_LEFT - 1)
    return ((play + (2 * left + aside) * rom[PLAY_COUNT]) * LEVELS + level) * TURNS + min(turn, TURNS - 1)


@inlined
def take_seats(rom: Memory, ram: Memory) -> None:
    """Who plays a game greedily, and who by the table."""
    for seat in range(rom[PLAYERS]):
        ram[POLICIES + seat] = GREEDY if below(ram, BOT, STRANGERS) == 0 else PLAYOUT


@inlined
def note_choice(rom: Memory, ram: Memory, seat: Number, place: Number, points: Number) -> None:
    """A seat takes a card, after which all it has would be worth so many points."""
    at = LOG + ram[LOG_COUNT]
    if ram[LOG_COUNT] + LOG_ROW <= MAX_LOGGED:
        ram[at] = seat << 32 | place
        for player in range(rom[PLAYERS]):
            ram[GUESS + player] = SCALE * total(rom, ram, player)
        ram[at + 1] = _ahead(rom, ram, seat) + SCALE * points
        ram[LOG_COUNT] += LOG_ROW


@compiled
def close_round(rom: Memory, ram: Memory, cells: Memory, over: Number) -> Number:
    """What was gained in the round since each of its choices. False: the points of a rule are not known yet."""
    if not prospects(rom, ram, cells, over):
        return False
    for at in range(LOG + ram[ROUND_LOG], LOG + ram[LOG_COUNT], LOG_ROW):
        ram[at + 2] = _gained(rom, ram, at)
    ram[ROUND_LOG] = ram[LOG_COUNT]
    return True


@inlined
def _gained(rom: Memory, ram: Memory, at: Number) -> Number:
    """What a seat has, by `GUESS`, more than when it made a choice."""
    sign = 1 if rom[MOST_WINS] == 1 else -1
    return sign * (_ahead(rom, ram, ram[at] >> 32) - ram[at + 1])


@inlined
def _ahead(rom: Memory, ram: Memory, seat: Number) -> Number:
    """How much a seat has more than the others on average, by `GUESS`."""
    others = 0
    for player in range(rom[PLAYERS]):
        if player != seat:
            others += ram[GUESS + player]
    return ram[GUESS + seat] - others // (rom[PLAYERS] - 1) if rom[PLAYERS] > 1 else ram[GUESS + seat]


@inlined
def learn(rom: Memory, ram: Memory) -> None:
    """Add the gains of a game to what was learnt: in the round, in the game, and how often."""
    size = 2 * ROUNDS_LEFT * rom[PLAY_COUNT] * LEVELS * TURNS
    for player in range(rom[PLAYERS]):
        ram[GUESS + player] = SCALE * total(rom, ram, player)
    for at in range(LOG, LOG + ram[LOG_COUNT], LOG_ROW):
        place = RAM_SIZE + (ram[at] & 0xFFFFFFFF)
        ram[place] += ram[at + 2]
        ram[place + size] += _gained(rom, ram, at)
        ram[place + 2 * size] += 1
    ram[LEAD] += _lead(rom, ram)


@inlined
def _lead(rom: Memory, ram: Memory) -> Number:
    """How far the best player is ahead of the next."""
    sign = 1 if rom[MOST_WINS] == 1 else -1
    best = second = -(1 << 40)
    for seat in range(rom[PLAYERS]):
        own = sign * total(rom, ram, seat)
        second = max(second, min(best, own))
        best = max(best, own)
    return best - second if rom[PLAYERS] > 1 else 0
