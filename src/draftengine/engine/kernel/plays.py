"""Playing a card: what it adds, what is remembered of it, and as what it lies (`draftengine.engine.compile.pieces`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine import telling as tell
from draftengine.engine.kernel.formulas import read
from draftengine.engine.kernel.zones import card_at, contains, increment_of, modified_by, push, put_at, zone_size
from draftengine.jit.primitives import dynamic_range

if TYPE_CHECKING:
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.program import CounterField
    from draftengine.engine.record import StateRecord
    from draftengine.jit.struct_type import Packed


def lay(state: StateRecord, plan: AnyPlan, seat: int, play: int) -> None:
    """Lay a play before a seat: it adds to the counters of the seat, by as much as open modifiers make it."""
    if plan.plain:
        if plan.program.plays[play].modifiers:
            tell.modified(plan.state(state), seat, play)
    if plan.program.pieces_of_play:
        lay_piece(state, plan, seat, play)
    else:
        state.words[seat] += increment_of(plan, state.words[seat], play)
        push(state, plan, plan.tableau, seat, play)


def log(state: StateRecord, plan: AnyPlan, seat: int, play: int) -> None:
    """Remember a play: for what it does when all cards are laid down, or where plays are counted."""
    if plan.plain:
        if play in plan.with_effects:
            plan.state(state).placed.append((seat, play))
    elif plan.logged:
        state.log[state.logged] = seat << 32 | state.turn << 16 | play
        state.logged += 1


# ── pieces ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def lay_piece(state: StateRecord, plan: AnyPlan, seat: int, play: int) -> None:
    """A play lies on the modifiers that are open, where that is told card by card; each of them takes one card less."""
    word = state.words[seat]
    state.words[seat] += increment_of(plan, word, play)
    for modifier, bits in plan.told:
        if uses(plan, word, play, bits):
            use_slot(state, plan, modifier, seat)
    push(state, plan, plan.tableau, seat, piece_of_play(plan, word, play))


def piece_of_play(plan: AnyPlan, word: Packed, play: int) -> int:
    """As what a play lies that comes when some modifiers are open."""
    if plan.plain:
        return plan.program.pieces_of_play[play][plan.program.plays[play].modifiers_used(word)]
    return plan.tables.pieces_of_play[play + modified_by(plan, word)]


def uses(plan: AnyPlan, word: Packed, play: int, bits: int) -> int:
    """Does a play use up a modifier, if it is open."""
    if plan.plain:
        return plan.program.plays[play].uses(word, bits)
    return plan.tables.used(bits)[play + modified_by(plan, word)]


def use_slot(state: StateRecord, plan: AnyPlan, modifier: int, seat: int) -> None:
    """The modifier that was laid first, of those that still take a card, has taken one."""
    done = 0
    for position in dynamic_range(zone_size(state, plan, plan.tableau, seat)):
        lying = card_at(state, plan, plan.tableau, seat, position)
        if not done:
            if plan.program.after_slot_used[modifier][lying] >= 0:
                put_at(state, plan, plan.tableau, seat, position, plan.program.after_slot_used[modifier][lying])
                done = 1


def open_modifier(state: StateRecord, plan: AnyPlan, modifier: int, seat: int) -> None:
    """The cards of a modifier that opens after the reveal, and that are not open yet, open."""
    for position in dynamic_range(zone_size(state, plan, plan.tableau, seat)):
        lying = card_at(state, plan, plan.tableau, seat, position)
        if plan.program.opened[modifier][lying] >= 0:
            opened = plan.program.opened[modifier][lying]
            state.words[seat] += plan.program.increments[opened]
            state.words[seat] -= plan.program.increments[lying]
            put_at(state, plan, plan.tableau, seat, position, opened)


def unfold_all(state: StateRecord, plan: AnyPlan, seat: int) -> None:
    """All modifiers that open after the reveal open."""
    for modifier, _ in plan.told:
        open_modifier(state, plan, modifier, seat)


def first_of(state: StateRecord, plan: AnyPlan, seat: int, pieces: tuple[int, ...]) -> int:
    """As what the card lies that leaves first, of those that can lie as several pieces."""
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
    """So many cards leave, by what counters say: the cards themselves stay, and who has left before is left out.

    Where cards were laid down alone that do not lie there either, nobody can tell which would leave.
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
    """How many cards of a tableau lie as a play."""
    count = 0
    for position in dynamic_range(zone_size(state, plan, plan.tableau, seat)):
        count += card_at(state, plan, plan.tableau, seat, position) == play
    return count
