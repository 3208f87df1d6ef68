"""Views: everything that one seat may know, and the only input of bots, clients and screens."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, cast

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api import groups
from draftengine.api import turns as flow
from draftengine.api.canonical import describe_seen
from draftengine.api.errors import checked_seat
from draftengine.api.moves import Moves, move_from, named, spelled
from draftengine.engine.moves import own_count
from draftengine.engine.public_state import PublicState
from draftengine.model.cardset.records import HAND

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from draftengine.api.game import Game
    from draftengine.api.groups import Given, Group, MoveGain
    from draftengine.api.moves import Move, Written
    from draftengine.engine.choose import Choice
    from draftengine.engine.events import Event
    from draftengine.engine.moves import Move as Codes
    from draftengine.engine.moves import Moves as LegalMoves
    from draftengine.engine.observe import Cards, Observation
    from draftengine.engine.observe import ZoneView as Zone
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState as Position


TABLE = -1
"""The number that stands for the table where a seat is expected."""


class SeatItem(Struct, frozen=True):
    """A marker, counter, die or chip in front of a seat or in the middle of the table."""

    kind: Literal["marker", "counter", "die", "chip"]
    thing: str
    """The id of the marker, counter or pile of chips."""
    value: int | None = None
    """The value of a counter, die or chip; ``None`` for a marker, or a chip that the seat cannot see."""
    on_cards: bool = False
    """True for a counter that cards add to. Screens that show the cards leave it out."""


class ChoiceInfo(Struct, frozen=True):
    """A choice that seats have to make: its step, source and target, and the number of cards."""

    step: str
    """The path of the step in the card set, by names: ``round.repeat.choose``."""
    cards: int
    """The number of cards that a seat takes for itself.

    The seat is the viewer or, in `State.asked`, the first that waits.
    """
    abilities: tuple[str, ...]
    """Abilities with which seats can take more cards now, if the ability's card lies in front of them."""
    offer: bool
    """True if the choice only offers the use of abilities, so that no seat has to take a card."""
    source: str
    """The id of the zone from which cards are taken; empty if there are several."""
    target: str
    """The id of the zone to which the cards go."""
    places: bool
    """True if seats choose places of a layout instead of cards."""

    @classmethod
    def of(cls, program: Program, choice: Choice, position: Position, seat: int) -> ChoiceInfo:
        """Return the information about a choice for a seat in a position."""
        return cls(
            step=choice.name,
            cards=own_count(position, choice, seat),
            abilities=tuple(program.abilities[index].model.id for index in choice.abilities),
            offer=choice.offer,
            source=program.zones[choice.source].id if len(choice.sources) == 1 else "",
            target=program.zones[choice.target].id,
            places=choice.layout,
        )


class Look(Struct, frozen=True):
    """The parts of a view that are computed only when someone reads them."""

    choice: Choice | None
    """The current choice; ``None`` if no seat has to choose."""
    seen: Callable[[], Observation]
    moves: Callable[[], LegalMoves]
    """The legal moves of the seat, without the rest of the observation."""
    events: Callable[[], tuple[Event, ...]]


class View:
    """Everything that one seat may know at one moment. Seat -1 is a spectator.

    No attribute leads back to the state, so nobody can find hidden cards through a view. Everything is computed when
    first read, because many bots only read their moves.
    """

    def __init__(self, game: Game, seat: int, look: Look) -> None:
        self.game = game
        self.seat = seat
        """The seat whose knowledge this is; -1 for a spectator."""
        self._look = look

    @classmethod
    def showing(cls, game: Game, seen: Observation, events: tuple[Event, ...] = ()) -> View:
        """Return the view of `seen`, the engine's observation for a seat, and of the events that led to it."""
        choice = cast("Choice", game.program.code[seen.decision]) if seen.pending else None
        return cls(game, seen.seat, Look(choice, lambda: seen, lambda: seen.moves, lambda: events))

    @cached_property
    def seen(self) -> Observation:
        """The engine's record of what the seat may know, for bots that search."""
        return self._look.seen()

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """Events since the previous state, with only what the seat may know of them."""
        return self._look.events()

    def __reduce__(self) -> tuple[Any, ...]:
        return _view_of, (self.game, replace(self.seen, program=cast("Program", None)), self.events)

    def __repr__(self) -> str:
        return f"<View of seat {self.seat} in {self.game.id}: round {self.round}, turn {self.turn}>"

    @property
    def round(self) -> int:
        """The number of the current round, from 1; 0 before the first."""
        return self.seen.round

    @cached_property
    def turn(self) -> int:
        """The turn of the round, from 1; 0 if turns cannot be counted.

        A turn is one pass through an outermost repeat. A choice outside of repeats is a separate turn.
        """
        return flow.turn_of(self.game.program, self._public, self.seen.turns, self.seen.decision)

    @cached_property
    def turns(self) -> int:
        """The number of turns in the round; 0 if it is not certain before the end of the round."""
        return flow.turns_of(self.seen) if self._choice else 0

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of all seats, without their chips."""
        return self.seen.scores

    @property
    def tableaus(self) -> tuple[tuple[str, ...], ...]:
        """For each seat, the names of its cards as they were played, oldest first."""
        return self.seen.tableaus

    def waiting_cards(self, seat: int) -> dict[str, int]:
        """Return the number of copies in front of a seat that can still change a card, by modifier card.

        Modifiers are used in the order of play, so those played last are the unused ones. Raises `NotInGameError` for a
        seat that does not exist.
        """
        return groups.waiting(self.game.program, self.seen.words[checked_seat(seat, self.game.seats)])

    def groups(self, seat: int) -> tuple[Group, ...]:
        """Return the cards in front of a seat, in groups of cards that one rule counts together.

        Raises `NotInGameError` for a seat that does not exist.
        """
        return groups.groups(self.seen, self._public, self._to_come, checked_seat(seat, self.game.seats))

    def standing(self, seat: int) -> int:
        """Return the points that a seat would gain beyond `scores` if the round were scored now.

        Chips are left out, and so are rules that are scored only after a later round. Raises `NotInGameError` for a
        seat that does not exist.
        """
        return sum(self.standing_by_rule(seat).values())

    def standing_by_rule(self, seat: int) -> dict[str, int]:
        """Return the points in `standing` by rule. Raises `NotInGameError` for a seat that does not exist."""
        return groups.standing(self._public, self._to_come, checked_seat(seat, self.game.seats))

    def brings(self, moves: Iterable[Written]) -> tuple[MoveGain, ...]:
        """Return what the seat would gain from each move if all rules were scored right after it.

        Moves may be incomplete. Raises `IllegalMove` for names that are not among the options.
        """
        codes = [self.codes(move_from(move)) for move in moves]
        return tuple(groups.brings(self.seen, self._public, self._given, codes))

    def pays(self, move: Move) -> tuple[tuple[str, int, str], ...]:
        """Return what the seat would pay for a move, as (counter, amount, neighbour who is paid, or empty).

        The move may be incomplete. Raises `IllegalMove` for names that are not among the options.
        """
        choice, codes = self._choice, self.codes(move)
        if choice is None or not choice.actions or not codes:
            return ()
        way, options = choice.taken_by(codes)
        state, effects = cast("Position", self._public), self.game.program.effects
        if options:
            state.formula_card = self.game.program.options[options[0]].plays[0][0]
        paid = {field.name: amount(state, self.seat) for field, amount in way.price}
        handed = []
        for distance, effect in way.handed:
            (change,) = effects[effect].amounts
            counter, amount = change.field.name, change.value(state, self.seat)
            paid[counter] -= amount
            handed.append((counter, amount, "left" if distance > 0 else "right"))
        every = (*((counter, amount, "") for counter, amount in paid.items()), *handed)
        return tuple(part for part in every if part[1] > 0)

    @cached_property
    def receiver(self) -> int | None:
        """The seat that gets the cards that this seat leaves; ``None`` if they stay or no seat chooses."""
        return flow.receiver(self.seen) if self._choice and self.seat >= 0 else None

    def counters(self, seat: int) -> dict[str, int]:
        """Return the counters of a seat by name. Raises `NotInGameError` for a seat that does not exist."""
        word = self.seen.words[checked_seat(seat, self.game.seats)]
        return {field.name: field.read(word) for field in self.game.program.fields}

    def belongings(self, seat: int) -> tuple[SeatItem, ...]:
        """Return the markers, counters, dice and chips of a seat (-1: of the table) that are worth showing.

        Turn markers, counters that nobody sees or that only record a bid, and counters that start at 0 and are still 0
        are left out. Raises `NotInGameError` for a seat that does not exist.
        """
        model, shared = self.game.model, seat == TABLE
        values = self.counters(0 if shared else seat)
        held = [marker for marker, holder in self.markers.items() if holder == seat and not shared]
        items = [SeatItem("marker", marker) for marker in held if marker not in self.game.turn_markers]
        on_cards = {name for card in model.cards for name, _ in card.adds}
        unseen = self.game.bids | self.game.helpers
        for counter in model.counters:
            value, of_table = values.get(counter.id), counter.per == "table"
            if value is None or of_table != shared or not (value or counter.start) or counter.id in unseen:
                continue
            kind: Literal["counter", "die"] = "counter" if counter.die is None else "die"
            items.append(SeatItem(kind, counter.id, value, on_cards=counter.id in on_cards and not counter.keep))
        chips = self.chips[seat] if 0 <= seat < len(self.chips) else ()
        return (*items, *(SeatItem("chip", pile, value) for pile, value in chips))

    @cached_property
    def zones(self) -> tuple[Zone, ...]:
        """Every zone except the tableaus, as the seat sees it, with one entry for each owner.

        If cards have ranks (`Game.ranks`), zones other than the hand are sorted by rank.
        """
        ranks = self.game.ranks

        def by_rank(zone: Zone) -> Zone:
            return replace(zone, cards=tuple(sorted(zone.cards, key=lambda lying: ranks.get(lying[0], 0))))

        return tuple(by_rank(zone) if ranks and zone.zone != HAND else zone for zone in self.seen.zones)

    def aim(self, way: str) -> Zone | None:
        """Return the open pile to which an action without cards, such as a bid, leads; ``None`` without one."""
        pile = self.game.aims.get(way)
        return next((zone for zone in self.zones if zone.zone == pile), None)

    @property
    def markers(self) -> dict[str, int]:
        """For each marker, the seat that holds it; -1 if no seat does."""
        return {marker.id: holder for marker, holder in zip(self.game.program.markers, self.seen.markers, strict=True)}

    @property
    def chips(self) -> tuple[tuple[tuple[str, int | None], ...], ...]:
        """The chips of each seat as (pile, value). Other seats' values are ``None`` until the game is over."""
        return self.seen.chips

    @property
    def asked(self) -> ChoiceInfo | None:
        """The choice that the waiting seats have to make; ``None`` if no seat has to choose."""
        choice = self._choice
        seat = max(0, self.seen.seat)
        return ChoiceInfo.of(self.game.program, choice, cast("Position", self._public), seat) if choice else None

    @property
    def stock(self) -> Cards:
        """The seat's own cards to choose from, as (name, copies); empty if seats choose from a shared zone."""
        return flow.stock(self.seen) if self._choice else ()

    @cached_property
    def _public(self) -> PublicState:
        return PublicState.of_observation(self.seen)

    @cached_property
    def _given(self) -> Given:
        return groups.given(self._public)

    @cached_property
    def _to_come(self) -> Given:
        """The points that scoring now would give, by rule and seat.

        They are 0 for rules that were already scored in this round.
        """
        done = flow.scored_already(self.game.program, self.seen.decision)
        return tuple((0,) * len(points) if rule in done else points for rule, points in enumerate(self._given))

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return bool(self.seen.winners)

    @property
    def _choice(self) -> Choice | None:
        return self._look.choice

    def name(self, codes: Codes) -> Move:
        """Return the move that the engine's codes stand for."""
        choice = self._choice
        assert choice is not None, "there are moves only while seats have to choose"
        return named(self.game.program, choice, codes)

    def codes(self, move: Move) -> Codes:
        """Return the engine codes of a move. Raises `IllegalMove` for names that are not among the options."""
        choice = self._choice
        assert choice is not None, "there are moves only while seats have to choose"
        return spelled(self.game.program, choice, move)

    @cached_property
    def moves(self) -> Moves:
        """The seat's legal moves; empty if the seat has nothing to choose."""
        return Moves(self.game.program, self._choice, self._look.moves())

    def next(self, chosen: Written = ()) -> tuple[Move, ...]:
        """Return the moves that extend `chosen` by one card (see `Moves.next`)."""
        return self.moves.next(chosen)

    @property
    def committed(self) -> Move | None:
        """The move that this seat has committed to while others still choose; ``None`` if there is none."""
        return None if self.seen.committed is None else self.name(self.seen.committed)

    @cached_property
    def observation(self) -> dict[str, Any]:
        """Everything that the seat may know, except its moves and events, by name and as plain data."""
        return describe_seen(self.seen)


def _view_of(game: Game, seen: Observation, events: tuple[Event, ...]) -> View:
    """Restore a pickled view. The rules are pickled only once, with the game."""
    return View.showing(game, replace(seen, program=game.program), events)
