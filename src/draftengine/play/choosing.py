"""From what a person types to a move: by number or by name, one card after the other, only what the rules allow.

Everything follows from the legal moves: a move is built code by code, and the next code can be whatever continues a
legal move. So abilities, several cards, wild cards, layouts and cards for other seats need no case of their own.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar, cast

from msgspec import Struct

from draftengine.diagnostics.suggest import closest
from draftengine.engine.moves import name_of
from draftengine.rules.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.flow.choose import Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.play.names import Names


_NUMBER = re.compile(r"[+-]?\d+")
Thing = TypeVar("Thing")


class NoSuchItemError(ValueError):
    """What was typed means no card that can be taken here; the message says what to do."""


class Item(Struct, frozen=True):
    """Something that can be named in a choice: a card in a form, or a place of a layout."""

    number: int
    """What a person types for it."""
    code: int
    """The item part of the codes of moves."""
    name: str
    card: str
    """The name of the card, for a place the face that lies there."""
    copies: int


class Picking(Struct, frozen=True):
    """A move in the making."""

    seen: Observation
    items: tuple[Item, ...]
    taken: Move = ()

    @classmethod
    def of(cls, seen: Observation) -> Picking:
        """The start of a choice of the seat that sees this."""
        width = seen.program.width
        codes = sorted({code % width for code in seen.moves.codes})
        return cls(seen, tuple(_item(seen, number, code) for number, code in enumerate(codes, 1)))

    @property
    def complete(self) -> bool:
        """Can the move be made as it is."""
        return self.taken in self.seen.moves

    @property
    def following(self) -> tuple[int, ...]:
        """The codes that can come next, in ascending order; none if nothing more can be taken."""
        return self.seen.moves.next(self.taken).codes

    @property
    def now(self) -> tuple[Item, ...]:
        """The items that can be taken next."""
        codes = {code % self.seen.program.width for code in self.following}
        return tuple(item for item in self.items if item.code in codes)

    def take(self, item: Item) -> Picking:
        """The move with one more card. Raises `NoSuchItemError` if it can't be taken now."""
        width = self.seen.program.width
        for code in self.following:
            if code % width == item.code:
                return Picking(self.seen, self.items, (*self.taken, code))
        raise NoSuchItemError(f"{item.name} cannot be taken now.")

    def ability(self) -> str | None:
        """The ability with which the next card would be taken, or ``None``."""
        channels = [channel for channel in self._channels() if 0 < channel < self._choice.first_other]
        return self.seen.program.abilities[channels[0] - 1].model.id if channels else None

    def receiver(self) -> int | None:
        """The other seat for which the next card would be chosen, or ``None``."""
        channels = self._channels()
        first = self._choice.first_other
        if not channels or min(channels) < first:
            return None
        return self._choice.also[min(channels) - first][0]

    def _channels(self) -> list[int]:
        return [code // self.seen.program.width for code in self.following]

    @property
    def _choice(self) -> Choice:
        return cast("Choice", self.seen.program.code[self.seen.decision])

    @property
    def zone(self) -> str:
        """The zone that cards are taken from."""
        return self.seen.program.zones[self._choice.source].id

    @property
    def target(self) -> str:
        """The zone that cards go to."""
        return self.seen.program.zones[self._choice.target].id

    @property
    def from_layout(self) -> bool:
        return self._choice.layout

    @property
    def offer(self) -> bool:
        """May the seat decline: the choice is only about using an ability."""
        return self._choice.offer

    def cards(self) -> tuple[tuple[str, str | None, int | None], ...]:
        """What was taken so far: (name, ability or ``None``, other seat or ``None``)."""
        told = []
        for code in self.taken:
            channel, item = divmod(code, self.seen.program.width)
            name = next(own.card for own in self.items if own.code == item)
            first = self._choice.first_other
            ability = self.seen.program.abilities[channel - 1].model.id if 0 < channel < first else None
            told.append((name, ability, self._choice.also[channel - first][0] if channel >= first else None))
        return tuple(told)


def _item(seen: Observation, number: int, code: int) -> Item:
    choice = cast("Choice", seen.program.code[seen.decision])
    name = name_of(seen.program, choice, code)
    if choice.layout:
        zone = seen.program.zones[choice.source].id
        faces = {place: face for view in seen.zones if view.zone == zone for place, face, _ in view.places}
        return Item(number, code, name, faces.get(name, name), 1)
    held = next(
        (
            view.cards
            for view in seen.zones
            if view.zone == seen.program.zones[choice.source].id and view.owner == seen.seat
        ),
        (),
    )
    return Item(number, code, name, name, dict(held).get(name.partition("@")[0], 1))


def sentence(picking: Picking, names: Names) -> str:
    """What was taken so far, in words; empty if nothing was."""
    parts = []
    for name, ability, receiver in picking.cards():
        with_ability = f" with {names.label(ability)}" if ability else ""
        given = f" for {names.seat(receiver)}" if receiver is not None else ""
        parts.append(f"{names.card(name)}{with_ability}{given}")
    return ", ".join(parts)


def spelled(picking: Picking, words: Sequence[str], names: Names) -> Picking:
    """The move with every card that was typed. Raises `NoSuchItemError` if one can't be taken; then none is."""
    for word in words:
        if not picking.following:
            most = counted(len(picking.taken), "card")
            raise NoSuchItemError(f"That is more than can be taken here: {most}. Nothing is taken yet.")
        picking = picking.take(find(word, picking.now, names))
    return picking


def find(text: str, items: Sequence[Item], names: Names) -> Item:
    """The item that a person means: its number, its name, or the start or a part of its name that no other has.

    Raises `NoSuchItemError`.
    """
    if _NUMBER.fullmatch(text.strip()):
        found = [item for item in items if text.strip() == str(item.number)]
    else:
        found = alike(text, [(item, (names.word(item.card), item.name, item.card)) for item in items])
    if len(found) == 1:
        return found[0]
    if found:
        choices = ", ".join(f"{item.number} {names.word(item.card)}" for item in found)
        raise NoSuchItemError(f"“{text}” could be {choices}.")
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


def _form(text: str) -> str:
    return " ".join(text.casefold().replace("_", " ").replace("-", " ").split())


def _nothing(text: str, items: Sequence[Item], names: Names) -> str:
    if _NUMBER.fullmatch(text.strip()):
        return f"There is no {text.strip()} here: the numbers go from {items[0].number} to {items[-1].number}."
    meant = closest(text, [names.word(item.card) for item in items])
    return f"“{text}” is not there to take. " + (
        f"Did you mean “{meant}”?" if meant else "Type its number or its name."
    )
