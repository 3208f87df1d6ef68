"""What moves are worth to a seat: `draftengine.engine.preview.rises`, and beyond that `draftengine.engine.worth`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.compiled.expected import expect, expect_of_play, expect_of_reveal, standing
from draftengine.compiled.options import (
    Options,
    add,
    items_of,
    kinds_in_hand,
    lane,
    list_moves,
    shown_play,
    takes_one,
)
from draftengine.engine.text.zones import rise_of
from draftengine.engine.worth import LEVELS, ROUNDS_LEFT, SCALE, TURNS
from draftengine.staging.primitives import counted, row

if TYPE_CHECKING:
    from draftengine.compiled.plan import Plan
    from draftengine.engine.flow.choose import Choice, Way
    from draftengine.engine.record import Game
    from draftengine.engine.worth import Worth


def by_decision(worth: Worth) -> list[int]:
    """A learnt table with what a decision fixes first: rounds to come, aside, turn; then play and level."""
    plays, values = len(worth.counters), worth.values
    return [
        values[((2 * left + aside) * plays + play) * LEVELS * TURNS + level * TURNS + turn]
        for left in range(ROUNDS_LEFT)
        for aside in range(2)
        for turn in range(TURNS)
        for play in range(plays)
        for level in range(LEVELS)
    ]


# ── all moves of a seat ─────────────────────────────────────────────────────────────────────────────────────────────


def evaluate(g: Game, options: Options, plan: Plan, step: Choice, seat: int, by_table: int) -> int:
    """All legal moves of a seat in ascending order, and what each is worth; how many."""
    if plan.items.at_a_glance(step):
        if takes_one(g, plan, step, seat):
            return evaluate_items(g, options, plan, step, seat, by_table)
    count = list_moves(g, options, plan, step, seat)
    evaluate_listed(g, options, plan, step, seat, count, by_table)
    return count


def evaluate_items(g: Game, options: Options, plan: Plan, step: Choice, seat: int, by_table: int) -> int:
    """The moves of one card: option by option."""
    items = items_of(g, plan, step, seat, kinds_in_hand(g, plan, step, seat))
    first = start_of(g, plan, step)
    was = row(len(plan.seats))
    count = 0
    for own in plan.compared(step):
        was[own] = g.before[own]
        g.before[own] = g.words[own]
    for item in plan.items.options:
        if items >> item & 1:
            options.value[count] = value_of_item(g, options, plan, step, seat, first, item, by_table)
            count = add(options, count, item + 1)
    for own in plan.compared(step):
        g.before[own] = was[own]
    return count


def evaluate_listed(g: Game, options: Options, plan: Plan, step: Choice, seat: int, count: int, by_table: int) -> None:
    """What each of the moves that are listed is worth."""
    first = start_of(g, plan, step)
    was = row(len(plan.seats))
    for own in plan.compared(step):
        was[own] = g.before[own]
        g.before[own] = g.words[own]
    if step.plays or plan.program.wander or step.ways:
        for index in range(len(plan.program.rules)):
            options.standing[index] = standing(g, plan, index, seat)
    for number in counted(count):
        options.value[number] = value_of_move(g, options, plan, step, seat, first, options.move[number], by_table)
    for own in plan.compared(step):
        g.before[own] = was[own]


def start_of(g: Game, plan: Plan, step: Choice) -> int:
    """Where the worths of a decision begin in the table of worths."""
    left = min(plan.rounds - g.round, ROUNDS_LEFT - 1)
    aside = not step.plays
    return ((2 * left + aside) * TURNS + min(g.turn, TURNS - 1)) * len(plan.program.plays) * LEVELS


def worth_of(g: Game, options: Options, plan: Plan, seat: int, first: int, play: int) -> int:
    """What a play is worth beyond its points, for the counters of a seat."""
    return options.worth[first + play * LEVELS + level_of(g, plan, seat, play)]


def level_of(g: Game, plan: Plan, seat: int, play: int) -> int:
    """The value of the counter that tells the worths of a play apart."""
    level = (g.words[seat] >> plan.items.shift[play] & plan.items.field_mask[play]) - plan.items.bias[play]
    return min(max(level, 0), LEVELS - 1)


# ── one card that is known ──────────────────────────────────────────────────────────────────────────────────────────


def value_of_item(
    g: Game, options: Options, plan: Plan, step: Choice, seat: int, first: int, item: int, by_table: int
) -> int:
    """What it is worth to take a known item and nothing else."""
    gain = 0
    if step.plays or plan.program.wander:
        gain = gain_of_play(g, plan, step, seat, plan.items.shown[item])
    if by_table:
        own = worth_of(g, options, plan, seat, first, plan.items.shown[item])
        return SCALE * plan.program.direction * gain + own
    return gain


def gain_of_play(g: Game, plan: Plan, step: Choice, seat: int, play: int) -> int:
    """How much the provisional score of a seat rises by a known play, or by a card that only goes elsewhere."""
    was = row(len(plan.seats))
    for own in plan.touched(seat):
        was[own] = g.words[own]
    found = 0
    for index in plan.items.rules_behind(play):
        found -= standing(g, plan, index, seat)
    if plan.program.wander:
        g.words[seat] += plan.between(step.source, step.target)[play]
    elif plan.program.plays[play].modifiers:
        g.words[seat] += rise_of(plan, g.words[seat], play)
    else:
        g.words[seat] += plan.program.increments[play]
    if step.plays:
        if plan.program.plays[play].effects:
            found += expect_of_play(g, plan, play, seat)
        found += expect_of_reveal(g, plan, seat, plan.items.changes(play))
    for index in plan.items.rules_behind(play):
        found += standing(g, plan, index, seat)
    for own in plan.touched(seat):
        g.words[own] = was[own]
    return found


# ── any move ────────────────────────────────────────────────────────────────────────────────────────────────────────


def value_of_move(
    g: Game, options: Options, plan: Plan, step: Choice, seat: int, first: int, move: int, by_table: int
) -> int:
    """What a move is worth."""
    gain = 0
    if step.plays or plan.program.wander or step.ways:
        gain = gain_of_move(g, options, plan, step, seat, move)
    if by_table:
        return SCALE * plan.program.direction * gain + worth_of_move(g, options, plan, step, seat, first, move)
    return gain


def gain_of_move(g: Game, options: Options, plan: Plan, step: Choice, seat: int, move: int) -> int:
    """How much the provisional score of a seat rises by a move: only rules that look at changes are asked."""
    was = row(len(plan.seats))
    for own in plan.seats:
        was[own] = g.words[own]
    found = expect_of_move(g, plan, step, seat, move)
    bits = 0
    for own in plan.seats:
        bits |= was[own] ^ g.words[own]
    for index in range(len(plan.program.rules)):
        if bits & plan.program.rules[index].reads:
            found += standing(g, plan, index, seat) - options.standing[index]
    for own in plan.seats:
        g.words[own] = was[own]
    return found


def expect_of_move(g: Game, plan: Plan, step: Choice, seat: int, move: int) -> int:
    """Lay down a move alone, and do what can be expected of it; the points that it gives the seat at once."""
    if step.ways:
        return expect_of_way(g, plan, step, seat, lane(plan, move, plan.items.own_lane()) - 1)
    found = 0
    own = -1
    further = -1
    if not step.offer:
        own = lay_alone(g, plan, step, seat, lane(plan, move, plan.items.own_lane()))
    if step.abilities:
        more = lane(plan, move, plan.items.further_lane(step))
        for number, ability in enumerate(step.abilities):
            if more > 0 and more >> plan.items.bits == number:
                if plan.program.abilities[ability].model.returns_to != "stays":
                    g.words[seat] -= plan.program.increments[plan.program.abilities[ability].play]
        further = lay_alone(g, plan, step, seat, more & plan.items.mask)
    for receiver, _, _ in step.also:
        other = lay_alone(g, plan, step, receiver, lane(plan, move, plan.items.other_lane(step)))
    if not step.plays:
        return found
    if plan.with_effects:
        found += expect_of_play(g, plan, own, seat)
        found += expect_of_play(g, plan, further, seat)
        for receiver, _, _ in step.also:
            expect_of_play(g, plan, other, receiver)
    found += expect_of_reveal(g, plan, seat, None)
    return found


def expect_of_way(g: Game, plan: Plan, step: Choice, seat: int, item: int) -> int:
    """The same of a move that goes a way: what it costs, its card, and what it does."""
    found = 0
    for index, way in enumerate(step.ways):
        if item // step.stride == index:
            g.about = 0
            if item % step.stride < step.stride - 1:
                g.about = plan.items.card[item % step.stride]
            for effect in way.paying:
                expect(g, plan, plan.program.effects[effect], seat)
            found = expect_of_going(g, plan, step, way, seat, item % step.stride)
            for effect in way.effects:
                found += expect(g, plan, plan.program.effects[effect], seat)
    return found


def expect_of_going(g: Game, plan: Plan, step: Choice, way: Way, seat: int, option: int) -> int:
    """What can be expected of the card that goes a way, if there is one."""
    found = 0
    if option < step.stride - 1:
        if way.laying.plays or plan.program.wander:
            play = lay_alone(g, plan, way.laying, seat, option + 1)
            if way.laying.plays:
                if plan.with_effects:
                    found += expect_of_play(g, plan, play, seat)
                found += expect_of_reveal(g, plan, seat, None)
    return found


def lay_alone(g: Game, plan: Plan, step: Choice, seat: int, taken: int) -> int:
    """What a lane says comes to a tableau; what play it looks like, -1 for none."""
    play = -1
    if taken > 0:
        play = shown_play(g, plan, step, taken - 1)
        if play >= 0:
            if plan.program.wander:
                g.words[seat] += plan.between(step.source, step.target)[play]
            else:
                g.words[seat] += rise_of(plan, g.words[seat], play)
    return play


def worth_of_move(g: Game, options: Options, plan: Plan, step: Choice, seat: int, first: int, move: int) -> int:
    """What the cards that a seat takes for itself are worth, less the card of an ability that it gives up for them."""
    if step.ways:
        return worth_of_way(g, options, plan, step, seat, lane(plan, move, plan.items.own_lane()) - 1)
    found = 0
    if not step.offer:
        found += worth_of_lane(g, options, plan, step, seat, first, lane(plan, move, plan.items.own_lane()))
    if step.abilities:
        more = lane(plan, move, plan.items.further_lane(step))
        found += worth_of_lane(g, options, plan, step, seat, first, more & plan.items.mask)
        for number, ability in enumerate(step.abilities):
            if more > 0 and more >> plan.items.bits == number:
                if plan.program.abilities[ability].model.returns_to != "stays":
                    found -= worth_of(g, options, plan, seat, first, plan.program.abilities[ability].play)
    return found


def worth_of_way(g: Game, options: Options, plan: Plan, step: Choice, seat: int, item: int) -> int:
    """What the card that goes a way is worth beyond its points, if there is one."""
    found = 0
    option = item % step.stride
    if option < step.stride - 1:
        for index, way in enumerate(step.ways):
            if item // step.stride == index:
                found = worth_of(g, options, plan, seat, start_of(g, plan, way.laying), plan.items.shown[option])
    return found


def worth_of_lane(g: Game, options: Options, plan: Plan, step: Choice, seat: int, first: int, taken: int) -> int:
    """What the card of a lane is worth beyond its points."""
    if taken > 0:
        play = shown_play(g, plan, step, taken - 1)
        if play >= 0:
            return worth_of(g, options, plan, seat, first, play)
    return 0
