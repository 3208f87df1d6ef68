"""Actions of a choice: which are open to a player, which cards take them, and what they do.

See `model.verbs.actions`. In names and arguments here an action is a *way*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    """Return the actions that a player can take now, as bits."""
    bits = 0
    for index, way in enumerate(step.actions):
        if way_is_open(state, plan, step, way, seat):
            bits |= 1 << index
    return bits


def way_is_open(state: StateRecord, plan: AnyPlan, step: Choice, way: Action, seat: int) -> int:
    """True if an action is open: its condition holds, its price can be paid, and enough cards can take it.

    A nameless action is closed to players who would take no card.
    """
    if not way.depends_on_card:
        if not can_be_taken(state, plan, way, seat):
            return False
    wanted = formula(state, plan, way.cards, seat)
    if wanted <= 0:
        return way.name != NAMELESS
    return cards_for(state, plan, step, way, seat) >= (wanted if way.needs_all_cards else 1)


def can_be_taken(state: StateRecord, plan: AnyPlan, way: Action, seat: int) -> int:
    """True if an action's condition holds and its price can be paid; both may read `formula_card`."""
    if way.when is not None:
        if not formula(state, plan, way.when, seat):
            return False
    return not any(read(state.words[seat], field) < formula(state, plan, amount, seat) for field, amount in way.price)


def can_go(state: StateRecord, plan: AnyPlan, way: Action, seat: int, card: int) -> int:
    """True if a card can take an action. Sets `formula_card` if the action depends on the card."""
    if not (plan.admitted(way)[card] and can_be_named(state, plan, way, seat, card)):
        return False
    if way.depends_on_card:
        state.formula_card = plan.program.counts_as[card] if way.laying.as_they_lie else card
        return can_be_taken(state, plan, way, seat)
    return True


def can_be_named(state: StateRecord, plan: AnyPlan, way: Action, seat: int, card: int) -> int:
    """True if a card can be played now: always, except wild cards that are stuck."""
    if plan.wild and way.laying.plays:
        return not is_stuck(plan, cannot_be_played(state, plan, way.laying, seat), card)
    return True


def cards_for(state: StateRecord, plan: AnyPlan, step: Choice, way: Action, seat: int) -> int:
    """Count the cards of a player that can take an action."""
    if plan.admits_all(way):
        return zone_size(state, plan, step.source, plan.owner(step.source, seat))
    count = 0
    for number in dynamic_range(zone_size(state, plan, step.source, plan.owner(step.source, seat))):
        where = position(plan, step.source, number)
        count += can_go(state, plan, way, seat, card_at(state, plan, step.source, plan.owner(step.source, seat), where))
    return count


def cards_taken(state: StateRecord, plan: AnyPlan, step: Choice, way: Action, seat: int) -> int:
    """Compute the number of cards that a player takes with an action: its number, or all that can."""
    wanted = formula(state, plan, way.cards, seat)
    if wanted <= 0:
        return 0
    return min(wanted, cards_for(state, plan, step, way, seat))


# ── what ways do ────────────────────────────────────────────────────────────────────────────────────────────────────


def card_of(state: StateRecord, plan: AnyPlan, way: Action, seat: int) -> int:
    """Return the card that a player's action is about: its first card; 0 if it takes none."""
    if plan.plain:
        return plan.card_of(state, way, seat)
    if plan.picks > 0:
        if state.own_picks[seat] > 0:
            card = state.card[plan.pick_index(seat, 0)]
            return plan.program.counts_as[card] if way.laying.as_they_lie else card
    return 0


def pay(state: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> None:
    """Pay for the action that a player took."""
    for index, way in enumerate(step.actions):
        if way.paying or plan.watched:
            if state.way[seat] == index:
                if plan.watched:
                    plan.observer.way(plan.state(state), seat, way)
                carry_out_all(state, plan, way, way.paying, seat)


def do(state: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> None:
    """Carry out the effects of the action that a player took."""
    for index, way in enumerate(step.actions):
        if way.effects:
            if state.way[seat] == index:
                carry_out_all(state, plan, way, way.effects, seat)


def carry_out_all(state: StateRecord, plan: AnyPlan, way: Action, effects: tuple[int, ...], seat: int) -> None:
    """Carry out effects of an action; their formulas read the card that takes it."""
    state.formula_card = card_of(state, plan, way, seat)
    for effect in effects:
        carry_out(state, plan, plan.program.effects[effect], seat, way.name, way.source)
