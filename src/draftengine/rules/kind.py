"""The contract of a rule kind: everything the program knows about a way to score, in one value.

A kind is one module. It declares its part of the JSON Schema, reads its frozen `Spec`, resolves it to plain numbers for
a player count (`Numbers`), and holds its semantics, its explanation and its rulebook sentence. The compiler tabulates
`score`; nothing else knows what a kind means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from draftengine.cardset.reader import Reader
    from draftengine.records.values import Formula

Spec = TypeVar("Spec")
Numbers = TypeVar("Numbers")

Constant = Callable[["Formula"], int]
"""The value of a formula over facts that never change in a game (players, seats, rounds, parameters)."""

NameOf = Callable[["Formula"], str]
"""How a formula is called in print ("soup")."""


class UnusableNumberError(ValueError):
    """A constant of a rule came out as a number the rule cannot work with (raised by `resolve`)."""

    def __init__(self, formula: Formula, message: str) -> None:
        super().__init__(message)
        self.formula = formula
        self.message = message


class Declared(Struct, frozen=True, kw_only=True):
    """What every kind declares."""

    name: str
    title: str
    """One line for completion and the reference."""
    properties: Mapping[str, Any]
    """JSON Schema of the keys beside the common ones (kind, at, label, when, source)."""
    required: tuple[str, ...]
    one_of: tuple[str, ...] = ()
    """At least one of these keys must be there; the first is the one asked for."""


class Progress(Struct, frozen=True):
    """How far a seat has come with what a rule counts, for people who look at a table."""

    have: int
    """How many of the `need` that complete something lie there; with `need` = 0, how many there are."""
    need: int = 0
    """How many complete it; 0 if nothing is to be completed."""
    text: str = ""
    """The same in a few words: ``2/3``, ``5``, ``most so far``."""


class OneSeatKind(Declared, Generic[Spec, Numbers], frozen=True, kw_only=True):
    """Points of one seat as a function of that seat's own values."""

    read: Callable[[Reader], Spec]
    inputs: Callable[[Spec], tuple[Formula, ...]]
    """The formulas whose values `score` needs, in order."""
    constants: Callable[[Spec], tuple[Formula, ...]]
    """The formulas that must be constant in a game."""
    resolve: Callable[[Spec, Constant], Numbers]
    score: Callable[[Numbers, Sequence[int]], int]
    explain: Callable[[Numbers, Sequence[int], int], str]
    """The arithmetic that led from the values to the points: "5 cards: 1 set of 3 = 10"."""
    progress: Callable[[Numbers, Sequence[int]], Progress]
    """How far the values have come."""
    sentence: Callable[[Spec, NameOf], str]


class Award(Struct, frozen=True):
    """What one seat gets from a ranking: `place` counts from 1, `shared_by` seats hold it together."""

    order: str
    """``most`` or ``fewest``."""
    place: int
    shared_by: int
    prize: int
    """The place's points (or number of chips) before sharing."""
    points: int
    """This seat's share."""


class RankedKind(Declared, Generic[Spec, Numbers], frozen=True, kw_only=True):
    """Points of all seats as a function of one measure of each."""

    read: Callable[[Reader], Spec]
    inputs: Callable[[Spec], tuple[Formula, ...]]
    """One formula: the measure."""
    constants: Callable[[Spec], tuple[Formula, ...]]
    resolve: Callable[[Spec, Constant], Numbers]
    rank: Callable[[Numbers, Sequence[int]], list[tuple[Award, ...]]]
    """The awards of each seat, given the measure of each seat. Only who has more than whom matters, and who has
    enough (see `threshold`): so one table of all such orders tells everything."""
    threshold: Callable[[Numbers], int]
    """The least measure that is ranked."""
    chip: Callable[[Spec], str | None]
    """The pile the winners draw from, if the prize is a chip."""
    explain: Callable[[Numbers, int, tuple[Award, ...]], str]
    progress: Callable[[Numbers, int, tuple[Award, ...]], Progress]
    """Where a measure stands, given the awards it would have now."""
    sentence: Callable[[Spec, NameOf], str]


RuleKind = OneSeatKind[Any, Any] | RankedKind[Any, Any]
