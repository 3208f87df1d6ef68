"""What a game is in numbers: its actions and the parts of an observation vector, known before it begins."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from draftengine.engine.plan.base import cached_by_arguments
from draftengine.engine.plan.base_items import FURTHER, OWN

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.plan.items import PickPosition
    from draftengine.engine.plan.plan import Plan

VECTOR_PARTS = (
    "round", "turn", "choice", "choosing", "taken", "size", "cards", "places", "counters", "scores", "unseen", "marker",
    "chips_left", "chips", "chips_worth",
)  # fmt: skip
"""What a part of a vector can show."""
REWARDS = ("win", "margin", "points")
"""What a game can be worth at its end (see `draftengine.studies.environments.table.Table.returns`)."""


class VectorPart(NamedTuple):
    """What a part of an observation vector shows."""

    kind: str
    """One of `VECTOR_PARTS`."""
    about: int
    """The zone or the marker that it is about."""
    place: int
    """The seat that it is about: so many places on from the own one, extra seats last."""
    start: int
    """Its first entry."""
    length: int


class ObservationSpec(NamedTuple):
    """What a game is in numbers, for those who play it."""

    parts: tuple[VectorPart, ...]
    codes: tuple[int, ...]
    """The code of every action but the last, which is *done*."""
    length: int
    """Entries of a vector."""
    reward: str
    """One of `REWARDS`."""
    most: int
    """The largest number that an entry can hold; points beyond it stand as that."""


WIDE = 1 << 62
"""The largest number that entries hold which are floating-point numbers."""


class ObservationLayout:
    """Layout of a game's vectors and actions: `ObservationSpec`, and what follows from it."""

    def __init__(self, plan: Plan, numbers: ObservationSpec) -> None:
        self.plan = plan
        self.parts = numbers.parts
        self.length = numbers.length
        self.reward = numbers.reward
        self.most = numbers.most
        self.narrow = numbers.most < WIDE
        """Are entries 16 bits, not floating-point numbers."""
        self.done = len(numbers.codes)
        """The action that ends a move, and the last one."""
        width = plan.program.width
        self._actions = {code: action for action, code in enumerate(numbers.codes)}
        self.channel = tuple(code // width for code in numbers.codes)
        self.item = tuple(code % width for code in numbers.codes)
        """The channel and the item of every action but the last (see `draftengine.engine.moves`)."""

    @cached_by_arguments
    def actions(self, channel: int) -> tuple[int, ...]:
        """The actions of a channel by item; *done* for items that are none of them."""
        width = self.plan.program.width
        return tuple(self._actions.get(channel * width + item, self.done) for item in range(width))

    def actions_at(self, step: Choice, place: PickPosition) -> tuple[int, ...]:
        """The actions that name the card of a place in moves, by item."""
        if place.channel == FURTHER:
            return self.actions(1 + step.abilities[place.index])
        if place.channel == OWN:
            return self.actions(0)[place.index * step.items_per_action :]
        return self.actions(step.first_other + place.index)

    @cached_property
    def first_action(self) -> int:
        """The action that takes the first face, if those of all faces stand one after the other; else -1."""
        actions = self.actions(0)[: len(self.plan.items.faces)]
        return actions[0] if actions == tuple(range(actions[0], actions[0] + len(actions))) else -1

    def at_a_glance(self, step: Choice) -> bool:
        """Does a player first name kinds of card for itself, any that it has."""
        alike = self.are_counted(step) and not self.plan.wild and self.first_action >= 0
        return alike and not step.offer and not step.actions

    def are_counted(self, step: Choice) -> bool:
        """Are the kinds of card that can be taken counted already, because somebody sees them."""
        return not step.layout and not step.as_they_lie and self.plan.sights.shows(step.source)

    @cached_property
    def column_of_kind(self) -> tuple[int, ...]:
        """By kind of card (see `draftengine.engine.plan.items`) the column in which it is counted."""
        return tuple(self.plan.sights.column[self.plan.items.card[face]] for face in self.plan.items.faces)

    @cached_by_arguments
    def start_of(self, kind: str) -> int:
        """Return the first entry of the only part of a kind; -1 if there is none."""
        return next((part.start for part in self.parts if part.kind == kind), -1)

    # ── the image of a table, by seat ───────────────────────────────────────────────────────────────────────────────

    @cached_property
    def items_per_action(self) -> int:
        """How many seats stand in a row of the image: the players twice, so that any can be the first; extra seats."""
        return 2 * len(self.plan.players) + len(self.plan.seats) - len(self.plan.players)

    def seats_at(self, seat: int) -> tuple[int, ...]:
        """Where a seat stands in a row."""
        players = len(self.plan.players)
        return (seat, seat + players) if seat < players else (seat + players,)

    def place_in_row(self, place: int) -> int:
        """Where the seat stands in a row that is so many places on from the first player; extra seats come last."""
        players = len(self.plan.players)
        return place if place < players else place + players

    @cached_property
    def own_zones(self) -> tuple[int, ...]:
        """Return the zones that every seat has and that are shown."""
        return tuple(
            zone
            for zone in self.plan.zones
            if self.plan.sights.is_plain(zone) and self.plan.program.zones[zone].per == "seat"
        )

    @cached_by_arguments
    def row_of_sizes(self, zone: int) -> int:
        """Where the row begins that tells how many cards the seats have there."""
        return 2 * self.items_per_action * self.own_zones.index(zone)

    @cached_by_arguments
    def row_of_shelves(self, zone: int) -> int:
        """Where the row begins that tells where these are counted."""
        return self.row_of_sizes(zone) + self.items_per_action

    @cached_property
    def row_of_points(self) -> int:
        """Where the row of points begins."""
        return 2 * self.items_per_action * len(self.own_zones)

    @cached_property
    def row_of_pending(self) -> int:
        """Where the row begins that tells who has to choose."""
        return self.row_of_points + self.items_per_action

    @cached_property
    def row_of_counters(self) -> int:
        """Where the counters of the seats begin, those of a seat one after the other."""
        return self.row_of_pending + self.items_per_action

    def row_of_chips(self, pile: int) -> int:
        """Where the row begins that tells how many chips of a pile the seats have."""
        return self.row_of_counters + self.items_per_action * (len(self.plan.program.fields) + 2 * pile)

    def row_of_worths(self, pile: int) -> int:
        """Where the row begins that tells what the seats' chips of a pile are worth together."""
        return self.row_of_chips(pile) + self.items_per_action

    @property
    def image_size(self) -> int:
        """How many numbers all rows are."""
        return self.row_of_chips(len(self.plan.piles))
