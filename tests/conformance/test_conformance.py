"""Golden cases of all editions with a card set, and of the files in ``DRAFTENGINE_CONFORMANCE``."""

import os
from pathlib import Path

import pytest

from conformance.adapter import EDITIONS, READING_FLAGS, run
from written import cases_in

HERE = Path(__file__).parent
FILES = [HERE / "cases.yaml", *map(Path, filter(None, os.environ.get("DRAFTENGINE_CONFORMANCE", "").split(":")))]
UNORDERED = {"hands_after", "passed"}


def cases():
    for file in FILES:
        for case in cases_in(file)["cases"]:
            if case["edition"] in EDITIONS:
                yield pytest.param(case, id=f"{file.stem}:{case['id']}")


def readings_of():
    """Yield the other readings of ambiguous cases, with their expectations."""
    for param in cases():
        case = param.values[0]
        for other in case.get("alt", ()):
            flag = other.get("flag", other["reading"])
            if flag in READING_FLAGS[case["edition"]]:
                expect = {key: other[key] for key in case["expect"] if key in other}
                yield pytest.param(case, READING_FLAGS[case["edition"]][flag], expect, id=f"{param.id}:{flag}")


def assert_agrees(found, expect):
    """Assert that every expected value is found; maps must agree only at the expected keys."""
    for key, value in expect.items():
        if isinstance(value, dict) and key in {"points", "counts"}:
            assert_agrees(found[key], value)
        elif key in UNORDERED:
            assert unordered(found[key]) == unordered(value), key
        else:
            assert found[key] == value, key


def unordered(cards):
    return [sorted(own) for own in cards] if cards and isinstance(cards[0], list) else sorted(cards)


@pytest.mark.parametrize("case", list(cases()))
def test_golden_case(case):
    assert_agrees(run(case), case["expect"])


@pytest.mark.parametrize(("case", "reading", "expect"), list(readings_of()))
def test_other_reading(case, reading, expect):
    assert_agrees(run(case, (reading,)), expect)


def test_no_edition_is_left_out():
    """Check that at least the given cases run."""
    assert sum(1 for _ in cases()) >= 255
