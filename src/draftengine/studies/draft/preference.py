"""Strengths of cards, estimated from choices between cards that were seen together.

The model is that of Bradley and Terry (1952): a card of strength *s* is taken before one of strength *t* with
probability ``s / (s + t)``. If seats take cards with probabilities in proportion to strengths (Luce 1959), then the
pairs of taken and left cards follow this model. Strengths are fitted by Newman's iteration with his prior: each card
has won and lost once against an average card of strength 1. So a card that is always taken first has a finite strength.
Source: M. E. J. Newman, Efficient computation of rankings from pairwise comparisons, Journal of Machine Learning
Research 24 (2023), 238.
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
    """Return the natural logarithm of each strength; 0 is average.

    ``won[a][b]`` is the number of times that card *a* was taken before card *b*.
    """
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
    """Return the factor that makes one strength optimal while all others stay fixed."""
    strength = values[index]
    up, down = prior / (strength + 1), prior * strength / (strength + 1)
    for other, its in enumerate(values):
        if other != index:
            up += wins[other] * its / (strength + its)
            down += losses[other] * strength / (strength + its)
    return up / down


def _centred(values: Sequence[float]) -> list[float]:
    """Return the strengths scaled so that, against average cards, expected wins equal expected losses.

    The prior implies that scale, but the iteration alone reaches it slowly.
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
    """Return the probability that a card is taken before an average one, from the log of its strength."""
    return 1 / (1 + exp(-rating))
