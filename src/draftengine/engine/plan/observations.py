"""Layouts of the vectors and actions that learning programs use, and of the beliefs of seats.

Beliefs count cards by *column*: the faces of the card set, in its order. A *shelf* is the part of `StateRecord.beliefs`
for the cards of one owner in one zone. If any seat sees the zone, the first row of the shelf counts its cards. If
players can remember cards there, each player has a row. If a zone is passed on, its shelves move along.
"""

from __future__ import annotations

from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from draftengine.engine import choose, instructions
from draftengine.engine.events import EVERYONE
from draftengine.engine.plan.base import FURTHER, OWN, UnsupportedError, cached_by_arguments
from draftengine.model import limits
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.plan import Plan
    from draftengine.engine.plan.items import PickPosition


class VectorPart(NamedTuple):
    """One part of an observation vector, such as the markers or the cards of one zone."""

    kind: str
    """A key of `draftengine.engine.kernel.showing.PARTS`."""
    about: int
    """The zone or marker that the part shows."""
    place: int
    """The seat that the part shows, counted from the observing seat; extra seats come last."""
    start: int
    """The index in the vector at which the part begins."""
    length: int


class ObservationSpec(NamedTuple):
    """The size and meaning of a game's observation vectors and actions."""

    parts: tuple[VectorPart, ...]
    codes: tuple[int, ...]
    """The code of every action except *done*, which is the last action."""
    length: int
    """The number of entries in one vector."""
    reward: str
    """The reward at the end of a game: ``win``, ``margin`` or ``points``."""
    cells: Cells


class Cells(NamedTuple):
    """The type of the entries in a vector, with its bounds."""

    array: str
    """The array of `draftengine.engine.state.Arrays` that holds the entries."""
    least: int
    most: int
    """The largest value of an entry. Points beyond the smallest or largest value are clipped."""


CELLS = MappingProxyType(
    {
        "float32": Cells("wide", -(1 << 31) + 1, (1 << 31) - 1),
        "int16": Cells("narrow", -(1 << 15) + 1, (1 << 15) - 1),
        "uint8": Cells("tiny", 0, (1 << 8) - 1),
    }
)
"""Types of entries by their names in NumPy."""


class ObservationLayout:
    """An `ObservationSpec`, and the tables that the kernel derives from it."""

    def __init__(self, plan: Plan, numbers: ObservationSpec) -> None:
        self.plan = plan
        self.parts = numbers.parts
        self.length = numbers.length
        self.reward = numbers.reward
        self.cells = numbers.cells
        self.done = len(numbers.codes)
        """The action *done*, which ends a move. It is the last action."""
        width = plan.program.width
        self._actions = {code: action for action, code in enumerate(numbers.codes)}
        self.channel = tuple(code // width for code in numbers.codes)
        self.item = tuple(code % width for code in numbers.codes)
        """The item of each action except *done*; `channel` has its channel (see `draftengine.engine.moves`)."""

    @cached_by_arguments
    def actions(self, channel: int) -> tuple[int, ...]:
        """Return, for each item of a channel, its action; *done* for items without an action."""
        width = self.plan.program.width
        return tuple(self._actions.get(channel * width + item, self.done) for item in range(width))

    def actions_at(self, step: Choice, place: PickPosition) -> tuple[int, ...]:
        """Return, for each item, the action that names it at this position of a move."""
        if place.channel == FURTHER:
            return self.actions(1 + step.abilities[place.index])
        if place.channel == OWN:
            return self.actions(0)[place.index * step.items_per_action :]
        return self.actions(step.first_other + place.index)

    @cached_property
    def first_action(self) -> int:
        """The action that takes the first face, or -1 if the actions of the faces are not consecutive."""
        actions = self.actions(0)[: len(self.plan.items.faces)]
        return actions[0] if actions == tuple(range(actions[0], actions[0] + len(actions))) else -1

    def at_a_glance(self, step: Choice) -> bool:
        """True if any kind of card in hand can be named first, and for the seat itself."""
        alike = self.are_counted(step) and not self.plan.wild and self.first_action >= 0
        return alike and not step.offer and not step.actions

    def are_counted(self, step: Choice) -> bool:
        """True if beliefs already count the kinds of cards to choose from, because some seat sees the cards."""
        return not step.layout and not step.as_they_lie and self.plan.sights.shows(step.source)

    @cached_property
    def column_of_kind(self) -> tuple[int, ...]:
        """For each kind of card, its column in beliefs: the index of its face among all faces."""
        return tuple(self.plan.sights.column[self.plan.items.card[face]] for face in self.plan.items.faces)

    @cached_by_arguments
    def start_of(self, kind: str) -> int:
        """Return the index at which the only part of this kind begins in the vector; -1 if there is none."""
        return next((part.start for part in self.parts if part.kind == kind), -1)

    # ── the image of a table: rows with a value for each seat ───────────────────────────────────────────────────────

    @cached_property
    def row_length(self) -> int:
        """The number of entries in a row of `Arrays.image`, the table by seat from which vectors are copied.

        A row lists the players twice, so that it can be read from any player on; extra seats follow.
        """
        return 2 * len(self.plan.players) + len(self.plan.seats) - len(self.plan.players)

    def seats_at(self, seat: int) -> tuple[int, ...]:
        """Return all positions of a seat within a row of `Arrays.image`."""
        players = len(self.plan.players)
        return (seat, seat + players) if seat < players else (seat + players,)

    def place_in_row(self, place: int) -> int:
        """Return the position in a row of `Arrays.image` of the seat `place` seats after the first player.

        Extra seats come last.
        """
        players = len(self.plan.players)
        return place if place < players else place + players

    @cached_property
    def own_zones(self) -> tuple[int, ...]:
        """The zones of seats that vectors show, in the order of the card set."""
        return tuple(
            zone
            for zone in self.plan.zones
            if self.plan.sights.is_plain(zone) and self.plan.program.zones[zone].per == "seat"
        )

    @cached_by_arguments
    def row_of_sizes(self, zone: int) -> int:
        """Return the index in `Arrays.image` of the row with each seat's number of cards in a zone."""
        return 2 * self.row_length * self.own_zones.index(zone)

    @cached_by_arguments
    def row_of_shelves(self, zone: int) -> int:
        """Return the index in `Arrays.image` of the row with the indices of each seat's beliefs about a zone."""
        return self.row_of_sizes(zone) + self.row_length

    @cached_property
    def row_of_points(self) -> int:
        """The index in `Arrays.image` of the row with the points of each seat."""
        return 2 * self.row_length * len(self.own_zones)

    @cached_property
    def row_of_pending(self) -> int:
        """The index in `Arrays.image` of the row that marks the seats that have to choose."""
        return self.row_of_points + self.row_length

    @cached_property
    def row_of_counters(self) -> int:
        """The index in `Arrays.image` of the counters: all counters of one seat, then those of the next."""
        return self.row_of_pending + self.row_length

    def row_of_chips(self, pile: int) -> int:
        """Return the index in `Arrays.image` of the row with each seat's number of chips from a pile."""
        return self.row_of_counters + self.row_length * (len(self.plan.program.fields) + 2 * pile)

    def row_of_worths(self, pile: int) -> int:
        """Return the index in `Arrays.image` of the row with the total worth of each seat's chips from a pile."""
        return self.row_of_chips(pile) + self.row_length

    @property
    def image_size(self) -> int:
        """The length of `Arrays.image`: the number of entries in all its rows."""
        return self.row_of_chips(len(self.plan.piles))


class BeliefLayout:
    """The positions of all shelves of a game: parts of `StateRecord.beliefs` about one owner's zone.

    Raises `UnsupportedError` if a face has too many copies.
    """

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.program = program = plan.program
        faces = sorted(set(program.face_of))
        columns = {face: column for column, face in enumerate(faces)}
        self.columns = len(faces)
        self.column = tuple(columns[face] for face in program.face_of_play)
        """For each play or card, its column: the index of its face among the faces."""
        self.copies = tuple(program.copies[face] for face in faces)
        """For each column (face), the number of cards in the box."""
        if max(self.copies) > limits.ALIKE:  # they are counted in bytes
            raise UnsupportedError(said("slow.alike", most=limits.ALIKE))
        self.discards = choose.tableaus_lose_cards(program)
        """True if cards can leave tableaus before they are cleared."""
        self._passed = {step.zone for step in program.code if isinstance(step, instructions.Pass)}
        self._places: dict[tuple[int, int], int] = {}
        start = self.columns
        for zone in plan.zones:
            for owner in plan.owners(zone) if self.is_plain(zone) else ():
                self._places[zone, owner] = start
                start += self.length(zone)
        self.size = start
        """The number of entries for beliefs about all zones. Those about tableaus come first."""

    def is_plain(self, zone: int) -> bool:
        """True if a zone is neither a layout nor the tableau."""
        return not self.program.zones[zone].layout and zone != self.plan.tableau

    @cached_by_arguments
    def shows(self, zone: int) -> bool:
        """True if some seat sees the cards in a zone."""
        return self.is_plain(zone) and self.program.zones[zone].seen_by != "nobody"

    @cached_by_arguments
    def remembers(self, zone: int) -> bool:
        """True if players may know cards in a zone that they do not see. Beliefs then have a row per player."""
        if not self.is_plain(zone) or zone in self.plan.counting:
            return False
        if self.program.zones[zone].seen_by == "owner":
            return True
        moved = any(isinstance(step, instructions.MoveAll) and step.source == zone for step in self.program.code)
        return (self.program.zones[zone].seen_by == "nobody" or moved) and self._is_entered(zone)

    def _is_entered(self, zone: int) -> bool:
        """True if some step can bring cards that a seat has seen to the zone."""
        for step in self.program.code:
            match step:
                case choose.Choice() if step.source == zone and step.abilities:
                    return True
                case choose.Choice() if zone in {step.target, *(way.laying.target for way in step.actions)}:
                    return True
                case instructions.Deal() | instructions.MoveAll() if step.target == zone:
                    return True
                case _:
                    pass
        return False

    @cached_by_arguments
    def length(self, zone: int) -> int:
        """Return the number of entries in a shelf: the beliefs about one owner's cards in a zone."""
        return self.columns * (self.shows(zone) + self.remembers(zone) * len(self.plan.players))

    @cached_by_arguments
    def first(self, zone: int, owner: int) -> int:
        """Return the index at which a shelf (beliefs about an owner's cards) begins when the game starts."""
        return self._places[zone, owner]

    @cached_by_arguments
    def behind(self, zone: int, viewer: int) -> int:
        """Return the index, within the beliefs about a zone, of the row for what `viewer` remembers."""
        return self.columns * (self.shows(zone) + viewer)

    @cached_by_arguments
    def travels(self, zone: int, owner: int) -> bool:
        """True if the beliefs about an owner's cards in a zone are passed on, because the zone is."""
        return zone in self._passed and owner in self.plan.players and self.length(zone) > 0

    @cached_by_arguments
    def number(self, zone: int, owner: int) -> int:
        """Return the index in `travelling` of the beliefs about an owner's cards in a zone."""
        return self.travelling.index((zone, owner))

    @property
    def travelling(self) -> list[tuple[int, int]]:
        """Zones whose beliefs are passed on together with their cards, as (zone, owner)."""
        return [key for key in self._places if self.travels(*key)]

    @cached_by_arguments
    def sight(self, zone: int, owner: int) -> int:
        """Return the seats, as bits, that see an owner's cards in a zone."""
        seen_by = self.program.zones[zone].seen_by
        return EVERYONE if seen_by == "everyone" else 1 << owner if seen_by == "owner" else 0

    @cached_by_arguments
    def lookers(self, zone: int) -> tuple[int, ...]:
        """Return the players who see their own cards in a zone; none unless the zone is seen by owners only."""
        if not self.is_plain(zone) or self.program.zones[zone].seen_by != "owner":
            return ()
        return tuple(owner for owner in self.plan.owners(zone) if owner in self.plan.players)

    @cached_by_arguments
    def chips(self, pile: int, seat: int) -> int:
        """Return the index of the count of a seat's chips from a pile."""
        return pile * len(self.plan.seats) + seat
