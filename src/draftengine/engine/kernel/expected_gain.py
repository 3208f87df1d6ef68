"""The expected gain of a move before any seat moves, and the worth of its cards.

The cards are laid down as if nobody else moved, with average effects. Packed words are changed accordingly, and the
caller restores them. A move is a number with a *lane* of bits for each card (see `draftengine.engine.plan.items`). In
an interpreted game it is a tuple of codes; a code is converted to the value of a lane when it is read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.effects import change_counters, changed, triggered_seats, write
from draftengine.engine.kernel.formulas import formula, read
from draftengine.engine.kernel.laying import give_away
from draftengine.engine.kernel.zones import increment_of
from draftengine.engine.plan.base import FURTHER, LEVELS, ROUNDS_LEFT, TURNS

if TYPE_CHECKING:
    from draftengine.engine.choose import Action, Choice
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.program import CompiledAbility, CompiledEffect, CompiledTrigger
    from draftengine.engine.state import MoveScratch, StateRecord


def bit_field(plan: AnyPlan, move: int, position: int) -> int:
    """Return the bits of one card (its lane) in a move that is packed into a number; 0 for no card.

    In an interpreted game, `position` is that value itself.
    """
    if plan.plain:
        return position
    return move >> position & (1 << (plan.items.lane_bits if position else plan.items.first_bits)) - 1


def own_lane(plan: AnyPlan, move: int, number: int) -> int:
    """Return the lane (bits) of the `number`-th card that a seat takes for itself; 0 for no card."""
    if plan.plain:
        return plan.own_lane(move, number)
    return bit_field(plan, move, plan.items.own_lane(number))


def shown_play(state: StateRecord, plan: AnyPlan, step: Choice, item: int) -> int:
    """Return the play that an item's card is assumed to become; -1 if the card lies face down."""
    if step.layout:
        if plan.plain:
            return plan.face_at(state, step.source, item)
        if state.down[plan.layout(step.source)] >> item & 1:
            return -1
        return plan.program.typical[state.row[plan.first_place(step.source) + item]]
    return plan.items.representative_play[item]


def play_of(state: StateRecord, plan: AnyPlan, step: Choice, taken: int) -> int:
    """Return the play that a card is assumed to become, from its lane in a move; -1 for no card."""
    if taken > 0:
        return shown_play(state, plan, step, taken - 1)
    return -1


# ── moves ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def expect_of_move(state: StateRecord, plan: AnyPlan, step: Choice, seat: int, move: int) -> int:
    """Apply a move with its expected effects, as if nobody else moved.

    Return the points that it gives immediately.
    """
    if step.actions:
        return expect_of_way(state, plan, step, seat, move)
    gain = 0
    lanes = plan.lanes_of(step, move) if plan.plain else plan.items.lanes_of(step)
    for position, channel, number in lanes:
        if channel == FURTHER and step.plays:
            give_up(state, plan, step, seat, bit_field(plan, move, position), number)
        lay_alone(
            state,
            plan,
            step,
            plan.items.receiver(step, seat, channel),
            bit_field(plan, move, position) & plan.items.mask,
        )
    if step.plays:
        if plan.with_effects:
            for position, channel, _ in lanes:
                play = play_of(state, plan, step, bit_field(plan, move, position) & plan.items.mask)
                points = expect_of_play(state, plan, play, plan.items.receiver(step, seat, channel))
                if channel <= FURTHER:
                    gain += points
        gain += expect_of_reveal(state, plan, seat, None)
    return gain


def give_up(state: StateRecord, plan: AnyPlan, step: Choice, seat: int, more: int, number: int) -> None:
    """Subtract what an ability's card added if the `number`-th further card (lane `more`) begins a use."""
    for place, ability in enumerate(step.abilities):
        if plan.items.gives_up(ability, number):
            if more > 0 and more >> plan.items.bits == place:
                lose(state, plan, plan.program.abilities[ability], seat)


def lose(state: StateRecord, plan: AnyPlan, use: CompiledAbility, seat: int) -> None:
    """Subtract what an ability's card has added to the counters of its seat."""
    if len(use.pieces) > 1:
        give_away(state, plan, seat, use.pieces, use.field, 1)
    else:
        state.words[seat] -= plan.program.increments[use.play]


def expect_of_way(state: StateRecord, plan: AnyPlan, step: Choice, seat: int, move: int) -> int:
    """Apply price, cards and effects of a move that takes an action. Return the expected points."""
    gain = 0
    item = own_lane(plan, move, 0) - 1
    for index, way in enumerate(step.actions):
        if item >= 0 and item // step.items_per_action == index:
            state.formula_card = 0
            if item % step.items_per_action < step.items_per_action - 1:
                taken = item % step.items_per_action
                state.formula_card = plan.program.counts_as[taken] if step.as_they_lie else plan.items.card[taken]
            for effect in way.paying:
                expect(state, plan, plan.program.effects[effect], seat)
            gain = expect_of_going(state, plan, step, way, seat, move)
            for effect in way.effects:
                gain += expect(state, plan, plan.program.effects[effect], seat)
    return gain


def expect_of_going(state: StateRecord, plan: AnyPlan, step: Choice, way: Action, seat: int, move: int) -> int:
    """Lay down the cards that an action takes, with expected effects. Return the expected points."""
    gain = 0
    numbers = range(plan.count(move)) if plan.plain else range(plan.max_own_picks(way.laying))
    if way.laying.plays or plan.program.cards_count_elsewhere:
        for number in numbers:
            lay_alone(state, plan, way.laying, seat, own_lane(plan, move, number) % step.items_per_action)
    if way.laying.plays:
        for number in numbers if plan.with_effects else ():
            play = play_of(state, plan, way.laying, own_lane(plan, move, number) % step.items_per_action)
            gain += expect_of_play(state, plan, play, seat)
        gain += expect_of_reveal(state, plan, seat, None)
    return gain


def lay_alone(state: StateRecord, plan: AnyPlan, step: Choice, seat: int, taken: int) -> None:
    """Add the increment of a move's card, given by its lane (bits), to the word of the seat that gets it."""
    play = play_of(state, plan, step, taken)
    if play >= 0:
        if plan.program.cards_count_elsewhere and not (step.plays and step.target == plan.tableau):
            state.words[seat] += plan.rises[step.source][step.target][play]
        else:
            state.words[seat] += increment_of(plan, state.words[seat], play)


# ── effects and triggers ────────────────────────────────────────────────────────────────────────────────────────────


def expect(state: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int) -> int:
    """Apply the expected outcome of an effect to the counters. Return its points."""
    return EXPECTED[change.kind](state, plan, change, seat)


def points(state: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int) -> int:
    return formula(state, plan, change.value, seat)


def mean_chip(state: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int) -> int:
    return plan.program.mean_chip_values[change.target]


def middle_side(state: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int) -> int:
    write(state, change.amounts[0].field, seat, 1 + change.sides // 2)
    return 0


def counters(state: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int) -> int:
    change_counters(state, plan, change, seat, "", ())
    return 0


def fewer(state: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int) -> int:
    """Subtract from the seat's counters what the discarded copies added, if they are all of one card."""
    if change.target >= 0:
        leaving = min(formula(state, plan, change.value, seat), read(state.words[seat], change.amounts[0].field))
        if len(change.pieces) > 1:
            give_away(state, plan, seat, change.pieces, change.amounts[0].field, max(leaving, 0))
        else:
            state.words[seat] -= max(leaving, 0) * plan.program.increments[change.target]
    return 0


def nothing(state: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int) -> int:
    return 0


EXPECTED = {
    "points": points, "chip": mean_chip, "roll": middle_side, "add": counters, "open": counters, "set": counters,
    "take": nothing, "discard": fewer, "unfold": nothing, "rank": nothing,
}  # fmt: skip
"""The function that applies the expected outcome of an effect, for each kind of effect.

Four kinds are ignored: markers, discards of several kinds of cards, slots that open, and ranks. No card can be laid on
such slots in the same move. A seat that just arrived on a track is compared correctly without a rank.
"""


def expect_of_play(state: StateRecord, plan: AnyPlan, play: int, seat: int) -> int:
    """Apply the expected effects of a card laid down in the form `play`. Return their points."""
    gain = 0
    for candidate in plan.with_effects:
        if play == candidate:
            for effect in plan.program.plays[candidate].effects:
                gain += expect(state, plan, plan.program.effects[effect], seat)
    return gain


def expect_of_reveal(state: StateRecord, plan: AnyPlan, seat: int, bits: int | None) -> int:
    """Apply the triggers that run when cards are revealed. Return a seat's points.

    `bits` marks the counters that may have changed. With ``None``, words are compared to find the changes.
    """
    gain = 0
    for watch in plan.watches("reveal"):
        if plan.guard(watch) == 0:
            gain += expect_of_watch(state, plan, watch, seat)
        elif bits is not None:
            if plan.guard(watch) & bits:
                gain += expect_of_watch(state, plan, watch, seat)
        elif changed(state, plan) & plan.guard(watch):
            gain += expect_of_watch(state, plan, watch, seat)
    return gain


def expect_of_watch(state: StateRecord, plan: AnyPlan, watch: CompiledTrigger, seat: int) -> int:
    """Apply a trigger to the counters of all affected seats. Return a seat's points."""
    who = triggered_seats(state, plan, watch)
    gain = 0
    for each in plan.ranked:
        if who >> each & 1:
            for effect in watch.effects:
                if each == seat:
                    gain += expect(state, plan, plan.program.effects[effect], each)
                elif plan.program.effects[effect].amounts:
                    expect(state, plan, plan.program.effects[effect], each)
    return gain


SCALE = 1024
"""Worths are stored in units of 1 / `SCALE` points."""


def start_of(state: StateRecord, plan: AnyPlan, step: Choice) -> int:
    """Compute the index in the worth table at which the worths for a decision begin."""
    left = min(plan.rounds - state.round, ROUNDS_LEFT - 1)
    aside = not step.plays
    return ((2 * left + aside) * TURNS + min(state.turn, TURNS - 1)) * len(plan.program.plays) * LEVELS


def worth_of(state: StateRecord, options: MoveScratch, plan: AnyPlan, seat: int, first: int, play: int) -> int:
    """Return the worth of a card laid down as `play`, given the counters of a seat."""
    return options.worth[first + play * LEVELS + level_of(state, plan, seat, play)]


def level_of(state: StateRecord, plan: AnyPlan, seat: int, play: int) -> int:
    """Return the value of the counter that selects a play's worth, limited to 0 to `LEVELS - 1`."""
    level = (state.words[seat] >> plan.items.shift[play] & plan.items.field_mask[play]) - plan.items.offset[play]
    return min(max(level, 0), LEVELS - 1)


def worth_of_move(
    state: StateRecord, options: MoveScratch, plan: AnyPlan, step: Choice, seat: int, first: int, move: int
) -> int:
    """Add up the worths of the seat's own new cards, minus those of ability cards that it gives up."""
    worth = 0
    if step.actions:
        for index, way in enumerate(step.actions):
            if (own_lane(plan, move, 0) - 1) // step.items_per_action == index:
                for number in range(plan.count(move)) if plan.plain else range(plan.max_own_picks(way.laying)):
                    option = own_lane(plan, move, number) % step.items_per_action
                    worth += worth_of_lane(state, options, plan, step, seat, start_of(state, plan, way.laying), option)
        return worth
    for position, channel, number in plan.lanes_of(step, move) if plan.plain else plan.items.lanes_of(step):
        if channel <= FURTHER:
            taken = bit_field(plan, move, position)
            worth += worth_of_lane(state, options, plan, step, seat, first, taken & plan.items.mask)
            for place, ability in enumerate(step.abilities):
                if channel == FURTHER and plan.items.gives_up(ability, number):
                    if taken > 0 and taken >> plan.items.bits == place:
                        worth -= worth_of(state, options, plan, seat, first, plan.program.abilities[ability].play)
    return worth


def worth_of_lane(
    state: StateRecord, options: MoveScratch, plan: AnyPlan, step: Choice, seat: int, first: int, taken: int
) -> int:
    """Return the worth of a card, from its lane (bits) in a move; 0 for no card."""
    play = play_of(state, plan, step, taken)
    if play >= 0:
        return worth_of(state, options, plan, seat, first, play)
    return 0
