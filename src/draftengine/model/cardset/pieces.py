"""Pieces: the states in which a card can lie in front of a seat.

A counter knows only the sum of what all cards of a seat add. When a card leaves, the engine must know what that card
added. A *modifier* changes what the cards on it add. If modifiers or the cards on them can leave, each state has its
own name: bread on butter is ``bread^butter``. A modifier has a state for each number of cards that it can still take:
``butter-0`` takes no more. In other games, modifiers and the cards on them stay until the tableau is cleared, and the
sum is enough.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model import limits
from draftengine.model.cardset.effects import leaving, modifiers_for

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import Card, CardSet, Modifier

_LIES = re.compile("[-^][^@]*")
_HOW = re.compile("[-^][^-^@]+")

_REMEMBERED = 1 << 12
"""The size of the cache of parsed names."""

CLOSED = -1
"""The number of free slots of a modifier that opens only after the reveal, as long as it is not open."""


def as_played(name: str) -> str:
    """Return the name of a piece without its modifiers: ``stew@bread`` for ``stew@bread^butter``."""
    return _LIES.sub("", name)


@lru_cache(_REMEMBERED)
def card_in(name: str) -> str:
    """Return the card or face at the beginning of a name: ``stew`` for ``stew@bread``."""
    return as_played(name).partition("@")[0]


def lies_on(name: str) -> list[str]:
    """Return the other parts of a piece's name: ``^butter`` for a modifier below, ``-0`` for free slots."""
    return _HOW.findall(name)


class Piece(Struct, frozen=True):
    """A state in which a card can lie in front of a seat."""

    used: tuple[str, ...]
    """The ids of the modifiers on which the card lies."""
    left: tuple[tuple[str, int], ...]
    """The modifiers on this card, each with its free slots, or `CLOSED` until it opens."""
    name: str
    """The end of the name for this state; empty for the first state that `Pieces.of` returns."""


class Pieces:
    """Computes the pieces of a game for each card and, for a wild card, for each form."""

    def __init__(self, model: CardSet) -> None:
        self.model = model
        self.leaving = leaving(model) if model.modifiers else {}
        self._applied: dict[str, tuple[Modifier, ...]] = {}

    @cached_property
    def modifiers(self) -> tuple[Modifier, ...]:
        """The modifiers whose cards can leave, also as a form of a wild card. Only these have pieces."""
        by_id = {card.id: card for card in self.model.cards}
        lying = [(card, card) for card in self.model.cards]
        lying += [
            (card, by_id[form]) for card in self.model.cards if card.forms for form in card.forms.of if form in by_id
        ]
        gone = {card.id for pair in lying if self._goes(*pair) for card in pair}
        return tuple(modifier for modifier in self.model.modifiers if modifier.card in gone)

    def _goes(self, card: Card, form: Card) -> bool:
        return card.id in self.leaving or form.id in self.leaving

    def of(self, card: Card, form: Card | None = None) -> tuple[Piece, ...]:
        """Return the states in which a card can lie. In the first, it is on no modifier, with all slots free."""
        opens, used = self._opens(card, form or card), self._used(card, form or card)
        first = tuple(places[0] for _, places in opens)
        modifiers, pieces = [modifier.id for modifier, _ in opens], []
        for on in used:
            for left in product(*(places for _, places in opens)):
                name = "".join(f"^{modifier}" for modifier in on) + "".join(
                    f"-{place if place != CLOSED else 'closed'}" for place in (left if left != first else ())
                )
                pieces.append(Piece(on, tuple(zip(modifiers, left, strict=True)), name))
        return tuple(pieces)

    def count(self, card: Card, form: Card | None = None) -> int:
        """Return the number of states in which a card can lie, without the first that `of` returns."""
        places = prod(len(options) for _, options in self._opens(card, form or card))
        return len(self._used(card, form or card)) * places - 1

    def _opens(self, card: Card, form: Card) -> list[tuple[Modifier, tuple[int, ...]]]:
        """Return the modifiers on a card, each with the numbers of free slots that it can have."""
        opens = []
        for modifier in self.modifiers:
            if modifier.card in {card.id, form.id}:
                places = tuple(range(modifier.capacity, -1, -1))
                opens.append((modifier, places if modifier.opens == "at_once" else (CLOSED, *places)))
        return opens

    def _used(self, card: Card, form: Card) -> list[tuple[str, ...]]:
        """Return the sets of modifiers on which a card can lie at once. The first set is empty."""
        if not self._goes(card, form):
            return [()]
        if form.id not in self._applied:
            self._applied[form.id] = modifiers_for(self.model, form)[: limits.MODIFIERS_OF_A_CARD]
        applied = self._applied[form.id]
        most = len(applied) if all(modifier.stacks for modifier in applied) else 1
        return [
            tuple(modifier.id for modifier in used) for size in range(most + 1) for used in combinations(applied, size)
        ]


def pieces_in(model: CardSet) -> Iterator[tuple[Card, int]]:
    """Yield (card, number of states besides the usual one) for each card with several states."""
    pieces, by_id = Pieces(model), {card.id: card for card in model.cards}
    for card in model.cards if pieces.leaving else ():
        forms = [by_id[form] for form in card.forms.of if form in by_id] if card.forms else []
        count = sum(pieces.count(card, form) for form in (card, *forms))
        if count:
            yield card, count
