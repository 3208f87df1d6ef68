"""Scoring: points from rules, now or at the label at which rules score, and the winners of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.events import points_of
from draftengine.engine.kernel.beliefs import count_after_effects
from draftengine.engine.kernel.effects import draw_chip, note_points, trigger
from draftengine.engine.kernel.expected_gain import SCALE
from draftengine.engine.kernel.formulas import EXAMINED, READINGS, formula
from draftengine.engine.program import RankedRule
from draftengine.jit.primitives import dynamic_range, row, trailing

if TYPE_CHECKING:
    from draftengine.engine.compile.formulas import FormulaNames
    from draftengine.engine.instructions import EndGame, Score, Value
    from draftengine.engine.plain import AnyPlan, InterpreterPlan
    from draftengine.engine.plan import Plan
    from draftengine.engine.plan.base import Counting
    from draftengine.engine.program import CompiledRule
    from draftengine.engine.state import StateRecord

FAR = 1 << 40
"""A number above the points that any seat or card can have."""


def score(state: StateRecord, plan: AnyPlan, step: Score) -> None:
    """Score all rules with a label, then run the triggers that wait for this label."""
    score_rules(state, plan, step.rules)
    trigger(state, plan, step.label)
    if plan.observed:
        count_after_effects(state, plan)


def score_rules(state: StateRecord, plan: AnyPlan, rules: tuple[int, ...]) -> None:
    """Score rules. If one of them reads points, all rules are evaluated before any points are given."""
    if plan.counts_points(rules):
        for seat in plan.seats:
            state.pending_points[seat] = 0
    for index in rules:
        if not plan.is_scored_by_card(rules, index):
            if plan.program.rules[index].when is None or formula(state, plan, plan.program.rules[index].when, 0):
                score_rule(state, plan, index, plan.counts_points(rules))
    if not plan.plain and plan.scores_by_card(rules):
        for seat in plan.ranked:
            points_of_cards(state, plan, rules, seat, True)
    if plan.counts_points(rules):
        for seat in plan.seats:
            state.scores[seat] += state.pending_points[seat]


def score_rule(state: StateRecord, plan: AnyPlan, index: int, together: bool) -> None:
    """Score one rule: every ranked seat gets its points or chips."""
    if plan.plain:
        score_plainly(state, plan, plan.program.rules[index], index)
    elif isinstance(plan.program.rules[index], RankedRule):
        rank(state, plan, index, together)
    else:
        for seat in plan.ranked:
            if not plan.is_dear(index) or formula(state, plan, plan.own_rule(index).copies, seat):
                give(
                    state,
                    plan,
                    index,
                    seat,
                    for_each(state, plan, index, seat, own_points(state, plan, index, seat)),
                    together,
                )


def points_of_card(state: StateRecord, plan: Plan, rules: tuple[int, ...], index: int) -> int:
    """Look up the points that the rule of a card gives to the examined seat for one copy."""
    for rule in rules:
        if plan.is_scored_by_card(rules, rule):
            if index == rule:
                return own_points(state, plan, rule, EXAMINED)
    return 0


def score_plainly(record: StateRecord, plan: InterpreterPlan, rule: CompiledRule, index: int) -> None:
    """Score one rule of an interpreted game by evaluating its formulas, not by tables, and send events."""
    state = plan.state(record)
    points = points_of(state, rule)
    plan.observer.scored(plan.state(record), rule, points)
    if isinstance(rule, RankedRule) and rule.chip >= 0:
        for seat, count in enumerate(points):
            for _ in range(count):
                draw_chip(record, plan, rule.chip, 1 << seat, rule.model.id, rule.model.source)
    else:
        state.ledger.append((index, state.round, points))
        for seat, value in enumerate(points):
            record.pending_points[seat] += value


def give(state: StateRecord, plan: Plan, index: int, seat: int, value: int, together: bool) -> None:
    """Give a seat points from a rule: at once or, with `together`, after all rules were evaluated."""
    if together:
        state.pending_points[seat] += value
    else:
        state.scores[seat] += value
    note_points(state, plan, index, seat, value)


def for_each(state: StateRecord, plan: Plan, index: int, seat: int, value: int) -> int:
    """Multiply points by the number of copies of the rule's card, if the rule has a card."""
    if plan.program.rules[index].copies is None:
        return value
    return value * formula(state, plan, plan.program.rules[index].copies, seat)


def own_points(state: StateRecord, plan: Plan, index: int, seat: int) -> int:
    """Look up the points that a rule gives for one seat's values; if the rule has a card, for one copy."""
    key = 0
    for number, (low, count) in enumerate(plan.tables.inputs_of(index)):
        key = key * count + (formula(state, plan, plan.own_rule(index).inputs[number], seat) - low)
    return plan.tables.points_of(index)[key]


def rank(state: StateRecord, plan: Plan, index: int, together: bool) -> None:
    """Score a ranking: give each seat its points, or the same number of chips."""
    count = len(plan.ranked)
    values = row(count)
    above = row(count)
    for seat in plan.ranked:
        values[seat] = formula(state, plan, plan.ranking(index).measure, seat)
    pattern = 0
    for seat in plan.ranked:
        above[seat] = sum(values[other] > values[seat] for other in plan.ranked if other != seat)
        pattern |= 1 << above[seat] >> 1
    if plan.tables.has_threshold(index):
        pattern = pattern * (count + 1) + sum(values[seat] >= plan.tables.threshold(index) for seat in plan.ranked)
    points = row(count)
    for seat in plan.ranked:
        value = plan.tables.ranking(index)[pattern * count + above[seat]]
        points[seat] = for_each(state, plan, index, seat, value)
    if plan.gives_one_chip(index):
        if any(points[seat] for seat in plan.ranked):
            who = sum(points[seat] << seat for seat in plan.ranked)
            draw_chip(state, plan, plan.ranking(index).chip, who, plan.ranking(index).model.id, ())
    else:
        for seat in plan.ranked:
            award(state, plan, index, seat, points[seat], together)


def award(state: StateRecord, plan: Plan, index: int, seat: int, value: int, together: bool) -> None:
    """Give a seat points from a ranking, or the same number of chips."""
    if plan.ranking(index).chip < 0:
        give(state, plan, index, seat, value, together)
    else:
        for _ in dynamic_range(value):
            draw_chip(state, plan, plan.ranking(index).chip, 1 << seat, plan.ranking(index).model.id, ())


def end_game(state: StateRecord, plan: AnyPlan, step: EndGame) -> None:
    state.over = winners(state, plan, step)
    if plan.watched:
        plan.observer.over(plan.state(state), [total(state, plan, seat) for seat in plan.seats])


def winners(state: StateRecord, plan: AnyPlan, step: EndGame) -> int:
    """Return the seats that would win if the game ended now, as bits.

    Totals are compared, then tie-breakers. Seats that are still tied share the win.
    """
    won = fulfilling(state, plan, step)
    if won == 0:
        won = ahead(state, plan, sum(1 << seat for seat in plan.able), step.most, None)
    for upward, measure in plan.program.tie_breakers:
        if won & (won - 1):
            won = ahead(state, plan, won, upward, measure)
    return won


def fulfilling(state: StateRecord, plan: AnyPlan, step: EndGame) -> int:
    """Return the seats that win because they meet the winning condition, as bits."""
    if step.wins is None:
        return 0
    able = [seat for seat in plan.able if seat in plan.ranked]
    return sum((formula(state, plan, step.wins, seat) != 0) << seat for seat in able)


def ahead(state: StateRecord, plan: AnyPlan, won: int, upward: bool, measure: Value | None) -> int:
    """Return the seats in `won` (bits) whose measure is largest or, if `upward` is false, smallest."""
    values = row(len(plan.seats))
    best = -FAR
    for seat in plan.able:
        value = total(state, plan, seat) if measure is None else formula(state, plan, measure, seat)
        values[seat] = value if upward else -value
        if won >> seat & 1:
            best = max(best, values[seat])
    return won & sum((values[seat] == best) << seat for seat in plan.able)


def total(state: StateRecord, plan: InterpreterPlan | Counting, seat: int) -> int:
    """Return a seat's points plus the values of its chips."""
    if plan.piles:
        return state.scores[seat] + state.bonus[seat]
    return state.scores[seat]


# ── rules ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def provisional_score(state: StateRecord, plan: AnyPlan, index: int, seat: int) -> int:
    """Compute the points that a rule would give a seat now. A chip counts as the mean of its pile."""
    if plan.plain:
        return plan.program.rules[index].standing(plan.state(state), seat)
    if seat not in plan.ranked:
        return 0
    return for_each(state, plan, index, seat, standing_of_one(state, plan, index, seat))


def standing_of_one(state: StateRecord, plan: Plan, index: int, seat: int) -> int:
    """Compute the points that a rule would give a seat now for one copy of the rule's card."""
    if seat not in plan.ranked:
        return 0
    if plan.program.rules[index].when is not None:
        if not formula(state, plan, plan.program.rules[index].when, 0):
            return 0
    if isinstance(plan.program.rules[index], RankedRule):
        if plan.ranking(index).chip >= 0:
            return rank_of_one(state, plan, index, seat) * plan.program.mean_chip_values[plan.ranking(index).chip]
        return rank_of_one(state, plan, index, seat)
    return own_points(state, plan, index, seat)


def forecast(state: StateRecord, plan: AnyPlan, seat: int, over: int) -> int:
    """Predict a seat's final points, in units of 1 / `SCALE`, when a round ends or the game is `over`."""
    return SCALE * by_rounds(state, plan, seat, over) // plan.rounds


def by_rounds(state: StateRecord, plan: AnyPlan, seat: int, over: int) -> int:
    """Predict a seat's final points times the number of rounds, which avoids rounding.

    Until the game is over, rules that are scored at its end count, too, and a chip counts as the mean of its pile. A
    rule that mostly lasts (`OneSeatRule.lasts`) counts in full, any other in proportion to the rounds played. So the
    forecast improves from round to round.
    """
    worth = plan.rounds * total(state, plan, seat)
    if not over:
        worth += plan.rounds * standing(state, plan, plan.lasting_rules, seat)
        worth += state.round * standing(state, plan, plan.passing_rules, seat)
    return worth


def standing(state: StateRecord, plan: AnyPlan, rules: tuple[int, ...], seat: int) -> int:
    """Compute the points that rules would give a seat now."""
    points = 0
    for index in rules:
        if not plan.is_scored_by_card(rules, index):
            points += provisional_score(state, plan, index, seat)
    if not plan.plain and plan.scores_by_card(rules) and seat in plan.ranked:
        points += points_of_cards(state, plan, rules, seat, False)
    return points


def points_of_cards(state: StateRecord, plan: Plan, rules: tuple[int, ...], seat: int, given: bool) -> int:
    """Compute the points of the cards that a seat has, card by card, and give them to it if `given`."""
    points = 0
    state.examined[0] = state.words[seat]
    for word in plan.words_of_cards(rules):
        held = state.words[seat] >> word.shift & word.mask
        while held:
            bit = trailing(held)
            copies = held >> word.low[bit] & word.field_mask[bit]
            held -= copies << word.low[bit]
            value = copies * points_of_card(state, plan, rules, word.rule[bit])
            points += value
            if given:
                give(state, plan, word.rule[bit], seat, value, plan.counts_points(rules))
    return points


def rank_of_one(state: StateRecord, plan: Plan, index: int, seat: int) -> int:
    """Compute the points that a ranking would give one seat, if the seat's place alone determines them."""
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
    """Compute the points that a ranking would give one seat, from the places of all seats.

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
    """Compute the most points that one of the seat's scoring cards would give it now; 0 without cards."""
    best = -FAR
    for index in plan.scoring_cards:
        value = standing_of_one(state, plan, index, seat)
        has = formula(state, plan, plan.program.rules[index].copies, seat) > 0
        best = max(best, value if has else -FAR)
    return best if best > -FAR else 0


READINGS.update(best_of=best_of)
