"""Units of observation, and the estimates computed from them."""

from __future__ import annotations

import random
from math import isclose, log, sqrt

import pytest

from draftengine.studies.arena import Ended, Pairing, Thinking, Unit, by_pairing, pairings
from draftengine.studies.arena.estimates import MIDDLE, deals_for, duels, mean_of, ranks, rate, share_of
from draftengine.studies.report.statistics import Z, wilson


def unit(deal, pairing, *winners, points=None):
    seats = len(winners)
    return Unit(deal, pairing, tuple(Ended(points or (0,) * seats, won) for won in winners))


def test_who_meets_whom():
    assert pairings(3, 2) == (Pairing(0, 1), Pairing(0, 2), Pairing(1, 2))
    assert pairings(2, 4, (1,)) == (Pairing(0, 1), Pairing(1, 0), Pairing(1, 1))


def test_a_unit_is_the_challengers_mean_over_all_seats():
    own = unit(0, Pairing(0, 1), (0,), (0, 1), (1, 2), points=(5, 3, 1))
    assert isclose(own.share, (1 + 1 / 2 + 1 / 2) / 3)
    assert isclose(own.margin, ((5 - 3) + (3 - 5) + (1 - 5)) / 3)


def test_at_two_seats_the_same_games_are_both_ways():
    own = unit(4, Pairing(0, 1), (0,), (0,), points=(9, 2))
    both = by_pairing([own])
    other = both[Pairing(1, 0)][0]
    assert own.share + other.share == 1
    assert own.margin == -other.margin == 0
    mirror = unit(4, Pairing(1, 1), (0,), (0, 1))
    assert list(by_pairing([mirror])) == [Pairing(1, 1)]


def test_intervals_count_deals_not_games():
    """Intervals count deals: four deals of two games give a wider one than eight independent games."""
    pairing = Pairing(0, 1)
    won, lost, split = ((0,), (1,)), ((1,), (0,)), ((0,), (0,))
    units = [unit(deal, pairing, *games) for deal, games in enumerate((won, won, lost, split))]
    values = [own.share for own in units]
    assert values == [1, 1, 0, 0.5]
    found = share_of(values)
    mean = 2.5 / 4
    variance = sum((value - mean) ** 2 for value in values) / 3
    assert isclose(found.mean, mean)
    assert isclose(found.sd, sqrt(variance))
    effective = mean * (1 - mean) / (variance / 4)
    centre = (mean + Z**2 / (2 * effective)) / (1 + Z**2 / effective)
    half = Z / (1 + Z**2 / effective) * sqrt(mean * (1 - mean) / effective + Z**2 / (4 * effective**2))
    assert found.ci95 == pytest.approx((centre - half, centre + half))
    low, high = wilson(mean, 8)
    assert found.ci95[1] - found.ci95[0] > high - low


def test_where_every_deal_is_split_little_is_uncertain():
    """If every deal is split, the interval is narrower than for as many independent games."""
    values = [0.5] * 96 + [1, 0] * 2
    found = share_of(values)
    low, high = wilson(0.5, 200)
    assert found.ci95[1] - found.ci95[0] < (high - low) / 2
    assert found.ci95[1] == pytest.approx(0.5 + Z * found.sd / 10, abs=0.001)


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_a_share_without_variance_is_not_certain(value):
    low, high = share_of([value] * 10).ci95
    assert 0.25 < high - low < 0.3
    assert low >= 0
    assert high <= 1


def test_one_deal_says_little():
    assert share_of([1.0]).ci95[0] < 0.5
    assert mean_of([3.0]).sd == 0


@pytest.mark.parametrize("seats", [2, 3])
def test_duels_compare_deal_by_deal(seats):
    one, two = Pairing(0, 1), Pairing(1, 0)
    won = tuple((seat,) for seat in range(seats))
    lost = tuple(((seat + 1) % seats,) for seat in range(seats))
    units = []
    for deal in range(20):
        units.append(unit(deal, one, *(won if deal % 4 else lost)))
        if seats > 2 and deal < 15:
            units.append(unit(deal, two, *lost))
    found = duels(by_pairing(units), 2)[0]
    assert found.difference.units == (20 if seats == 2 else 15)
    assert found.difference.mean == pytest.approx(0.5 if seats == 2 else 11 / 15)
    assert found.certain
    critical, power = Z, 0.8416212
    needed = ((critical + power) * found.difference.sd / found.difference.mean) ** 2
    assert found.deals_needed == pytest.approx(needed, abs=1)


def test_deals_for_a_width():
    """Published sizes hold: close bots at two seats, sd 0.28 per deal, need about 770 deals for ±2 points."""
    assert deals_for(0.28, 0.02) == pytest.approx(753, abs=1)


def test_ranks_follow_winners_then_points():
    """Ranks follow winners, then points, since tie-breakers may decide among the best totals."""
    assert ranks(Ended((9, 9, 4, 4), (1,))) == (2, 1, 3, 3)
    assert ranks(Ended((9, 9, 4), (0, 1))) == (1, 1, 3)


def games_of_known_strength(seats, strengths, deals):
    """Return games with known strengths, ranked at random by Plackett and Luce with Gumbel noise."""
    rng = random.Random(5)
    units = []
    for deal in range(deals):
        for own in pairings(len(strengths), seats):
            games = []
            for challenged in range(seats):
                noise = [-log(-log(rng.random())) for _ in range(seats)]
                points = [100 * (strengths[own.bot_at(seat, challenged)] + noise[seat]) for seat in range(seats)]
                games.append(Ended(tuple(map(round, points)), (max(range(seats), key=points.__getitem__),)))
            units.append(Unit(deal, own, tuple(games)))
    return units


@pytest.mark.parametrize("seats", [2, 4])
def test_ratings_find_known_strengths(seats):
    units = games_of_known_strength(seats, (1.5, 0, -0.5), 60 // seats)
    first, second, third = found = rate(3, units, "seed")
    scale = MIDDLE / 6 * sqrt(seats)
    assert first.mu - second.mu == pytest.approx(1.5 * scale, abs=0.5 * scale)
    assert second.mu - third.mu == pytest.approx(0.5 * scale, abs=0.5 * scale)
    assert first.ci95[0] > second.ci95[1]
    assert sum(own.mu for own in found) == pytest.approx(3 * MIDDLE)
    assert rate(3, units, "seed") == found
    other = rate(3, units[::-1], "another seed")
    assert [own.mu for own in other] == pytest.approx([own.mu for own in found], abs=0.3 * scale)


def test_mirrors_do_not_rate():
    even = unit(0, Pairing(0, 1), (0,), (0,))
    mirror = unit(0, Pairing(0, 0), (0,), (0,))
    assert rate(2, [even, mirror], 1) == rate(2, [even], 1)


def test_thinking_is_counted_to_two_percent():
    both, two = Thinking(), Thinking()
    for number in range(1, 1001):
        (both if number % 2 else two).note(number / 1000, 10)
    both.add(two)
    assert both.decisions == 1000
    assert both.mean_iterations == 10
    assert both.percentile(0.5) == pytest.approx(500, rel=0.025)
    assert both.percentile(0.95) == pytest.approx(950, rel=0.025)
    assert both.percentile(1) <= 1000 * both.longest == 1000
    assert Thinking().percentile(0.5) == 0
