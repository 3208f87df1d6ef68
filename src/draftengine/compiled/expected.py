"""What a seat can expect of its cards: points of rules, effects and triggers as `draftengine.engine.preview` has them.

Counters are set as if cards were laid down, and put back; `Game.before` has them as they are (see `look_ahead`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.program import RankedRule
from draftengine.engine.text.effects import change_counters, changed, concerned, write
from draftengine.engine.text.formulas import READINGS, formula, read
from draftengine.engine.text.scoring import for_each, own_points, total
from draftengine.engine.worth import SCALE
from draftengine.staging.primitives import row

if TYPE_CHECKING:
    from draftengine.compiled.plan import Plan
    from draftengine.engine.compile.values import Names
    from draftengine.engine.program import Change, Watch
    from draftengine.engine.record import Game


# ── rules ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def standing(g: Game, plan: Plan, index: int, seat: int) -> int:
    """The points that a rule would give a seat if it were scored now, a chip as the mean of its pile."""
    if seat not in plan.ranked:
        return 0
    return for_each(g, plan, index, seat, standing_of_one(g, plan, index, seat))


def standing_of_one(g: Game, plan: Plan, index: int, seat: int) -> int:
    """The same for one copy of the card on which the rule stands."""
    if seat not in plan.ranked:
        return 0
    if plan.program.rules[index].when is not None:
        if not formula(g, plan, plan.program.rules[index].when, 0):
            return 0
    if isinstance(plan.program.rules[index], RankedRule):
        if plan.ranking(index).chip >= 0:
            return rank(g, plan, index, seat) * plan.program.mean_chips[plan.ranking(index).chip]
        return rank(g, plan, index, seat)
    return own_points(g, plan, index, seat)


def prospect(g: Game, plan: Plan, seat: int, over: int) -> int:
    """What the game is worth to a seat where a round ends or the game is `over`, in parts of a point.

    As in `draftengine.engine.prospect`: before the end, what would be scored then counts with a part of the rounds.
    """
    found = plan.rounds * total(g, plan, seat)
    if not over:
        for index in plan.rules_at_end:
            if plan.program.rules[index].lasts:
                found += plan.rounds * standing(g, plan, index, seat)
            else:
                found += g.round * standing(g, plan, index, seat)
    return SCALE * found // plan.rounds


def rank(g: Game, plan: Plan, index: int, seat: int) -> int:
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


def rank_by_pattern(g: Game, plan: Plan, index: int, seat: int) -> int:
    """The same, of a ranking that looks at all seats (see `draftengine.compiled.tables.Tables.ranking`)."""
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


def best_of(g: Game, plan: Plan, names: Names, what: str, seat: int) -> int:
    """The most that one of the seat's cards with rules of their own would give it now; 0 if it has none."""
    best = 0
    found = 0
    for index in plan.scoring_cards:
        if formula(g, plan, plan.program.rules[index].copies, seat) > 0:
            value = standing_of_one(g, plan, index, seat)
            if found == 0 or value > best:
                best = value
            found = 1
    return best


READINGS["best_of"] = best_of


# ── effects and triggers ────────────────────────────────────────────────────────────────────────────────────────────


def expect(g: Game, plan: Plan, change: Change, seat: int) -> int:
    """What can be expected of an effect: its points, and counters as it leaves them."""
    return EXPECTED[change.kind](g, plan, change, seat)


def points(g: Game, plan: Plan, change: Change, seat: int) -> int:
    return formula(g, plan, change.value, seat)


def mean_chip(g: Game, plan: Plan, change: Change, seat: int) -> int:
    return plan.program.mean_chips[change.target]


def middle_side(g: Game, plan: Plan, change: Change, seat: int) -> int:
    write(g, change.amounts[0].field, seat, 1 + change.sides // 2)
    return 0


def counters(g: Game, plan: Plan, change: Change, seat: int) -> int:
    change_counters(g, plan, change, seat, "", ())
    return 0


def fewer(g: Game, plan: Plan, change: Change, seat: int) -> int:
    """Cards of one kind leave with what they added."""
    if change.target >= 0:
        leaving = min(formula(g, plan, change.value, seat), read(g.words[seat], change.amounts[0].field))
        g.words[seat] -= max(leaving, 0) * plan.program.increments[change.target]
    return 0


def nothing(g: Game, plan: Plan, change: Change, seat: int) -> int:
    return 0


EXPECTED = {
    "points": points, "chip": mean_chip, "roll": middle_side, "add": counters, "open": counters, "set": counters,
    "take": nothing, "discard": fewer,
}  # fmt: skip
"""Markers are left out, and discards of more than one kind of card."""


def expect_of_play(g: Game, plan: Plan, play: int, seat: int) -> int:
    """What can be expected of the effects of a play."""
    found = 0
    for own in plan.with_effects:
        if play == own:
            for effect in plan.program.plays[own].effects:
                found += expect(g, plan, plan.program.effects[effect], seat)
    return found


def expect_of_reveal(g: Game, plan: Plan, seat: int, bits: int | None) -> int:
    """What a seat can expect of the triggers that wait for a reveal; `bits` = the counters that can have changed."""
    found = 0
    for watch in plan.watches("reveal"):
        if plan.guard(watch) == 0:
            found += expect_of_watch(g, plan, watch, seat)
        elif bits is not None:
            if plan.guard(watch) & bits:
                found += expect_of_watch(g, plan, watch, seat)
        elif changed(g, plan) & plan.guard(watch):
            found += expect_of_watch(g, plan, watch, seat)
    return found


def expect_of_watch(g: Game, plan: Plan, watch: Watch, seat: int) -> int:
    """The points of a seat, and the counters of all whom a trigger concerns."""
    who = concerned(g, plan, watch)
    found = 0
    for own in plan.ranked:
        if who >> own & 1:
            for effect in watch.effects:
                if own == seat:
                    found += expect(g, plan, plan.program.effects[effect], own)
                elif plan.program.effects[effect].amounts:
                    expect(g, plan, plan.program.effects[effect], own)
    return found
