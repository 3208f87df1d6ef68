"""Instructions: the steps of the compiled flow, as data.

`draftengine.engine.kernel.running` says which function carries out each of them. Choices have a module of their own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.engine.values import CounterField, Value


class Shuffle(Struct, frozen=True):
    zone: int
    following: int


class Deal(Struct, frozen=True):
    """Deal of cards from the top of a zone to each owner of another.

    The source is shared, or the owner's own. With `exact`, the source always has enough cards (checked when the card
    set is loaded).
    """

    source: int
    target: int
    cards: Value
    marker: int
    """The marker whose holder alone gets the cards; -1 = everyone does."""
    exact: bool
    following: int
    who: Value | None = None
    """The condition that a player must meet to get cards; ``None`` = everyone, or the holder."""
    admits: tuple[int, ...] = ()
    """By card, 1 if the step deals the card; empty if it deals any card."""
    by_seat: bool = False
    """True if `cards` is evaluated for each recipient separately, before any of them gets a card."""


class Pass(Struct, frozen=True):
    """Pass of every player's zone to a neighbour, simultaneously; the direction depends on the round."""

    zone: int
    steps: tuple[int, ...]
    """By round, repeated: 1 = to the left, -1 = to the right."""
    following: int

    def direction(self, number: int) -> int:
        """Return the direction in which cards are passed in a round: 1 = to the left, -1 = to the right."""
        return self.steps[(number - 1) % len(self.steps)]


class MoveAll(Struct, frozen=True):
    """Move of all cards of a zone to another zone of its owner, or to a shared one."""

    source: int
    target: int
    following: int
    who: Value | None = None
    """The condition for a player's cards to move; ``None`` = the cards of every owner move."""


class Clear(Struct, frozen=True):
    """Discarding of a zone whose cards add to counters, except for kept cards.

    The counters are lowered by what the discarded cards added.
    """

    zone: int
    discard: int
    following: int


class Gather(Struct, frozen=True):
    """Gathering of all cards of the box. Tableaus and counters are emptied, except for what is kept."""

    target: int
    """The zone for the cards that begin in the deck; all others go back to the zone in which they begin."""
    piles: tuple[tuple[int, tuple[int, ...]], ...]
    """The zones other than `target`, and the cards that are gathered in each."""
    home: tuple[int, ...]
    """The zone in which each card is gathered."""
    counting: tuple[int, ...]
    """The zones whose cards add to counters."""
    following: int


class StartGame(Struct, frozen=True):
    """Start of a game, which sets up chip piles and markers."""

    following: int


class StartRound(Struct, frozen=True):
    following: int


class EndRound(Struct, frozen=True):
    """End of a round: back to its start, until all rounds are played."""

    otherwise: int
    following: int


class StartTurns(Struct, frozen=True):
    depth: int
    """The number of repeats around this step."""
    following: int


class NextTurn(Struct, frozen=True):
    """Start of one more turn, unless `zone` is empty, enough turns were played, or the condition holds."""

    zone: int
    """The zone that ends the turns when it is empty; -1 = none."""
    layout: int
    """The layout that ends the turns when it is empty; -1 = none."""
    times: Value | None
    until: Value | None
    at_most: Value | None
    """The largest number of turns, regardless of what else would end them."""
    depth: int
    """The depth of the repeat: the number of repeats around it."""
    following: int
    otherwise: int


class AssignTurnOrder(Struct, frozen=True):
    """Assignment of numbers to players that act one after another. The highest number acts first."""

    who: Value
    """The condition for a player to get a number."""
    by: Value | None
    """The value that decides the order, smallest first; ties go from the holder of `marker` to the left."""
    marker: int
    """The marker whose holder is first among ties. If it is -1 or has no holder, the first seat is first."""
    field: CounterField
    """The counter that holds the numbers. Players without a number get 0."""
    above: int
    """The number that is added to each of them."""
    following: int


class Jump(Struct, frozen=True):
    following: int


class End(Struct, frozen=True):
    """Early end of the round or the game, regardless of the turns left."""

    following: int
    stops: Literal["", "turns", "cards"] = ""
    """The reason, if the game ends because it cannot go on: endless turns, or missing cards."""


class SkipUnless(Struct, frozen=True):
    """Skip of a step whose condition `when` does not hold."""

    when: Value
    following: int
    otherwise: int


class Give(Struct, frozen=True):
    """Transfer of a marker: to a neighbour, to nobody, or to the seat that `to` selects."""

    marker: int
    to: str
    measure: Value | None
    tie: str
    source: tuple[str, ...]
    following: int


class Score(Struct, frozen=True):
    """Scoring of all rules with a label, then of the triggers that wait for it."""

    label: str
    rules: tuple[int, ...]
    following: int


class EndGame(Struct, frozen=True):
    """End of the game: totals are compared, then tie-breakers; seats still tied share the win."""

    most: bool
    wins: Value | None
    """The condition that a seat must meet to win. If several meet it, they are compared."""
    following: int


def most_depth(code: Iterable[object]) -> int:
    """Return the largest number of repeats that surround a repeat."""
    return max((step.depth for step in code if isinstance(step, StartTurns)), default=0)
