"""A table as data, as one seat sees it: the terminal, the full screen and the browser draw this.

A *table view* has ids and numbers, but no words: each front end has its own language, signs and colours. A table view
is made from a `View` alone, so it cannot contain what the seat may not know. `TableView.to_json` returns it as plain
data for the browser. Data for just one front end, such as keys, are not part of it.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct, json
from msgspec.structs import replace

from draftengine.api.moves import move_from
from draftengine.api.records import DECK, DISCARD, HAND
from draftengine.api.view import TABLE
from draftengine.model.cardset.facts import all_steps
from draftengine.model.verbs.choose import ChooseStep

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from draftengine.api.game import Game
    from draftengine.api.groups import Group
    from draftengine.api.moves import Move, Written
    from draftengine.api.records import Event, Result, Zone
    from draftengine.api.view import ChoiceInfo, SeatItem, View
    from draftengine.model.rules.kind import Progress

Cards = tuple[tuple[str, int], ...]
"""Cards as (name, copies)."""
Decision = Literal["points", "tie_breakers", "wins", "unknown"]
"""The reason why the winners won; ``wins`` if they met the condition `wins` of the card set."""


class Place(Struct, frozen=True):
    """A card of a layout, at its place."""

    id: str
    face: str
    """The visible card or face; empty if the card lies face down."""
    open: bool
    """True if the card can be taken, because no other card covers it."""


class Layout(Struct, frozen=True):
    """A zone whose cards lie at places, such as a pyramid or a field."""

    zone: str
    rows: tuple[tuple[Place | None, ...], ...]
    """The places by row, from the top; ``None`` where no card lies any more."""


class SeatView(Struct, frozen=True, omit_defaults=True):
    """The visible things of a seat: points, cards, markers, and whether it has chosen."""

    points: int
    """The points so far. The values of chips are included only after the game."""
    standing: int
    """The points that the seat would gain if the round were scored now."""
    tableau: tuple[str, ...]
    """The cards in front of the seat, in the order of play."""
    groups: tuple[Group, ...]
    """The cards in front of the seat, in groups that one rule counts together, with the progress of each."""
    items: tuple[SeatItem, ...]
    """Markers, counters, dice and chips."""
    piles: tuple[Zone, ...]
    """The zones of the seat that have cards, except its hand."""
    chosen: bool | None = None
    """True if the seat has chosen; ``None`` if it does not have to choose."""
    laid: tuple[str, ...] = ()
    """The cards that the last reveal laid in front of the seat."""
    holds: int = 0
    """The number of cards in the seat's hand."""


class Option(Struct, frozen=True, omit_defaults=True):
    """One way to continue the cards chosen so far: one more card, or an action without a card."""

    move: Move
    """The cards chosen so far, and the card of this option."""
    card: str
    """The name of the card of this option."""
    whole: bool
    """True if `move` is legal as it is."""
    more: bool
    """True if `move` can be continued with another card."""
    points: int
    certain: int
    """The part of `points` that no other seat can take away."""
    chips: int
    progress: Progress | None
    """The progress of the seat, after the move, under the rule that counts the card; ``None`` without one."""
    uses: tuple[str, ...]
    """Names of the modifier cards that the move would use."""
    ability: str = ""
    """The ability that takes the card; empty if the seat takes it without an ability."""
    other: str = ""
    """The extra seat that gets the card; empty if the choosing seat gets it."""
    lies: str = ""
    """For an action without a card, the card that it can win, such as the prize of a bid; otherwise empty."""
    aim: str = ""
    """For an action without a card, the pile that it can win; otherwise empty."""
    pays: tuple[tuple[str, int, str], ...] = ()
    """The price as (counter, amount, neighbour); the neighbour is empty if nobody gets it."""
    place: str = ""
    """The zone that the card goes to, in games in which the seat chooses the zone; otherwise empty."""
    side: str = ""
    """The side of the card that is used, in games in which the seat chooses the side; otherwise empty."""


class Options(Struct, frozen=True):
    """The ways to continue the chosen cards to a complete move."""

    options: tuple[Option, ...]
    whole: bool
    """True if the chosen cards are already a legal move."""

    def to_json(self) -> dict[str, Any]:
        """Return plain data, with moves as `move_from` reads them."""
        data: dict[str, Any] = json.decode(json.encode(self))
        for option, plain in zip(self.options, data["options"], strict=True):
            plain["move"] = option.move.to_json()
        return data


class Coming(Struct, frozen=True, rename={"giver": "from"}):
    """A hand that will be passed on to the viewer's seat, with the cards that the seat knows."""

    giver: int
    turns: int
    """The number of turns until the seat gets the hand."""
    size: int
    cards: Cards
    """The known cards in the hand."""

    @property
    def known(self) -> int:
        """The number of known cards in the hand."""
        return sum(copies for _, copies in self.cards)


class End(Struct, frozen=True):
    """The result of a finished game."""

    ranking: tuple[tuple[int, ...], ...]
    """The seats by place, best first; seats that share a place are in one group."""
    rounds: tuple[tuple[int, ...], ...]
    """Points by round and seat, then the points that were scored after the last round."""
    decided_by: Decision
    """The reason why the winners won."""


class TableView(Struct, frozen=True, omit_defaults=True):
    """Everything that a screen shows of a table, as one seat sees it."""

    seat: int
    """The seat whose view it is; -1 for a spectator."""
    round: int
    rounds: int
    """The number of rounds; 0 if it is uncertain."""
    turn: int
    turns: int
    """The number of turns in the round; 0 if it is uncertain."""
    over: bool
    waiting: tuple[int, ...]
    """The seats that still have to choose."""
    receiver: int | None
    """The seat that gets this seat's hand after the choice; ``None`` if hands stay."""
    giver: int | None
    """The seat whose hand this seat gets after the choice; ``None`` if hands stay."""
    way: int
    """The direction in which hands go: 1 left, -1 right, 2 across, 0 none."""
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    seats: tuple[SeatView, ...]
    """The players' seats, then extra seats."""
    common: tuple[SeatItem, ...]
    """The counters that belong to the table."""
    piles: tuple[Zone, ...]
    """Zones of the table: those with cards and empty copies, but not the deck, discard pile and layouts."""
    layouts: tuple[Layout, ...]
    hand: Cards
    """The cards that the seat can choose from; if it does not choose, the cards in its hand."""
    coming: tuple[Coming, ...]
    """The hands that will be passed to this seat, in the order in which it gets them."""
    asked: ChoiceInfo | None = None
    """The choice that the waiting seats have to make; ``None`` if no seat waits."""
    options: Options | None = None
    """The ways for this seat to continue its move; ``None`` if the caller did not ask for them."""
    end: End | None = None
    passed: tuple[tuple[int, int, int], ...] = ()
    """The hands that were just passed on, as (from, to, number of cards)."""

    @classmethod
    def of(
        cls,
        view: View,
        *,
        chosen: Iterable[int] | None = None,
        picked: Written | None = None,
        news: Iterable[Event] | None = None,
        result: Result | None = None,
    ) -> TableView:
        """Return the table as a view shows it.

        `chosen` are the seats that have chosen already; without it, the table does not show who has chosen. `picked`
        are the cards that the seat has picked so far; without it, there are no options. `news` are the events since the
        screen was last drawn (by default, those since the last move), `result` is that of a finished game.
        """
        game, players = view.game, view.game.players
        receiver = view.receiver
        way = 0 if receiver is None else (receiver - view.seat) % players
        events = tuple(view.events if news is None else news)
        laid, done = newly_laid(events), set(chosen or ())
        waiting = tuple(seat for seat in view.seen.pending if seat not in done)
        asked = {*waiting, *done} if chosen is not None else set()
        scores = view.scores if result is None else result.scores
        copies = {copy for _, _, places in game.model.copied for copy, fewest in places.copies if fewest <= players}
        return cls(
            seat=view.seat,
            round=view.round,
            rounds=game.model.last_round,
            turn=view.turn,
            turns=view.turns,
            over=view.over,
            waiting=waiting,
            receiver=receiver,
            giver=None if receiver is None else (view.seat - way) % players,
            way=0 if not way else 2 if players == 2 else -1 if way == players - 1 else way,  # noqa: PLR2004 (a pair)
            scores=scores,
            winners=() if result is None else result.winners,
            seats=tuple(
                SeatView(
                    points=scores[seat],
                    standing=0 if view.over else view.standing(seat),
                    tableau=view.tableaus[seat],
                    groups=view.groups(seat),
                    items=view.belongings(seat),
                    piles=tuple(
                        _as_it_lies(zone)
                        for zone in view.zones
                        if zone.owner == seat and zone.zone != HAND and zone.size
                    ),
                    chosen=seat in done if seat in asked else None,
                    laid=tuple(laid.get(seat, Counter()).elements()),
                    holds=sum(zone.size for zone in view.zones if zone.owner == seat and zone.zone == HAND),
                )
                for seat in range(game.seats)
            ),
            common=view.belongings(TABLE),
            piles=tuple(
                _as_it_lies(zone)
                for zone in view.zones
                if zone.owner < 0
                and (zone.size or zone.zone in copies)
                and not zone.places
                and zone.zone not in {DECK, DISCARD, HAND}
            ),
            layouts=tuple(_layout(zone, game) for zone in view.zones if zone.places),
            hand=view.stock or hand_of(view),
            coming=tuple(_coming(view, way)),
            asked=view.asked,
            options=None if picked is None or not view.moves else options_after(view, picked),
            end=None if result is None else _end(result, game),
            passed=tuple((event.other, event.seat, event.count) for event in events if event.kind == "passed"),
        )

    def to_json(self) -> dict[str, Any]:
        """Return the table as plain data."""
        data: dict[str, Any] = json.decode(json.encode(self))
        if self.options is not None:
            data["options"] = self.options.to_json()
        return data


def options_after(view: View, picked: Written = ()) -> Options:
    """Return the ways to continue the picked cards with one more card, and the gain from each.

    Raises `IllegalMove` if a picked card is not among the options.
    """
    begun, moves = move_from(picked), view.next(picked)
    ways = _ways(view.game)
    options = []
    for move, gain in zip(moves, view.brings(moves), strict=True):
        last = move.taken[-1]
        pile = view.aim(last.card)
        options.append(
            Option(
                move=move,
                card=last.card,
                whole=move in view.moves,
                more=bool(view.next(move)),
                points=gain.points,
                certain=gain.certain,
                chips=gain.chips,
                progress=gain.progress,
                uses=gain.uses,
                ability=last.ability,
                other=last.other,
                aim="" if pile is None else pile.zone,
                lies=pile.cards[0][0] if pile is not None and len(pile.cards) == 1 else "",
                pays=view.pays(move),
                place=ways.get(last.card.rpartition("@")[2], ""),
            )
        )
    return Options(tuple(options), begun in view.moves)


def newly_laid(events: Iterable[Event]) -> dict[int, Counter[str]]:
    """Return the cards that the last reveal put in front of each seat, by seat."""
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


def _as_it_lies(zone: Zone) -> Zone:
    """Return a zone with its cards in order, if the order matters."""
    return replace(zone, cards=zone.lying)


def hand_of(view: View) -> Cards:
    """Return the cards in the viewer's own hand."""
    return next((zone.cards for zone in view.zones if zone.zone == HAND and zone.owner == view.seat), ())


def _layout(zone: Zone, game: Game) -> Layout:
    lying = {place: Place(place, face, takeable) for place, face, takeable in zone.places}
    declared = next(known.layout for known in game.model.zones if known.id == zone.zone)
    rows: dict[int, list[Place | None]] = {}
    for place in declared:
        match = _PLACE.fullmatch(place.id)
        rows.setdefault(int(match[1]) if match else 0, []).append(lying.get(place.id))
    return Layout(zone.zone, tuple(tuple(places) for _, places in sorted(rows.items())))


_PLACE = re.compile(r"r(\d+)c(\d+)")


def _coming(view: View, way: int) -> Iterator[Coming]:
    """Yield the hands that will be passed to the viewer's seat, in order, if it knows cards in them.

    `way` is the direction of passing. A hand whose last card others will take is left out.
    """
    hands = {zone.owner: zone for zone in view.zones if zone.zone == HAND}
    each = max(1, view.asked.cards) if view.asked is not None else 1
    for turns in range(1, view.game.players if way else 0):
        giver = (view.seat - way * turns) % view.game.players
        zone = hands.get(giver)
        if giver == view.seat or zone is None:
            return
        if zone.cards and zone.size > turns * each:
            yield Coming(giver, turns, zone.size, zone.cards)


@lru_cache(64)
def _ways(game: Game) -> Mapping[str, str]:
    """Return, by action, the zone that its cards go to."""
    choices = (step for step in all_steps(game.model) if isinstance(step, ChooseStep))
    return {way.id: way.to or "" for step in choices for way in step.as_ if way.id}


def decided_by(winners: Sequence[int], scores: Sequence[int], game: Game) -> Decision:
    """Return the reason why the winners won, judging by the points of all seats.

    In a game with `wins` and tie-breakers, either may have decided between seats with equal points. The result is then
    ``unknown``.
    """
    winner, wins = game.model.winner, game.model.wins
    rivals = [points for points, can_win in zip(scores, game.program.can_win, strict=False) if can_win]
    best = min(rivals) if winner.order == "fewest" else max(rivals)
    if any(scores[seat] != best for seat in winners):
        return "wins"
    if rivals.count(best) == len(winners):
        return "points"
    return "tie_breakers" if wins is None else "unknown" if winner.tie_breakers else "wins"


def _end(result: Result, game: Game) -> End:
    places: dict[tuple[bool, int], list[int]] = {}
    sign = 1 if game.model.winner.order == "fewest" else -1
    for seat, points in enumerate(result.scores):
        places.setdefault((seat not in result.winners, sign * points), []).append(seat)
    return End(
        tuple(tuple(seats) for _, seats in sorted(places.items())),
        result.rounds,
        decided_by(result.winners, result.scores, game),
    )
