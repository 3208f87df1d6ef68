"""Records that lower packages define and that are also public.

All except `Program` call cards and other things by name, and do not show how the engine works. `DECK`, `HAND`,
`DISCARD` and `TABLEAU` are the names of the zones that every game has.
"""

from draftengine.engine.events import Event, Line
from draftengine.engine.events import view as told_to
from draftengine.engine.game import Result
from draftengine.engine.observe import ZoneView as Zone
from draftengine.engine.position import Position, Table, entries
from draftengine.engine.program import Program
from draftengine.model.cardset.records import DECK, DISCARD, HAND, TABLEAU
from draftengine.model.selection import Selection

__all__ = [
    "DECK", "DISCARD", "HAND", "TABLEAU", "Event", "Line", "Position", "Program", "Result", "Selection", "Table",
    "Zone", "entries", "told_to",
]  # fmt: skip
