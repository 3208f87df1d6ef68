"""Short signs for cards: a picture, and what distinguishes cards that share it."""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import TYPE_CHECKING

from draftengine.api.labels import as_played, card_in, of_card

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.apps.play.labels import Names

_DOTS = 3
"""The largest amount that is shown as dots; larger amounts are shown as a number."""


class Faces:
    """Signs, texts and family numbers of the cards of a game, in characters that the terminal has."""

    def __init__(self, names: Names) -> None:
        self.names = names
        model = names.game.model
        families = dict.fromkeys(card.family[0] if card.family else card.id for card in model.cards)
        numbers = {family: number for number, family in enumerate(families)}
        self._families = {card.id: numbers[card.family[0] if card.family else card.id] for card in model.cards}
        self._families |= {card.face: self._families[card.id] for card in model.cards if card.face is not None}
        self._texts = {card.id: names.style.safe(of_card(card, names.labels)) for card in model.cards}
        self._texts |= {card.face: self._texts[card.id] for card in model.cards if card.face is not None}
        self._signs = self._made()

    def sign(self, name: str) -> str:
        """Return a card's picture and what distinguishes it from cards with an equal picture, or letters.

        Letters stand for cards without a picture. A card in a form also shows the sign of the form.
        """
        card, _, form = as_played(name).partition("@")
        if form:
            return f"{self._signs.get(card, card[:2])}{self._signs.get(form, form[:2])}"
        return self._signs.get(card, "")  # an action without a card has no sign

    def family(self, name: str) -> int:
        """Return the number of a card's family."""
        return self._families.get(card_in(name), 0)

    def text(self, name: str) -> str:
        """Return the card set's description of a card."""
        return self._texts.get(card_in(name), "")

    def _made(self) -> dict[str, str]:
        names, cards = self.names, self.names.game.model.cards
        known = [(card.id, names.word(card.id), dict(card.adds)) for card in cards]
        known += [(card.face, names.word(card.face), {}) for card in cards if card.face is not None]
        pictures = {name: names.style.icon(names.labels.icon(name)).strip() for name, _, _ in known}
        shared = Counter(pictures[name] for name in dict.fromkeys(name for name, _, _ in known))
        signs: dict[str, str] = {}
        for name, label, adds in known:
            picture = pictures[name]
            if not picture:
                signs[name] = next(letters for letters in _letters(label) if letters not in signs.values())
            elif shared[picture] == 1:
                signs[name] = picture
            else:
                alike = [(other, also) for one, other, also in known if pictures[one] == picture]
                signs[name] = picture + self._difference(label, adds, alike)
        return signs

    def _difference(self, label: str, adds: dict[str, int], alike: list[tuple[str, dict[str, int]]]) -> str:
        """Return what distinguishes a card from others with its picture: dots or a number, or initials."""
        counters = {name for _, also in alike for name in also}
        if (
            all(also for _, also in alike)
            and len(counters) == 1
            and len({tuple(also.values()) for _, also in alike}) == len(alike)
        ):
            amount = sum(adds.values())
            if amount <= _DOTS:
                return "⋮" * amount
            return str(amount)
        common = set.intersection(*(set(other.casefold().split()) for other, _ in alike))
        words = [word for word in label.split() if word.casefold() not in common]
        long = [word for word in words if len(word) > _SHORT or word.isdecimal()] or words
        return "".join(word if word.isdecimal() else word[0] for word in long[:2]).upper()


_SHORT = 4


def _letters(label: str) -> Iterator[str]:
    """Yield short letter codes for a label, the most natural first; endlessly, so that one is always free."""
    words = ["".join(char for char in word if char.isalnum()) for word in label.split()]
    first, *others = [word for word in words if word] or ["?"]
    number = "".join(char for char in label if char.isdecimal())
    if number:
        yield first[:1] + number[:2]
    yield from (first[:1] + word[:1].lower() for word in others[-1:])
    yield first[:2]
    yield from (first[:1] + char.lower() for word in (*others, first) for char in word[1:])
    yield from (f"{first[:1]}{index}" for index in count(1))
