"""Steps that take cards off the table: clear and gather, and the counters that go with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.beliefs import after_gathering, count_after_clearing
from draftengine.engine.kernel.zones import card_at, empty_zone, fill, push, put_at, remove, truncate, zone_size
from draftengine.jit.primitives import dynamic_range

if TYPE_CHECKING:
    from draftengine.engine import cards
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.record import StateRecord


def clear(state: StateRecord, plan: AnyPlan, step: cards.Clear) -> None:
    """Discard the cards of a zone that counts, except those that are kept, with their counters."""
    if plan.watched:
        plan.observer.cleared(plan.state(state), step.zone)
    clear_zone(state, plan, step.zone, step.discard)
    if plan.observed:
        count_after_clearing(state, plan, step.zone, step.discard)


def clear_zone(state: StateRecord, plan: AnyPlan, zone: int, discard: int) -> None:
    """Empty a zone that counts into `discard`, except kept cards; reset counters for the tableau."""
    if plan.is_stored(zone):
        for seat in plan.seats:
            clear_cards(state, plan, zone, seat, discard)
    if zone == plan.tableau:
        reset(state, plan)


def reset(state: StateRecord, plan: AnyPlan) -> None:
    """Reset the counters that go with tableaus, then add what the remaining cards count."""
    program = plan.program
    for seat in plan.seats:
        state.words[seat] = (state.words[seat] & program.keep_bits) + program.keep_word
        for zone in plan.counting:
            if zone != plan.tableau:
                for position in dynamic_range(zone_size(state, plan, zone, seat)):
                    state.words[seat] += program.added_again[zone][card_at(state, plan, zone, seat, position)]
    if program.mixed:
        for seat in plan.seats:
            for position in dynamic_range(zone_size(state, plan, plan.tableau, seat)):
                state.words[seat] += plan.mixed[card_at(state, plan, plan.tableau, seat, position)]


def clear_cards(state: StateRecord, plan: AnyPlan, zone: int, seat: int, discard: int) -> None:
    """Discard a seat's cards that do not stay, in the order of play."""
    kept = 0
    for position in dynamic_range(zone_size(state, plan, zone, seat)):
        play = card_at(state, plan, zone, seat, position)
        if plan.stays[play]:
            put_at(state, plan, zone, seat, kept, play)
            kept += 1
        else:
            if zone != plan.tableau:
                state.words[seat] -= plan.program.added[zone][play]
            push(state, plan, discard, 0, plan.program.card_of[play])
    truncate(state, plan, zone, seat, kept)


def gather(state: StateRecord, plan: AnyPlan, step: cards.Gather) -> None:
    """Bring all cards of the box back into one zone, except those that stay in tableaus."""
    for zone in step.counting:
        clear_zone(state, plan, zone, step.target)
    empty_zones(state, plan)
    fill(state, plan, step.target, plan.program.deck)
    if plan.program.kept_plays:
        for zone in step.counting:
            for seat in plan.seats:
                for position in dynamic_range(zone_size(state, plan, zone, seat)):
                    remove(
                        state, plan, step.target, 0, plan.program.card_of[card_at(state, plan, zone, seat, position)]
                    )
    if plan.watched:
        plan.observer.gathered(plan.state(state), step.target)
    if plan.observed:
        after_gathering(state, plan)


def empty_zones(state: StateRecord, plan: AnyPlan) -> None:
    """Empty all zones except those in which cards count."""
    for zone in plan.zones:
        if zone not in plan.counting:
            empty_zone(state, plan, zone)
