"""Effects of cards, actions and triggers on points, counters, markers and cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.kernel.beliefs import note_chips
from draftengine.engine.kernel.chance import below
from draftengine.engine.kernel.formulas import formula, read
from draftengine.engine.kernel.laying import open_modifier
from draftengine.engine.kernel.zones import card_at, chips_left, push, remove, take_chip, zone_size
from draftengine.engine.plan.base import ABOVE_ALL_VALUES
from draftengine.jit.primitives import as_packed, row

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.engine.instructions import CounterField
    from draftengine.engine.observers import Source
    from draftengine.engine.plain import AnyPlan
    from draftengine.engine.program import Amount, CompiledEffect, CompiledTrigger
    from draftengine.engine.state import StateRecord
    from draftengine.jit.records import Packed


def effects_of(state: StateRecord, plan: AnyPlan, seat: int, play: int) -> None:
    """Carry out the effects of a card that was laid down in the form `play`."""
    for candidate in plan.with_effects:
        if play == candidate:
            for effect in plan.program.plays[candidate].effects:
                carry_out(state, plan, plan.program.effects[effect], seat, plan.program.plays[candidate].name, ())


def trigger(state: StateRecord, plan: AnyPlan, moment: str) -> None:
    """Run the triggers of a moment (a point of the flow such as ``reveal``), in the order of the card set."""
    for watch in plan.watches(moment):
        if plan.guard(watch) == 0 or changed(state, plan) & plan.guard(watch):
            run_trigger(state, plan, watch)


def run_trigger(state: StateRecord, plan: AnyPlan, watch: CompiledTrigger) -> None:
    """Run a trigger: find the seats that it affects, then apply it to all of them or group by group.

    Seats with equal values of `by` form a group. The group with the smallest value comes first.
    """
    if len(plan.ranked_in(watch)) == 1:
        for seat in plan.ranked_in(watch):
            if formula(state, plan, watch.who, seat) and not (
                watch.unless is not None and formula(state, plan, watch.unless, seat)
            ):
                for effect in watch.effects:
                    carry_out(state, plan, plan.program.effects[effect], seat, watch.model.id, watch.model.source)
        return
    who = triggered_seats(state, plan, watch)
    if watch.by is None:
        apply_to_seats(state, plan, watch, who)
    else:
        values = row(len(plan.ranked))
        for seat in plan.ranked_in(watch):
            values[seat] = formula(state, plan, watch.by, seat)
        while who:
            least = ABOVE_ALL_VALUES
            for seat in plan.ranked:
                if who >> seat & 1:
                    least = min(least, values[seat])
            group = who & sum((values[seat] == least) << seat for seat in plan.ranked)
            apply_to_seats(state, plan, watch, group)
            who ^= group


def triggered_seats(state: StateRecord, plan: AnyPlan, watch: CompiledTrigger) -> int:
    """Return the seats that meet a trigger's condition now, as bits."""
    affected = row(len(plan.ranked))
    who = 0
    for seat in plan.ranked_in(watch):
        affected[seat] = formula(state, plan, watch.who, seat) != 0
    if watch.model.only != "single" or sum(affected[seat] for seat in plan.ranked_in(watch)) == 1:
        for seat in plan.ranked_in(watch):
            if affected[seat] and not (watch.unless is not None and formula(state, plan, watch.unless, seat)):
                who |= 1 << seat
    return who


def apply_to_seats(state: StateRecord, plan: AnyPlan, watch: CompiledTrigger, who: int) -> None:
    """Apply a trigger to several seats: effect by effect, or seat by seat if the order cannot matter."""
    if watch.in_steps:
        for effect in watch.effects:
            apply_simultaneously(state, plan, plan.program.effects[effect], who, watch)
    else:
        for seat in plan.ranked_in(watch):
            if who >> seat & 1:
                for effect in watch.effects:
                    carry_out(state, plan, plan.program.effects[effect], seat, watch.model.id, watch.model.source)


def apply_simultaneously(
    state: StateRecord, plan: AnyPlan, change: CompiledEffect, who: int, watch: CompiledTrigger
) -> None:
    """Apply one effect to several seats; all formulas are evaluated before anything changes."""
    if change.kind in {"points", "discard"}:
        numbers_together(state, plan, change, who, watch)
    elif change.kind in CHANGING and change.kind != "rank":
        counters_together(state, plan, change, who, plan.ranked_in(watch), watch.model.source)
    else:
        for seat in plan.ranked_in(watch):
            if who >> seat & 1:
                carry_out(state, plan, change, seat, watch.model.id, watch.model.source)


def numbers_together(
    state: StateRecord, plan: AnyPlan, change: CompiledEffect, who: int, watch: CompiledTrigger
) -> None:
    """Give several seats points, or discard some of their cards; all amounts are evaluated first."""
    values = row(len(plan.ranked))
    for seat in plan.ranked_in(watch):
        values[seat] = formula(state, plan, change.value, seat)
    for seat in plan.ranked_in(watch):
        if who >> seat & 1:
            if change.kind == "points":
                give_points(state, plan, watch.model.id, seat, values[seat], watch.model.source)
            else:
                discard_cards(state, plan, change, seat, values[seat], watch.model.source)


def counters_together(
    state: StateRecord, plan: AnyPlan, change: CompiledEffect, who: int, seats: Sequence[int], source: Source
) -> None:
    """Change counters of those of `seats` that are in `who` (bits); all amounts are evaluated first."""
    count = len(change.amounts)
    values = row(len(plan.ranked) * count)
    for seat in seats:
        for index, amount in enumerate(change.amounts):
            values[seat * count + index] = formula(state, plan, amount.value, seat)
    for seat in seats:
        if who >> seat & 1:
            for index, amount in enumerate(change.amounts):
                CHANGING[change.kind](state, plan, amount, seat, values[seat * count + index], source)


def changed(state: StateRecord, plan: AnyPlan) -> Packed:
    """Return the bits of packed words that differ, for any seat, from those when the last choice began."""
    bits = 0
    for seat in plan.seats:
        bits |= state.words[seat] ^ state.words_before_choice[seat]
    return bits


def carry_out(state: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, cause: str, source: Source) -> None:
    """Apply one effect to a seat. `cause` names the card, trigger or action."""
    EFFECTS[change.kind](state, plan, change, seat, cause, source)


def give_points(state: StateRecord, plan: AnyPlan, cause: str, seat: int, value: int, source: Source) -> None:
    state.scores[seat] += value
    note_points(state, plan, plan.sources.index(cause), seat, value)
    if plan.watched:
        plan.observer.points(plan.state(state), seat, cause, value, source)


def note_points(state: StateRecord, plan: AnyPlan, index: int, seat: int, value: int) -> None:
    """Add points to the sum that is recorded for their source, such as a rule or trigger."""
    if plan.plain:
        plan.note_points(state, index, seat, value)
    else:
        state.points[index * len(plan.seats) + seat] += value


def points(state: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, cause: str, source: Source) -> None:
    give_points(state, plan, cause, seat, formula(state, plan, change.value, seat), source)


def take(state: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, cause: str, source: Source) -> None:
    give_marker(state, plan, change.target, seat, source)


def give_marker(state: StateRecord, plan: AnyPlan, marker: int, seat: int, source: Source) -> None:
    """Give a marker to a seat; -1 = to nobody."""
    if plan.watched:
        plan.observer.marker(plan.state(state), marker, seat, source)
    state.markers[marker] = seat


def chip(state: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, cause: str, source: Source) -> None:
    draw_chip(state, plan, change.target, 1 << seat, cause, source)


def draw_chip(state: StateRecord, plan: AnyPlan, pile: int, who: int, cause: str, source: Source) -> None:
    """Let the seat whose bit is set in `who` draw a random chip from a pile, if any chip is left."""
    if chips_left(state, plan, pile) > 0:
        number = below(state, plan, chips_left(state, plan, pile))
        if plan.plain:
            plan.observer.chip(plan.state(state), pile, plan.draw_chip(state, pile, number, who), cause, source)
        else:
            value = take_chip(state, plan, pile, number)
            for seat in plan.seats:
                drawn = who >> seat & 1
                state.bonus[seat] += value * drawn
                note_points(state, plan, len(plan.program.sources_of_points) + pile, seat, value * drawn)
                if plan.observed:
                    note_chips(state, plan, pile, seat, drawn)


def discard(state: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, cause: str, source: Source) -> None:
    discard_cards(state, plan, change, seat, formula(state, plan, change.value, seat), source)


def discard_cards(
    state: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, count: int, source: Source
) -> None:
    """Discard up to `count` cards from a tableau: group by group in the effect's order, last card first."""
    left = count
    for admits in change.order:
        position = zone_size(state, plan, plan.tableau, seat) - 1
        while position >= 0 and left > 0:
            play = card_at(state, plan, plan.tableau, seat, position)
            if admits[play]:
                remove(state, plan, plan.tableau, seat, play)
                state.words[seat] -= plan.program.increments[play]
                push(state, plan, plan.discard, 0, plan.program.card_of[play])
                if plan.watched:
                    plan.observer.discarded(plan.state(state), seat, play, source)
                left -= 1
            position -= 1


def roll(state: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, cause: str, source: Source) -> None:
    value = below(state, plan, change.sides) + 1
    write(state, change.amounts[0].field, seat, value)
    if plan.watched:
        plan.observer.rolled(plan.state(state), seat, change.amounts[0].field, value, source)


def change_counters(
    state: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, cause: str, source: Source
) -> None:
    """Change counters of a seat as an effect says. All amounts are evaluated first."""
    values = row(len(change.amounts))
    for index, amount in enumerate(change.amounts):
        values[index] = formula(state, plan, amount.value, seat)
    for index, amount in enumerate(change.amounts):
        CHANGING[change.kind](state, plan, amount, seat, values[index], source)


def add(state: StateRecord, plan: AnyPlan, amount: Amount, seat: int, value: int, source: Source) -> None:
    set_to(state, plan, amount, seat, clamped_sum(state, amount, seat, value), source)


def open_more(state: StateRecord, plan: AnyPlan, amount: Amount, seat: int, value: int, source: Source) -> None:
    """Raise a hidden counter: free slots of a modifier, or step lists that a seat owes. Sends no event."""
    write(state, amount.field, seat, clamped_sum(state, amount, seat, value))


def clamped_sum(state: StateRecord, amount: Amount, seat: int, value: int) -> int:
    """Compute a counter's value plus `value`, within the effect's bounds.

    A value already outside these bounds stays.
    """
    old = read(state.words[seat], amount.field)
    return max(min(amount.low, old), min(max(amount.high, old), old + value))


def rank(state: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, cause: str, source: Source) -> None:
    """Set a hidden counter of all seats to their ranks, such as their order of arrival on a track."""
    counters_together(state, plan, change, sum(1 << each for each in plan.ranked), plan.ranked, source)


def set_hidden(state: StateRecord, plan: AnyPlan, amount: Amount, seat: int, value: int, source: Source) -> None:
    write(state, amount.field, seat, value)


def unfold_all(
    state: StateRecord, plan: AnyPlan, change: CompiledEffect, seat: int, cause: str, source: Source
) -> None:
    open_modifier(state, plan, change.target, seat)


def set_within(state: StateRecord, plan: AnyPlan, amount: Amount, seat: int, value: int, source: Source) -> None:
    set_to(state, plan, amount, seat, max(amount.low, min(amount.high, value)), source)


def set_to(state: StateRecord, plan: AnyPlan, amount: Amount, seat: int, value: int, source: Source) -> None:
    """Set a counter, and report the change."""
    if plan.watched:
        plan.observer.counter(plan.state(state), seat, amount.field, value, source)
    write(state, amount.field, seat, value)


def write(state: StateRecord, field: CounterField, seat: int, value: int) -> None:
    """Set a counter of a seat, or of all seats if it is shared."""
    if field.shared:
        for each in range(field.shared):
            state.words[each] += as_packed(value - read(state.words[each], field)) << field.shift
        return
    state.words[seat] += as_packed(value - read(state.words[seat], field)) << field.shift


CHANGING: dict[str, Callable[..., None]] = {"add": add, "open": open_more, "rank": set_hidden, "set": set_within}
EFFECTS: dict[str, Callable[..., None]] = {
    "points": points, "take": take, "chip": chip, "discard": discard, "roll": roll, "add": change_counters,
    "open": change_counters, "set": change_counters, "unfold": unfold_all, "rank": rank,
}  # fmt: skip
