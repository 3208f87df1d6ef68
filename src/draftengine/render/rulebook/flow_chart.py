"""A round as a flow chart: its steps, their repetition, and the order of rounds."""

from __future__ import annotations

from html import escape
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from draftengine.render.faces.icon import INK, PAPER, SANS, SERIF
from draftengine.render.svg.markup import el, width_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.api.phrasing.phraser import CardSetPhraser
    from draftengine.model.verbs.verb import Step

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
    runs = [(node, len([*alike])) for node, alike in groupby(_nodes(speech.model.round, speech, again=False))]
    return [node if times == 1 else replace(node, title=f"{node.title} ×{times}") for node, times in runs]


def _nodes(steps: Sequence[Step], speech: CardSetPhraser, *, again: bool) -> Iterator[Node]:
    for step in steps:
        if step.when is not None and speech.constant(step.when.expr) == 0:
            continue
        if step.within:
            yield from _nodes(step.within, speech, again=True)
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
    loop = next((step for step in speech.model.round if step.within), None)
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
    title = el(
        "text",
        escape(node.title),
        x=middle,
        y=high,
        text_anchor="middle",
        font_size=11.5,
        font_weight=700,
        font_family=SERIF,
        fill=INK,
    )
    text = el(
        "text",
        escape(node.text),
        x=middle,
        y=_TOP + 24,
        text_anchor="middle",
        font_size=7.5,
        font_family=SANS,
        fill="#5a4f48",
    )
    return rect + title + (text if node.text else "")


def _arrow(path: str) -> str:
    return el("path", d=path, fill="none", stroke=INK, stroke_width=1.3, marker_end="url(#tip)")


def _caption(text: str, x: float, y: float, *, back: bool = False) -> str:
    width = width_of(text, 9) + 14
    behind = el("rect", x=x - width / 2, y=y - 8, width=width, height=11, fill=PAPER) if back else ""
    return behind + el(
        "text",
        escape(text),
        x=x,
        y=y,
        text_anchor="middle",
        font_size=8,
        font_weight=700,
        font_family=SANS,
        fill=_ACCENT,
    )


TIP = el(
    "marker", el("path", d="M0 0L6 3L0 6", fill="none", stroke=INK, stroke_width=1.2), id="tip", viewBox="-1 -1 8 8",
    refX=5, refY=3, markerWidth=6, markerHeight=6, orient="auto-start-reverse",
)  # fmt: skip
"""Arrowhead, for the definitions of the page."""
