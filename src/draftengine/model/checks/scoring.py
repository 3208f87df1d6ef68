"""Checks that every rule can score, that every `score` step has rules, and that tie-breakers help."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model.cardset.facts import constant, numbers_of, steps_of, with_most_copies
from draftengine.model.checks.conditions import ScopeFacts
from draftengine.model.checks.context import names_in, word_in
from draftengine.model.diagnostics import Related, diagnose, with_others
from draftengine.model.flow.counters import counters_of
from draftengine.model.language.bounds import bounds
from draftengine.model.language.evaluate import references
from draftengine.model.language.tree import Name
from draftengine.model.records import referenced_names
from draftengine.model.rules.kind import OneSeatKind, RankedKind
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.piles import ClearStep
from draftengine.model.verbs.turns import EndStep, ScoreStep
from draftengine.support.locale.phrases import quoted, said

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from draftengine.model.cardset.records import CardSet, Rule, TieBreaker
    from draftengine.model.checks.context import CheckContext
    from draftengine.model.diagnostics import Diagnostic
    from draftengine.model.verbs.verb import Step

_MANY = 300
"""The largest range whose values are all tried. In a larger range, only a few values are tried."""
_CORNERS = 10
"""The largest number of inputs for which all combinations of lowest and highest values are tried."""


def check_labels(model: CardSet) -> Iterator[Diagnostic]:
    """Yield findings about `score` steps with a label that no rule and no trigger has."""
    used = {rule.at for rule in model.scoring} | {trigger.after for trigger in model.triggers}
    for path, step in steps_of(model):
        if isinstance(step, ScoreStep) and step.label not in used:
            span = word_in(step.span, step.label)
            yield diagnose("score-without-rules", span, path, label=step.label)


def check_never(table: CheckContext) -> Iterator[Diagnostic]:
    """Yield findings about rules that can never give any seat a point."""
    yield from _absent(table)
    alike: dict[tuple[str, str], list[Rule]] = {}
    for rule in table.model.scoring:
        if rule.at not in dict(table.plan.scored):
            say = "after-end" if _end_before(table.model, rule.at) else "not-reached"
            alike.setdefault((say, rule.at), []).append(rule)
            continue
        checks = [table.checked(formula) for formula in rule.spec.inputs()]
        ranges = [(checked.low, checked.high) for checked in checks]
        room = _room_for_all(rule, table, ranges)
        more = said("hint.take-more")
        if room is not None:
            yield diagnose("rule-never-scores", rule.span, rule.path, say="too-few", hint=more, rule=rule.id, most=room)
        if room is not None or not ranges or not _scores_nothing(rule, table, ranges):
            continue
        if any(map(any, ranges)):
            worthless = _scores_nothing(rule, table, [(0, _MANY)] * len(ranges))
            say, most = ("worthless" if worthless else "too-few"), min(high for _, high in ranges)
            # If a seat with all cards of the rule would score, the steps give seats too few.
            names = [name for formula in rule.spec.inputs() for name in names_in(formula)]
            cards = ((card.count, numbers_of(card)) for card in with_most_copies(table.model.cards))
            supply = sum(count * max([0, *(numbers.get(name, 0) for name in names)]) for count, numbers in cards)
            enough = not _scores_nothing(rule, table, [(low, max(high, supply)) for low, high in ranges])
            hint = more if say == "too-few" and enough else None
            yield diagnose("rule-never-scores", rule.span, rule.path, say=say, hint=hint, rule=rule.id, most=most)
        else:
            alike.setdefault((_why_always_none(rule, table), ""), []).append(rule)
    for (say, label), (rule, *others) in alike.items():
        end = _end_before(table.model, label) if say == "after-end" else None
        cause = (Related(said("finding.is-here", name="end"), end.span),) if end else ()
        part = end.what if end else ""
        finding = diagnose("rule-never-scores", rule.span, rule.path, say=say, rule=rule.id, at=label, part=part)
        yield with_others(replace(finding, severity="warning", related=(*cause, *_places(others))), len(others))


def _end_before(model: CardSet, label: str) -> EndStep | None:
    """Return the step that always ends the round before the label is scored; None if there is none."""
    scored = [path.split("/")[1:3] for path, step in _score_steps(model) if step.label == label]
    for index, step in enumerate(model.round):
        if isinstance(step, EndStep) and step.when is None:
            return step if any(part == "round" and int(at) > index for part, at in scored) else None
    return None


def _places(rules: Iterable[Rule]) -> tuple[Related, ...]:
    return tuple(Related(said("finding.and-this-rule"), rule.span) for rule in rules)


def _why_always_none(rule: Rule, table: CheckContext) -> str:
    """Return the part of a message key that says why all inputs of a rule are always 0."""
    known = table.seat.names
    read = {name for formula in rule.spec.inputs() for _, name in references(formula.expr)}
    counters = {name for name in read if name not in known or known[name].kind == "counter"}
    if not counters or any(table.most.get(name, 0) > 0 for name in counters):
        return "zero"
    boxed = counters_of(table.model, table.players, any_table=True)
    if any(counter.high > 0 for counter in boxed if counter.id in counters):
        return "not-laid"
    return "no-card" if counters.isdisjoint(counter.id for counter in table.model.counters) else "not-raised"


def _absent(table: CheckContext) -> Iterator[Diagnostic]:
    """Yield findings about rules that are scored after the cards that they count have been cleared.

    If this is so at every score step with their label, one finding names the rules. Otherwise, there is a finding for
    each score step at which no rule of its label can give points.
    """
    leaving = _leaving(table.model)
    facts = _facts_without(leaving, table, {})
    bare = _scored_bare(table.model) if leaving else set()
    for label in dict.fromkeys(step.label for path, step in _score_steps(table.model) if path in bare):
        blank, steps = [], [(path, step) for path, step in _score_steps(table.model) if step.label == label]
        rules = [rule for rule in table.model.scoring if rule.at == label]
        for rule in rules:
            ranges = [bounds(formula.expr, facts) for formula in rule.spec.inputs()]
            before = [table.checked(formula) for formula in rule.spec.inputs()]
            counts = any(checked.low or checked.high for checked in before)
            if counts and not any(map(any, ranges)) and _scores_nothing(rule, table, ranges):
                blank.append(rule)
        if blank and all(path in bare for path, _ in steps):
            first, *others = blank
            listed = quoted(rule.id for rule in blank)
            say = "absent" if others else "absent-one"
            finding = diagnose("rule-never-scores", first.span, first.path, say=say, rules=listed, label=label)
            yield replace(finding, related=_places(others))
        elif blank and rules == blank and not any(trigger.after == label for trigger in table.model.triggers):
            for path, step in steps:
                if path in bare:
                    yield diagnose("scores-nothing", step.span, path, say="certain", label=label)


def _score_steps(model: CardSet) -> Iterator[tuple[str, ScoreStep]]:
    return ((path, step) for path, step in steps_of(model) if isinstance(step, ScoreStep))


def _leaving(model: CardSet) -> set[str]:
    """Return the names that count only cards that leave a zone when it is cleared."""
    names: dict[bool, set[str]] = {True: set(), False: set()}
    for card in model.cards:
        names[card.keep or card.forms is not None] |= {card.id, *card.family, *(counter for counter, _ in card.amounts)}
    for card in (card for card in model.cards if card.forms):
        names[True] |= {form for form in card.forms.of if card.keep} if card.forms else set()
    return names[False] - names[True] - {counter.id for counter in model.counters}


def _facts_without(gone: Collection[str], table: CheckContext, sizes: Mapping[str, int]) -> ScopeFacts:
    """Return the ranges of names after the cards counted by the names in `gone` have been cleared.

    `sizes` has the largest number of cards for each zone where it is known.
    """
    known = table.seat.names
    names = {name: replace(info, low=0, high=0) if name in gone else info for name, info in known.items()}
    return ScopeFacts(replace(table.seat, names=names), table.seat.max_seats, table.players, sizes)


_PATH_OF_END = "/winner"
"""A path for the end of the game, to be used like the paths of `score` steps."""


def _scored_bare(model: CardSet) -> set[str]:
    """Return the paths of `score` steps, and of the end, where only cards that survive clearing can lie.

    That is so if no step has brought other cards since the last clearing or the start of the game. Games with an `end`
    step are left out.
    """
    if any(isinstance(step, EndStep) for _, step in steps_of(model)) or sum(zone.counts for zone in model.zones) != 1:
        return set()
    bare: dict[str, bool] = {}
    later = "round" if model.rounds > 1 else ""
    for before, after, empty in (
        ("", "setup", True),
        ("setup", "round", True),
        ("round", later, False),
        ("round", "finish", False),
    ):
        now = empty
        for step in getattr(model, before, ()):
            now = _cleared_after(step, model, now)
        for index, step in enumerate(getattr(model, after, ())):
            if isinstance(step, ScoreStep):
                path = f"/{after}/{index}/{step.verb}"
                bare[path] = bare.get(path, True) and now
            now = _cleared_after(step, model, now)
    bare[_PATH_OF_END] = now
    return {path for path, is_bare in bare.items() if is_bare}


def _cleared_after(step: Step, model: CardSet, now: bool) -> bool:  # noqa: FBT001 (the state before, not an option)
    """True if zones where cards count have only cards that survive clearing, after a step.

    `now` is true if they had only such cards before the step.
    """
    if isinstance(step, ClearStep):
        return step.when is None or now
    counting = {zone.id for zone in model.zones if zone.counts}
    moving = isinstance(step, ChooseStep) or hasattr(step, "do")
    return now and not moving and counting.isdisjoint(referenced_names(step, "zone", "to"))


def _scores_nothing(rule: Rule, table: CheckContext, ranges: Sequence[tuple[int, int]]) -> bool:
    numbers = rule.spec.resolve(lambda formula: constant(formula, table.model, table.players))
    if isinstance(numbers, OneSeatKind):
        # All values of one input, or combinations of extremes; a few samples of long ranges and of many inputs.
        samples: Iterable[tuple[int, ...]] = (tuple(high for _, high in ranges), tuple(low for low, _ in ranges))
        if len(ranges) == 1:
            ((low, high),) = ranges
            samples = ((value,) for value in (range(low, high + 1) if high - low <= _MANY else (low, -1, 1, 2, high)))
        elif len(ranges) <= _CORNERS:
            samples = product(*(sorted(set(values)) for values in ranges))
        return not any(map(numbers.score, samples))
    assert isinstance(numbers, RankedKind)
    low, high = ranges[0]
    falling = [max(low, high - seat) for seat in range(table.seat.max_seats)]
    rising = [min(high, low + seat) for seat in range(table.seat.max_seats)]
    cases = [
        falling,
        rising,
        [high] + [low] * (table.seat.max_seats - 1),
        [low] + [high] * (table.seat.max_seats - 1),
        [high] * table.seat.max_seats,
        [low] * table.seat.max_seats,
    ]
    return not any(award.points for case in cases for awards in numbers.rank(case) for award in awards)


def _room_for_all(rule: Rule, table: CheckContext, ranges: Sequence[tuple[int, int]]) -> int | None:
    """Return the most cards that a seat can have, if a rule needs more; ``None`` if they are enough."""
    names = [formula.expr.id for formula in rule.spec.inputs() if isinstance(formula.expr, Name)]
    if not isinstance(rule.spec, OneSeatKind) or len(set(names)) < max(len(ranges), 2):
        return None
    most = ScopeFacts(table.seat, table.seat.max_seats, table.players, bounds=table.bounds).most_of_sum(
        dict.fromkeys(names, 1)
    )
    needs_each = all(
        _scores_nothing(rule, table, [(0, 0) if other == missing else ends for other, ends in enumerate(ranges)])
        for missing in range(len(ranges))
    )
    return most if most < len(names) and needs_each else None


def check_tie_breakers(table: CheckContext) -> Iterator[Diagnostic]:
    """Yield findings about tie-breakers that are equal for all tied seats in any case."""
    earlier: list[TieBreaker] = []
    plan = table.plan
    bare = _PATH_OF_END in _scored_bare(table.model) and not plan.stops
    end = _facts_without(_leaving(table.model) if bare else (), table, dict(plan.at_end) if plan.complete else {})
    for index, breaker in enumerate(table.model.winner.tie_breakers):
        path = f"/winner/tie_breakers/{index}/{'holder' if breaker.holder else breaker.order}"
        expr, checked = breaker.measure.expr, table.checked(breaker.measure)
        low, high = bounds(expr, end)
        say, value = "", 0
        if any(other.measure.expr == expr for other in earlier):
            say = "earlier"
        elif isinstance(expr, Name) and expr.id == "points" and not table.model.chips:
            say = "points"
        elif checked.names and not any(table.seat.names[name].per_seat for name in checked.names):
            say = "same"
        elif checked.low == checked.high:
            say, value = "always", checked.low
        elif low == high:
            say, value = "at-end", low
        if say:
            yield diagnose("useless-tie-breaker", breaker.measure.span, path, say=say, value=value)
        earlier.append(breaker)
