"""Formulas, rules, triggers and chips of a game: what they read, and which values they can have."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from draftengine.engine.instructions import Score
from draftengine.engine.plan.base import LANES, Counting, cached_by_arguments
from draftengine.engine.plan.ranges import ranges_of
from draftengine.engine.plan.tables import tables_of
from draftengine.engine.program import OneSeatRule, RankedRule
from draftengine.model.cardset.facts import card_has, card_numbers, reads_best_of, scoring_cards
from draftengine.model.language.builtins import BUILTINS, Aggregate, NumericFunction
from draftengine.model.language.evaluate import bound, compares_seats, references
from draftengine.model.language.tree import (
    Call,
    Comparison,
    Expr,
    LogicalOp,
    Name,
    Number,
    nodes_in,
    parts,
    said_by_itself,
    with_parts,
)
from draftengine.support.identity import IdentityKey

if TYPE_CHECKING:
    from draftengine.engine.compile.formulas import FormulaNames
    from draftengine.engine.instructions import CounterField, Value
    from draftengine.engine.program import CompiledTrigger, Program


MANY_CARDS = 16
"""The number of scoring cards above which rules are evaluated only for the cards that a seat has."""


class FormulaPlan(Counting):
    """The part of a plan that is about formulas."""

    def __init__(self, program: Program, *, logged: bool, in_words: bool) -> None:
        super().__init__(program, logged=logged)
        self.in_words = in_words
        self.ranges = ranges_of(program)
        self.tables = tables_of(program, in_words=in_words)
        self._constants: dict[tuple[int, str], int | None] = {}
        self._nodes: dict[object, Expr] = {}
        self._seen: dict[IdentityKey[Expr], Expr] = {}
        self._fields = {field.name: field for field in program.fields}

    def formula(self, value: Value | None) -> tuple[FormulaNames, Expr]:
        """Return the meanings of names, and the formula, of a compiled function."""
        assert value is not None
        meaning = self.program.meanings[value]
        return meaning.names, meaning.expr

    @cached_by_arguments
    def asked(self, value: Value | None, seat: int) -> Expr:
        """Return a formula for one seat: each ``my(x)`` in it refers to that seat."""
        expr = self.formula(value)[1]
        return self._alike(bound(expr, seat) if compares_seats(expr) else expr)

    def _alike(self, expr: Expr) -> Expr:
        """Return one shared node for all equal formulas, so that they are specialised only once."""
        if IdentityKey(expr) not in self._seen:
            below = [self._alike(part) for part in parts(expr)]
            key = type(expr), said_by_itself(expr), tuple(map(IdentityKey, below))
            self._seen[IdentityKey(expr)] = self._nodes.setdefault(key, with_parts(expr, below))
        return self._seen[IdentityKey(expr)]

    def count_nodes(self) -> int:
        """Return the number of different nodes in the syntax trees of all formulas of the game."""
        for value in self.program.meanings:
            self._alike(self.formula(value)[1])
        return len(self._nodes)

    def number(self, expr: Expr) -> int:
        """Return the value of a number node."""
        assert isinstance(expr, Number)
        return expr.value

    def is_constant(self, names: FormulaNames, name: str) -> bool:
        """True if the value of a name stays the same during a game."""
        return self._constant(names, name) is not None

    def constant(self, names: FormulaNames, name: str) -> int:
        """Return the value of a name that is constant during a game."""
        value = self._constant(names, name)
        assert value is not None
        return value

    def _constant(self, names: FormulaNames, name: str) -> int | None:
        key = id(names), name
        if key not in self._constants:
            self._constants[key] = names.constant(name)
        return self._constants[key]

    def field(self, names: FormulaNames, name: str) -> CounterField:
        """Return the counter to which a name refers."""
        return self._fields[names.alias.get(name, name)]

    @cached_by_arguments
    def marker(self, name: str) -> int:
        return next(index for index, marker in enumerate(self.program.markers) if marker.id == name)

    @cached_by_arguments
    def numbers_of(self, name: str) -> tuple[int, ...]:
        """Return, for each card, its number with this name, such as its cost."""
        return card_numbers(self.program.model.cards)[name]

    @cached_by_arguments
    def numbers_in(self, zone: int, name: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return two rows with an entry for each card: 1 if it has a number with this name, and the number.

        Both entries are 0 for a card without the number. If the cards in the zone add to counters, each row has an
        entry for each play instead of each card.
        """
        has = card_has(self.program.model, name)
        numbers = [has[card] for card in self.program.counts_as] if zone in self.counting else has
        return tuple(int(number is not None) for number in numbers), tuple(number or 0 for number in numbers)

    @cached_by_arguments
    def cards_in(self, zone: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return rows like those of `numbers_in`, in which the number of each card is its index.

        For a play, it is the index of the card that the play counts as.
        """
        cards = self.program.counts_as if zone in self.counting else range(len(self.program.cards))
        return (1,) * len(cards), tuple(cards)

    @cached_by_arguments
    def range_of(self, value: Value) -> tuple[int, int]:
        """Return the proved bounds of a formula."""
        return self.ranges.range_of(*self.formula(value))

    def always(self, value: Value) -> int | None:
        """Return the value of a formula that is constant during a game, or ``None``."""
        low, high = self.range_of(value)
        return low if low == high else None

    @cached_property
    def asks_gained(self) -> bool:
        """True if a formula calls ``gained``, the rise of a counter."""
        return any(
            what == "gained" for meaning in self.program.meanings.values() for what, _ in references(meaning.expr)
        )


class WordOfCards(NamedTuple):
    """Adjacent counters of cards whose rules are scored card by card. They fit into one word.

    The tables have an entry for each bit of the word, counted from `shift`.
    """

    shift: int
    mask: int
    rule: tuple[int, ...]
    """The index of the rule of the card to whose counter a bit belongs."""
    low: tuple[int, ...]
    """The lowest bit of that counter."""
    field_mask: tuple[int, ...]
    """The mask of that counter."""


class ScoringPlan(FormulaPlan):
    """The part of a plan that is about rules, triggers and chips."""

    def own_rule(self, index: int) -> OneSeatRule:
        """Return the rule at an index, which must score each seat by the seat's own values."""
        rule = self.program.rules[index]
        assert isinstance(rule, OneSeatRule)
        return rule

    def ranking(self, index: int) -> RankedRule:
        """Return the rule at an index, which must compare seats."""
        rule = self.program.rules[index]
        assert isinstance(rule, RankedRule)
        return rule

    def gives_one_chip(self, index: int) -> bool:
        """True if a ranking gives at most one chip to all seats together."""
        rule = self.ranking(index)
        return rule.chip >= 0 and rule.copies is None and self.tables.most_given(index) <= 1

    @cached_by_arguments
    def counts_points(self, rules: tuple[int, ...]) -> bool:
        """True if any of these rules reads points, so that all their points must be added at the end."""
        asked = any(reads_best_of(self.program.rules[index].model) for index in rules)
        values: list[Value] = []
        for index in (*rules, *(self.scoring_cards if asked else ())):
            rule = self.program.rules[index]
            values += (rule.measure,) if isinstance(rule, RankedRule) else rule.inputs
            values += [rule.when] if rule.when is not None else []
        return any(("name", "points") in references(self.formula(value)[1]) for value in values)

    @cached_property
    def scoring_cards(self) -> tuple[int, ...]:
        """The rules on cards that `best_of` compares."""
        cards = tuple(scoring_cards(self.program.model))
        return tuple(index for index, rule in enumerate(self.program.rules) if rule.model in cards)

    @cached_by_arguments
    def is_dear(self, index: int) -> bool:
        """True if a rule of a card reads `best_of`, which evaluates the rules of all cards.

        Such a costly rule is evaluated only for seats that have the card.
        """
        rule = self.program.rules[index]
        return rule.copies is not None and reads_best_of(rule.model)

    # ── cards that are scored one by one ──

    @cached_by_arguments
    def _fields_of_cards(self, rules: tuple[int, ...]) -> dict[int, CounterField]:
        """Return the rules that are scored card by card, and the counter of the card of each.

        Most cards of such a game lie elsewhere, and their rules are not evaluated.
        """
        fields = {index: field for index in rules if (field := self._field_of_card(index)) is not None}
        return fields if len(fields) >= MANY_CARDS else {}

    def _field_of_card(self, index: int) -> CounterField | None:
        """Return the counter of a rule's card, if the rule reads nothing but counters and compares no seats."""
        rule = self.program.rules[index]
        if not isinstance(rule, OneSeatRule) or rule.copies is None or rule.when is not None or self.is_dear(index):
            return None
        names, copies = self.formula(rule.copies)
        inputs = [self.formula(value) for value in rule.inputs]
        if not isinstance(copies, Name) or not all(self._reads_counters(*each) for each in ((names, copies), *inputs)):
            return None
        field = None if self.is_constant(names, copies.id) else self.field(names, copies.id)
        return field if field is not None and not field.shared and field.offset == 0 else None

    def _reads_counters(self, names: FormulaNames, expr: Expr) -> bool:
        """True if a formula has the same value at all seats that have the same counters."""
        for node in nodes_in(expr):
            if isinstance(node, Call):
                function = BUILTINS[node.function]
                if not isinstance(function, NumericFunction | Aggregate) or node.function.startswith("others_"):
                    return False
            elif isinstance(node, Name):
                counts = names.alias.get(node.id, node.id) in self._fields
                if not counts and not self.is_constant(names, node.id):
                    return False
        return True

    def scores_by_card(self, rules: tuple[int, ...]) -> bool:
        """True if some of these rules are scored card by card."""
        return bool(self._fields_of_cards(rules))

    def is_scored_by_card(self, rules: tuple[int, ...], index: int) -> bool:
        """True if a rule among these is scored for the cards that seats have, card by card."""
        return index in self._fields_of_cards(rules)

    @cached_property
    def examines_cards(self) -> bool:
        """True if rules are scored card by card."""
        scored = (step.rules for step in self.program.code if isinstance(step, Score))
        return any(map(self.scores_by_card, (*scored, self.lasting_rules, self.passing_rules)))

    @cached_by_arguments
    def words_of_cards(self, rules: tuple[int, ...]) -> tuple[WordOfCards, ...]:
        """Return the counters of the cards whose rules are scored card by card."""
        left = sorted((field.shift, index) for index, field in self._fields_of_cards(rules).items())
        words = []
        while left:
            shift = left[0][0]
            of_word = [
                (index, field.shift - shift, field.mask)
                for _, index in left
                if (field := self._fields_of_cards(rules)[index]).shift + field.mask.bit_length() - shift <= LANES
            ]
            bits = {low + bit: (index, low, mask) for index, low, mask in of_word for bit in range(mask.bit_length())}
            tables = zip(*(bits.get(bit, (0, 0, 0)) for bit in range(max(bits) + 1)), strict=True)
            words.append(WordOfCards(shift, sum(1 << bit for bit in bits), *tables))
            left = left[len(of_word) :]
        return tuple(words)

    @cached_by_arguments
    def guard(self, watch: CompiledTrigger) -> int:
        """Return the mask of the counter that must rise before a reveal trigger runs; 0 if there is none."""
        wanted = [self.formula(watch.who)[1]] if watch.model.after == "reveal" else []
        while wanted:
            match wanted.pop():
                case LogicalOp(op="and") as both:
                    wanted += [both.left, both.right]
                case Comparison(
                    op=">", left=Call(function="gained", arguments=(Name() as name,)), right=Number(value=0)
                ):
                    return next(field.field_mask for field in self.program.fields if field.name == name.id)
        return 0

    @cached_by_arguments
    def is_short(self, pile: int) -> bool:
        """True if the chips of a pile fit into one word."""
        return len(self.program.chip_values[pile]) * self.chip_bits(pile) <= LANES

    @cached_by_arguments
    def chip_bits(self, pile: int) -> int:
        """Return the number of bits for a chip of a short pile."""
        return max((max(self.program.chip_values[pile], default=0) - self.lowest_chip(pile)).bit_length(), 1)

    @cached_by_arguments
    def lowest_chip(self, pile: int) -> int:
        """Return the lowest chip value of a pile."""
        return min(self.program.chip_values[pile], default=0)

    @cached_by_arguments
    def first_chip(self, pile: int) -> int:
        """Return the index of the first chip of a pile in the array of piles that are not short."""
        return sum(len(self.program.chip_values[earlier]) for earlier in range(pile) if not self.is_short(earlier))
