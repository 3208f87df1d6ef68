"""What cards, seats and rules are called at this table."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from draftengine.cardset.model import text_in
from draftengine.play.session import HUMAN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.engine.program import Program
    from draftengine.play.style import Style
    from draftengine.records.values import Formula


_SHORT = 6
"""Columns of a short title."""


class Names:
    """Names for the screen, made once for a game: safe to print, with pictures where the terminal has them."""

    def __init__(self, program: Program, seats: Sequence[str], style: Style, people: Sequence[str] = ()) -> None:
        """`seats` says who sits where (see `Session.seats`), `people` what people are called (see `Session.names`)."""
        self.program = program
        self.style = style
        model = program.model
        things: tuple[Any, ...] = (
            *model.counters, *model.modifiers, *model.abilities, *model.zones, *model.markers, *model.chips,
        )  # fmt: skip
        self._labels = self._titles(things)
        self._triggers, self._rules = self._titles(model.triggers), self._titles(model.scoring)
        self._cards = self._titles(model.cards)
        self._icons = {card.id: style.icon(card.icon) for card in model.cards}
        for card in model.cards:
            if card.face is not None and card.face not in self._cards:
                self._cards[card.face] = style.safe(card.face.replace("_", " ").capitalize())
                self._icons[card.face] = style.icon(card.icon)
        self.seats = tuple(self._seat_titles(seats, iter(people)))
        """Titles of the seats, extra seats last."""
        self.titles = {"round": "This round", "game": "End of the game"}

    def _titles(self, labelled: Iterable[Any]) -> dict[str, str]:
        """Labels by id; the id where no character of a label can be written here."""
        return {own.id: self.style.safe(text_in(own.label)).strip() or own.id for own in labelled}

    def _seat_titles(self, seats: Sequence[str], people: Iterator[str]) -> Iterable[str]:
        alone = list(seats).count(HUMAN) == 1
        for seat, who in enumerate(seats, 1):
            if who != HUMAN:
                yield f"Player {seat} ({self.style.safe(who.partition(':')[0])})"
            else:
                usual = "You" if alone else f"Player {seat}"
                yield self.style.safe(next(people, "")).strip() or usual
        for extra in self.program.model.extra_seats:
            yield self.style.safe(text_in(extra.label))

    @property
    def seat_columns(self) -> int:
        """The width of the longest seat title."""
        return max(map(len, self.seats))

    def seat(self, seat: int) -> str:
        return self.seats[seat] if 0 <= seat < len(self.seats) else "nobody"

    def inside(self, seat: int) -> str:
        """A seat in the middle of a sentence."""
        return "you" if self.seat(seat) == "You" else self.seat(seat)

    def heads(self, columns: int) -> list[str]:
        """Titles of the seats for the head of a table, short ones if the long ones don't fit."""
        if sum(len(title) + 2 for title in self.seats) <= columns:
            return list(self.seats)
        players = self.program.players
        return [
            title if len(title) <= _SHORT else f"P{seat}" if seat <= players else title[:_SHORT]
            for seat, title in enumerate(self.seats, 1)
        ]

    def does(self, seat: int, verb: str) -> str:
        """``You draw``, ``Player 2 draws``."""
        return f"{self.seat(seat)} {verb if self.seat(seat) == 'You' else verb + 's'}"

    def card(self, name: str) -> str:
        """A card, a face, or a card in a form (``triple@soup``), with its picture."""
        return f"{self._icons.get(name.partition('@')[0], '')}{self.word(name)}"

    def word(self, name: str) -> str:
        """The same without the picture."""
        card, _, form = name.partition("@")
        label = self._cards.get(card, self.style.safe(card))
        shown = self.word(form) if form else label
        return label if shown == label else f"{label} as {shown}"

    def cards(self, names: Iterable[str]) -> list[str]:
        """Cards in the order in which they first appear, with ``2×`` before those that are there twice."""
        return [self.copies(name, count) for name, count in Counter(names).items()]

    def copies(self, name: str, count: int) -> str:
        return self.copies_of(self.card(name), count)

    def copies_of(self, card: str, count: int) -> str:
        """A card as it is shown, with ``2×`` before it if it is there twice."""
        return (self.style.typed(f"{count}× ") if count > 1 else "") + card

    def label(self, name: str) -> str:
        """A counter, modifier, ability, zone, marker or chip pile; or a card."""
        return self._labels.get(name) or self._cards.get(name.partition("@")[0]) or self.style.safe(name)

    def reason(self, name: str) -> str:
        """What gives points: a rule, which may have the name of what it counts, or what gives them at once."""
        return self._rules.get(name) or self.at_once(name)

    def at_once(self, name: str) -> str:
        """What gives points or chips at once: a trigger or a card."""
        return self._triggers.get(name) or self.label(name)

    def called(self, formula: Formula) -> str:
        """How a formula is called in print: the label of what it names, else as it is written."""
        text = formula.text
        if not text.replace("_", "a").isalnum() or text.isdecimal():
            return text
        label = self.label(text)
        return label.lower() if label != text else text.replace("_", " ")

    def moment(self, label: str) -> str:
        """What the rules of a label are scored for."""
        return self.titles.get(label, self.style.safe(label.replace("_", " ").capitalize()))
