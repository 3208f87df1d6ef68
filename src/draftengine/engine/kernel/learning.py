"""Learning of worth tables from what seats gain between taking a card and the end of round or game.

Games are played as in `draftengine.bots.worth.learning`. Most seats play by the table, with some exploring moves, and
their choices are recorded. A few seats play greedily, as opponents for the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.chance import bot_below
from draftengine.engine.kernel.expected_gain import SCALE, bit_field, expect_of_move, level_of, own_lane, play_of
from draftengine.engine.kernel.scoring import forecast, provisional_score, total
from draftengine.engine.plan import GREEDY, PLAYOUT
from draftengine.engine.plan.base import LEVELS, ROUNDS_LEFT, STRANGERS, TURNS
from draftengine.jit.primitives import dynamic_range, row

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.plan import Plan
    from draftengine.engine.state import MoveScratch, StateRecord

ROW = 3
"""The number of values that are recorded for a choice.

In order: seat and entry of the worth table, packed in one number; the lead of the seat at that time; its gain until the
end of the round.
"""
FAR = 1 << 40
"""A number above the points that any seat can have."""


def draw_policies(state: StateRecord, options: MoveScratch, plan: Plan) -> None:
    """Draw at random which seats play greedily in a game. The others play by the table."""
    options.noted = 0
    options.closed = 0
    for seat in plan.players:
        state.policy[seat] = PLAYOUT
        if bot_below(state, STRANGERS) == 0:
            state.policy[seat] = GREEDY


def note_choice(state: StateRecord, options: MoveScratch, plan: Plan, step: Choice, seat: int, move: int) -> None:
    """Record a choice for learning: its table entry, and the seat's lead if all rules scored after it."""
    play = first_play(state, plan, step, move)
    if play >= 0:
        start = options.noted * ROW
        options.lesson[start] = seat << 32 | entry_of(state, plan, seat, play, is_put_aside(plan, step, move))
        options.lesson[start + 1] = ahead_now(state, plan, seat) + SCALE * points_after(state, plan, step, seat, move)
        options.noted += 1


def is_put_aside(plan: Plan, step: Choice, move: int) -> int:
    """True if a choice moves its cards to another zone instead of playing them."""
    if step.actions:
        way = (own_lane(plan, move, 0) - 1) // step.items_per_action
        return any(way == index for index, candidate in enumerate(step.actions) if not candidate.laying.plays)
    return not step.plays


def entry_of(state: StateRecord, plan: Plan, seat: int, play: int, aside: int) -> int:
    """Return the index in the worth table of a card (see `draftengine.engine.policies.Worth.values`)."""
    left = min(plan.rounds - state.round, ROUNDS_LEFT - 1)
    block = play + (2 * left + aside) * len(plan.program.plays)
    return (block * LEVELS + level_of(state, plan, seat, play)) * TURNS + min(state.turn, TURNS - 1)


def first_play(state: StateRecord, plan: Plan, step: Choice, move: int) -> int:
    """Return the play that a move's first card is assumed to become; -1 for no card or a face-down card."""
    taken = 0
    if plan.max_own_picks(step) > 0:
        taken = own_lane(plan, move, 0)
    if plan.max_ability_picks(step) > 0 and taken == 0:
        taken = bit_field(plan, move, plan.items.further_lane(step, 0)) & plan.items.mask
    if step.actions:
        taken = taken % step.items_per_action
    return play_of(state, plan, step, taken)


def points_after(state: StateRecord, plan: Plan, step: Choice, seat: int, move: int) -> int:
    """Compute a seat's points from all rules after a move, plus the points that the move itself gives."""
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
    """Compute a seat's lead over the average of the other players, in units of 1 / `SCALE` points."""
    others = len(plan.players) - 1
    if others == 0:
        return SCALE * total(state, plan, seat)
    return (
        SCALE * total(state, plan, seat)
        - sum(SCALE * total(state, plan, player) for player in plan.players if player != seat) // others
    )


def close_round(state: StateRecord, options: MoveScratch, plan: Plan, over: bool) -> None:
    """Compute, for each choice in the finished round, the gain of the choosing seat since then."""
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
    """Add the gains since each choice of a finished game to the choice's table entry, and count the visit.

    One gain is until the end of the round, the other until the end of the game.
    """
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
    """Compute the lead of the best player over the second, in points; 0 for a single player."""
    best = -FAR
    second = -FAR
    for seat in plan.players:
        points = plan.program.direction * total(state, plan, seat)
        second = max(second, min(best, points))
        best = max(best, points)
    return best - second if len(plan.players) > 1 else 0
