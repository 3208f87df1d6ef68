"""Trees of a search: slots for moves, the choice among moves, and the counting of results.

Every seat has a tree of its own moves, and chooses by its own statistics: decoupled UCT (Tak, Lanctot & Winands, "Monte
Carlo Tree Search Variants for Simultaneous Move Games", 2014). The trees are open-loop: a node stands for the moves
that led to it in any world. So the number of tries of a move is compared with the number of times that the move was
available (Cowling, Powley & Whitehouse, "Information Set Monte Carlo Tree Search", 2012).

A node is a *slot*. The *block* of slots for the moves below a node is made when a seat first chooses there. The first
slots are for the item that the seat takes for itself (0 for none). If a move takes more cards, its path continues in a
block of further picks: for the seat itself, with an ability or for another seat.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.bots.search.prior import opinion_of
from draftengine.engine.kernel.expected_gain import SCALE, bit_field, own_lane
from draftengine.engine.policies import LOGISTIC_SIZE
from draftengine.jit.primitives import dynamic_range, square_root, truncated

if TYPE_CHECKING:
    from draftengine.bots.search.plan import Search, SearchPlan
    from draftengine.engine.choose import Choice
    from draftengine.engine.state import MoveScratch

NOWHERE = -1
"""The node of a player who has left its tree."""


# ── slots ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def slot_of(search: Search, plan: SearchPlan, step: Choice, node: int, move: int) -> int:
    """Return the slot of a move below a node. Blocks of slots that are missing on its path are made."""
    slot = behind(search, plan, node)
    for number in plan.items.own_lanes(step):
        taken = own_lane(plan, move, number)
        if number == 0:
            slot += taken
        elif taken > 0:
            slot = further_behind(search, plan, slot) + taken - 1
    for number in range(plan.max_ability_picks(step)):
        more = bit_field(plan, move, plan.items.further_lane(step, number))
        if more > 0:
            slot = further_behind(search, plan, slot) + by_ability(plan, step, more)
    for index, (_, _, cards) in enumerate(step.also):
        for number in range(cards):
            other = bit_field(plan, move, plan.items.other_lane(step, index, number))
            if other > 0:
                slot = further_behind(search, plan, slot) + plan.first_other + index * plan.named + other - 1
    return slot


def by_ability(plan: SearchPlan, step: Choice, more: int) -> int:
    """Return the index, in a block of slots for further picks, of a card that an ability takes."""
    place = plan.first_further + (more & plan.items.mask) - 1
    for number, ability in enumerate(step.abilities):
        if more >> plan.items.bits == number:
            place += ability * plan.named
    return place


def behind(search: Search, plan: SearchPlan, node: int) -> int:
    """Return the first slot of the block of moves below a node. A missing block is made."""
    if search.child[node] == 0:
        search.child[node] = new_block(search, plan.slots)
    return search.child[node]


def further_behind(search: Search, plan: SearchPlan, slot: int) -> int:
    """Return the first slot of the block, made if missing, that adds one card to the move of `slot`."""
    if search.further[slot] == 0:
        search.further[slot] = new_block(search, plan.further_slots)
    return search.further[slot]


def has_room(search: Search, plan: SearchPlan, number: int) -> int:
    """True if there is room for all slots that one more playout can add.

    A seat adds slots below at most one node of its tree per playout, and the tree gets at most one level deeper. No
    node has more visits than there were playouts. Each compared move may take further cards.
    """
    wide = min(widest(search, number), plan.items.most)
    by_seat = plan.slots
    if plan.by_network:
        wide = plan.items.most
        by_seat += plan.network.outputs
    by_seat += (search.deepest + 1) * wide * plan.most_behind * plan.further_slots
    return search.count + len(plan.players) * by_seat <= search.room


def new_block(search: Search, size: int) -> int:
    """Make a block of `size` zeroed slots. Return the first of them."""
    first = search.count
    search.count += size
    for index in dynamic_range(size):
        search.visits[first + index] = 0
        search.available[first + index] = 0
        search.child[first + index] = 0
        search.further[first + index] = 0
        search.total[first + index] = 0
        search.margins[first + index] = 0
        search.noted[first + index] = 0
    return first


# ── choosing ────────────────────────────────────────────────────────────────────────────────────────────────────────


def select(search: Search, options: MoveScratch, plan: SearchPlan, step: Choice, seat: int, count: int) -> int:
    """Choose the move that a seat tries among `count` valued moves, and step to it. Return its index.

    Only the best moves by value are compared, and more of them as the node gets more visits (progressive widening:
    Coulom 2007). Against several opponents, there are fewer playouts for each choice, so half as many moves are
    compared. If the moves are bids of equal value, each seat starts with a different bid. Otherwise all seats would
    make the same bid in every playout, and nobody would win.
    """
    node = search.node[seat]
    wide = min(count, widest(search, search.visits[node]))
    first = 0
    if plan.items.is_bid(step):
        first = seat * count // len(plan.players)
    sort_moves(options, count, wide, first)
    fresh = -1
    for place in dynamic_range(wide):
        slot = slot_of(search, plan, step, node, options.move[options.order[place]])
        search.branch[place] = slot
        search.available[slot] += 1
        if fresh < 0 and search.visits[slot] == 0:
            fresh = place
    if fresh < 0:
        fresh = best_branch(search, seat, wide)
    step_to(search, plan, seat, search.branch[fresh])
    return options.order[fresh]


def widest(search: Search, visits: int) -> int:
    """Return the largest number of moves to compare at a node with this number of visits."""
    return 1 + truncated(square_root(visits)) // (1 + search.by_models)


def sort_moves(options: MoveScratch, count: int, wide: int, first: int) -> None:
    """Store the indices of the `wide` best moves in `order`, best first.

    Moves of equal value are ordered from index `first` on.
    """
    for index in dynamic_range(count):
        number = index + first
        if number >= count:
            number -= count
        value = options.value[number]
        place = min(index, wide)
        while place > 0 and options.value[options.order[place - 1]] < value:
            options.order[place] = options.order[place - 1]
            place -= 1
        options.order[place] = number


def best_branch(search: Search, seat: int, wide: int) -> int:
    """Return the index of the branch with the highest upper confidence bound.

    Utilities are scaled to the range of results that the seat has seen.
    """
    low = search.lowest[seat]
    span = search.highest[seat] - low
    weight = search.exploration / SCALE
    chosen = 0
    best = -1.0
    for place in dynamic_range(wide):
        slot = search.branch[place]
        visits = search.visits[slot]
        mean = 0.0
        if span > 0:
            mean = (search.total[slot] / visits - low) / span
        bound = mean + weight * square_root(search.log[search.available[slot]] / visits)
        if bound > best:
            chosen = place
            best = bound
    return chosen


_FARTHEST = 1023
"""The last index of `Search.powers`."""
_UNTRIED = 0.1
"""The difference between the mean of a node and the value of an untried move, as a share of the range."""


def select_by_prior(search: Search, options: MoveScratch, plan: SearchPlan, step: Choice, seat: int, count: int) -> int:
    """Choose the move that a seat tries among `count` listed moves, and step to it. Return its index.

    All moves are compared. The better the network rates a move, the larger is its bound (PUCT).
    """
    weights = weigh(search, options, plan, step, seat, count)
    low = search.lowest[seat]
    span = search.highest[seat] - low
    total = 0
    visits = 0
    for number in dynamic_range(count):
        slot = slot_of(search, plan, step, search.node[seat], options.move[number])
        search.branch[number] = slot
        search.available[slot] += 1
        total += search.total[slot]
        visits += search.visits[slot]
    untried = 0.5
    if span > 0 and visits > 0:
        untried = (total / visits - low) / span - _UNTRIED
    chosen = 0
    best = -1.0e9
    for number in dynamic_range(count):
        slot = search.branch[number]
        mean = untried
        if search.visits[slot] > 0 and span > 0:
            mean = (search.total[slot] / search.visits[slot] - low) / span
        bound = mean + search.prior[number] / weights * square_root(search.available[slot]) / (1 + search.visits[slot])
        if bound > best:
            chosen = number
            best = bound
    step_to(search, plan, seat, search.branch[chosen])
    return chosen


def weigh(search: Search, options: MoveScratch, plan: SearchPlan, step: Choice, seat: int, count: int) -> float:
    """Compute the weight of every listed move from the network's outputs for the node. Return their sum."""
    first = search.noted[search.node[seat]]
    top = opinion_of(search, plan, step, first, options.move[0])
    for number in dynamic_range(count):
        options.value[number] = opinion_of(search, plan, step, first, options.move[number])
        top = max(top, options.value[number])
    weights = 0.0
    for number in dynamic_range(count):
        search.prior[number] = search.powers[min(_FARTHEST, (top - options.value[number]) >> plan.network.bits - 6)]
        weights += search.prior[number]
    return weights


def step_to(search: Search, plan: SearchPlan, seat: int, slot: int) -> None:
    """Make a move of a seat in its tree. If the move was never tried before, the seat leaves the tree."""
    search.path[seat * plan.most_decisions + search.length[seat]] = slot
    search.length[seat] += 1
    search.deepest = max(search.deepest, search.length[seat])
    search.node[seat] = NOWHERE
    if search.visits[slot] > 0 and not search.alone:
        search.node[seat] = slot


# ── counting ────────────────────────────────────────────────────────────────────────────────────────────────────────


def count_on_path(search: Search, plan: SearchPlan, seat: int, margin: int, near: int) -> None:
    """Count a finished playout at the root of a seat and on its path.

    `near` is 1 if the playout ended with the round.
    """
    utility = margin
    if not search.by_margin:
        points = max(0, min(LOGISTIC_SIZE - 1, margin // SCALE + LOGISTIC_SIZE // 2))
        utility = search.chances[points + (1 - near) * LOGISTIC_SIZE]
    search.lowest[seat] = min(search.lowest[seat], utility)
    search.highest[seat] = max(search.highest[seat], utility)
    search.visits[seat] += 1
    for index in dynamic_range(search.length[seat]):
        slot = search.path[seat * plan.most_decisions + index]
        search.visits[slot] += 1
        search.total[slot] += utility
        search.margins[slot] += margin
