"""Sets of conditions that cannot all be false."""

from __future__ import annotations

import pytest

from draftengine.model.language.certainty import one_holds
from draftengine.model.language.parse import parse


@pytest.mark.parametrize(
    ("conditions", "always"),
    [
        (["true"], True),
        (["false"], False),
        ([], False),
        (["a > 2", "a <= 2"], True),
        (["a > 2", "a < 3"], True),
        (["a > 2", "a < 2"], False),
        (["a > 2", "a < 2", "2 == a"], True),
        (["a != 2", "a > 1"], True),
        (["a > b", "b >= a"], True),
        (["a > b", "b > a"], False),
        (["a > b", "a < b", "not a != b"], True),
        (["a + 1 > b", "not b < a + 1"], True),
        (["holds(spoon)", "not holds(spoon)"], True),
        (["holds(spoon)", "not holds(fork)"], False),
        (["a > 1 and b > 1", "a <= 1", "b <= 1"], True),
        (["a > 1 and b > 1", "a <= 1"], False),
        (["not (a > 1 or b > 1)", "a > 1", "b > 1"], True),
        (["(a > 1) if holds(spoon) else (a < 2)", "(a < 2) if holds(spoon) else (a > 1)"], True),
        (["(a > 1) if holds(spoon) else (a < 2)", "a > 1"], False),
        ([f"{name} == 0" for name in "abcdefgh"] + ["a != 0"], False),
    ],
)
def test_one_condition_always_holds(conditions, always):
    assert one_holds([parse(text) for text in conditions]) is always


def test_an_open_case_is_looked_for_in_a_few_thousand_only():
    """Check that the search covers a few thousand cases; beyond them it claims nothing, which is safe."""
    assert not one_holds([parse(f"{name} == 0") for name in "abcdefgh"] + [parse("a != 0 or b > 7")])
