"""From what a person types to a move: by number or by name, one card after the other, only what the rules allow.

Everything follows from the legal moves: a move is built card by card, and the next can be whatever continues a legal
move. So abilities, several cards, wild cards, layouts and cards for other seats need no case of their own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from draftengine.api.labels import card_in
from draftengine.api.moves import Move
from draftengine.api.records import DISCARD, HAND, TABLEAU
from draftengine.model.diagnostics.suggest import closest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.api.moves import PickedCard
    from draftengine.api.view import ChoiceInfo, View
    from draftengine.apps.play.labels import Names


_NUMBER = re.compile(r"[+-]?\d+")
Thing = TypeVar("Thing")


class NoSuchItemError(ValueError):
    """What was typed means no card that can be taken here; the message says what to do."""


class Item(Struct, frozen=True):
    """Something that can be named in a choice: a card in a form, or a place of a layout."""

    number: int
    """What a person types for it."""
    name: str
    """What moves call it."""
    card: str
    """The name of the card, for a place the face that lies there."""
    copies: int


class MoveBuilder(Struct, frozen=True):
    """A move in the making."""

    view: View
    items: tuple[Item, ...]
    taken: Move = Move()

    @classmethod
    def of(cls, view: View) -> MoveBuilder:
        """The start of a choice of the seat that sees this."""
        return cls(view, tuple(_item(view, number, name) for number, name in enumerate(view.moves.names, 1)))

    @property
    def complete(self) -> bool:
        """Can the move be made as it is."""
        return self.taken in self.view.moves

    @property
    def following(self) -> tuple[Move, ...]:
        """The moves that go on with it by one card; none if nothing more can be taken."""
        return self.view.next(self.taken)

    @property
    def now(self) -> tuple[Item, ...]:
        """The items that can be taken next."""
        names = {move.taken[-1].card for move in self.following}
        return tuple(item for item in self.items if item.name in names)

    @property
    def without_cards(self) -> bool:
        """Are there only ways to choose from in which no card goes: bids, a pass."""
        cards = {name for card in self.view.game.model.cards for name in (card.id, card.face)}
        return not any(card_in(item.card) in cards for item in self.items)

    def take(self, item: Item) -> MoveBuilder:
        """The move with one more card. Raises `NoSuchItemError` if it can't be taken now."""
        for move in self.following:
            if move.taken[-1].card == item.name:
                return MoveBuilder(self.view, self.items, move)
        raise NoSuchItemError(item.name)

    def ability(self) -> str:
        """The ability with which the next card would be taken; empty if it is none."""
        return next((move.taken[-1].ability for move in self.following if move.taken[-1].ability), "")

    def receiver(self) -> str:
        """The extra seat for which the next card would be chosen; empty if it is for the seat itself."""
        others = {move.taken[-1].other for move in self.following}
        return "" if "" in others or not others else min(others)

    @property
    def asked(self) -> ChoiceInfo:
        """What the choice asks for."""
        assert self.view.asked is not None, "whoever picks has to choose"
        return self.view.asked

    def rest(self, move: Move) -> tuple[PickedCard, ...]:
        """The cards by which a move goes on with what was taken."""
        return move.taken[len(self.taken.taken) :]


def _item(view: View, number: int, name: str) -> Item:
    asked = view.asked
    if asked is not None and asked.places:
        faces = {place: face for zone in view.zones if zone.zone == asked.source for place, face, _ in zone.places}
        return Item(number, name, faces.get(name, name), 1)
    return Item(number, name, name, dict(view.stock).get(card_in(name), 1))


def for_target(key: str, target: str) -> str:
    """Return the message that asks for a card, by what happens to it: ``ask.card``, ``ask.card.hand``."""
    return key if target == TABLEAU else f"{key}.{target if target in {HAND, DISCARD} else 'aside'}"


def sentence(cards: Sequence[PickedCard], picking: MoveBuilder, names: Names) -> str:
    """Cards of a move in words, a bid with what is bid for; empty if there are none."""
    card_of = {item.name: item.card for item in picking.items}
    parts = []
    for pick in cards:
        pile = picking.view.aim(pick.card)
        aim = f" ({', '.join(names.copies(*lying) for lying in pile.cards)})" if pile is not None and pile.cards else ""
        text = f"{names.card(card_of[pick.card])}{aim}"
        text = names.say("pick.with", card=text, ability=names.label(pick.ability)) if pick.ability else text
        parts.append(names.say("pick.for", card=text, seat=names.extra_seat(pick.other)) if pick.other else text)
    return ", ".join(parts)


def spelled(picking: MoveBuilder, words: Sequence[str], names: Names) -> MoveBuilder:
    """The move with every card that was typed. Raises `NoSuchItemError` if one can't be taken; then none is."""
    for word in words:
        if not picking.following:
            raise NoSuchItemError(names.say("refused.more", count=len(picking.taken.taken)))
        picking = picking.take(find(word, picking.now, names))
    return picking


def find(text: str, items: Sequence[Item], names: Names) -> Item:
    """The item that a person means: its number, its name, or the start or a part of its name that no other has.

    Raises `NoSuchItemError`.
    """
    if _NUMBER.fullmatch(text.strip()):
        matches = [item for item in items if text.strip() == str(item.number)]
    else:
        matches = alike(text, [(item, (names.word(item.card), item.name, item.card)) for item in items])
    if len(matches) == 1:
        return matches[0]
    if matches:
        choices = ", ".join(f"{item.number} {names.word(item.card)}" for item in matches)
        raise NoSuchItemError(names.say("refused.several", text=text, choices=choices))
    raise NoSuchItemError(_nothing(text, items, names))


def alike(text: str, known: Sequence[tuple[Thing, Sequence[str]]]) -> list[Thing]:
    """The things whose names are what was typed, else those of which a name begins with it, else contains it."""
    wanted = _form(text)
    if not wanted:
        return []
    named = [(thing, [_form(name) for name in names]) for thing, names in known]
    exact = [thing for thing, names in named if wanted in names]
    begins = [thing for thing, names in named if any(name.startswith(wanted) for name in names)]
    return exact[:1] or begins or [thing for thing, names in named if any(wanted in name for name in names)]


def is_named(text: str, names: Iterable[str]) -> bool:
    """Is what was typed one of these names; case, hyphens and spaces count nothing."""
    return _form(text) in map(_form, names)


def _form(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").replace("-", " ").split())


def _nothing(text: str, items: Sequence[Item], names: Names) -> str:
    if _NUMBER.fullmatch(text.strip()):
        return names.say("refused.number", text=text.strip(), first=items[0].number, last=items[-1].number)
    meant = closest(text, [names.word(item.card) for item in items])
    return names.say("refused.absent.meant" if meant else "refused.absent", text=text, name=meant)
