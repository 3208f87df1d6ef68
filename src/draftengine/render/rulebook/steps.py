"""The steps of a round: as a numbered list, in which similar steps are combined, and as a picture."""

from __future__ import annotations

import re
from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.cardset.effects import effect_lists
from draftengine.model.cardset.facts import constants, ranked_seats, steps_of, steps_of_round
from draftengine.model.language.bounds import UNKNOWN, bounds
from draftengine.model.records.similar import differing
from draftengine.model.verbs.choose import ChooseStep
from draftengine.model.verbs.effects import Changing, SetStep
from draftengine.render.faces.elements import INK, PAPER, SANS, SERIF
from draftengine.render.svg import el, width_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from draftengine.api.phrasing.phraser import CardSetPhraser
    from draftengine.model.cardset.records import CardSet
    from draftengine.model.language.ranges import Range
    from draftengine.model.language.tree import Expr
    from draftengine.model.records.similar import RecordDifference
    from draftengine.model.verbs.verb import Step


def can_hold(condition: Expr, model: CardSet, players: int) -> bool:
    """True if a condition can hold with a number of players, as far as the rules alone tell."""
    facts = _Facts({name: (value, value) for name, value in constants(model, players).items()}, model, players)
    known = {name: (min(values), max(values)) for name, values in _set_alone(facts).items()}
    return bounds(condition, _Facts({**known, **facts.ranges}, model, players)) != (0, 0)


class _Facts(Struct, frozen=True):
    """Bounds of the values of names (see `draftengine.model.language.bounds`)."""

    ranges: Mapping[str, Range]
    model: CardSet
    player_count: int

    @property
    def seat_count(self) -> int:
        return ranked_seats(self.model, self.player_count)

    def range_of(self, function: str, name: str, _seat: int) -> Range:
        return self.ranges.get(name, UNKNOWN) if function == "name" else UNKNOWN


def _set_alone(facts: _Facts) -> dict[str, set[int]]:
    """Return the values of counters that are only set to constants, by actions that can be open."""
    model = facts.model
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
    return {name: numbers for name, numbers in values.items() if name not in changed}


_ALIKE = 3
"""Number of consecutive steps, differing only by zones or a number, that are combined."""
_NUMBER = re.compile(r"\d+")


class _Told(Struct, frozen=True):
    """A step in words, and the numbers of players with which it can happen."""

    step: Step
    does: Step
    """The step without its condition, if that depends only on the number of players."""
    text: str
    counts: tuple[int, ...]


def steps_said(steps: Sequence[Step], speech: CardSetPhraser) -> tuple[str, ...]:
    """Return the lines of the list, without steps that no number of players makes possible."""
    lines: list[str] = []
    _tell(steps, speech.listing(), lines)
    return tuple(lines)


def _tell(steps: Sequence[Step], speech: CardSetPhraser, lines: list[str]) -> None:
    """Append the lines of steps; a line about nested steps gives their numbers.

    It comes after steps that it repeats, and before steps that seats take in turn.
    """
    entries = (
        _told(part, speech) for step in steps for part in (step, *(step.listed_after if speech.listed(step) else ()))
    )
    for run in _runs([entry for entry in entries if entry.counts], speech):
        first = run[0]
        if not speech.listed(first.step):
            lines.append(_of_run(run, speech) if len(run) > 1 else speech.step(first.step))
            continue
        leads = first.step.leads
        position = len(lines)
        lines += [""] if leads else []
        start = len(lines) + 1
        _tell(speech.listed(first.step), speech, lines)
        span = f"{start}–{len(lines)}" if len(lines) > start else str(start)
        sentence = speech.phrase("steps", count=len(lines) - start + 1, steps=span, text=speech.step(first.step))
        lines[position if leads else len(lines) : position + 1 if leads else len(lines)] = [sentence]


def _told(step: Step, speech: CardSetPhraser) -> _Told:
    """Return a step in words, without a condition that depends only on the number of players."""
    if step.when is None:
        return _Told(step, step, speech.step(step), tuple(speech.counts))
    counts = tuple(count for count in speech.counts if can_hold(step.when.expr, speech.model, count))
    if all(speech.at(step.when.expr, count) is not None for count in speech.counts):
        return _Told(step, replace(step, when=None), speech.without_condition(step), counts)
    return _Told(step, step, speech.step(step), counts)


def _runs(entries: Sequence[_Told], speech: CardSetPhraser) -> Iterator[Sequence[_Told]]:
    """Yield runs of steps to combine: the first for all players, the others for fewer and fewer numbers."""
    start = 0
    while start < len(entries):
        end = start + 1
        if entries[start].counts == tuple(speech.counts) and not speech.listed(entries[start].step):
            while end < len(entries) and _follows(entries[start], entries[end], end - start, entries[end - 1].counts):
                end += 1
        end = end if end - start >= _ALIKE else start + 1
        yield entries[start:end]
        start = end


def _follows(first: _Told, entry: _Told, further: int, counts: Sequence[int]) -> bool:
    """True if a step is the first one with other zones, or with numbers greater by `further`."""
    difference = None if entry.step.listed else differing(first.does, entry.does)
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
    """True if a number counts up from step to step, as an amount or in the ids of zones."""
    return bool(difference.numbers) or all(_NUMBER.sub("", a) == _NUMBER.sub("", b) for a, b in difference.zones)


def _of_run(run: Sequence[_Told], speech: CardSetPhraser) -> str:
    """Return the text for a run of steps: the first, and the names or the range that it also holds for."""
    others = [difference for entry in run[1:] if (difference := differing(run[0].does, entry.does)) is not None]
    names = [_changed(difference, speech) for difference in others]
    if not all(map(_is_counted, others)):
        each = speech.join_list([name for group in names for name in group])
        return speech.joined([run[0].text, speech.phrase("steps.same", list=each)])
    last: dict[str, list[int]] = {}
    for count in speech.counts:
        reached = max(index for index, entry in enumerate(run) if count in entry.counts)
        last.setdefault(names[reached - 1][-1], []).append(count)
    if len(last) == 1:
        up_to = speech.join_list(names[-1])
    else:
        up_to = speech.join_list(list(last), "or") + speech.for_players(list(last.values()))
    return speech.joined(
        [run[0].text, speech.phrase("steps.same.up_to", second=speech.join_list(names[0]), last=up_to)]
    )


def _changed(difference: RecordDifference, speech: CardSetPhraser) -> list[str]:
    """Return the numbers and zones that a step has in place of those of the first one."""
    numbers = dict.fromkeys(str(number) for _, number in difference.numbers)
    return [*numbers, *(speech.zone(zone) for _, zone in difference.zones)]


_SHOWN = frozenset({"deal", "draw", "choose", "pass", "score", "clear", "gather"})
_TOP, _HIGH, _GAP, _FRAME = 22.0, 30.0, 13.0, 8.0
_ACCENT = "#8a2b1a"


class Node(Struct, frozen=True):
    """A box of the flow chart."""

    title: str
    text: str
    again: bool
    """True if it is part of a turn."""

    @property
    def width(self) -> float:
        return max(46.0, width_of(self.title, 13) + 12, width_of(self.text, 7.5) + 10)


def nodes(speech: CardSetPhraser) -> list[Node]:
    """Return the boxes of a round; equal boxes in a row become one with their number."""
    runs = [(node, len([*alike])) for node, alike in groupby(_nodes(steps_of_round(speech.model), speech, again=False))]
    return [node if times == 1 else replace(node, title=f"{node.title} ×{times}") for node, times in runs]


def _nodes(steps: Sequence[Step], speech: CardSetPhraser, *, again: bool) -> Iterator[Node]:
    for step in steps:
        if step.when is not None and speech.constant(step.when.expr) == 0:
            continue
        if step.listed:
            yield from _nodes(step.listed, speech, again=again or step.verb != "do")
        elif step.verb in _SHOWN:
            zone_from, zone_to = getattr(step, "from_", ""), getattr(step, "to", "")
            if step.verb == "draw" and zone_to != "hand":
                key = "pic.take" if speech.in_the_open(zone_from) else "pic.add"
                yield Node(speech.phrase(key), _cards(step, speech), again)
            elif step.verb in {"deal", "draw"}:
                yield Node(speech.phrase(f"pic.{step.verb}"), _cards(step, speech), again)
            elif step.verb == "choose":
                aside = zone_from == "hand" and not speech.in_the_open(zone_to)
                taken = zone_from != "hand" or getattr(step, "who", None) is not None
                if aside or taken:
                    yield Node(speech.phrase("pic.keep" if aside else "pic.take"), _cards(step, speech), again)
                else:
                    count = speech.cards(getattr(step, "cards", None)).numbers
                    how = "" if getattr(step, "as_", ()) else speech.phrase("pic.face_down", count=count)
                    yield Node(speech.phrase("pic.choose"), how, again)
                    yield Node(speech.phrase("pic.reveal"), speech.phrase("pic.together"), again)
            elif step.verb == "pass":
                ways = set(zone_to)
                way = speech.phrase(f"pic.{ways.pop()}") if len(ways) == 1 else speech.phrase("pic.ways")
                yield Node(speech.phrase("pic.pass"), way, again)
            else:
                yield Node(speech.phrase(f"pic.{step.verb}"), "", again)


def _cards(step: Step, speech: CardSetPhraser) -> str:
    cases = getattr(step, "cards", None)
    cards = speech.cards(cases)
    if cards.single is not None:
        return cards.text
    numbers = sorted({number for number in speech.numbers(cases) if number is not None})
    if len(numbers) > 1:
        return speech.phrase("pic.range", low=numbers[0], high=numbers[-1])
    return ""


def picture(speech: CardSetPhraser) -> tuple[str, str]:
    """Return the flow chart of a round and its description; empty if there is nothing to draw."""
    boxes = nodes(speech)
    if not boxes:
        return "", ""
    x, places = _FRAME + 2.0, []
    for node in boxes:
        places.append(x)
        x += node.width + _GAP
    width = x - _GAP + _FRAME + 2
    middle, bottom = _TOP + _HIGH / 2, _TOP + _HIGH
    turn = [(place, node) for place, node in zip(places, boxes, strict=True) if node.again]
    drawn = [_frame(turn, speech)] if turn else []
    for place, node in zip(places, boxes, strict=True):
        drawn.append(_box(place, node))
    for place, node in list(zip(places, boxes, strict=True))[:-1]:
        drawn.append(_arrow(f"M{place + node.width + 1:.1f} {middle}h{_GAP - 3}"))
    low = bottom + 22
    if speech.rounds > 1:
        first, last = places[0] + boxes[0].width / 2, places[-1] + boxes[-1].width / 2
        drawn.append(_arrow(f"M{last:.1f} {bottom}V{low}H{first:.1f}V{bottom + 2}"))
    caption = speech.phrase("turn.open" if speech.model.until else "turn.rounds", count=speech.rounds)
    drawn.append(_caption(caption, width / 2, low + 2.5, back=True))
    words = f"{' → '.join(node.title for node in boxes)}; {caption}"
    svg = el(
        "svg",
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:.1f} {low + 8:.1f}",
        class_="flow",
        role="img",
        aria_label=words,
    )
    return svg, words


def _frame(turn: Sequence[tuple[float, Node]], speech: CardSetPhraser) -> str:
    left, (last, node) = turn[0][0], turn[-1]
    width = last + node.width - left
    label = _caption(_again(speech), left + width / 2, 9)
    frame = el(
        "rect", x=left - 6, y=_TOP - 8, width=width + 12, height=_HIGH + 20, rx=6, fill="#f6f1ea", stroke=_ACCENT,
        stroke_dasharray="3 2",
    )  # fmt: skip
    back = _arrow(f"M{last + node.width / 2:.1f} {_TOP + _HIGH}v6H{left + turn[0][1].width / 2:.1f}v-4")
    return frame + label + back


def _again(speech: CardSetPhraser) -> str:
    loop = next((step for step in speech.model.round if step.listed and step.verb != "do"), None)
    times = getattr(loop, "times", None)
    if times is not None:
        cards = speech.cards(times)
        return (
            speech.phrase("turn.times", count=cards.single) if cards.single is not None else speech.phrase("turn.until")
        )
    return speech.phrase("turn.again" if getattr(loop, "until_empty", None) == "hand" else "turn.until")


def _box(x: float, node: Node) -> str:
    rect = el("rect", x=x, y=_TOP, width=node.width, height=_HIGH, rx=4, fill=PAPER, stroke=INK, stroke_width=1.2)
    middle = x + node.width / 2
    high = _TOP + (13 if node.text else 19)
    title = _text(node.title, middle, high, 11.5, SERIF, INK, weight=700)
    text = _text(node.text, middle, _TOP + 24, 7.5, SANS, "#5a4f48")
    return rect + title + (text if node.text else "")


def _text(  # noqa: PLR0913 (a text has a place and a look)
    words: str, x: float, y: float, size: float, family: str, fill: str, *, weight: int | None = None
) -> str:
    style = {"font_size": size, "font_weight": weight, "font_family": family, "fill": fill}
    return el("text", escape(words), x=x, y=y, text_anchor="middle", **style)


def _arrow(path: str) -> str:
    return el("path", d=path, fill="none", stroke=INK, stroke_width=1.3, marker_end="url(#tip)")


def _caption(text: str, x: float, y: float, *, back: bool = False) -> str:
    width = width_of(text, 9) + 14
    behind = el("rect", x=x - width / 2, y=y - 8, width=width, height=11, fill=PAPER) if back else ""
    return behind + _text(text, x, y, 8, SANS, _ACCENT, weight=700)


TIP = el(
    "marker", el("path", d="M0 0L6 3L0 6", fill="none", stroke=INK, stroke_width=1.2), id="tip", viewBox="-1 -1 8 8",
    refX=5, refY=3, markerWidth=6, markerHeight=6, orient="auto-start-reverse",
)  # fmt: skip
"""Arrowhead, for the definitions of the page."""
