"""Effects of cards and triggers: what changes points, counters and markers beside playing and scoring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine import telling as tell
from draftengine.engine.kernel.beliefs import note_chips
from draftengine.engine.kernel.chance import below
from draftengine.engine.kernel.chips import chips_left, take_chip
from draftengine.engine.kernel.formulas import formula, read
from draftengine.engine.kernel.plays import open_modifier
from draftengine.engine.kernel.zones import card_at, zone_size, push, remove
from draftengine.jit.primitives import as_packed, row

ABOVE_ALL_VALUES = 1 << 40
"""More than any value of a formula."""

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.program import Amount, CompiledEffect, CounterField, CompiledTrigger
    from draftengine.engine.record import StateRecord
    from draftengine.engine.telling import Source
    from draftengine.jit.struct_type import Packed


def effects_of(g: StateRecord, plan: AnyPlan, seat: int, play: int) -> None:
    """Carry out the effects of a play that was laid down."""
    for own in plan.with_effects:
        if play == own:
            for effect in plan.program.plays[own].effects:
                carry_out(g, plan, plan.program.effects[effect], seat, plan.program.plays[own].name, ())


def trigger(g: StateRecord, plan: AnyPlan, moment: str) -> None:
    """Run the triggers that wait for a moment, in the order of the file."""
    for watch in plan.watches(moment):
        if plan.guard(watch) == 0 or changed(g, plan) & plan.guard(watch):
            run_trigger(g, plan, watch)


def run_trigger(g: StateRecord, plan: AnyPlan, watch: CompiledTrigger) -> None:
    """Run a trigger: decide for all seats whom it concerns; carry it out for these, together or by groups."""
    who = triggered_seats(g, plan, watch)
    if watch.by is None:
        apply_to_seats(g, plan, watch, who)
    else:
        values = row(len(plan.ranked))
        for seat in plan.ranked:
            values[seat] = formula(g, plan, watch.by, seat)
        while who:
            least = ABOVE_ALL_VALUES
            for seat in plan.ranked:
                if who >> seat & 1:
                    least = min(least, values[seat])
            group = who & sum((values[seat] == least) << seat for seat in plan.ranked)
            apply_to_seats(g, plan, watch, group)
            who ^= group


def triggered_seats(g: StateRecord, plan: AnyPlan, watch: CompiledTrigger) -> int:
    """The seats to which a trigger happens now, as bits."""
    found = row(len(plan.ranked))
    who = 0
    for seat in plan.ranked:
        found[seat] = formula(g, plan, watch.who, seat) != 0
    if watch.model.only != "single" or sum(found[seat] for seat in plan.ranked) == 1:
        for seat in plan.ranked:
            if found[seat] and not (watch.unless is not None and formula(g, plan, watch.unless, seat)):
                who |= 1 << seat
    return who


def apply_to_seats(g: StateRecord, plan: AnyPlan, watch: CompiledTrigger, who: int) -> None:
    """Carry out the effects of a trigger for several seats at once; where the order cannot matter, seat by seat."""
    if watch.in_steps:
        for effect in watch.effects:
            apply_simultaneously(g, plan, plan.program.effects[effect], who, watch.model.id, watch.model.source)
    else:
        for seat in plan.ranked:
            if who >> seat & 1:
                for effect in watch.effects:
                    carry_out(g, plan, plan.program.effects[effect], seat, watch.model.id, watch.model.source)


def apply_simultaneously(g: StateRecord, plan: AnyPlan, change: CompiledEffect, who: int, cause: str, source: Source) -> None:
    """Carry out one effect for several seats: all formulas are read before anything is done."""
    if change.kind in {"points", "discard"}:
        numbers_together(g, plan, change, who, cause, source)
    elif change.kind in CHANGING:
        counters_together(g, plan, change, who, source)
    else:
        for seat in plan.ranked:
            if who >> seat & 1:
                carry_out(g, plan, change, seat, cause, source)


def numbers_together(g: StateRecord, plan: AnyPlan, change: CompiledEffect, who: int, cause: str, source: Source) -> None:
    """Give several seats points, or discard cards of them: the number is read for all before anything happens."""
    values = row(len(plan.ranked))
    for seat in plan.ranked:
        values[seat] = formula(g, plan, change.value, seat)
    for seat in plan.ranked:
        if who >> seat & 1:
            if change.kind == "points":
                give_points(g, plan, cause, seat, values[seat], source)
            else:
                discard_cards(g, plan, change, seat, values[seat], source)


def counters_together(g: StateRecord, plan: AnyPlan, change: CompiledEffect, who: int, source: Source) -> None:
    count = len(change.amounts)
    values = row(len(plan.ranked) * count)
    for seat in plan.ranked:
        for at, amount in enumerate(change.amounts):
            values[seat * count + at] = formula(g, plan, amount.value, seat)
    for seat in plan.ranked:
        if who >> seat & 1:
            for at, amount in enumerate(change.amounts):
                CHANGING[change.kind](g, plan, amount, seat, values[seat * count + at], source)


def changed(g: StateRecord, plan: AnyPlan) -> Packed:
    """The bits in which the counters of any seat differ from before."""
    found = 0
    for seat in plan.seats:
        found |= g.words[seat] ^ g.words_before_choice[seat]
    return found


def carry_out(g: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, cause: str, source: Source) -> None:
    """Carry out one effect for a seat; `cause` is the card, trigger or way that it comes from."""
    EFFECTS[change.kind](g, plan, change, seat, cause, source)


def give_points(g: StateRecord, plan: AnyPlan, cause: str, seat: int, value: int, source: Source) -> None:
    """An effect gives a seat points."""
    g.scores[seat] += value
    note_points(g, plan, plan.sources.index(cause), seat, value)
    if plan.plain:
        tell.points(plan.state(g), seat, cause, value, source)


def note_points(g: StateRecord, plan: AnyPlan, index: int, seat: int, value: int) -> None:
    """Note what points came from, where that is counted."""
    if plan.plain:
        plan.note_points(g, index, seat, value)
    else:
        g.points[index * len(plan.seats) + seat] += value


def points(g: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, cause: str, source: Source) -> None:
    give_points(g, plan, cause, seat, formula(g, plan, change.value, seat), source)


def take(g: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, cause: str, source: Source) -> None:
    give_marker(g, plan, change.target, seat, source)


def give_marker(g: StateRecord, plan: AnyPlan, marker: int, seat: int, source: Source) -> None:
    """A marker comes to a seat; -1 = to nobody."""
    if plan.plain:
        tell.marker(plan.state(g), marker, seat, source)
    g.markers[marker] = seat


def chip(g: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, cause: str, source: Source) -> None:
    draw_chip(g, plan, change.target, 1 << seat, cause, source)


def draw_chip(g: StateRecord, plan: AnyPlan, pile: int, who: int, cause: str, source: Source) -> None:
    """The seat whose bit this is draws a chip blind from a pile, if one is left."""
    if chips_left(g, plan, pile) > 0:
        number = below(g, plan, chips_left(g, plan, pile))
        if plan.plain:
            tell.chip(plan.state(g), pile, plan.draw_chip(g, pile, number, who), cause, source)
        else:
            value = take_chip(g, plan, pile, number)
            for seat in plan.seats:
                drawn = who >> seat & 1
                g.bonus[seat] += value * drawn
                note_points(g, plan, len(plan.program.sources_of_points) + pile, seat, value * drawn)
                if plan.observed:
                    note_chips(g, plan, pile, seat, drawn)


def discard(g: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, cause: str, source: Source) -> None:
    discard_cards(g, plan, change, seat, formula(g, plan, change.value, seat), source)


def discard_cards(g: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, count: int, source: Source) -> None:
    """The cards that it is about leave the tableau, the last one first, as far as there are some."""
    left = count
    for admits in change.order:
        at = zone_size(g, plan, plan.tableau, seat) - 1
        while at >= 0 and left > 0:
            play = card_at(g, plan, plan.tableau, seat, at)
            if admits[play]:
                remove(g, plan, plan.tableau, seat, play)
                g.words[seat] -= plan.program.increments[play]
                push(g, plan, plan.discard, 0, plan.program.card_of[play])
                if plan.plain:
                    tell.discarded(plan.state(g), seat, play, source)
                left -= 1
            at -= 1


def roll(g: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, cause: str, source: Source) -> None:
    write(g, change.amounts[0].field, seat, below(g, plan, change.sides) + 1)
    if plan.plain:
        tell.counter(plan.state(g), "rolled", seat, change.amounts[0].field, source)


def change_counters(g: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, cause: str, source: Source) -> None:
    """Change the counters of one effect for a seat: all amounts are read before any counter changes."""
    values = row(len(change.amounts))
    for at, amount in enumerate(change.amounts):
        values[at] = formula(g, plan, amount.value, seat)
    for at, amount in enumerate(change.amounts):
        CHANGING[change.kind](g, plan, amount, seat, values[at], source)


def add(g: StateRecord, plan: AnyPlan, amount: Amount, seat: int, value: int, source: Source) -> None:
    set_to(g, plan, amount, seat, clamped_sum(g, amount, seat, value), source)


def open_more(g: StateRecord, plan: AnyPlan, amount: Amount, seat: int, value: int, source: Source) -> None:
    """Open a modifier for more cards, or note that a list is owed: hidden counters, of which nobody is told."""
    write(g, amount.field, seat, clamped_sum(g, amount, seat, value))


def clamped_sum(g: StateRecord, amount: Amount, seat: int, value: int) -> int:
    """The value of a counter to which `value` is added, within the bounds of the effect; what was beyond them stays."""
    old = read(g.words[seat], amount.field)
    return max(min(amount.low, old), min(max(amount.high, old), old + value))


def unfold_all(g: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, cause: str, source: Source) -> None:
    open_modifier(g, plan, change.target, seat)


def set_within(g: StateRecord, plan: AnyPlan, amount: Amount, seat: int, value: int, source: Source) -> None:
    set_to(g, plan, amount, seat, max(amount.low, min(amount.high, value)), source)


def set_to(g: StateRecord, plan: AnyPlan, amount: Amount, seat: int, value: int, source: Source) -> None:
    """Set a counter, and tell of it if its value has changed."""
    if plan.plain and value == read(g.words[seat], amount.field):
        return
    write(g, amount.field, seat, value)
    if plan.plain:
        tell.counter(plan.state(g), "counter", seat, amount.field, source)


def write(g: StateRecord, field: CounterField, seat: int, value: int) -> None:
    """Set a counter of a seat, or of all seats if it belongs to the table."""
    if field.shared:
        for own in range(field.shared):
            g.words[own] += as_packed(value - read(g.words[own], field)) << field.shift
        return
    g.words[seat] += as_packed(value - read(g.words[seat], field)) << field.shift


CHANGING: dict[str, Callable[..., None]] = {"add": add, "open": open_more, "set": set_within}
EFFECTS: dict[str, Callable[..., None]] = {
    "points": points, "take": take, "chip": chip, "discard": discard, "roll": roll, "add": change_counters,
    "open": change_counters, "set": change_counters, "unfold": unfold_all,
}  # fmt: skip
