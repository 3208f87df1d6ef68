"""Findings about the games of a selection as a whole, with their causes."""

from __future__ import annotations

from statistics import mean
from typing import TYPE_CHECKING, TypeVar

from draftengine.model.cardset.facts import steps_of
from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.dealing import DealStep
from draftengine.model.verbs.turns import ScoreStep

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.engine.program import Play, Program
    from draftengine.model.cardset.records import CardSet, Modifier, Rule
    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.verbs.verb import Step
    from draftengine.studies.playtest.counters import Counters
    from draftengine.studies.playtest.games import Played
    from draftengine.support.source import Span

AnyStep = TypeVar("AnyStep", bound="Step")

ENOUGH = 10
"""Least number of cases for a finding that says “always” or “on average”."""


def findings_of(played: Played) -> Iterator[Diagnostic]:
    """Yield what is odd about the games of one selection."""
    if played.counters.games < ENOUGH:
        return
    yield from _scores(played.model, played.counters)
    yield from _rounds(played.model, played.counters)
    yield from _modifiers(played)
    for rule in played.model.scoring:
        yield from _of_rule(rule, played.counters)


def _scores(model: CardSet, seen: Counters) -> Iterator[Diagnostic]:
    """Yield findings if all games end without points or level, or if choices do not matter."""
    if model.wins is not None or not model.scoring:
        return
    labels = {rule.at for rule in model.scoring} - {rule.at for rule in model.scoring if seen.told_apart[rule.id]}
    in_vain = [
        (path, step)
        for path, step in _steps(model, ScoreStep)
        if step.label in labels and seen.empty[step.label] and not seen.lying[step.label]
    ]
    blank = seen.blank == seen.games
    for path, step in in_vain:
        code, say = (
            "every-game-blank" if blank else "scores-nothing",
            "cleared" if seen.cleared[step.label] else "early",
        )
        yield diagnose(code, step.span, path, say=say, label=step.label, games=seen.games)
    first, choices = model.scoring[0], _steps(model, ChooseStep)
    if blank and not in_vain:
        yield diagnose("every-game-blank", first.span, first.path, games=seen.games)
    elif seen.level == seen.games and not blank:
        yield diagnose("every-game-level", first.span, first.path, games=seen.games)
    elif seen.replayed >= ENOUGH and seen.same == seen.replayed and choices:
        yield diagnose("choices-do-not-matter", choices[0][1].span, choices[0][0], games=seen.replayed)


def _rounds(model: CardSet, seen: Counters) -> Iterator[Diagnostic]:
    """Yield findings about rounds in which nobody ever chooses, and about cards that stay."""
    idle = [number for number, times in sorted(seen.idle.items()) if times == seen.rounds[number]]
    choices = _steps(model, ChooseStep)
    if idle and choices:
        deals = [(path, step) for path, step in _steps(model, DealStep) if path.startswith("/setup")]
        path, step = (deals or choices)[0]
        numbers = f"round {idle[0]}" if len(idle) == 1 else f"rounds {', '.join(map(str, idle[:-1]))} and {idle[-1]}"
        say = "once" if deals and 1 not in idle else "it"
        yield diagnose("idle-round", step.span, path, say=say, rounds=numbers, games=seen.games)
    lasting = len({rule.at for rule in model.scoring}) > 1 and not any(card.keep for card in model.cards)
    if seen.stayed >= ENOUGH and not seen.left and not lasting:  # cards must last if both rounds and the end are scored
        path, score = _steps(model, ScoreStep)[0]
        yield diagnose("cards-stay", score.span, path, games=seen.games)


def _modifiers(played: Played) -> Iterator[Diagnostic]:
    """Yield a finding for each modifier that is used but changes only the number of its free slots."""
    for modifier in played.model.modifiers:
        times = played.counters.happened["modified"][modifier.id]
        plays = [(table.program, play) for table in played.tables for play in table.program.plays]
        if times and not any(changes(program, play, modifier) for program, play in plays):
            path = f"/modifiers/{modifier.id}"
            yield diagnose("modifier-no-effect", modifier.span, path, modifier=modifier.id, times=times)


def changes(program: Program, play: Play, modifier: Modifier) -> bool:
    """True if a card adds something else with a modifier than without."""
    for index, bits in enumerate(play.modifiers):
        if program.modifier_of[bits] is modifier:
            one = next(field.one for field in program.fields if field.field_mask == bits)
            return play.increments[1 << index] + one != play.increment
    return False


def _of_rule(rule: Rule, seen: Counters) -> Iterator[Diagnostic]:
    """Yield findings if a rule gives all seats equal points, or rewards the wrong seats."""
    if seen.gave[rule.id] >= ENOUGH and not seen.told_apart[rule.id]:
        yield diagnose("rule-no-difference", rule.span, rule.path, rule=rule.id, games=seen.games)
    gave = {place: mean(values) for place, values in seen.ranks[rule.id].items() if len(values) >= ENOUGH}
    lists: dict[str, tuple[Span, str]] = {}
    first, second, fewest = gave.get("first", 0), gave.get("second", 0), gave.get("fewest", 0)
    for key in ("most", "fewest"):
        for place in getattr(rule.spec, key, ())[:1]:
            lists[key] = place.span, f"{rule.path}/{key}/0"
    if "most" in lists and second > first >= 0:
        yield diagnose("second-beats-first", *lists["most"], rule=rule.id, first=first, second=second)
    lost = any(value < 0 for values in seen.ranks[rule.id].values() for value in values)
    paid = fewest >= 0.5 * gave.get("most", 0) > 0 and fewest > gave.get("between", 0)
    if "fewest" in lists and paid and not lost:
        yield diagnose("fewest-rewarded", *lists["fewest"], rule=rule.id, fewest=fewest)


def _steps(model: CardSet, kind: type[AnyStep]) -> list[tuple[str, AnyStep]]:
    return [(path, step) for path, step in steps_of(model) if isinstance(step, kind)]
