"""Moves built card by card from the numbers or names that people type.

Everything follows from the legal moves: a card can be next if some legal move continues with it. So abilities, several
cards, wild cards, layouts and cards for other seats need no special code.
"""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from draftengine.api.labels import card_in
from draftengine.api.moves import Move
from draftengine.api.records import DISCARD, HAND, TABLEAU
from draftengine.model.diagnostics.suggest import closest
from draftengine.support.locale.catalogue import abridged

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.api.moves import PickedCard
    from draftengine.api.view import ChoiceInfo, View
    from draftengine.apps.play.labels import Names


_NUMBER = re.compile(r"[+-]?\d+")
Thing = TypeVar("Thing")


class NoSuchItemError(ValueError):
    """Error for a typed text that matches no item that can be taken. The message says what to do."""


class Item(Struct, frozen=True):
    """Something that can be chosen: a card in a form, a place of a layout, or an action without a card."""

    number: int
    """The number that a person types to choose it."""
    name: str
    """The name of the item in moves."""
    card: str
    """The name of the card; for a place, the face that lies there."""
    copies: int


class MoveBuilder(Struct, frozen=True):
    """A move under construction: a view, its numbered items, and the cards taken so far."""

    view: View
    items: tuple[Item, ...]
    taken: Move = Move()

    @classmethod
    def of(cls, view: View) -> MoveBuilder:
        """Return an empty move for the choice that this view shows."""
        asked, stock = view.asked, dict(view.stock)
        zones = [zone for zone in view.zones if zone.zone == asked.source] if asked is not None and asked.places else []
        faces = {place: face for zone in zones for place, face, _ in zone.places}
        items = (
            Item(number, name, faces.get(name, name), 1 if zones else stock.get(card_in(name), 1))
            for number, name in enumerate(view.moves.names, 1)
        )
        return cls(view, tuple(items))

    @property
    def complete(self) -> bool:
        """True if the move is legal as it is."""
        return self.taken in self.view.moves

    @property
    def following(self) -> tuple[Move, ...]:
        """The moves, or beginnings of moves, with one more card; empty if no more cards can be taken."""
        return self.view.next(self.taken)

    @property
    def now(self) -> tuple[Item, ...]:
        """The items that can be taken as the next part of the move."""
        names = {move.taken[-1].card for move in self.following}
        return tuple(item for item in self.items if item.name in names)

    @property
    def without_cards(self) -> bool:
        """True if none of the items is a card, as in a choice of bids."""
        cards = {name for card in self.view.game.model.cards for name in (card.id, card.face)}
        return not any(card_in(item.card) in cards for item in self.items)

    def take(self, item: Item) -> MoveBuilder:
        """Return the move with one more item. Raises `NoSuchItemError` if it cannot be taken now."""
        for move in self.following:
            if move.taken[-1].card == item.name:
                return MoveBuilder(self.view, self.items, move)
        raise NoSuchItemError(item.name)

    def ability(self) -> str:
        """Return the ability that allows taking the next card; empty if no ability is needed."""
        return next((move.taken[-1].ability for move in self.following if move.taken[-1].ability), "")

    def receiver(self) -> str:
        """Return the extra seat that receives the next card; empty if the choosing seat receives it."""
        others = {move.taken[-1].other for move in self.following}
        return "" if "" in others or not others else min(others)

    @property
    def asked(self) -> ChoiceInfo:
        """The description of the choice."""
        assert self.view.asked is not None, "whoever picks has to choose"
        return self.view.asked

    def rest(self, move: Move) -> tuple[PickedCard, ...]:
        """Return the cards of `move` that are not yet taken."""
        return move.taken[len(self.taken.taken) :]


def for_target(key: str, target: str) -> str:
    """Return the id of the message that asks for a card, by the zone it goes to: ``ask.card.hand``."""
    return key if target == TABLEAU else f"{key}.{target if target in {HAND, DISCARD} else 'aside'}"


def sentence(cards: Sequence[PickedCard], picking: MoveBuilder, names: Names) -> str:
    """Return the cards of a move as text, copies together; empty if there are none.

    For a bid, the cards that it can win are included.
    """
    card_of = {item.name: item.card for item in picking.items}
    parts = []
    for pick in cards:
        pile = picking.view.aim(pick.card)
        aim = (
            f" ({names.style.comma.join(names.copies(*lying) for lying in pile.cards)})"
            if pile is not None and pile.cards
            else ""
        )
        text = f"{names.card(card_of[pick.card])}{aim}"
        text = names.say("pick.with", card=text, ability=names.label(pick.ability)) if pick.ability else text
        parts.append(names.say("pick.for", card=text, seat=names.extra_seat(pick.other)) if pick.other else text)
    return names.style.comma.join(names.copies_of(text, len([*same])) for text, same in groupby(parts))


def spelled(picking: MoveBuilder, words: Sequence[str], names: Names) -> MoveBuilder:
    """Return the move with all cards that were typed. Raises `NoSuchItemError` if one cannot be taken."""
    for word in words:
        if not picking.following:
            raise NoSuchItemError(names.say("refused.more", count=len(picking.taken.taken)))
        picking = picking.take(find(word, picking.now, names))
    return picking


def find(text: str, items: Sequence[Item], names: Names) -> Item:
    """Return the item that a person means, by number, name, or unique beginning or part of a name.

    Raises `NoSuchItemError` if no item or several match.
    """
    if _NUMBER.fullmatch(text.strip()):
        matches = [item for item in items if text.strip() == str(item.number)]
    else:
        matches = alike(text, [(item, (names.word(item.card), item.name, item.card)) for item in items])
    if len(matches) == 1:
        return matches[0]
    if matches:
        choices = names.style.comma.join(f"{item.number} {names.word(item.card)}" for item in matches)
        raise NoSuchItemError(names.say("refused.several", text=text, choices=choices))
    if _NUMBER.fullmatch(text.strip()):
        numbers = names.join_list(abridged([str(item.number) for item in items]), "or")
        raise NoSuchItemError(names.say("refused.number", text=text.strip(), numbers=numbers))
    meant = closest(text, [names.word(item.card) for item in items])
    raise NoSuchItemError(names.say("refused.absent.meant" if meant else "refused.absent", text=text, name=meant))


def alike(text: str, known: Sequence[tuple[Thing, Sequence[str]]]) -> list[Thing]:
    """Return the first thing whose name is `text` or, without one, all things whose names contain it.

    Names that begin with the text take precedence.
    """
    wanted = _form(text)
    if not wanted:
        return []
    named = [(thing, [_form(name) for name in names]) for thing, names in known]
    exact = [thing for thing, names in named if wanted in names]
    begins = [thing for thing, names in named if any(name.startswith(wanted) for name in names)]
    return exact[:1] or begins or [thing for thing, names in named if any(wanted in name for name in names)]


def is_named(text: str, names: Iterable[str]) -> bool:
    """True if `text` is one of the names; case, hyphens, underscores and extra spaces do not matter."""
    return _form(text) in map(_form, names)


def _form(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").replace("-", " ").split())
