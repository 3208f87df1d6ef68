"""Choices: who has to choose, which actions are open, and how all moves are carried out together.

The move of a seat is stored in its *picks*: first cards for itself, then further cards that an ability takes, then
cards for extra seats. A pick is a card or a place of a layout, and perhaps the form in which the card is laid down.
Names and arguments here call an action (`draftengine.model.verbs.actions`) a *way*.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.beliefs import count_after_effects, follow_exchange, follow_move, follow_stock
from draftengine.engine.kernel.effects import CHANGING, add, carry_out, effects_of, trigger
from draftengine.engine.kernel.formulas import formula, read
from draftengine.engine.kernel.laying import lay, lay_move, lay_picks, log, put_down
from draftengine.engine.kernel.turns import is_for
from draftengine.engine.kernel.wild_cards import cannot_be_played, is_stuck
from draftengine.engine.kernel.zones import (
    card_at,
    contains,
    copy_stock,
    disturb,
    empty_lot,
    find,
    open_places,
    position,
    push,
    put_at_end,
    remove,
    remove_at,
    turn_up,
    zone_size,
)
from draftengine.engine.state import reset_scratch
from draftengine.jit.primitives import dynamic_range, popcount
from draftengine.model.verbs.actions import NAMELESS

if TYPE_CHECKING:
    from draftengine.engine.choose import Action, Choice, PlayAll
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.plan import Plan
    from draftengine.engine.state import StateRecord


def open_ways(state: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> int:
    """Return the actions that a player can take now, as bits."""
    bits = 0
    for index, way in enumerate(step.actions):
        if way_is_open(state, plan, step, way, seat):
            bits |= 1 << index
    return bits


def way_is_open(state: StateRecord, plan: AnyPlan, step: Choice, way: Action, seat: int) -> int:
    """True if an action can be taken: its condition holds, its price can be paid, and it has enough cards.

    An action without a name is closed to players who would take no card with it.
    """
    if not way.depends_on_card:
        if not can_be_taken(state, plan, way, seat):
            return False
    wanted = formula(state, plan, way.cards, seat)
    if wanted <= 0:
        return way.name != NAMELESS
    return cards_for(state, plan, step, way, seat) >= (wanted if way.needs_all_cards else 1)


def can_be_taken(state: StateRecord, plan: AnyPlan, way: Action, seat: int) -> int:
    """True if an action's condition holds and its price can be paid. Both may read `formula_card`."""
    if way.when is not None:
        if not formula(state, plan, way.when, seat):
            return False
    return not any(read(state.words[seat], field) < formula(state, plan, amount, seat) for field, amount in way.price)


def can_go(state: StateRecord, plan: AnyPlan, way: Action, seat: int, card: int) -> int:
    """True if an action accepts a card. Sets `formula_card` if the action reads values of the card."""
    if not (plan.admitted(way)[card] and can_be_named(state, plan, way, seat, card)):
        return False
    if way.depends_on_card:
        state.formula_card = plan.program.counts_as[card] if way.laying.as_they_lie else card
        return can_be_taken(state, plan, way, seat)
    return True


def can_be_named(state: StateRecord, plan: AnyPlan, way: Action, seat: int, card: int) -> int:
    """True if a card can be played now. Only a wild card that needs a form and has none cannot."""
    if plan.wild and way.laying.plays:
        return not is_stuck(plan, cannot_be_played(state, plan, way.laying, seat), card)
    return True


def cards_for(state: StateRecord, plan: AnyPlan, step: Choice, way: Action, seat: int) -> int:
    """Count the cards of a player that an action accepts.

    If they are few, a compiled game notes which these are (see `StateRecord.accepted`).
    """
    zone, owner = way.laying.source, plan.owner(way.laying.source, seat)
    if plan.admits_all(way):
        return zone_size(state, plan, zone, owner)
    if not plan.plain and plan.notes_accepted(way):
        index = plan.index_of(step, way)
        state.accepted[index] = accepted_cards(state, plan, way, seat)
        return popcount(state.accepted[index])
    count = 0
    for number in dynamic_range(zone_size(state, plan, zone, owner)):
        count += can_go(state, plan, way, seat, card_at(state, plan, zone, owner, position(plan, zone, number)))
    return count


def accepted_cards(state: StateRecord, plan: Plan, way: Action, seat: int) -> int:
    """Return the cards of a player that an action accepts, as bits by their number in the zone."""
    zone, owner = way.laying.source, plan.owner(way.laying.source, seat)
    bits = 0
    for number in dynamic_range(state.size[plan.size_index(zone, owner)]):
        card = card_at(state, plan, zone, owner, position(plan, zone, number))
        bits |= can_go(state, plan, way, seat, card) << number
    return bits


def cards_taken(state: StateRecord, plan: AnyPlan, step: Choice, way: Action, seat: int) -> int:
    """Compute how many of a player's cards an action takes: a fixed number, or all that it accepts."""
    wanted = formula(state, plan, way.cards, seat)
    if wanted <= 0:
        return 0
    return min(wanted, cards_for(state, plan, step, way, seat))


# ── carrying out actions ────────────────────────────────────────────────────────────────────────────────────────────


def card_of(state: StateRecord, plan: AnyPlan, way: Action, seat: int) -> int:
    """Return the first card that a player takes with an action; 0 if the action takes none."""
    if plan.plain:
        return plan.card_of(state, way, seat)
    if plan.picks > 0:
        if state.own_picks[seat] > 0:
            card = state.card[plan.pick_index(seat, 0)]
            return plan.program.counts_as[card] if way.laying.as_they_lie else card
    return 0


def pay_all(state: StateRecord, plan: AnyPlan, step: Choice, who: int) -> None:
    """Let the players in `who` (bits) pay. Neighbours are paid first, because paying changes counters."""
    if any(way.handed for way in step.actions):
        for seat in plan.players:
            if who >> seat & 1:
                hand_over(state, plan, step, seat)
    for seat in plan.players:
        if who >> seat & 1:
            pay(state, plan, step, seat)


def pay(state: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> None:
    for index, way in enumerate(step.actions):
        if way.paying or plan.watched:
            if state.way[seat] == index:
                if plan.watched:
                    plan.observer.way(plan.state(state), seat, way)
                carry_out_all(state, plan, way, way.paying, seat)


def hand_over(state: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> None:
    """Pay neighbours for the action that a player took."""
    for index, way in enumerate(step.actions):
        for distance, effect in way.handed:
            if state.way[seat] == index:
                state.formula_card = card_of(state, plan, way, seat)
                (amount,) = plan.program.effects[effect].amounts
                value = formula(state, plan, amount.value, seat)
                add(state, plan, amount, (seat + distance) % len(plan.players), value, way.source)


def do(state: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> None:
    """Carry out the effects of the action that a player chose."""
    if not plan.plain:
        for change, values in plan.changes_alike(step):
            (amount,) = change.amounts
            CHANGING[change.kind](state, plan, amount, seat, values[state.way[seat]], ())
        if plan.changes_alike(step):
            return
    for index, way in enumerate(step.actions):
        if way.effects:
            if state.way[seat] == index:
                carry_out_all(state, plan, way, way.effects, seat)


def carry_out_all(state: StateRecord, plan: AnyPlan, way: Action, effects: tuple[int, ...], seat: int) -> None:
    """Carry out effects of an action. Their formulas read the card that the action takes."""
    state.formula_card = card_of(state, plan, way, seat)
    for effect in effects:
        carry_out(state, plan, plan.program.effects[effect], seat, way.name, way.source)


# ── who chooses ─────────────────────────────────────────────────────────────────────────────────────────────────────


def choosers(state: StateRecord, plan: Plan, step: Choice) -> int:
    """Return the players who have to choose, as bits.

    If always all choose or none does, it returns all, which is known before the game (see `somebody_chooses`).
    """
    if plan.all_choose_equally(step):
        return plan.everybody
    who = 0
    for seat in plan.players:
        if has_choice(state, plan, step, seat):
            who |= 1 << seat
    return who


def somebody_chooses(state: StateRecord, plan: Plan, step: Choice, who: int) -> int:
    """True if any player has to choose. `who` are the `choosers`."""
    if plan.all_choose_equally(step):
        return state.size[plan.size_index(step.source, 0)] > 0
    return who != 0


def has_choice(state: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> int:
    """True if a player has to choose: the step applies to it, and there is something to take."""
    return is_for(state, plan, step.marker, step.who, seat) and can_take(state, plan, step, seat)


def can_take(state: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> int:
    """True if a player can take something.

    In a choice with actions, an action must be open. In an offer (a choice after the reveal), an ability must be
    ready.
    """
    if step.actions:
        return any(way_is_open(state, plan, step, way, seat) for way in step.easiest_first)
    if step.offer and not any(uses(state, plan, step, ability, seat) > 0 for ability in step.abilities):
        return False
    if step.layout:
        return some_place_is_open(state, plan, step)
    return zone_size(state, plan, step.source, plan.owner(step.source, seat)) > 0


def some_place_is_open(state: StateRecord, plan: AnyPlan, step: Choice) -> int:
    """True if the layout has a card that nothing covers."""
    if plan.plain:
        return len(step.open_places(plan.state(state))) > 0
    return free_places(state, plan, step) != 0


def free_places(state: StateRecord, plan: Plan, step: Choice) -> int:
    """Return the places of the source layout whose card can be taken, as bits."""
    return open_places(plan, step.source, state.lying[plan.layout(step.source)])


def uses(state: StateRecord, plan: AnyPlan, step: Choice, ability: int, seat: int) -> int:
    """Return the number of times that a seat may use an ability now.

    In an offer (a choice after the reveal), the ability's card must have been in front of the seat when the turn
    began.
    """
    use = plan.program.abilities[ability]
    ready = read(state.words[seat], use.field)
    if step.offer:
        ready = min(ready, read(state.words_before_choice[seat], use.field))
    return min(ready, use.model.per_turn)


def for_others(state: StateRecord, step: Choice, seat: int) -> int:
    """Count the cards that a seat has to choose for extra seats."""
    return sum(cards * (state.markers[marker] == seat) for _, marker, cards in step.also)


# ── carrying out moves ──────────────────────────────────────────────────────────────────────────────────────────────


def settle_for(state: StateRecord, plan: AnyPlan, step: Choice, who: int) -> None:
    """Settle the moves of the players in `who` (bits): lay down cards, run effects, then triggers."""
    remember_words(state, plan, step)
    settle_together(state, plan, step, who)
    if step.layout:
        turn_up(state, plan, step.source)
    if (step.plays or step.asks_others) and step.reveals:
        trigger(state, plan, "reveal")
    if plan.observed:
        count_after_effects(state, plan)


def play_all(state: StateRecord, plan: AnyPlan, step: PlayAll) -> int:
    """Play all cards that players have in a zone. Return the players that had cards, as bits."""
    who = 0
    for seat in plan.players_in(step):
        if has_choice(state, plan, step.choice, seat):
            if plan.plain:
                plan.take_all(state, step.choice, seat)
            if len(plan.players_in(step)) == 1:
                settle_whole(state, plan, step.choice, 1 << seat)
                return 1 << seat
            who |= 1 << seat
    if who:
        settle_whole(state, plan, step.choice, who)
    return who


def settle_whole(state: StateRecord, plan: AnyPlan, step: Choice, who: int) -> None:
    """Lay down all cards that the players in `who` (bits) have in a zone, then run their effects."""
    if plan.plain:
        settle_for(state, plan, step, who)
        reset_scratch(plan.state(state), plan.state(state).tell)
        return
    remember_words(state, plan, step)
    for seat in plan.players:
        if who >> seat & 1:
            copy_stock(state, plan, step.source, seat)
            if plan.observed:
                follow_stock(state, plan, step, seat)
            empty_lot(state, plan, step.source, plan.owner(step.source, seat))
            for number in dynamic_range(state.size[plan.size_index(~step.source, seat)]):
                card = card_at(state, plan, ~step.source, seat, position(plan, step.source, number))
                put_down(state, plan, step, seat, seat, card, card, 0)
    if plan.with_effects and step.plays:
        for seat in plan.players:
            if who >> seat & 1:
                for number in dynamic_range(state.size[plan.size_index(~step.source, seat)]):
                    card = card_at(state, plan, ~step.source, seat, position(plan, step.source, number))
                    effects_of(state, plan, seat, card)
    if plan.observed:
        count_after_effects(state, plan)


def remember_words(state: StateRecord, plan: AnyPlan, step: Choice) -> None:
    """Store the counters as they are before a choice, if formulas can read the gain since then."""
    if not step.in_list and plan.reads_previous_words:
        for seat in plan.seats:
            state.words_before_choice[seat] = state.words[seat]


def settle_together(state: StateRecord, plan: AnyPlan, step: Choice, who: int) -> None:
    """Settle the moves of the players in `who` (bits).

    First all pay, then all lay down cards, then actions and cards take effect.
    """
    if step.actions:
        pay_all(state, plan, step, who)
    for seat in plan.players:
        if who >> seat & 1:
            lay_down(state, plan, step, seat)
    if plan.all_choose_equally(step):
        assert not plan.plain
        state.size[plan.size_index(step.source, 0)] -= state.own_picks[0]
        for seat in plan.players:
            disturb(state, plan, step.source, seat)
        if step.target != plan.tableau and plan.has_equal_sizes(step.target):
            state.size[plan.size_index(step.target, 0)] += state.own_picks[0]
    if step.actions:
        for seat in plan.players:
            if who >> seat & 1:
                ask_others(state, plan, step, seat)
                do(state, plan, step, seat)
    run_play_effects(state, plan, step, who)


def run_play_effects(state: StateRecord, plan: AnyPlan, step: Choice, who: int) -> None:
    """Carry out the effects of all cards just played, then of the cards that players got by asking."""
    if plan.plain:
        for seat, play in plan.state(state).placed:
            effects_of(state, plan, seat, play)
        return
    for seat in plan.players:
        if who >> seat & 1:
            settle_effects(state, plan, step, seat)
    if step.asks_others and plan.with_effects:
        for seat in plan.players:
            if who >> seat & 1:
                if state.received_card[seat] >= 0:
                    effects_of(state, plan, seat, state.received_card[seat])


def lay_down(state: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> None:
    """Lay down the picks of one player in the target zone of the choice."""
    if plan.plain:
        lay_move(state, plan, step.actions[state.way[seat]].laying if step.actions else step, seat)
    else:
        if plan.observed:
            follow_move(state, plan, step, seat)
        lay_picks(state, plan, step, seat)


def ask_others(state: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> None:
    """Ask the other players for a card, if the player's action includes this."""
    state.received_card[seat] = -1
    for give in plan.given(step):
        if plan.ways_giving(step, give) >> state.way[seat] & 1:
            exchange(state, plan, step, seat, give, plan.asked_for(step)[state.way[seat]])


def exchange(
    state: StateRecord, plan: AnyPlan, step: Choice, seat: int, give: tuple[tuple[int, ...], ...], card: int
) -> None:
    """Exchange a card of the seat for `card`, from the first player to the left who has one.

    If nobody has it, the card that the seat offered is discarded.
    """
    position = -1
    for admits in give:
        if position < 0:
            position = zone_size(state, plan, plan.tableau, seat) - 1
            while position >= 0 and not admits[card_at(state, plan, plan.tableau, seat, position)]:
                position -= 1
    if position >= 0:
        given = card_at(state, plan, plan.tableau, seat, position)
        remove(state, plan, plan.tableau, seat, given)
        state.words[seat] -= plan.program.increments[given]
        giver = -1
        for other in plan.around(seat):
            if giver < 0 and contains(state, plan, step.source, other, card):
                giver = other
        if plan.watched:
            plan.observer.asked(plan.state(state), step, seat, given, giver)
        for other in plan.around(seat):
            if giver == other:
                if plan.observed:
                    follow_exchange(state, plan, step.source, other, card, plan.program.card_of[given])
                take_from(state, plan, step.source, other, card, plan.program.card_of[given])
        if giver >= 0:
            state.received_card[seat] = card
            lay(state, plan, seat, card)
            log(state, plan, seat, card)
        else:
            push(state, plan, plan.discard, 0, plan.program.card_of[given])


def take_from(state: StateRecord, plan: AnyPlan, zone: int, owner: int, card: int, given: int) -> None:
    """Replace a card in a zone by the card `given`, which goes to the end. The zone keeps its size."""
    if plan.plain:
        plan.cards(state, zone, owner).remove(card)
        plan.cards(state, zone, owner).append(given)
    else:
        size = state.size[plan.size_index(zone, owner)]
        remove_at(state, plan, zone, owner, find(state, plan, zone, owner, card), size)
        put_at_end(state, plan, zone, owner, size - 1, given)


def settle_effects(state: StateRecord, plan: Plan, step: Choice, seat: int) -> None:
    """Carry out the effects of one player's played cards, in the order in which they were laid down."""
    if step.actions:
        for index, way in enumerate(step.actions):
            if state.way[seat] == index:
                settle_effects(state, plan, way.laying, seat)
        return
    if plan.with_effects and step.plays:
        for number in range(plan.max_own_picks(step)):
            if plan.takes_exactly_one(step) or state.own_picks[seat] > number:
                effects_of(state, plan, seat, state.play[plan.pick_index(seat, number)])
        for number in range(plan.max_ability_picks(step)):
            if state.ability_picks[seat] > number:
                effects_of(state, plan, seat, state.play[plan.ability_pick_index(step, seat, number)])
        for index, (other, marker, count) in enumerate(step.also):
            for number in range(count):
                if state.markers[marker] == seat and state.card[plan.other_pick_index(step, seat, index, number)] >= 0:
                    effects_of(state, plan, other, state.play[plan.other_pick_index(step, seat, index, number)])
