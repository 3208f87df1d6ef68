"""Scoring of a game: rules, rankings, triggers and point chips."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from draftengine.engine.plan.base import cached_by_arguments
from draftengine.engine.plan.formulas import FormulaPlan
from draftengine.engine.plan.limits import LANES
from draftengine.engine.program import OneSeatRule, RankedRule
from draftengine.model.cardset.facts import reads_best_of, scoring_cards
from draftengine.model.language.evaluate import references
from draftengine.model.language.tree import Call, Comparison, LogicalOp, Name, Number

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.engine.program import CompiledTrigger, Value


class ScoringPlan(FormulaPlan):
    """The plan's knowledge of rules, triggers and chips."""

    def own_rule(self, index: int) -> OneSeatRule:
        """Return a rule that scores each seat by its own values."""
        rule = self.program.rules[index]
        assert isinstance(rule, OneSeatRule)
        return rule

    def ranking(self, index: int) -> RankedRule:
        """Return a rule that compares seats."""
        rule = self.program.rules[index]
        assert isinstance(rule, RankedRule)
        return rule

    def gives_one_chip(self, index: int) -> bool:
        """True if a ranking gives at most one chip, counted over all seats."""
        rule = self.ranking(index)
        return rule.chip >= 0 and rule.copies is None and self.tables.most_given(index) <= 1

    @cached_by_arguments
    def counts_points(self, rules: tuple[int, ...]) -> bool:
        """True if any of these rules reads points, so that their points must be added together at the end."""
        return any(("name", "points") in references(self.formula(value)[1]) for value in self._read_by(rules))

    @cached_property
    def scoring_cards(self) -> tuple[int, ...]:
        """Rules of cards that `best_of` compares."""
        cards = tuple(scoring_cards(self.program.model))
        return tuple(index for index, rule in enumerate(self.program.rules) if rule.model in cards)

    @cached_by_arguments
    def is_dear(self, index: int) -> bool:
        """True if a rule on a card reads `best_of`, which evaluates the rules of all cards.

        Such a rule is evaluated only for seats that have the card.
        """
        rule = self.program.rules[index]
        return rule.copies is not None and reads_best_of(rule.model)

    def _read_by(self, rules: tuple[int, ...]) -> Iterator[Value]:
        asked = any(reads_best_of(self.program.rules[index].model) for index in rules)
        for index in (*rules, *(self.scoring_cards if asked else ())):
            rule = self.program.rules[index]
            yield from (rule.measure,) if isinstance(rule, RankedRule) else rule.inputs
            if rule.when is not None:
                yield rule.when

    @cached_by_arguments
    def guard(self, watch: CompiledTrigger) -> int:
        """Return the mask of a counter that must have risen for a reveal trigger to run; 0 if none."""
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
