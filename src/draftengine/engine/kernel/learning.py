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


def draw_policies(state: StateRecord, options: MoveScratch, plan: Plan) -> None:
    """Draw who plays a game greedily; the others play by the table."""
    options.noted = 0
    options.closed = 0
    for seat in plan.players:
        state.policy[seat] = PLAYOUT
        if bot_below(state, STRANGERS) == 0:
            state.policy[seat] = GREEDY


def note_choice(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, move: int) -> None:
    """Note a choice to learn from: what the seat takes, and what it would have if everything were scored now."""
    play = first_play(state, plan, step, move)
    if play >= 0:
        start = options.noted * ROW
        options.lesson[start] = seat << 32 | entry_of(state, plan, seat, play, is_put_aside(plan, step, move))
        options.lesson[start + 1] = ahead_now(state, plan, seat) + SCALE * points_after(state, plan, step, seat, move)
        options.noted += 1


def is_put_aside(plan: Plan, step: Choice, move: int) -> int:
    """Does what a seat takes go elsewhere than where it is played."""
    if step.actions:
        way = (own_lane(plan, move, 0) - 1) // step.items_per_action
        return any(way == index for index, candidate in enumerate(step.actions) if not candidate.laying.plays)
    return not step.plays


def entry_of(state: StateRecord, plan: Plan, seat: int, play: int, aside: int) -> int:
    """Where the worth of a play stands in the table (see `draftengine.engine.worth_tables.Worth.values`)."""
    left = min(plan.rounds - state.round, ROUNDS_LEFT - 1)
    block = play + (2 * left + aside) * len(plan.program.plays)
    return (block * LEVELS + level_of(state, plan, seat, play)) * TURNS + min(state.turn, TURNS - 1)


def first_play(state: StateRecord, plan: Plan, step: Choice, move: int) -> int:
    """What the first card that a seat takes for itself looks like; -1 if it takes none, or does not see it."""
    taken = 0
    if plan.max_own_picks(step) > 0:
        taken = own_lane(plan, move, 0)
    if plan.max_ability_picks(step) > 0 and taken == 0:
        taken = bit_field(plan, move, plan.items.further_lane(step, 0)) & plan.items.mask
    if step.actions:
        taken = taken % step.items_per_action
    return play_of(state, plan, step, taken)


def points_after(state: StateRecord, plan: Plan, step: Choice, seat: int, move: int) -> int:
    """What all rules would give a seat after a move, and what that gives at once."""
    was = row(len(plan.seats))
    before = row(len(plan.seats))
    for each in plan.seats:
        was[each] = state.words[each]
        before[each] = state.words_before_choice[each]
        state.words_before_choice[each] = state.words[each]
    points = 0
    if step.plays or plan.program.cards_count_elsewhere or step.actions:
        points += expect_of_move(state, plan, step, seat, move)
    for index in range(len(plan.program.rules)):
        points += provisional_score(state, plan, index, seat)
    for each in plan.seats:
        state.words[each] = was[each]
        state.words_before_choice[each] = before[each]
    return points


def ahead_now(state: StateRecord, plan: Plan, seat: int) -> int:
    """How much a seat has more than the others on average, in parts of a point."""
    others = len(plan.players) - 1
    if others == 0:
        return SCALE * total(state, plan, seat)
    return (
        SCALE * total(state, plan, seat)
        - sum(SCALE * total(state, plan, player) for player in plan.players if player != seat) // others
    )


def close_round(state: StateRecord, options: MoveScratch, plan: Plan, over: bool) -> None:
    """Note, for each choice of the round that is over, what its seat has gained since."""
    guess = row(len(plan.players))
    for seat in plan.players:
        guess[seat] = forecast(state, plan, seat, over)
    ahead = row(len(plan.players))
    others = len(plan.players) - 1
    for seat in plan.players:
        ahead[seat] = guess[seat]
        if others > 0:
            ahead[seat] -= sum(guess[player] for player in plan.players if player != seat) // others
    for number in dynamic_range(options.noted - options.closed):
        start = (options.closed + number) * ROW
        seat = options.lesson[start] >> 32
        for player in plan.players:
            if player == seat:
                options.lesson[start + 2] = plan.program.direction * (ahead[player] - options.lesson[start + 1])
    options.closed = options.noted


def learn(state: StateRecord, options: MoveScratch, plan: Plan) -> None:
    """Add up what the choices of a finished game gained, in round and game, and how often each entry was met."""
    ahead = row(len(plan.players))
    for seat in plan.players:
        ahead[seat] = ahead_now(state, plan, seat)
    for number in dynamic_range(options.noted):
        start = number * ROW
        seat = options.lesson[start] >> 32
        entry = options.lesson[start] & 0xFFFFFFFF
        options.in_round[entry] += options.lesson[start + 2]
        for player in plan.players:
            if player == seat:
                options.in_game[entry] += plan.program.direction * (ahead[player] - options.lesson[start + 1])
        options.met[entry] += 1
    options.lead[0] += lead_of(state, plan)


def lead_of(state: StateRecord, plan: Plan) -> int:
    """By how many points the best player is ahead of the second; 0 where one plays alone."""
    best = -FAR
    second = -FAR
    for seat in plan.players:
        points = plan.program.direction * total(state, plan, seat)
        second = max(second, min(best, points))
        best = max(best, points)
    return best - second if len(plan.players) > 1 else 0
