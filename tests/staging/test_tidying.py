"""Optimised residual code computes values once, under one name, and not before they were computed."""

import ast
from pathlib import Path

import pytest

from draftengine.jit.optimize import tidied, without_unread
from written import cases_in

CASES = cases_in(Path(__file__).with_name("tidying.yaml"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["about"])
def test_tidied(case):
    made = without_unread(tidied(ast.parse(case["before"]).body))
    text = ast.unparse(ast.fix_missing_locations(ast.Module(made, [])))
    assert text.replace("held__s", "held_").splitlines() == case["after"].splitlines()
