"""Reads a drawn card back from its markup: what is where, in millimetres, and what its strip says."""

from __future__ import annotations

import re
from itertools import groupby
from typing import NamedTuple
from xml.etree.ElementTree import tostring

from defusedxml.ElementTree import fromstring
from msgspec.structs import replace

from draftengine.api.phrasing import CardSetPhraser
from draftengine.render.faces.content import Arrow, Cells, Faces, PointsBadge, Sign, Words
from draftengine.render.faces.elements import INK, PAPER, CardFooter
from draftengine.render.faces.full import Printer
from draftengine.render.svg import width_of
from draftengine.support.identity import by_identity

_MOVED = re.compile(r"translate\((\S+) (\S+)\)(?: scale\((\S+)\))?")
_PATH = re.compile(r"([Mahvlz])([^Mahvlz]*)")


class Box(NamedTuple):
    """The place of one thing that is drawn."""

    kind: str
    """The name of the element, or `icon`."""
    left: float
    top: float
    right: float
    bottom: float
    text: str = ""
    fill: str = ""

    def overlaps(self, other, slack=0.05):
        """Return True if both cover some of the same area, beyond what rounding explains."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        return wide > slack and min(self.bottom, other.bottom) - max(self.top, other.top) > slack

    def within(self, other, slack=0.05):
        return (
            min(self.left - other.left, self.top - other.top, other.right - self.right, other.bottom - self.bottom)
            >= -slack
        )


def boxes(markup):
    """Yield the boxes of everything that is drawn. A text is as high as its capitals."""
    yield from _boxes(fromstring(f"<g>{markup}</g>"), 0.0, 0.0, 1.0)


def _boxes(parent, x, y, scale):
    for element in parent:
        moved = _MOVED.fullmatch(element.get("transform", ""))
        if element.get("class") == "strip":
            yield from _boxes(element, float(moved[1]), float(moved[2]), float(moved[3] or 1))
        elif element.tag == "g":  # an icon, whose drawing begins one unit from the corner of its box
            unit, left, top = (float(moved[index]) for index in (3, 1, 2))
            sides = left - unit, top - unit, left + 49 * unit, top + 49 * unit
            yield Box("icon", *(base + scale * side for base, side in zip((x, y, x, y), sides, strict=True)))
        else:
            sides = _sides(element)
            placed = (base + scale * side for base, side in zip((x, y, x, y), sides, strict=True))
            yield Box(element.tag, *placed, element.text or "", element.get("fill", ""))


def _sides(element):
    """Return left, top, right and bottom of an element in its own coordinates."""
    at = {key: float(value) for key, value in element.items() if re.fullmatch(r"-?[\d.]+", value)}
    if element.tag == "text":
        size = at["font-size"]
        wide = width_of(element.text or "", size)
        left = at["x"] - wide * {"middle": 0.5, "end": 1}.get(element.get("text-anchor"), 0)
        return left, at["y"] - size * 0.72, left + wide, at["y"]
    if element.tag == "rect":
        left, top = at.get("x", 0), at.get("y", 0)
        return left, top, left + at["width"], top + at["height"]
    if element.tag == "circle":
        return at["cx"] - at["r"], at["cy"] - at["r"], at["cx"] + at["r"], at["cy"] + at["r"]
    x = y = 0.0
    corners = []
    for command, numbers in _PATH.findall(element.get("d")):
        values = [float(value) for value in numbers.split()]
        if command == "M":
            x, y = values
        elif command in "al":
            x, y = x + values[-2], y + values[-1]
        elif command in "hv":
            x, y = (x + values[0], y) if command == "h" else (x, y + values[0])
        corners.append((x, y))
    across, down = zip(*corners, strict=True)
    return min(across), min(down), max(across), max(down)


def cards(rules, language, more=""):
    """Return the printer of a card set, and each face with its drawing."""
    speech = CardSetPhraser(rules.model, language, rules.possible_players)
    printer = Printer(rules.model, {card.id: speech.card_name(card.id) for card in rules.model.cards}, more)
    foot = CardFooter("×10 · kept", speech.text(rules.model.title), rules.model.version)
    return printer, [(face, printer.card(face, foot)) for face in Faces(rules, speech).all()]


def faces_as_drawn(rules, language):
    """Return the faces of a card set, each with the strip that is drawn on its card."""
    printer, drawings = cards(rules, language)
    return [replace(face, strip=strip(markup, printer, face.card)) for face, markup in drawings]


def strip(markup, printer, card):
    """Return the rows that a drawn card shows in signs. Of cards with the same icon, `card` counts."""
    icons = {card: _icon(printer, card), **_icons(printer)}
    rows = []
    for line in fromstring(f"<g>{markup}</g>").iter("g"):
        if line.get("class") == "strip":
            rows.append([])
            elements = list(line)
            while elements:
                _read(elements, rows, icons)
    return tuple(tuple(_joined(row)) for row in rows)


@by_identity(4)
def _icons(printer):
    """Return the drawings of all icons of a card set. Made once, they serve all of its cards."""
    return {card: _icon(printer, card) for card in printer.icons}


def _icon(printer, card):
    return tostring(fromstring(printer._sign(card, 1, 0, 0))[0])


def _read(elements, rows, icons):
    """Move one piece from the beginning of `elements` to the last row; a bar begins a new row."""
    first = elements.pop(0)
    kind = first.tag, first.get("fill")
    if first.tag == "g":
        rows[-1].append(Sign(next(card for card, icon in icons.items() if icon == tostring(first[0]))))
    elif first.tag == "path":
        rows[-1].append(Arrow())
    elif first.tag == "text":
        rows[-1].append(Words(first.text))
    elif kind == ("rect", INK):
        rows[-1].append(PointsBadge(elements.pop(0).text))
    elif kind == ("rect", PAPER) and elements[0].tag == "path":
        del elements[:3]  # the area of the headings, the edge and the line below the headings
        texts = []
        while elements and (elements[0].tag == "text" or elements[0].get("width") == "0.24"):
            element = elements.pop(0)
            texts += [element.text] if element.tag == "text" else []
        rows[-1].append(Cells(tuple(zip(texts[::2], texts[1::2], strict=True))))
    else:
        rows.append([])


def _joined(row):
    """Yield the pieces of a row, with equal signs as one and the lines of a text as one."""
    for kind, alike in groupby(row, key=lambda piece: (type(piece), getattr(piece, "card", ""))):
        pieces = list(alike)
        if kind[0] is Sign:
            yield Sign(pieces[0].card, len(pieces))
        elif kind[0] is Words:
            yield Words(" ".join(piece.text for piece in pieces))
        else:
            yield from pieces
