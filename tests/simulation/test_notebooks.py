"""Results as notebooks show them: their sentences, and a table of their figures."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import draftengine as de

FEW = {"bots": "greedy", "seed": 1}


@pytest.mark.parametrize(
    ("study", "rows"),
    [
        (lambda game: de.simulate(game, 20, **FEW), 2),
        (lambda game: de.compare(game, game, 20, **FEW), None),
        (lambda game: de.tune(game, "cards.wasabi.count", "score near 40", [2, 6], 20, **FEW), 2),
        (lambda game: de.arena(game, "greedy,random", 2, seed=1), 2),
    ],
    ids=["simulation", "comparison", "tuning", "tournament"],
)
def test_results_show_themselves(study, rows):
    """Check that HTML is whole, and has all sentences and a row for each seat, effect, value or bot."""
    result = study(de.load("sushi_go", players=2))
    page = ET.fromstring(result._repr_html_())  # noqa: S314 (made here)
    assert page.find("b").text == repr(result)[1:-1]
    assert [item.text for item in page.iter("li")] == result.sentences
    lines = [len([*row]) for row in page.iter("tr")]
    assert len(lines) == 1 + (rows or len(result.effects))
    assert len({*lines}) == 1
