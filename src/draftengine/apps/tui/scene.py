"""The table as the full screen draws it: a `TableView` with words, signs and keys.

A *sign* stands for a card: its picture, or letters.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain, count
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.labels import as_played, card_in
from draftengine.api.records import HAND
from draftengine.apps.play.table_view import TableView, options_after
from draftengine.model.cardset.facts import card_points
from draftengine.support.locale.catalogue import signed
from draftengine.support.text import initials

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from draftengine.api.groups import Group
    from draftengine.api.records import Event, Zone
    from draftengine.api.state import State
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.move_builder import MoveBuilder
    from draftengine.apps.play.table_view import Option


class Signs(Struct, frozen=True):
    """A group of cards in front of a seat, as signs, with its progress and points as text."""

    cards: tuple[tuple[str, bool], ...]
    """The sign of each card, and a flag for cards that were just laid down."""
    missing: int
    """The number of cards that are missing for a complete set."""
    label: str
    count: str
    """The progress in figures: ``2/3`` for two of three cards of a set, ``5`` for a number of cards."""
    rank: str
    """The places that the seat has in the ranking of the rule, abbreviated."""
    progress: str
    """The progress in figures, followed by the places in the ranking."""
    points: str
    """The points that the group gives now: ``6``; empty if there are none."""
    waits: str
    """The effect on the next card (``×3``) of modifiers that can still change a card; otherwise empty."""
    family: int

    @property
    def fresh(self) -> bool:
        """True if one of the cards was just laid down."""
        return any(fresh for _, fresh in self.cards)


class Seat(Struct, frozen=True):
    """A seat with the texts and signs with which it is drawn."""

    seat: int
    title: str
    points: int
    standing: int
    chosen: bool | None
    groups: tuple[Signs, ...]
    seat_items: tuple[tuple[str, str], ...]
    """Markers, counters, dice, chips and piles: the label of each, and the text that follows it."""
    own: bool
    """True for the seat of the person at this screen."""


class Card(Struct, frozen=True):
    """A card or place that the seat can choose, or a card in its hand."""

    item: str
    """The name that moves use; for a wild card, without its form."""
    face: str
    """The visible card: its name or its face."""
    sign: str
    label: str
    text: str
    family: int
    key: str = ""
    """The key that chooses the card; empty if it has none."""
    order: int = 0
    """The position among the chosen cards, from 1; 0 for a card that is not chosen."""
    open: bool = False
    """True if the card can be chosen now."""
    bars: int = 0
    """The adviser's rating of the card in bars; 0 if it is not shown."""
    points: int = 0
    effect: str = ""
    """A short text about what choosing the card brings: ``2/2``, ``on Bread``."""


class ComingHand(Struct, frozen=True):
    """A hand that will be passed on to the viewer's seat."""

    giver: str
    turns: int
    size: int
    cards: tuple[str, ...]
    """The signs of the known cards."""


class Scene(Struct, frozen=True):
    """A table with the words, signs and keys with which it is drawn."""

    table: TableView
    title: str
    seats: tuple[Seat, ...]
    """The other players' seats from the left neighbour on, then extra seats, then the viewer's seat."""
    hand_title: str
    hand: tuple[Card, ...]
    layout: tuple[tuple[tuple[str, Card | None], ...], ...]
    """The rows of a layout. Each place is a pair of a card's name and the card to choose, if it is free.

    The name is empty for a card that lies face down, and ``-`` if there is no card.
    """
    coming: tuple[ComingHand, ...]
    piles: tuple[str, ...]

    def settled(self, scores: Sequence[int]) -> Scene:
        """Return the table after a round, with final points, no choices, and no hands to come.

        The points shown with each group of cards are removed, because `scores` already contains them.
        """
        seats = tuple(
            replace(
                seat,
                points=scores[seat.seat],
                standing=0,
                chosen=None,
                groups=tuple(replace(group, points="") for group in seat.groups),
            )
            for seat in self.seats
        )
        table = replace(self.table, turn=0, turns=0, way=0, receiver=None, giver=None)
        return replace(self, table=table, seats=seats, hand=(), layout=(), coming=())


CARD_KEYS = "1234567890abcdefgijk"
"""The keys that choose cards, in order. The letter h is left out, because it asks for a hint."""


def key_of(number: int) -> str:
    """Return the key that chooses the card at an index; empty if there are no more keys."""
    return CARD_KEYS[number] if number < len(CARD_KEYS) else ""


class Observer:
    """Makes a `Scene` from each state of a game, for one screen."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.faces = Faces(names)
        self.catalogue = names.labels.speech.catalogue

    def scene(
        self,
        state: State,
        viewer: int,
        picking: MoveBuilder | None = None,
        fresh: Sequence[Event] | None = None,
        asked: Collection[int] = (),
        pressed: Sequence[int] = (),
        worth: Mapping[str, int] = MappingProxyType({}),
    ) -> Scene:
        """Return the table as a seat (-1: a spectator) sees it, with the cards that it has picked so far.

        `fresh` are the newest events, `asked` the seats that choose together. `pressed` are positions in the hand, the
        newest first: among equal cards, those at these positions are shown as chosen. `worth` is the adviser's rating
        in bars of each card that can be taken next.
        """
        view = state.view(viewer)
        waiting = set(state.waiting)
        table = TableView.of(
            view,
            chosen=[seat for seat in asked if seat not in waiting] if asked else None,
            picked=picking.taken if picking is not None else (),
            news=fresh,
            result=state.result if state.over else None,
        )
        best: dict[str, int] = {}
        for name, bars in worth.items():
            best[card_in(name)] = max(bars, best.get(card_in(name), 0))
        hand = self._hand(table, picking, pressed)
        cards = tuple(replace(card, bars=best.get(card_in(card.item), 0) if card.open else 0) for card in hand)
        if picking is not None and picking.without_cards:
            hand_title = self.names.say("hand.may")
        elif table.asked is None or table.asked.source in {HAND, ""}:
            hand_title = self.names.say("hand.yours")
        elif picking is None or table.asked.places:
            hand_title = self.names.label(table.asked.source).lower()
        else:
            hand_title = self.names.say("hand.from", zone=self.names.zone(table.asked.source))
        others = [(viewer + step) % view.game.players for step in range(1, view.game.players)]
        order = [*others, *range(view.game.players, view.game.seats), viewer] if viewer >= 0 else range(view.game.seats)
        return Scene(
            table=table,
            title=self.names.style.safe(self.names.labels.title),
            seats=tuple(self._seat(table, seat) for seat in order),
            hand_title=hand_title,
            hand=cards,
            layout=self._layout(table, cards),
            coming=tuple(
                ComingHand(self.names.seat(hand.giver), hand.turns, hand.size, tuple(self._signs(hand.cards)))
                for hand in table.coming
            ),
            piles=(
                *(
                    self._labelled(self.names.label(zone.zone), self._pile(zone))
                    for zone in table.piles
                    if zone.size and (picking is None or zone.zone != picking.asked.source)
                ),
                *(self._labelled(self.names.label(item.thing), str(item.value)) for item in table.common),
            ),
        )

    def _signs(self, cards: Iterable[tuple[str, int]]) -> Iterator[str]:
        return (self.faces.sign(name) for name, copies in cards for _ in range(copies))

    # ── seats ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _seat(self, table: TableView, seat: int) -> Seat:
        seen, label = table.seats[seat], self.names.label
        left = Counter(seen.laid)
        items: list[tuple[str, str]] = []
        chips: dict[str, list[str]] = {}
        for item in seen.items:  # counters are left out if cards show them
            if item.kind == "chip":
                chips.setdefault(item.thing, []).append("?" if item.value is None else str(item.value))
            elif not item.on_cards:
                items.append((label(item.thing), "" if item.value is None else f" {item.value}"))
        items += ((label(pile), f" {'+'.join(values)}") for pile, values in chips.items())
        items += ((label(zone.zone), self._labelled("", self._pile(zone))) for zone in seen.piles)
        return Seat(
            seat=seat,
            title=self.names.seat(seat),
            points=seen.points,
            standing=seen.standing,
            chosen=seen.chosen,
            groups=tuple(self._group(group, left, over=table.over) for group in seen.groups),
            seat_items=tuple(items),
            own=seat == table.seat,
        )

    def _group(self, group: Group, fresh: Counter[str], *, over: bool) -> Signs:
        """Return the signs of a group. Removes the group's cards from `fresh`, which counts the newest cards.

        Among equal cards, the last ones are marked as newest.
        """
        names, progress = self.names, group.progress
        signs: list[tuple[str, bool]] = []
        for name in reversed(group.cards):
            is_new = fresh[name] > 0
            fresh[name] -= is_new
            signs.append((self.faces.sign(name), is_new))
        points = ""
        open_place = progress is not None and progress.ranks
        if group.points and not group.later and not over and not open_place:
            is_chips = group.rule in names.game.chip_rules
            points = names.say("standing.chips.n", count=group.points) if is_chips else str(group.points)
        return Signs(
            cards=tuple(reversed(signs)),
            missing=progress.need - progress.have
            if progress is not None and 0 < progress.have < progress.need <= _LARGEST_SET
            else 0,
            label=names.reason(group.rule)
            if group.named
            else names.join_list([names.word(card) for card in dict.fromkeys(group.cards)]),
            count=progress.count if progress is not None else "",
            rank=progress.short(self.catalogue) if progress is not None else "",
            progress=progress.within(self.catalogue) if progress is not None else "",
            points=points,
            waits=group.change or ("open" if group.waits else ""),
            family=self.faces.family(group.cards[0]),
        )

    def _pile(self, zone: Zone) -> str:
        hidden = zone.size - sum(copies for _, copies in zone.cards)
        parts = [" ".join(self._signs(zone.cards)), self.names.say("lies.face_down", count=hidden) if hidden else ""]
        return self.names.join_list([part for part in parts if part])

    def _labelled(self, label: str, text: str) -> str:
        return self.names.say("lies.labelled", label=label, text=text)

    # ── what can be chosen ──────────────────────────────────────────────────────────────────────────────────────────

    def _hand(self, table: TableView, picking: MoveBuilder | None, pressed: Sequence[int]) -> Iterator[Card]:
        """Yield the cards of the hand, or other items to choose from, with their keys."""
        if picking is None:
            yield from (self._card(name, name) for name, copies in table.hand for _ in range(copies))
            return
        gains: dict[str, Option] = {}
        view, options = picking.view, table.options
        if options is not None and not options.options and picking.taken.taken:
            options = options_after(view)  # the move cannot take more cards: show the gains of a new one
        for option in options.options if options is not None else ():
            name = card_in(option.card)
            if name not in gains or option.points > gains[name].points:  # a wild card counts in its best form
                gains[name] = option
        taken = [pick.card for pick in picking.taken.taken]
        lying: dict[str, int] = {}
        number = 0
        if not picking.asked.places:
            zones = (zone.cards for zone in view.zones if zone.zone == picking.asked.source and zone.owner < 0)
            lying = dict(view.stock) or dict(next(zones, ()))
        for name, copies in lying.items():
            numbers = range(number, number + copies)
            number += copies
            newest = {position: index for index, position in enumerate(pressed)}
            ranked = sorted(numbers, key=lambda position: (-newest.get(position, -1), position))
            for position in numbers:
                yield self._choosable(name, name, position, taken, gains, ranked.index(position))
        for item in picking.items:  # places, or actions without a card: a bid, a pass
            if card_in(item.name) not in lying:
                pile = view.aim(item.name)
                prize = pile.cards[0][0] if pile is not None and len(pile.cards) == 1 else ""
                card = self._choosable(item.name, prize or item.card, number, taken, gains)
                yield replace(card, effect=self.names.word(item.card)) if prize else card
                number += 1

    def _card(self, name: str, face: str) -> Card:
        faces = self.faces
        return Card(name, face, faces.sign(face), self.names.word(face), faces.text(face), faces.family(face))

    def _choosable(
        self, name: str, face: str, number: int, taken: Sequence[str], gains: Mapping[str, Option], copy: int = 0
    ) -> Card:
        """Return a card to choose, with its key. Of equal cards, `copy` is this one's index.

        It is marked as chosen if `copy` is less than the number of chosen copies in `taken`.
        """
        places = [index for index, other in enumerate(taken, 1) if card_in(other) == name]
        order = places[copy] if copy < len(places) else 0
        gain = None if order else gains.get(name)
        effects = []
        if gain is not None:
            say = self.names.say
            effects += [say("because.chips", amount=f"{gain.chips:+d}", count=gain.chips)] if gain.chips else []
            effects += [say("lies.onto", card=self.names.word(used)) for used in gain.uses]
            effects += [self.names.pays(gain.pays)] if gain.pays else []
            progress = gain.progress.brief(self.catalogue) if gain.progress is not None and not effects else ""
            effects += [progress] if progress else []
            effects = effects or self.faces.worth(name)
        return replace(
            self._card(name, face),
            key=key_of(number),
            order=order,
            open=gain is not None,
            points=gain.certain if gain is not None else 0,
            effect=" ".join(effects),
        )

    def _layout(self, table: TableView, cards: Sequence[Card]) -> tuple[tuple[tuple[str, Card | None], ...], ...]:
        """Return the rows of the layout; empty while the seat chooses from another zone."""
        if not table.layouts or (table.asked is not None and not table.asked.places):
            return ()
        by_place = {card.item: card for card in cards}
        return tuple(
            tuple(
                ("-", None)
                if place is None
                else (f"{self.faces.sign(place.face)} {self.names.word(place.face)}".strip(), by_place.get(place.id))
                for place in row
            )
            for row in table.layouts[0].rows
        )


_LARGEST_SET = 4
"""The largest number of cards in a set whose missing cards are shown as empty squares."""


_DOTS = 3
"""The largest amount in a sign that is shown as dots. A larger one is shown as a number."""


class Faces:
    """Signs, texts and family numbers of a game's cards, in characters that the terminal has."""

    def __init__(self, names: Names) -> None:
        self.names = names
        model = names.game.model
        families = dict.fromkeys(card.family[0] if card.family else card.id for card in model.cards)
        numbers = {family: number for number, family in enumerate(families)}
        self._families = {card.id: numbers[card.family[0] if card.family else card.id] for card in model.cards}
        self._families |= {card.face: self._families[card.id] for card in model.cards if card.face is not None}
        self._texts = {card.id: names.style.safe(names.things.card(card).plain) for card in model.cards}
        self._texts |= {card.face: self._texts[card.id] for card in model.cards if card.face is not None}
        _, self._worth = card_points(model) or (None, {})
        self._signs: dict[str, str] = {}
        known = [(card.id, names.word(card.id), dict(card.adds)) for card in model.cards]
        known += [(card.face, names.word(card.face), {}) for card in model.cards if card.face is not None]
        pictures = {name: names.style.icon(names.labels.icon(name)).strip() for name, _, _ in known}
        shared = Counter(pictures[name] for name in dict.fromkeys(name for name, _, _ in known))
        for name, label, adds in known:
            picture = pictures[name]
            if picture and shared[picture] == 1:
                self._signs[name] = picture
                continue
            alike = [(other, also) for one, other, also in known if pictures[one] == picture]
            first = []
            if picture:  # a number of dots, a number or initials tell it from the others with the picture
                counters = {counter for _, also in alike for counter in also}
                amounts = {tuple(also.values()) for _, also in alike}
                if all(also for _, also in alike) and len(counters) == 1 and len(amounts) == len(alike):
                    amount = sum(adds.values())
                    first = ["⋮" * amount if amount <= _DOTS else str(amount)]
                else:
                    first = [initials(label, [other for other, _ in alike])]
            free = (f"{picture}{more}" for more in chain(first, _letters(label)))
            self._signs[name] = next(sign for sign in free if sign not in self._signs.values())

    def sign(self, name: str) -> str:
        """Return a card's sign: its picture, and letters or dots if other cards have the same picture.

        A card without a picture has letters. A card in a form also shows the sign of the form.
        """
        card, _, form = as_played(name).partition("@")
        if form:
            return f"{self._signs.get(card, card[:2])}{self._signs.get(form, form[:2])}"
        return self._signs.get(card, "")  # an action without a card has no sign

    def family(self, name: str) -> int:
        """Return the number of a card's family, which selects its colour and edge."""
        return self._families.get(card_in(name), 0)

    def worth(self, name: str) -> list[str]:
        """Return the points that a card scores by itself, as ``→3``; empty if they depend on other cards."""
        return [f"→{signed(self._worth[name])}"] if name in self._worth else []

    def text(self, name: str) -> str:
        """Return the text about a card's rules."""
        return self._texts.get(card_in(name), "")


def _letters(label: str) -> Iterator[str]:
    """Yield short letter codes for a label, the most natural first, without end."""
    words = ["".join(char for char in word if char.isalnum()) for word in label.split()]
    first, *others = [word for word in words if word] or ["?"]
    number = "".join(char for char in label if char.isdecimal())
    if number:
        yield first[:1] + number[:2]
    yield from (first[:1] + word[:1].lower() for word in others[-1:])
    yield first[:2]
    yield from (first[:1] + char.lower() for word in (*others, first) for char in word[1:])
    yield from (f"{first[:1]}{index}" for index in count(1))
