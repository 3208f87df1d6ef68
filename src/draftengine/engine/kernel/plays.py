"""Playing cards: what a play adds, logs and becomes on open modifiers.

A *piece* is a play that lies on a modifier, or a modifier with its remaining slots (see
`draftengine.engine.compile.plays`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.formulas import read
from draftengine.engine.kernel.zones import card_at, contains, increment_of, modified_by, push, put_at, zone_size
from draftengine.jit.primitives import dynamic_range

if TYPE_CHECKING:
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.program import CounterField
    from draftengine.engine.record import StateRecord
    from draftengine.jit.records import Packed


def lay(state: StateRecord, plan: AnyPlan, seat: int, play: int) -> None:
    """Lay a play before a seat. Its increment, changed by open modifiers, is added to the packed word."""
    if plan.watched and plan.program.plays[play].modifiers:
        plan.observer.modified(plan.state(state), seat, play)
    if plan.program.pieces_of_play:
        lay_piece(state, plan, seat, play)
    else:
        state.words[seat] += increment_of(plan, state.words[seat], play)
        push(state, plan, plan.tableau, seat, play)


def log(state: StateRecord, plan: AnyPlan, seat: int, play: int) -> None:
    """Log a play for its effects at the reveal, or where plays are counted."""
    if plan.plain:
        if play in plan.with_effects:
            plan.state(state).placed.append((seat, play))
    elif plan.logged:
        state.log[state.logged] = seat << 32 | state.turn << 16 | play
        state.logged += 1


# ── pieces ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def lay_piece(state: StateRecord, plan: AnyPlan, seat: int, play: int) -> None:
    """Lay a play as a piece on the open modifiers; each of them loses a slot."""
    word = state.words[seat]
    state.words[seat] += increment_of(plan, word, play)
    for modifier, bits in plan.told:
        if uses(plan, word, play, bits):
            use_slot(state, plan, modifier, seat)
    push(state, plan, plan.tableau, seat, piece_of_play(plan, word, play))


def piece_of_play(plan: AnyPlan, word: Packed, play: int) -> int:
    """Return the piece that a play becomes with the modifiers that are open."""
    return plan.tables.pieces_of_play[play + modified_by(plan, word)]


def uses(plan: AnyPlan, word: Packed, play: int, bits: int) -> int:
    """True if a play uses a slot of a modifier, should it be open."""
    return plan.tables.used(bits)[play + modified_by(plan, word)]


def use_slot(state: StateRecord, plan: AnyPlan, modifier: int, seat: int) -> None:
    """Use one slot of a modifier: of its cards with slots left, the one that was laid first."""
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
    """Open all modifiers that open after the reveal."""
    for modifier, _ in plan.told:
        open_modifier(state, plan, modifier, seat)


def first_of(state: StateRecord, plan: AnyPlan, seat: int, pieces: tuple[int, ...]) -> int:
    """Return the piece of the card that leaves first, of those that can lie as several pieces."""
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
    """Subtract `count` leaving cards from the counters; the cards themselves stay in the tableau.

    Cards that have left before in this way are skipped. Nothing is subtracted if the counters include cards that do not
    lie there: it is then unknown which would leave.
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
    """Count the cards of a tableau that lie as a play."""
    count = 0
    for position in dynamic_range(zone_size(state, plan, plan.tableau, seat)):
        count += card_at(state, plan, plan.tableau, seat, position) == play
    return count
