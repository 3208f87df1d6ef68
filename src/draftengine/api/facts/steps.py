"""The steps of a round in words: as a numbered list that combines similar steps, and as a picture."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.cardset.effects import effect_lists
from draftengine.model.cardset.facts import constants, ranked_seats, steps_of, steps_of_round
from draftengine.model.language.bounds import UNKNOWN, bounds
from draftengine.model.verbs.action_phrases import differing
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.effects import Changing, SetStep
from draftengine.model.verbs.verb import with_else

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from draftengine.api.phrasing import CardSetPhraser
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.language.environment import Range
    from draftengine.model.language.tree import Expr
    from draftengine.model.verbs.action_phrases import RecordDifference
    from draftengine.model.verbs.verb import Step


def can_hold(condition: Expr, model: CardSet, players: int) -> bool:
    """True if a condition may be true in a game with this number of players.

    It is false only if the ranges of the names in the condition prove that the condition never holds.
    """
    facts = _Facts({name: (value, value) for name, value in constants(model, players).items()}, model, players)
    # Counters that change only by being set to constants have few values, if actions that are never open are left out.
    closed = {
        f"{path}/as/{way.id}/do"
        for path, step in steps_of(model)
        for way in (step.as_ if isinstance(step, ChooseStep) else ())
        if way.when is not None and bounds(way.when.expr, facts) == (0, 0)
    }
    declared = {counter.id: counter for counter in model.counters}
    values = {counter.id: {counter.start, 0} for counter in model.counters if counter.die is None}
    changed = {name for card in model.cards for name, _ in card.adds}
    changed |= {amount.counter for modifier in model.modifiers for amount in modifier.then}
    for effect in (effect for listed in effect_lists(model) if listed.path not in closed for effect in listed.effects):
        for amount in effect.amounts if isinstance(effect, Changing) else ():
            low, high = bounds(amount.formula.expr, facts)
            if isinstance(effect, SetStep) and low == high and amount.counter in values:
                values[amount.counter].add(declared[amount.counter].within(low))
            else:
                changed.add(amount.counter)
    known = {name: (min(numbers), max(numbers)) for name, numbers in values.items() if name not in changed}
    return bounds(condition, _Facts({**known, **facts.ranges}, model, players)) != (0, 0)


class _Facts(Struct, frozen=True):
    """The lowest and highest value of each name, for `draftengine.model.language.bounds`."""

    ranges: Mapping[str, Range]
    model: CardSet
    player_count: int

    @property
    def seat_count(self) -> int:
        return ranked_seats(self.model, self.player_count)

    def range_of(self, function: str, name: str, _seat: int) -> Range:
        return self.ranges.get(name, UNKNOWN) if function == "name" else UNKNOWN


_ALIKE = 3
"""The smallest number of similar consecutive steps that are combined into one line.

Such steps differ only in their zones or in a number.
"""
_FEW = 3
"""The largest number of combined steps for which the line mentions each one."""
_NUMBER = re.compile(r"\d+")


class _Told(Struct, frozen=True):
    """A step in words, and the numbers of players with which it can occur."""

    step: Step
    does: Step
    """The step without its condition, if the condition depends only on the number of players."""
    text: str
    counts: tuple[int, ...]
    times: int = 1
    """The number of consecutive steps with this text."""


class StepList(Struct, frozen=True):
    """Steps before the first round or after the last one."""

    lines: tuple[str, ...]
    repeats: bool
    """True if some steps repeat, so that the lines are numbered; otherwise each line is a sentence."""


def list_of(steps: Sequence[Step], speech: CardSetPhraser) -> StepList:
    """Return the steps before the first round, or after the last one, in words."""
    repeats = any(step.within for step in steps)
    return StepList(steps_said(steps, speech) if repeats else tuple(map(speech.step, steps)), repeats)


def steps_said(steps: Sequence[Step], speech: CardSetPhraser) -> tuple[str, ...]:
    """Return the lines of a numbered list of steps.

    Steps that cannot occur with any number of players are left out.
    """
    lines: list[str] = []
    _tell(steps, speech.listing(), lines)
    return tuple(lines)


def _tell(steps: Sequence[Step], speech: CardSetPhraser, lines: list[str]) -> None:
    """Append the lines about steps to `lines`.

    A step with inner steps has a line with the numbers of their lines. That line comes before the inner steps, or after
    them if they are repeated until a condition holds.
    """
    possible = [entry for entry in (_told(part, speech) for part in with_else(steps)) if entry.counts]
    entries = list(_repeated(possible, speech))
    place = 0
    while place < len(entries):
        # One line describes a run of steps. The first one applies to all numbers of players, and each further one to
        # the same numbers or fewer.
        end = place + 1
        if entries[place].counts == tuple(speech.counts):
            while end < len(entries) and _follows(entries[place], entries[end], end - place, entries[end - 1].counts):
                end += 1
        run = entries[place : end if end - place >= _ALIKE else place + 1]
        place += len(run)
        first = run[0]
        if not speech.listed(first.step):
            alone = first.text if first.times > 1 else speech.step(first.step)
            lines.append(_of_run(run, speech) if len(run) > 1 else alone)
            continue
        leads = first.step.leads or getattr(first.step, "times", None) is not None
        position = len(lines)
        lines += [""] if leads else []
        start = len(lines) + 1
        _tell(speech.listed(first.step), speech, lines)
        span = speech.range(start, len(lines))
        sentence = speech.phrase("steps", count=len(lines) - start + 1, steps=span, text=speech.step(first.step))
        lines[position if leads else len(lines) : position + 1 if leads else len(lines)] = [sentence]
        if len(run) > 1:
            span, same = speech.range(position + 1, len(lines)), _others_said(run, speech)
            lines.append(speech.phrase("steps", count=len(lines) - position, steps=span, text=same))


def _repeated(entries: Sequence[_Told], speech: CardSetPhraser) -> Iterator[_Told]:
    """Yield the entries, but consecutive steps with the same text as one entry that says how often."""
    for _, group in groupby(entries, lambda entry: (entry.text, entry.counts)):
        first, *others = alike = list(group)
        if not others or speech.listed(first.step):
            yield from alike
            continue
        key = "steps.times" if first.does.when is None else "steps.times.up_to"
        yield replace(first, text=speech.phrase(key, count=len(alike), text=first.text), times=len(alike))


def _told(step: Step, speech: CardSetPhraser) -> _Told:
    """Return a step in words, without a condition that depends only on the number of players."""
    if step.when is None:
        return _Told(step, step, speech.step(step), tuple(speech.counts))
    counts = tuple(count for count in speech.counts if can_hold(step.when.expr, speech.model, count))
    if all(speech.at(step.when.expr, count) is not None for count in speech.counts):
        return _Told(step, replace(step, when=None), speech.without_condition(step), counts)
    return _Told(step, step, speech.step(step), counts)


def _follows(first: _Told, entry: _Told, further: int, counts: Sequence[int]) -> bool:
    """True if a step can be combined with the first one: they differ only in zones, or in one number.

    That number must be greater by `further`, the distance between the steps. `counts` are the numbers of players that
    the previous step applies to.
    """
    difference = differing(first.does, entry.does) if entry.times == first.times else None
    if difference is None or not (difference.zones or difference.numbers):
        return False
    if difference.numbers and set(difference.numbers) != {
        (difference.numbers[0][0], difference.numbers[0][0] + further)
    }:
        return False
    return (
        set(entry.counts) <= set(counts)
        if _is_counted(difference)
        else entry.counts == first.counts and len(difference.zones) == 1
    )


def _is_counted(difference: RecordDifference) -> bool:
    """True if steps differ by a number: an amount, or a number within the ids of zones."""
    return bool(difference.numbers) or all(_NUMBER.sub("", a) == _NUMBER.sub("", b) for a, b in difference.zones)


def _of_run(run: Sequence[_Told], speech: CardSetPhraser) -> str:
    """Return one text for several similar steps: the first one's sentence, and how the others differ."""
    return speech.joined([run[0].text, _others_said(run, speech)])


def _others_said(run: Sequence[_Told], speech: CardSetPhraser) -> str:
    """Return the sentence about how the other steps of a run differ from the first one."""
    others = [difference for entry in run[1:] if (difference := differing(run[0].does, entry.does)) is not None]
    names: list[list[str]] = []
    for difference in others:
        numbers = dict.fromkeys(str(number) for _, number in difference.numbers)
        names.append([*numbers, *(speech.zone(zone).form("one") for _, zone in difference.zones)])
    last: dict[str, list[int]] = {}
    for count in speech.counts:
        reached = max(index for index, entry in enumerate(run) if count in entry.counts)
        last.setdefault(names[reached - 1][-1], []).append(count)
    few = len(run) <= _FEW and len(last) == 1 and all(len(group) == 1 for group in names)
    if few or not all(map(_is_counted, others)):
        each = speech.join_list([name for group in names for name in group])
        return speech.phrase("steps.same", list=each)
    up_to = speech.join_list(names[-1])
    if len(last) > 1:
        up_to = speech.join_list(list(last), "or") + speech.for_players(list(last.values()))
    return speech.phrase("steps.same.up_to", second=speech.join_list(names[0]), last=up_to)


_SHOWN = frozenset({"deal", "draw", "choose", "pass", "score", "clear", "gather"})


class Stage(Struct, frozen=True):
    """One step in a picture of the round, in a word or two."""

    title: str
    text: str
    again: bool
    """True if the step belongs to a part of the round that is repeated."""


class Flow(Struct, frozen=True):
    """The stages of a round, with the numbers of turns and rounds in words."""

    stages: tuple[Stage, ...]
    turns: str
    """The number of turns, in words."""
    rounds: str
    """The number of rounds, in words."""
    goes_round: bool
    """True if there are several rounds."""

    @property
    def words(self) -> str:
        """The picture as text: the titles of the stages joined by arrows, and the number of rounds."""
        return f"{' → '.join(stage.title for stage in self.stages)}; {self.rounds}" if self.stages else ""


def flow_of(speech: CardSetPhraser) -> Flow:
    """Return the stages of a round. Equal consecutive stages become one, with the number of repetitions."""
    runs = [(stage, len([*alike])) for stage, alike in groupby(_stages(steps_of_round(speech.model), speech))]
    stages = [stage if times == 1 else replace(stage, title=f"{stage.title} ×{times}") for stage, times in runs]
    rounds = speech.phrase("turn.open" if speech.model.until else "turn.rounds", count=speech.rounds)
    loop = next((step for step in speech.model.round if step.listed and step.verb != "do"), None)
    times = getattr(loop, "times", None)
    if times is not None:
        cards = speech.cards(times)
        known = cards.single is not None
        again = speech.phrase("turn.times", count=cards.single) if known else speech.phrase("turn.until")
    else:
        again = speech.phrase("turn.again" if getattr(loop, "until_empty", None) == "hand" else "turn.until")
    return Flow(tuple(stages), again, rounds, goes_round=speech.rounds != 1)


def _stages(steps: Sequence[Step], speech: CardSetPhraser, *, again: bool = False) -> Iterator[Stage]:
    for step in steps:
        if step.when is not None and speech.constant(step.when.expr) == 0:
            continue
        if step.listed:
            yield from _stages(speech.listed(step), speech, again=again or step.verb != "do")
        elif step.verb in _SHOWN:
            zone_from, zone_to = getattr(step, "from_", ""), getattr(step, "to", "")
            if step.verb == "draw" and zone_to != "hand":
                key = "pic.take" if speech.in_the_open(zone_from) else "pic.add"
                yield Stage(speech.phrase(key), _cards(step, speech), again)
            elif step.verb in {"deal", "draw"}:
                yield Stage(speech.phrase(f"pic.{step.verb}"), _cards(step, speech), again)
            elif step.verb == "choose":
                aside = zone_from == "hand" and not speech.in_the_open(zone_to)
                taken = zone_from != "hand" or getattr(step, "who", None) is not None
                if aside or taken:
                    yield Stage(speech.phrase("pic.keep" if aside else "pic.take"), _cards(step, speech), again)
                else:
                    count = speech.cards(getattr(step, "cards", None)).numbers
                    how = "" if getattr(step, "as_", ()) else speech.phrase("pic.face_down", count=count)
                    yield Stage(speech.phrase("pic.choose"), how, again)
                    yield Stage(speech.phrase("pic.reveal"), speech.phrase("pic.together"), again)
            elif step.verb == "pass":
                ways = set(zone_to)
                way = speech.phrase(f"pic.{ways.pop()}") if len(ways) == 1 else speech.phrase("pic.ways")
                yield Stage(speech.phrase("pic.pass"), way, again)
            else:
                yield Stage(speech.phrase(f"pic.{step.verb}"), "", again)


def _cards(step: Step, speech: CardSetPhraser) -> str:
    cases = getattr(step, "cards", None)
    cards = speech.cards(cases)
    if cards.single is not None:
        return cards.text
    numbers = sorted({number for number in speech.numbers(cases) if number is not None})
    if len(numbers) > 1:
        return speech.phrase("pic.range", low=numbers[0], high=numbers[-1])
    return ""
