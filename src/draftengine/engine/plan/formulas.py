"""What formulas and names mean in a game, and which values they can have."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.engine.plan.base import cached_by_arguments
from draftengine.engine.plan.tables import Tables
from draftengine.engine.plan.tally import Counting
from draftengine.model.cardset.facts import card_has, card_numbers, flow_scope, seat_scope
from draftengine.model.flow.counters import counters_of
from draftengine.model.language.check import check
from draftengine.model.language.evaluate import bound, compares_seats, constant_value, references
from draftengine.model.language.tree import Expr, NodeIdentity, Number, parts, said_by_itself, with_parts

if TYPE_CHECKING:
    from draftengine.engine.compile.formulas import FormulaNames
    from draftengine.engine.program import CounterField, Program, Value


class FormulaPlan(Counting):
    """The formulas of a game."""

    def __init__(self, program: Program, *, logged: bool, in_words: bool) -> None:
        super().__init__(program, logged=logged)
        self.in_words = in_words
        self.tables = Tables(program, self.input_range, in_words=in_words)
        self._constants: dict[tuple[int, str], int | None] = {}
        self._nodes: dict[object, Expr] = {}
        self._seen: dict[NodeIdentity, Expr] = {}
        self._fields = {field.name: field for field in program.fields}

    def formula(self, value: Value | None) -> tuple[FormulaNames, Expr]:
        """What the names in a formula mean, and the formula."""
        assert value is not None
        meaning = self.program.meanings[value]
        return meaning.names, meaning.expr

    @cached_by_arguments
    def asked(self, value: Value | None, seat: int) -> Expr:
        """A formula, which says of every ``my(x)`` which seat asks."""
        expr = self.formula(value)[1]
        return self._alike(bound(expr, seat) if compares_seats(expr) else expr)

    def _alike(self, expr: Expr) -> Expr:
        """One node for all formulas that say the same, so that it is specialised once."""
        if NodeIdentity(expr) not in self._seen:
            below = [self._alike(part) for part in parts(expr)]
            key = type(expr), said_by_itself(expr), tuple(map(NodeIdentity, below))
            self._seen[NodeIdentity(expr)] = self._nodes.setdefault(key, with_parts(expr, below))
        return self._seen[NodeIdentity(expr)]

    def number(self, expr: Expr) -> int:
        """The number that a node is."""
        assert isinstance(expr, Number)
        return expr.value

    def is_constant(self, names: FormulaNames, name: str) -> bool:
        """Does a name never change in a game."""
        return self._constant(names, name) is not None

    def constant(self, names: FormulaNames, name: str) -> int:
        """The value of a name that never changes in a game."""
        value = self._constant(names, name)
        assert value is not None
        return value

    def _constant(self, names: FormulaNames, name: str) -> int | None:
        key = id(names), name
        if key not in self._constants:
            self._constants[key] = names.constant(name)
        return self._constants[key]

    def field(self, names: FormulaNames, name: str) -> CounterField:
        """Where the counter of a name lies."""
        return self._fields[names.alias.get(name, name)]

    @cached_by_arguments
    def marker(self, name: str) -> int:
        """The number of a marker."""
        return next(index for index, marker in enumerate(self.program.markers) if marker.id == name)

    @cached_by_arguments
    def numbers_of(self, name: str) -> tuple[int, ...]:
        """What the cards have of something, by card."""
        return card_numbers(self.program.model)[name]

    @cached_by_arguments
    def numbers_in(self, zone: int, name: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Has what can lie in a zone something, and how much of it."""
        has = card_has(self.program.model, name)
        numbers = [has[card] for card in self.program.counts_as] if zone in self.counting else has
        return tuple(int(number is not None) for number in numbers), tuple(number or 0 for number in numbers)

    @cached_by_arguments
    def cards_in(self, zone: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Which card each is that can lie in a zone, in the form in which `numbers_in` says what cards have."""
        cards = self.program.counts_as if zone in self.counting else range(len(self.program.cards))
        return (1,) * len(cards), tuple(cards)

    @cached_by_arguments
    def range_of(self, value: Value) -> tuple[int, int]:
        """The proved bounds of a formula."""
        program, (names, expr) = self.program, self.formula(value)
        known = constant_value(expr, names)
        if known is not None:
            return known, known
        scope = seat_scope(
            program.model,
            program.players,
            counters_of(program.model, program.players, any_table=True),
            **_locals(names),
        )
        checked = check(expr, scope)
        if checked.mistakes:
            checked = check(expr, flow_scope(program.model, program.players))
        return int(checked.low), int(checked.high)

    def input_range(self, value: Value) -> tuple[int, int]:
        """The bounds of an input of a rule, also for what seats expect of a card that they cannot see."""
        if not self.tables.share_faces:
            return self.range_of(value)
        program, (names, expr) = self.program, self.formula(value)
        infos = {counter.id: counter for counter in counters_of(program.model, program.players, any_table=True)}
        wide = {
            field.name: replace(infos[field.name], low=-field.offset, high=field.mask - field.offset)
            for field in program.fields
        }
        checked = check(
            expr, seat_scope(program.model, program.players, tuple((infos | wide).values()), **_locals(names))
        )
        return int(checked.low), int(checked.high)

    def always(self, value: Value) -> int | None:
        """The value of a formula that is the same in the whole game."""
        low, high = self.range_of(value)
        return low if low == high else None

    @cached_property
    def asks_gained(self) -> bool:
        """Does a formula ask how much a counter rose."""
        return any(
            what == "gained" for meaning in self.program.meanings.values() for what, _ in references(meaning.expr)
        )


def _locals(names: FormulaNames) -> dict[str, tuple[int, int]]:
    return {name: (value, value) for name, value in names.local.items()}
