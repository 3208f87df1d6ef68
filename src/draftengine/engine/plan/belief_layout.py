"""Layout of beliefs in the state record: where an observed game counts what seats know about cards.

Cards are counted by *column*: the faces of the card set, in its order. The cards of an owner in a zone have a *shelf*
in `StateRecord.beliefs`. A shelf holds one row of columns for the cards that lie there, if any seat sees them. After
that it holds one row for each player that can remember cards there. Shelves move with zones that are passed on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine import cards, choose
from draftengine.engine.events import EVERYONE
from draftengine.engine.plan.base import cached_by_arguments
from draftengine.engine.plan.limits import UnsupportedError
from draftengine.model import limits

if TYPE_CHECKING:
    from draftengine.engine.plan.plan import Plan


class BeliefLayout:
    """The shelves of one game. Raises `UnsupportedError` if a face has too many cards."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.program = program = plan.program
        faces = sorted(set(program.face_of))
        columns = {face: column for column, face in enumerate(faces)}
        self.columns = len(faces)
        self.column = tuple(columns[face] for face in program.face_of_play)
        """Column by play. The first plays are the cards as they are, so it can be indexed by card too."""
        self.copies = tuple(program.copies[face] for face in faces)
        """Number of cards in the box, by column."""
        if max(self.copies) > limits.ALIKE:  # they are counted in bytes
            raise UnsupportedError(f"more than {limits.ALIKE} cards look alike")
        self.discards = choose.tableaus_lose_cards(program)
        """True if cards can leave tableaus before they are cleared."""
        self._passed = {step.zone for step in program.code if isinstance(step, cards.Pass)}
        self._places: dict[tuple[int, int], int] = {}
        start = self.columns
        for zone in plan.zones:
            for owner in plan.owners(zone) if self.is_plain(zone) else ():
                self._places[zone, owner] = start
                start += self.length(zone)
        self.size = start
        """Number of cells of all shelves, including the row for cards in tableaus that comes first."""

    def is_plain(self, zone: int) -> bool:
        """True if a zone is neither a layout nor the tableau."""
        return not self.program.zones[zone].layout and zone != self.plan.tableau

    @cached_by_arguments
    def shows(self, zone: int) -> bool:
        """True if at least one seat sees the cards in a zone."""
        return self.is_plain(zone) and self.program.zones[zone].seen_by != "nobody"

    @cached_by_arguments
    def remembers(self, zone: int) -> bool:
        """True if a player can usefully remember cards that it does not see in a zone."""
        if not self.is_plain(zone) or zone in self.plan.counting:
            return False
        if self.program.zones[zone].seen_by == "owner":
            return True
        moved = any(isinstance(step, cards.MoveAll) and step.source == zone for step in self.program.code)
        return (self.program.zones[zone].seen_by == "nobody" or moved) and self._is_entered(zone)

    def _is_entered(self, zone: int) -> bool:
        """True if a step can bring cards to a zone in a way that some seat sees."""
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
        """Return the number of cells in the shelf of one owner."""
        return self.columns * (self.shows(zone) + self.remembers(zone) * len(self.plan.players))

    @cached_by_arguments
    def first(self, zone: int, owner: int) -> int:
        """Return the first cell of an owner's shelf when the game begins."""
        return self._places[zone, owner]

    @cached_by_arguments
    def behind(self, zone: int, viewer: int) -> int:
        """Return the offset within a shelf of the row that a player remembers."""
        return self.columns * (self.shows(zone) + viewer)

    @cached_by_arguments
    def travels(self, zone: int, owner: int) -> bool:
        """True if the shelf moves with a zone that is passed on."""
        return zone in self._passed and owner in self.plan.players and self.length(zone) > 0

    @cached_by_arguments
    def number(self, zone: int, owner: int) -> int:
        """Return the index of a shelf in `travelling`."""
        return self.travelling.index((zone, owner))

    @property
    def travelling(self) -> list[tuple[int, int]]:
        """Shelves that are passed on, as (zone, owner)."""
        return [key for key in self._places if self.travels(*key)]

    @cached_by_arguments
    def sight(self, zone: int, owner: int) -> int:
        """Return the seats that see an owner's cards in a zone, as bits."""
        seen_by = self.program.zones[zone].seen_by
        return EVERYONE if seen_by == "everyone" else 1 << owner if seen_by == "owner" else 0

    @cached_by_arguments
    def lookers(self, zone: int) -> tuple[int, ...]:
        """Return the owners, among players, of a zone in which only the owner sees its cards."""
        if not self.is_plain(zone) or self.program.zones[zone].seen_by != "owner":
            return ()
        return tuple(owner for owner in self.plan.owners(zone) if owner in self.plan.players)

    @cached_by_arguments
    def chips(self, pile: int, seat: int) -> int:
        """Return the index at which a seat's chips from a pile are counted."""
        return pile * len(self.plan.seats) + seat
