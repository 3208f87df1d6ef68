"""The open pile that an action leads to: it takes from that pile, or makes a step take from it.

A bid is only a number; people want to see what they bid for. Only the constants that an action sets are considered. An
action with no pile, or several, is left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.facts import all_steps, constant_facts
from draftengine.model.language.evaluate import constant_value, functions_in
from draftengine.model.language.tree import LogicalOp
from draftengine.model.records.values import Formula
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.effects import SetStep

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from draftengine.model.cardset.facts import Constants
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.language.tree import Expr
    from draftengine.model.verbs.actions import Way
    from draftengine.model.verbs.verb import Step


def target_piles(model: CardSet, players: int) -> dict[str, str]:
    """Return the pile of each action that leads to exactly one, by action id."""
    facts = constant_facts(model, players)
    piles = {zone.id for zone in model.zones if zone.per == "table" and zone.seen_by == "everyone" and not zone.layout}
    taken = [(pile, when) for part in (model.setup, model.round, model.finish) for pile, when in _taken(part, piles)]
    targets = {}
    for step in all_steps(model):
        for way in step.as_ if isinstance(step, ChooseStep) else ():
            sets = _sets(way, facts)
            then = constant_facts(model, players, **sets)
            candidates = {pile for pile, when in taken if sets and _because(when, facts, then)}
            candidates |= {pile for pile, _ in _taken(way.do, piles)}
            if len(candidates) == 1:
                targets[way.id] = candidates.pop()
    return targets


def bids(model: CardSet, aimed: Container[str]) -> frozenset[str]:
    """Return the counters that the `aimed` actions set."""
    steps = (step for step in all_steps(model) if isinstance(step, ChooseStep))
    ways = (way for step in steps for way in step.as_ if way.id in aimed)
    effects = (effect for way in ways for effect in way.do if isinstance(effect, SetStep))
    return frozenset(amount.counter for effect in effects for amount in effect.amounts)


def _taken(
    steps: Iterable[Step], piles: set[str], when: tuple[Expr, ...] = ()
) -> Iterator[tuple[str, tuple[Expr, ...]]]:
    """Yield each pile that steps take from, with the conditions of the step and all outer steps."""
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
    """Yield the conditions that are joined by ``and``."""
    if isinstance(expr, LogicalOp) and expr.op == "and":
        yield from _parts(expr.left)
        yield from _parts(expr.right)
    else:
        yield expr


def _sets(way: Way, facts: Constants) -> dict[str, int]:
    """Return the counters that an action sets to constants, with their values."""
    amounts = [amount for effect in way.do if isinstance(effect, SetStep) for amount in effect.amounts]
    values = {amount.counter: constant_value(amount.formula.expr, facts) for amount in amounts}
    return {counter: int(value) for counter, value in values.items() if value is not None}


def _because(when: Iterable[Expr], before: Constants, then: Constants) -> bool:
    """True if no condition is known to fail after the change and at least one becomes known to hold.

    A condition that is still unknown may hold or not.
    """
    # values at other seats are not known
    own_seat = [condition for condition in when if not functions_in(condition)]
    known = [(constant_value(condition, before), constant_value(condition, then)) for condition in own_seat]
    return all(after != 0 for _, after in known) and any(was is None and after for was, after in known)
