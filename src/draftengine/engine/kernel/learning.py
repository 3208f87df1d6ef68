"""Learning what cards are worth: what a seat had in the end more than when it took them.

Games are played as `draftengine.bots.worth.learning` has them: most seats by the table with some exploring moves, which
are noted, and a few greedily, for the others to meet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.chance import bot_below
from draftengine.engine.kernel.expected_gain import expect_of_move
from draftengine.engine.kernel.lanes import bit_field, own_lane, play_of
from draftengine.engine.kernel.provisional_scores import forecast, provisional_score
from draftengine.engine.kernel.scoring import total
from draftengine.engine.kernel.worth_tables import SCALE, level_of
from draftengine.engine.plan.base_items import LEVELS, ROUNDS_LEFT, TURNS
from draftengine.engine.plan.plan import GREEDY, PLAYOUT
from draftengine.engine.worth_tables import STRANGERS
from draftengine.jit.primitives import dynamic_range, row

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.kernel.options import MoveScratch
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord

ROW = 3
"""So many numbers are noted of a choice: the seat and the entry of the table; what the seat had then; what it gained
until the end of the round."""
FAR = 1 << 40
"""More than any number of points."""


def draw_policies(g: StateRecord, options: MoveScratch, plan: Plan) -> None:
    """Draw who plays a game greedily; the others play by the table."""
    options.noted = 0
    options.closed = 0
    for seat in plan.players:
        g.policy[seat] = PLAYOUT
        if bot_below(g, STRANGERS) == 0:
            g.policy[seat] = GREEDY


def note_choice(g: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, move: int) -> None:
    """Note a choice to learn from: what the seat takes, and what it would have if everything were scored now."""
    play = first_play(g, plan, step, move)
    if play >= 0:
        at = options.noted * ROW
        options.lesson[at] = seat << 32 | entry_of(g, plan, seat, play, is_put_aside(plan, step, move))
        options.lesson[at + 1] = ahead_now(g, plan, seat) + SCALE * points_after(g, plan, step, seat, move)
        options.noted += 1


def is_put_aside(plan: Plan, step: Choice, move: int) -> int:
    """Does what a seat takes go elsewhere than where it is played."""
    if step.actions:
        way = (own_lane(plan, move, 0) - 1) // step.items_per_action
        return any(way == index for index, own in enumerate(step.actions) if not own.laying.plays)
    return not step.plays


def entry_of(g: StateRecord, plan: Plan, seat: int, play: int, aside: int) -> int:
    """Where the worth of a play stands in the table (see `draftengine.engine.worth_tables.Worth.values`)."""
    left = min(plan.rounds - g.round, ROUNDS_LEFT - 1)
    block = play + (2 * left + aside) * len(plan.program.plays)
    return (block * LEVELS + level_of(g, plan, seat, play)) * TURNS + min(g.turn, TURNS - 1)


def first_play(g: StateRecord, plan: Plan, step: Choice, move: int) -> int:
    """What the first card that a seat takes for itself looks like; -1 if it takes none, or does not see it."""
    taken = 0
    if plan.max_own_picks(step) > 0:
        taken = own_lane(plan, move, 0)
    if plan.max_ability_picks(step) > 0 and taken == 0:
        taken = bit_field(plan, move, plan.items.further_lane(step, 0)) & plan.items.mask
    if step.actions:
        taken = taken % step.items_per_action
    return play_of(g, plan, step, taken)


def points_after(g: StateRecord, plan: Plan, step: Choice, seat: int, move: int) -> int:
    """What all rules would give a seat after a move, and what that gives at once."""
    was = row(len(plan.seats))
    before = row(len(plan.seats))
    for own in plan.seats:
        was[own] = g.words[own]
        before[own] = g.words_before_choice[own]
        g.words_before_choice[own] = g.words[own]
    found = 0
    if step.plays or plan.program.cards_count_elsewhere or step.actions:
        found += expect_of_move(g, plan, step, seat, move)
    for index in range(len(plan.program.rules)):
        found += provisional_score(g, plan, index, seat)
    for own in plan.seats:
        g.words[own] = was[own]
        g.words_before_choice[own] = before[own]
    return found


def ahead_now(g: StateRecord, plan: Plan, seat: int) -> int:
    """How much a seat has more than the others on average, in parts of a point."""
    others = len(plan.players) - 1
    if others == 0:
        return SCALE * total(g, plan, seat)
    return (
        SCALE * total(g, plan, seat) - sum(SCALE * total(g, plan, own) for own in plan.players if own != seat) // others
    )


def close_round(g: StateRecord, options: MoveScratch, plan: Plan, over: bool) -> None:
    """Note, for each choice of the round that is over, what its seat has gained since."""
    guess = row(len(plan.players))
    for seat in plan.players:
        guess[seat] = forecast(g, plan, seat, over)
    ahead = row(len(plan.players))
    others = len(plan.players) - 1
    for seat in plan.players:
        ahead[seat] = guess[seat]
        if others > 0:
            ahead[seat] -= sum(guess[own] for own in plan.players if own != seat) // others
    for number in dynamic_range(options.noted - options.closed):
        at = (options.closed + number) * ROW
        seat = options.lesson[at] >> 32
        for own in plan.players:
            if own == seat:
                options.lesson[at + 2] = plan.program.direction * (ahead[own] - options.lesson[at + 1])
    options.closed = options.noted


def learn(g: StateRecord, options: MoveScratch, plan: Plan) -> None:
    """Add up what the choices of a finished game gained, in round and game, and how often each entry was met."""
    ahead = row(len(plan.players))
    for seat in plan.players:
        ahead[seat] = ahead_now(g, plan, seat)
    for number in dynamic_range(options.noted):
        at = number * ROW
        seat = options.lesson[at] >> 32
        entry = options.lesson[at] & 0xFFFFFFFF
        options.in_round[entry] += options.lesson[at + 2]
        for own in plan.players:
            if own == seat:
                options.in_game[entry] += plan.program.direction * (ahead[own] - options.lesson[at + 1])
        options.met[entry] += 1
    options.lead[0] += lead_of(g, plan)


def lead_of(g: StateRecord, plan: Plan) -> int:
    """By how many points the best player is ahead of the second; 0 where one plays alone."""
    best = -FAR
    second = -FAR
    for seat in plan.players:
        own = plan.program.direction * total(g, plan, seat)
        second = max(second, min(best, own))
        best = max(best, own)
    return best - second if len(plan.players) > 1 else 0
