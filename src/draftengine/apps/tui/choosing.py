"""The choice that a person is making: what keys do to it, prompts, and the keys that can be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.api.labels import card_in
from draftengine.apps.play.move_builder import MoveBuilder, NoSuchItemError, for_target, sentence
from draftengine.apps.tui.scene import CARD_KEYS
from draftengine.apps.tui.styles import joined
from draftengine.support.text import width_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.text import Text

    from draftengine.api.moves import PickedCard
    from draftengine.api.state import State
    from draftengine.api.view import View
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.move_builder import Item
    from draftengine.apps.tui.styles import Pen


class Choosing:
    """The move that one seat is putting together and can still change."""

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
        """Return the ability that allows one more card; empty if there is none."""
        if not self.is_empty or self.start.complete:
            return self.picking.ability()
        for item in self.start.now:
            picking = self.start.take(item)
            if picking.complete and picking.ability():
                return picking.ability()
        return ""

    def want_more(self) -> bool:
        """Turn the use of an ability on or off. Return True if it is on now."""
        if self.more or not self.ability():
            self.more = False
            return False
        self.more = True
        return True

    def forms(self, card: str) -> list[Item]:
        """Return the items that take a card now, one for each form in which it can be played."""
        base = self._before(card)
        return [item for item in base.now if card_in(item.name) == card]

    def press(self, name: str) -> bool:
        """Take a card (in a form, if it has any) or put it back. Return False if neither is possible."""
        card = card_in(name)
        if "@" not in name and self.put_back(card, anyway=False):
            return True
        base = self._before(card)
        item = next((item for item in base.now if item.name == name), None)
        if item is None:
            return False
        self.picking = self._followed(base.take(item))
        return True

    def take_back(self) -> None:
        """Put all chosen cards back."""
        self.picking = self._followed(self.start)
        self.more = False

    def chosen(self, card: str) -> int:
        """Return the number of chosen copies of a card."""
        return sum(card_in(pick.card) == card for pick in self.picking.taken.taken)

    def copies(self, card: str) -> int:
        """Return the number of copies of a card that can be chosen."""
        return max((item.copies for item in self.start.items if card_in(item.name) == card), default=0)

    def put_back(self, card: str, *, anyway: bool = True) -> bool:
        """Put a copy of a chosen card back if all its copies are chosen, or if `anyway` is set.

        Return False if no card was put back.
        """
        taken = list(self.picking.taken.taken)
        index = next((place for place in reversed(range(len(taken))) if card_in(taken[place].card) == card), None)
        if index is None or not (anyway or self.chosen(card) >= self.copies(card)):
            return False
        del taken[index]
        self.picking = self._followed(self._spelled(taken) or self.start)
        return True

    def _before(self, card: str) -> MoveBuilder:
        """Return the move to which to add a card: the current one if it can continue, or a shorter one.

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
        """Return the move after taking the next card as long as only one is possible and the move incomplete."""
        while len(picking.following) == 1 and not picking.complete:
            picking = picking.take(picking.now[0])
        return picking


KeyWord = tuple[str, str, str]
"""A usable key: its sign, the id of the message about it (``key.…`` or empty), and the key to send."""
_SHORT = {"way", "scores"}
"""Keys whose message has a shorter version for narrow screens."""


def prompt(choosing: Choosing, names: Names, pen: Pen) -> list[Text]:
    """Return sentences about the chosen cards and what to do next, the most important one first."""
    words = sentence(choosing.picking.taken.taken, choosing.picking, names)
    if choosing.no_choice:
        return [
            pen.plain(names.say("said.only", cards=words or names.say("pick.none"))),
            pen.muted(pen.say("screen.only")),
        ]
    offered = []
    if (ability := choosing.ability()) and not choosing.more:
        key = "screen.ability.first" if choosing.is_empty else "screen.ability"
        offered.append(pen.muted(names.say(key, ability=names.label(ability))))
    if choosing.settled and words:
        key = "screen.chose" if choosing.start.without_cards else "screen.played"
        how = joined(pen.muted(pen.say("screen.now_or_undo")), *(joined(pen.muted(" · "), offer) for offer in offered))
        return [joined(pen.good("✓ "), pen.plain(names.say(key, cards=words))), how]
    if choosing.settled and choosing.start.complete:
        return [pen.plain(pen.say("screen.may_use")), *offered, pen.muted(pen.say("screen.none"))]
    so_far = [pen.plain(f"{names.say('ask.and', cards=words)} ")] if words else []
    picking, asked = choosing.picking, choosing.picking.asked
    receiver, ability = picking.receiver(), picking.ability()
    missing = asked.cards - len(picking.taken.cards)
    if receiver:
        todo = names.say("choose.other", seat=names.extra_seat(receiver))
    elif choosing.more:
        todo = names.say("choose.ability", ability=names.label(ability)) if ability else names.say("choose.two")
    elif choosing.start.without_cards:
        todo = names.say("choose.way")
    elif asked.target != "tableau":
        todo = names.say(for_target("choose.card", asked.target), where=names.label(asked.target))
    elif missing > 1:
        todo = names.say("choose.cards", count=missing)
    else:
        todo = names.say("choose.open" if asked.places else "choose.card")
    return [joined(*so_far, pen.bold(todo)), *offered]


def waiting(state: State, done: int, people: Sequence[int], names: Names, pen: Pen) -> Text:
    """Return a sentence about the seats that still have to choose.

    `done` is a seat whose choice is being written to disk.
    """
    seats = [seat for seat in state.waiting if seat != done]
    if not seats:
        return pen.plain(pen.say("screen.keeping"))
    who = names.join_list([names.inside(seat) for seat in seats])
    key = "screen.waiting" if any(seat in people for seat in seats) else "screen.bots"
    return pen.plain(names.say(key, who=who, count=len(seats)))


def keys(choosing: Choosing | None, cards: int, *, coming: bool) -> list[KeyWord]:
    """Return the keys that can be used now. `cards` is the number of cards in the hand."""
    key_words: list[KeyWord] = []
    if choosing is not None:
        keyed = CARD_KEYS[:cards]
        if keyed:
            key_words.append((f"{keyed[0]}–{keyed[-1]}" if len(keyed) > 1 else keyed, "choose", "go"))
        if choosing.ability():
            key_words.append(("t", "two", "t"))
        key_words += [] if choosing.is_empty else [("u", "undo", "u")]
        key_words += [("h", "hint", "h"), ("v", "bars", "v")]
    key_words += [("w", "why", "w"), ("s", "scores", "s")]
    key_words += [("o", "way", "o")] if coming else []
    return [*key_words, ("l", "log", "l"), ("?", "help", "?"), ("q", "quit", "q")]


def in_words(key_words: Sequence[KeyWord], columns: int, pen: Pen) -> list[KeyWord]:
    """Return keys with their messages as texts. If these are too wide, they are shortened or left out."""

    def worded(key_words: Sequence[KeyWord]) -> list[KeyWord]:
        return [(keys, pen.say(f"key.{word}") if word else "", does) for keys, word, does in key_words]

    known = worded(key_words)
    if _too_wide(known, columns):
        known = worded([(keys, f"{word}.short" if word in _SHORT else word, does) for keys, word, does in key_words])
    for does in _LEFT_OUT_FIRST:
        if _too_wide(known, columns):
            known = [key for key in known if key[2] != does]
    return known


_LEFT_OUT_FIRST = ("v", "l", "s", "w", "o")
"""Keys to leave out on narrow screens, in this order. The help lists them as well."""


def _too_wide(known: Sequence[KeyWord], columns: int) -> bool:
    return 1 + sum(width_of(keys) + width_of(words) + 1 + 2 for keys, words, _ in known) - 2 > columns


def cover(seat: int, state: State, people: Sequence[int], names: Names, pen: Pen) -> list[Text]:
    """Return the lines of the screen that hides all hands while the next person takes the keyboard."""
    name = names.seat(seat)
    done = [other for other in state.committed if other in people]
    order = []
    for other in people:
        word = "✓" if other in done else pen.say("cover.now" if other == seat else "cover.later")
        order.append(f"{pen.mark(other)} {names.seat(other)} {word}")
    lines = [joined(pen.accent(f"{pen.mark(seat)}   "), pen.bold(names.say("cover.pass", who=name))), pen.text()]
    if done:
        before = names.seat(done[-1])
        lines += [pen.plain(names.say("cover.chosen", who=before)), pen.muted(pen.say("cover.secret")), pen.text()]
    lines.append(joined(pen.focus("Enter"), pen.plain(f"   {names.say('cover.show', who=name)}")))
    if done:
        lines.append(joined(pen.focus("u"), pen.plain(f"   {names.say('cover.undo', who=names.seat(done[-1]))}")))
    return [*lines, pen.text(), pen.muted("      ".join(order))]
