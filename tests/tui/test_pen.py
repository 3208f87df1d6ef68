"""Colours can be told apart and read, and nothing is said by a colour alone."""

from __future__ import annotations

from itertools import combinations

import pytest

import draftengine as de
from draftengine.library import shelf
from draftengine.play.names import Names
from draftengine.play.style import Style
from draftengine.tui.faces import Faces
from draftengine.tui.pen import EDGES, PALETTES, SEAT_MARKS


def luminance(colour):
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (own / 12.92 if own <= 0.03928 else ((own + 0.055) / 1.055) ** 2.4 for own in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, other):
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("palette", PALETTES.values(), ids=list(PALETTES))
def test_words_can_be_read(palette):
    """4.5 to 1 for every colour that words have, 3 to 1 for the edges of cards."""
    for colour in (palette.text, palette.muted, palette.accent, palette.good, palette.bad, palette.focus):
        for ground in (palette.surface, palette.background):
            assert contrast(colour, ground) >= 4.5
    for colour in palette.families:
        assert contrast(colour, palette.background) >= 2.8


def test_families_and_seats_have_a_second_sign():
    """Edges and shapes are all different."""
    assert len(set(EDGES)) == len(EDGES) == len(PALETTES["table-dark"].families)
    assert len(set(SEAT_MARKS)) == len(SEAT_MARKS) >= 8


@pytest.mark.parametrize("pictures", [True, False])
@pytest.mark.parametrize("cardset", shelf())
def test_no_two_cards_look_alike(cardset, pictures):
    """With pictures and without them."""
    rules = de.open_rules(cardset)
    game = rules.game(min(3, rules.players[1]))
    faces = Faces(Names(game, ["human"] * 3, Style(pictures=pictures)))
    for one, other in combinations({card.id for card in game.model.cards}, 2):
        assert faces.sign(one) != faces.sign(other)
