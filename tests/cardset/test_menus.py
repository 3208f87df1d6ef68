"""Menus: variants played together, by name or as a list, with limits for groups of variants."""

from __future__ import annotations

from pathlib import Path

import pytest

import draftengine as de
from draftengine.api.ruleset import rules_in_json
from draftengine.api.scenario.suite import check_bytes
from draftengine.model import limits
from draftengine.model.library import open_bytes
from draftengine.model.selection import Selection, combinations, resolve, single_selections
from draftengine.model.selection.document import open_document

GAME = """format: 2
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
scoring: {soup: {each: soup, points: 1}}
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
ENTRY = "  {0}: {{title: {0}, group: {1}, changes: {{cards: {{{0}: {{count: 9}}}}, scoring: {{{0}: {2}}}}}}}"
DISHES = {"roast": ("main", 2), "fish": ("main", 2), "stew": ("main", 2), "cake": ("sweet", 3), "pie": ("sweet", 3)}
GAME = GAME.replace(
    "DISHES",
    "\n".join(
        ENTRY.format(name, group, f"{{each: {name}, points: {points}}}") for name, (group, points) in DISHES.items()
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
    """Check that a menu is played by name or as a list, and that the game knows its variants."""
    game = de.load(inn, 3, **given)
    assert game.variants == played
    assert {own.id for own in game.model.cards} == {"soup", *played}
    again = de.load(inn, 3, played)
    assert again.ruleset.fingerprint == game.ruleset.fingerprint


ALWAYS = GAME.replace("  of: {main: 2}\n", "  of: {main: 2, sweet: 1}\n  default: sunday\n  monday: [stew, pie]\n")


@pytest.mark.parametrize(
    ("chosen", "played"),
    [
        ([], ("roast", "fish", "cake")),
        (["stew"], ("roast", "stew", "cake")),
        (["pie", "fish"], ("roast", "fish", "pie")),
        (["monday"], ("roast", "stew", "pie")),
    ],
)
def test_a_default_menu_fills_up(chosen, played):
    """Check that the default menu fills up each group in its order, for checks as for play."""
    opened = open_bytes("-", "inn.yaml", ALWAYS.encode())
    assert not opened.findings
    assert resolve(opened.document, Selection(tuple(chosen)))[0].active == played
    assert [own.variants for own in single_selections(opened.document)] == [
        (),
        ("roast", "stew", "pie"),
    ]
    assert [own.variants for own in combinations(opened.document, 3)] == [
        ("roast", "fish", "cake"),
        ("roast", "stew", "pie"),
    ]


@pytest.mark.parametrize(
    ("menu", "said"),
    [
        ("roast,fish,stew", "At most 2 variants of the group “main” can be played together, not 3."),
        ("cake,pie", "belong to the same group, “sweet”"),
        ("sunda", "Did you mean “sunday”?"),
        ("roast,,pie", "is not of the form"),
    ],
)
def test_what_is_no_menu(inn, menu, said):
    """Check that wrong menus are refused with a reason."""
    with pytest.raises(de.SelectionError, match=said.split("“")[0] if "“" in said else said) as error:
        de.load(inn, 3, menu=menu)
    assert said in str(error.value)


def test_examples_name_menus():
    """Check that examples with a menu run with its variants."""
    assert check_bytes("-", "inn.yaml", GAME.encode()) == ()


@pytest.mark.parametrize(
    ("old", "new", "code", "said"),
    [
        ("fish, cake]", "fish, caek]", "unknown-variant", "Did you mean “cake”?"),
        ("fish, cake]", "fish, stew]", "variant-conflict", "allow more: “menus: {of: {main: 3}}”"),
        ("of: {main: 2}", "of: {mian: 2}", "unknown-variant", "Did you mean “main”?"),
        ("  sunday:", "  titles: {sundae: Sunday}\n  sunday:", "unknown-variant", "Did you mean “sunday”?"),
        ("  sunday:", "  pie:", "name-clash", "A name means one thing"),
        ("  sunday:", "  default: sundae\n  sunday:", "unknown-variant", "Did you mean “sunday”?"),
        ("fish, cake]", "cake]\n  default: sunday", "variant-needs", "as many of each group"),
    ],
)
def test_mistaken_menus(old, new, code, said):
    """Check that mistakes in menus are found when the file is opened, at the wrong word."""
    found = open_bytes("-", "inn.yaml", GAME.replace(old, new).encode()).findings
    assert (found[0].code, said in found[0].hint) == (code, True)


DISH = """variants:
  salad: {title: Salad, group: main, changes: {cards: {salad: {count: 9, source: S-1}}, scoring: {salad: {each: salad, points: 4}}}}
sources: {S-1: Salads are 4.}
examples:
  - {name: a salad, menu: salad, tables: [[salad], []], expect: {points: {salad: [4, 0]}}}
"""  # noqa: E501 (a dish in one line)


@pytest.fixture
def with_dish(tmp_path):
    """Return a card set that includes a dish from a subfolder."""

    def written(included="dishes/salad.yaml", dish=DISH):
        (tmp_path / "dishes").mkdir(exist_ok=True)
        (tmp_path / "dishes" / "salad.yaml").write_text(dish, encoding="utf-8")
        text = f"{GAME}include: [{included}]\n".replace("  sunday:", "  monday: [salad, pie]\n  sunday:")
        (tmp_path / "inn.yaml").write_text(text, encoding="utf-8")
        return str(tmp_path / "inn.yaml")

    return written


def test_a_dish_is_a_file_of_its_own(with_dish, tmp_path):
    """Check that an included variant joins menus, runs its examples, and is sent along with the rules."""
    path = with_dish()
    assert [own.code for own in check_bytes(path, path, Path(path).read_bytes()) if own.severity == "error"] == []
    assert "a salad" in [own.name for own in de.run_scenarios(path)]
    game = de.load(path, 3, menu="monday")
    assert "salad" in game.variants
    assert rules_in_json(game.ruleset.to_json()).fingerprint == game.ruleset.fingerprint
    house = tmp_path / "house.yaml"
    house.write_text("format: 1\nid: house\ntitle: H\nversion: 1.0.0\nextends: inn\nrounds: 2\n", encoding="utf-8")
    assert "salad" in de.load(house, 3, menu="monday").variants


@pytest.mark.parametrize(
    ("included", "dish", "code"),
    [
        ("../salad.yaml", DISH, "include-unknown"),
        ("/etc/passwd", DISH, "include-unknown"),
        ("dishes/soup.yaml", DISH, "include-unknown"),
        ("dishes/salad.yaml", DISH.replace("  salad: {title", "  pie: {title"), "include-clash"),
        ("dishes/salad.yaml", DISH + "rounds: 2\n", "unknown-key"),
        ("dishes/salad.yaml", DISH.replace("count: 9", "cuont: 9"), "unknown-key"),
        ("dishes/salad.yaml", DISH + "cards: [\n", "unclosed-bracket"),
        ("dishes/salad.yaml", DISH + "\x07", "control-character"),
    ],
)
def test_what_cannot_be_included(with_dish, included, dish, code):
    """Check that wrong paths, taken names and files with more than a variant cannot be included."""
    path = with_dish(included, dish)
    found = open_bytes(path, path, Path(path).read_bytes()).findings
    assert code in [own.code for own in found]


@pytest.mark.parametrize(
    "name", ["../salad.yaml", "/dishes/salad.yaml", "dishes/../salad.yaml", "salad.txt", "~/a.yaml"]
)
def test_a_name_that_leads_elsewhere_is_not_even_looked_up(name):
    asked = []
    _, findings = open_document(f'{GAME}include: ["{name}"]\n'.encode(), "inn.yaml", asked.append)
    assert ([own.code for own in findings], asked) == (["include-unknown"], [])


@pytest.mark.parametrize(("more", "found"), [([], []), (["dishes/more.yaml"], ["include-unknown"])])
def test_what_is_extended_counts_among_the_files_that_are_included(more, found):
    """Check that the limit of included files counts those of the extended file."""
    base = f"{GAME}include: [{', '.join(f'dishes/{number}.yaml' for number in range(limits.INCLUDED))}]\n".encode()
    house = f"format: 1\nid: house\ntitle: House\nversion: 1.0.0\nextends: inn\nrounds: 2\ninclude: {more}\n"
    _, findings = open_document(
        house.encode(), "house.yaml", lambda name: (name, base if name == "inn" else b"variants: {}")
    )
    assert [own.code for own in findings if own.severity == "error"] == found
    assert all(f"At most {limits.INCLUDED} files" in own.message for own in findings if own.severity == "error")
