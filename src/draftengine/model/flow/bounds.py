"""The results of a dry run: bounds of a round and of a game, in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.diagnostics.catalog import reworded

if TYPE_CHECKING:
    from draftengine.model.diagnostics.diagnostic import Diagnostic


class RoundBounds(Struct, frozen=True):
    """Bounds of one round: the largest numbers that can happen; for `left`, the smallest."""

    number: int
    dealt: tuple[tuple[str, int], ...]
    """Cards dealt and drawn into each zone, for all seats together, in the order of the steps."""
    turns: int
    hands: tuple[tuple[int, ...], ...]
    """Cards in each seat's hand at the start of each turn."""
    left: int
    """Cards in the deck after the round."""


class Stop(Struct, frozen=True):
    """A step that may be impossible to carry out. A game in which it is ends there."""

    finding: Diagnostic
    turns: int = 0
    """The most turns of a repeat; 0 for a deal, which needs its cards."""

    @property
    def warning(self) -> Diagnostic:
        return reworded(self.finding, "stopped", doubt=self.finding.message, turns=self.turns)


class FlowBounds(Struct, frozen=True):
    """Proved bounds of a game for a number of players, and the findings."""

    players: int
    seats: int
    turns: int
    """The most turns of a game."""
    rounds: tuple[RoundBounds, ...]
    sizes: tuple[tuple[str, tuple[int, ...]], ...]
    """The most cards in each zone at once, by owner; a shared zone has one owner."""
    plays: int
    """The most cards laid in one tableau between two clearings."""
    plays_in_game: int
    """The most cards laid in one tableau in a whole game."""
    clearings: int
    """The most times that the tableaus are cleared."""
    reveals: int
    """The most times that cards are revealed (the moments of ``reveal`` triggers)."""
    choices: int
    """The most times that a seat chooses an action."""
    scored: tuple[tuple[str, int], ...]
    """The most times that each label is scored."""
    moments: tuple[tuple[str, int], ...]
    """The most times that each named step, and ``turn``, ends."""
    work: int
    """Work of the dry run: piles of cards, summed over the positions after every step."""
    recirculates: bool
    """True if a card that has left a tableau can be played again."""
    stops: tuple[tuple[int, Stop], ...]
    """The steps that may end a game, by their index in `all_steps`."""
    findings: tuple[Diagnostic, ...]
    idle: tuple[Diagnostic, ...]
    """Steps that never move a card: a mistake if that is so for every number of players."""

    def times(self, moment: str) -> int:
        """Return the most times that a moment comes: a label is scored, a step or a turn ends."""
        return dict(self.scored).get(moment, 0) + dict(self.moments).get(moment, 0)

    @property
    def complete(self) -> bool:
        """True if the flow was followed to its end; else the bounds only hold for its beginning."""
        return not any(finding.severity == "error" for finding in self.findings)
