"""Effects, step lists, the amounts that cards add, and the cards that can leave a tableau.

A *step list* holds the steps that one seat carries out because of a card, an action or a trigger. Some steps only
affect that seat, such as points. A *step at the table* does more, such as a draw or a choice. The steps before the
first step at the table are carried out at once. The others wait until the choice or the trigger that started the list
is complete.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.cardset.facts import all_steps, steps_of, with_most_copies
from draftengine.model.cardset.records import DISCARD, TABLEAU
from draftengine.model.language.macros import Naming, Track
from draftengine.model.records import references_in
from draftengine.model.verbs import EFFECTS
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.effects import Changing, ChipStep, DiscardStep, PointsStep, TakeStep
from draftengine.model.verbs.give import GiveStep
from draftengine.model.verbs.naming import FindStep
from draftengine.model.verbs.piles import MoveStep
from draftengine.model.verbs.turns import DoStep, InTurnStep
from draftengine.support.identity import by_identity

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from collections.abc import Set as AbstractSet

    from draftengine.model.cardset.records import Card, CardSet, Modifier, Trigger
    from draftengine.model.records.reader import Formula
    from draftengine.model.verbs.actions import Way
    from draftengine.model.verbs.verb import Step
    from draftengine.support.source import Span


class EffectList(Struct, frozen=True):
    """Effects that one seat carries out, one after the other."""

    path: str
    """The JSON Pointer of the list in the card set."""
    effects: tuple[Step, ...]
    moment: str
    """The time: ``play`` for a card, ``way`` for an action or a step of the flow, else a trigger's moment."""
    when: Formula | None = None
    """The condition under which a seat may take the action."""
    of_others: bool = False
    """True if a step of the list is for other seats, so that lists of others also affect a seat."""


@by_identity(8)
def effect_lists(model: CardSet) -> tuple[EffectList, ...]:
    """Return all lists of effects: first the lists of cards, then of steps, then of triggers.

    Groups are replaced by their steps.
    """
    lists = [_effects(f"/cards/{card.id}/on_play", card.on_play, "play") for card in model.cards if card.on_play]
    for path, step in steps_of(model):
        if isinstance(step, ChooseStep):
            lists += [
                _effects(f"{path}/as/{way.id}/do", way.effects, "way", way.when, of_others=bool(way.handed))
                for way in step.as_
            ]
        if is_by_seats(step):
            lists.append(_effects(f"{path}{step.path_within}", step.within, "way"))
    lists += [_effects(f"{trigger.path}/do", trigger.do, trigger.after) for trigger in model.triggers]
    return tuple(lists)


def _effects(
    path: str, steps: tuple[Step, ...], moment: str, when: Formula | None = None, *, of_others: bool = False
) -> EffectList:
    return EffectList(path, without_groups(steps), moment, when, of_others=of_others or any(for_others(steps)))


def for_others(steps: Iterable[Step]) -> Iterator[DoStep]:
    """Yield the groups of a step list with the key `who`, so that also other seats may carry them out."""
    for step in steps:
        if isinstance(step, DoStep):
            if step.for_one and step.who is not None:
                yield step
            yield from for_others(step.within)


def is_by_seats(step: Step) -> bool:
    """True if a step of the flow holds steps that each of several players carries out."""
    return isinstance(step, InTurnStep) or (isinstance(step, DoStep) and step.for_seats and not step.for_one)


def without_groups(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the steps of a list, with the steps of each group in place of the group."""
    if not any(isinstance(step, DoStep) for step in steps):
        return steps
    inner = (without_groups(step.within) if isinstance(step, DoStep) else (step,) for step in steps)
    return tuple(chain.from_iterable(inner))


def discarded(model: CardSet) -> dict[str, tuple[Span, str]]:
    """Return the cards that effects discard or actions give away, each with the first such span and path."""
    places: dict[str, tuple[Span, str]] = {}
    for listed in effect_lists(model):
        for effect in listed.effects:
            if isinstance(effect, DiscardStep):
                for card in (card for card in model.cards if effect.admits(card.id, card.family)):
                    places.setdefault(card.id, (effect.span, listed.path))
    for path, step in steps_of(model):
        for way in step.as_ if isinstance(step, ChooseStep) else ():
            if way.give is not None:
                places.setdefault(way.give, (way.span, f"{path}/as/{way.id}/give"))
    return places


def cards_wander(model: CardSet) -> bool:
    """True if cards count in a zone besides the tableau, or if a step can take cards from such a zone."""
    counting = {zone.id for zone in model.zones if zone.counts}
    return len(counting) > 1 or any(
        not counting.isdisjoint(step.sources if isinstance(step, ChooseStep) else (step.from_,))
        for step in all_steps(model)
        if isinstance(step, (ChooseStep, MoveStep))
    )


def all_effects(model: CardSet) -> Iterator[Step]:
    """Yield the effects of all lists."""
    for listed in effect_lists(model):
        yield from listed.effects


def gives_points(model: CardSet) -> bool:
    """True if a rule or an effect gives points. If not, only the condition `wins` can decide the game."""
    return bool(model.scoring) or any(isinstance(effect, PointsStep | ChipStep) for effect in all_effects(model))


def names_given(model: CardSet) -> dict[str, tuple[FindStep, str]]:
    """Return the names that steps give, each with the first step that gives it and the path of its list."""
    given: dict[str, tuple[FindStep, str]] = {}
    for listed in effect_lists(model):
        for effect in listed.effects:
            if isinstance(effect, FindStep):
                given.setdefault(effect.name, (effect, listed.path))
    return given


def hidden_counters(model: CardSet) -> tuple[str, ...]:
    """Return the hidden counters: for the meanings of names from steps, and for orders of arrival."""
    named = (Naming(name, "").counter for name in names_given(model))
    arrivals = (Track(counter.id, counter.track).counter for counter in model.counters if counter.track)
    return (*named, *arrivals)


def leaving(model: CardSet) -> dict[str, tuple[Span, str]]:
    """Return the cards that can leave a tableau before it is cleared, each with a cause (span and path)."""
    taken_back = {
        ability.card: (ability.span, f"/abilities/{ability.id}/returns_to")
        for ability in model.abilities
        if ability.returns_to != "stays"
    }
    places: dict[str, tuple[Span, str]] = {}
    for path, step in steps_of(model):
        sources = step.sources if isinstance(step, ChooseStep) else (getattr(step, "from_", ""),)
        if isinstance(step, (ChooseStep, MoveStep)) and TABLEAU in sources:
            ways = step.as_ if isinstance(step, ChooseStep) else ()
            for card in model.cards:
                if not ways or any(not way.takes_none and way.admits(card.id, card.family) for way in ways):
                    places.setdefault(card.id, (step.span, path))
    return {**places, **discarded(model), **taken_back}


def open_counter(modifier: str) -> str:
    """Return the name of the counter for a modifier's open slots: cards that it can still take."""
    return f"modifier:{modifier}"


def amounts_alone(card: Card) -> dict[str, int]:
    """Return the amounts that a card adds by itself: 1 for its id and each family, and those in `adds`."""
    amounts = {card.id: 1, **dict.fromkeys(card.family, 1)}
    for counter, amount in card.amounts:
        amounts[counter] = amounts.get(counter, 0) + amount
    return amounts


def amounts_of(model: CardSet, card: Card) -> dict[str, int]:
    """Return the amounts that a card, including its open slots, adds to its seat's counters.

    The effect of modifiers on which the card lies is left out.
    """
    amounts = amounts_alone(card)
    for modifier in model.modifiers:
        if modifier.card == card.id:
            amounts[open_counter(modifier.id)] = modifier.capacity
    return amounts


def amounts_as(model: CardSet, wild: Card, form: Card) -> dict[str, int]:
    """Return the amounts that a wild card adds when played as `form`: its own plus those of the form.

    They include 1 for ``wild@form``, so that formulas can tell the wild card from the real card.
    """
    return as_another(wild.id, amounts_of(model, wild), form.id, amounts_of(model, form))


def as_another(wild: str, amounts: Mapping[str, int], form: str, added: Mapping[str, int]) -> dict[str, int]:
    """Return the amounts of a wild card plus those of the card it is played as, and 1 for ``wild@form``."""
    both = dict(amounts)
    for name, amount in added.items():
        both[name] = both.get(name, 0) + amount
    both[f"{wild}@{form}"] = 1
    return both


def amounts_in(zone: str, amounts: Mapping[str, int]) -> dict[str, int]:
    """Return the amounts that a card adds in a zone, to each counter and again to ``zone.counter``."""
    return {**amounts, **{f"{zone}.{counter}": amount for counter, amount in amounts.items()}}


def named_by_zone(model: CardSet) -> tuple[tuple[str, str], ...]:
    """Return the pairs (zone, counter) that formulas can name, such as ``relics.coins``.

    Counters that effects change are left out, because only amounts on cards belong to a zone. The result is empty if
    cards count only in the tableau and stay there.
    """
    if not cards_wander(model):
        return ()
    added = dict.fromkeys(name for card in model.cards for name in amounts_of(model, card))
    changed = {
        amount.counter for effect in all_effects(model) if isinstance(effect, Changing) for amount in effect.amounts
    }
    names = [name for name in added if name not in changed and not name.startswith("modifier:")]
    return tuple((zone.id, name) for zone in model.zones if zone.counts for name in names)


def modifiers_for(model: CardSet, card: Card) -> tuple[Modifier, ...]:
    """Return the modifiers that apply to a card, by its id or one of its families."""
    kinds = {card.id, *card.family}
    return tuple(modifier for modifier in model.modifiers if kinds & set(modifier.applies_to))


_NOT_CAUSES = frozenset({"in_turn", "turn", "others", "who", "if", "do", "taken", "laid_out", "shown", "handed_over"})
"""The words that name other hidden counters. A way or card with such a name has a counter of its own."""
IN_TURN_COUNTER = "list:in_turn"
"""The counter that orders the seats still to act in an `in_turn` step: the highest is next."""


def condition_counter(depth: int, *, in_list: bool) -> str:
    """Return the name of the counter that stores the condition of a group: 1 if it holds, 2 if not.

    For the passes of a repeat, it stores their number. After the group, the counter is 0 again. `depth` is the number
    of nested groups with a condition, including this one.
    """
    return f"list:{'if' if in_list else 'do'}-{depth}"


def condition_counters(model: CardSet) -> dict[str, None]:
    """Return the names of all counters that a game needs to store conditions of groups (`do` steps)."""
    lists = [(later.steps, True) for later in later_lists(model)]
    lists += [(step.within, False) for step in all_steps(model) if is_by_seats(step)]
    deepest = ((_depth(steps, in_list=in_list), in_list) for steps, in_list in lists)
    return {
        condition_counter(depth, in_list=in_list): None for most, in_list in deepest for depth in range(1, most + 1)
    }


def others_counter(level: int) -> str:
    """Return the counter that is above 0 for the seats of a group with `who`, while they carry it out.

    `level` is the number of step lists around the group, one within the other.
    """
    return f"list:others:{level}" if level > 1 else "list:others" if level else "list:who"


def turn_counter(level: int) -> str:
    """Return the counter that orders the seats that carry out a list in turn: the highest is next.

    `level` is the number of nested lists, including this one. No name of a card set has a colon.
    """
    return "list:turn" if level == 1 else f"list:turn:{level}"


def order_counters(model: CardSet) -> tuple[str, ...]:
    """Return the names of `turn_counter` and `others_counter` that the step lists of a game need."""
    lists = later_lists(model)
    levels = range(1, max((_levels(later.steps) for later in lists), default=0) + 1)
    in_turn, named = any(later.in_turn for later in lists), any(any(for_others(later.steps)) for later in lists)
    named_in_turn = any(any(for_others(step.within)) for step in all_steps(model) if is_by_seats(step))
    turns = (turn_counter(level) for level in levels if in_turn)
    others = (others_counter(level) for level in levels if named)
    return (*turns, *others, *([others_counter(0)] if named_in_turn else ()))


def _inner_lists(step: Step) -> list[tuple[Step, ...]]:
    """Return the waiting steps of the actions of a choice, which are carried out before the next step."""
    return [waits(way.do) for way in step.as_] if isinstance(step, ChooseStep) else []


def _levels(steps: tuple[Step, ...]) -> int:
    """Return the number of nested lists: 1 if no action in the list has a list that waits."""
    if not steps:
        return 0
    return 1 + max((_levels(inner) for step in without_groups(steps) for inner in _inner_lists(step)), default=0)


def _depth(steps: tuple[Step, ...], *, in_list: bool) -> int:
    """Return the greatest depth of groups with a condition, in a list also those of its actions."""
    return max(
        (
            max((_depth(inner, in_list=in_list) for inner in _inner_lists(step) if in_list), default=0)
            if isinstance(step, ChooseStep)
            else _depth(step.within, in_list=in_list) + (step.when is not None)
            for step in steps
            if isinstance(step, DoStep | ChooseStep)
        ),
        default=0,
    )


__all__ = [
    "IN_TURN_COUNTER",
    "DeferredSteps",
    "at_once",
    "at_the_table",
    "condition_counter",
    "condition_counters",
    "for_others",
    "is_by_seats",
    "later_lists",
    "order_counters",
    "others_counter",
    "owed_counter",
    "turn_counter",
    "waits",
    "without_groups",
]


class DeferredSteps(Struct, frozen=True):
    """A step list whose last steps wait (see the module)."""

    cause: Literal["card", "way", "trigger"]
    """The kind of object to which the list belongs."""
    id: str
    """The id of the card, action or trigger to which the list belongs."""
    whole: tuple[Step, ...]
    """All steps of the list, including the steps that do not wait."""
    steps: tuple[Step, ...]
    """The steps that wait until the choice or trigger is complete."""
    copies: int
    """The most times that the list can wait at one seat: the number of cards that start it."""
    in_turn: bool
    """True if seats carry out the list one after the other; False if all do each step together."""
    source: tuple[str, ...]
    span: Span
    order: int = 0
    """The key `order` of the card, which orders the lists of cards."""
    by: Formula | None = None
    """The formula that orders the seats that act in turn: the smallest value is first."""
    number: int = 1
    """The position of the list among the lists of actions with the same name, from 1."""

    @property
    def counter(self) -> str:
        return owed_counter(self.id if self.number == 1 else f"{self.id}-{self.number}")

    def is_of(self, way: Way) -> bool:
        """True if taking this action starts the list."""
        return self.cause == "way" and self.id == way.id and self.whole == way.do

    @property
    def chooses(self) -> bool:
        return any(isinstance(step, ChooseStep) for step in without_groups(self.steps))


def owed_counter(cause: str) -> str:
    """Return the hidden counter of each seat for the number of times that a list still waits there."""
    return f"list:{'' if cause.partition('-')[0] not in _NOT_CAUSES else ':'}{cause}"


def at_the_table(step: Step) -> bool:
    """True if a step is a *step at the table*: more than an unconditional effect on one seat."""
    return step.verb not in EFFECTS or step.when is not None


def at_once(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the first steps of a list, which are carried out at once.

    If a step of the list is for other seats, all its steps wait.
    """
    if any(for_others(steps)):
        return ()
    waiting = next((index for index, step in enumerate(steps) if at_the_table(step)), len(steps))
    return steps[:waiting]


def waits(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the last steps of a list, which wait."""
    return steps[len(at_once(steps)) :]


def later_lists(model: CardSet) -> tuple[DeferredSteps, ...]:
    """Return every step list with steps that wait (see the module), in the order of carrying them out.

    Lists of actions come first, then lists of cards by their `order`, then lists of triggers.
    """
    shared = {zone.id for zone in model.zones if zone.per == "table"} - {DISCARD}
    shared |= {counter.id for counter in model.counters if counter.per == "table"}

    def later(
        cause: Literal["card", "way", "trigger"], owner: Card | Way | Trigger, whole: tuple[Step, ...], copies: int = 1
    ) -> DeferredSteps:
        steps = waits(whole)
        in_turn = any(for_others(steps)) or any(_touches_others(step, shared) for step in without_groups(steps))
        return DeferredSteps(cause, owner.id, whole, steps, copies, in_turn, owner.source, owner.span)

    ways = (way for step in all_steps(model) if isinstance(step, ChooseStep) for way in step.as_ if waits(way.do))
    named: list[DeferredSteps] = []
    for way in ways:
        if not any(other.is_of(way) for other in named):
            number = 1 + sum(other.id == way.id for other in named)
            named.append(replace(later("way", way, way.do), number=number))
    wild = Counter[str]()  # the copies of wild cards that can be laid as each card
    most = with_most_copies(model.cards)
    for other in most:
        wild.update(dict.fromkeys(other.forms.of, other.count) if other.forms else {})
    cards = [
        replace(later("card", card, card.on_play, card.count + wild[card.id]), order=card.order)
        for card in most
        if waits(card.on_play)
    ]
    triggers = [
        replace(later("trigger", trigger, trigger.do), by=trigger.by) for trigger in model.triggers if waits(trigger.do)
    ]
    return (*named, *sorted(cards, key=lambda card: card.order), *triggers)


def _touches_others(step: Step, shared: AbstractSet[str]) -> bool:
    """True if a step uses something that seats share, except for putting cards on the discard pile."""
    if isinstance(step, GiveStep | TakeStep):
        return True
    zones = {
        name for names, name in references_in(step) if names.kind == "zone" and (names.role, name) != ("to", DISCARD)
    }
    changed = {amount.counter for amount in step.amounts} if isinstance(step, Changing) else set[str]()
    return not shared.isdisjoint(zones | changed) or DISCARD in zones
