"""The choice that a person is making: what a key takes, puts back or replaces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.api.labels import card_in
from draftengine.apps.play.move_builder import MoveBuilder, NoSuchItemError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.api.moves import PickedCard
    from draftengine.api.view import View
    from draftengine.apps.play.move_builder import Item


class Choosing:
    """Choice of one seat, while it can be changed."""

    def __init__(self, view: View) -> None:
        self.start = MoveBuilder.of(view)
        self.picking = self._followed(self.start)
        self.more = False
        """True if the person wants to use an ability, so that one more card is expected."""

    @property
    def no_choice(self) -> bool:
        """True if there is only one legal move."""
        return self.picking.complete and not self.picking.following and bool(self.start.view.moves.total == 1)

    @property
    def settled(self) -> bool:
        """True if the move is complete and no further card is expected."""
        return self.picking.complete and not (self.more and self.picking.following)

    @property
    def is_empty(self) -> bool:
        """True if nothing is chosen yet."""
        return not self.picking.taken.taken

    def ability(self) -> str:
        """Return the ability that allows another card; empty if there is none."""
        if not self.is_empty or self.start.complete:
            return self.picking.ability()
        for item in self.start.now:
            picking = self.start.take(item)
            if picking.complete and picking.ability():
                return picking.ability()
        return ""

    def want_more(self) -> bool:
        """Switch the use of an ability on, or off again. Return True if it is on."""
        if self.more or not self.ability():
            self.more = False
            return False
        self.more = True
        return True

    def forms(self, card: str) -> list[Item]:
        """Return the items, one for each form, in which a card can be taken now."""
        base = self._before(card)
        return [item for item in base.now if card_in(item.name) == card]

    def press(self, name: str) -> bool:
        """Take a card (in a form, if it has any) or put it back. Return False if neither is possible."""
        card = card_in(name)
        if "@" not in name and self._put_back(card):
            return True
        base = self._before(card)
        item = next((item for item in base.now if item.name == name), None)
        if item is None:
            return False
        self.picking = self._followed(base.take(item))
        return True

    def take_back(self) -> None:
        """Clear the choice."""
        self.picking = self._followed(self.start)
        self.more = False

    def chosen(self, card: str) -> int:
        """Return the number of chosen copies of a card."""
        return sum(card_in(pick.card) == card for pick in self.picking.taken.taken)

    def copies(self, card: str) -> int:
        """Return the number of copies of a card that can be chosen."""
        return max((item.copies for item in self.start.items if card_in(item.name) == card), default=0)

    def put_back(self, card: str) -> bool:
        """Put a chosen card back. Return False if it is not chosen."""
        return self._put_back(card, anyway=True)

    def _put_back(self, card: str, *, anyway: bool = False) -> bool:
        """Put a card back if all its copies are chosen, or `anyway`. Return False if that is not so."""
        taken = list(self.picking.taken.taken)
        index = next((place for place in reversed(range(len(taken))) if card_in(taken[place].card) == card), None)
        if index is None or not (anyway or self.chosen(card) >= self.copies(card)):
            return False
        del taken[index]
        self.picking = self._followed(self._spelled(taken) or self.start)
        return True

    def _before(self, card: str) -> MoveBuilder:
        """Return the move to which a card is added: the current one if it goes on, else a shorter one.

        A complete move loses its last card, or all cards, so that the new card replaces them.
        """
        picking = self.picking
        goes_on = not picking.complete or self.more or not picking.taken.taken
        if goes_on and any(card_in(item.name) == card for item in picking.now):
            return picking
        taken = picking.taken.taken
        for shorter in (taken[:-1], ()):
            base = self._spelled(shorter)
            if base is not None and any(card_in(item.name) == card for item in base.now):
                return base
        return picking

    def _spelled(self, taken: Sequence[PickedCard]) -> MoveBuilder | None:
        """Return the move with these cards in order; ``None`` if one of them cannot be taken."""
        picking = self.start
        try:
            for pick in taken:
                picking = picking.take(next(item for item in picking.items if item.name == pick.card))
        except NoSuchItemError:
            return None
        return picking

    def _followed(self, picking: MoveBuilder) -> MoveBuilder:
        """Return the move with all cards that have to be taken anyway."""
        while len(picking.following) == 1 and not picking.complete:
            picking = picking.take(picking.now[0])
        return picking
