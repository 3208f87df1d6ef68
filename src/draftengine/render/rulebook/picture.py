"""A round as a picture: its stages in boxes, with arrows for turns and rounds."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from draftengine.render.faces.elements import INK, PAPER, SANS, SERIF
from draftengine.render.svg import el, width_of

if TYPE_CHECKING:
    from draftengine.api.facts.steps import Flow, Stage

_TOP, _HIGH, _GAP, _FRAME = 22.0, 30.0, 13.0, 8.0
_ACCENT = "#8a2b1a"


def _width(stage: Stage) -> float:
    return max(46.0, width_of(stage.title, 13) + 12, width_of(stage.text, 7.5) + 10)


def picture(flow: Flow) -> str:
    """Return the flow chart of a round; empty if there is nothing to draw."""
    boxes = flow.stages
    if not boxes:
        return ""
    x, places = _FRAME + 2.0, []
    for node in boxes:
        places.append(x)
        x += _width(node) + _GAP
    width = x - _GAP + _FRAME + 2
    middle, bottom = _TOP + _HIGH / 2, _TOP + _HIGH
    turn = [(place, node) for place, node in zip(places, boxes, strict=True) if node.again]
    drawn = []
    if turn:
        left, (last, node) = turn[0][0], turn[-1]
        wide = last + _width(node) - left
        frame = el(
            "rect", x=left - 6, y=_TOP - 8, width=wide + 12, height=_HIGH + 20, rx=6, fill="#f6f1ea", stroke=_ACCENT,
            stroke_dasharray="3 2",
        )  # fmt: skip
        back = _arrow(f"M{last + _width(node) / 2:.1f} {bottom}v6H{left + _width(turn[0][1]) / 2:.1f}v-4")
        drawn.append(frame + _caption(flow.turns, left + wide / 2, 9) + back)
    for place, node in zip(places, boxes, strict=True):
        box = {"x": place, "y": _TOP, "width": _width(node), "height": _HIGH, "rx": 4}
        x, high = place + _width(node) / 2, _TOP + (13 if node.text else 19)
        drawn.append(el("rect", **box, fill=PAPER, stroke=INK, stroke_width=1.2))
        drawn.append(_text(node.title, x, high, 11.5, SERIF, INK, weight=700))
        drawn += [_text(node.text, x, _TOP + 24, 7.5, SANS, "#5a4f48")] if node.text else []
    for place, node in list(zip(places, boxes, strict=True))[:-1]:
        drawn.append(_arrow(f"M{place + _width(node) + 1:.1f} {middle}h{_GAP - 3}"))
    low = bottom + 22
    if flow.goes_round:
        first, last = places[0] + _width(boxes[0]) / 2, places[-1] + _width(boxes[-1]) / 2
        drawn.append(_arrow(f"M{last:.1f} {bottom}V{low}H{first:.1f}V{bottom + 2}"))
    drawn.append(_caption(flow.rounds, width / 2, low + 2.5, back=True))
    return el(
        "svg",
        *drawn,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width:.1f} {low + 8:.1f}",
        class_="flow",
        role="img",
        aria_label=flow.words,
    )


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
"""The arrowhead, for the definitions of the page."""
