"""What is on the table for one pair of eyes: a seat's view put into the words and signs that the screen shows.

Everything that is drawn is drawn from a `TableView`, and a scene is made from a view and from what lies open to all.
Nothing here depends on the size of the screen.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.belongings import TABLE
from draftengine.api.labels import card_in
from draftengine.api.records import DECK, DISCARD, HAND
from draftengine.apps.play.card_glyphs import Faces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from draftengine.api.groups import Group, MoveGain
    from draftengine.api.records import Event, Zone
    from draftengine.api.state import State
    from draftengine.api.view import View
    from draftengine.apps.play.labels import Names
    from draftengine.apps.play.move_builder import Item, MoveBuilder


class Signs(Struct, frozen=True):
    """Cards of a seat that belong together."""

    cards: tuple[tuple[str, bool], ...]
    """What stands for each card, and whether it was laid down just now."""
    missing: int
    """How many more cards would make the set whole."""
    label: str
    count: str
    """How far they are in figures: ``2/3``, ``5``."""
    rank: str
    """The places that they have, in short."""
    progress: str
    """How far they are, with the places that they have."""
    points: str
    """What they are worth now: ``→6``; empty if nothing, or only later on."""
    waits: str
    """What they will make of the next card, if they wait for it: ``×3``."""
    family: int

    @property
    def fresh(self) -> bool:
        """Was one of them laid down just now."""
        return any(fresh for _, fresh in self.cards)


class Seat(Struct, frozen=True):
    """What is to be seen of a seat."""

    seat: int
    title: str
    points: int
    standing: int
    """What it would get beyond its points if the round were scored now."""
    chosen: bool | None
    """Has it chosen; ``None`` if it is not asked."""
    groups: tuple[Signs, ...]
    seat_items: tuple[str, ...]
    own: bool
    """Does this seat look at the screen."""


class Card(Struct, frozen=True):
    """A card or a place that can be chosen, or lies in the hand."""

    item: str
    """What moves call it; without the form, for a wild card."""
    face: str
    """The card that is seen there: its name, or what it looks like."""
    key: str
    """The key that chooses it; empty if it has none."""
    sign: str
    label: str
    text: str
    family: int
    order: int
    """Which of the chosen cards it is, from 1; 0 if it is not chosen."""
    open: bool
    """Can it be chosen now."""
    points: int
    effect: str
    """What it would bring, in short: ``2/2``, ``on Bread``."""


class Coming(Struct, frozen=True):
    """A hand that will come, as far as it is known."""

    giver: str
    turns: int
    size: int
    cards: tuple[str, ...]
    known: int


class TableView(Struct, frozen=True):
    """Everything that the table shows."""

    title: str
    round: int
    rounds: int
    turn: int
    turns: int
    """How many turns the round has; 0 if that is not certain."""
    way: int
    """Where the cards go: 1 to the left, -1 to the right, 2 across, 0 nowhere."""
    receiver: int
    giver: int
    seats: tuple[Seat, ...]
    hand_title: str
    hand: tuple[Card, ...]
    layout: tuple[tuple[tuple[str, Card | None], ...], ...]
    """The rows of a layout: for each place its face (empty: face down; ``-``: nothing lies there) and its card."""
    coming: tuple[Coming, ...]
    piles: tuple[str, ...]
    viewer: int


class Observer:
    """Makes scenes for one screen; remembers what it has to in between."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.faces = Faces(names)
        self.catalogue = names.labels.speech.catalogue

    def scene(
        self,
        state: State,
        viewer: int,
        picking: MoveBuilder | None = None,
        fresh: Mapping[int, Counter[str]] | None = None,
        asked: Iterable[int] = (),
        pressed: Sequence[int] = (),
    ) -> TableView:
        """What a seat (-1: nobody in particular) is shown, with what it has picked so far.

        `fresh` are the cards laid down just now, `asked` the seats that choose together. Of equal cards those are shown
        as chosen whose places in the hand are in `pressed`, the newest first.
        """
        view = state.view(viewer)
        game, names = view.game, self.names
        receiver = view.receiver
        way = 0 if receiver is None else (receiver - viewer) % game.players
        order = self._order(view)
        cards = tuple(self._hand(view, picking, pressed))
        return TableView(
            title=names.style.safe(names.labels.title),
            round=view.round,
            rounds=game.model.rounds,
            turn=view.turn,
            turns=view.turns,
            way=2 if game.players == 2 and way else -1 if way == game.players - 1 else way,  # noqa: PLR2004 (a pair swaps)
            receiver=-1 if receiver is None else receiver,
            giver=-1 if receiver is None else (viewer - way) % game.players,
            seats=tuple(self._seat(state, view, seat, (fresh or {}).get(seat, Counter()), asked) for seat in order),
            hand_title=self._hand_title(view, picking),
            hand=cards,
            layout=self._layout(view, cards),
            coming=tuple(self._coming(view)),
            piles=tuple(self._piles(view)),
            viewer=viewer,
        )

    def _order(self, view: View) -> list[int]:
        """The others from the left neighbour on, then extra seats, and the own seat below, where the hand is."""
        players, extra = view.game.players, list(range(view.game.players, view.game.seats))
        if view.seat < 0:
            return [*range(players), *extra]
        return [*((view.seat + step) % players for step in range(1, players)), *extra, view.seat]

    # ── seats ───────────────────────────────────────────────────────────────────────────────────────────────────────

    def _seat(self, state: State, view: View, seat: int, fresh: Counter[str], asked: Iterable[int]) -> Seat:
        left = Counter(fresh)
        return Seat(
            seat=seat,
            title=self.names.seat(seat),
            points=known_points(state)[seat],
            standing=0 if view.over else view.standing(seat),
            chosen=seat not in state.waiting if seat in asked else None,
            groups=tuple(self._signs(view, group, left) for group in view.groups(seat)),
            seat_items=tuple(self._belongings(view, seat)),
            own=seat == view.seat,
        )

    def _signs(self, view: View, group: Group, fresh: Counter[str]) -> Signs:
        """The newest cards of a group are those that were laid down just now."""
        signs: list[tuple[str, bool]] = []
        for name in reversed(group.cards):
            is_new = fresh[name] > 0
            fresh[name] -= is_new
            signs.append((self.faces.sign(name), is_new))
        progress = group.progress
        return Signs(
            cards=tuple(reversed(signs)),
            missing=_missing(group),
            label=self.names.reason(group.rule)
            if group.named
            else self.names.join_list([self.names.word(card) for card in dict.fromkeys(group.cards)]),
            count=progress.count if progress is not None else "",
            rank=progress.short(self.catalogue) if progress is not None else "",
            progress=progress.within(self.catalogue) if progress is not None else "",
            points=self._worth(view, group),
            waits=group.change or ("open" if group.waits else ""),
            family=self.faces.family(group.cards[0]),
        )

    def _worth(self, view: View, group: Group) -> str:
        if not group.points or group.later or view.over:
            return ""
        is_chips = group.rule in view.game.chip_rules
        return self.names.say("standing.chips.n", count=group.points) if is_chips else str(group.points)

    # ── what can be chosen ──────────────────────────────────────────────────────────────────────────────────────────

    def _hand_title(self, view: View, picking: MoveBuilder | None) -> str:
        if picking is not None and picking.without_cards:
            return self.names.say("hand.may")
        if view.asked is None or view.asked.source == HAND:
            return self.names.say("hand.yours")
        if picking is None or view.asked.places:
            return self.names.label(view.asked.source).lower()
        return self.names.say("hand.from", zone=self.names.zone(view.asked.source))

    def _hand(self, view: View, picking: MoveBuilder | None, pressed: Sequence[int]) -> Iterator[Card]:
        if picking is None:
            yield from (self._lying(name) for name, copies in _own_hand(view) for _ in range(copies))
            return
        taken = [pick.card for pick in picking.taken.taken]
        brought = self._brought(picking)
        number = 0
        if picking.asked.places:
            for item in picking.items:
                key = faces_key(number)
                number += 1
                yield self._choosable(item.name, item.card, key, taken, 0, brought)
            return
        lying = dict(view.stock) or _shared(view, picking.asked.source)
        for name, copies in lying.items():
            numbers = range(number, number + copies)
            number += copies
            newest = {position: index for index, position in enumerate(pressed)}
            ranked = sorted(numbers, key=lambda position: (-newest.get(position, -1), position))
            for position in numbers:
                yield self._choosable(name, name, faces_key(position), taken, ranked.index(position), brought)
        for item in picking.items:  # ways in which no card goes: a bid, a pass
            if card_in(item.name) not in lying:
                yield self._way(view, item, faces_key(number), taken, brought)
                number += 1

    def _way(self, view: View, item: Item, key: str, taken: Sequence[str], brought: Mapping[str, MoveGain]) -> Card:
        """A way in which no card goes; if it is about an open pile, with the card that lies there."""
        pile = view.aim(item.name)
        if pile is None or len(pile.cards) != 1:
            return self._choosable(item.name, item.card, key, taken, 0, brought)
        card = self._choosable(item.name, pile.cards[0][0], key, taken, 0, brought)
        return replace(card, effect=self.names.word(item.card))

    def _lying(self, name: str) -> Card:
        faces = self.faces
        return Card(
            item=name,
            face=name,
            key="",
            sign=faces.sign(name),
            label=self.names.word(name),
            text=faces.text(name),
            family=faces.family(name),
            order=0,
            open=False,
            points=0,
            effect="",
        )

    def _choosable(
        self, name: str, face: str, key: str, taken: Sequence[str], copy: int, brought: Mapping[str, MoveGain]
    ) -> Card:
        places = [index for index, other in enumerate(taken, 1) if card_in(other) == name]
        order = places[copy] if copy < len(places) else 0
        gain = brought.get(name)
        faces = self.faces
        return Card(
            item=name,
            face=face,
            key=key,
            sign=faces.sign(face),
            label=self.names.word(face),
            text=faces.text(face),
            family=faces.family(face),
            order=order,
            open=gain is not None and not order,
            points=gain.points if gain and not order else 0,
            effect=self._effect(gain) if gain and not order else "",
        )

    def _brought(self, picking: MoveBuilder) -> dict[str, MoveGain]:
        """What each card would bring that can be taken next; of the forms of a wild card the best."""
        moves = picking.following
        best: dict[str, MoveGain] = {}
        for move, gain in zip(moves, picking.view.brings(moves), strict=True):
            name = card_in(move.taken[-1].card)
            if name not in best or gain.points > best[name].points:
                best[name] = gain
        if not moves and picking.taken.taken:
            return self._others(picking)
        return best

    def _others(self, picking: MoveBuilder) -> dict[str, MoveGain]:
        """All is chosen: what the other cards would bring in its place."""
        start = type(picking)(picking.view, picking.items)
        return self._brought(start) if start.following else {}

    def _effect(self, gain: MoveGain) -> str:
        parts = [self.names.say("because.chips", amount=f"{gain.chips:+d}", count=gain.chips)] if gain.chips else []
        parts += [self.names.say("lies.onto", card=self.names.word(name)) for name in gain.uses]
        progress = gain.progress.brief(self.catalogue) if gain.progress is not None else ""
        if progress and not gain.uses and not gain.chips:
            parts.append(progress)
        return " ".join(parts)

    def _layout(self, view: View, cards: Sequence[Card]) -> tuple[tuple[tuple[str, Card | None], ...], ...]:
        """The layout, unless the seat is asked for cards of another zone, such as its hand: then those stand there."""
        zone = next((zone for zone in view.zones if zone.places), None)
        if zone is None or (view.asked is not None and not view.asked.places):
            return ()
        by_place = {card.item: card for card in cards}
        lying = {place: face for place, face, _ in zone.places}
        rows: dict[str, list[tuple[str, Card | None]]] = {}
        places = next(declared.layout for declared in view.game.model.zones if declared.id == zone.zone)
        for place in places:
            face = self.faces.sign(lying[place.id]) if lying.get(place.id) else "" if place.id in lying else "-"
            rows.setdefault(place.id.partition("c")[0], []).append((face, by_place.get(place.id)))
        return tuple(map(tuple, rows.values()))

    # ── what else lies there ────────────────────────────────────────────────────────────────────────────────────────

    def _coming(self, view: View) -> Iterator[Coming]:
        """The hands that will come, the next first, as far as the seat knows them."""
        if view.receiver is None or view.seat < 0:
            return
        players = view.game.players
        way = (view.receiver - view.seat) % players
        hands = {zone.owner: zone for zone in view.zones if zone.zone == HAND}
        for turns in range(1, players):
            giver = (view.seat - way * turns) % players
            zone = hands.get(giver)
            if giver == view.seat or zone is None:
                return
            if zone.cards:
                signs = tuple(self.faces.sign(name) for name, copies in zone.cards for _ in range(copies))
                yield Coming(self.names.seat(giver), turns, zone.size, signs, len(signs))

    def _piles(self, view: View) -> Iterator[str]:
        for zone in view.zones:
            if zone.size and not zone.places and zone.owner < 0 and zone.zone not in {DECK, DISCARD, HAND}:
                yield self._pile(zone)
        yield from (f"{self.names.label(belonging.thing)}: {belonging.value}" for belonging in view.belongings(TABLE))

    def _belongings(self, view: View, seat: int) -> Iterator[str]:
        """Markers, counters that no card shows, dice, chips and what lies aside, of one seat."""
        label = self.names.label
        for belonging in view.belongings(seat):
            if belonging.kind != "chip" and not belonging.on_cards:
                yield (
                    label(belonging.thing) if belonging.value is None else f"{label(belonging.thing)} {belonging.value}"
                )
        for pile in dict.fromkeys(pile for pile, _ in view.chips[seat]):
            values = ["?" if value is None else str(value) for name, value in view.chips[seat] if name == pile]
            yield f"{label(pile)} {'+'.join(values)}"
        yield from (self._pile(zone) for zone in view.zones if zone.owner == seat and zone.zone != HAND and zone.size)

    def _pile(self, zone: Zone) -> str:
        cards = " ".join(self.faces.sign(name) for name, copies in zone.cards for _ in range(copies))
        hidden = zone.size - sum(copies for _, copies in zone.cards)
        parts = [cards, self.names.say("lies.face_down", count=hidden) if hidden else ""]
        return f"{self.names.label(zone.zone)}: {self.names.join_list([part for part in parts if part])}"


CARD_KEYS = "1234567890abcdefgijk"
"""Keys of cards in their order; h asks for a hint."""


def faces_key(number: int) -> str:
    """The key of the card at this place; empty behind the last key."""
    return CARD_KEYS[number] if number < len(CARD_KEYS) else ""


def known_points(state: State) -> Sequence[int]:
    """The points of each seat as everybody knows them: the values of chips once the game is over."""
    return state.totals if state.over else state.points


def settled(scene: TableView, scores: Sequence[int]) -> TableView:
    """A round that is over, with the points that it brought: nobody chooses any more, and nothing is still to come.

    What groups give is among the points already.
    """
    seats = tuple(
        replace(
            seat,
            points=scores[seat.seat],
            standing=0,
            chosen=None,
            groups=tuple(replace(group, points="") for group in seat.groups),
        )
        for seat in scene.seats
    )
    return replace(scene, seats=seats, turn=0, turns=0, way=0, receiver=-1, hand=(), layout=(), coming=())


def newly_laid(events: Iterable[Event]) -> dict[int, Counter[str]]:
    """The cards that the last reveal among events laid before each seat."""
    laid: dict[int, Counter[str]] = {}
    last = ""
    for event in events:
        if event.kind == "revealed":
            if last != "revealed":
                laid = {}
            laid.setdefault(event.seat, Counter()).update(event.cards)
        if event.kind in {"revealed", "turn-started", "round-started", "passed"}:
            last = event.kind
    return laid


def _missing(group: Group) -> int:
    """How many cards a group lacks to be a set; 0 if that cannot be said, or the set is too large to be shown."""
    progress = group.progress
    if progress is None or not 0 < progress.have < progress.need <= _LARGEST_SET:
        return 0
    return progress.need - progress.have


_LARGEST_SET = 4


def _own_hand(view: View) -> tuple[tuple[str, int], ...]:
    return next((zone.cards for zone in view.zones if zone.zone == HAND and zone.owner == view.seat), ())


def _shared(view: View, source: str) -> dict[str, int]:
    """The cards of a shared zone that are chosen from."""
    return dict(next((zone.cards for zone in view.zones if zone.zone == source and zone.owner < 0), ()))
