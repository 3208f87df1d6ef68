"""Pieces: as what a card lies before a seat, where modifiers and the cards that they change can leave.

A counter tells what all cards of a seat add together. When one of them leaves, it has to be known what just this one
added: so where such cards can leave, a card on which a modifier was used is a play of its own (``bread^butter``: bread
on butter), and so is a modifier by the cards that it still takes (``butter-0`` takes none). Nowhere else: there a
modifier and what it changed stay until all is cleared, and their sum is enough.
"""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from itertools import combinations, product
from math import prod
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.cardset.amounts import MAX_MODIFIERS, modifiers_for
from draftengine.model.cardset.leaving import leaving

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import Card, CardSet, Modifier

_LIES = re.compile("[-^][^@]*")
_HOW = re.compile("[-^][^-^@]+")
MOST_PIECES = 1000
"""In so many ways at most can the cards of a game lie beside as they were played: each is a play with a number."""

_REMEMBERED = 1 << 12
"""So many names are taken apart only once."""

CLOSED = -1
"""What a modifier still takes that opens only after the reveal."""


def as_played(name: str) -> str:
    """The name of a piece without what is told of how it lies: ``stew@bread^butter`` was played as ``stew@bread``."""
    return _LIES.sub("", name)


@lru_cache(_REMEMBERED)
def card_in(name: str) -> str:
    """The card (or face) of a play, of what lies there, or of a card that goes a way."""
    return as_played(name).partition("@")[0]


def lies_on(name: str) -> list[str]:
    """What is told of how a piece lies: ``^butter`` for each modifier, and what it still takes itself (``-0``)."""
    return _HOW.findall(name)


class Piece(Struct, frozen=True):
    """As what a card lies."""

    used: tuple[str, ...]
    """The modifiers on which it lies."""
    left: tuple[tuple[str, int], ...]
    """How many cards it takes itself, by modifier; `CLOSED` as long as it is not open."""
    name: str
    """What is written behind the name of the card; empty for one that lies as it was played on nothing."""


class Pieces:
    """The pieces of a game, by card and, for a wild card, the form in which it lies."""

    def __init__(self, model: CardSet) -> None:
        self.model = model
        self.leaving = leaving(model) if model.modifiers else {}
        self._applied: dict[str, tuple[Modifier, ...]] = {}

    @cached_property
    def modifiers(self) -> tuple[Modifier, ...]:
        """The modifiers of which it is told card by card what they still take: those that can leave, in any form."""
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
        """As what a card can lie; the first is as it was played on nothing."""
        opens, used = self._opens(card, form or card), self._used(card, form or card)
        first = tuple(places[0] for _, places in opens)
        modifiers, pieces = [modifier.id for modifier, _ in opens], []
        for on in used:
            for left in product(*(places for _, places in opens)):
                name = _name(on, left if left != first else ())
                pieces.append(Piece(on, tuple(zip(modifiers, left, strict=True)), name))
        return tuple(pieces)

    def count(self, card: Card, form: Card | None = None) -> int:
        """As how many other plays a card can lie than as it was played."""
        places = prod(len(options) for _, options in self._opens(card, form or card))
        return len(self._used(card, form or card)) * places - 1

    def _opens(self, card: Card, form: Card) -> list[tuple[Modifier, tuple[int, ...]]]:
        """What a card opens where it is laid, and how many cards that can still take."""
        opens = []
        for modifier in self.modifiers:
            if modifier.card in {card.id, form.id}:
                places = tuple(range(modifier.capacity, -1, -1))
                opens.append((modifier, places if modifier.opens == "at_once" else (CLOSED, *places)))
        return opens

    def _used(self, card: Card, form: Card) -> list[tuple[str, ...]]:
        """The modifiers that can have been used on a card together; the first entry is none of them."""
        if not self._goes(card, form):
            return [()]
        if form.id not in self._applied:
            self._applied[form.id] = modifiers_for(self.model, form)[:MAX_MODIFIERS]
        applied = self._applied[form.id]
        most = len(applied) if all(modifier.stacks for modifier in applied) else 1
        return [
            tuple(modifier.id for modifier in used) for size in range(most + 1) for used in combinations(applied, size)
        ]


def _name(used: tuple[str, ...], left: tuple[int, ...]) -> str:
    """``^butter-0``: on what it lies, and what it takes itself if that is not as much as when it was played."""
    return "".join(f"^{modifier}" for modifier in used) + "".join(
        f"-{place if place != CLOSED else 'closed'}" for place in left
    )


def pieces_in(model: CardSet) -> Iterator[tuple[Card, int]]:
    """The cards that can lie in more than one way, with how many more."""
    pieces, by_id = Pieces(model), {card.id: card for card in model.cards}
    for card in model.cards if pieces.leaving else ():
        forms = [by_id[form] for form in card.forms.of if form in by_id] if card.forms else []
        count = sum(pieces.count(card, form) for form in (card, *forms))
        if count:
            yield card, count
