"""Colours are legible and distinct, and no information is in colour alone."""

from __future__ import annotations

from itertools import combinations
from math import dist

import pytest

import draftengine as de
from draftengine.apps.play.labels import Names
from draftengine.apps.play.terminal_style import Style
from draftengine.apps.tui.scene import Faces
from draftengine.apps.tui.styles import EDGES, PALETTES, SEAT_MARKS
from draftengine.model.shelf import shelf


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (own / 12.92 if own <= 0.03928 else ((own + 0.055) / 1.055) ** 2.4 for own in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("palette", PALETTES.values(), ids=list(PALETTES))
def test_words_can_be_read(palette):
    """Text colours have a contrast of at least 4.5 to 1, and edges of cards at least 2.8 to 1."""
    for colour in (palette.text, palette.muted, palette.accent, palette.good, palette.bad, palette.focus):
        for ground in (palette.surface, palette.background):
            assert contrast(colour, ground) >= 4.5
    for colour in palette.families:
        assert contrast(colour, palette.background) >= 2.8


SIGHTS = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""Effects of missing cones on linear light, by Machado, Oliveira and Fernandes (2009)."""


def seen(colour, sight):
    """Return a colour in CIE Lab, as seen by an eye."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    light = [own / 12.92 if own <= 0.04045 else ((own + 0.055) / 1.055) ** 2.4 for own in parts]
    light = [sum(own * part for own, part in zip(row, light, strict=True)) for row in sight]
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    xyz = [sum(own * part for own, part in zip(row, light, strict=True)) for row in to_xyz]
    x, y, z = (
        own ** (1 / 3) if own > 0.008856 else 7.787 * own + 16 / 116
        for own in (part / white for part, white in zip(xyz, (0.9505, 1, 1.089), strict=True))
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


@pytest.mark.parametrize("sight", SIGHTS.values(), ids=SIGHTS)
@pytest.mark.parametrize("palette", PALETTES.values(), ids=list(PALETTES))
def test_families_can_be_told_apart_whatever_cones_an_eye_lacks(palette, sight):
    """Family colours differ by at least 20 in Lab for every eye; a difference of 2 is just visible."""
    nearest = min(dist(seen(one, sight), seen(other, sight)) for one, other in combinations(palette.families, 2))
    assert nearest > 20, nearest


def test_families_and_seats_have_a_second_sign():
    """Families and seats have distinct edges and shapes."""
    assert len(set(EDGES)) == len(EDGES) == len(PALETTES["table-dark"].families)
    assert len(set(SEAT_MARKS)) == len(SEAT_MARKS) >= 8


@pytest.mark.parametrize("pictures", [True, False])
@pytest.mark.parametrize("cardset", shelf())
def test_no_two_cards_look_alike(cardset, pictures):
    """No two cards look alike, with or without pictures."""
    rules = de.open_rules(cardset)
    game = rules.game(min(3, rules.players[1]))
    faces = Faces(Names(game, ["human"] * 3, Style(pictures=pictures)))
    for one, other in combinations({card.id for card in game.model.cards}, 2):
        assert faces.sign(one) != faces.sign(other)
