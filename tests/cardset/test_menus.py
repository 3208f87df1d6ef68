"""Menus: variants that are played together, by name or as a list, and how many of a group."""

from __future__ import annotations

import pytest

import draftengine as de
from draftengine.library import open_bytes
from draftengine.scenario.checking import check_bytes

GAME = """format: 1
id: inn
title: Inn
version: 1.0.0
players: 2-4
rounds: 1
cards: {soup: {count: 40}}
setup: [{shuffle: deck}]
round:
  - deal: {to: hand, cards: 5}
  - repeat: {until_empty: hand, do: [{choose: {from: hand, to: tableau}}, {pass: {zone: hand, to: left}}]}
  - score: round
scoring: {soup: {kind: each, of: soup, points: 1}}
winner: {order: most}
variants:
DISHES
menus:
  of: {main: 2}
  sunday: [roast, fish, cake]
examples:
  - {name: by name, menu: sunday, tables: [[roast, cake], [fish]], expect: {points: {cake: [3, 0], fish: [0, 2]}}}
  - {name: listed, menu: [stew, pie], tables: [[stew, pie], []], expect: {points: {pie: [3, 0], stew: [2, 0]}}}
"""
DISH = "  {0}: {{title: {0}, group: {1}, changes: {{cards: {{{0}: {{count: 9}}}}, scoring: {{{0}: {2}}}}}}}"
DISHES = {"roast": ("main", 2), "fish": ("main", 2), "stew": ("main", 2), "cake": ("sweet", 3), "pie": ("sweet", 3)}
GAME = GAME.replace(
    "DISHES",
    "\n".join(
        DISH.format(name, group, f"{{kind: each, of: {name}, points: {points}}}")
        for name, (group, points) in DISHES.items()
    ),
)


@pytest.fixture
def inn(tmp_path):
    path = tmp_path / "inn.yaml"
    path.write_text(GAME, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("given", "played"),
    [
        ({"menu": "sunday"}, ("roast", "fish", "cake")),
        ({"menu": "stew,roast,pie"}, ("roast", "stew", "pie")),
        ({"menu": ["pie"]}, ("pie",)),
        ({"variants": ["sunday"]}, ("roast", "fish", "cake")),
    ],
)
def test_menus_are_played(inn, given, played):
    """By their name or as a list; the game knows the variants."""
    game = de.load(inn, 3, **given)
    assert game.variants == played
    assert {own.id for own in game.model.cards} == {"soup", *played}
    again = de.load(inn, 3, played)
    assert again.ruleset.fingerprint == game.ruleset.fingerprint


@pytest.mark.parametrize(
    ("menu", "said"),
    [
        ("roast,fish,stew", "At most 2 of the group “main” can be played, not 3."),
        ("cake,pie", "both of the group “sweet”"),
        ("sunda", "Did you mean “sunday”?"),
        ("roast,,pie", "is not of the form"),
    ],
)
def test_what_is_no_menu(inn, menu, said):
    """Refused with what is wrong with it."""
    with pytest.raises(de.SelectionError, match=said.split("“")[0] if "“" in said else said) as error:
        de.load(inn, 3, menu=menu)
    assert said in str(error.value)


def test_examples_name_menus():
    """They are run with the variants of the menu."""
    assert check_bytes("-", "inn.yaml", GAME.encode()) == ()


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        ("fish, cake]", "fish, caek]", "unknown-variant", "Did you mean “cake”?"),
        ("fish, cake]", "fish, stew]", "variant-conflict", "allow more: “menus: {of: {main: 3}}”"),
        ("of: {main: 2}", "of: {mian: 2}", "unknown-variant", "Did you mean “main”?"),
        ("  sunday:", "  pie:", "name-clash", "A name means one thing"),
    ],
)
def test_mistaken_menus(old, new, code, said):
    """Found when the file is opened, at the word that is wrong."""
    found = open_bytes("-", "inn.yaml", GAME.replace(old, new).encode()).findings
    assert (found[0].code, said in found[0].hint) == (code, True)
