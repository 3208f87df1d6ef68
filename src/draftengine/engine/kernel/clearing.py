"""Steps that take cards from the table: clear and gather, and what then becomes of counters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine import seeing
from draftengine.engine import telling as tell
from draftengine.engine.kernel.beliefs import after_gathering, count_after_clearing
from draftengine.engine.kernel.layouts import clear_places
from draftengine.engine.kernel.zones import card_at, zone_size, truncate, push, put_at, remove
from draftengine.jit.primitives import dynamic_range

if TYPE_CHECKING:
    from draftengine.engine import cards
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.record import StateRecord


def clear(g: StateRecord, plan: AnyPlan, step: cards.Clear) -> None:
    """What lies in a zone that counts goes to the discards, but for cards that are kept; so do their counters."""
    if plan.plain:
        tell.cleared(plan.state(g), step.zone)
    clear_zone(g, plan, step.zone, step.discard)
    if not plan.plain and plan.observed:
        count_after_clearing(g, plan, step.zone, step.discard)


def clear_zone(g: StateRecord, plan: AnyPlan, zone: int, discard: int) -> None:
    """Empty a zone that counts, but for what stays."""
    if plan.is_stored(zone):
        for seat in plan.seats:
            clear_cards(g, plan, zone, seat, discard)
    if zone == plan.tableau:
        reset(g, plan)


def reset(g: StateRecord, plan: AnyPlan) -> None:
    """The counters that go with the tableaus are at their start again, but for what lies elsewhere and counts."""
    program = plan.program
    for seat in plan.seats:
        g.words[seat] = (g.words[seat] & program.keep_bits) + program.keep_word
        for zone in plan.counting:
            if zone != plan.tableau:
                for at in dynamic_range(zone_size(g, plan, zone, seat)):
                    g.words[seat] += program.added_again[zone][card_at(g, plan, zone, seat, at)]
    if program.mixed:
        for seat in plan.seats:
            for at in dynamic_range(zone_size(g, plan, plan.tableau, seat)):
                g.words[seat] += plan.mixed[card_at(g, plan, plan.tableau, seat, at)]


def clear_cards(g: StateRecord, plan: AnyPlan, zone: int, seat: int, discard: int) -> None:
    """What does not stay goes to the discards, in the order of play."""
    kept = 0
    for at in dynamic_range(zone_size(g, plan, zone, seat)):
        play = card_at(g, plan, zone, seat, at)
        if plan.stays[play]:
            put_at(g, plan, zone, seat, kept, play)
            kept += 1
        else:
            if zone != plan.tableau:
                g.words[seat] -= plan.program.added[zone][play]
            push(g, plan, discard, 0, plan.program.card_of[play])
    truncate(g, plan, zone, seat, kept)


def gather(g: StateRecord, plan: AnyPlan, step: cards.Gather) -> None:
    """Every card of the box comes back into one zone, but for those that stay in tableaus."""
    for zone in step.counting:
        clear_zone(g, plan, zone, step.target)
    empty_zones(g, plan)
    refill(g, plan, step.target, plan.program.deck)
    if plan.program.kept_plays:
        for zone in step.counting:
            for seat in plan.seats:
                for at in dynamic_range(zone_size(g, plan, zone, seat)):
                    remove(g, plan, step.target, 0, plan.program.card_of[card_at(g, plan, zone, seat, at)])
    if plan.plain:
        seeing.gathered(plan.state(g), step.target)
    elif plan.observed:
        after_gathering(g, plan)


def empty_zones(g: StateRecord, plan: AnyPlan) -> None:
    """Empty all zones but those in which cards count."""
    for zone in plan.zones:
        if zone not in plan.counting and plan.is_stored(zone):
            if plan.plain:
                for owner in plan.owners(zone):
                    plan.cards(g, zone, owner).clear()
            else:
                for lot in plan.lots_of(zone):
                    g.size[lot] = 0
                if plan.is_lanes(zone):
                    for owner in plan.owners(zone):
                        g.hand[plan.hand(zone, owner)] = 0
        if plan.program.zones[zone].layout:
            clear_places(g, plan, zone)


def refill(g: StateRecord, plan: AnyPlan, zone: int, contents: tuple[int, ...]) -> None:
    """Put these cards, and no others, into a zone."""
    if plan.plain:
        plan.cards(g, zone, 0)[:] = contents
    elif plan.is_stored(zone):
        first = plan.first(zone, 0)
        for at in dynamic_range(len(contents)):
            g.card_array[first + at] = contents[at]
        g.size[plan.size_index(zone, 0)] = len(contents)
