"""No sentence of a rulebook has a word twice in a row, with any label that a game may have."""

import re
from pathlib import Path

import pytest
from msgspec import to_builtins

from conftest import sample
from draftengine.api.ruleset import rules_named
from draftengine.model.shelf import shelf
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_text
from written import TWO_DISHES

TESTS = Path(__file__).parents[1]
NATURAL = sorted((TESTS / "natural").rglob("*.yaml"))
DOUBLED = re.compile(r"\b([^\W\d_]+) \1\b", re.IGNORECASE)
MEANT = {"koge": "the name of a publisher", "i": "Polish “and” beside a Roman number"}


def texts_in(node):
    """Yield every text in a tree."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict | list | tuple):
        for part in node.values() if isinstance(node, dict) else node:
            yield from texts_in(part)


def doubled_in(book):
    """Return the words that a text of a book has twice in a row."""
    doubled = [match for text in texts_in(to_builtins(book)) for match in DOUBLED.finditer(text)]
    return [match[0] for match in doubled if match[1].lower() not in MEANT]


@pytest.mark.parametrize("language", ["en", "pl", "ja"])
@pytest.mark.parametrize("path", [*sample([*shelf().values()], 4), *sample(NATURAL, 8)], ids=lambda path: path.stem)
def test_no_word_stands_twice_in_a_row(path, language):
    assert doubled_in(book_of(rules_named(path, ()), language)) == []


@pytest.mark.parametrize("stem", ["salad", "seven_pens"])
def test_a_label_that_begins_as_sentences_do_doubles_nothing(stem):
    assert doubled_in(book_of(rules_named(TESTS / "natural" / f"{stem}.yaml", ()))) == []


def test_articles_of_labels_give_way_to_those_of_sentences(tmp_path):
    """In the middle of a sentence a label has no article, and one that begins with “each” is quoted."""
    text = TWO_DISHES.replace("soup: {count: 20}", "soup: {count: 20, label: The soup, adds: {spoons: 1}}")
    text = text.replace("bread: {count: 20}", "bread: {count: 20, label: {en: {one: Every loaf, other: Every loaves}}}")
    text = text.replace("round:", "counters: {spoons: {label: the spoons}}\nround:", 1)
    text = text.replace("order: most", "order: most, tie_breakers: [{most: spoons}]")
    path = tmp_path / "articles.yaml"
    path.write_text(text, "utf-8")
    printed = " ".join(as_text(book_of(rules_named(path))).split())
    assert "Each set of 2 soup cards scores 5 points" in printed
    assert "most “Every loaves”" in printed
    assert "the one of them with the most spoons wins" in printed


def test_titles_of_rules_keep_the_articles_of_cards(tmp_path):
    """A rule for a card is called what is printed on the card, even if sentences leave out its article."""
    path = tmp_path / "hague.yaml"
    path.write_text(TWO_DISHES.replace("soup: {count: 20}", "soup: {count: 20, label: The Hague}"), "utf-8")
    lines = as_text(book_of(rules_named(path))).splitlines()
    assert "The Hague" in lines
    assert "Hague" not in lines
