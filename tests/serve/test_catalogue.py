"""Offers of the lobby: variants, menus and readings, each with its meaning."""

from __future__ import annotations

import pytest

from draftengine.apps.web import RefusedError
from draftengine.apps.web.catalogue import Catalogue, entry, game_of, problems

MENUS = """
format: 2
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
  titles: {late_evening: A Late Evening, side: {en: Side dishes, pl: Dodatki}}
  default: both
  both: [more_soup, less_soup]
  late_evening: [less_soup, no_soup]
readings:
  where:
    question: Where does it go?
    default: here
    options:
      here: {text: Here.}
      there: {text: There., changes: {cards: {tempura: {count: 13}}}}
    variants: [no_soup]
  nothing:
    question: Does it matter?
    default: not
    options: {not: {text: No.}, neither: {text: Neither.}}
examples: []
"""


@pytest.fixture(scope="module")
def catalogue(tmp_path_factory):
    """Return a catalogue of Sushi Go and a game that is always played with a menu."""
    path = tmp_path_factory.mktemp("menus") / "menus.yaml"
    path.write_text(MENUS, "utf-8")
    return Catalogue(["sushi_go", str(path)])


def test_readings_are_offered_with_what_each_means_and_are_played(catalogue):
    """Readings are offered with their meanings, the default marked, and can be played like variants."""
    source = catalogue.source("sushi_go")
    reading = next(own for own in entry("sushi_go", source)["readings"] if own["id"] == "chopsticks_order")
    assert reading["question"].endswith("?")
    assert reading["usual"] == "in_order"
    assert all(own["text"] for own in reading["options"])
    chosen = ["pass_both_ways", "chopsticks_order=apart"]
    assert problems(source, chosen, 3)["now"] == []
    game = game_of(source, tuple(chosen), 3)
    assert next(own.chosen for own in game.model.readings if own.id == "chopsticks_order") == "apart"
    for wrong in ("chopsticks_order=nothing", "cards.tempura.count=3"):
        with pytest.raises(RefusedError):
            problems(source, [wrong], 3)
        with pytest.raises(RefusedError):
            game_of(source, (wrong,), 3)


def test_questions_and_exclusions_are_those_that_apply(catalogue):
    """A question whose answers change nothing is left out; one about a variant names the variant."""
    offered = entry("menus", catalogue.source("menus"))
    applies = {reading["id"]: reading["with"] for reading in offered["readings"]}
    assert applies["where"] == ["no_soup"]
    assert applies["chopsticks_order"] == []
    assert "nothing" not in applies
    readings = entry("sushi_go", catalogue.source("sushi_go"))["readings"]
    asked = {reading["id"]: reading["players"] for reading in readings}
    assert asked["equal_puddings"] == [2]
    assert asked["chopsticks_order"] == [2, 3, 4, 5]
    assert entry("anniversary", Catalogue(["anniversary"]).source("anniversary"))["exclusions"]


def test_objections_are_told_in_the_language_of_the_reader(catalogue):
    """Objections name variants by their titles, in the language of the reader."""
    source = Catalogue(["sushi_go_2014"]).source("sushi_go_2014")
    variant = "two_player_dummy"
    for language, words in (("en", "is for 2 players, not 3"), ("pl", "jest dla 2 graczy, nie 3"), ("ja", "2人用です")):
        (objection,) = problems(source, [variant], 3, language)["now"]
        assert words in objection
        assert variant not in objection
        with pytest.raises(RefusedError) as refused:
            game_of(source, (variant,), 3, language)
        assert refused.value.answer_in(language)["detail"] == objection


def test_menus_are_offered_and_the_usual_one_is_played(catalogue):
    """Menus are offered, and the default is played; a group with a maximum drops its first for another."""
    source = catalogue.source("menus")
    menus = entry("menus", source)
    assert menus["played"] == ["more_soup", "less_soup"]
    assert menus["allowances"] == {"side": 2}
    assert menus["menus"][0]["title"] == "Both"
    assert (menus["groups"], entry("menus", source, "pl")["groups"]) == ({"side": "Side dishes"}, {"side": "Dodatki"})
    assert menus["menus"][1] == {"title": "A Late Evening", "variants": ["less_soup", "no_soup"]}
    assert problems(source, menus["played"], 3)["beside"] == {"no_soup": [], "pass_both_ways": []}
