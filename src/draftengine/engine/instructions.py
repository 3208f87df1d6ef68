"""Instructions: the steps of the compiled flow, as data, with the values that they read.

`draftengine.engine.kernel.running` names the function that carries out each instruction. Choices have their own module.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable

Value = Callable[[Any, int], int]
"""A function (state, seat) that evaluates a formula. Formulas about the table ignore the seat."""
ValuesOfCards = Callable[[Any, int], list[int]]
"""A function (state, seat) that returns a value for each card in one zone of the seat."""


class CounterField(Struct, frozen=True):
    """The position of a counter in a seat's packed word: ``(word >> shift & mask) - offset``."""

    name: str
    shift: int
    mask: int
    offset: int
    start: int
    shared: int = 0
    """The number of seats that share the counter; 0 if each seat has its own.

    A change for one of these seats is a change for all of them.
    """

    @property
    def one(self) -> int:
        return 1 << self.shift

    @property
    def field_mask(self) -> int:
        """The mask of the field's bits in the word."""
        return self.mask << self.shift

    def read(self, word: int) -> int:
        """Return the counter's value, read from a packed word."""
        return (word >> self.shift & self.mask) - self.offset


class Shuffle(Struct, frozen=True):
    zone: int
    following: int


class Deal(Struct, frozen=True):
    """An instruction that deals cards from the top of a zone to each owner of another zone.

    The source is a shared zone, or belongs to the owner. With `exact`, the source always has enough cards (checked
    when the card set is loaded).
    """

    source: int
    target: int
    cards: Value
    marker: int
    """The marker whose holder alone gets cards; -1 = everyone does."""
    exact: bool
    following: int
    who: Value | None = None
    """The condition that a player must meet to get cards; ``None`` = everyone, or the holder."""
    admits: tuple[int, ...] = ()
    """For each card, 1 if the step deals the card; empty if it deals any card."""
    such: Value | None = None
    """The condition that a card must meet to be dealt, for the seat that gets it; ``None`` = none."""
    by_seat: bool = False
    """True if `cards` is evaluated for each recipient separately, before any recipient gets a card."""
    in_order: bool = False
    """True if the cards that `admits` accepts keep their order, with the top card last."""


class Pass(Struct, frozen=True):
    """An instruction that passes every player's cards in a zone to a neighbour, simultaneously."""

    zone: int
    steps: tuple[int, ...]
    """The direction in each round, starting over after the last one: 1 = to the left, -1 = to the right."""
    following: int

    def direction(self, number: int) -> int:
        """Return the direction in which cards are passed in a round: 1 = to the left, -1 = to the right."""
        return self.steps[(number - 1) % len(self.steps)]


class MoveAll(Struct, frozen=True):
    """An instruction that moves all cards in a zone to another zone of the owner, or to a shared zone."""

    source: int
    target: int
    following: int
    who: Value | None = None
    """The condition for a player's cards to move; ``None`` = the cards of all owners move."""


class Flip(Struct, frozen=True):
    """An instruction that turns over all cards, or rolls all dice, in a zone.

    For each card, `number` entries of `shows`, from index `first` on, are the cards that it can become. With
    `rolled`, one of them is drawn at random; otherwise there is only one. Cards with the number 0 stay as they are.
    """

    zone: int
    first: tuple[int, ...]
    number: tuple[int, ...]
    shows: tuple[int, ...]
    rolled: bool
    following: int
    who: Value | None = None
    """The condition for a player's cards to be turned; ``None`` = the cards of all owners are turned."""


class Clear(Struct, frozen=True):
    """An instruction that discards all cards, except kept ones, in a zone whose cards add to counters.

    Counters lose what the discarded cards added.
    """

    zone: int
    discard: int
    following: int


class Gather(Struct, frozen=True):
    """An instruction that gathers all cards of the game, except those that stay in tableaus."""

    target: int
    """The zone for cards that begin in the deck. All other cards go back to the zones in which they begin."""
    piles: tuple[tuple[int, tuple[int, ...]], ...]
    """Each zone that gathers cards, with its cards."""
    home: tuple[int, ...]
    """The zone in which each card is gathered."""
    counting: tuple[int, ...]
    """The zones whose cards add to counters."""
    following: int


class StartGame(Struct, frozen=True):
    """An instruction at the start of a game, which sets up chip piles and markers."""

    following: int


class StartRound(Struct, frozen=True):
    following: int


class EndRound(Struct, frozen=True):
    """An instruction at the end of a round. It jumps to the round's start until all rounds are played."""

    otherwise: int
    following: int


class StartTurns(Struct, frozen=True):
    depth: int
    """The number of other repeats that surround this repeat."""
    following: int


class NextTurn(Struct, frozen=True):
    """An instruction that starts one more turn, or ends the repeat if a condition for its end is met."""

    zone: int
    """The zone that ends the turns when it is empty; -1 = none."""
    layout: int
    """The layout that ends the turns when it is empty; -1 = none."""
    times: Value | None
    until: Value | None
    at_most: Value | None
    """The largest number of turns, even if nothing else ends them."""
    depth: int
    """The number of other repeats that surround the repeat of these turns."""
    following: int
    otherwise: int


class AssignTurnOrder(Struct, frozen=True):
    """An instruction that numbers the players that act one after another. The highest number acts first."""

    who: Value
    """The condition for a player to get a number."""
    by: Value | None
    """A value that decides the order, smallest first. Ties begin with the holder of `marker` and go left."""
    marker: int
    """The marker whose holder goes first among tied players; -1 or no holder = the first seat."""
    field: CounterField
    """The counter that holds the numbers. Players without a number get 0."""
    above: int
    """An amount that is added to all numbers."""
    following: int


class Jump(Struct, frozen=True):
    following: int


class End(Struct, frozen=True):
    """An instruction that ends the round or the game early, even if turns are left."""

    following: int
    stops: Literal["", "turns", "cards"] = ""
    """The reason, if the game ends because it cannot go on: endless turns, or missing cards."""


class SkipUnless(Struct, frozen=True):
    """An instruction that skips steps unless the condition `when` holds."""

    when: Value
    following: int
    otherwise: int


class Give(Struct, frozen=True):
    """An instruction that gives a marker to a neighbour, to nobody, or to the seat that `to` selects."""

    marker: int
    to: str
    measure: Value | None
    tie: str
    source: tuple[str, ...]
    following: int


class Score(Struct, frozen=True):
    """An instruction that scores all rules with a label, then runs the triggers that wait for this label."""

    label: str
    rules: tuple[int, ...]
    following: int


class EndGame(Struct, frozen=True):
    """An instruction that ends the game: totals decide, then tie-breakers; seats still tied share the win."""

    most: bool
    wins: Value | None
    """The condition that a seat must meet to win. If several seats meet it, they are compared."""
    following: int


def most_depth(code: Iterable[object]) -> int:
    """Return the largest number of repeats that surround a repeat."""
    return max((step.depth for step in code if isinstance(step, StartTurns)), default=0)
