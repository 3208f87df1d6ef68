"""The table as one seat sees it, in the words and signs that screens show.

Front ends draw from a `TableView` alone. It is made from a view and from what is public, and does not depend on the
size of the screen.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.labels import card_in
from draftengine.api.records import DECK, DISCARD, HAND
from draftengine.api.view import TABLE
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
    """The sign of each card, and whether it was just laid down."""
    missing: int
    """The number of cards that the set still lacks."""
    label: str
    count: str
    """The progress as figures: ``2/3``, ``5``."""
    rank: str
    """The seat's places in the ranking, in short."""
    progress: str
    """The progress with the places in the ranking."""
    points: str
    """The current worth: ``6``; empty if there is none yet."""
    waits: str
    """The effect on the next card, if the group waits for one: ``×3``."""
    family: int

    @property
    def fresh(self) -> bool:
        """True if one of the cards was just laid down."""
        return any(fresh for _, fresh in self.cards)


class Seat(Struct, frozen=True):
    """Everything that is visible of a seat."""

    seat: int
    title: str
    points: int
    standing: int
    """The points that the seat would gain if the round were scored now."""
    chosen: bool | None
    """True if the seat has chosen; ``None`` if it is not asked."""
    groups: tuple[Signs, ...]
    seat_items: tuple[str, ...]
    own: bool
    """True for the seat whose screen it is."""


class Card(Struct, frozen=True):
    """Card or place that can be chosen or lies in the hand."""

    item: str
    """The name in moves; for a wild card, without its form."""
    face: str
    """The visible card: its name or its face."""
    key: str
    """The key that chooses it; empty if it has none."""
    sign: str
    label: str
    text: str
    family: int
    order: int
    """The position among the chosen cards, from 1; 0 if it is not chosen."""
    open: bool
    """True if it can be chosen now."""
    points: int
    effect: str
    """The gain of choosing it, in short: ``2/2``, ``on Bread``."""


class Coming(Struct, frozen=True):
    """Hand that will be passed on to this seat, as far as it is known."""

    giver: str
    turns: int
    size: int
    cards: tuple[str, ...]
    known: int


class TableView(Struct, frozen=True):
    """All that a screen shows of the table."""

    title: str
    round: int
    rounds: int
    turn: int
    turns: int
    """The number of turns in the round; 0 if it is not certain."""
    way: int
    """The direction of passing: 1 left, -1 right, 2 across, 0 none."""
    receiver: int
    giver: int
    seats: tuple[Seat, ...]
    hand_title: str
    hand: tuple[Card, ...]
    layout: tuple[tuple[tuple[str, Card | None], ...], ...]
    """The rows of a layout: for each place the sign (empty: face down; ``-``: empty place) and the card."""
    coming: tuple[Coming, ...]
    piles: tuple[str, ...]
    viewer: int


class Observer:
    """Makes the `TableView`s for one screen."""

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
        """Return what a seat (-1: a spectator) sees, with the cards that it has picked so far.

        `fresh` are the cards just laid down by seat, `asked` the seats that choose together. Among equal cards, those
        at the hand places in `pressed` are shown as chosen, the newest first.
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
        """Return the seats in display order: others from the left neighbour on, extra seats, then one's own."""
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
        """Return a group's signs; of equal cards, the newest count as just laid down. Updates `fresh`."""
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
        for item in picking.items:  # actions without a card: a bid, a pass
            if card_in(item.name) not in lying:
                yield self._way(view, item, faces_key(number), taken, brought)
                number += 1

    def _way(self, view: View, item: Item, key: str, taken: Sequence[str], brought: Mapping[str, MoveGain]) -> Card:
        """Return an action without a card; a bid for a single card shows that card."""
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
        """Return the gain of each card that can be taken next; for a wild card, that of its best form."""
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
        """Return the gains of the first cards of a new move, for when nothing more can be taken."""
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
        """Return the rows of the layout; empty while the seat chooses from another zone."""
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
        """Yield the hands that will be passed to this seat, the next first, as far as it knows them."""
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
        """Yield a seat's markers, counters that no card shows, dice, chips, and zones other than the hand."""
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
"""The keys of cards in order; h is left out, as it asks for a hint."""


def faces_key(number: int) -> str:
    """Return the key for the card at a position; empty if there are no more keys."""
    return CARD_KEYS[number] if number < len(CARD_KEYS) else ""


def known_points(state: State) -> Sequence[int]:
    """Return the points of each seat; the values of chips count only after the game."""
    return state.totals if state.over else state.points


def settled(scene: TableView, scores: Sequence[int]) -> TableView:
    """Return the table after a round, with its final points: no choices, and nothing left to come.

    The worth of groups is removed, since the points contain it.
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
    """Return the cards that the last reveal laid before each seat."""
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
    """Return the number of cards that a group lacks; 0 if unknown or if the set is too large to show."""
    progress = group.progress
    if progress is None or not 0 < progress.have < progress.need <= _LARGEST_SET:
        return 0
    return progress.need - progress.have


_LARGEST_SET = 4


def _own_hand(view: View) -> tuple[tuple[str, int], ...]:
    return next((zone.cards for zone in view.zones if zone.zone == HAND and zone.owner == view.seat), ())


def _shared(view: View, source: str) -> dict[str, int]:
    """Return the cards of a shared zone and their numbers."""
    return dict(next((zone.cards for zone in view.zones if zone.zone == source and zone.owner < 0), ()))
