"""Mistakes in first card sets: all findings, with the places and words that a person would use."""

from __future__ import annotations

from pathlib import Path

import pytest

from conftest import NIGHTLY
from draftengine.api.scenario.suite import check_bytes
from written import cases_in

BY_DAY = 33
DATA = cases_in(Path(__file__).with_name("by_hand.yaml"))
CASES = [pytest.param(own, id=f"{at} {own['new'][:40]!r}") for at, own in enumerate(DATA["cases"])]


def told(text):
    """Return the findings of a text: place and code, with message and hint."""
    found = check_bytes("first.yaml", "first.yaml", text.encode())
    return [("{}:{} {}".format(*own.span.position, own.code), f"{own.message} {own.hint}") for own in found]


@pytest.mark.parametrize("game", DATA["games"])
def test_the_games_are_right(game):
    assert told(DATA["games"][game]) == []


@pytest.mark.parametrize("case", CASES if NIGHTLY else CASES[:: len(CASES) // BY_DAY])
def test_everything_is_told_once_and_as_a_person_would(case):
    whole = DATA["games"][case["game"]]
    assert case["old"] in whole
    found = told(whole.replace(case["old"], case["new"], 1))
    wanted = [own.partition(": ") for own in case["found"]]
    assert [place for place, _ in found] == [place for place, _, _ in wanted]
    for (_, said), (_, _, part) in zip(found, wanted, strict=True):
        assert part in said
