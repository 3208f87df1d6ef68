"""Policies, as in `draftengine.engine.policies`: the same draws from the same stream, the same move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.worth import EXPLORE
from draftengine.kernel.machine.at_random import choose_at_random
from draftengine.kernel.machine.chance import below
from draftengine.kernel.machine.choosing import choice_row
from draftengine.kernel.machine.jit import compiled, in_short, inlined
from draftengine.kernel.machine.learning import note_choice, place_of_worth
from draftengine.kernel.machine.moves import list_moves, write_move
from draftengine.kernel.machine.scoring import NOT_KNOWN, standing
from draftengine.kernel.machine.tree import select
from draftengine.kernel.machine.values import evaluate_moves, guess, shown
from draftengine.kernel.memory import (
    BOT,
    CANDIDATES,
    CHOICE_TO_TABLEAU,
    FINISHED,
    GREEDY,
    GUESS,
    LEARNING,
    MODE,
    NODE,
    PLAYOUT,
    POLICIES,
    RANDOM,
    RULE_COUNT,
    SEARCH,
    TOO_MUCH,
    UNKNOWN_POINTS,
    VALUES,
)  # fmt: skip

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@compiled
def decide(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number) -> Number:
    """The move of a seat, to `MOVES`; how that ended."""
    if ram[POLICIES + seat] == RANDOM:
        choose_at_random(rom, ram, cells, choice, seat)
        return FINISHED
    return _compare(rom, ram, cells, choice, seat)


@compiled
def _compare(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number) -> Number:
    """A move by its value, by the tree, or any. Moves are numbered as `legal_moves` sorts them."""
    in_short()
    count = list_moves(rom, ram, cells, choice, seat)
    if count < 0:
        return TOO_MUCH
    policy, chosen = ram[POLICIES + seat], -1
    if policy == SEARCH and ram[NODE + seat] >= 0:
        if not evaluate_moves(rom, ram, cells, choice, seat, count, policy != GREEDY):
            return UNKNOWN_POINTS
        chosen = select(ram, seat, count)
    if chosen < 0 and policy >= PLAYOUT and below(ram, BOT, EXPLORE) == 0:
        chosen = below(ram, BOT, count)
    if chosen < 0 and count == 1:
        chosen = below(ram, BOT, 1)  # which it is; the draw is part of the stream
    if chosen < 0:
        if not evaluate_moves(rom, ram, cells, choice, seat, count, policy != GREEDY):
            return UNKNOWN_POINTS
        chosen = _any_best(ram, count)
    at = CANDIDATES + 4 * chosen
    if ram[MODE] == LEARNING and policy != GREEDY and not _note(rom, ram, cells, choice, seat, at):
        return UNKNOWN_POINTS
    write_move(rom, ram, choice, seat, at)
    return FINISHED


@inlined
def _any_best(ram: Memory, count: Number) -> Number:
    """A move of largest value; of equal ones any."""
    best, ties = -(1 << 60), 0
    for number in range(count):
        if ram[VALUES + number] > best:
            best, ties = ram[VALUES + number], 0
        ties += ram[VALUES + number] == best
    which, found = below(ram, BOT, ties), 0
    for number in range(count):
        if ram[VALUES + number] == best:
            if which == 0:
                found = number
            which -= 1
    return found


@inlined
def _note(rom: Memory, ram: Memory, cells: Memory, choice: Number, seat: Number, candidate: Number) -> Number:
    """Write down the first card that a seat takes for itself, for learning. False: points are not known yet."""
    row = choice_row(rom, choice)
    item = ram[candidate] if ram[candidate] >= 0 else ram[candidate + 2]
    play = shown(rom, ram, cells, row, item) if item >= 0 else -1
    if play < 0:
        return True
    at_once = guess(rom, ram, cells, choice, seat, candidate)
    value = standing(rom, ram, cells, rom[RULE_COUNT], GUESS, seat)
    if value == NOT_KNOWN:
        return False
    aside = 1 - rom[row + CHOICE_TO_TABLEAU]
    note_choice(rom, ram, seat, place_of_worth(rom, ram, play, seat, aside), at_once + value)
    return True
