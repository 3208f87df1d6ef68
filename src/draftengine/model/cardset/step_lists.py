"""Step lists: what a card, an action or a trigger makes one seat do.

A list is carried out at once up to its first step at the table (a draw, a choice, …). The rest waits until the choice
or the moment that started it is settled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.cardset.facts import all_steps
from draftengine.model.cardset.records import DISCARD
from draftengine.model.records.record import references_in
from draftengine.model.verbs import EFFECTS
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.effects import Changing, TakeStep
from draftengine.model.verbs.give import GiveStep

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from draftengine.model.cardset.records import Card, CardSet, Trigger
    from draftengine.model.records.values import Formula
    from draftengine.model.verbs.actions import Way
    from draftengine.model.verbs.verb import Step
    from draftengine.support.source import Span

IN_TURN_COUNTER = "list:in_turn"
"""Counter of seats whose turn in a step of the flow is still to come; the highest number is next."""
TURN_COUNTER = "list:turn"
"""Counter of seats that still have to carry out the lists of their cards in turn.

The highest number is next. No name of a card set has a colon.
"""

__all__ = [
    "IN_TURN_COUNTER",
    "TURN_COUNTER",
    "DeferredSteps",
    "at_once",
    "at_the_table",
    "later_lists",
    "owed_counter",
    "waits",
]


class DeferredSteps(Struct, frozen=True):
    """The part of a step list that waits."""

    cause: Literal["card", "way", "trigger"]
    """Kind of thing that starts the list."""
    id: str
    """Id of the card, action or trigger."""
    whole: tuple[Step, ...]
    """The complete list, including the part that does not wait."""
    steps: tuple[Step, ...]
    copies: int
    """The most times that a seat can owe the list: the number of cards that start it, wild cards included."""
    in_turn: bool
    """True if seats carry it out one after the other; False if all that started it do so at once."""
    source: tuple[str, ...]
    span: Span
    order: int = 0
    by: Formula | None = None
    """Formula that orders the seats where they act in turn: the smallest value first."""
    number: int = 1
    """Number of the list among those of its name: actions of several choices may share a name."""

    @property
    def counter(self) -> str:
        return owed_counter(self.id if self.number == 1 else f"{self.id}-{self.number}")

    def is_of(self, way: Way) -> bool:
        """True if the action starts this list."""
        return self.cause == "way" and self.id == way.id and self.whole == way.do

    @property
    def chooses(self) -> bool:
        return any(isinstance(step, ChooseStep) for step in self.steps)


def owed_counter(cause: str) -> str:
    """Return the counter of lists that a seat still owes; formulas of card sets cannot name it."""
    return f"list:{cause}"


def at_the_table(step: Step) -> bool:
    """True if a step is more than an effect on one seat, or has a condition."""
    return step.verb not in EFFECTS or step.when is not None


def at_once(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the beginning of a list that need not wait."""
    waiting = next((index for index, step in enumerate(steps) if at_the_table(step)), len(steps))
    return steps[:waiting]


def waits(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Return the rest of a list, from its first step at the table on."""
    return steps[len(at_once(steps)) :]


def later_lists(model: CardSet) -> tuple[DeferredSteps, ...]:
    """Return every list that waits, in the order in which they are carried out.

    Those of actions come first, then those of cards by their `order`, then those of triggers.
    """
    shared = {zone.id for zone in model.zones if zone.per == "table"} - {DISCARD}
    shared |= {counter.id for counter in model.counters if counter.per == "table"}

    def later(
        cause: Literal["card", "way", "trigger"], owner: Card | Way | Trigger, whole: tuple[Step, ...], copies: int = 1
    ) -> DeferredSteps:
        steps = waits(whole)
        in_turn = any(_touches_others(step, shared) for step in steps)
        return DeferredSteps(cause, owner.id, whole, steps, copies, in_turn, owner.source, owner.span)

    ways = (way for step in all_steps(model) if isinstance(step, ChooseStep) for way in step.as_ if waits(way.do))
    named: list[DeferredSteps] = []
    for way in ways:
        if not any(other.is_of(way) for other in named):
            number = 1 + sum(other.id == way.id for other in named)
            named.append(replace(later("way", way, way.do), number=number))
    cards = [
        replace(later("card", card, card.on_play, _copies(model, card)), order=card.order)
        for card in model.cards
        if waits(card.on_play)
    ]
    triggers = [
        replace(later("trigger", trigger, trigger.do), by=trigger.by) for trigger in model.triggers if waits(trigger.do)
    ]
    return (*named, *sorted(cards, key=lambda card: card.order), *triggers)


def _copies(model: CardSet, card: Card) -> int:
    wild = (other.count for other in model.cards if other.forms and card.id in other.forms.of)
    return card.count + sum(wild)


def _touches_others(step: Step, shared: AbstractSet[str]) -> bool:
    """True if a step takes from what seats share, or changes it; discarding cards does not count."""
    if isinstance(step, GiveStep | TakeStep):
        return True
    zones = {
        name for names, name in references_in(step) if names.kind == "zone" and (names.role, name) != ("to", DISCARD)
    }
    changed = {amount.counter for amount in step.amounts} if isinstance(step, Changing) else set[str]()
    return not shared.isdisjoint(zones | changed) or DISCARD in zones
