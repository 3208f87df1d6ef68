"""Can every rule score, and does every score step have something to score."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from draftengine.model.cardset.facts import constant, steps_of
from draftengine.model.checks.spans import word_in
from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.rules.kind import OneSeatKind, RankedKind
from draftengine.model.verbs import score

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from draftengine.model.cardset.records import CardSet, Rule
    from draftengine.model.checks.context import CheckContext
    from draftengine.model.diagnostics.diagnostic import Diagnostic

_MANY = 300
"""So many values are tried one by one; of more only the extremes."""
_CORNERS = 10


def check_labels(model: CardSet) -> Iterator[Diagnostic]:
    """Score steps that score nothing."""
    used = {rule.at for rule in model.scoring} | {trigger.after for trigger in model.triggers}
    for path, step in steps_of(model):
        if isinstance(step, score.ScoreStep) and step.label not in used:
            span = word_in(step.span, step.label)
            yield diagnose("score-without-rules", span, path, label=step.label)


def check_never(table: CheckContext) -> Iterator[Diagnostic]:
    """Rules that never give anybody a point, whatever happens."""
    for rule in table.model.scoring:
        path = rule.path
        if rule.at not in dict(table.plan.scored):
            yield diagnose(
                "rule-never-scores", rule.span, path, say="not-reached", severity="warning", rule=rule.id, at=rule.at
            )
            continue
        checks = [table.checked(formula) for formula in rule.spec.inputs()]
        ranges = [(checked.low, checked.high) for checked in checks]
        if ranges and _scores_nothing(rule, table, ranges):
            yield _never(rule, ranges, path)


def _never(rule: Rule, ranges: Sequence[tuple[int, int]], path: str) -> Diagnostic:
    if not any(low or high for low, high in ranges):
        return diagnose("rule-never-scores", rule.span, path, say="no-card", severity="warning", rule=rule.id)
    most = min(high for _, high in ranges)
    return diagnose("rule-never-scores", rule.span, path, say="too-few", rule=rule.id, most=most)


def _scores_nothing(rule: Rule, table: CheckContext, ranges: Sequence[tuple[int, int]]) -> bool:
    numbers = rule.spec.resolve(lambda formula: constant(formula, table.model, table.players))
    if isinstance(numbers, OneSeatKind):
        return not any(numbers.score(values) for values in _samples(ranges))
    assert isinstance(numbers, RankedKind)
    return _ranks_nothing(numbers, ranges[0], table.seat.max_seats)


def _samples(ranges: Sequence[tuple[int, int]]) -> Iterable[tuple[int, ...]]:
    """All values of a single input; of several inputs, every combination of their extremes."""
    if len(ranges) == 1:
        ((low, high),) = ranges
        return ((value,) for value in (range(low, high + 1) if high - low <= _MANY else (low, -1, 1, 2, high)))
    if len(ranges) <= _CORNERS:
        return product(*(sorted(set(values)) for values in ranges))
    return (tuple(high for _, high in ranges), tuple(low for low, _ in ranges))


def _ranks_nothing(numbers: RankedKind[int], bounds: tuple[int, int], seats: int) -> bool:
    """Whether no award is given in the cases that matter: all different, one ahead, one behind, all equal."""
    low, high = bounds
    falling = [max(low, high - seat) for seat in range(seats)]
    rising = [min(high, low + seat) for seat in range(seats)]
    cases = [falling, rising, [high] + [low] * (seats - 1), [low] + [high] * (seats - 1), [high] * seats, [low] * seats]
    return not any(award.points for case in cases for awards in numbers.rank(case) for award in awards)
