"""Sources of shipped card sets: each cites its own rule booklet, and marks its assumptions."""

import pytest

from draftengine.model.cardset.records import text_in
from draftengine.model.library import open_set
from draftengine.model.selection import document_json, open_document, parse_selection, resolve
from draftengine.model.shelf import fetcher, shelf
from draftengine.model.yaml.load import load, read_source


def cited_in(data):
    """Return every citation in a tree."""
    if isinstance(data, list):
        return {name for own in data for name in cited_in(own)}
    if not isinstance(data, dict):
        return set()
    own = data.get("source", [])
    return {own} if isinstance(own, str) else set(own) | {name for value in data.values() for name in cited_in(value)}


def booklet_of(document):
    """Return publisher and year, which identify the booklet of a card set."""
    about = document_json(document.root).get("about", {})
    return about.get("publisher"), about.get("year")


def statements_of(document):
    """Return the numbers of the statements in the booklet of a card set.

    These are the statements of its file, which may repeat those of another booklet, and those of extended files about
    one and the same booklet.
    """
    own = set()
    for file in document.files:
        data = file.source.text.encode()
        whole, _ = open_document(data, file.source.name, fetcher("-"))
        if booklet_of(whole) == booklet_of(document):
            own |= set(document_json(load(read_source(data, file.source.name)[0])[0]).get("sources", {}))
    for part in document.parts:
        own |= set(document_json(load(part.source)[0]).get("sources", {}))
    return own


def foreign_in(document):
    """Return the citations of a card set that are not in its own booklet."""
    return cited_in(document_json(document.root)) - statements_of(document)


@pytest.mark.parametrize("cardset", shelf())
def test_every_edition_cites_its_own_statements(cardset):
    """Check that each edition cites its own statements, or is assumed as a whole."""
    document = open_set(cardset).document
    data = document_json(document.root)
    assert cited_in(data) or "assumed" in data
    assert not foreign_in(document)


@pytest.mark.parametrize(
    ("change", "foreign"),
    [
        ("about: {publisher: Another}\nscoring: {maki: {source: X-1}}", "O-20"),
        ("about: {year: 2031}\nreadings: {further_ties: {reason: Why not.}}", "O-34"),
    ],
)
def test_citations_that_are_inherited_from_another_booklet_are_found(change, foreign):
    text = f"format: 1\nid: another\nextends: sushi_go\n{change}\nsources: {{X-1: Most maki win.}}\n"
    document, findings = open_document(text.encode(), "another.yaml", fetcher("-"))
    assert document is not None, findings
    assert foreign in foreign_in(document)
    assert "X-1" not in foreign_in(document)


def test_an_edition_may_say_that_it_agrees_with_another():
    text = "format: 1\nid: another\nextends: sushi_go\nabout: {year: 2031}\nsources: {O-20: Two tempura score 5.}\n"
    document, _ = open_document(text.encode(), "another.yaml", fetcher("-"))
    assert "O-20" not in foreign_in(document)
    assert "O-21" in foreign_in(document)


# ── Assumptions ───────────────────────────────────────────────────────────────────────────────────────────────────────


def assumed_in(cardset, *selected):
    model, findings = resolve(open_set(cardset).document, parse_selection(selected))
    assert model is not None, findings
    return {(text_in(own.of), own.variant) for own in model.assumptions}


def test_shipped_card_sets_say_what_they_assume():
    """Check the assumptions for what only pictures show, or no document says."""
    assert assumed_in("sushi_go") == assumed_in("sushi_draft") == {("", "")}
    assert assumed_in("sushi_go_2014") == assumed_in("sushi_go_summary") == set()
    anniversary = assumed_in("anniversary")
    assert {("Strawberry pudding ×4", ""), ("Dark wasabi cubes", ""), ("The table", "sushi_battle")} <= anniversary
    assert {("Mochi", "mochi"), ("Frozen yogurt 5", "frozen_yogurt"), ("Bubble tea 1", "bubble_tea")} <= anniversary


def test_what_a_variant_assumes_is_in_force_with_it():
    found = assumed_in("anniversary", "mochi", "sushi_battle")
    assert {("Mochi", ""), ("The table", "")} <= found
    assert not {("Strawberry pudding ×4", ""), ("Mochi", "mochi")} & found
