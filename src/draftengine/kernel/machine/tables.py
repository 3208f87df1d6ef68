"""Tables played side by side, from decision to decision: somebody else chooses, and sees what the seats may know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.kernel.machine.chance import base_of, chance_key, deal_key
from draftengine.kernel.machine.choosing import choice_row, pending, settle
from draftengine.kernel.machine.effects import run_watches
from draftengine.kernel.machine.flow import set_up, step, winners_of
from draftengine.kernel.machine.jit import compiled, inlined
from draftengine.kernel.machine.knowledge import (
    before_deal,
    count_all,
    follow_choice,
    follow_deal,
    follow_move,
    forget,
    forget_all,
    look,
    spoil,
    spoil_all,
)
from draftengine.kernel.machine.naming import list_actions, write_moves
from draftengine.kernel.machine.regions import behind, in_cells, in_ram, in_rom, region
from draftengine.kernel.machine.scoring import score, total
from draftengine.kernel.machine.steps import turn_step
from draftengine.kernel.machine.vector import rewrite_taken, write_vector
from draftengine.kernel.memory import (
    CHANCE,
    CHOICE_SOURCE,
    CODE,
    CODE_ROW,
    DEAL,
    DEPTH,
    DISCARD,
    FINISHED,
    FIRST_OF_TURNS,
    MOST_WINS,
    OP_CHOOSE,
    OP_CLEAR,
    OP_DEAL,
    OP_END_GAME,
    OP_END_ROUND,
    OP_GATHER,
    OP_MOVE_ALL,
    OP_PASS,
    OP_SCORE,
    OP_SHUFFLE,
    OP_TURNS,
    PLAYERS,
    ROUND,
    ROUNDS,
    TABLEAU,
    TURNS,
    UNKNOWN_POINTS,
    WATCH_COUNT,
    WINNERS,
    ZONE_COUNT,
)
from draftengine.kernel.table_memory import (
    A_MOVE,
    AT,
    BY_MARGIN,
    BY_WIN,
    CELLS_ROW,
    CHANGED,
    CHOICE,
    DONE,
    EVERYTHING,
    GAME,
    GAMES,
    KEPT_COUNT,
    KEPT_HEAD,
    KEPT_PLACES,
    KEPT_ROW,
    KNOWN_ROW,
    LENGTH,
    NAMED,
    NAMED_ROW,
    NO_CHOICE,
    NOTHING,
    PENDING,
    READY,
    REWARD,
    STAGE,
    TO_CHOOSE,
    TO_DEAL,
    TO_GO_ON,
)

if TYPE_CHECKING:
    from draftengine.kernel.machine.jit import Memory, Number

_in_plan = region("plan", fixed=True)
_in_kept = region("kept")
_in_known = region("known")
_in_actions = region("actions", fixed=True)
_in_masks = region("masks")
_in_rewards = region("rewards")
_in_over = region("over")
_in_vectors = region("vectors")


@compiled
def first_illegal(plan_array: Memory, masks_array: Memory, actions_array: Memory, count: Number) -> Number:
    """The first of so many actions that its seat cannot take; -1 if all are legal."""
    plan, masks, actions = _in_plan(plan_array), _in_masks(masks_array), _in_actions(actions_array)
    row = plan[DONE] + 1
    for number in range(count):
        action = actions[number]
        if action < 0 or action >= row or masks[number * row + action] == 0:
            return number
    return -1


@compiled
def step_tables(
    rom_array: Memory,
    ram_array: Memory,
    cells_array: Memory,
    plan_array: Memory,
    kept_array: Memory,
    known_array: Memory,
    actions_array: Memory,
    masks_array: Memory,
    rewards_array: Memory,
    over_array: Memory,
    root: Number,
    first: Number,
    last: Number,
) -> tuple[Number, Number]:
    """Let the seats of the tables `first` to `last - 1` act, and play on to their next decisions.

    The first table where that did not work, and why. It goes on there when it is called again from that table on.
    """
    rom, ram, plan = in_rom(rom_array), in_ram(ram_array), _in_plan(plan_array)
    players, row = rom[PLAYERS], plan[DONE] + 1
    for table in range(first, last):
        seats = table * players
        cells = behind(in_cells(cells_array), table * plan[CELLS_ROW])
        kept = behind(_in_kept(kept_array), table * plan[KEPT_ROW])
        known = behind(_in_known(known_array), table * plan[KNOWN_ROW])
        actions = behind(_in_actions(actions_array), seats)
        masks = behind(_in_masks(masks_array), seats * row)
        rewards = behind(_in_rewards(rewards_array), seats)
        over = behind(_in_over(over_array), table)
        at = kept[AT]
        if kept[STAGE] == TO_DEAL:
            over[0] = 0
            for seat in range(players):
                rewards[seat] = 0
            _deal_game(rom, ram, cells, plan, kept, known, root)
            at = 0
        else:
            _load(ram, plan, kept)
        if kept[STAGE] == TO_CHOOSE:
            over[0] = 0
            for seat in range(players):
                rewards[seat] = 0
            if not _act(rom, ram, cells, plan, kept, actions, masks):
                continue
            choice, seats_bits = kept[CHOICE], kept[PENDING]
            write_moves(ram, plan, kept, players)
            follow_choice(rom, ram, cells, plan, known, choice, seats_bits)
            settle(rom, ram, cells, choice, seats_bits)
        ended = _play_on(rom, ram, cells, plan, kept, known, masks, rewards, over, root, at)
        if ended != FINISHED:
            return table, ended
    return last, FINISHED


@compiled
def write_vectors(
    rom_array: Memory,
    ram_array: Memory,
    cells_array: Memory,
    plan_array: Memory,
    kept_array: Memory,
    known_array: Memory,
    vectors_array: Memory,
    first: Number,
    last: Number,
) -> None:
    """What is new for the players of the tables `first` to `last - 1`."""
    rom, ram, plan = in_rom(rom_array), in_ram(ram_array), _in_plan(plan_array)
    players = rom[PLAYERS]
    for table in range(first, last):
        kept = behind(_in_kept(kept_array), table * plan[KEPT_ROW])
        vectors = behind(_in_vectors(vectors_array), table * players * plan[LENGTH])
        if kept[CHANGED] == A_MOVE:
            for seat in range(players):
                rewrite_taken(plan, kept, seat, behind(vectors, seat * plan[LENGTH]))
        elif kept[CHANGED] == EVERYTHING:
            cells = behind(in_cells(cells_array), table * plan[CELLS_ROW])
            known = behind(_in_known(known_array), table * plan[KNOWN_ROW])
            _load(ram, plan, kept)
            for seat in range(players):
                write_vector(rom, ram, cells, plan, kept, known, seat, behind(vectors, seat * plan[LENGTH]))
        kept[CHANGED] = NOTHING


@inlined
def _load(ram: Memory, plan: Memory, kept: Memory) -> None:
    places = plan[KEPT_PLACES]
    for number in range(plan[KEPT_COUNT]):
        ram[plan[places + number]] = kept[KEPT_HEAD + number]


@compiled
def _save(ram: Memory, plan: Memory, kept: Memory, stage: Number, at: Number) -> None:
    places = plan[KEPT_PLACES]
    for number in range(plan[KEPT_COUNT]):
        kept[KEPT_HEAD + number] = ram[plan[places + number]]
    kept[STAGE], kept[AT], kept[CHANGED] = stage, at, EVERYTHING


@compiled
def _deal_game(
    rom: Memory, ram: Memory, cells: Memory, plan: Memory, kept: Memory, known: Memory, root: Number
) -> None:
    """The state before a game."""
    base = base_of(root, kept[GAME])
    ram[DEAL], ram[CHANCE] = deal_key(base), chance_key(base)
    set_up(rom, ram, cells)
    forget_all(rom, ram, plan, known)


@inlined
def _act(rom: Memory, ram: Memory, cells: Memory, plan: Memory, kept: Memory, actions: Memory, masks: Memory) -> Number:
    """Everybody whose move is not whole takes an action; are all moves whole now."""
    row = plan[DONE] + 1
    for seat in range(rom[PLAYERS]):
        if (kept[PENDING] & ~kept[READY]) >> seat & 1:
            action, whole, mask = actions[seat], True, behind(masks, seat * row)
            for other in range(row):
                mask[other] = 0
            if action != plan[DONE]:
                named = plan[NAMED] + seat * plan[NAMED_ROW]
                kept[named] += 1
                kept[named + kept[named]] = action
                whole = list_actions(rom, ram, cells, plan, kept, kept[CHOICE], seat, mask)
            if whole:
                kept[READY] |= 1 << seat
                mask[plan[DONE]] = 1
    kept[CHANGED] = A_MOVE
    return kept[READY] == kept[PENDING]


@inlined
def _wait(
    rom: Memory,
    ram: Memory,
    cells: Memory,
    plan: Memory,
    kept: Memory,
    known: Memory,
    masks: Memory,
    choice: Number,
    seats: Number,
) -> None:
    """Somebody has to choose: say what can be chosen."""
    count_all(rom, ram, cells, plan, known)
    kept[CHOICE], kept[PENDING], kept[READY] = choice, seats, 0
    row = plan[DONE] + 1
    for action in range(rom[PLAYERS] * row):
        masks[action] = 0
    for seat in range(rom[PLAYERS]):
        kept[plan[NAMED] + seat * plan[NAMED_ROW]] = 0
        if seats >> seat & 1:
            list_actions(rom, ram, cells, plan, kept, choice, seat, behind(masks, seat * row))
        else:
            masks[seat * row + plan[DONE]] = 1


@inlined
def _play_on(
    rom: Memory,
    ram: Memory,
    cells: Memory,
    plan: Memory,
    kept: Memory,
    known: Memory,
    masks: Memory,
    rewards: Memory,
    over: Memory,
    root: Number,
    at: Number,
) -> Number:
    """Play to the next decision, of the next game if this one ends; how that ended."""
    while True:
        row = rom[CODE] + at * CODE_ROW
        kind, following = rom[row], rom[row + 1]
        if kind == OP_CHOOSE:
            choice = rom[row + 2]
            look(rom, ram, cells, plan, known, rom[choice_row(rom, choice) + CHOICE_SOURCE])
            seats = pending(rom, ram, choice)
            if seats:
                _wait(rom, ram, cells, plan, kept, known, masks, choice, seats)
                _save(ram, plan, kept, TO_CHOOSE, following)
                return FINISHED
            at = following
        elif kind == OP_TURNS:
            ram[TURNS + ram[DEPTH]] = 0
            ram[DEPTH] += 1
            at = following
        elif kind == OP_SCORE:
            # If points are not known yet, the rules of this moment are scored again from here.
            _save(ram, plan, kept, TO_GO_ON, at)
            if not score(rom, ram, cells, rom[row + 2], rom[row + 3], rom[row + 5], rom[row + 6]):
                return UNKNOWN_POINTS
            if rom[WATCH_COUNT] > 0:
                run_watches(rom, ram, cells, rom[row + 4])
                spoil(rom, ram, rom[TABLEAU])
                spoil(rom, ram, rom[DISCARD])
            at = following
        elif kind == OP_END_ROUND:
            at = rom[row + 2] if ram[ROUND] < rom[ROUNDS] else following
        elif kind == OP_END_GAME:
            if over[0] == 1 or kept[STAGE] == TO_DEAL:
                return NO_CHOICE
            ram[WINNERS] = winners_of(rom, ram, cells)
            _reward(rom, ram, plan, rewards)
            over[0] = 1
            kept[GAME] += plan[GAMES]
            _deal_game(rom, ram, cells, plan, kept, known, root)
            at = 0
        else:
            if kind == OP_DEAL:
                before_deal(rom, ram, rom[row + 3])
            elif kind == OP_MOVE_ALL:
                follow_move(rom, ram, plan, known, rom[row + 2], rom[row + 3])
            elif kind == OP_SHUFFLE:
                forget(rom, ram, plan, known, rom[row + 2])
            elif kind == OP_GATHER:
                for zone in range(rom[ZONE_COUNT]):
                    forget(rom, ram, plan, known, zone)
                spoil_all(rom, ram)
            elif kind == OP_CLEAR:
                spoil(rom, ram, rom[TABLEAU])
                spoil(rom, ram, rom[DISCARD])
            if kind >= FIRST_OF_TURNS:
                at = turn_step(rom, ram, cells, row, kind, following)
            else:
                at = step(rom, ram, cells, row, kind, following)
            if kind == OP_DEAL:
                follow_deal(rom, ram, cells, plan, known, row)
            elif kind == OP_PASS:
                look(rom, ram, cells, plan, known, rom[row + 2])


@inlined
def _reward(rom: Memory, ram: Memory, plan: Memory, rewards: Memory) -> None:
    """What the finished game is worth to each player."""
    players, winners = rom[PLAYERS], ram[WINNERS] & ((1 << rom[PLAYERS]) - 1)
    sign = 1 if rom[MOST_WINS] == 1 else -1
    count, everything = 0, 0
    for seat in range(players):
        count += winners >> seat & 1
        everything += sign * total(rom, ram, seat)
    for seat in range(players):
        own = sign * total(rom, ram, seat)
        if plan[REWARD] == BY_WIN:
            rewards[seat] = (winners >> seat & 1) / count - 1 / players if count > 0 else 0.0
        elif plan[REWARD] == BY_MARGIN:
            rewards[seat] = own - (everything - own) / max(players - 1, 1)
        else:
            rewards[seat] = own
