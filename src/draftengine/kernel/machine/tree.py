"""Searching: one tree for every seat, of its own moves, through many worlds.

Decoupled UCT: every seat chooses by its own statistics, all at once (Tak, Lanctot & Winands, "Monte Carlo Tree Search
Variants for Simultaneous Move Games", 2014). The trees are open-loop: a node stands for the moves that led to it in
whatever world, so what counts is how often a move could have been chosen (Cowling, Powley & Whitehouse, "Information
Set Monte Carlo Tree Search", 2012). The same as `draftengine.bots.trees`, number by number.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from draftengine.engine.worth import LOGISTIC_SIZE, SCALE
from draftengine.kernel.machine.chance import below
from draftengine.kernel.machine.jit import compiled, inlined, int64
from draftengine.kernel.machine.scoring import prospects
from draftengine.kernel.memory import (
    ALONE,
    BOT,
    BY_MARGIN,
    BY_MODELS,
    CANDIDATES,
    CHILDREN,
    EXPLORATION,
    FEW,
    GREEDY,
    GUESS,
    HIGHEST,
    KEYS,
    LOGISTIC,
    LOWEST,
    MAX_PATH,
    MAX_TOUCHED,
    MODEL_EARLY,
    MODEL_GREEDY,
    MODEL_LATE,
    MODEL_RANDOM,
    MODEL_TABLE,
    MODELS,
    MODELS_ROW,
    MOST_WINS,
    NODE,
    ORDER,
    PATH,
    PATH_LENGTH,
    PLAYERS,
    PLAYOUT,
    POLICIES,
    RAM_SIZE,
    RANDOM,
    SEARCH,
    SEARCHER,
    STOP_AT_ROUND,
    TOUCHED,
    TOUCHED_COUNT,
    TREE_AVAILABLE,
    TREE_CHILD,
    TREE_COUNT,
    TREE_KEY,
    TREE_MARGIN,
    TREE_NEXT,
    TREE_ROOM,
    TREE_ROW,
    TREE_TOTAL,
    TREE_VISITS,
    VALUES,
)

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number


@inlined
def row_of(node: Number) -> Number:
    return RAM_SIZE + node * TREE_ROW


@inlined
def begin(rom: Memory, ram: Memory, playout: Number) -> None:
    """Who plays by what; everybody who searches is at the root of its tree: the first nodes."""
    for seat in range(rom[PLAYERS]):
        policy = _policy(ram, seat, playout)
        ram[POLICIES + seat] = policy
        ram[NODE + seat] = seat if policy == SEARCH else -1
        ram[PATH_LENGTH + seat] = 0
    ram[TOUCHED_COUNT] = 0


@inlined
def _policy(ram: Memory, seat: Number, playout: Number) -> Number:
    """What a seat plays by in this playout (as in `draftengine.bots.trees`)."""
    if seat == ram[SEARCHER]:
        return SEARCH
    if ram[BY_MODELS] == 0:
        return PLAYOUT if ram[ALONE] == 1 else SEARCH
    model = MODELS + MODELS_ROW * seat
    draw = below(ram, BOT, ram[model + MODEL_RANDOM])
    if draw < ram[model + (MODEL_LATE if playout >= ram[FEW] else MODEL_EARLY)]:
        return SEARCH
    if draw < ram[model + MODEL_TABLE]:
        return PLAYOUT
    return GREEDY if draw < ram[model + MODEL_GREEDY] else RANDOM


@inlined
def give_up(ram: Memory) -> None:
    """The playout could not be finished and will be played again: its choices don't count."""
    for number in range(ram[TOUCHED_COUNT]):
        ram[row_of(ram[TOUCHED + number]) + TREE_AVAILABLE] -= 1


@inlined
def _find_children(ram: Memory, node: Number, count: Number) -> None:
    """Where the nodes behind the first moves of `ORDER` are, to `CHILDREN`; -1 for those that there are not."""
    for place in range(count):
        at = CANDIDATES + 4 * ram[ORDER + place]
        ram[KEYS + place] = (ram[at] + 1) << 48 | (ram[at + 1] + 1) << 32 | (ram[at + 2] + 1) << 16 | (ram[at + 3] + 1)
        ram[CHILDREN + place] = -1
    child = ram[row_of(node) + TREE_CHILD]
    while child >= 0:
        key = ram[row_of(child) + TREE_KEY]
        for place in range(count):
            if ram[KEYS + place] == key:
                ram[CHILDREN + place] = child
        child = ram[row_of(child) + TREE_NEXT]


@inlined
def _add_child(ram: Memory, node: Number, key: Number) -> Number:
    """A new node behind a move; -1 if there is no more room."""
    child = ram[TREE_COUNT]
    if child >= ram[TREE_ROOM]:
        return -1
    ram[TREE_COUNT] = child + 1
    row = row_of(child)
    ram[row + TREE_KEY], ram[row + TREE_CHILD], ram[row + TREE_NEXT] = key, -1, ram[row_of(node) + TREE_CHILD]
    ram[row + TREE_VISITS] = ram[row + TREE_TOTAL] = ram[row + TREE_MARGIN] = ram[row + TREE_AVAILABLE] = 0
    ram[row_of(node) + TREE_CHILD] = child
    return child


@inlined
def _sort(ram: Memory, count: Number) -> None:
    """The candidates by value, the best first, to `ORDER`; of equal ones the first."""
    for number in range(count):
        value, place = ram[VALUES + number], 0
        for other in range(count):
            more = ram[VALUES + other]
            place += more > value or (more == value and other < number)
        ram[ORDER + place] = number


@compiled
def select(ram: Memory, seat: Number, count: Number) -> Number:
    """The candidate that a seat tries: one that was never played, or the one of largest upper bound; -1 = no room.

    Only the best by table are looked at, and the more the oftener a node is visited (as in `draftengine.bots.trees`).
    """
    node = ram[NODE + seat]
    _sort(ram, count)
    slower = 2 if ram[BY_MODELS] == 1 else 1
    wide = min(count, 1 + int64(math.sqrt(ram[row_of(node) + TREE_VISITS])) // slower)
    fresh = -1
    _find_children(ram, node, wide)
    for place in range(wide):
        child = ram[CHILDREN + place]
        if child < 0:
            child = _add_child(ram, node, ram[KEYS + place])
        if child < 0:
            ram[NODE + seat] = -1
            return -1
        ram[CHILDREN + place] = child
        if fresh < 0 and ram[row_of(child) + TREE_VISITS] == 0:
            fresh = place
    for place in range(wide):
        child = ram[CHILDREN + place]
        ram[row_of(child) + TREE_AVAILABLE] += 1
        if ram[TOUCHED_COUNT] < MAX_TOUCHED:
            ram[TOUCHED + ram[TOUCHED_COUNT]] = child
            ram[TOUCHED_COUNT] += 1
    chosen = fresh if fresh >= 0 else _best(ram, seat, wide)
    child, length = ram[CHILDREN + chosen], ram[PATH_LENGTH + seat]
    if length < MAX_PATH:
        ram[PATH + seat * MAX_PATH + length] = child
        ram[PATH_LENGTH + seat] = length + 1
    ram[NODE + seat] = -1 if fresh >= 0 or length == MAX_PATH or ram[ALONE] == 1 else child
    return ram[ORDER + chosen]


@inlined
def _best(ram: Memory, seat: Number, count: Number) -> Number:
    """Upper confidence bounds of the mean utility, as a part of the range of utilities that the seat has seen."""
    low, span = ram[LOWEST + seat], ram[HIGHEST + seat] - ram[LOWEST + seat]
    weight = ram[EXPLORATION] / SCALE
    found, best = 0, -1.0
    for number in range(count):
        row = row_of(ram[CHILDREN + number])
        visits = ram[row + TREE_VISITS]
        mean = (ram[row + TREE_TOTAL] / visits - low) / span if span > 0 else 0.0
        bound = mean + weight * math.sqrt(math.log(ram[row + TREE_AVAILABLE]) / visits)
        if bound > best:
            found, best = number, bound
    return found


@inlined
def credit(rom: Memory, ram: Memory, cells: Memory, over: Number) -> Number:
    """A playout is over: count it on every path. False: the points of a rule are not known yet."""
    if not prospects(rom, ram, cells, over):
        return False
    sign = 1 if rom[MOST_WINS] == 1 else -1
    for seat in range(rom[PLAYERS]):
        ram[GUESS + seat] *= sign
    for seat in range(rom[PLAYERS]):
        margin = _margin(rom, ram, seat)
        utility = margin
        if ram[BY_MARGIN] == 0:
            chances = LOGISTIC if ram[STOP_AT_ROUND] == 1 else LOGISTIC + LOGISTIC_SIZE
            utility = ram[chances + max(0, min(LOGISTIC_SIZE - 1, margin // SCALE + LOGISTIC_SIZE // 2))]
        ram[LOWEST + seat], ram[HIGHEST + seat] = min(ram[LOWEST + seat], utility), max(ram[HIGHEST + seat], utility)
        ram[row_of(seat) + TREE_VISITS] += 1
        for number in range(ram[PATH_LENGTH + seat]):
            row = row_of(ram[PATH + seat * MAX_PATH + number])
            ram[row + TREE_VISITS] += 1
            ram[row + TREE_TOTAL] += utility
            ram[row + TREE_MARGIN] += margin
    return True


@inlined
def _margin(rom: Memory, ram: Memory, seat: Number) -> Number:
    """How far a seat is ahead of the best of the others."""
    best = -(1 << 40)
    for other in range(rom[PLAYERS]):
        if other != seat:
            best = max(best, ram[GUESS + other])
    return ram[GUESS + seat] - best if rom[PLAYERS] > 1 else ram[GUESS + seat]
