"""Conditions of the rules that can never hold with some number of players, so texts omit them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.cardset.effects import effect_lists
from draftengine.model.cardset.facts import constants, ranked_seats, steps_of
from draftengine.model.language.bounds import UNKNOWN, bounds
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.effects import Changing, SetStep

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.model.cardset.records import CardSet
    from draftengine.model.language.ranges import Range
    from draftengine.model.language.tree import Expr


def can_hold(condition: Expr, model: CardSet, players: int) -> bool:
    """True if a condition can hold with a number of players, as far as the rules alone tell."""
    facts = _Facts({name: (value, value) for name, value in constants(model, players).items()}, model, players)
    known = {name: (min(values), max(values)) for name, values in _set_alone(facts).items()}
    return bounds(condition, _Facts({**known, **facts.ranges}, model, players)) != (0, 0)


class _Facts(Struct, frozen=True):
    """Bounds of the values of names (see `draftengine.model.language.bounds`)."""

    ranges: Mapping[str, Range]
    model: CardSet
    player_count: int

    @property
    def seat_count(self) -> int:
        return ranked_seats(self.model, self.player_count)

    def range_of(self, function: str, name: str, _seat: int) -> Range:
        return self.ranges.get(name, UNKNOWN) if function == "name" else UNKNOWN


def _set_alone(facts: _Facts) -> dict[str, set[int]]:
    """Return the values of counters that are only set to constants, by actions that can be open."""
    model = facts.model
    closed = {
        f"{path}/as/{way.id}/do"
        for path, step in steps_of(model)
        for way in (step.as_ if isinstance(step, ChooseStep) else ())
        if way.when is not None and bounds(way.when.expr, facts) == (0, 0)
    }
    declared = {counter.id: counter for counter in model.counters}
    values = {counter.id: {counter.start, 0} for counter in model.counters if counter.die is None}
    changed = {name for card in model.cards for name, _ in card.adds}
    changed |= {amount.counter for modifier in model.modifiers for amount in modifier.then}
    for effect in (effect for listed in effect_lists(model) if listed.path not in closed for effect in listed.effects):
        for amount in effect.amounts if isinstance(effect, Changing) else ():
            low, high = bounds(amount.formula.expr, facts)
            if isinstance(effect, SetStep) and low == high and amount.counter in values:
                values[amount.counter].add(declared[amount.counter].within(low))
            else:
                changed.add(amount.counter)
    return {name: numbers for name, numbers in values.items() if name not in changed}
