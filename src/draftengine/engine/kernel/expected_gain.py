"""What can be expected of a move before anybody moves: its cards laid down alone, effects and triggers as on average.

Counters are set as if that had happened; who asks puts them back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.effects import change_counters, changed, triggered_seats, write
from draftengine.engine.kernel.formulas import formula, read
from draftengine.engine.kernel.lanes import bit_field, own_lane, play_of
from draftengine.engine.kernel.plays import give_away
from draftengine.engine.kernel.zones import increment_of
from draftengine.engine.plan.base_items import FURTHER

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice, Action
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.program import CompiledAbility, CompiledEffect, CompiledTrigger
    from draftengine.engine.record import StateRecord


# ── moves ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def expect_of_move(g: StateRecord, plan: AnyPlan, step: Choice, seat: int, move: int) -> int:
    """Lay down a move alone, and do what can be expected of it. Returns the points that it gives the seat at once."""
    if step.actions:
        return expect_of_way(g, plan, step, seat, move)
    found = 0
    lanes = plan.lanes_of(step, move) if plan.plain else plan.items.packed_zones(step)
    for at, channel, number in lanes:
        if channel == FURTHER and step.plays:
            give_up(g, plan, step, seat, bit_field(plan, move, at), number)
        lay_alone(g, plan, step, plan.items.receiver(step, seat, channel), bit_field(plan, move, at) & plan.items.mask)
    if step.plays:
        if plan.with_effects:
            for at, channel, _ in lanes:
                play = play_of(g, plan, step, bit_field(plan, move, at) & plan.items.mask)
                points = expect_of_play(g, plan, play, plan.items.receiver(step, seat, channel))
                if channel <= FURTHER:
                    found += points
        found += expect_of_reveal(g, plan, seat, None)
    return found


def give_up(g: StateRecord, plan: AnyPlan, step: Choice, seat: int, more: int, number: int) -> None:
    """The card of an ability leaves its seat when the first of the cards is taken for which it is used."""
    for place, ability in enumerate(step.abilities):
        if plan.items.gives_up(ability, number):
            if more > 0 and more >> plan.items.bits == place:
                lose(g, plan, plan.program.abilities[ability], seat)


def lose(g: StateRecord, plan: AnyPlan, use: CompiledAbility, seat: int) -> None:
    """The card of an ability is gone."""
    if len(use.pieces) > 1:
        give_away(g, plan, seat, use.pieces, use.field, 1)
    else:
        g.words[seat] -= plan.program.increments[use.play]


def expect_of_way(g: StateRecord, plan: AnyPlan, step: Choice, seat: int, move: int) -> int:
    """The points to be expected of a move that goes a way: by what it costs, its cards, and what the way does."""
    found = 0
    item = own_lane(plan, move, 0) - 1
    for index, way in enumerate(step.actions):
        if item >= 0 and item // step.items_per_action == index:
            g.formula_card = 0
            if item % step.items_per_action < step.items_per_action - 1:
                taken = item % step.items_per_action
                g.formula_card = plan.program.counts_as[taken] if step.as_they_lie else plan.items.card[taken]
            for effect in way.paying:
                expect(g, plan, plan.program.effects[effect], seat)
            found = expect_of_going(g, plan, step, way, seat, move)
            for effect in way.effects:
                found += expect(g, plan, plan.program.effects[effect], seat)
    return found


def expect_of_going(g: StateRecord, plan: AnyPlan, step: Choice, way: Action, seat: int, move: int) -> int:
    """What can be expected of the cards that go a way."""
    found = 0
    own = range(plan.count(move)) if plan.plain else range(plan.max_own_picks(way.laying))
    if way.laying.plays or plan.program.cards_count_elsewhere:
        for number in own:
            lay_alone(g, plan, way.laying, seat, own_lane(plan, move, number) % step.items_per_action)
    if way.laying.plays:
        for number in own if plan.with_effects else ():
            play = play_of(g, plan, way.laying, own_lane(plan, move, number) % step.items_per_action)
            found += expect_of_play(g, plan, play, seat)
        found += expect_of_reveal(g, plan, seat, None)
    return found


def lay_alone(g: StateRecord, plan: AnyPlan, step: Choice, seat: int, taken: int) -> None:
    """Lay the card that a lane names before its receiver."""
    play = play_of(g, plan, step, taken)
    if play >= 0:
        if plan.program.cards_count_elsewhere and not (step.plays and step.target == plan.tableau):
            g.words[seat] += plan.rises[step.source][step.target][play]
        else:
            g.words[seat] += increment_of(plan, g.words[seat], play)


# ── effects and triggers ────────────────────────────────────────────────────────────────────────────────────────────


def expect(g: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int) -> int:
    """What can be expected of an effect: its points, and counters as it leaves them."""
    return EXPECTED[change.kind](g, plan, change, seat)


def points(g: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int) -> int:
    return formula(g, plan, change.value, seat)


def mean_chip(g: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int) -> int:
    return plan.program.mean_chip_values[change.target]


def middle_side(g: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int) -> int:
    write(g, change.amounts[0].field, seat, 1 + change.sides // 2)
    return 0


def counters(g: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int) -> int:
    change_counters(g, plan, change, seat, "", ())
    return 0


def fewer(g: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int) -> int:
    """Discard cards of one kind, as an effect would: what they added to the counters goes with them."""
    if change.target >= 0:
        leaving = min(formula(g, plan, change.value, seat), read(g.words[seat], change.amounts[0].field))
        if len(change.pieces) > 1:
            give_away(g, plan, seat, change.pieces, change.amounts[0].field, max(leaving, 0))
        else:
            g.words[seat] -= max(leaving, 0) * plan.program.increments[change.target]
    return 0


def nothing(g: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int) -> int:
    return 0


EXPECTED = {
    "points": points, "chip": mean_chip, "roll": middle_side, "add": counters, "open": counters, "set": counters,
    "take": nothing, "discard": fewer, "unfold": nothing,
}  # fmt: skip
"""Markers are left out, discards of more than one kind of card, and what opens, on which nobody lays anything then."""


def expect_of_play(g: StateRecord, plan: AnyPlan, play: int, seat: int) -> int:
    """What can be expected of the effects of a play."""
    found = 0
    for own in plan.with_effects:
        if play == own:
            for effect in plan.program.plays[own].effects:
                found += expect(g, plan, plan.program.effects[effect], seat)
    return found


def expect_of_reveal(g: StateRecord, plan: AnyPlan, seat: int, bits: int | None) -> int:
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


def expect_of_watch(g: StateRecord, plan: AnyPlan, watch: CompiledTrigger, seat: int) -> int:
    """The points of a seat, and the counters of all whom a trigger concerns."""
    who = triggered_seats(g, plan, watch)
    found = 0
    for own in plan.ranked:
        if who >> own & 1:
            for effect in watch.effects:
                if own == seat:
                    found += expect(g, plan, plan.program.effects[effect], own)
                elif plan.program.effects[effect].amounts:
                    expect(g, plan, plan.program.effects[effect], own)
    return found
