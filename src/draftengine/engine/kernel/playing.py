"""Functions that play many games and add them to a tally (see `draftengine.engine.accounting`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.accounting import (
    BINS,
    DECISIVE,
    DIGEST,
    DIGEST_FACTOR,
    GAMES,
    LOWEST,
    MARGIN,
    MOST_TURNS,
    OUTRIGHT,
    PLAY_COLUMNS,
    SEAT_COLUMNS,
    SHARED,
    SHARES,
    SOURCE_COLUMNS,
    SQUARES,
    STOPPED,
    TAKEN,
    TAKEN_TOTAL,
    TAKEN_WON,
    TIED,
    TOTAL,
    WON,
    WON_SQUARES,
)
from draftengine.engine.chance import GOLDEN
from draftengine.engine.kernel.chance import mix
from draftengine.engine.kernel.flow import deal_game
from draftengine.engine.kernel.learning import close_round, learn
from draftengine.engine.kernel.scoring import total
from draftengine.jit.primitives import dynamic_range, popcount, trailing, wrap
from draftengine.jit.records import Record, array

if TYPE_CHECKING:
    from draftengine.engine.plan import Plan
    from draftengine.engine.plan.base import Counting
    from draftengine.engine.state import MoveScratch, StateRecord


class Sums(Record):
    """A record in memory that the caller owns: the tally (sums over games), and one row for each game."""

    tally: list[int] = array(
        "i64", "", "Sums over games, see `draftengine.engine.accounting.TallyLayout`.", borrowed=True
    )
    rows: list[int] = array(
        "i32", "", "By game: totals by seat, winners as bits, points by source and seat.", borrowed=True
    )


def account(state: StateRecord, sums: Sums, plan: Counting) -> None:
    """Add the result of a finished game to the tally."""
    seats = len(plan.seats)
    parts, sign = plan.shape, plan.program.direction
    won = state.over
    winners = popcount(won)
    share = SHARES // winners
    best = max(sign * total(state, plan, seat) for seat in plan.seats)
    digest = state.game
    for seat in plan.seats:
        digest = wrap((digest ^ total(state, plan, seat)) * DIGEST_FACTOR)
    sums.tally[DIGEST] = wrap(sums.tally[DIGEST] + mix(wrap(digest ^ won)))
    sums.tally[GAMES] += 1
    sums.tally[TIED] += sum(sign * total(state, plan, seat) == best for seat in plan.seats) > 1
    sums.tally[SHARED] += winners > 1
    if plan.program.stops:
        sums.tally[STOPPED] += state.stopped
    for seat in plan.seats:
        first = parts.by_seat + seat * SEAT_COLUMNS
        points = total(state, plan, seat)
        sums.tally[first + TOTAL] += points
        sums.tally[first + SQUARES] += points * points
        sums.tally[parts.histograms + seat * BINS + max(0, min(BINS - 1, points - LOWEST))] += 1
        if won & 1 << seat:
            sums.tally[first + WON] += share
            sums.tally[first + WON_SQUARES] += share * share
            sums.tally[first + OUTRIGHT] += winners == 1
    if seats > 1 and winners == 1:
        account_margins(state, sums, plan, trailing(won))
    for source in dynamic_range(len(plan.sources)):
        for seat in plan.seats:
            first = parts.by_source + source * seats * SOURCE_COLUMNS + seat
            sums.tally[first] += state.points[source * seats + seat]
            sums.tally[first + seats] += state.points[source * seats + seat] != 0
    if plan.logged:
        account_plays(state, sums, plan, share)


def account_margins(state: StateRecord, sums: Sums, plan: Counting, winner: int) -> None:
    """Add the margin of the only winner over the runner-up to the tally, in total and by source of points."""
    seats, sign = len(plan.seats), plan.program.direction
    second = 1 - (winner > 0)
    best = sum(sign * total(state, plan, seat) * (second == seat) for seat in (0, 1))
    for seat in plan.seats:
        if winner != seat and sign * total(state, plan, seat) > best:
            best = sign * total(state, plan, seat)
            second = seat
    sums.tally[DECISIVE] += 1
    sums.tally[MARGIN] += sum(sign * total(state, plan, seat) * (winner == seat) for seat in plan.seats) - best
    for source in dynamic_range(len(plan.sources)):
        rise = state.points[source * seats + winner] - state.points[source * seats + second]
        sums.tally[plan.shape.margins + source] += sign * rise


def account_plays(state: StateRecord, sums: Sums, plan: Counting, share: int) -> None:
    """Count every logged play by its turn, with the total of its seat and the seat's share of the win."""
    for index in dynamic_range(state.logged):
        seat = state.log[index] >> 32
        turn = state.log[index] >> 16 & 0xFFFF
        play = state.log[index] & 0xFFFF
        first = plan.shape.by_play + (play * MOST_TURNS + min(turn, MOST_TURNS - 1)) * PLAY_COLUMNS
        sums.tally[first + TAKEN] += 1
        for each in plan.seats:
            if seat == each:
                sums.tally[first + TAKEN_TOTAL] += total(state, plan, each)
                if state.over & 1 << each:
                    sums.tally[first + TAKEN_WON] += share


def write_row(state: StateRecord, sums: Sums, plan: Counting, number: int, copies: int) -> None:
    """Write the row for one game.

    With `copies`, if plays are logged, the row ends with the number of times that each seat made each play.
    """
    seats = len(plan.seats)
    first = number * (plan.columns + copies * plan.shape.plays * seats)
    for seat in plan.seats:
        sums.rows[first + seat] = total(state, plan, seat)
    sums.rows[first + seats] = state.over
    for index in dynamic_range(len(plan.sources) * seats):
        sums.rows[first + seats + 1 + index] = state.points[index]
    if plan.logged and copies:
        for index in dynamic_range(state.logged):
            play, seat = state.log[index] & 0xFFFF, state.log[index] >> 32
            sums.rows[first + plan.columns + play * seats + seat] += 1


def play_games(
    state: StateRecord,
    view: StateRecord,
    sums: Sums,
    options: MoveScratch,
    plan: Plan,
    root: int,
    first: int,
    last: int,
    rows: int,
    copies: int,
) -> int:
    """Play the games `first` to `last - 1` of a root seed and add them to the tally.

    With `rows`, write a row for each game.
    """
    for number in dynamic_range(last - first):
        state.game = first + number
        state.base = mix(wrap(root + (first + number) * GOLDEN))
        deal_game(state, view, options, plan)
        account(state, sums, plan)
        if rows:
            write_row(state, sums, plan, number, copies)
    return 0


def learn_from_games(
    state: StateRecord, view: StateRecord, options: MoveScratch, plan: Plan, root: int, first: int, last: int
) -> int:
    """Play the games `first` to `last - 1` of a root seed and learn from them."""
    for number in dynamic_range(last - first):
        state.game = first + number
        state.base = mix(wrap(root + (first + number) * GOLDEN))
        deal_game(state, view, options, plan)
        close_round(state, options, plan, True)
        learn(state, options, plan)
    return 0
