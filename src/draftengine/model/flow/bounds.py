"""What the flow of a game comes to, in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from draftengine.model.diagnostics.diagnostic import Diagnostic


class RoundBounds(Struct, frozen=True):
    """One round in numbers. Where it depends on play, the largest (of `left`: the smallest) that can happen."""

    number: int
    dealt: tuple[tuple[str, int], ...]
    """Cards dealt and drawn into each zone, of all seats together, in the order of the steps."""
    turns: int
    hands: tuple[tuple[int, ...], ...]
    """How many cards each seat has in hand at the start of each turn."""
    left: int
    """Cards in the deck after the round."""


class Stop(Struct, frozen=True):
    """A step that perhaps cannot always be carried out. A game in which it cannot ends there."""

    finding: Diagnostic
    turns: int = 0
    """A repeat has no more turns than that; 0 for a deal, which needs the cards."""

    @property
    def warning(self) -> Diagnostic:
        when = f"it goes on after turn {self.turns}" if self.turns else "that is so"
        return replace(self.finding, message=f"{self.finding.message} A game in which {when} ends there.")


class FlowBounds(Struct, frozen=True):
    """What the flow comes to for a number of players."""

    players: int
    seats: int
    turns: int
    """No game has more turns."""
    rounds: tuple[RoundBounds, ...]
    sizes: tuple[tuple[str, tuple[int, ...]], ...]
    """How many cards can lie in each zone at once, by owner; a shared zone has one owner."""
    plays: int
    """How many cards can come to lie in one tableau between two clearings."""
    plays_in_game: int
    """How many cards can come to lie in one tableau in a whole game."""
    clearings: int
    """How often the tableaus are cleared at most."""
    reveals: int
    """How often cards are revealed at most (the moments of ``reveal`` triggers)."""
    choices: int
    """How often a seat chooses a way at most."""
    scored: tuple[tuple[str, int], ...]
    """How often each label is scored at most."""
    moments: tuple[tuple[str, int], ...]
    """How often each step with a name, and ``turn``, comes to its end at most."""
    work: int
    """How much there was to follow: piles of cards, after each step, in each way the game can go."""
    recirculates: bool
    """Can a card that has left a tableau be played again."""
    stops: tuple[tuple[int, Stop], ...]
    """The steps that may end a game, by their place in `all_steps`."""
    findings: tuple[Diagnostic, ...]
    idle: tuple[Diagnostic, ...]
    """Steps that never move a card, which is a mistake if it is so with every number of players."""

    def times(self, moment: str) -> int:
        """How often it is so far at most that a trigger waits for: a label is scored, a step or a turn is over."""
        return dict(self.scored).get(moment, 0) + dict(self.moments).get(moment, 0)

    @property
    def complete(self) -> bool:
        """Was the flow played to its end; if not, the bounds hold for its beginning only."""
        return not any(finding.severity == "error" for finding in self.findings)
