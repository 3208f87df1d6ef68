"""Drawn cards show their whole strip, and all of their text or a sign; nothing overlaps."""

from __future__ import annotations

from itertools import combinations

import pytest
from defusedxml.ElementTree import fromstring

from cardsheets.drawn import Box, boxes, cards, strip
from conftest import sample
from draftengine.api.ruleset import rules_named
from draftengine.model.shelf import shelf
from draftengine.render.faces.content import Words
from draftengine.render.faces.elements import HEIGHT, LINES, RIM, WIDTH, hue_of
from draftengine.support.text import initials

CARD = Box("card", RIM, RIM, WIDTH - RIM, HEIGHT - RIM)
MORE = " … (see the rules)"
SIGN = "".join(MORE.split())
SHIPPED = [(name, language) for name in shelf() for language in ("en", "pl", "ja")]


def text_on(drawn):
    """Return the sentences of a drawn card without spaces, which are not drawn where a line ends."""
    sizes = {f"{size:.3f}".rstrip("0") for size in LINES}
    lines = [it.text for it in fromstring(f"<g>{drawn}</g>").findall("text") if it.get("font-size") in sizes]
    return "".join("".join(lines).split())


def parts_of(rows):
    """Return the cells and other pieces of a strip. Words are without spaces, which end lines."""
    parts = [part for row in rows for piece in row for part in getattr(piece, "cells", [piece])]
    return [Words("".join(part.text.split())) if isinstance(part, Words) else part for part in parts]


def check(rules, language):
    """Check every card of a card set in a language."""
    printer, drawings = cards(rules, language, MORE)
    for face, drawn in drawings:
        overlaps_nothing(face, drawn, hue_of(printer.family[face.card]).deep)
        rows = strip(drawn, printer, face.card)
        assert parts_of(rows) == parts_of(face.strip), face.name
        text, whole = text_on(drawn), "".join(face.line.split())
        assert text == whole or (text.endswith(SIGN) and whole.startswith(text.removesuffix(SIGN)))
        assert "*" not in text or "*" in str(rows)  # a note belongs to a number of the strip


def overlaps_nothing(face, drawn, deep):
    parts = list(boxes(drawn))
    texts = [part for part in parts if part.kind == "text"]
    name = next(part for part in parts if part.kind == "rect" and part.fill == deep)
    corner = next(part for part in parts if part.kind == "path" and (part.left, part.top) == (RIM, RIM))
    dots = [part for part in parts if part.kind == "circle" and part.right - part.left < 3]
    assert not any(one.overlaps(other) for one, other in combinations([*texts, *dots], 2)), face.name
    assert all(dot.within(corner) for dot in dots), face.name
    assert not corner.overlaps(name), face.name
    assert all(text.within(CARD) for text in texts), face.name


@pytest.mark.parametrize(("name", "language"), sample(SHIPPED, 23))
def test_cards_show_everything_and_nothing_overlaps(name, language):
    check(rules_named(name), language)


LONG = """
format: 2
id: long
title: Long
version: 1.0.0
players: 2-4
rounds: 1
cards:
  soup: {count: 9, label: A soup of many things, adds: {heat: 7}, text: Sip it.}
  bread: {count: 9, text: "%s"}
  jam: {count: 9, family: sweet, text: "%s"}
counters: {heat: {}}
round:
  - deal: {to: hand, cards: 5}
  - repeat: {until_empty: hand, do: [choose: {}, pass: {to: left}]}
  - score: round
scoring:
  soup: {table: soup, points: [1, 3, 6, 10, 15]}
  heat: {majority: heat, most: [6, "3 if players > 2 else 2"]}
  cold: {majority: heat, fewest: [-4], when: players > 2 or most(heat) > 1}
  warm: {majority: heat, most: ["8 if players > 2 else 7"]}
winner: {order: most}
"""


def test_what_does_not_fit_on_a_card_is_marked(tmp_path):
    """A long text ends after a sentence or a word, with a sign that also stands for rows of a strip."""
    path = tmp_path / "long.yaml"
    path.write_text(LONG % ("more " * 180, "Spread it. " * 60), "utf-8")
    rules = rules_named(path)
    printer, drawings = cards(rules, "en", MORE)
    drawn = {face.card: (face, markup) for face, markup in drawings}
    for card, end in (("soup", "(2players)."), ("bread", "more"), ("jam", "Spreadit.")):
        face, markup = drawn[card]
        overlaps_nothing(face, markup, hue_of(printer.family[card]).deep)
        assert text_on(markup).endswith(end + SIGN)
    face, markup = drawn["soup"]
    drawn_parts = parts_of(strip(markup, printer, card))
    assert 0 < len(drawn_parts) < len(parts_of(face.strip))
    assert drawn_parts == parts_of(face.strip)[: len(drawn_parts)]


def test_letters_tell_cards_with_one_picture_apart():
    """Names that begin alike get as many letters as tell them apart."""
    labels = ["Squid roll", "Shrimp roll", "Sweet roll", "Roll 2", "Roll 3"]
    assert len({initials(label, labels) for label in labels}) == len(labels)
