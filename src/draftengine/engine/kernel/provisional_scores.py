"""Provisional scores: what rules would give now, and the forecast of a game at the end of a round."""

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


def provisional_score(state: StateRecord, plan: AnyPlan, index: int, seat: int) -> int:
    """Compute the points that a rule would give a seat now; a chip counts as the mean of its pile."""
    if plan.plain:
        return plan.program.rules[index].standing(plan.state(state), seat)
    if seat not in plan.ranked:
        return 0
    return for_each(state, plan, index, seat, standing_of_one(state, plan, index, seat))


def standing_of_one(state: StateRecord, plan: Plan, index: int, seat: int) -> int:
    """Compute the points that a rule would give a seat now for one copy of the card that brings it."""
    if seat not in plan.ranked:
        return 0
    if plan.program.rules[index].when is not None:
        if not formula(state, plan, plan.program.rules[index].when, 0):
            return 0
    if isinstance(plan.program.rules[index], RankedRule):
        if plan.ranking(index).chip >= 0:
            return rank(state, plan, index, seat) * plan.program.mean_chip_values[plan.ranking(index).chip]
        return rank(state, plan, index, seat)
    return own_points(state, plan, index, seat)


def forecast(state: StateRecord, plan: AnyPlan, seat: int, over: int) -> int:
    """Predict a seat's final points where a round ends or the game is `over`, in parts of a point."""
    return SCALE * by_rounds(state, plan, seat, over) // plan.rounds


def by_rounds(state: StateRecord, plan: AnyPlan, seat: int, over: int) -> int:
    """Predict a seat's final points times the number of rounds, which avoids rounding.

    Until the game is over, rules that are scored at its end count too, a chip as the mean of its pile. A rule that
    mostly lasts (`OneSeatRule.lasts`) counts in full, any other by the share of rounds played. So the forecast improves
    from round to round.
    """
    worth = plan.rounds * total(state, plan, seat)
    if not over:
        for index in plan.program.rules_at_end:
            if plan.program.rules[index].lasts:
                worth += plan.rounds * provisional_score(state, plan, index, seat)
            else:
                worth += state.round * provisional_score(state, plan, index, seat)
    return worth


def rank(state: StateRecord, plan: Plan, index: int, seat: int) -> int:
    """Compute what a ranking would give one seat, from the parts of its place that the ranking uses."""
    if not plan.tables.looks_at_places(index):
        return rank_by_pattern(state, plan, index, seat)
    count = len(plan.ranked) + 1
    values = row(len(plan.ranked))
    for each in plan.ranked:
        values[each] = formula(state, plan, plan.ranking(index).measure, each)
    relations, least, points = plan.tables.of_one(index)
    key = 0
    if "above" in relations:
        key = sum(values[other] > values[seat] for other in plan.ranked if other != seat)
    if "different" in relations:
        first = row(len(plan.ranked))
        for each in plan.ranked:
            first[each] = not any(values[each] == values[before] for before in range(each))
        key = key * count + sum((values[other] > values[seat]) * first[other] for other in plan.ranked if other != seat)
    if "equal" in relations:
        key = key * count + 1 + sum(values[other] == values[seat] for other in plan.ranked if other != seat)
    return points[key * 2 + (values[seat] >= least)]


def rank_by_pattern(state: StateRecord, plan: Plan, index: int, seat: int) -> int:
    """Compute what a ranking would give one seat, from the pattern of all seats.

    See `draftengine.engine.plan.tables.Tables.ranking`.
    """
    count = len(plan.ranked)
    values = row(count)
    for each in plan.ranked:
        values[each] = formula(state, plan, plan.ranking(index).measure, each)
    pattern = 0
    for each in plan.ranked:
        pattern |= 1 << sum(values[other] > values[each] for other in plan.ranked if other != each) >> 1
    if plan.tables.has_threshold(index):
        pattern = pattern * (count + 1) + sum(values[each] >= plan.tables.threshold(index) for each in plan.ranked)
    above = sum(values[other] > values[seat] for other in plan.ranked if other != seat)
    return plan.tables.ranking(index)[pattern * count + above]


def best_of(state: StateRecord, plan: Plan, names: FormulaNames, what: str, seat: int) -> int:
    """Compute the most that one of the seat's scoring cards would give it now; 0 if it has none."""
    best = -FAR
    for index in plan.scoring_cards:
        value = standing_of_one(state, plan, index, seat)
        has = formula(state, plan, plan.program.rules[index].copies, seat) > 0
        best = max(best, value if has else -FAR)
    return best if best > -FAR else 0


READINGS["best_of"] = best_of
