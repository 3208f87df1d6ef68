"""Which open pile a bid is for: where a way sets a counter to a number, the pile taken from when it is that number.

A bid says no more than a number; what people want to see with it is what they bid for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.cardset.facts import all_steps, constant_facts
from draftengine.language.evaluate import constant_value
from draftengine.language.tree import Compare, Name
from draftengine.verbs import choose, set_

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.cardset.facts import Constants
    from draftengine.cardset.model import CardSet
    from draftengine.language.tree import Expr


def aims(model: CardSet, players: int) -> dict[str, str]:
    """The pile of each way that is about one, by their ids."""
    facts = constant_facts(model, players)
    piles = {own.id for own in model.zones if own.per == "table" and own.seen_by == "everyone" and not own.layout}
    taken: dict[tuple[str, int], set[str]] = {}
    for step in all_steps(model):
        source = getattr(step, "from_", None)
        if step.when is not None and source in piles:
            for asked in _equal(step.when.expr, facts):
                taken.setdefault(asked, set()).add(source)
    found = {}
    for step in all_steps(model):
        for way in step.as_ if isinstance(step, choose.Spec) else ():
            about = {
                pile
                for effect in way.do
                if isinstance(effect, set_.Spec)
                for own in effect.amounts
                for pile in taken.get((own.counter, _number(own.formula.expr, facts)), ())
            }
            if len(about) == 1:
                found[way.id] = about.pop()
    return found


def _equal(expr: Expr, facts: Constants) -> Iterator[tuple[str, int]]:
    """The counter and the number that a formula compares, if it says no more than that they are equal."""
    if isinstance(expr, Compare) and expr.op == "==":
        for name, number in ((expr.left, expr.right), (expr.right, expr.left)):
            if isinstance(name, Name) and (value := constant_value(number, facts)) is not None:
                yield name.id, int(value)


def _number(expr: Expr, facts: Constants) -> int:
    """The value of a formula; -1 if it is not always the same."""
    value = constant_value(expr, facts)
    return -1 if value is None else int(value)
