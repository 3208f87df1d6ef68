"""Choices: who has to choose, and how what everybody chose is carried out together.

What a seat takes stands in its picks: first the cards for itself, then further ones by an ability, then those for the
seats that it chooses for. A pick is a card, or a place of a layout, and perhaps the play that it becomes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine import seeing
from draftengine.engine.kernel.actions import do, open_ways, pay
from draftengine.engine.kernel.beliefs import count_after_effects, follow_exchange, follow_move
from draftengine.engine.kernel.effects import effects_of, trigger
from draftengine.engine.kernel.formulas import read
from draftengine.engine.kernel.laying import lay_move, lay_picks
from draftengine.engine.kernel.layouts import open_places, turn_up
from draftengine.engine.kernel.plays import lay, log
from draftengine.engine.kernel.turns import is_for
from draftengine.engine.kernel.zones import card_at, zone_size, remove_at, find, contains, put_at_end, push, remove, position
from draftengine.engine.state import reset_scratch

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice, PlayAll
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.record import StateRecord


# ── who chooses ─────────────────────────────────────────────────────────────────────────────────────────────────────


def somebody_chooses(g: StateRecord, plan: AnyPlan, step: Choice) -> int:
    """Has anybody to choose."""
    if plan.all_choose_equally(step):
        return zone_size(g, plan, step.source, 0) > 0
    return any(has_choice(g, plan, step, seat) for seat in plan.players)


def has_choice(g: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> int:
    """Has a player to choose."""
    return is_for(g, plan, step.marker, step.who, seat) and can_take(g, plan, step, seat)


def can_take(g: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> int:
    """Is there something to take, and for a late offer an ability to take it with; or a way that is open."""
    if step.actions:
        return open_ways(g, plan, step, seat) != 0
    if step.offer and not any(uses(g, plan, step, own, seat) > 0 for own in step.abilities):
        return False
    if step.layout:
        return some_place_is_open(g, plan, step)
    return zone_size(g, plan, step.source, plan.owner(step.source, seat)) > 0


def some_place_is_open(g: StateRecord, plan: AnyPlan, step: Choice) -> int:
    """Is there a card of the layout that nothing covers."""
    if plan.plain:
        return len(step.open_places(plan.state(g))) > 0
    return free_places(g, plan, step) != 0


def free_places(g: StateRecord, plan: Plan, step: Choice) -> int:
    """The places whose card can be taken, as bits."""
    return open_places(plan, step.source, g.lying[plan.layout(step.source)])


def uses(g: StateRecord, plan: AnyPlan, step: Choice, ability: int, seat: int) -> int:
    """How often a seat may use an ability now; a late one must have lain there when the turn began."""
    use = plan.program.abilities[ability]
    ready = read(g.words[seat], use.field)
    if step.offer:
        ready = min(ready, read(g.words_before_choice[seat], use.field))
    return min(ready, use.model.per_turn)


def for_others(g: StateRecord, step: Choice, seat: int) -> int:
    """How many cards a seat has to choose for others."""
    return sum(cards * (g.markers[marker] == seat) for _, marker, cards in step.also)


# ── what a choice does ──────────────────────────────────────────────────────────────────────────────────────────────


def settle(g: StateRecord, plan: Plan, step: Choice) -> None:
    """Everybody has chosen: carry out what all players chose who had a choice."""
    who = 0
    for seat in plan.players:
        if plan.all_choose_equally(step) or has_choice(g, plan, step, seat):
            who |= 1 << seat
    settle_for(g, plan, step, who)


def settle_for(g: StateRecord, plan: AnyPlan, step: Choice, who: int) -> None:
    """Carry out what the players in `who` (bits) chose: lay their cards down, then effects, then triggers."""
    if not step.in_list:
        save_words(g, plan)
    settle_together(g, plan, step, who)
    if step.layout:
        turn_up(g, plan, step.source)
    if (step.plays or step.asks_others) and step.reveals:
        trigger(g, plan, "reveal")
    if plan.observed:
        count_after_effects(g, plan)


def play_all(g: StateRecord, plan: AnyPlan, step: PlayAll) -> int:
    """Play all cards that players have in a zone. Returns the players that had any, as bits."""
    who = 0
    for seat in plan.players:
        if has_choice(g, plan, step.choice, seat):
            who |= 1 << seat
            take_all(g, plan, step.choice, seat)
    if who:
        settle_for(g, plan, step.choice, who)
        if plan.plain:
            reset_scratch(plan.state(g), plan.state(g).tell)
    return who


def take_all(g: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> None:
    """Choose, for a player, all of its cards in a zone."""
    if plan.plain:
        plan.take_all(g, step, seat)
    else:
        g.own_picks[seat] = g.size[plan.size_index(step.source, seat)]
        g.ability_picks[seat] = 0
        g.ability[seat] = -1
        for number in range(plan.max_own_picks(step)):
            if g.own_picks[seat] > number:
                pick = plan.pick_index(seat, number)
                g.card[pick] = card_at(g, plan, step.source, seat, position(plan, step.source, number))
                g.play[pick] = -1


def settle_together(g: StateRecord, plan: AnyPlan, step: Choice, who: int) -> None:
    """Carry out what the players in `who` chose: all pay, all lay down, then ways and cards do what they do."""
    if step.actions:
        for seat in plan.players:
            if who >> seat & 1:
                pay(g, plan, step, seat)
    for seat in plan.players:
        if who >> seat & 1:
            lay_down(g, plan, step, seat)
    if not plan.plain and plan.all_choose_equally(step):
        update_common_size(g, plan, step)
    if step.actions:
        for seat in plan.players:
            if who >> seat & 1:
                ask_others(g, plan, step, seat)
                do(g, plan, step, seat)
    run_play_effects(g, plan, step, who)


def run_play_effects(g: StateRecord, plan: AnyPlan, step: Choice, who: int) -> None:
    """Carry out the effects of all cards that were just played, in the order in which they were laid down."""
    if plan.plain:
        for seat, play in plan.state(g).placed:
            effects_of(g, plan, seat, play)
    else:
        settle_all_effects(g, plan, step, who)


def lay_down(g: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> None:
    """Lay down what one player took, where the choice says."""
    if plan.plain:
        lay_move(g, plan, step.actions[g.way[seat]].laying if step.actions else step, seat)
    else:
        if plan.observed:
            follow_move(g, plan, step, seat)
        lay_picks(g, plan, step, seat)


def settle_all_effects(g: StateRecord, plan: Plan, step: Choice, who: int) -> None:
    """Carry out the effects of the cards that were played, then of those that players asked for and got."""
    for seat in plan.players:
        if who >> seat & 1:
            settle_effects(g, plan, step, seat)
    if step.asks_others and plan.with_effects:
        settle_effects_of_asking(g, plan, who)


def settle_effects_of_asking(g: StateRecord, plan: Plan, who: int) -> None:
    """Carry out the effects of the cards that players got because they asked for them."""
    for seat in plan.players:
        if who >> seat & 1:
            if g.received_card[seat] >= 0:
                effects_of(g, plan, seat, g.received_card[seat])


def ask_others(g: StateRecord, plan: AnyPlan, step: Choice, seat: int) -> None:
    """Ask the other players for a card, if the way of a player does that."""
    g.received_card[seat] = -1
    if plan.plain:
        if step.actions[g.way[seat]].ask >= 0:
            exchange(g, plan, step, seat, step.actions[g.way[seat]].give, step.actions[g.way[seat]].ask)
    else:
        for give in plan.given(step):
            if plan.ways_giving(step, give) >> g.way[seat] & 1:
                exchange(g, plan, step, seat, give, plan.asked_for(step)[g.way[seat]])


def exchange(g: StateRecord, plan: AnyPlan, step: Choice, seat: int, give: tuple[tuple[int, ...], ...], card: int) -> None:
    """The first from the left who has a card exchanges it for what is given; if nobody has it, that is discarded."""
    at = -1
    for admits in give:
        if at < 0:
            at = zone_size(g, plan, plan.tableau, seat) - 1
            while at >= 0 and not admits[card_at(g, plan, plan.tableau, seat, at)]:
                at -= 1
    if at >= 0:
        given = card_at(g, plan, plan.tableau, seat, at)
        remove(g, plan, plan.tableau, seat, given)
        g.words[seat] -= plan.program.increments[given]
        giver = -1
        for other in plan.around(seat):
            if giver < 0 and contains(g, plan, step.source, other, card):
                giver = other
        if plan.plain:
            seeing.asked(plan.state(g), step, seat, given, giver)
        for other in plan.around(seat):
            if giver == other:
                if plan.observed:
                    follow_exchange(g, plan, step.source, other, card, plan.program.card_of[given])
                take_from(g, plan, step.source, other, card, plan.program.card_of[given])
        if giver >= 0:
            g.received_card[seat] = card
            lay(g, plan, seat, card)
            log(g, plan, seat, card)
        else:
            push(g, plan, plan.discard, 0, plan.program.card_of[given])


def take_from(g: StateRecord, plan: AnyPlan, zone: int, owner: int, card: int, given: int) -> None:
    """A card leaves a zone, and another comes to it: there are as many as before."""
    if plan.plain:
        plan.cards(g, zone, owner).remove(card)
        plan.cards(g, zone, owner).append(given)
    else:
        size = g.size[plan.size_index(zone, owner)]
        remove_at(g, plan, zone, owner, find(g, plan, zone, owner, card), size)
        put_at_end(g, plan, zone, owner, size - 1, given)


def save_words(g: StateRecord, plan: AnyPlan) -> None:
    """Keep the counters as they are before cards are laid down: formulas ask what has been gained since."""
    if plan.reads_previous_words:
        for seat in plan.seats:
            g.words_before_choice[seat] = g.words[seat]


def update_common_size(g: StateRecord, plan: Plan, step: Choice) -> None:
    """Count down the numbers of cards of all players at once: each has taken equally many."""
    g.size[plan.size_index(step.source, 0)] -= g.own_picks[0]
    if step.target != plan.tableau and plan.has_equal_sizes(step.target):
        g.size[plan.size_index(step.target, 0)] += g.own_picks[0]


def settle_effects(g: StateRecord, plan: Plan, step: Choice, seat: int) -> None:
    """Carry out the effects of the cards that one player has played, in the order in which they were laid down."""
    if step.actions:
        for index, way in enumerate(step.actions):
            if g.way[seat] == index:
                settle_effects(g, plan, way.laying, seat)
        return
    if plan.with_effects and step.plays:
        for number in range(plan.max_own_picks(step)):
            if plan.takes_exactly_one(step) or g.own_picks[seat] > number:
                effects_of(g, plan, seat, g.play[plan.pick_index(seat, number)])
        for number in range(plan.max_ability_picks(step)):
            if g.ability_picks[seat] > number:
                effects_of(g, plan, seat, g.play[plan.ability_pick_index(step, seat, number)])
        for index, (other, marker, count) in enumerate(step.also):
            for number in range(count):
                if g.markers[marker] == seat and g.card[plan.other_pick_index(step, seat, index, number)] >= 0:
                    effects_of(g, plan, other, g.play[plan.other_pick_index(step, seat, index, number)])
