"""The guarantees of `check` for accepted formulas, over many generated ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from conftest import NIGHTLY
from draftengine.model import limits
from draftengine.model.language.check import check
from draftengine.model.language.evaluate import compile_formula, constant_value
from draftengine.model.language.tree import MAX_INT, MIN_INT, print_formula
from language.generate import Generator, position, random_from
from language.interpreter import Interpreter
from language.world import NAMES, World, scope

if TYPE_CHECKING:
    from random import Random

BATCHES = 4
PROGRAMS = (1_000_000 if NIGHTLY else 2_000) // BATCHES
SCOPE = scope()


def _verify(random: Random, depth: int) -> bool:
    """Check the guarantees for a formula at some position; return True if it was accepted."""
    expr = Generator(random).formula(depth)
    text = print_formula(expr)
    checked = check(expr, SCOPE)
    if checked.mistakes:
        return False
    seats = random.randint(2, 5)
    fixed = {name: info.low for name, info in NAMES.items() if info.kind == "parameter"}
    fixed |= {"players": 2, "rounds": 3} if random.random() < 0.5 else {}
    state, seat, world = position(random, seats), random.randrange(seats), World(seats, fixed)
    value = compile_formula(expr, world)(state, seat)
    interpreter = Interpreter(world, state)
    assert value == interpreter.value(expr, seat), text
    assert type(value) is {"int": int, "bool": bool}[checked.type], text
    assert MIN_INT <= checked.low <= value <= checked.high <= MAX_INT, text
    assert interpreter.visits <= checked.cost <= limits.COST, text
    assert constant_value(expr, world) in {None, value}, text
    return True


@pytest.mark.parametrize("batch", range(BATCHES))
def test_accepted_formulas_keep_the_promises(batch) -> None:
    """Check that accepted formulas raise nothing, and keep to their bounds and cost, with one meaning."""
    random = random_from(batch)
    accepted = sum(_verify(random, depth=1 + program % 8) for program in range(PROGRAMS))
    assert accepted > PROGRAMS // 3
