"""Which open pile a way leads to: the one that it takes from itself, or that is taken from because of what it sets.

A bid says no more than a number; what people want to see with it is what they bid for. What depends on more than the
numbers that a way sets is not foretold: such a way is about no pile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.facts import all_steps, constant_facts
from draftengine.model.language.evaluate import constant_value, functions_in
from draftengine.model.language.tree import LogicalOp
from draftengine.model.records.values import Formula
from draftengine.model.verbs import choose, set_

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from draftengine.model.cardset.facts import Constants
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.language.tree import Expr
    from draftengine.model.verbs.actions import Way
    from draftengine.model.verbs.verb import Step


def target_piles(model: CardSet, players: int) -> dict[str, str]:
    """The pile of each way that is about one, by their ids."""
    facts = constant_facts(model, players)
    piles = {zone.id for zone in model.zones if zone.per == "table" and zone.seen_by == "everyone" and not zone.layout}
    taken = [(pile, when) for part in (model.setup, model.round, model.finish) for pile, when in _taken(part, piles)]
    targets = {}
    for step in all_steps(model):
        for way in step.as_ if isinstance(step, choose.ChooseStep) else ():
            sets = _sets(way, facts)
            then = constant_facts(model, players, **sets)
            candidates = {pile for pile, when in taken if sets and _because(when, facts, then)}
            candidates |= {pile for pile, _ in _taken(way.do, piles)}
            if len(candidates) == 1:
                targets[way.id] = candidates.pop()
    return targets


def bids(model: CardSet, aimed: Container[str]) -> frozenset[str]:
    """The counters that ways set which are about a pile."""
    steps = (step for step in all_steps(model) if isinstance(step, choose.ChooseStep))
    ways = (way for step in steps for way in step.as_ if way.id in aimed)
    effects = (effect for way in ways for effect in way.do if isinstance(effect, set_.SetStep))
    return frozenset(amount.counter for effect in effects for amount in effect.amounts)


def _taken(
    steps: Iterable[Step], piles: set[str], when: tuple[Expr, ...] = ()
) -> Iterator[tuple[str, tuple[Expr, ...]]]:
    """The piles that steps take from, each with the conditions that have to hold, those of outer steps included."""
    for step in steps:
        conditions = [
            formula.expr for formula in (step.when, getattr(step, "who", None)) if isinstance(formula, Formula)
        ]
        asked = (*when, *(part for condition in conditions for part in _parts(condition)))
        if (source := getattr(step, "from_", None)) in piles:
            yield source, asked
        yield from _taken(step.within, piles, asked)
        for _, branch in step.branches:
            yield from _taken(branch, piles, asked)


def _parts(expr: Expr) -> Iterator[Expr]:
    """The conditions that all have to hold if one does."""
    if isinstance(expr, LogicalOp) and expr.op == "and":
        yield from _parts(expr.left)
        yield from _parts(expr.right)
    else:
        yield expr


def _sets(way: Way, facts: Constants) -> dict[str, int]:
    """The counters that a way sets to a number that is always the same."""
    amounts = [amount for effect in way.do if isinstance(effect, set_.SetStep) for amount in effect.amounts]
    values = {amount.counter: constant_value(amount.formula.expr, facts) for amount in amounts}
    return {counter: int(value) for counter, value in values.items() if value is not None}


def _because(when: Iterable[Expr], before: Constants, then: Constants) -> bool:
    """Do conditions come to hold with what was set? What is still unknown then may hold or not."""
    own_seat = [
        condition for condition in when if not functions_in(condition)
    ]  # what is counted at other seats is not known
    known = [(constant_value(condition, before), constant_value(condition, then)) for condition in own_seat]
    return all(after != 0 for _, after in known) and any(was is None and after for was, after in known)
