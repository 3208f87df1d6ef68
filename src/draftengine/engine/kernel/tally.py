"""What is counted of finished games, as `draftengine.engine.accounting` counts it."""

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
    TAKEN,
    TAKEN_TOTAL,
    TAKEN_WON,
    TIED,
    TOTAL,
    WON,
    WON_SQUARES,
)
from draftengine.engine.kernel.chance import mix
from draftengine.engine.kernel.scoring import total
from draftengine.jit.primitives import dynamic_range, popcount, trailing, wrap
from draftengine.jit.struct_type import Record, array

if TYPE_CHECKING:
    from draftengine.engine.plan.tally import Counting
    from draftengine.engine.record import StateRecord


class Sums(Record):
    """What is counted of games, in memory that is given."""

    tally: list[int] = array(
        "i64", "", "Sums over games, see `draftengine.engine.accounting.TallyLayout`.", borrowed=True
    )
    rows: list[int] = array(
        "i32", "", "By game: totals by seat, winners as bits, points by source and seat.", borrowed=True
    )


def account(g: StateRecord, sums: Sums, plan: Counting) -> None:
    """Count a finished game."""
    seats = len(plan.seats)
    parts, sign = plan.shape, plan.program.direction
    won = g.over
    winners = popcount(won)
    share = SHARES // winners
    best = max(sign * total(g, plan, seat) for seat in plan.seats)
    found = g.game
    for seat in plan.seats:
        found = wrap((found ^ total(g, plan, seat)) * DIGEST_FACTOR)
    sums.tally[DIGEST] = wrap(sums.tally[DIGEST] + mix(wrap(found ^ won)))
    sums.tally[GAMES] += 1
    sums.tally[TIED] += sum(sign * total(g, plan, seat) == best for seat in plan.seats) > 1
    sums.tally[SHARED] += winners > 1
    for seat in plan.seats:
        first = parts.by_seat + seat * SEAT_COLUMNS
        own = total(g, plan, seat)
        sums.tally[first + TOTAL] += own
        sums.tally[first + SQUARES] += own * own
        sums.tally[parts.histograms + seat * BINS + max(0, min(BINS - 1, own - LOWEST))] += 1
        if won & 1 << seat:
            sums.tally[first + WON] += share
            sums.tally[first + WON_SQUARES] += share * share
            sums.tally[first + OUTRIGHT] += winners == 1
    if seats > 1 and winners == 1:
        account_margins(g, sums, plan, trailing(won))
    for source in dynamic_range(len(plan.sources)):
        for seat in plan.seats:
            first = parts.by_source + source * seats * SOURCE_COLUMNS + seat
            sums.tally[first] += g.points[source * seats + seat]
            sums.tally[first + seats] += g.points[source * seats + seat] != 0
    if plan.logged:
        account_plays(g, sums, plan, share)


def account_margins(g: StateRecord, sums: Sums, plan: Counting, winner: int) -> None:
    """By how much the only winner is ahead of the runner-up, and from what."""
    seats, sign = len(plan.seats), plan.program.direction
    second = 1 - (winner > 0)
    best = sum(sign * total(g, plan, seat) * (second == seat) for seat in (0, 1))
    for seat in plan.seats:
        if winner != seat and sign * total(g, plan, seat) > best:
            best = sign * total(g, plan, seat)
            second = seat
    sums.tally[DECISIVE] += 1
    sums.tally[MARGIN] += sum(sign * total(g, plan, seat) * (winner == seat) for seat in plan.seats) - best
    for source in dynamic_range(len(plan.sources)):
        rise = g.points[source * seats + winner] - g.points[source * seats + second]
        sums.tally[plan.shape.margins + source] += sign * rise


def account_plays(g: StateRecord, sums: Sums, plan: Counting, share: int) -> None:
    """What every play came to."""
    for at in dynamic_range(g.logged):
        seat = g.log[at] >> 32
        turn = g.log[at] >> 16 & 0xFFFF
        play = g.log[at] & 0xFFFF
        first = plan.shape.by_play + (play * MOST_TURNS + min(turn, MOST_TURNS - 1)) * PLAY_COLUMNS
        sums.tally[first + TAKEN] += 1
        for own in plan.seats:
            if seat == own:
                sums.tally[first + TAKEN_TOTAL] += total(g, plan, own)
                if g.over & 1 << own:
                    sums.tally[first + TAKEN_WON] += share


def write_row(g: StateRecord, sums: Sums, plan: Counting, number: int, copies: int) -> None:
    """The row of one game; with `copies` also how often every play was made by each seat, where plays are logged."""
    seats = len(plan.seats)
    first = number * (plan.columns + copies * plan.shape.plays * seats)
    for seat in plan.seats:
        sums.rows[first + seat] = total(g, plan, seat)
    sums.rows[first + seats] = g.over
    for at in dynamic_range(len(plan.sources) * seats):
        sums.rows[first + seats + 1 + at] = g.points[at]
    if plan.logged and copies:
        for at in dynamic_range(g.logged):
            play, seat = g.log[at] & 0xFFFF, g.log[at] >> 32
            sums.rows[first + plan.columns + play * seats + seat] += 1
