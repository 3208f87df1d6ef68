"""Which conditions of the rules can never hold with some number of players, so that nobody need be told of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.cardset.effects import effect_lists
from draftengine.model.cardset.facts import constants, ranked_seats, steps_of
from draftengine.model.language.bounds import UNKNOWN, bounds
from draftengine.model.verbs import add, choose, set_

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.model.cardset.records import CardSet
    from draftengine.model.language.ranges import Range
    from draftengine.model.language.tree import Expr


def unreachable_conditions(condition: Expr, model: CardSet, players: int) -> bool:
    """Can a condition hold with so many players, as far as the rules alone tell."""
    facts = _Facts({name: (own, own) for name, own in constants(model, players).items()}, model, players)
    known = {name: (min(own), max(own)) for name, own in _set_alone(facts).items()}
    return bounds(condition, _Facts({**known, **facts.ranges}, model, players)) != (0, 0)


class _Facts(Struct, frozen=True):
    """Between which values names lie (see `draftengine.model.language.bounds`)."""

    ranges: Mapping[str, Range]
    model: CardSet
    player_count: int

    @property
    def seat_count(self) -> int:
        return ranked_seats(self.model, self.player_count)

    def range_of(self, function: str, name: str, _seat: int) -> Range:
        return self.ranges.get(name, UNKNOWN) if function == "name" else UNKNOWN


def _set_alone(facts: _Facts) -> dict[str, set[int]]:
    """The values of counters that nothing changes but being set to a number, by ways that can be open."""
    model = facts.model
    closed = {
        f"{path}/as/{way.id}/do"
        for path, step in steps_of(model)
        for way in (step.as_ if isinstance(step, choose.ChooseStep) else ())
        if way.when is not None and bounds(way.when.expr, facts) == (0, 0)
    }
    declared = {own.id: own for own in model.counters}
    found = {own.id: {own.start, 0} for own in model.counters if own.die is None}
    changed = {name for card in model.cards for name, _ in card.adds}
    changed |= {own.counter for modifier in model.modifiers for own in modifier.then}
    for effect in (own for listed in effect_lists(model) if listed.path not in closed for own in listed.effects):
        for own in effect.amounts if isinstance(effect, add.Changing) else ():
            low, high = bounds(own.formula.expr, facts)
            if isinstance(effect, set_.SetStep) and low == high and own.counter in found:
                found[own.counter].add(declared[own.counter].within(low))
            else:
                changed.add(own.counter)
    return {name: own for name, own in found.items() if name not in changed}
