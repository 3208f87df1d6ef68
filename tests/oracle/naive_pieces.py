"""Cards on cards as a person lays them: things on a table, with their worth and what they lie on.

This shares nothing with the engine. A table follows the cards that are laid and that leave. It knows the cards that lie
there, and their worth.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar


@dataclass
class Thing:
    """A card in front of a seat."""

    card: str
    worth: int = 0
    takes: int = 0
    on: list[str] = field(default_factory=list)
    closed: bool = False


class Table:
    """The table of one seat. A subclass defines the worth of cards, and which cards go on which."""

    WORTH: ClassVar[dict[str, int]]
    TAKES: ClassVar[dict[str, int]]
    LATE: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.things: list[Thing] = []
        self.elsewhere: list[Thing] = []

    def fits(self, below: str, card: str) -> bool:
        raise NotImplementedError

    def made(self, below: str, worth: int) -> int:
        raise NotImplementedError

    def lay(self, card: str) -> None:
        """Lay a card on the first open thing of each kind that takes it."""
        thing = Thing(card, self.WORTH.get(card, 0), self.TAKES.get(card, 0), closed=card in self.LATE)
        for kind in self.TAKES:
            below = next((own for own in self.things if own.card == kind and own.takes and not own.closed), None)
            if below is not None and self.fits(kind, card):
                below.takes -= 1
                thing.on.append(kind)
                thing.worth = self.made(kind, thing.worth)
        self.things.append(thing)

    def revealed(self) -> None:
        """Open the things that open after the reveal."""
        for own in self.things:
            own.closed = False

    def worst(self, cards: set[str]) -> Thing:
        """Return the thing that leaves by default: fewest cards on it, room for fewest, laid last."""
        found = [(len(own.on), own.takes, -at) for at, own in enumerate(self.things) if own.card in cards]
        return self.things[-min(found)[2]]

    def leave(self, thing: Thing) -> None:
        self.things = [own for own in self.things if own is not thing]

    def named(self, name: str) -> Thing:
        """Return the thing that a name in a move means; of equal ones the one laid last."""
        return [own for own in self.things if self.name_of(own) == name][-1]

    def name_of(self, thing: Thing) -> str:
        as_laid = self.TAKES.get(thing.card, 0)
        late = thing.card in self.LATE
        told = f"-{thing.takes}" if (thing.takes != as_laid or late) and not thing.closed else ""
        return "^".join([thing.card, *thing.on]) + (told if thing.card in self.TAKES else "")

    def names(self) -> list[str]:
        return [self.name_of(own) for own in self.things]

    def worth(self) -> int:
        return sum(own.worth for own in self.things)


class Sushi(Table):
    """The table of Sushi Go Party: nigiri on wasabi."""

    WORTH: ClassVar = {"nigiri_egg": 1, "nigiri_salmon": 2, "nigiri_squid": 3}
    TAKES: ClassVar = {"wasabi": 1}

    def fits(self, below: str, card: str) -> bool:
        return card in self.WORTH

    def made(self, below: str, worth: int) -> int:
        return 3 * worth


class Stall(Table):
    """The stall of Market day."""

    WORTH: ClassVar = {"apple": 2, "cheese": 3}
    TAKES: ClassVar = {"tag": 2, "ribbon": 1}
    LATE = ("ribbon",)

    def fits(self, below: str, card: str) -> bool:
        return card == "cheese" or (card == "apple" and below == "tag")

    def made(self, below: str, worth: int) -> int:
        return 2 * worth if below == "tag" else worth + 1
