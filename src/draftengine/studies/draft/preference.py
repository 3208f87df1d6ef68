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
    found = [1.0] * len(won)
    lost = [list(column) for column in zip(*won, strict=True)]
    for _ in range(_MOST):
        before = found[:]
        for own in range(len(found)):
            found[own] *= _step(own, found, won[own], lost[own], prior)
        found = _centred(found)
        if max(abs(log(now / then)) for now, then in zip(found, before, strict=True)) < _CLOSE:
            break
    return [log(strength) for strength in found]


def _step(own: int, found: Sequence[float], wins: Sequence[float], losses: Sequence[float], prior: float) -> float:
    """By what factor one strength changes: to where it would be right if the others were."""
    strength = found[own]
    up, down = prior / (strength + 1), prior * strength / (strength + 1)
    for other, its in enumerate(found):
        if other != own:
            up += wins[other] * its / (strength + its)
            down += losses[other] * strength / (strength + its)
    return up / down


def _centred(found: Sequence[float]) -> list[float]:
    """The strengths on the scale that the prior asks for, which the iteration alone finds slowly.

    As many games against an average card are won as lost.
    """
    low, high = 1 / max(found), 1 / min(found)
    for _ in range(_HALVINGS):
        middle = sqrt(low * high)
        if sum(middle * own / (1 + middle * own) for own in found) > len(found) / 2:
            high = middle
        else:
            low = middle
    return [sqrt(low * high) * own for own in found]


def share(rating: float) -> float:
    """With what chance a card is taken before an average one, by the logarithm of its strength."""
    return 1 / (1 + exp(-rating))
