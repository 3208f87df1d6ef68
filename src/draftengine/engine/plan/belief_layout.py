"""Where what seats know of cards is counted while a game is observed: known before it begins.

Cards are counted by *column*: a face of the box, in the order of the card set. The cards of a zone of an owner have a
*shelf* in `StateRecord.beliefs`: first what lies there, if anybody sees it, then what each player remembers of it, if
it can. Shelves travel with zones that are passed on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine import cards, choose
from draftengine.engine.events import EVERYONE
from draftengine.engine.plan.base import cached_by_arguments
from draftengine.engine.plan.limits import UnsupportedError

if TYPE_CHECKING:
    from draftengine.engine.plan.plan import Plan

MOST_COPIES = 255
"""So many cards at most can look alike: they are counted in bytes."""


class BeliefLayout:
    """The shelves of one game. Raises `UnsupportedError` if it has no room for them."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.program = program = plan.program
        faces = sorted(set(program.face_of))
        columns = {face: column for column, face in enumerate(faces)}
        self.columns = len(faces)
        self.column = tuple(columns[face] for face in program.face_of_play)
        """By card, and by what it lies as where cards count."""
        self.copies = tuple(program.copies[face] for face in faces)
        """How many cards of the box are of a column."""
        if max(self.copies) > MOST_COPIES:
            raise UnsupportedError(f"more than {MOST_COPIES} cards look alike")
        self.discards = choose.tableaus_lose_cards(program)
        """Can effects take cards out of tableaus."""
        self._passed = {step.zone for step in program.code if isinstance(step, cards.Pass)}
        self._places: dict[tuple[int, int], int] = {}
        start = self.columns
        for zone in plan.zones:
            for owner in plan.owners(zone) if self.is_plain(zone) else ():
                self._places[zone, owner] = start
                start += self.length(zone)
        self.size = start
        """How many cells all shelves take, with those of the cards in tableaus, which are the first."""

    def is_plain(self, zone: int) -> bool:
        """Is a zone neither a layout nor a tableau."""
        return not self.program.zones[zone].layout and zone != self.plan.tableau

    @cached_by_arguments
    def shows(self, zone: int) -> bool:
        """Does anybody see what lies in a zone."""
        return self.is_plain(zone) and self.program.zones[zone].seen_by != "nobody"

    @cached_by_arguments
    def remembers(self, zone: int) -> bool:
        """Can anybody remember what lies in a zone without seeing it, and does that ever matter."""
        if not self.is_plain(zone) or zone in self.plan.counting:
            return False
        if self.program.zones[zone].seen_by == "owner":
            return True
        moved = any(isinstance(step, cards.MoveAll) and step.source == zone for step in self.program.code)
        return (self.program.zones[zone].seen_by == "nobody" or moved) and self._is_entered(zone)

    def _is_entered(self, zone: int) -> bool:
        """Do cards come to a zone in a way that somebody could see."""
        for step in self.program.code:
            match step:
                case choose.Choice() if step.source == zone and step.abilities:
                    return True
                case choose.Choice() if zone in {step.target, *(way.laying.target for way in step.actions)}:
                    return True
                case cards.Deal() | cards.MoveAll() if step.target == zone:
                    return True
                case _:
                    pass
        return False

    @cached_by_arguments
    def length(self, zone: int) -> int:
        """How long the shelf of an owner is."""
        return self.columns * (self.shows(zone) + self.remembers(zone) * len(self.plan.players))

    @cached_by_arguments
    def first(self, zone: int, owner: int) -> int:
        """Where the shelf of an owner begins when a game does."""
        return self._places[zone, owner]

    @cached_by_arguments
    def behind(self, zone: int, viewer: int) -> int:
        """Where on a shelf stands what a player remembers."""
        return self.columns * (self.shows(zone) + viewer)

    @cached_by_arguments
    def travels(self, zone: int, owner: int) -> bool:
        """Is a shelf passed on."""
        return zone in self._passed and owner in self.plan.players and self.length(zone) > 0

    @cached_by_arguments
    def number(self, zone: int, owner: int) -> int:
        """Which of the shelves that are passed on it is."""
        return self.travelling.index((zone, owner))

    @property
    def travelling(self) -> list[tuple[int, int]]:
        """The shelves that are passed on."""
        return [key for key in self._places if self.travels(*key)]

    @cached_by_arguments
    def sight(self, zone: int, owner: int) -> int:
        """The seats that may look into a zone of an owner, as bits."""
        seen_by = self.program.zones[zone].seen_by
        return EVERYONE if seen_by == "everyone" else 1 << owner if seen_by == "owner" else 0

    @cached_by_arguments
    def lookers(self, zone: int) -> tuple[int, ...]:
        """The players that look into a zone of their own."""
        if not self.is_plain(zone) or self.program.zones[zone].seen_by != "owner":
            return ()
        return tuple(owner for owner in self.plan.owners(zone) if owner in self.plan.players)

    @cached_by_arguments
    def chips(self, pile: int, seat: int) -> int:
        """Where the chips of a seat from a pile are counted."""
        return pile * len(self.plan.seats) + seat
