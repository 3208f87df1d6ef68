"""The part of a card set that determines its flow, and the ranges of names that steps read.

Most variants change only points, so their games share one dry run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.cardset.effects import all_effects, cards_wander, discarded, effect_lists, later_lists, waits
from draftengine.model.cardset.facts import (
    all_steps,
    constants,
    has_label,
    names_of_cards,
    ranked_seats,
    seats,
    shown_by,
    zones_of_dice,
)
from draftengine.model.cardset.records import DECK
from draftengine.model.language.bounds import UNKNOWN, bounds
from draftengine.model.language.evaluate import references
from draftengine.model.language.tree import MAX_INT
from draftengine.model.records import formulas_in, referenced_names
from draftengine.model.records.reader import Formula
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.effects import Changing, SetStep
from draftengine.model.verbs.piles import GatherStep, PassStep
from draftengine.support.identity import by_identity
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from draftengine.model.cardset.effects import DeferredSteps
    from draftengine.model.cardset.records import CardSet, Counter
    from draftengine.model.language.environment import Range
    from draftengine.model.records.reader import Amount
    from draftengine.model.verbs.verb import Step

_COUNT: Range = (0, MAX_INT)


def name_ranges(model: CardSet, players: int, names: Iterable[str]) -> dict[str, Range]:
    """Return the range of each constant, attribute of cards and counter in `names`.

    A counter is included only if it is never negative. First, all counters are assumed to be at least 0. Then each
    counter that could become negative under these assumptions loses its own, until nothing changes.
    """
    asked = frozenset(names)
    if not asked:
        return {}
    changes = _Changes.of(model)
    fixed: dict[str, Range] = {name: (value, value) for name, value in constants(model, players).items()}
    fixed |= {name: (info.low, info.high) for name, info in names_of_cards(model.cards).items()}
    # There may be thousands of other counters, which no effect changes or reads, and which are not requested.
    needed = asked | changes.effects.keys() | changes.read()
    counters = {counter.id for counter in model.counters}
    for card in model.cards:
        counters |= {card.id, *card.family, *(name for name, _ in card.amounts)}
        counters |= {f"{card.id}@{form}" for form in (card.forms.of if card.forms else ())}
    counting = {zone.id for zone in model.zones if zone.counts}
    parts = ((word, word.partition(".")) for word in needed)
    of_zones = {word for word, (zone, _, name) in parts if zone in counting and name in counters}
    of_seats = ((counters | changes.added) & needed) | of_zones
    counts = {name for name in of_seats if changes.only_by_effects_below_0(name)}
    while True:
        facts = _Facts(fixed | {name: changes.range_of(name) for name in counts}, ranked_seats(model, players), players)
        kept = {name for name in counts if changes.keep_above_0(name, facts)}
        if kept == counts:
            return {name: ends for name, ends in facts.ranges.items() if name in asked}
        counts = kept


class _Changes(Struct, frozen=True):
    """Everything that changes the counters of a game: cards and effects."""

    declared: Mapping[str, Counter]
    effects: Mapping[str, tuple[tuple[bool, Amount], ...]]
    """For each counter, the amounts of effects, each with True to set the counter or False to add to it."""
    lowered_by_cards: frozenset[str]
    """The counters that cards can lower: by negative amounts, or by leaving after the counter was cleared."""
    added: frozenset[str]
    """The counters to which cards add."""

    @classmethod
    def of(cls, model: CardSet) -> _Changes:
        declared = {counter.id: counter for counter in model.counters}
        effects: dict[str, tuple[tuple[bool, Amount], ...]] = {}
        for effect in all_effects(model):
            for amount in effect.amounts if isinstance(effect, Changing) else ():
                effects[amount.counter] = (*effects.get(amount.counter, ()), (isinstance(effect, SetStep), amount))
        modified = [change for modifier in model.modifiers for change in modifier.then]
        added = {name for card in model.cards for name in (card.id, *card.family, *dict(card.amounts))}
        lowered = {name for card in model.cards for name, amount in card.amounts if amount < 0}
        if cards_wander(model) or model.abilities or discarded(model):
            forgets = {counter.id for counter in model.counters if counter.die is not None or counter.keep is False}
            lowered |= {change.counter for change in modified} | (added & (effects.keys() | forgets))
        plus = _Facts({"amount": _COUNT}, 1, 1)
        lowered |= {change.counter for change in modified if bounds(change.formula.expr, plus)[0] < 0}
        added |= {change.counter for change in modified}
        return cls(declared, effects, frozenset(lowered), frozenset(added))

    def read(self) -> set[str]:
        """Return the names that the formulas of the effects read."""
        formulas = (amount.formula for changes in self.effects.values() for _, amount in changes)
        return {name for formula in formulas for _, name in references(formula.expr)}

    def only_by_effects_below_0(self, name: str) -> bool:
        """True if only effects can make the counter negative: it starts at 0 or more, and no card lowers it."""
        counter = self.declared.get(name)
        return (counter is None or counter.start >= 0) and not {name, name.rpartition(".")[2]} & self.lowered_by_cards

    def range_of(self, name: str) -> Range:
        """Return the range of a counter that is never negative."""
        counter = self.declared.get(name)
        if counter is None or counter.max is None or counter.die is not None or name in self.added:
            return _COUNT
        return 0, max(counter.start, counter.max)

    def keep_above_0(self, name: str, facts: _Facts) -> bool:
        """True if no effect makes a counter negative, given the ranges of names in `facts`."""
        counter = self.declared.get(name)
        if counter is not None and counter.min is not None and counter.min >= 0:
            return True
        return all(bounds(amount.formula.expr, facts)[0] >= 0 for _, amount in self.effects.get(name, ()))


class _Facts(Struct, frozen=True):
    """The known ranges of names, for `draftengine.model.language.bounds`."""

    ranges: Mapping[str, Range]
    seat_count: int
    player_count: int

    def range_of(self, function: str, name: str, _seat: int) -> Range:
        if function == "cards":
            return _COUNT
        return self.ranges.get(name, UNKNOWN) if function == "name" else UNKNOWN


_DERIVED = frozenset(
    {"steps", "extra_plays", "extra_for_a_moment", "recirculates", "rounds_differ", "turn_is_moment", "places"}
)
"""The attributes of a `FlowKey` that are left out of the comparison, because they follow from others."""
_FOR_READERS = frozenset({"label", "text", "source"})
"""The fields that are left out if they are tuples: printed texts and citations."""


class FlowKey:
    """Everything about a game that its dry run depends on. Games with equal keys share a dry run.

    Positions in the file, printed texts and citations are left out of the comparison.
    """

    def __init__(self, model: CardSet, players: int) -> None:
        self.steps = steps = tuple(all_steps(model))
        """All steps of the game that are no effects (see `all_steps`)."""
        self.players = players
        self.seats = seats(model, players)
        self.ranked = ranked_seats(model, players)
        self.rounds, self.setup, self.round, self.finish = model.rounds, model.setup, model.round, model.finish
        self.zones = model.zones
        self.markers, self.abilities = model.markers, model.abilities
        extra = {False: 0, True: 0}
        for ability in model.abilities:
            extra[ability.take == 1 and ability.returns_to != "stays"] += ability.take * ability.per_turn
        self.extra_plays, self.extra_for_a_moment = extra[False], extra[True]
        """The most cards that abilities add to a tableau in one choice: to stay, and until another goes back."""
        self.extra_seats = tuple(seat.id for seat in model.extra_seats)
        waiting = later_lists(model)
        self.lists = tuple((later.steps, later.copies) for later in waiting if later.cause == "card")
        """The step lists that cards start and that wait: pairs of steps and the number of cards."""
        self.lists_after = _lists_after(model, waiting)
        """The step lists that triggers start and that wait, by moment."""
        whole = (self.setup, self.round, self.finish, *(later.steps for later in waiting))
        read = {name for part in whole for step in part for name in _names_in(step)}
        self.constants = {name: value for name, value in constants(model, players).items() if name in read}
        """The constants that steps read, by name."""
        self.name_ranges = name_ranges(model, players, read - self.constants.keys())
        """The ranges of the other names that steps read, as far as they are known before a game."""
        self.start = tuple(sum(card.count for card in model.cards if card.starts_in == zone.id) for zone in model.zones)
        """The number of cards in each zone before the setup."""
        may_stay, may_go = _stay_or_go(model)
        self.begun_apart = tuple(
            (index, begin, sum(card.count for card in model.cards if card.id in may_stay and card.starts_in == zone.id))
            for index, (zone, begin) in enumerate(zip(model.zones, self.start, strict=True))
            if begin and zone.id != DECK
        )
        """The zones besides the deck where cards begin: (index, number of cards, number with `keep`)."""
        self.kept_cards = sum(card.count for card in model.cards if card.id in may_stay)
        """The most cards with `keep`, which stay when others are cleared; also dice that may show such a side.

        Dice that may show such a side count.
        """
        self.cards_to_clear = sum(card.count for card in model.cards if card.id in may_go)
        """The most cards without `keep`, which leave when a tableau is cleared."""
        filled = frozenset[str]().union(*(referenced_names(step, "zone", "to") for step in steps))
        self.supply_zones = tuple(  # zones that no step fills, and whose cards all stay when tableaus are cleared
            zone
            for zone in dict.fromkeys(card.starts_in for card in model.cards)
            if zone not in filled and all(card.keep for card in model.cards if card.starts_in == zone)
        )
        self.uncertain_zones = _unsure_zones(model)
        self.recirculates = any(
            isinstance(step, GatherStep) or "discard" in referenced_names(step, "zone", "", "from") for step in steps
        )
        """True if cards that have left a tableau can come back into play."""
        self.names, self.names_of_sides, self.zones_of_dice = _names_of_cards(model, steps)
        """For each card and each side of a die, the names that actions have for it; the zones with dice only.

        All are empty if no action refers to cards.
        """
        self.rounds_differ = "round" in read or any(isinstance(step, PassStep) and len(step.to) > 1 for step in steps)
        """True if there are steps that do different things in different rounds."""
        self.turn_is_moment = not has_label(model, "turn")
        """True if ``turn`` is the end of a turn in triggers; False if it is a label of `score` steps."""
        self.takable = _takable(model, steps)
        self.places: list[Span] = []
        """The positions in the file of all compared parts, in a fixed order."""
        self._known_by = tuple(
            _without_places(value, self.places) for name, value in vars(self).items() if name not in _DERIVED
        )
        self._hash = hash(self._known_by)

    @staticmethod
    def lists_of(step: Step) -> list[tuple[Step, ...]]:
        """Return the step lists that the actions of a step start and that wait, each once."""
        return [steps for steps in dict.fromkeys(waits(whole) for _, whole in step.branches) if steps]

    def kinds_in(self, zone: str, *, rolled: bool) -> tuple[frozenset[str], ...]:
        """Return the names of every card that may lie in a zone. With `rolled`, its dice show a side."""
        return self.names_of_sides if rolled and zone in self.zones_of_dice else self.names

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FlowKey) and self._known_by == other._known_by

    def __hash__(self) -> int:
        return self._hash


def _without_places(value: object, places: list[Span]) -> object:
    """Return part of a game for comparison, without its positions in the file; add these to `places`."""
    if isinstance(value, Span):
        places.append(value)
        return None
    if isinstance(value, dict):
        value = tuple(value.items())
    if isinstance(value, tuple):
        return tuple([_without_places(part, places) for part in value])
    if isinstance(value, Formula):
        places.append(value.span)
        return value.text, value.expr
    if isinstance(value, Struct):
        compared, spans = _compared(value)
        places += spans
        return compared
    return value


@by_identity(1 << 10)
def _compared(part: Struct) -> tuple[object, list[Span]]:
    """Return a record without its positions in the file, and these. Cached: games share most records."""
    places: list[Span] = []
    fields = [(name, getattr(part, name)) for name in part.__struct_fields__]
    compared = [value for name, value in fields if name not in _FOR_READERS or type(value) is not tuple]
    return (type(part), *[_without_places(value, places) for value in compared]), places


@by_identity(1 << 10)
def _names_in(step: Step) -> frozenset[str]:
    """Return the names in the formulas of a step, including its inner steps and branches."""
    formulas = (formula for formula, *_ in formulas_in(step, ""))
    names = (name for formula in formulas for function, name in references(formula.expr) if function == "name")
    inner = (*step.within, *(each for _, branch in step.branches for each in branch))
    return frozenset(names).union(*map(_names_in, inner))


def _names_of_cards(
    model: CardSet, steps: tuple[Step, ...]
) -> tuple[tuple[frozenset[str], ...], tuple[frozenset[str], ...], frozenset[str]]:
    """Return the names of each card and of each side of a die, and the zones in which only dice can lie."""
    dice = {card.id for card in model.cards if card.is_die}
    if not dice and not any(isinstance(step, ChooseStep) and any(way.of for way in step.as_) for step in steps):
        return (), (), frozenset()
    names = {card.id: frozenset({card.id, *card.family}) for card in model.cards}
    sides = tuple(names[card.id] for card in model.cards if card.side_of in dice)
    return tuple(names.values()), sides, zones_of_dice(model) if dice else frozenset()


def _lists_after(model: CardSet, waiting: tuple[DeferredSteps, ...]) -> dict[str, tuple[tuple[Step, ...], ...]]:
    by_moment: dict[str, list[tuple[Step, ...]]] = {}
    moments = {trigger.id: trigger.after for trigger in model.triggers}
    for later in waiting:
        if later.cause == "trigger":
            by_moment.setdefault(moments[later.id], []).append(later.steps)
    return {moment: tuple(lists) for moment, lists in by_moment.items()}


def _stay_or_go(model: CardSet) -> tuple[frozenset[str], frozenset[str]]:
    """Return the cards that can stay when a tableau is cleared, then the cards that can go.

    Dice can do both.
    """
    visible = shown_by(model.cards).items()
    stay = frozenset(name for name, cards in visible if any(card.keep for card in cards))
    return stay, frozenset(name for name, cards in visible if not all(card.keep for card in cards))


def _unsure_zones(model: CardSet) -> frozenset[str]:
    """Return the zones whose sizes also depend on abilities, effects, or which cards stay."""
    unsure = set()
    if model.abilities or any(card.keep for card in model.cards) or discarded(model):
        unsure |= {"tableau", "discard"}
    if any(ability.returns_to in {"stays", "discard"} or ability.take > 1 for ability in model.abilities):
        unsure |= {zone.id for zone in model.zones}
    return frozenset(unsure)


def _takable(model: CardSet, steps: tuple[Step, ...]) -> dict[str, tuple[str, ...]]:
    """Return, for each moment, the markers that seats can then take and whose holder some step reads."""
    asked = frozenset[str]().union(*(referenced_names(step, "marker", "asked") for step in steps))
    by_moment: dict[str, set[str]] = {}
    for listed in effect_lists(model) if asked else ():
        for effect in listed.effects:
            by_moment.setdefault(listed.moment, set()).update(asked & referenced_names(effect, "marker", "taken"))
    return {moment: tuple(sorted(names)) for moment, names in sorted(by_moment.items()) if names}
