"""Steps that move cards without anybody choosing: shuffle, deal, pass, move, clear, gather."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.chance import SHARED_LIMIT
from draftengine.engine.text.chance import shuffle, shuffle_many
from draftengine.engine.text.formulas import formula
from draftengine.engine.text.memory import (
    after_deal,
    after_gathering,
    before_deal,
    before_move,
    count_after_clearing,
    count_again,
    forget,
    look,
)
from draftengine.engine.text.zones import card_at, is_lanes, lay_at, pop, push, remove, spot
from draftengine.staging.primitives import counted, row

if TYPE_CHECKING:
    from draftengine.compiled.plan import Plan
    from draftengine.engine.flow import cards
    from draftengine.engine.record import Game


def shuffle_zone(g: Game, plan: Plan, step: cards.Shuffle) -> None:
    """Shuffle what lies in a zone, of each owner."""
    for owner in plan.owners(step.zone):
        first, lot = plan.first(step.zone, owner), plan.lot(step.zone, owner)
        if plan.capacity(step.zone) > SHARED_LIMIT:
            if g.size[lot] > SHARED_LIMIT:
                shuffle_many(g, first, g.size[lot])
            else:
                shuffle(g, first, g.size[lot], 0)
        else:
            shuffle(g, first, g.size[lot], plan.unseen(step.zone))
    if plan.observed:
        forget(g, plan, step.zone)


def deal(g: Game, plan: Plan, step: cards.Deal) -> None:
    """Cards from the top of a zone come to each owner of another, as far as there are some."""
    if plan.observed:
        before_deal(g, plan, step)
    deal_cards(g, plan, step)
    if plan.observed:
        after_deal(g, plan, step)


def deal_cards(g: Game, plan: Plan, step: cards.Deal) -> None:
    """The same, seen by nobody."""
    count = formula(g, plan, step.cards, 0)
    if plan.program.zones[step.target].layout:
        lay_out(g, plan, step, count)
    elif plan.program.zones[step.target].per == "table":
        deal_to(g, plan, step, 0, count)
    elif plan.is_even(step.target) and plan.is_lanes(step.target):
        deal_evenly(g, plan, step, count)
    else:
        who = receivers(g, plan, step)
        for seat in plan.players:
            if who >> seat & 1:
                deal_to(g, plan, step, seat, count)


def receivers(g: Game, plan: Plan, step: cards.Deal) -> int:
    """The players who get cards, as bits."""
    who = 0
    for seat in plan.players:
        if step.who is not None:
            if formula(g, plan, step.who, seat):
                who |= 1 << seat
        elif step.marker < 0 or g.markers[step.marker] == seat:
            who |= 1 << seat
    return who


def as_many(g: Game, plan: Plan, step: cards.Deal, owner: int, count: int) -> int:
    """How many cards there are to deal."""
    if step.exact:
        return count
    return max(0, min(count, g.size[plan.lot(step.source, plan.owner(step.source, owner))]))


def deal_to(g: Game, plan: Plan, step: cards.Deal, owner: int, count: int) -> None:
    """Cards come to one owner."""
    for _ in counted(as_many(g, plan, step, owner, count)):
        push(g, plan, step.target, owner, pop(g, plan, step.source, plan.owner(step.source, owner)))


def deal_evenly(g: Game, plan: Plan, step: cards.Deal, count: int) -> None:
    """Cards come to players who hold equally many."""
    size = g.size[plan.lot(step.target, 0)]
    if plan.program.zones[step.source].per == "table":
        lot, first = plan.lot(step.source, 0), plan.first(step.source, 0)
        for seat in plan.players:
            top = first + g.size[lot] - 1
            hand = g.hand[plan.hand(step.target, seat)]
            for at in counted(count):
                hand |= g.heap[top - at] << (size + at) * plan.bits
            g.hand[plan.hand(step.target, seat)] = hand
            g.size[lot] -= count
    else:
        left = g.size[plan.lot(step.source, 0)]
        for seat in plan.players:
            for at in counted(count):
                card = card_at(g, plan, step.source, seat, spot(plan, step.source, left - 1 - at))
                lay_at(g, plan, step.target, seat, size + at, card)
            if is_lanes(plan, step.source):
                g.hand[plan.hand(step.source, seat)] &= (1 << (left - count) * plan.bits) - 1
        for lot in plan.lots_of(step.source):
            g.size[lot] -= count
    g.size[plan.lot(step.target, 0)] = size + count


def lay_out(g: Game, plan: Plan, step: cards.Deal, count: int) -> None:
    """Cards are laid to the empty places of a layout, in their order, as far as there are cards."""
    layout, first = plan.layout(step.target), plan.first_place(step.target)
    left = as_many(g, plan, step, 0, count)
    for at in counted(len(plan.program.zones[step.target].layout)):
        if left > 0 and not g.lying[layout] >> at & 1:
            g.row[first + at] = pop(g, plan, step.source, 0)
            g.lying[layout] |= 1 << at
            g.down[layout] |= 1 << at & plan.tables.face_down(step.target)
            left -= 1


def pass_on(g: Game, plan: Plan, step: cards.Pass) -> None:
    """Every player gives a zone to a neighbour at once."""
    if len(plan.directions(step.steps)) == 1:
        rotate(g, plan, step.zone, plan.directions(step.steps)[0])
    elif plan.rounds_to_the_left(step.steps) >> g.round & 1:
        rotate(g, plan, step.zone, 1)
    else:
        rotate(g, plan, step.zone, -1)
    if plan.observed:
        look(g, plan, step.zone)


def rotate(g: Game, plan: Plan, zone: int, by: int) -> None:
    """What the players have travels one seat on: to the left (1) or to the right (-1)."""
    count = len(plan.players)
    if plan.is_lanes(zone):
        old = row(count)
        for seat in plan.players:
            old[seat] = g.hand[plan.hand(zone, seat)]
        for seat in plan.players:
            g.hand[plan.hand(zone, seat)] = old[(seat - by) % count]
    else:
        rotate_lists(g, plan, zone, by)
    if not plan.is_even(zone):
        sizes = row(count)
        for seat in plan.players:
            sizes[seat] = g.size[plan.lot(zone, seat)]
        for seat in plan.players:
            g.size[plan.lot(zone, seat)] = sizes[(seat - by) % count]
    if plan.observed:
        rotate_shelves(g, plan, zone, by)


def rotate_shelves(g: Game, plan: Plan, zone: int, by: int) -> None:
    """What is known of the cards travels with them."""
    if plan.sights.travels(zone, 0):
        count = len(plan.players)
        old = row(count)
        for seat in plan.players:
            old[seat] = g.shelf[plan.sights.number(zone, seat)]
        for seat in plan.players:
            g.shelf[plan.sights.number(zone, seat)] = old[(seat - by) % count]


def rotate_lists(g: Game, plan: Plan, zone: int, by: int) -> None:
    """The same for cards that are lists: every place of them in turn."""
    count = len(plan.players)
    for at in counted(plan.capacity(zone)):
        old = row(count)
        for seat in plan.players:
            old[seat] = g.heap[plan.first(zone, seat) + at]
        for seat in plan.players:
            g.heap[plan.first(zone, seat) + at] = old[(seat - by) % count]


def move_all(g: Game, plan: Plan, step: cards.MoveAll) -> None:
    """All cards of a zone go to another zone of the same owner, or to a shared one."""
    if plan.observed:
        before_move(g, plan, step)
    for owner in plan.owners(step.source):
        if moves(g, plan, step, owner):
            move_from(g, plan, step, owner, plan.owner(step.target, owner))
    if plan.is_even(step.source):
        moved = g.size[plan.lot(step.source, 0)]
        g.size[plan.lot(step.source, 0)] = 0
        if plan.is_kept(step.target) and plan.is_even(step.target):
            g.size[plan.lot(step.target, 0)] += moved
    if plan.observed:
        count_again(g, plan, step.source)
        count_again(g, plan, step.target)


def moves(g: Game, plan: Plan, step: cards.MoveAll, owner: int) -> int:
    """Is a step for the cards of an owner."""
    if step.who is None or plan.program.zones[step.source].per != "seat":
        return True
    return owner in plan.players and formula(g, plan, step.who, owner) != 0


def move_from(g: Game, plan: Plan, step: cards.MoveAll, owner: int, target: int) -> None:
    """The cards of one owner go, in their order."""
    size = g.size[plan.lot(step.source, owner)]
    if plan.program.wander and plan.program.zones[step.source].per == "seat":
        for at in counted(size):
            card = card_at(g, plan, step.source, owner, spot(plan, step.source, at))
            g.words[owner] += plan.between(step.source, step.target)[card]
    if plan.is_kept(step.target):
        lot = plan.lot(step.target, target)
        if is_lanes(plan, step.source) and is_lanes(plan, step.target):
            g.hand[plan.hand(step.target, target)] |= g.hand[plan.hand(step.source, owner)] << g.size[lot] * plan.bits
        else:
            for at in counted(size):
                card = card_at(g, plan, step.source, owner, spot(plan, step.source, at))
                lay_at(g, plan, step.target, target, g.size[lot] + at, card)
        if not plan.is_even(step.target):
            g.size[lot] += size
    if is_lanes(plan, step.source):
        g.hand[plan.hand(step.source, owner)] = 0
    if not plan.is_even(step.source):
        g.size[plan.lot(step.source, owner)] = 0


def clear(g: Game, plan: Plan, step: cards.Clear) -> None:
    """What lies in a zone that counts goes to the discards, but for cards that are kept; so do their counters."""
    clear_zone(g, plan, step.zone, step.discard)
    if plan.observed:
        count_after_clearing(g, plan, step.discard)


def clear_zone(g: Game, plan: Plan, zone: int, discard: int) -> None:
    """Empty a zone that counts, but for what stays."""
    if plan.is_kept(zone):
        for seat in plan.seats:
            clear_cards(g, plan, zone, seat, discard)
    if zone == plan.tableau:
        reset(g, plan)


def reset(g: Game, plan: Plan) -> None:
    """The counters that go with the tableaus are at their start again, but for what lies elsewhere and counts."""
    program = plan.program
    for seat in plan.seats:
        g.words[seat] = (g.words[seat] & program.keep_bits) + program.keep_word
        for zone in plan.counting:
            if zone != plan.tableau:
                for at in counted(g.size[plan.lot(zone, seat)]):
                    g.words[seat] += program.added_again[zone][g.heap[plan.first(zone, seat) + at]]
    if program.mixed:
        for seat in plan.seats:
            for at in counted(g.size[plan.lot(plan.tableau, seat)]):
                g.words[seat] += plan.mixed[g.heap[plan.first(plan.tableau, seat) + at]]


def clear_cards(g: Game, plan: Plan, zone: int, seat: int, discard: int) -> None:
    """What does not stay goes to the discards, in the order of play."""
    first = plan.first(zone, seat)
    kept = 0
    for at in counted(g.size[plan.lot(zone, seat)]):
        play = g.heap[first + at]
        if plan.stays[play]:
            g.heap[first + kept] = play
            kept += 1
        else:
            if zone != plan.tableau:
                g.words[seat] -= plan.program.added[zone][play]
            push(g, plan, discard, 0, plan.program.card_of[play])
    g.size[plan.lot(zone, seat)] = kept


def gather(g: Game, plan: Plan, step: cards.Gather) -> None:
    """Every card of the box comes back into one zone, but for those that stay in tableaus."""
    for zone in step.counting:
        clear_zone(g, plan, zone, step.target)
    empty_zones(g, plan)
    refill(g, plan, step.target, plan.program.deck)
    if plan.program.stays:
        for zone in step.counting:
            for seat in plan.seats:
                for at in counted(g.size[plan.lot(zone, seat)]):
                    card = plan.program.card_of[g.heap[plan.first(zone, seat) + at]]
                    remove(g, plan, step.target, 0, card)
    if plan.observed:
        after_gathering(g, plan)


def empty_zones(g: Game, plan: Plan) -> None:
    """Nothing lies anywhere but where cards count."""
    for zone in plan.zones:
        if zone not in plan.counting and plan.is_kept(zone):
            for lot in plan.lots_of(zone):
                g.size[lot] = 0
            if plan.is_lanes(zone):
                for owner in plan.owners(zone):
                    g.hand[plan.hand(zone, owner)] = 0
        if plan.program.zones[zone].layout:
            g.lying[plan.layout(zone)] = 0
            g.down[plan.layout(zone)] = 0


def refill(g: Game, plan: Plan, zone: int, contents: tuple[int, ...]) -> None:
    """A zone holds these cards."""
    if plan.is_kept(zone):
        first = plan.first(zone, 0)
        for at in counted(len(contents)):
            g.heap[first + at] = contents[at]
        g.size[plan.lot(zone, 0)] = len(contents)
