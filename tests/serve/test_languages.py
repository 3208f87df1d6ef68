"""The page in the reader's language: its words, and tables without a word of English."""

from __future__ import annotations

import json
import re

import pytest

from draftengine.apps.web import REASONS
from draftengine.apps.web.catalogue import Catalogue
from draftengine.apps.web.messages import STATIC, words_in
from draftengine.apps.web.table import BOT_NAMES
from draftengine.support.locale import LANGUAGES, spoken
from serve.harness import ask, serving
from serve.needed import EVERY
from serve.playing import leave_dialog, unfolded

CALLED = re.compile(r'phrase\("([\w.]+)"')
QUOTED = re.compile(r'["`]([\w.]+)')
PARTS = ("emote.", "level.", "lies.", "key.", "over.fair.", "lobby.", "offline.", "shop.")
"""Prefixes of messages whose keys the scripts complete at run time."""


def test_every_message_of_the_page_is_used():
    """The scripts use every message of the catalogue, and no others."""
    files = [file for file in STATIC.rglob("*.js") if "vendor" not in file.parts]
    scripts = "\n".join(file.read_text("utf-8") for file in files)
    messages = {key.removeprefix("page.") for key in spoken("en").patterns if key.startswith("page.")}
    assert set(CALLED.findall(scripts)) <= messages
    used = set(QUOTED.findall(scripts)) | {"noscript", "table.lost"}
    assert not {name for name in messages - used if not name.startswith(PARTS)}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_a_sentence(language):
    words = json.loads(words_in(language))
    assert {f"server.{code}" for code in REASONS} <= words["messages"].keys()
    assert words["language"] == language
    assert words["languages"]["pl"] == "polski"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("tables") / "t.sqlite", Catalogue(["anniversary", "sushi_draft"])) as url:
        yield url


@pytest.mark.parametrize(
    ("query", "language"), [("", "en"), ("?language=pl-PL", "pl"), ("?language=ja", "ja"), ("?language=xx", "en")]
)
def test_the_words_of_the_page_come_in_a_language(address, query, language):
    status, body = ask(address, f"/api/words{query}")
    assert (status, json.loads(body)["language"]) == (200, language)


# ── In a browser ──────────────────────────────────────────────────────────────────────────────────────────────────────

in_a_browser = pytest.mark.skipif(not EVERY, reason="make test-web plays this")
SHOWN = """() => [...document.querySelectorAll(
  "body *:not(noscript, .language *, .why, .tile *)")].flatMap((own) => [
  ...[...own.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent),
  ...["aria-label", "title", "alt", "placeholder"].map((name) => own.getAttribute(name) ?? ""),
]).filter((text) => text.trim()).concat(document.title)"""
"""Script that returns the texts of a page, without language names, other games and refused variants."""
NAMES = {
    "draftengine",
    "Ada",
    "kbd",
    "lan",
    "YAML",
    "QR",
    "JavaScript",
    "SHA",
    "Enter",
    "seed",
    "salt",
    "Bot",
    "Menu",
    *BOT_NAMES,
}
"""Words that are equal in every language."""
TITLES = {"Sushi", "Anniversary", "Edition", "Draft"}
"""Words in titles of games that have none in the language of the page."""


def english_words():
    """Return the English words of page and events that no Polish message has."""
    texts = " ".join(str(text) for key, text in spoken("en").patterns.items() if key.startswith(("page.", "event.")))
    others = " ".join(str(text) for key, text in spoken("pl").patterns.items() if key.startswith(("page.", "event.")))
    words = set(re.findall(r"[A-Za-z]{4,}", re.sub(r"\{\w+", "", texts)))
    return words - set(re.findall(r"[A-Za-z]{4,}", others)) - NAMES


def foreign(texts, language, game_words):
    """Return the texts with English words; for Japanese, those with any Latin word that is no name."""
    if language == "ja":
        return [text for text in texts if set(re.findall(r"[A-Za-z]{3,}", text)) - NAMES - game_words]
    english = english_words() - game_words
    return [text for text in texts if english & set(re.findall(r"[A-Za-z]{4,}", text))]


@in_a_browser
@pytest.mark.parametrize(("language", "game"), [("pl", "anniversary"), ("ja", "sushi_draft")])
def test_a_table_without_a_word_of_english(people, address, language, game):
    """From lobby to the end of a round, hints, help, scores and log have no English words."""
    page = people()
    page.goto(f"{address}/?lang={language}")
    page.locator('[data-focus="name 0"]').fill("Ada")
    assert page.evaluate("document.documentElement.lang") == language
    assert not foreign(page.evaluate(SHOWN), language, {"en", *TITLES})
    page.locator(f'[data-focus="set {game}"]').click()
    for part in ("seats", "options"):
        unfolded(page, part)
    page.locator('[data-focus="kind 1"]').select_option("free")
    assert not foreign(page.evaluate(SHOWN), language, {"en", *TITLES})
    page.locator('[data-focus="begin"]:not([disabled])').click()
    page.locator('[data-focus="start"]').wait_for()
    assert not foreign(page.evaluate(SHOWN), language, set())
    page.locator('[data-focus="start"]').click()
    for key in ("help", "scores"):
        page.locator(f'[data-focus="{key}"]').click()
        page.locator("dialog[open]").wait_for()
        assert not foreign(page.evaluate(SHOWN), language, set()), key
        leave_dialog(page)
    for _ in range(2):
        page.locator(".hand-card:not([aria-disabled=true])").first.wait_for()
        page.locator('[data-focus="hint"]').click()
        page.locator(".hint").wait_for()
        assert not foreign(page.evaluate(SHOWN), language, set())
        decision = page.evaluate("document.body.dataset.decision")
        page.locator(".hand-card:not([aria-disabled=true])").first.click()
        if page.locator("dialog[open] button.form, dialog[open] .forms button").count():
            page.locator("dialog[open] .forms button").first.click()
        page.wait_for_function("before => document.body.dataset.decision !== before", arg=decision)
        assert not foreign(page.evaluate(SHOWN), language, set())
    people.leave()
