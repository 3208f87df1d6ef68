"""What is taken rather than what: a strength for every card from choices between cards that were seen together.

The model is that of Bradley and Terry (1952): of two cards, one of strength *s* is taken before one of strength *t*
with chance ``s / (s + t)``. If a seat takes a card of a hand with a chance that goes by its strength (Luce 1959), the
pairs of what it takes and what it leaves have these strengths too. They are fitted by Newman's iteration, with his
prior: every card has won and lost once against an average one, of strength 1, so that a card that is always taken first
has a strength as well. M. E. J. Newman, Efficient computation of rankings from pairwise comparisons, Journal of Machine
Learning Research 24 (2023), 238.
"""

from __future__ import annotations

from math import exp, log, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_CLOSE = 1e-9
_MOST = 10_000
_HALVINGS = 50


def strengths(won: Sequence[Sequence[float]], prior: float = 1.0) -> list[float]:
    """The natural logarithm of every strength; 0 is average. `won` has a row for each: how often it beat each other."""
    values = [1.0] * len(won)
    lost = [list(column) for column in zip(*won, strict=True)]
    for _ in range(_MOST):
        before = values[:]
        for index in range(len(values)):
            values[index] *= _step(index, values, won[index], lost[index], prior)
        values = _centred(values)
        if max(abs(log(now / then)) for now, then in zip(values, before, strict=True)) < _CLOSE:
            break
    return [log(strength) for strength in values]


def _step(index: int, values: Sequence[float], wins: Sequence[float], losses: Sequence[float], prior: float) -> float:
    """By what factor one strength changes: to where it would be right if the others were."""
    strength = values[index]
    up, down = prior / (strength + 1), prior * strength / (strength + 1)
    for other, its in enumerate(values):
        if other != index:
            up += wins[other] * its / (strength + its)
            down += losses[other] * strength / (strength + its)
    return up / down


def _centred(values: Sequence[float]) -> list[float]:
    """The strengths on the scale that the prior asks for, which the iteration alone finds slowly.

    As many games against an average card are won as lost.
    """
    low, high = 1 / max(values), 1 / min(values)
    for _ in range(_HALVINGS):
        middle = sqrt(low * high)
        if sum(middle * value / (1 + middle * value) for value in values) > len(values) / 2:
            high = middle
        else:
            low = middle
    return [sqrt(low * high) * value for value in values]


def share(rating: float) -> float:
    """With what chance a card is taken before an average one, by the logarithm of its strength."""
    return 1 / (1 + exp(-rating))
