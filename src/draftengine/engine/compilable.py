"""Facts about a game before it is compiled: reasons against compiling it, and the work of scoring it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import draftengine.engine.kernel.scoring  # noqa: F401 (it adds a reading to the table)
from draftengine.engine.kernel.formulas import ELSEWHERE, READINGS
from draftengine.engine.kernel.zones import COMBINE
from draftengine.engine.plan import Plan
from draftengine.engine.plan.base import TOO_LARGE, UnsupportedError
from draftengine.model.flow import flow_bounds
from draftengine.model.language.builtins import BUILTINS, OtherSeatFunction, StateFunction, ZoneAggregate
from draftengine.model.language.tree import Call, nodes_in
from draftengine.support.identity import by_identity
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.engine.program import Program
    from draftengine.support.locale.phrases import Text

USUAL_WORK = 20_000
"""The number of formula nodes that are evaluated to score a long game with usual rules."""
_LONG = 12_000
"""The number of formula nodes, summed over all seats, above which a game may be too large to compile.

Each node becomes three or four statements, and `draftengine.jit.specializer` allows 70,000, with those of all steps.
"""
_FORMS = {StateFunction: READINGS, ZoneAggregate: COMBINE, OtherSeatFunction: ELSEWHERE}
"""For each kind of formula function that reads the state, the kernel's functions by name."""


def why_not_compiled(
    program: Program, policies: Iterable[str] = ("random", "table"), *, in_words: bool = True
) -> tuple[Text, ...]:
    """Return the reasons why a game cannot be compiled for some policies; none if it can.

    This takes some milliseconds, unless formulas are very long (see `is_too_large`). Bots that look ahead list moves
    like the policy ``table``. Without `in_words`, only reasons that also prevent the kernel from playing the game in
    CPython are returned.
    """
    called = {
        node.function
        for meaning in program.meanings.values()
        for node in nodes_in(meaning.expr)
        if isinstance(node, Call)
    }
    reasons: dict[Text, None] = dict.fromkeys(
        said("slow.function", name=name)
        for name in sorted(called)
        if name not in _FORMS.get(type(BUILTINS[name]), called)
    )
    for policy in dict.fromkeys(policies):
        try:
            Plan(program, [policy] * program.players, in_words=in_words)
        except UnsupportedError as error:
            reasons[error.reason] = None
    if in_words and not reasons and is_too_large(program):
        reasons[TOO_LARGE] = None
    return tuple(reasons)


@by_identity(8)
def is_too_large(program: Program) -> bool:
    """True if specialising a game produces more code than the compiler accepts.

    If formulas are very long, the only way to know is to specialise the game, which takes some seconds.
    """
    plan = Plan(program, ["random"] * program.players)
    if plan.count_nodes() * program.seats < _LONG:
        return False
    from draftengine.engine.forms import is_specialisable  # noqa: PLC0415 (imports the whole kernel)

    return not is_specialisable(plan)


def work_of(program: Program) -> int:
    """Return the work of a game: the number of formula nodes that are evaluated to score it."""
    times = dict(flow_bounds(program.model, program.players).scored)
    return program.seats * sum(
        times.get(rule.at, 0) * sum(1 for formula in rule.spec.inputs() for _ in nodes_in(formula.expr))
        for rule in program.model.scoring
    )
