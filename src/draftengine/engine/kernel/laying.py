"""Laying down the cards that one player takes, and returning the cards of its abilities.

A *piece* is a play that lies on a modifier, or a modifier with its remaining slots (see
`draftengine.engine.compile.plays`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.formulas import read
from draftengine.engine.kernel.zones import (
    card_at,
    card_or_play,
    contains,
    find,
    find_same_face,
    increment_of,
    lay_at_place,
    modified_by,
    push,
    put_at,
    put_at_end,
    remove,
    remove_at,
    turn_up,
    zone_size,
)
from draftengine.jit.primitives import dynamic_range

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.instructions import CounterField
    from draftengine.engine.plain import AnyPlan, InterpreterPlan
    from draftengine.engine.plan import Plan
    from draftengine.engine.state import StateRecord
    from draftengine.jit.records import Packed


def lay(state: StateRecord, plan: AnyPlan, seat: int, play: int) -> None:
    """Lay a card, in the form `play`, in front of a seat.

    What the card adds, as changed by open modifiers, is added to the packed word of counters.
    """
    if plan.watched and plan.program.plays[play].modifiers:
        plan.observer.modified(plan.state(state), seat, play)
    if plan.program.pieces_of_play:
        lay_piece(state, plan, seat, play)
    else:
        state.words[seat] += increment_of(plan, state.words[seat], play)
        push(state, plan, plan.tableau, seat, play)


def log(state: StateRecord, plan: AnyPlan, seat: int, play: int) -> None:
    """Record a play for effects that are carried out later, or for the count of plays."""
    if plan.plain:
        if play in plan.with_effects:
            plan.state(state).placed.append((seat, play))
    elif plan.logged:
        state.log[state.logged] = seat << 32 | state.turn << 16 | play
        state.logged += 1


# ── pieces ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def lay_piece(state: StateRecord, plan: AnyPlan, seat: int, play: int) -> None:
    """Lay a card, in the form `play`, on every open modifier that applies to it. Each loses a slot."""
    word = state.words[seat]
    state.words[seat] += increment_of(plan, word, play)
    for modifier, bits in plan.told:
        if uses(plan, word, play, bits):
            use_slot(state, plan, modifier, seat)
    push(state, plan, plan.tableau, seat, piece_of_play(plan, word, play))


def piece_of_play(plan: AnyPlan, word: Packed, play: int) -> int:
    """Return the piece that a card becomes when it is laid, in the form `play`, on the open modifiers."""
    return plan.tables.pieces_of_play[play + modified_by(plan, word)]


def uses(plan: AnyPlan, word: Packed, play: int, bits: int) -> int:
    """True if laying down a play uses a slot of any of its modifiers that are open in a packed word."""
    return plan.tables.used(bits)[play + modified_by(plan, word)]


def use_slot(state: StateRecord, plan: AnyPlan, modifier: int, seat: int) -> None:
    """Use one slot of a modifier. Among its cards with slots, the card that was laid first loses the slot."""
    done = 0
    for position in dynamic_range(zone_size(state, plan, plan.tableau, seat)):
        lying = card_at(state, plan, plan.tableau, seat, position)
        if not done:
            if plan.program.after_slot_used[modifier][lying] >= 0:
                put_at(state, plan, plan.tableau, seat, position, plan.program.after_slot_used[modifier][lying])
                done = 1


def open_modifier(state: StateRecord, plan: AnyPlan, modifier: int, seat: int) -> None:
    """Open the cards of a modifier that opens after the reveal, unless they are open already."""
    for position in dynamic_range(zone_size(state, plan, plan.tableau, seat)):
        lying = card_at(state, plan, plan.tableau, seat, position)
        if plan.program.opened[modifier][lying] >= 0:
            opened = plan.program.opened[modifier][lying]
            state.words[seat] += plan.program.increments[opened]
            state.words[seat] -= plan.program.increments[lying]
            put_at(state, plan, plan.tableau, seat, position, opened)


def unfold_all(state: StateRecord, plan: AnyPlan, seat: int) -> None:
    """Open all modifiers that open after the reveal, on the cards of a seat."""
    for modifier, _ in plan.told:
        open_modifier(state, plan, modifier, seat)


def first_of(state: StateRecord, plan: AnyPlan, seat: int, pieces: tuple[int, ...]) -> int:
    """Return the piece that leaves the tableau first, for a card that can lie there as several pieces."""
    if len(pieces) == 1:
        return pieces[0]
    first = -1
    for piece in pieces:
        if first < 0:
            if contains(state, plan, plan.tableau, seat, piece):
                first = piece
    return first


def give_away(
    state: StateRecord, plan: AnyPlan, seat: int, pieces: tuple[int, ...], field: CounterField, count: int
) -> None:
    """Subtract from a seat's counters what `count` cards of its tableau add, but leave the cards there.

    Cards that were subtracted before are skipped. If the counters include cards that are not in the tableau,
    nothing is subtracted, because it is unknown which card would leave.
    """
    lying = 0
    for piece in pieces:
        lying += copies_of(state, plan, seat, piece)
    gone = lying - read(state.words[seat], field)
    if gone >= 0:
        left = count
        for piece in pieces:
            there = copies_of(state, plan, seat, piece)
            before = min(gone, there)
            leaving = min(left, there - before)
            state.words[seat] -= leaving * plan.program.increments[piece]
            gone -= before
            left -= leaving


def copies_of(state: StateRecord, plan: AnyPlan, seat: int, play: int) -> int:
    """Count the cards in a tableau that lie there in the form `play`."""
    count = 0
    for position in dynamic_range(zone_size(state, plan, plan.tableau, seat)):
        count += card_at(state, plan, plan.tableau, seat, position) == play
    return count


def lay_move(record: StateRecord, plan: InterpreterPlan, step: Choice, seat: int) -> None:
    """Lay down an interpreted player's move code by code, then return the cards of its abilities."""
    state, width = plan.state(record), plan.program.width
    laid: dict[int, list[int]] = {}
    used = -1
    for code in state.taking[seat]:
        channel, item = divmod(code, width)
        receiver = seat
        if step.also and channel >= step.first_other:
            receiver = step.also[channel - step.first_other][0]
        elif channel:
            used = channel - 1
            remove_ability_card(record, plan, used, seat, state.ability_picks[seat])
            state.ability_picks[seat] += 1
        laid.setdefault(receiver, []).append(lay_card(record, plan, step, seat, receiver, item, 0))
    if used >= 0:
        return_ability_card(record, plan, step, seat, used)
    plan.observer.revealed(state, step, seat, laid)


def lay_picks(state: StateRecord, plan: Plan, step: Choice, seat: int) -> None:
    """Lay down a compiled player's picks in order, then return the cards of its abilities."""
    if step.actions:
        for index, way in enumerate(step.actions):
            if state.way[seat] == index:
                lay_picks(state, plan, way.laying, seat)
        return
    for number in range(plan.max_own_picks(step)):
        if plan.takes_exactly_one(step) or state.own_picks[seat] > number:
            lay_card(state, plan, step, seat, seat, plan.pick_index(seat, number), number)
    for ability in step.abilities:
        if state.ability_picks[seat] > 0 and (len(step.abilities) == 1 or state.ability[seat] == ability):
            take_with(state, plan, step, seat, ability)
    for index, (other, marker, count) in enumerate(step.also):
        for number in range(count):
            if state.markers[marker] == seat and state.card[plan.other_pick_index(step, seat, index, number)] >= 0:
                lay_card(state, plan, step, seat, other, plan.other_pick_index(step, seat, index, number), 0)
    for ability in step.abilities:
        if state.ability_picks[seat] > 0 and (len(step.abilities) == 1 or state.ability[seat] == ability):
            return_ability_card(state, plan, step, seat, ability)


def take_with(state: StateRecord, plan: Plan, step: Choice, seat: int, ability: int) -> None:
    """Take the further cards of an ability, and remove its card from the tableau.

    The ability's card leaves with the first card of each use.
    """
    use = plan.program.abilities[ability]
    for number in range(use.model.take * use.model.per_turn):
        if state.ability_picks[seat] > number:
            remove_ability_card(state, plan, ability, seat, number)
            lay_card(state, plan, step, seat, seat, plan.ability_pick_index(step, seat, number), 1)


def remove_ability_card(state: StateRecord, plan: AnyPlan, ability: int, seat: int, number: int) -> None:
    """Remove an ability's card from the tableau if the ability's `number`-th taken card begins a new use."""
    use = plan.program.abilities[ability]
    if number % use.model.take == 0 and use.model.returns_to != "stays":
        play = first_of(state, plan, seat, use.pieces) if use.pieces else use.play
        state.words[seat] -= plan.program.increments[play]
        if plan.is_stored(plan.tableau):
            remove(state, plan, plan.tableau, seat, play)


def return_ability_card(state: StateRecord, plan: AnyPlan, step: Choice, seat: int, ability: int) -> None:
    """Move the cards of a used ability to where it sends them: the hand, the layout or the discard."""
    use = plan.program.abilities[ability]
    if use.model.turns_up:
        turn_up(state, plan, step.source)
    for number in range(use.model.per_turn):
        if state.ability_picks[seat] > number * use.model.take:
            if use.model.returns_to == "hand":
                return_to_hand(state, plan, step, seat, use.card, number)
            if use.model.returns_to == "place":
                lay_at_place(state, plan, step.source, state.last_place, use.card, face_up=True)
            if use.model.returns_to == "discard":
                push(state, plan, plan.discard, 0, use.card)
            if plan.watched:
                plan.observer.ability_used(plan.state(state), step, seat, use)


def return_to_hand(state: StateRecord, plan: AnyPlan, step: Choice, seat: int, card: int, number: int) -> None:
    """Put an ability's card back into the hand. `number` is the number of uses before this one."""
    if plan.all_choose_equally(step):
        assert not plan.plain
        used = 1 if plan.max_ability_picks(step) == 1 else state.ability_picks[seat]
        left = state.size[plan.size_index(step.source, seat)] - state.own_picks[seat] - used + number
        put_at_end(state, plan, step.source, seat, left, card)
    else:
        push(state, plan, step.source, seat, card)


def lay_card(state: StateRecord, plan: AnyPlan, step: Choice, seat: int, receiver: int, pick: int, before: int) -> int:
    """Take one card and lay it down for the seat that gets it.

    Return the play, or the card if it is not played. `pick` is the index of the pick; in an interpreted game, it is the
    item itself. `before` is the number of cards that each player took earlier in this choice. It is used only if all
    players take equally many cards.
    """
    if plan.plain:
        card, play = plan.take_out(state, step, seat, receiver, pick)
    else:
        if step.layout:
            card = from_layout(state, plan, step, pick)
            play = plan.tables.play_from_layout[card]
        else:
            card = from_zone(state, plan, step, seat, pick, before)
            play = card
            if plan.wild and state.play[pick] >= 0:
                play = state.play[pick]
        if step.plays and plan.with_effects:
            state.play[pick] = play
    return put_down(state, plan, step, seat, receiver, card, play, before)


def put_down(
    state: StateRecord, plan: AnyPlan, step: Choice, seat: int, receiver: int, card: int, play: int, before: int
) -> int:
    """Lay down a card that a seat has taken.

    Arguments and result are those of `lay_card`.
    """
    if step.plays:
        log(state, plan, receiver, play)
    if step.plays and step.target == plan.tableau:
        lay(state, plan, receiver, play)
        return play
    if plan.program.cards_count_elsewhere:
        state.words[receiver if step.plays else seat] += plan.rises[step.source][step.target][play]
        card = card_or_play(plan, step.target, play)
    if plan.all_choose_equally(step) and plan.has_equal_sizes(step.target):
        assert not plan.plain
        put_at_end(
            state, plan, step.target, receiver, state.size[plan.size_index(step.target, receiver)] + before, card
        )
    else:
        push(state, plan, step.target, plan.owner(step.target, receiver), card)
    return play if step.plays or step.as_they_lie else card


def from_layout(state: StateRecord, plan: Plan, step: Choice, pick: int) -> int:
    """Remove the picked card from the layout and return it."""
    state.last_place = state.card[pick]
    state.lying[plan.layout(step.source)] ^= 1 << state.last_place
    return state.row[plan.first_place(step.source) + state.last_place]


def from_zone(state: StateRecord, plan: Plan, step: Choice, seat: int, pick: int, before: int) -> int:
    """Remove the picked card from the player's zone and return it."""
    position = locate_pick(state, plan, step, seat, pick)
    card = card_at(state, plan, step.source, seat, position)
    remove_at(
        state,
        plan,
        step.source,
        seat,
        position,
        state.size[plan.size_index(step.source, seat)] - before * plan.all_choose_equally(step),
    )
    if not plan.all_choose_equally(step):
        state.size[plan.size_index(step.source, seat)] -= 1
    return card


def locate_pick(state: StateRecord, plan: Plan, step: Choice, seat: int, pick: int) -> int:
    """Return a picked card's position: the drawn position, or that of the first suitable card."""
    if plan.remembers_spots(step):
        return state.at[pick]
    if plan.draws_places(step) and (plan.all_choose_equally(step) or state.placed):
        return state.at[pick]
    if plan.wild and plan.tables.share_faces and state.play[pick] >= 0:
        return find(state, plan, step.source, seat, state.card[pick])
    return find_same_face(state, plan, step.source, seat, state.card[pick])
