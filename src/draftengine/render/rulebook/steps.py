"""The steps of a round as they are read: a numbered list, in which steps that are alike are told once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.api.phrasing.possible import unreachable_conditions
from draftengine.model.records.similar import differing
from draftengine.model.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.phrasing.phraser import CardSetPhraser
    from draftengine.model.records.similar import RecordDifference
    from draftengine.model.verbs.verb import Step

_ALIKE = 3
"""So many steps in a row that differ by zones or a number alone are told as one."""
_NUMBER = re.compile(r"\d+")


class _Told(Struct, frozen=True):
    """A step in words, and the numbers of players with which it can happen."""

    step: Step
    does: Step
    """What it does; without the condition, if that only asks how many play."""
    text: str
    counts: tuple[int, ...]


def steps_said(steps: Sequence[Step], speech: CardSetPhraser) -> tuple[str, ...]:
    """The lines of the list, without steps that cannot happen with any number of players that is spoken of."""
    lines: list[str] = []
    _tell(steps, speech.listing(), lines)
    return tuple(lines)


def _tell(steps: Sequence[Step], speech: CardSetPhraser, lines: list[str]) -> None:
    """What is repeated comes before the line that says so, what is done in turn behind it; both name their steps."""
    for run in _runs([own for step in steps if (own := _told(step, speech)).counts], speech):
        first = run[0]
        if not first.step.within:
            lines.append(_of_run(run, speech) if len(run) > 1 else speech.step(first.step))
            continue
        leads = VERBS[first.step.verb].leads
        at = len(lines)
        lines += [""] if leads else []
        start = len(lines) + 1
        _tell(first.step.within, speech, lines)
        span = f"{start}–{len(lines)}" if len(lines) > start else str(start)
        said = speech.phrase("steps", count=len(lines) - start + 1, steps=span, text=speech.step(first.step))
        lines[at if leads else len(lines) : at + 1 if leads else len(lines)] = [said]


def _told(step: Step, speech: CardSetPhraser) -> _Told:
    """A step; where its condition only asks how many play, the sentence leaves that to the numbers of players."""
    if step.when is None:
        return _Told(step, step, speech.step(step), tuple(speech.counts))
    counts = tuple(count for count in speech.counts if unreachable_conditions(step.when.expr, speech.model, count))
    if all(speech.at(step.when.expr, count) is not None for count in speech.counts):
        return _Told(step, replace(step, when=None), speech.without_condition(step), counts)
    return _Told(step, step, speech.step(step), counts)


def _runs(told: Sequence[_Told], speech: CardSetPhraser) -> Iterator[Sequence[_Told]]:
    """Steps in a row that are told as one: the first with all players, the others with ever fewer numbers of them."""
    at = 0
    while at < len(told):
        end = at + 1
        if told[at].counts == tuple(speech.counts) and not told[at].step.within:
            while end < len(told) and _follows(told[at], told[end], end - at, told[end - 1].counts):
                end += 1
        end = end if end - at >= _ALIKE else at + 1
        yield told[at:end]
        at = end


def _follows(first: _Told, own: _Told, further: int, counts: Sequence[int]) -> bool:
    """Is a step the first one with other zones, and with numbers that are so much greater."""
    found = None if own.step.within else differing(first.does, own.does)
    if found is None or not (found.zones or found.numbers):
        return False
    if found.numbers and set(found.numbers) != {(found.numbers[0][0], found.numbers[0][0] + further)}:
        return False
    return (
        set(own.counts) <= set(counts) if _is_counted(found) else own.counts == first.counts and len(found.zones) == 1
    )


def _is_counted(found: RecordDifference) -> bool:
    """Does a number run through the steps: one that is asked for, or one in the ids of the zones."""
    return bool(found.numbers) or all(_NUMBER.sub("", a) == _NUMBER.sub("", b) for a, b in found.zones)


def _of_run(run: Sequence[_Told], speech: CardSetPhraser) -> str:
    """The first of some steps, and for what the same goes: for each by its name, or up to a number."""
    others = [found for own in run[1:] if (found := differing(run[0].does, own.does)) is not None]
    names = [_changed(own, speech) for own in others]
    if not all(map(_is_counted, others)):
        each = speech.join_list([name for own in names for name in own])
        return speech.joined([run[0].text, speech.phrase("steps.same", list=each)])
    last: dict[str, list[int]] = {}
    for count in speech.counts:
        reached = max(at for at, own in enumerate(run) if count in own.counts)
        last.setdefault(names[reached - 1][-1], []).append(count)
    if len(last) == 1:
        up_to = speech.join_list(names[-1])
    else:
        up_to = speech.join_list(list(last), "or") + speech.for_players(list(last.values()))
    return speech.joined([run[0].text, speech.phrase("steps.same.up_to", second=speech.join_list(names[0]), last=up_to)])


def _changed(found: RecordDifference, speech: CardSetPhraser) -> list[str]:
    """What a step names in the place of what the first one names."""
    numbers = dict.fromkeys(str(number) for _, number in found.numbers)
    return [*numbers, *(speech.zone(zone) for _, zone in found.zones)]
