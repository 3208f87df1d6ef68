"""Inputs of a network: entries of the observation vector, as a seat knows them or in a world.

Entries have names, which games with other numbers of seats or other cards share. So one network can serve all of them.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.engine.choose import Choice, PlayAll
from draftengine.engine.encoding import Encoding
from draftengine.engine.instructions import Deal, MoveAll

if TYPE_CHECKING:
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation, ZoneView
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState

_LEFT_OUT = frozenset({"taken", "choosing", "unseen", "chips", "chips_worth"})
"""Kinds of parts that say nothing of a whole move, or that a world does not have."""
_OF_ZONES = frozenset({"size", "cards", "places"})


class Inputs:
    """The inputs of one game, and the outputs by which moves are valued."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._encoding = encoding = Encoding(program)
        self.parts = [
            (subject, part)
            for subject, part in zip(encoding.subjects(), encoding.parts(), strict=True)
            if subject.kind not in _LEFT_OUT and (subject.kind not in _OF_ZONES or subject.about in _zones(program))
        ]
        """Parts of the vector that are inputs, in order."""
        kept = [entry for _, part in self.parts for entry in range(part.start, part.start + part.length)]
        entries = encoding.entries()
        self._kept = kept
        self.names = (*(entries[entry] for entry in kept), f"{program.players} players")
        """Names of the inputs."""
        self.outputs = encoding.names
        """Names of the outputs: one for each code, *done* last."""
        self.actions, self.done = encoding.actions, encoding.done
        """Output of each code, and that of *done*."""

    def known(self, seen: Observation) -> list[float]:
        """Return what a seat knows."""
        values = self._encoding.values(seen)
        return [*(values[entry] for entry in self._kept), 1.0]

    def world(self, seen: Observation, state: GameState) -> list[float]:
        """Return what a seat would know if it saw all hands of `state`, and remembered nothing of decks."""
        places = [
            (zone, owner)
            for zone, owners in enumerate(state.zones)
            if zone != self.program.tableau
            for owner in range(len(owners))
        ]
        zones = [self._opened(view, state, *place) for view, place in zip(seen.zones, places, strict=True)]
        return self.known(replace(seen, zones=tuple(zones)))

    def _opened(self, view: ZoneView, state: GameState, zone: int, owner: int) -> ZoneView:
        program = self.program
        if view.open or program.zones[zone].layout:
            return view
        if program.zones[zone].seen_by == "nobody":
            return replace(view, cards=())
        faces = Counter(program.face_of_play[card] for card in state.zones[zone][owner])
        return replace(view, cards=tuple((program.faces[face], faces[face]) for face in sorted(faces)))

    def columns(self, move: Move) -> list[int]:
        """Return the outputs whose sum values a move: those of its codes; *done* too where it has only one."""
        outputs = [self.actions[code] for code in move]
        return [*outputs, self.done] if len(outputs) == 1 else outputs


def _zones(program: Program) -> set[int]:
    """Return the zones that cards are taken from and that some seat sees.

    A search has their cards in its worlds.
    """
    return {
        step.source
        for step in program.code
        if isinstance(step, Deal | MoveAll | Choice | PlayAll) and program.zones[step.source].seen_by != "nobody"
    } - {program.tableau}
