"""Checks that counters, points and decks do not become too large for a game."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.model import limits
from draftengine.model.cardset.effects import all_effects, cards_wander, effect_lists, modifiers_for
from draftengine.model.cardset.facts import most_points, steps_of
from draftengine.model.cardset.pieces import pieces_in
from draftengine.model.checks.context import name_in_file, word_in
from draftengine.model.diagnostics import diagnose
from draftengine.model.records import walk
from draftengine.model.records.reader import ByPlayerCount
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.dealing import Dealing, DealStep, DrawStep
from draftengine.model.verbs.effects import Changing, PointsStep
from draftengine.model.verbs.piles import MoveStep, PassStep, ShuffleStep
from draftengine.model.verbs.turns import RepeatStep

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import CardSet
    from draftengine.model.checks.context import CheckContext
    from draftengine.model.diagnostics import Diagnostic
    from draftengine.support.source import Span


_MOVING = {ChooseStep, DealStep, DrawStep, MoveStep, PassStep, ShuffleStep, RepeatStep}
"""Steps that only move cards, and repeats, whose inner steps are examined, too."""


def check_cards(model: CardSet) -> Iterator[Diagnostic]:
    """Yield findings about cards with too many modifiers, and cards that must not leave a tableau."""
    faced = next((card for card in model.cards if card.face is not None), None)
    if faced and cards_wander(model):  # all seats must see which card leaves
        yield diagnose("card-not-plain", word_in(faced.span, "face"), f"/cards/{faced.id}/face", say="face")
    for card in model.cards:
        applied = modifiers_for(model, card)
        if len(applied) > limits.MODIFIERS_OF_A_CARD:
            yield diagnose(
                "too-many-modifiers",
                card.span,
                f"/cards/{card.id}",
                number=len(applied),
                card=card.id,
                most=limits.MODIFIERS_OF_A_CARD,
            )
        # The card of an ability that takes its card back must lie in the tableau as itself, so it can be neither a
        # wild card nor a form of one.
        for ability in model.abilities:
            if card.forms and ability.returns_to != "stays" and ability.card in {card.id, *card.forms.of}:
                yield diagnose(
                    "wild-card-leaves",
                    card.forms.span,
                    f"/cards/{card.id}/forms",
                    say="own" if ability.card == card.id else "form",
                    card=card.id,
                    form=ability.card,
                    ability=ability.id,
                )
    pieces = list(pieces_in(model))
    if sum(count for _, count in pieces) > limits.PIECES:
        card, count = max(pieces, key=itemgetter(1))
        first = model.modifiers[0]
        yield diagnose(
            "too-many-pieces", first.span, f"/modifiers/{first.id}", most=limits.PIECES, card=card.id, count=count
        )


def check_bounds(model: CardSet) -> Iterator[Diagnostic]:
    """Yield findings about counters whose lowest value is above their highest."""
    for counter in model.counters:
        if counter.min is not None and counter.max is not None and counter.min > counter.max:
            name = name_in_file(counter.id, counter.span)
            yield diagnose(
                "out-of-range",
                counter.span,
                f"/counters/{name}",
                say="bounds",
                counter=name,
                min=counter.min,
                max=counter.max,
            )


def check_copies(table: CheckContext) -> Iterator[Diagnostic]:
    """Yield findings about cards that state no number of copies for this number of players."""
    for card in table.model.cards:
        if card.counts and table.players not in dict(card.counts):
            span = word_in(card.span, "count")
            yield diagnose("missing-player-count", span, f"/cards/{card.id}/count", card=card.id, players=table.players)


def check_counters(table: CheckContext) -> Iterator[Diagnostic]:
    """Yield findings about counters that have no bounds or too wide a range."""
    declared = {counter.id: counter for counter in table.model.counters}
    for info in table.counters:
        if info.bounded and info.high - info.low <= limits.COUNTER_RANGE:
            continue
        counter = declared.get(info.id)
        # A counter that is not declared has a finding at the first place that changes it.
        changing = (effect for effect in all_effects(table.model) if isinstance(effect, Changing))
        changes = [each for effect in changing for each in effect.amounts if each.counter == info.id]
        modified = (change for modifier in table.model.modifiers for change in modifier.then)
        spans = [each.span for each in (*changes, *(change for change in modified if change.counter == info.id))]
        spans += [word_in(card.span, info.id) for card in table.model.cards if info.id in dict(card.adds)]
        span = counter.span if counter else spans[0]
        say, most = ("large" if info.bounded else "unbounded"), max(info.high, -info.low)
        yield diagnose(
            "counter-unlimited",
            span,
            f"/counters/{info.id}",
            say=say,
            counter=info.id,
            most=most,
            limit=limits.COUNTER_RANGE,
        )


def check_points(table: CheckContext) -> Iterator[Diagnostic]:
    """Yield a finding if all possible changes of points can add up to more than `limits.POINTS`.

    Of the actions of a choice, only the one that changes points most counts. The finding is at the first effect or rule
    with which the sum is too large.
    """
    # For each rule and effect, the largest change of a seat's points in a game, with its place.
    scored = dict(table.plan.scored)
    changes = []
    for rule in table.model.scoring:
        times = scored.get(rule.at, 0) * max(1, table.most.get(rule.card, 1))
        size = times * most_points(rule, table.model, table.players, table.seat)
        changes.append((size, rule.span, rule.path))
    again = sum(ability.take * ability.per_turn for ability in table.model.abilities)
    plays = table.plan.plays_in_game + again * table.plan.reveals
    for listed in effect_lists(table.model):
        times = table.plan.times(listed, plays)
        for effect in (effect for effect in listed.effects if isinstance(effect, PointsStep)):
            amount = table.checked(effect.amount)
            changes.append((times * max(abs(amount.low), abs(amount.high)), effect.amount.span, listed.path))
    total = 0
    by_way: dict[str, dict[str, int]] = {}
    for size, span, path in changes:
        choice, _, way = path.partition("/as/")
        ways = by_way.setdefault(choice if way else path, {})
        before, name = max(ways.values(), default=0), way.partition("/")[0]
        ways[name] = ways.get(name, 0) + size
        total += max(ways.values()) - before
        if total > limits.POINTS:
            yield diagnose("points-unlimited", span, path, most=limits.POINTS)
            return


def check_flow(table: CheckContext) -> Iterator[Diagnostic]:
    """Yield the findings of the dry run (see `draftengine.model.flow`)."""
    yield from _placed(table.plan.findings, table.model)


def check_idle(table: CheckContext) -> Iterator[Diagnostic]:
    """Yield findings about steps that never move a card, and about turns and rounds without effect."""
    yield from _placed(table.plan.idle, table.model)
    if not table.plan.complete:
        return
    # Repeats whose zone is always empty before them: an error if nobody ever chooses a card.
    steps = steps_of(table.model)
    begun = {id(steps[index][1]): turns for index, _, turns in table.plan.repeats}
    idle = [(path, step) for path, step in steps if isinstance(step, RepeatStep) and begun.get(id(step)) == 0]
    choices = [path for path, step in steps if isinstance(step, ChooseStep)]
    chosen = any(not path.startswith(tuple(f"{place}/" for place, _ in idle)) for path in choices)
    for path, repeat in idle:
        if repeat.until_empty:
            place, code = word_in(repeat.span, repeat.until_empty), "idle-step" if chosen else "idle-round"
            yield diagnose(code, place, path, say="never-begins", zone=repeat.until_empty)
    # Repeats whose last turns do nothing. Games with triggers are left out, and so are repeats with steps that do more
    # than move cards.
    for index, active, turns in table.plan.repeats if not table.model.triggers else ():
        path, step = steps[index]
        waiting = [*step.within]
        while waiting and type(waiting[-1]) in _MOVING and not waiting[-1].branches:
            waiting += waiting.pop().within
        if 0 < active < turns and not waiting:
            yield diagnose("idle-step", step.span, path, say="turns", active=active, turns=turns)
    first, *later = table.plan.rounds or (None,)
    if first is not None and first.turns and later and not any(each.turns for each in later):
        dealing = [(path, step) for path, step in steps if isinstance(step, Dealing)]
        once = all(path.startswith("/setup") for path, _ in dealing)
        for path, step in dealing[:1] if once else ():
            yield diagnose("idle-round", step.span, path, say="certain", rounds=table.model.rounds)


def _placed(findings: tuple[Diagnostic, ...], model: CardSet) -> Iterator[Diagnostic]:
    """Yield the findings, each with the JSON Pointer of the step that it is about."""
    paths: dict[Span, str] = {}
    for path, step in steps_of(model) if findings else ():
        paths[step.span] = path
        for _, cases, place in walk(step, path.rpartition("/")[0]):
            if isinstance(cases, ByPlayerCount):
                paths |= dict.fromkeys((cases.span, *(formula.span for _, formula in cases.cases)), place)
    for finding in findings:
        yield replace(finding, path=paths.get(finding.span, finding.path))
