"""Ranges of names that differ by seat, as far as they are known before the dry run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.cardset.effects import all_effects, cards_wander, discarded
from draftengine.model.cardset.facts import constants, names_of_cards, ranked_seats
from draftengine.model.language.bounds import UNKNOWN, bounds
from draftengine.model.language.evaluate import references
from draftengine.model.language.tree import MAX_INT
from draftengine.model.verbs.effects import Changing, SetStep

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

    from draftengine.model.cardset.records import CardSet, Counter
    from draftengine.model.language.ranges import Range
    from draftengine.model.records.values import Amount

_COUNT: Range = (0, MAX_INT)


def name_ranges(model: CardSet, players: int, names: Iterable[str]) -> dict[str, Range]:
    """Return the ranges of those `names` that have a known one: counters and attributes of cards.

    Counters are assumed never to be below 0. The assumption is dropped for each counter that could be, given the
    others, until nothing changes.
    """
    asked = frozenset(names)
    if not asked:
        return {}
    changes = _Changes.of(model)
    fixed: dict[str, Range] = {name: (value, value) for name, value in constants(model, players).items()}
    fixed |= {name: (info.low, info.high) for name, info in names_of_cards(model).items()}
    # Thousands of counters may be neither changed nor read by any effect, nor asked for.
    needed = asked | changes.effects.keys() | changes.read()
    counts = {
        name for name in _counters(model, needed) | (changes.added & needed) if changes.only_by_effects_below_0(name)
    }
    while True:
        facts = _Facts(fixed | {name: changes.range_of(name) for name in counts}, ranked_seats(model, players), players)
        kept = {name for name in counts if changes.keep_above_0(name, facts)}
        if kept == counts:
            return {name: ends for name, ends in facts.ranges.items() if name in asked}
        counts = kept


def _counters(model: CardSet, wanted: AbstractSet[str]) -> set[str]:
    """Return the names among `wanted` that are counters of a seat."""
    names = {counter.id for counter in model.counters}
    for card in model.cards:
        names |= {card.id, *card.family, *(name for name, _ in card.adds)}
        names |= {f"{card.id}@{form}" for form in (card.forms.of if card.forms else ())}
    counting = {zone.id for zone in model.zones if zone.counts}
    parts = ((word, word.partition(".")) for word in wanted)
    return (names & wanted) | {word for word, (zone, _, name) in parts if zone in counting and name in names}


class _Changes(Struct, frozen=True):
    """The cards and effects that change the counters of a game."""

    declared: Mapping[str, Counter]
    effects: Mapping[str, tuple[tuple[bool, Amount], ...]]
    """The amounts by which effects change each counter; true if the counter is set to it."""
    uncertain_zones: frozenset[str]
    """Counters that cards can lower: by negative amounts, or by leaving after a clearing."""
    added: frozenset[str]
    """Counters that cards add to."""

    @classmethod
    def of(cls, model: CardSet) -> _Changes:
        declared = {counter.id: counter for counter in model.counters}
        effects: dict[str, tuple[tuple[bool, Amount], ...]] = {}
        for effect in all_effects(model):
            for amount in effect.amounts if isinstance(effect, Changing) else ():
                effects[amount.counter] = (*effects.get(amount.counter, ()), (isinstance(effect, SetStep), amount))
        modified = [change for modifier in model.modifiers for change in modifier.then]
        added = {name for card in model.cards for name in (card.id, *card.family, *dict(card.adds))}
        unsure = {name for card in model.cards for name, amount in card.adds if amount < 0}
        if cards_wander(model) or model.abilities or discarded(model):
            forgets = {counter.id for counter in model.counters if counter.die is not None or counter.keep is False}
            unsure |= {change.counter for change in modified} | (added & (effects.keys() | forgets))
        plus = _Facts({"amount": _COUNT}, 1, 1)
        unsure |= {change.counter for change in modified if bounds(change.formula.expr, plus)[0] < 0}
        added |= {change.counter for change in modified}
        return cls(declared, effects, frozenset(unsure), frozenset(added))

    def read(self) -> set[str]:
        """Return the names that effects read to change counters."""
        formulas = (amount.formula for changes in self.effects.values() for _, amount in changes)
        return {name for formula in formulas for _, name in references(formula.expr)}

    def only_by_effects_below_0(self, name: str) -> bool:
        """True if a counter starts at 0 or more and no card lowers it."""
        counter = self.declared.get(name)
        return (counter is None or counter.start >= 0) and not {name, name.rpartition(".")[2]} & self.uncertain_zones

    def range_of(self, name: str) -> Range:
        """Return the range of a counter that is never below 0."""
        counter = self.declared.get(name)
        if counter is None or counter.max is None or counter.die is not None or name in self.added:
            return _COUNT
        return 0, max(counter.start, counter.max)

    def keep_above_0(self, name: str, facts: _Facts) -> bool:
        """True if no effect brings a counter below 0."""
        counter = self.declared.get(name)
        if counter is not None and counter.min is not None and counter.min >= 0:
            return True
        return all(bounds(amount.formula.expr, facts)[0] >= 0 for _, amount in self.effects.get(name, ()))


class _Facts(Struct, frozen=True):
    """The known ranges of a game (see `draftengine.model.language.bounds`)."""

    ranges: Mapping[str, Range]
    seat_count: int
    player_count: int

    def range_of(self, function: str, name: str, _seat: int) -> Range:
        if function == "cards":
            return _COUNT
        return self.ranges.get(name, UNKNOWN) if function == "name" else UNKNOWN
