"""The opinion of a learnt network (`draftengine.bots.net`) about moves in a world.

The network sees all hands of the world. It evaluates a node once, in the first world that reaches the node, and its
outputs are stored with the node. The value of a move is the sum of the outputs for its codes. The softmax of these
values over the legal moves is the *prior*, which guides the choice in the trees (PUCT: Rosin 2011).

All numbers are integers, so the results equal those of `draftengine.bots.net.Fitted`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.expected_gain import bit_field, own_lane
from draftengine.engine.kernel.formulas import read
from draftengine.engine.kernel.zones import card_at, position, zone_size
from draftengine.engine.plan.base import FURTHER, OWN
from draftengine.jit.primitives import dynamic_range, popcount, unknown

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.bots.net import InputPart
    from draftengine.bots.search.plan import Search, SearchPlan
    from draftengine.engine.choose import Choice
    from draftengine.engine.state import StateRecord


def feed(search: Search, plan: SearchPlan, entry: int, value: int) -> None:
    """Add the contribution of one input to the first layer."""
    if value != 0:
        first = entry * plan.network.sizes[0]
        for unit in dynamic_range(plan.network.sizes[0]):
            search.layer_1[unit] += value * search.weights[first + unit]


def feed_round(state: StateRecord, search: Search, plan: SearchPlan, part: InputPart, seat: int) -> None:
    feed(search, plan, unknown(part.start), state.round)


def feed_turn(state: StateRecord, search: Search, plan: SearchPlan, part: InputPart, seat: int) -> None:
    feed(search, plan, unknown(part.start), state.turn)


def feed_choice(state: StateRecord, search: Search, plan: SearchPlan, part: InputPart, seat: int) -> None:
    for number, index in enumerate(plan.choices):
        if state.pc == index:
            feed(search, plan, unknown(part.start + number), 1)


def feed_counters(state: StateRecord, search: Search, plan: SearchPlan, part: InputPart, seat: int) -> None:
    for number, field in enumerate(plan.program.fields):
        feed(search, plan, unknown(part.start + number), read(state.words[plan.seat_at(seat, part.place)], field))


def feed_scores(state: StateRecord, search: Search, plan: SearchPlan, part: InputPart, seat: int) -> None:
    for place in plan.seats:
        feed(search, plan, unknown(part.start + place), state.scores[plan.seat_at(seat, place)])


def feed_size(state: StateRecord, search: Search, plan: SearchPlan, part: InputPart, seat: int) -> None:
    if plan.program.zones[part.about].layout:
        feed(search, plan, unknown(part.start), popcount(state.lying[plan.layout(part.about)]))
    elif plan.owner_at(part, seat) in plan.owners(part.about):
        feed(search, plan, unknown(part.start), zone_size(state, plan, part.about, plan.owner_at(part, seat)))


def feed_cards(state: StateRecord, search: Search, plan: SearchPlan, part: InputPart, seat: int) -> None:
    if plan.owner_at(part, seat) in plan.owners(part.about):
        owner = plan.owner_at(part, seat)
        for number in dynamic_range(zone_size(state, plan, part.about, owner)):
            card = card_at(state, plan, part.about, owner, position(plan, part.about, number))
            feed(search, plan, part.start + plan.network.column[card], 1)


def feed_places(state: StateRecord, search: Search, plan: SearchPlan, part: InputPart, seat: int) -> None:
    layout = plan.layout(part.about)
    for place in range(len(plan.program.zones[part.about].layout)):
        if state.lying[layout] >> place & 1:
            entry = 0
            if not state.down[layout] >> place & 1:
                entry = 1 + plan.network.column[state.row[plan.first_place(part.about) + place]]
            feed(search, plan, part.start + place * (1 + plan.network.columns) + entry, 1)


def feed_marker(state: StateRecord, search: Search, plan: SearchPlan, part: InputPart, seat: int) -> None:
    if state.markers[part.about] < 0:
        feed(search, plan, unknown(part.start), 1)
    for place in plan.seats:
        if state.markers[part.about] == plan.seat_at(seat, place):
            feed(search, plan, unknown(part.start + 1 + place), 1)


def feed_chips_left(state: StateRecord, search: Search, plan: SearchPlan, part: InputPart, seat: int) -> None:
    for pile in plan.piles:
        feed(search, plan, unknown(part.start + pile), state.left[pile])


FEEDERS: dict[str, Callable[..., None]] = {
    "round": feed_round, "turn": feed_turn, "choice": feed_choice, "counters": feed_counters, "scores": feed_scores,
    "size": feed_size, "cards": feed_cards, "places": feed_places, "marker": feed_marker,
    "chips_left": feed_chips_left,
}  # fmt: skip
"""For each kind of part, the function that adds its inputs to the first layer."""


# ── the network ─────────────────────────────────────────────────────────────────────────────────────────────────────


def look_up(state: StateRecord, search: Search, plan: SearchPlan, seat: int, node: int) -> None:
    """Store the network's outputs at a node of a seat's tree, unless they are stored already."""
    if search.noted[node] == 0:
        for unit in dynamic_range(plan.network.sizes[0]):
            search.layer_1[unit] = search.weights[plan.network.biases[0] + unit]
        for part in plan.network.parts:
            FEEDERS[part.kind](state, search, plan, part, seat)
        note(search, plan, node)


def note(search: Search, plan: SearchPlan, node: int) -> None:
    """Compute the network's second layer and outputs, and store the outputs at a node."""
    for unit in dynamic_range(plan.network.sizes[1]):
        search.layer_2[unit] = search.weights[plan.network.biases[1] + unit]
    for entry in dynamic_range(plan.network.sizes[0]):
        if search.layer_1[entry] > 0:
            pass_on(search, plan, search.layer_1[entry], plan.network.starts[1] + entry * plan.network.sizes[1])
    for output in dynamic_range(plan.network.outputs):
        search.layer_3[output] = search.weights[plan.network.biases[2] + output]
    for entry in dynamic_range(plan.network.sizes[1]):
        value = search.layer_2[entry] >> plan.network.bits
        if value > 0:
            first = plan.network.starts[2] + entry * plan.network.outputs
            for output in dynamic_range(plan.network.outputs):
                search.layer_3[output] += value * search.weights[first + output]
    search.noted[node] = search.count
    search.count += plan.network.outputs
    for output in dynamic_range(plan.network.outputs):
        search.opinion[search.noted[node] + output] = search.layer_3[output] >> plan.network.bits


def pass_on(search: Search, plan: SearchPlan, value: int, first: int) -> None:
    """Add the contribution of one unit of the first layer to the second layer."""
    for unit in dynamic_range(plan.network.sizes[1]):
        search.layer_2[unit] += value * search.weights[first + unit]


def opinion_of(search: Search, plan: SearchPlan, step: Choice, first: int, move: int) -> int:
    """Return the value of a move: the sum of the outputs for its codes.

    `first` is the index of the node's first output in `Search.opinion`.
    """
    value = 0
    codes = 0
    for where, channel, number in plan.items.lanes_of(step):
        taken = bit_field(plan, move, where)
        if taken > 0:
            codes += 1
            value += search.opinion[first + output_of(plan, step, move, channel, number, taken)]
    if codes == 1:
        value += search.opinion[first + plan.network.done]
    return value


def output_of(plan: SearchPlan, step: Choice, move: int, channel: int, number: int, taken: int) -> int:
    """Return the index of the network's output for one card of a move; `taken` has the card's bits."""
    if channel == FURTHER:
        output = 0
        for place, ability in enumerate(step.abilities):
            if taken >> plan.items.bits == place:
                output = plan.network.output[1 + ability][(taken & plan.items.mask) - 1]
        return output
    if channel != OWN:
        return plan.network.output[step.first_other + channel - FURTHER - 1][taken - 1]
    if step.actions and number > 0:
        first = own_lane(plan, move, 0) - 1
        return plan.network.output[0][first - first % step.items_per_action + taken - 1]
    return plan.network.output[0][taken - 1]
