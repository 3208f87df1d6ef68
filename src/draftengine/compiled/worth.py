"""What moves are worth to a seat: `draftengine.engine.preview.rises`, and beyond that `draftengine.engine.worth`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.compiled.expected import expect, expect_of_play, expect_of_reveal, standing
from draftengine.compiled.items import FURTHER
from draftengine.compiled.options import Options, lane, own_lane, shown_play
from draftengine.engine.text.zones import rise_of
from draftengine.engine.worth import LEVELS, ROUNDS_LEFT, SCALE, TURNS
from draftengine.staging.primitives import row

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


# ── what a table says ──────────────────────────────────────────────────────────────────────────────────────────────


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
    """What a move is worth, or the beginning of one."""
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
        return expect_of_way(g, plan, step, seat, move)
    found = 0
    for at, channel, number in plan.items.lanes(step):
        if channel == FURTHER and step.plays:
            give_up(g, plan, step, seat, lane(plan, move, at), number)
        lay_alone(g, plan, step, plan.items.receiver(step, seat, channel), lane(plan, move, at) & plan.items.mask)
    if step.plays:
        for at, channel, _ in plan.items.lanes(step) if plan.with_effects else ():
            play = play_of(g, plan, step, lane(plan, move, at) & plan.items.mask)
            points = expect_of_play(g, plan, play, plan.items.receiver(step, seat, channel))
            if channel <= FURTHER:
                found += points
        found += expect_of_reveal(g, plan, seat, None)
    return found


def give_up(g: Game, plan: Plan, step: Choice, seat: int, more: int, number: int) -> None:
    """The card of an ability leaves its seat when the first of the cards is taken for which it is used."""
    for place, ability in enumerate(step.abilities):
        if plan.gives_up(ability, number):
            if more > 0 and more >> plan.items.bits == place:
                g.words[seat] -= plan.program.increments[plan.program.abilities[ability].play]


def expect_of_way(g: Game, plan: Plan, step: Choice, seat: int, move: int) -> int:
    """The same of a move that goes a way: what it costs, its cards, and what it does."""
    found = 0
    item = own_lane(plan, move, 0) - 1
    for index, way in enumerate(step.ways):
        if item >= 0 and item // step.stride == index:
            g.about = 0
            if item % step.stride < step.stride - 1:
                g.about = plan.items.card[item % step.stride]
            for effect in way.paying:
                expect(g, plan, plan.program.effects[effect], seat)
            found = expect_of_going(g, plan, step, way, seat, move)
            for effect in way.effects:
                found += expect(g, plan, plan.program.effects[effect], seat)
    return found


def expect_of_going(g: Game, plan: Plan, step: Choice, way: Way, seat: int, move: int) -> int:
    """What can be expected of the cards that go a way."""
    found = 0
    own = range(plan.most_own(way.laying))
    if way.laying.plays or plan.program.wander:
        for number in own:
            lay_alone(g, plan, way.laying, seat, own_lane(plan, move, number) % step.stride)
    if way.laying.plays:
        for number in own if plan.with_effects else ():
            play = play_of(g, plan, way.laying, own_lane(plan, move, number) % step.stride)
            found += expect_of_play(g, plan, play, seat)
        found += expect_of_reveal(g, plan, seat, None)
    return found


def lay_alone(g: Game, plan: Plan, step: Choice, seat: int, taken: int) -> None:
    """What a lane says comes to a tableau."""
    play = play_of(g, plan, step, taken)
    if play >= 0:
        if plan.program.wander:
            g.words[seat] += plan.between(step.source, step.target)[play]
        else:
            g.words[seat] += rise_of(plan, g.words[seat], play)


def play_of(g: Game, plan: Plan, step: Choice, taken: int) -> int:
    """What play the item of a lane looks like, -1 for none."""
    if taken > 0:
        return shown_play(g, plan, step, taken - 1)
    return -1


def worth_of_move(g: Game, options: Options, plan: Plan, step: Choice, seat: int, first: int, move: int) -> int:
    """What the cards that a seat takes for itself are worth, less the cards of abilities that it gives up for them."""
    found = 0
    if step.ways:
        for index, way in enumerate(step.ways):
            if (own_lane(plan, move, 0) - 1) // step.stride == index:
                for number in range(plan.most_own(way.laying)):
                    option = own_lane(plan, move, number) % step.stride
                    found += worth_of_lane(g, options, plan, step, seat, start_of(g, plan, way.laying), option)
        return found
    for at, channel, number in plan.items.lanes(step):
        if channel <= FURTHER:
            taken = lane(plan, move, at)
            found += worth_of_lane(g, options, plan, step, seat, first, taken & plan.items.mask)
            for place, ability in enumerate(step.abilities):
                if channel == FURTHER and plan.gives_up(ability, number):
                    if taken > 0 and taken >> plan.items.bits == place:
                        found -= worth_of(g, options, plan, seat, first, plan.program.abilities[ability].play)
    return found


def worth_of_lane(g: Game, options: Options, plan: Plan, step: Choice, seat: int, first: int, taken: int) -> int:
    """What the card of a lane is worth beyond its points."""
    play = play_of(g, plan, step, taken)
    if play >= 0:
        return worth_of(g, options, plan, seat, first, play)
    return 0
