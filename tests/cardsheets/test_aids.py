"""Player aids, as cards and as a page: all that players look up, once, on as little paper as possible."""

from __future__ import annotations

import json
import re
from io import BytesIO
from itertools import combinations
from pathlib import Path

import pytest
from defusedxml.ElementTree import fromstring
from pypdf import PdfReader

from cardsheets.drawn import boxes
from cardsheets.test_drawn_cards import CARD, SHIPPED
from conftest import sample
from draftengine.api.ruleset import rules_named
from draftengine.render.faces.elements import PAPER
from draftengine.render.faces.small import Deck
from draftengine.render.rulebook import Paragraph, Rule, Table, aid_of
from draftengine.render.rulebook.formats import as_html, as_text
from draftengine.render.sheets import sheets_of
from draftengine.render.sheets.layout import PAPERS
from draftengine.support.locale.catalogue import plain
from serve.needed import EVERY, chromium

LONGEST = [("anniversary", "pl"), ("sushi_go_party", "en"), ("go_nuts_for_donuts", "pl"), ("tides_of_time", "ja")]


def aid_cards(rules, language):
    """Return the rows of text on each aid card, without its title, its subtitle and its footer."""
    drawn = sheets_of(rules, PAPERS["a4"], language, aid=True, one_each=True).cards
    for name, markup in drawn.items():
        if name.startswith("-aid"):
            texts = [part for part in boxes(markup) if part.kind == "text"]
            assert not any(one.overlaps(other) for one, other in combinations(texts, 2))
            assert all(text.within(CARD) for text in texts)
            elements = fromstring(f"<g>{markup}</g>").iter("text")
            _, *rows = [it.text or "" for it in elements if it.get("fill") not in {PAPER, "#4a413c"}]
            yield rows


def joined(texts):
    return "".join("".join(texts).split())


def looked_up(book):
    """Yield everything that an aid card has to say, row by row."""
    for part in book.parts:
        for block in part.blocks:
            match block:
                case Table():
                    yield from (cell for row in block.rows for cell in row if cell not in {"0", "–"})
                case Rule(boxed=False) | Paragraph():
                    yield plain(block.text)


@pytest.mark.parametrize(("name", "language"), sample(SHIPPED, 11))
def test_aid_cards_say_all_that_is_looked_up(name, language):
    """Nothing of an aid is cut off or overlaps, and no number on a card lacks a meaning."""
    rules = rules_named(name)
    pages = list(aid_cards(rules, language))
    texts = joined(joined(rows) for rows in pages)
    sentences = [part for text in looked_up(aid_of(rules, language)) for part in re.split(r"(?<=[.。])", text)]
    assert [text for text in sentences if joined(text) not in texts] == []  # the next card may go on with a sentence
    assert "0" not in [text for rows in pages for text in rows]


def test_a_text_longer_than_a_card_goes_on_on_the_next(tmp_path):
    """A long text continues below its subject, after a sentence or, if it has none, after a word."""
    texts = {"bread": "Each slice is worth a point. " * 40, "jam": "and more " * 90}
    rules = {name: {"kind": "formula", "points": "1", "text": text} for name, text in texts.items()}
    house = {"format": 1, "extends": "sushi_go", "id": "long", "title": "Long", "version": "1.0.0", "scoring": rules}
    path = tmp_path / "long.yaml"
    path.write_text(json.dumps(house))
    pages = list(aid_cards(rules_named(path), "en"))
    for name, text in texts.items():
        heads = [rows.index(head) for rows in pages for head in (name.title(), f"… {name.title()}") if head in rows]
        assert len(heads) > 1
        assert joined(text.strip()) in joined(joined(rows) for rows in pages).replace(f"…{name.title()}", "")
    assert all(rows[-1].endswith("point.") for rows in pages if rows[0] == "… Bread")


@pytest.mark.parametrize("language", ["en", "pl"])
def test_an_aid_says_nothing_twice(language):
    """An event that gives points is in the list of scores only, others are below."""
    book = aid_of(rules_named("anniversary"), language)
    title = {"en": "Taking the lead", "pl": "Objęcie prowadzenia"}[language]
    assert as_text(book).count(title) == 1
    assert joined(joined(rows) for rows in aid_cards(rules_named("anniversary"), language)).count(joined(title)) == 1
    text = as_text(aid_of(rules_named("tides_of_time")))
    assert text.casefold().count("you win every tie") == 1


@pytest.mark.parametrize(
    ("language", "chip"), [("en", "○ is a chip"), ("pl", "○ to żeton"), ("ja", "○は、その名前の山から")]
)
def test_an_aid_explains_the_sign_for_chips(language, chip):
    rules = rules_named("sushi_draft")
    assert chip in as_text(aid_of(rules, language))
    assert joined(chip) in joined(joined(rows) for rows in aid_cards(rules, language))
    assert chip not in as_text(aid_of(rules_named("sushi_go"), language))


@pytest.mark.skipif(chromium() is None and not EVERY, reason="there is no Chromium here (make test-web installs it)")
def test_an_aid_is_one_page():
    """The longest aids of the shipped sets are one page of paper, as the help says."""
    sync_api = pytest.importorskip("playwright.sync_api")
    pages = {}
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page()
        for name, language in LONGEST:
            rules = rules_named(name)
            book = aid_of(rules, language)
            page.set_content(as_html(book, Deck(rules.model, dict(book.names))))
            pages[name, language] = len(PdfReader(BytesIO(page.pdf(prefer_css_page_size=True))).pages)
        browser.close()
    assert pages == dict.fromkeys(LONGEST, 1)


ROLL = Path(__file__).parents[1] / "natural" / "format_2" / "sushi_roll.yaml"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["Dice, not printed here", "8 × White", "3 × Maki 1, 2 × Maki 2 and 1 × Maki 3", "6 × Yellow"]),
        ("pl", ["napiszcie te ścianki", "3 × Maki 1, 2 × Maki 2 i 1 × Maki 3"]),
        ("ja", ["無地のダイスに面を書く"]),
    ],
)
def test_sheets_say_which_dice_are_needed(language, words):
    """Dice are not printed, so a card lists them with their sides; a game without dice has no such card."""
    drawn = sheets_of(rules_named(ROLL), PAPERS["a4"], language).cards
    texts = joined(text or "" for markup in drawn.values() for text in fromstring(f"<g>{markup}</g>").itertext())
    assert [word for word in words if joined(word) not in texts] == []
    assert not any(name.startswith("-dice") for name in sheets_of(rules_named("sushi_go"), PAPERS["a4"]).cards)
