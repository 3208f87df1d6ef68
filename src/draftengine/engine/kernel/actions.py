"""Ways: which of them are open to a player, what goes them, and what they do (see `model.verbs.actions`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine import telling as tell
from draftengine.engine.kernel.effects import carry_out
from draftengine.engine.kernel.formulas import formula, read
from draftengine.engine.kernel.wild_cards import cannot_be_played, is_stuck
from draftengine.engine.kernel.zones import card_at, position, zone_size
from draftengine.jit.primitives import dynamic_range
from draftengine.model.verbs.actions import NAMELESS

if TYPE_CHECKING:
    from draftengine.engine.choose import Action, Choice
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.record import StateRecord


def open_ways(state: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> int:
    """The ways that a player can take now, as bits."""
    bits = 0
    for index, way in enumerate(step.actions):
        if way_is_open(state, plan, step, way, seat):
            bits |= 1 << index
    return bits


def way_is_open(state: StateRecord, plan: AnyPlan, step: Choice, way: Action, seat: int) -> int:
    """Is a way open: its condition holds, it can be paid, and there are cards enough that can go it.

    A choice without ways is for nobody who shall take no card.
    """
    if not way.depends_on_card:
        if not can_be_taken(state, plan, way, seat):
            return False
    wanted = formula(state, plan, way.cards, seat)
    if wanted <= 0:
        return way.name != NAMELESS
    return cards_for(state, plan, step, way, seat) >= (wanted if way.needs_all_cards else 1)


def can_be_taken(state: StateRecord, plan: AnyPlan, way: Action, seat: int) -> int:
    """Does the condition of a way hold, and can it be paid; either may ask what `formula_card` has."""
    if way.when is not None:
        if not formula(state, plan, way.when, seat):
            return False
    return not any(read(state.words[seat], field) < formula(state, plan, amount, seat) for field, amount in way.price)


def can_go(state: StateRecord, plan: AnyPlan, way: Action, seat: int, card: int) -> int:
    """Can a card go a way."""
    if not (plan.admitted(way)[card] and can_be_named(state, plan, way, seat, card)):
        return False
    if way.depends_on_card:
        state.formula_card = plan.program.counts_as[card] if way.laying.as_they_lie else card
        return can_be_taken(state, plan, way, seat)
    return True


def can_be_named(state: StateRecord, plan: AnyPlan, way: Action, seat: int, card: int) -> int:
    """Is there a form in which a card can be played now."""
    if plan.wild and way.laying.plays:
        return not is_stuck(plan, cannot_be_played(state, plan, way.laying, seat), card)
    return True


def cards_for(state: StateRecord, plan: AnyPlan, step: Choice, way: Action, seat: int) -> int:
    """How many cards of a player can go a way."""
    if plan.admits_all(way):
        return zone_size(state, plan, step.source, plan.owner(step.source, seat))
    if plan.plain:
        return sum(
            [
                can_go(state, plan, way, seat, card)
                for card in plan.cards(state, step.source, plan.owner(step.source, seat))
            ]
        )
    count = 0
    for number in dynamic_range(zone_size(state, plan, step.source, plan.owner(step.source, seat))):
        where = position(plan, step.source, number)
        count += can_go(state, plan, way, seat, card_at(state, plan, step.source, plan.owner(step.source, seat), where))
    return count


def cards_taken(state: StateRecord, plan: AnyPlan, step: Choice, way: Action, seat: int) -> int:
    """How many cards of a player go a way: as many as it takes, or all that can."""
    wanted = formula(state, plan, way.cards, seat)
    if wanted <= 0:
        return 0
    return min(wanted, cards_for(state, plan, step, way, seat))


# ── what ways do ────────────────────────────────────────────────────────────────────────────────────────────────────


def card_of(state: StateRecord, plan: AnyPlan, way: Action, seat: int) -> int:
    """The card that the way of a player is about; the first one where none goes it."""
    if plan.plain:
        return plan.card_of(state, way, seat)
    if plan.picks > 0:
        if state.own_picks[seat] > 0:
            card = state.card[plan.pick_index(seat, 0)]
            return plan.program.counts_as[card] if way.laying.as_they_lie else card
    return 0


def pay(state: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> None:
    """Pay for the way that a player took."""
    for index, way in enumerate(step.actions):
        if way.paying or plan.plain:
            if state.way[seat] == index:
                if plan.plain:
                    tell.way(plan.state(state), seat, way)
                carry_out_all(state, plan, way, way.paying, seat)


def do(state: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> None:
    """Carry out what the way that a player took does to it."""
    for index, way in enumerate(step.actions):
        if way.effects:
            if state.way[seat] == index:
                carry_out_all(state, plan, way, way.effects, seat)


def carry_out_all(state: StateRecord, plan: AnyPlan, way: Action, effects: tuple[int, ...], seat: int) -> None:
    """Carry out effects of a way, whose formulas are about the card that goes it."""
    state.formula_card = card_of(state, plan, way, seat)
    for effect in effects:
        carry_out(state, plan, plan.program.effects[effect], seat, way.name, way.source)
