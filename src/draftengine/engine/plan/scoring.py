"""What gives points, and what happens by itself: rules, triggers, cards with effects, chips."""

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
    """The rules of a game and their like."""

    def own_rule(self, index: int) -> OneSeatRule:
        """A rule on a seat's own values."""
        rule = self.program.rules[index]
        assert isinstance(rule, OneSeatRule)
        return rule

    def ranking(self, index: int) -> RankedRule:
        """A rule that compares seats."""
        rule = self.program.rules[index]
        assert isinstance(rule, RankedRule)
        return rule

    def gives_one_chip(self, index: int) -> bool:
        """Does a ranking never give more than one chip, to whomever."""
        rule = self.ranking(index)
        return rule.chip >= 0 and rule.copies is None and self.tables.most_given(index) <= 1

    @cached_by_arguments
    def counts_points(self, rules: tuple[int, ...]) -> bool:
        """Does one of some rules look at points, so that they have to be given together."""
        return any(("name", "points") in references(self.formula(value)[1]) for value in self._read_by(rules))

    @cached_property
    def scoring_cards(self) -> tuple[int, ...]:
        """The rules of which `best_of` takes the most."""
        cards = tuple(scoring_cards(self.program.model))
        return tuple(index for index, rule in enumerate(self.program.rules) if rule.model in cards)

    @cached_by_arguments
    def is_dear(self, index: int) -> bool:
        """Is a rule on a card so costly (it asks what all cards score) that only who has the card is looked at."""
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
        """The bits of a counter that has to rise for a trigger of a reveal to happen; 0 if there is none."""
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
        """Are the chips of a pile the lanes of a word."""
        return len(self.program.chip_values[pile]) * self.chip_bits(pile) <= LANES

    @cached_by_arguments
    def chip_bits(self, pile: int) -> int:
        """How many bits a lane of a short pile has."""
        return max((max(self.program.chip_values[pile], default=0) - self.lowest_chip(pile)).bit_length(), 1)

    @cached_by_arguments
    def lowest_chip(self, pile: int) -> int:
        """What the chip of a pile that is worth least is worth."""
        return min(self.program.chip_values[pile], default=0)

    @cached_by_arguments
    def first_chip(self, pile: int) -> int:
        """Where the chips of a pile begin that is not short."""
        return sum(len(self.program.chip_values[earlier]) for earlier in range(pile) if not self.is_short(earlier))
