"""What rules would give now, and what a game is worth to a seat where a round ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.formulas import READINGS, formula
from draftengine.engine.kernel.scoring import FAR, for_each, own_points, total
from draftengine.engine.kernel.worth_tables import SCALE
from draftengine.engine.program import RankedRule
from draftengine.jit.primitives import row

if TYPE_CHECKING:
    from draftengine.engine.compile.formulas import FormulaNames
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord


# ── rules ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def provisional_score(g: StateRecord, plan: AnyPlan, index: int, seat: int) -> int:
    """The points that a rule would give a seat if it were scored now, a chip as the mean of its pile."""
    if plan.plain:
        return plan.program.rules[index].standing(plan.state(g), seat)
    if seat not in plan.ranked:
        return 0
    return for_each(g, plan, index, seat, standing_of_one(g, plan, index, seat))


def standing_of_one(g: StateRecord, plan: Plan, index: int, seat: int) -> int:
    """The points that a rule would give a seat now for one copy of the card on which the rule stands."""
    if seat not in plan.ranked:
        return 0
    if plan.program.rules[index].when is not None:
        if not formula(g, plan, plan.program.rules[index].when, 0):
            return 0
    if isinstance(plan.program.rules[index], RankedRule):
        if plan.ranking(index).chip >= 0:
            return rank(g, plan, index, seat) * plan.program.mean_chip_values[plan.ranking(index).chip]
        return rank(g, plan, index, seat)
    return own_points(g, plan, index, seat)


def forecast(g: StateRecord, plan: AnyPlan, seat: int, over: int) -> int:
    """What the game is worth to a seat where a round ends or the game is `over`, in parts of a point."""
    return SCALE * by_rounds(g, plan, seat, over) // plan.rounds


def by_rounds(g: StateRecord, plan: AnyPlan, seat: int, over: int) -> int:
    """What the game is worth to a seat, in points times the number of rounds: a whole number without rounding.

    Before the last round is over, what would be scored at the end counts, a chip as the mean of its pile: whole if it
    mostly lasts (`OneSeatRule.lasts`), otherwise with the part of the rounds that are played. It is a guess, and a
    better one the later it is.
    """
    found = plan.rounds * total(g, plan, seat)
    if not over:
        for index in plan.program.rules_at_end:
            if plan.program.rules[index].lasts:
                found += plan.rounds * provisional_score(g, plan, index, seat)
            else:
                found += g.round * provisional_score(g, plan, index, seat)
    return found


def rank(g: StateRecord, plan: Plan, index: int, seat: int) -> int:
    """What a ranking would give one seat, by as much of its place as the ranking looks at."""
    if not plan.tables.looks_at_places(index):
        return rank_by_pattern(g, plan, index, seat)
    count = len(plan.ranked) + 1
    values = row(len(plan.ranked))
    for own in plan.ranked:
        values[own] = formula(g, plan, plan.ranking(index).measure, own)
    told, least, points = plan.tables.of_one(index)
    key = 0
    if "above" in told:
        key = sum(values[own] > values[seat] for own in plan.ranked if own != seat)
    if "different" in told:
        first = row(len(plan.ranked))
        for own in plan.ranked:
            first[own] = not any(values[own] == values[before] for before in range(own))
        key = key * count + sum((values[own] > values[seat]) * first[own] for own in plan.ranked if own != seat)
    if "equal" in told:
        key = key * count + 1 + sum(values[own] == values[seat] for own in plan.ranked if own != seat)
    return points[key * 2 + (values[seat] >= least)]


def rank_by_pattern(g: StateRecord, plan: Plan, index: int, seat: int) -> int:
    """What a ranking of all seats would give one of them (see `draftengine.engine.plan.tables.Tables.ranking`)."""
    count = len(plan.ranked)
    values = row(count)
    for own in plan.ranked:
        values[own] = formula(g, plan, plan.ranking(index).measure, own)
    pattern = 0
    for own in plan.ranked:
        pattern |= 1 << sum(values[other] > values[own] for other in plan.ranked if other != own) >> 1
    if plan.tables.has_threshold(index):
        pattern = pattern * (count + 1) + sum(values[own] >= plan.tables.threshold(index) for own in plan.ranked)
    above = sum(values[other] > values[seat] for other in plan.ranked if other != seat)
    return plan.tables.ranking(index)[pattern * count + above]


def best_of(g: StateRecord, plan: Plan, names: FormulaNames, what: str, seat: int) -> int:
    """The most that one of the seat's cards with rules of their own would give it now; 0 if it has none."""
    best = -FAR
    for index in plan.scoring_cards:
        value = standing_of_one(g, plan, index, seat)
        has = formula(g, plan, plan.program.rules[index].copies, seat) > 0
        best = max(best, value if has else -FAR)
    return best if best > -FAR else 0


READINGS["best_of"] = best_of
