"""Playing a card: what it adds, what is remembered of it, and as what it lies (`draftengine.engine.compile.pieces`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine import telling as tell
from draftengine.engine.kernel.formulas import read
from draftengine.engine.kernel.zones import card_at, zone_size, contains, modified_by, push, put_at, increment_of
from draftengine.jit.primitives import dynamic_range

if TYPE_CHECKING:
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.program import CounterField
    from draftengine.engine.record import StateRecord
    from draftengine.jit.struct_type import Packed


def lay(g: StateRecord, plan: AnyPlan, seat: int, play: int) -> None:
    """Lay a play before a seat: it adds to the counters of the seat, by as much as open modifiers make it."""
    if plan.plain:
        if plan.program.plays[play].modifiers:
            tell.modified(plan.state(g), seat, play)
    if plan.program.pieces_of_play:
        lay_piece(g, plan, seat, play)
    else:
        g.words[seat] += increment_of(plan, g.words[seat], play)
        push(g, plan, plan.tableau, seat, play)


def log(g: StateRecord, plan: AnyPlan, seat: int, play: int) -> None:
    """Remember a play: for what it does when all cards are laid down, or where plays are counted."""
    if plan.plain:
        if play in plan.with_effects:
            plan.state(g).placed.append((seat, play))
    elif plan.logged:
        g.log[g.logged] = seat << 32 | g.turn << 16 | play
        g.logged += 1


# ── pieces ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def lay_piece(g: StateRecord, plan: AnyPlan, seat: int, play: int) -> None:
    """A play lies on the modifiers that are open, where that is told card by card; each of them takes one card less."""
    word = g.words[seat]
    g.words[seat] += increment_of(plan, word, play)
    for modifier, bits in plan.told:
        if uses(plan, word, play, bits):
            use_slot(g, plan, modifier, seat)
    push(g, plan, plan.tableau, seat, piece_of_play(plan, word, play))


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


def use_slot(g: StateRecord, plan: AnyPlan, modifier: int, seat: int) -> None:
    """The modifier that was laid first, of those that still take a card, has taken one."""
    found = 0
    for at in dynamic_range(zone_size(g, plan, plan.tableau, seat)):
        lying = card_at(g, plan, plan.tableau, seat, at)
        if not found:
            if plan.program.after_slot_used[modifier][lying] >= 0:
                put_at(g, plan, plan.tableau, seat, at, plan.program.after_slot_used[modifier][lying])
                found = 1


def open_modifier(g: StateRecord, plan: AnyPlan, modifier: int, seat: int) -> None:
    """The cards of a modifier that opens after the reveal, and that are not open yet, open."""
    for at in dynamic_range(zone_size(g, plan, plan.tableau, seat)):
        lying = card_at(g, plan, plan.tableau, seat, at)
        if plan.program.opened[modifier][lying] >= 0:
            opened = plan.program.opened[modifier][lying]
            g.words[seat] += plan.program.increments[opened]
            g.words[seat] -= plan.program.increments[lying]
            put_at(g, plan, plan.tableau, seat, at, opened)


def unfold_all(g: StateRecord, plan: AnyPlan, seat: int) -> None:
    """All modifiers that open after the reveal open."""
    for modifier, _ in plan.told:
        open_modifier(g, plan, modifier, seat)


def first_of(g: StateRecord, plan: AnyPlan, seat: int, pieces: tuple[int, ...]) -> int:
    """As what the card lies that leaves first, of those that can lie as several pieces."""
    if len(pieces) == 1:
        return pieces[0]
    found = -1
    for own in pieces:
        if found < 0:
            if contains(g, plan, plan.tableau, seat, own):
                found = own
    return found


def give_away(g: StateRecord, plan: AnyPlan, seat: int, pieces: tuple[int, ...], field: CounterField, count: int) -> None:
    """So many cards leave, by what counters say: the cards themselves stay, and who has left before is left out.

    Where cards were laid down alone that do not lie there either, nobody can tell which would leave.
    """
    lying = 0
    for own in pieces:
        lying += copies_of(g, plan, seat, own)
    gone = lying - read(g.words[seat], field)
    if gone >= 0:
        left = count
        for own in pieces:
            there = copies_of(g, plan, seat, own)
            before = min(gone, there)
            leaving = min(left, there - before)
            g.words[seat] -= leaving * plan.program.increments[own]
            gone -= before
            left -= leaving


def copies_of(g: StateRecord, plan: AnyPlan, seat: int, play: int) -> int:
    """How many cards of a tableau lie as a play."""
    found = 0
    for at in dynamic_range(zone_size(g, plan, plan.tableau, seat)):
        found += card_at(g, plan, plan.tableau, seat, at) == play
    return found
