"""Effects of cards and triggers: what changes points, counters and markers beside playing and scoring."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.text.chance import below
from draftengine.engine.text.chips import take_chip
from draftengine.engine.text.formulas import formula, read
from draftengine.engine.text.memory import note_chips
from draftengine.engine.text.zones import push, remove
from draftengine.staging.primitives import as_packed, row

FAR = 1 << 40
"""More than any value of a formula."""

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.compiled.plan import Plan
    from draftengine.engine.program import Amount, Change, Field, Watch
    from draftengine.engine.record import Game
    from draftengine.staging.record import Packed


def effects_of(g: Game, plan: Plan, seat: int, play: int) -> None:
    """A play that was laid down does what it does."""
    for own in plan.with_effects:
        if play == own:
            for effect in plan.program.plays[own].effects:
                carry_out(g, plan, plan.program.effects[effect], seat, plan.program.plays[own].name)


def trigger(g: Game, plan: Plan, moment: str) -> None:
    """The triggers of a moment, in the order of the file."""
    for watch in plan.watches(moment):
        if plan.guard(watch) == 0 or changed(g, plan) & plan.guard(watch):
            happen(g, plan, watch)


def happen(g: Game, plan: Plan, watch: Watch) -> None:
    """Whom a trigger concerns is decided for all seats; then it happens to them, at once or group by group."""
    who = concerned(g, plan, watch)
    if watch.by is None:
        happen_to(g, plan, watch, who)
    else:
        values = row(len(plan.ranked))
        for seat in plan.ranked:
            values[seat] = formula(g, plan, watch.by, seat)
        while who:
            least = FAR
            for seat in plan.ranked:
                if who >> seat & 1:
                    least = min(least, values[seat])
            group = who & sum((values[seat] == least) << seat for seat in plan.ranked)
            happen_to(g, plan, watch, group)
            who ^= group


def concerned(g: Game, plan: Plan, watch: Watch) -> int:
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


def happen_to(g: Game, plan: Plan, watch: Watch, who: int) -> None:
    """What a trigger does to several seats at once: seat by seat, where nobody can tell."""
    if watch.in_steps:
        for effect in watch.effects:
            together(g, plan, plan.program.effects[effect], who, watch.model.id)
    else:
        for seat in plan.ranked:
            if who >> seat & 1:
                for effect in watch.effects:
                    carry_out(g, plan, plan.program.effects[effect], seat, watch.model.id)


def together(g: Game, plan: Plan, change: Change, who: int, cause: str) -> None:
    """One effect for several seats: everything is read before anything is done."""
    if change.kind == "points":
        points_together(g, plan, change, who, cause)
    elif change.kind == "discard":
        discard_together(g, plan, change, who)
    elif change.kind in CHANGING:
        counters_together(g, plan, change, who)
    else:
        for seat in plan.ranked:
            if who >> seat & 1:
                carry_out(g, plan, change, seat, cause)


def points_together(g: Game, plan: Plan, change: Change, who: int, cause: str) -> None:
    values = row(len(plan.ranked))
    for seat in plan.ranked:
        values[seat] = formula(g, plan, change.value, seat)
    for seat in plan.ranked:
        if who >> seat & 1:
            give_points(g, plan, plan.sources.index(cause), seat, values[seat])


def discard_together(g: Game, plan: Plan, change: Change, who: int) -> None:
    values = row(len(plan.ranked))
    for seat in plan.ranked:
        values[seat] = formula(g, plan, change.value, seat)
    for seat in plan.ranked:
        if who >> seat & 1:
            discard_cards(g, plan, change, seat, values[seat])


def counters_together(g: Game, plan: Plan, change: Change, who: int) -> None:
    count = len(change.amounts)
    values = row(len(plan.ranked) * count)
    for seat in plan.ranked:
        for at, amount in enumerate(change.amounts):
            values[seat * count + at] = formula(g, plan, amount.value, seat)
    for seat in plan.ranked:
        if who >> seat & 1:
            for at, amount in enumerate(change.amounts):
                CHANGING[change.kind](g, plan, amount, seat, values[seat * count + at])


def changed(g: Game, plan: Plan) -> Packed:
    """The bits in which the counters of any seat differ from before."""
    found = 0
    for seat in plan.seats:
        found |= g.words[seat] ^ g.before[seat]
    return found


def carry_out(g: Game, plan: Plan, change: Change, seat: int, cause: str) -> None:
    """One effect is carried out for a seat."""
    EFFECTS[change.kind](g, plan, change, seat, cause)


def give_points(g: Game, plan: Plan, source: int, seat: int, value: int) -> None:
    """A source gives a seat points."""
    g.scores[seat] += value
    note_points(g, plan, source, seat, value)


def note_points(g: Game, plan: Plan, source: int, seat: int, value: int) -> None:
    """Remember what points came from."""
    g.points[source * len(plan.seats) + seat] += value


def points(g: Game, plan: Plan, change: Change, seat: int, cause: str) -> None:
    give_points(g, plan, plan.sources.index(cause), seat, formula(g, plan, change.value, seat))


def take(g: Game, plan: Plan, change: Change, seat: int, cause: str) -> None:
    g.markers[change.target] = seat


def chip(g: Game, plan: Plan, change: Change, seat: int, cause: str) -> None:
    draw_chip(g, plan, change.target, 1 << seat)


def draw_chip(g: Game, plan: Plan, pile: int, who: int) -> None:
    """The seat whose bit this is draws a chip blind from a pile, if one is left."""
    if g.left[pile] > 0:
        value = take_chip(g, plan, pile, below(g, g.left[pile]))
        for seat in plan.seats:
            drawn = who >> seat & 1
            g.bonus[seat] += value * drawn
            note_points(g, plan, len(plan.program.sources_of_points) + pile, seat, value * drawn)
            if plan.observed:
                note_chips(g, plan, pile, seat, drawn)


def discard(g: Game, plan: Plan, change: Change, seat: int, cause: str) -> None:
    discard_cards(g, plan, change, seat, formula(g, plan, change.value, seat))


def discard_cards(g: Game, plan: Plan, change: Change, seat: int, count: int) -> None:
    """The cards that it is about leave the tableau, the last one first, as far as there are some."""
    first, lot = plan.first(plan.tableau, seat), plan.lot(plan.tableau, seat)
    left = count
    at = g.size[lot] - 1
    while at >= 0 and left > 0:
        play = g.heap[first + at]
        if change.admits[play]:
            remove(g, plan, plan.tableau, seat, play)
            g.words[seat] -= plan.program.increments[play]
            push(g, plan, plan.discard, 0, plan.program.card_of[play])
            left -= 1
        at -= 1


def roll(g: Game, plan: Plan, change: Change, seat: int, cause: str) -> None:
    write(g, change.amounts[0].field, seat, below(g, change.sides) + 1)


def add(g: Game, plan: Plan, change: Change, seat: int, cause: str) -> None:
    change_counters(g, plan, change, seat)


def set_to(g: Game, plan: Plan, change: Change, seat: int, cause: str) -> None:
    change_counters(g, plan, change, seat)


def change_counters(g: Game, plan: Plan, change: Change, seat: int) -> None:
    """All amounts are read before a counter changes."""
    values = row(len(change.amounts))
    for at, amount in enumerate(change.amounts):
        values[at] = formula(g, plan, amount.value, seat)
    for at, amount in enumerate(change.amounts):
        CHANGING[change.kind](g, plan, amount, seat, values[at])


def rise(g: Game, plan: Plan, amount: Amount, seat: int, value: int) -> None:
    """What cards added beyond the bounds of a counter stays."""
    old = read(g.words[seat], amount.field)
    write(g, amount.field, seat, max(min(amount.low, old), min(max(amount.high, old), old + value)))


def become(g: Game, plan: Plan, amount: Amount, seat: int, value: int) -> None:
    write(g, amount.field, seat, max(amount.low, min(amount.high, value)))


def write(g: Game, field: Field, seat: int, value: int) -> None:
    """A counter becomes a value, at every seat if they have it together."""
    if field.shared:
        for own in range(field.shared):
            g.words[own] += as_packed(value - read(g.words[own], field)) << field.shift
        return
    g.words[seat] += as_packed(value - read(g.words[seat], field)) << field.shift


CHANGING: dict[str, Callable[..., None]] = {"add": rise, "open": rise, "set": become}
EFFECTS: dict[str, Callable[..., None]] = {
    "points": points, "take": take, "chip": chip, "discard": discard, "roll": roll, "add": add, "open": add,
    "set": set_to,
}  # fmt: skip
