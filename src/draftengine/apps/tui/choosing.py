"""What a person is choosing: which card a key takes, puts back or puts in another's place."""

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
    """One choice of one seat, as long as it can be changed."""

    def __init__(self, view: View) -> None:
        self.start = MoveBuilder.of(view)
        self.picking = self._followed(self.start)
        self.more = False
        """Does the person want to use an ability, so that one more card is waited for."""

    @property
    def no_choice(self) -> bool:
        """Is there only one legal move."""
        return self.picking.complete and not self.picking.following and bool(self.start.view.moves.total == 1)

    @property
    def settled(self) -> bool:
        """Is it a whole move for which no other card is waited."""
        return self.picking.complete and not (self.more and self.picking.following)

    @property
    def is_empty(self) -> bool:
        """Is nothing chosen yet."""
        return not self.picking.taken.taken

    def ability(self) -> str:
        """The ability by which another card could be taken; empty if there is none."""
        if not self.is_empty or self.start.complete:
            return self.picking.ability()
        for item in self.start.now:
            picking = self.start.take(item)
            if picking.complete and picking.ability():
                return picking.ability()
        return ""

    def want_more(self) -> bool:
        """Use an ability, or not after all; is there one."""
        if self.more or not self.ability():
            self.more = False
            return False
        self.more = True
        return True

    def forms(self, card: str) -> list[Item]:
        """The forms in which a card can be taken now."""
        base = self._before(card)
        return [item for item in base.now if card_in(item.name) == card]

    def press(self, name: str) -> bool:
        """Take a card (in a form, if it has some) or put it back; could that be done."""
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
        """Begin again."""
        self.picking = self._followed(self.start)
        self.more = False

    def chosen(self, card: str) -> int:
        """How many copies of a card are chosen."""
        return sum(card_in(pick.card) == card for pick in self.picking.taken.taken)

    def copies(self, card: str) -> int:
        """How many copies of a card there are to choose from."""
        return max((item.copies for item in self.start.items if card_in(item.name) == card), default=0)

    def put_back(self, card: str) -> bool:
        """Put a chosen card back; is it chosen."""
        return self._put_back(card, anyway=True)

    def _put_back(self, card: str, *, anyway: bool = False) -> bool:
        """Put a card back if all its copies are chosen."""
        taken = list(self.picking.taken.taken)
        index = next((place for place in reversed(range(len(taken))) if card_in(taken[place].card) == card), None)
        if index is None or not (anyway or self.chosen(card) >= self.copies(card)):
            return False
        del taken[index]
        self.picking = self._followed(self._spelled(taken) or self.start)
        return True

    def _before(self, card: str) -> MoveBuilder:
        """What another card is added to: what is chosen so far, or that without its last card if it is whole."""
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
        """What the cards make, taken one after the other; ``None`` if they can't be."""
        picking = self.start
        try:
            for pick in taken:
                picking = picking.take(next(item for item in picking.items if item.name == pick.card))
        except NoSuchItemError:
            return None
        return picking

    def _followed(self, picking: MoveBuilder) -> MoveBuilder:
        """With every card that has to be taken anyway."""
        while len(picking.following) == 1 and not picking.complete:
            picking = picking.take(picking.now[0])
        return picking
