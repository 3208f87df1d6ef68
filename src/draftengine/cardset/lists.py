"""Lists of one seat: what a card starts when it is played, as far as it has to wait until everything is laid down.

A list is carried out at once up to its first step at the table (a draw, a choice, …); what stands from there on waits
behind the choice that has started it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.records.record import mentions
from draftengine.verbs import EFFECTS, choose, give, take
from draftengine.verbs.add import Changing

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

    from draftengine.cardset.model import Card, CardSet
    from draftengine.verbs.verb import Step

DISCARD = "discard"
IN_TURN_COUNTER = "list:in_turn"
"""The counter of seats whose turn is still to come in a step of the flow: the one with the highest number is next."""
TURN_COUNTER = "list:turn"
"""The same for lists of cards that one seat carries out after the other. No name of a card set has a colon."""

__all__ = ["IN_TURN_COUNTER", "TURN_COUNTER", "Later", "at_once", "at_the_table", "later_lists", "owed_counter"]


class Later(Struct, frozen=True):
    """The part of a list that waits."""

    card: Card
    steps: tuple[Step, ...]
    copies: int
    """How many cards start it, also as wild cards."""
    in_turn: bool
    """Is it for one seat after the other; otherwise for all whose card has started it, at once."""

    @property
    def counter(self) -> str:
        return owed_counter(self.card.id)

    @property
    def chooses(self) -> bool:
        return any(isinstance(step, choose.Spec) for step in self.steps)


def owed_counter(card: str) -> str:
    """The name of the counter of lists that a seat still owes; formulas of card sets cannot name it."""
    return f"list:{card}"


def at_the_table(step: Step) -> bool:
    """Is it more than something that happens to a seat."""
    return step.verb not in EFFECTS or step.when is not None


def at_once(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The beginning of a list that need not wait."""
    waiting = next((index for index, step in enumerate(steps) if at_the_table(step)), len(steps))
    return steps[:waiting]


def later_lists(model: CardSet) -> tuple[Later, ...]:
    """Every list that waits, in the order in which they are carried out."""
    shared = {own.id for own in model.zones if own.per == "table"} - {DISCARD}
    shared |= {own.id for own in model.counters if own.per == "table"}
    found = [
        Later(card, later, _copies(model, card), any(_touches_others(step, shared) for step in later))
        for card in model.cards
        if (later := card.on_play[len(at_once(card.on_play)) :])
    ]
    return tuple(sorted(found, key=lambda own: own.card.order))


def _copies(model: CardSet, card: Card) -> int:
    wild = (own.count for own in model.cards if own.forms and card.id in own.forms.of)
    return card.count + sum(wild)


def _touches_others(step: Step, shared: AbstractSet[str]) -> bool:
    """Does a step take from what seats have together, or change it; what is thrown away need not be told apart."""
    if isinstance(step, give.Spec | take.Spec):
        return True
    zones = {name for names, name in mentions(step) if names.kind == "zone" and (names.role, name) != ("to", DISCARD)}
    changed = {own.counter for own in step.amounts} if isinstance(step, Changing) else set[str]()
    return not shared.isdisjoint(zones | changed) or DISCARD in zones
