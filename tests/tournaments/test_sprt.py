"""The sequential test: known ratios, decisions for both sides, and no decision."""

from __future__ import annotations

from math import isclose, log, sqrt

import pytest

from draftengine.studies.arena.sprt import BOUND, ELO, FEWEST_UNITS, Sequential, normal_llr, pentanomial_llr

# Results of fishtest's LLR_normalized(0, 10, counts), server/fishtest/stats/LLRcalc.py.
KNOWN = [
    ((10, 20, 40, 30, 20), 0.9258629888),
    ((3, 51, 211, 62, 5), 0.6503938464),
    ((100, 200, 400, 200, 100), -0.8282499146),
    ((0, 0, 3, 0, 21), 0.8943297525),
    ((0, 0, 0, 0, 20), 0.7973251800),
    ((20, 0, 0, 0, 0), -0.8304397966),
    ((300, 1000, 2500, 1200, 300), 4.3426898906),
]


@pytest.mark.parametrize(("counts", "ratio"), KNOWN)
def test_the_ratio_of_pairs_is_that_of_fishtest(counts, ratio):
    assert isclose(pentanomial_llr(counts, 0, 10), ratio, rel_tol=1e-6)


def test_the_normal_ratio_by_hand():
    """The ratio follows section 4.2 of the note on normalised Elo, and nears the exact one for many games."""
    counts = (300, 1000, 2500, 1200, 300)
    units = sum(counts)
    mean = sum(place / 4 * own for place, own in enumerate(counts)) / units
    variance = sum(own * (place / 4 - mean) ** 2 for place, own in enumerate(counts)) / units
    lead = (mean - 0.5) / sqrt(2 * variance)
    by_hand = units * log((1 + lead**2) / (1 + (lead - 10 / ELO) ** 2))
    found = normal_llr(units, mean, sqrt(variance), 2, 0, 10)
    assert isclose(found, by_hand, rel_tol=1e-9)
    assert isclose(found, pentanomial_llr(counts, 0, 10), rel_tol=0.01)


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize(("share", "decided"), [(1.0, "better"), (0.0, "not better")])
def test_a_clear_result_decides(seats, share, decided):
    """A clear result decides, even if all units are equal and have no variance."""
    test = Sequential(0, 10, seats)
    units = next(units for units in range(1, 2000) if test.add(share))
    assert FEWEST_UNITS <= units < 1000
    found = test.verdict()
    assert found.decided == decided
    assert abs(found.llr) >= BOUND == pytest.approx(2.944, abs=0.001)
    assert found.units == units
    # The measured strength is on the side of the decision.
    assert found.elo_ci95[0] < found.elo < found.elo_ci95[1]
    assert (found.elo_ci95[0] > 0, found.elo_ci95[1] < 0) == (share == 1.0, share == 0.0)


@pytest.mark.parametrize("seats", [2, 4])
def test_between_the_hypotheses_nothing_is_decided_soon(seats):
    test = Sequential(-20, 20, seats)
    even = [0.0, 2 / seats] * 100
    assert not any(test.add(share) for share in even)
    found = test.verdict()
    assert found.decided == ""
    assert found.elo == pytest.approx(0)
    assert found.elo_ci95[0] < 0 < found.elo_ci95[1]


def test_equals_are_not_called_better():
    """Even results finally decide against a lead."""
    test = Sequential(0, 50, 2)
    assert any(test.add(share) for share in [0.0, 0.5, 1.0] * 300)
    assert test.verdict().decided == "not better"
    assert sum(test.verdict().pairs) == test.verdict().units


def test_before_anything_was_played():
    found = Sequential(0, 10, 2).verdict()
    assert found.decided == ""
    assert found.llr == 0
