"""The contract of a rule kind: everything the program knows about a way to score, in one value.

A kind is one module. It declares its part of the JSON Schema, reads its frozen `Spec`, resolves it to plain numbers for
a player count (`Numbers`), and holds its semantics, its explanation and its rulebook sentence. The compiler tabulates
`score`; nothing else knows what a kind means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from msgspec import Struct

if TYPE_CHECKING:
    from draftengine.model.language.tree import Expr
    from draftengine.model.loading.reader import Reader
    from draftengine.model.records.values import Formula
    from draftengine.support.locale.catalogue import Noun

Spec = TypeVar("Spec")
Numbers = TypeVar("Numbers")

Constant = Callable[["Formula"], int]
"""The value of a formula over facts that never change in a game (players, seats, rounds, parameters)."""


class Phraser(Protocol):
    """Says things in one language, and knows what everything in a card set is called."""

    def phrase(self, key: str, /, **given: object) -> str:
        """A pattern of the catalogue, filled in."""

    def join_list(self, items: Sequence[str], word: str = "and") -> str:
        """Several things in a sentence; `word` stands before the last: and, or; comma for none."""

    def noun(self, formula: Formula) -> Noun:
        """What a formula counts."""

    def noun_of(self, expr: Expr) -> Noun:
        """What a part of a formula counts."""

    def cards_adding_to(self, formula: Formula) -> Sequence[tuple[Noun, int]]:
        """The cards that add to a counter, and how much; none if effects change it, too, or the cards are many."""

    def family_of_formulas(self, formulas: Sequence[Formula]) -> Noun | None:
        """What several cards are called together, if they are a family."""

    def constant(self, expr: Expr) -> int | None:
        """The value of what is the same in every game."""

    def condition(self, expr: Expr) -> str:
        """A condition about the seat that is spoken to, in the middle of a sentence."""

    def amount(self, expr: Expr) -> str:
        """A number that a formula works out, in the middle of a sentence."""

    def inside(self, expr: Expr) -> str:
        """A number as a part of another one, in parentheses if it has parts that could be taken for the other's."""

    def written(self, expr: Expr) -> str:
        """A formula with labels for names."""

    def when_that(self, when: str, text: str) -> str:
        """A sentence that holds with some numbers of players."""

    def pile(self, name: str) -> str:
        """What a pile of chips is called."""


def _no_exception(_spec: Any, _main: Any, _other: Any, _speaker: Phraser, _when: str) -> str | None:
    return None


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
    """How far that is, in a few words: ``2/3``, ``5``, ``most so far``."""


class QuickReference(Struct, frozen=True):
    """A rule in a line of the quick reference, or without words on a card."""

    counts: str
    """What counts: ``set of 2``, ``most, second``."""
    cells: tuple[tuple[str, str], ...]
    """What gives what: a heading, which may be empty, and the points."""
    copies: int = 0
    """How many equal cards make one of them; 0 if that is not how it scores."""


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
    sentence: Callable[[Spec, Numbers, Phraser], str]
    """What a rulebook says."""
    quick_reference: Callable[[Spec, Numbers, Phraser], QuickReference]
    example_text: Callable[[Numbers, Sequence[int], int, Phraser], str]
    """What a worked example says beside the points: how they came about, in a few words."""
    example_values: Callable[[Numbers], tuple[tuple[int, ...], ...]]
    """Values that make good examples; none if any cards do."""


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
    sentence: Callable[[Spec, Numbers, Phraser], str]
    """What a rulebook says."""
    quick_reference: Callable[[Spec, Numbers, Phraser], QuickReference]
    example_text: Callable[[Numbers, int, tuple[Award, ...], Phraser], str]
    """What a worked example says beside the points or chips: how they came about, in a few words."""
    example_values: Callable[[Numbers], tuple[tuple[int, ...], ...]]
    """Measures of four seats that make good examples."""
    exception_sentence: Callable[[Spec, Numbers, Numbers, Phraser, str], str | None] = _no_exception
    """What is different about other numbers, given the usual ones and when the others hold, in fewer words than all."""


RuleKind = OneSeatKind[Any, Any] | RankedKind[Any, Any]
