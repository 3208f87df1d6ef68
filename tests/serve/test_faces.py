"""Cards on a page equal printed cards: one generator draws both, and the page builds elements."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from draftengine.api.ruleset import rules_named
from draftengine.apps.web.messages import rules_shown
from draftengine.model.shelf import shelf
from draftengine.render.faces.elements import icon

STATIC = Path(__file__).parents[2] / "src" / "draftengine" / "apps" / "web" / "static"
HOSTILE = "\"><script>alert('x')</script>&"


def parts(drawing):
    """Yield (name, attributes, texts) of every element of a drawing."""
    name, attributes, *inner = drawing
    yield name, attributes, [own for own in inner if isinstance(own, str)]
    for own in inner:
        if not isinstance(own, str):
            yield from parts(own)


@pytest.mark.parametrize("name", shelf())
def test_the_page_gets_the_drawings_of_the_generator(name):
    """Drawings of all cards and forms use only elements that the page knows, and contain their pattern."""
    rules = rules_named(name)
    shown = rules_shown(rules.game())
    known = set(
        re.findall(r'"(\w+)"', re.search(r"DRAWN = new Set\(\[(.*?)\]\)", (STATIC / "faces.js").read_text())[1])
    )
    for card in rules.model.cards:
        plays = [card.id] if card.forms is None else [f"{card.id}@{form}" for form in card.forms.of]
        for play in plays:
            found = list(parts(shown["drawn"][play]))
            assert {kind for kind, _, _ in found} <= known
            wanted = {own["fill"] for _, own, _ in found if own.get("fill", "").startswith("url(")}
            assert wanted == {f"url(#{own['id']})" for kind, own, _ in found if kind == "pattern"} != set()


def test_a_card_shows_what_it_scores_by_itself():
    """A card has the number that a rule sums for it in words and in pips."""
    rules = rules_named("six_nimmt")
    page = rules_shown(rules.game(2))
    assert page["scored"] == "Bulls' heads"
    for card, points in {"n55": 7, "n11": 5, "n10": 3, "n5": 2, "n1": 1}.items():
        assert page["cards"][card]["points"] == points
        assert page["cards"][card]["text"] == f"Bulls' heads {points}."
        pips = [dot for kind, dot, _ in parts(page["drawn"][card]) if kind == "circle" and dot["r"] == "1.5"]
        assert len(pips) == points
    assert rules_shown(rules_named("ohanami").game())["scored"] == ""


def test_the_page_can_say_who_wins_a_tie():
    """The results name the tie-breaker in the language of the cards; many games have none."""
    game = rules_named("sushi_go").game()
    assert rules_shown(game)["ties"] == "If players are tied, the one of them with the most puddings wins."
    assert rules_shown(game, "pl")["ties"].startswith("Przy remisie")
    assert rules_shown(rules_named("anniversary").game())["ties"] == ""


def test_the_page_can_say_which_condition_won():
    """The results name the condition instead of points that did not decide; most games have none."""
    game = rules_named(str(Path(__file__).parents[1] / "play" / "crowns.yaml")).game()
    assert rules_shown(game)["wins"] == "If you have 3 or more crowns, you win at once."
    assert rules_shown(game, "pl")["wins"].startswith("Jeśli masz co najmniej 3 karty")
    assert rules_shown(game, "ja")["wins"].endswith("その場で勝つ。")
    assert rules_shown(rules_named("sushi_go").game())["wins"] == ""


def test_what_a_card_set_says_stays_text(tmp_path):
    """Signs are text, as their authors write them; signs and names never become elements or attributes."""
    soup = {"count": 8, "label": HOSTILE, "icon": '"><b>&', "text": HOSTILE}
    base = {
        "format": 1,
        "extends": "sushi_go",
        "id": "bad",
        "title": HOSTILE,
        "version": "1.0.0",
        "cards": {"soup": soup},
    }
    path = tmp_path / "bad.yaml"
    path.write_text(json.dumps(base))
    shown = rules_shown(rules_named(path).game())
    found = list(parts(shown["drawn"]["soup"]))
    assert [text for kind, _, text in found if kind == "text"] == [['"><b>&']]
    assert all("script" not in kind and "<" not in str(own) for kind, own, _ in found)
    assert shown["cards"]["soup"]["text"] == HOSTILE


def test_a_numbered_card_shows_its_number():
    """A number in a card's name is shown in every script, but not the multiplier of a card."""
    for label, number in (("Plants 30", "30"), ("草木7", "7"), ("Rośliny 118", "118")):
        assert f">{number}</text>" in icon("🌿", label, "#fff", 50)
    for label in ("Plants ×2", "Plants"):
        assert "<text" not in icon("🌿", label, "#fff", 50)
