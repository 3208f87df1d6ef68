"""What one seat may know: all that a bot, a client or a person at a screen is ever given."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api import belongings, groups
from draftengine.api import turns as flow
from draftengine.api.arguments import checked_seat
from draftengine.api.canonical import describe_seen
from draftengine.api.moves import Moves, move_from, named, spelled
from draftengine.engine.public_state import PublicState
from draftengine.model.cardset.records import HAND

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from draftengine.api.belongings import SeatItem
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


class ChoiceInfo(Struct, frozen=True):
    """What the seats that wait are asked for."""

    step: str
    """The path of the step in the card set, by names: ``round.repeat.choose``."""
    cards: int
    """How many cards a seat takes for itself: the one that looks, or the first that waits."""
    abilities: tuple[str, ...]
    """The abilities by which more can be taken, for seats that have their cards before them."""
    offer: bool
    """Nobody has to take anything: seats may only use abilities."""
    source: str
    """The zone that cards are taken from."""
    target: str
    """The zone that they go to."""
    places: bool
    """Are places of a layout chosen, instead of cards."""

    @classmethod
    def of(cls, program: Program, choice: Choice, position: Position, seat: int) -> ChoiceInfo:
        """What a choice asks a seat for as things stand."""
        return cls(
            step=choice.name,
            cards=choice.count(position, seat),
            abilities=tuple(program.abilities[index].model.id for index in choice.abilities),
            offer=choice.offer,
            source=program.zones[choice.source].id,
            target=program.zones[choice.target].id,
            places=choice.layout,
        )


class Look(Struct, frozen=True):
    """What a view shows, as functions that work it out.

    They are closures: no attribute of a view leads back to the state, where hidden cards lie.
    """

    choice: Choice | None
    """``None`` if nobody has to choose."""
    seen: Callable[[], Observation]
    moves: Callable[[], LegalMoves]
    """The legal moves of the seat, without the rest of the observation."""
    events: Callable[[], tuple[Event, ...]]


class View:
    """What a seat may know at a moment, and nothing else. Seat -1 is a spectator.

    No attribute of it leads back to the state: what is not shown cannot be found out. What it shows is worked out when
    it is first asked for, because many bots ask for nothing but their moves.
    """

    def __init__(self, game: Game, seat: int, look: Look) -> None:
        self.game = game
        self.seat = seat
        """The seat that sees this; -1 = a spectator."""
        self._look = look

    @classmethod
    def showing(cls, game: Game, seen: Observation, events: tuple[Event, ...] = ()) -> View:
        """Return the view that shows an observation and events."""
        choice = cast("Choice", game.program.code[seen.decision]) if seen.pending else None
        return cls(game, seen.seat, Look(choice, lambda: seen, lambda: seen.moves, lambda: events))

    @cached_property
    def seen(self) -> Observation:
        """The observation as the engine keeps it: for bots that look ahead."""
        return self._look.seen()

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What the seat learned since the state before."""
        return self._look.events()

    def __reduce__(self) -> tuple[Any, ...]:
        return _view_of, (self.game, replace(self.seen, program=cast("Program", None)), self.events)

    def __repr__(self) -> str:
        return f"<View of seat {self.seat} in {self.game.id}: round {self.round}, turn {self.turn}>"

    @property
    def round(self) -> int:
        """The round, from 1; 0 before the first."""
        return self.seen.round

    @cached_property
    def turn(self) -> int:
        """The turn of the round, from 1; 0 if the round has no turns that can be counted.

        A turn is one pass of a repetition that is in no other. Choices outside of repetitions are turns of their own.
        """
        return flow.turn_of(self.game.program, self._public, self.seen.turns, self.seen.decision)

    @cached_property
    def turns(self) -> int:
        """How many turns the round has; 0 if that is not certain before it is over."""
        return flow.turns_of(self.seen) if self._choice else 0

    @property
    def scores(self) -> tuple[int, ...]:
        """The points of all seats, without their chips."""
        return self.seen.scores

    @property
    def tableaus(self) -> tuple[tuple[str, ...], ...]:
        """The cards in front of every seat, in order of play."""
        return self.seen.tableaus

    def waiting_cards(self, seat: int) -> dict[str, int]:
        """How many cards of each modifier in front of a seat still wait for the card that they will change.

        They are used in the order in which they were played, so it is the last ones that wait. Raises `NotInGameError`
        for a seat that nobody sits at.
        """
        return groups.waiting(self.game.program, self.seen.words[checked_seat(seat, self.game.seats)])

    def groups(self, seat: int) -> tuple[Group, ...]:
        """What lies before a seat, in the groups that the rules make of it, and how far it has come with each.

        Raises `NotInGameError` for a seat that nobody sits at.
        """
        return groups.groups(self.seen, self._public, self._to_come, checked_seat(seat, self.game.seats))

    def standing(self, seat: int) -> int:
        """The points that a seat would be given beyond `scores` if the round were scored as things stand.

        Chips are left out, and so are rules that what comes in later rounds decides. Raises `NotInGameError`.
        """
        return sum(self.standing_by_rule(seat).values())

    def standing_by_rule(self, seat: int) -> dict[str, int]:
        """The points of `standing` by the rules that would give them. Raises `NotInGameError`."""
        return groups.standing(self._public, self._to_come, checked_seat(seat, self.game.seats))

    def brings(self, moves: Iterable[Written]) -> tuple[MoveGain, ...]:
        """What each of some moves, or of what such moves begin with, would bring the seat as things stand.

        Raises `IllegalMove` for names that mean nothing here.
        """
        codes = [self.codes(move_from(move)) for move in moves]
        return tuple(groups.brings(self.seen, self._public, self._given, codes))

    @cached_property
    def receiver(self) -> int | None:
        """The seat that gets the cards that the seat leaves; ``None`` if they stay, or nobody has to choose."""
        return flow.receiver(self.seen) if self._choice and self.seat >= 0 else None

    def counters(self, seat: int) -> dict[str, int]:
        """Return the counters of a seat by name. Raises `NotInGameError` for a seat that nobody sits at."""
        word = self.seen.words[checked_seat(seat, self.game.seats)]
        return {field.name: field.read(word) for field in self.game.program.fields}

    def belongings(self, seat: int) -> tuple[SeatItem, ...]:
        """Return the markers, counters, dice and chips of a seat that are worth showing (-1: the shared ones).

        Raises `NotInGameError` for a seat that nobody sits at.
        """
        if seat == belongings.TABLE:
            return tuple(belongings.of_table(self))
        return tuple(belongings.of_seat(self, checked_seat(seat, self.game.seats)))

    @cached_property
    def zones(self) -> tuple[Zone, ...]:
        """Every zone but the tableaus as the seat sees it, one for each owner.

        If all cards have a number of one kind, those beside the hand lie in its order.
        """
        ranks = self.game.ranks
        return tuple(_sorted(zone, ranks) if ranks and zone.zone != HAND else zone for zone in self.seen.zones)

    def aim(self, way: str) -> Zone | None:
        """The open pile that a way without cards is about, as it lies now; ``None`` if it is about none."""
        pile = self.game.aims.get(way)
        return next((zone for zone in self.zones if zone.zone == pile), None)

    @property
    def markers(self) -> dict[str, int]:
        """Who has each marker; -1 = nobody."""
        return {marker.id: holder for marker, holder in zip(self.game.program.markers, self.seen.markers, strict=True)}

    @property
    def chips(self) -> tuple[tuple[tuple[str, int | None], ...], ...]:
        """Chips by seat as (pile, value); the value is ``None`` for chips of others while the game goes on."""
        return self.seen.chips

    @property
    def asked(self) -> ChoiceInfo | None:
        """What the seats that have to choose are asked for; ``None`` if nobody has to."""
        choice = self._choice
        seat = max(0, self.seen.seat)
        return ChoiceInfo.of(self.game.program, choice, cast("Position", self._public), seat) if choice else None

    @property
    def stock(self) -> Cards:
        """The seat's own cards to choose from, as (name, copies); empty if it chooses from a shared zone."""
        return flow.stock(self.seen) if self._choice else ()

    @cached_property
    def _public(self) -> PublicState:
        return PublicState.of_observation(self.seen)

    @cached_property
    def _given(self) -> Given:
        return groups.given(self._public)

    @cached_property
    def _to_come(self) -> Given:
        """What each rule would give each seat now, but nothing for rules that were scored in this round already."""
        done = flow.scored_already(self.game.program, self.seen.decision)
        return tuple((0,) * len(points) if rule in done else points for rule, points in enumerate(self._given))

    @property
    def over(self) -> bool:
        """True if the game is finished."""
        return bool(self.seen.winners)

    @property
    def _choice(self) -> Choice | None:
        return self._look.choice

    def name(self, codes: Codes) -> Move:
        """A move of the engine by name."""
        choice = self._choice
        assert choice is not None, "there are moves only while seats have to choose"
        return named(self.game.program, choice, codes)

    def codes(self, move: Move) -> Codes:
        """The engine's codes for a move. Raises `IllegalMove` for names that mean nothing here."""
        choice = self._choice
        assert choice is not None, "there are moves only while seats have to choose"
        return spelled(self.game.program, choice, move)

    @cached_property
    def moves(self) -> Moves:
        """The seat's legal moves; empty if it has nothing to choose."""
        return Moves(self.game.program, self._choice, self._look.moves())

    def next(self, chosen: Written = ()) -> tuple[Move, ...]:
        """The moves that go on with what the seat has chosen so far by one card (see `Moves.next`)."""
        return self.moves.next(chosen)

    @property
    def committed(self) -> Move | None:
        """The seat's own commitment, as long as it waits for those of others."""
        return None if self.seen.committed is None else self.name(self.seen.committed)

    @cached_property
    def observation(self) -> dict[str, Any]:
        """Everything the seat may know, by name, as plain data. Its moves and events stand beside it."""
        return describe_seen(self.seen)


def _sorted(zone: Zone, ranks: Mapping[str, int]) -> Zone:
    """A zone with its cards in the order of their numbers."""
    return replace(zone, cards=tuple(sorted(zone.cards, key=lambda lying: ranks.get(lying[0], 0))))


def _view_of(game: Game, seen: Observation, events: tuple[Event, ...]) -> View:
    """The view that was sent to another process: the rules travel once, with the game."""
    return View.showing(game, replace(seen, program=game.program), events)
