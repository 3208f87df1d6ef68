"""Recipes and house rules: valid without warnings, playable, with true examples and pages."""

from __future__ import annotations

import re

import pytest
from jsonschema import Draft202012Validator

import draftengine as de
from conftest import NIGHTLY
from docs import gallery_page, keys_page, recipes_page
from draftengine.api.scenario import scenario_file
from draftengine.model.schema import schema
from draftengine.model.shelf import house_rules, shelf, shipped

DOCS = recipes_page.ROOT / "docs"


def played(name):
    """Return the number of moves of a game with the fewest players; by night also with the most."""
    rules = gallery_page.opened(name)
    moves = []
    for number in {rules.model.min_players, rules.model.max_players if NIGHTLY else rules.model.min_players}:
        state = rules.game(number).start(seed=24)
        while not state.over:
            seat = state.waiting[0]
            state = state.commit(seat, state.view(seat).moves[-1])
        moves.append(len(state.moves))
    return min(moves)


@pytest.mark.parametrize(
    "path", [DOCS.parent / "examples" / "recipes" / "diner.yaml", *recipes_page.RECIPES], ids=lambda own: own.stem
)
def test_a_recipe_says_what_can_be_played(path):
    assert not de.check(path)
    if NIGHTLY:
        assert played(path)


def test_the_recipes_stand_in_order():
    assert [path.name[:3] for path in recipes_page.RECIPES] == [f"{number:02}_" for number in range(1, 50)]


@pytest.mark.parametrize("name", house_rules())
def test_a_house_rule_can_be_played_by_its_name(name):
    """Check that a house rule is valid, has passing examples, and extends a shipped game."""
    assert not [own for own in de.check(name) if own.severity != "note"]
    document = gallery_page.opened(name).document
    assert document.examples
    assert document.files[1].asked in shelf()
    assert played(name)


def test_house_rules_are_apart_from_games():
    assert len(house_rules()) >= 15
    assert not house_rules().keys() & shelf().keys()
    assert house_rules().keys() | shelf().keys() == shipped().keys()


def test_the_figures_are_of_these_rules():
    """Check that figures belong to the current rules; `python benchmarks/house_rules.py` measures again."""
    for name, found in gallery_page.figures().items():
        assert found["rules"] == gallery_page.fingerprints(name), name
        assert found["games"] >= 1_000
        assert found["sentences"]


@pytest.mark.parametrize("made", [recipes_page, gallery_page, keys_page], ids=["recipes", "gallery", "keys"])
def test_the_page_is_new(made):
    name = re.search(r"docs/(\w+\.md)", made.__doc__)[1]
    assert (DOCS / name).read_text(encoding="utf-8") == made.page(), "make docs writes it again"


def test_every_key_is_listed_with_an_example():
    """Check that the list has every key of the schema, with a valid example."""
    listed = [(part, name) for _, part in keys_page.tables() for name in part.properties()]
    said = {(name, part.properties()[name].get("description")) for part, name in listed}
    assert not {*keys_in(schema()), *keys_in(scenario_file())} - said
    for part, name in listed:
        own = Draft202012Validator({"$defs": part.defs, **part.properties()[name]})
        assert own.is_valid(part.example(name)), f"{part.title}: {name}"


def keys_in(own):
    """Yield every key of a schema with its description, except changes of card sets."""
    if isinstance(own, dict):
        for name, key in (own.get("properties") or {}).items():
            if isinstance(key, dict) and "description" in key:
                yield name, key["description"]
        for name, inner in own.items():
            if name not in {"examples", "default"} and not name.endswith("_change"):
                yield from keys_in(inner)
    elif isinstance(own, list):
        for inner in own:
            yield from keys_in(inner)
