"""The steps of a round as they are read: a numbered list, in which steps that are alike are told once."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.api.possible import possible
from draftengine.verbs import VERBS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.speech import Speech
    from draftengine.verbs.verb import Step

_ALIKE = 3
"""So many steps in a row that differ by a number alone are told as one."""
_NUMBER = re.compile(r"(\d+)")
_NAME = re.compile(r"[“„「][^”」]*[”」]")


class _Told(Struct, frozen=True):
    """A step in words, and the numbers of players with which it can happen."""

    step: Step
    text: str
    counts: tuple[int, ...]


def steps_said(steps: Sequence[Step], speech: Speech) -> tuple[str, ...]:
    """The lines of the list, without steps that cannot happen with any number of players that is spoken of."""
    lines: list[str] = []
    _tell(steps, speech, lines)
    return tuple(lines)


def _tell(steps: Sequence[Step], speech: Speech, lines: list[str]) -> None:
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
        said = speech.say("steps", count=len(lines) - start + 1, steps=span, text=speech.step(first.step))
        lines[at if leads else len(lines) : at + 1 if leads else len(lines)] = [said]


def _told(step: Step, speech: Speech) -> _Told:
    """A step; where its condition only asks how many play, the sentence leaves that to the numbers of players."""
    if step.when is None:
        return _Told(step, speech.step(step), tuple(speech.counts))
    counts = tuple(count for count in speech.counts if possible(step.when.expr, speech.model, count))
    only_players = all(speech.at(step.when.expr, count) is not None for count in speech.counts)
    return _Told(step, speech.without_condition(step) if only_players else speech.step(step), counts)


def _runs(told: Sequence[_Told], speech: Speech) -> Iterator[Sequence[_Told]]:
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
    """Is a step the first one with numbers that are so much greater."""
    varying = _varying(first.text, own.text)
    if own.step.within or not varying or not set(own.counts) <= set(counts):
        return False
    return {(int(a), int(b) - int(a)) for a, b in varying} == {(int(varying[0][0]), further)}


def _varying(first: str, own: str) -> list[tuple[str, str]]:
    """The numbers in which two sentences differ; none if they differ in anything else."""
    pieces, others = _NUMBER.split(first), _NUMBER.split(own)
    if pieces[::2] != others[::2]:
        return []
    return [(a, b) for a, b in zip(pieces[1::2], others[1::2], strict=True) if a != b]


def _of_run(run: Sequence[_Told], speech: Speech) -> str:
    """The first of some steps, and up to which the same goes on."""
    names = [_changed(run[0].text, own.text) for own in run]
    last: dict[str, list[int]] = {}
    for count in speech.counts:
        reached = max(at for at, own in enumerate(run) if count in own.counts)
        last.setdefault(names[reached][-1], []).append(count)
    if len(last) == 1:
        up_to = speech.listed(names[-1])
    else:
        up_to = speech.listed(list(last), "or") + speech.for_players(list(last.values()))
    return speech.joined([run[0].text, speech.say("steps.same", second=speech.listed(names[1]), last=up_to)])


def _changed(first: str, own: str) -> list[str]:
    """What stands in a sentence where it differs from another one: names in quotation marks, and numbers."""
    old, new = _NAME.findall(first), _NAME.findall(own)
    found = [b for a, b in zip(old, new, strict=True) if a != b]
    bare = _varying(_NAME.sub("", first), _NAME.sub("", own))
    return list(dict.fromkeys([*(b for _, b in bare), *found]))
