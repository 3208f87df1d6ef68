"""What the lobby offers: variants, menus, and readings of the rules with what each means."""

from __future__ import annotations

import pytest

from draftengine.apps.web.catalogue import Catalogue
from draftengine.apps.web.errors import RefusedError

MENUS = """
format: 1
extends: sushi_go
id: menus
title: Menus
version: 1.0.0
variants:
  more_soup: {title: More, group: side, changes: {cards: {tempura: {count: 15}}}}
  less_soup: {title: Less, group: side, changes: {cards: {sashimi: {count: 15}}}}
  no_soup: {title: None, group: side, changes: {cards: {dumpling: {count: 15}}}}
menus:
  of: {side: 2}
  default: both
  both: [more_soup, less_soup]
  late_evening: [less_soup, no_soup]
examples: []
"""


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory):
    """Sushi Go, and a game that is always played with a menu."""
    path = tmp_path_factory.mktemp("menus") / "menus.yaml"
    path.write_text(MENUS, "utf-8")
    return Catalogue(["sushi_go", str(path)])


def test_readings_are_offered_with_what_each_means_and_are_played(catalogue):
    """The usual one is marked; another one is played like a variant, and no objection is raised."""
    reading = next(own for own in catalogue.entry("sushi_go")["readings"] if own["id"] == "chopsticks_order")
    assert reading["question"].endswith("?")
    assert reading["usual"] == "in_order"
    assert all(own["text"] for own in reading["options"])
    chosen = ["pass_both_ways", "chopsticks_order=apart"]
    assert catalogue.problems("sushi_go", chosen, 3)["now"] == []
    game = catalogue.game("sushi_go", chosen, 3)
    assert next(own.chosen for own in game.model.readings if own.id == "chopsticks_order") == "apart"
    for wrong in ("chopsticks_order=nothing", "cards.tempura.count=3"):
        with pytest.raises(RefusedError):
            catalogue.problems("sushi_go", [wrong], 3)
        with pytest.raises(RefusedError):
            catalogue.game("sushi_go", [wrong], 3)


def test_menus_are_offered_and_the_usual_one_is_played(catalogue):
    """A group may hold several; the first of them makes room for one more."""
    entry = catalogue.entry("menus")
    assert entry["played"] == ["more_soup", "less_soup"]
    assert entry["allowances"] == {"side": 2}
    assert entry["menus"][1] == {"title": "Late evening", "variants": ["less_soup", "no_soup"]}
    assert catalogue.problems("menus", entry["played"], 3)["beside"] == {"no_soup": [], "pass_both_ways": []}
