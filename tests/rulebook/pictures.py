"""Renders the README's images of rulebooks: ``PYTHONPATH=tests python -m rulebook.pictures FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from draftengine.api.ruleset import rules_named
from draftengine.render.faces.small import Deck
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_html
from serve.needed import chromium

SHOTS = (
    ("rulebook", "sushi_go", "en", (830, 2250)),
    ("rulebook-phone", "anniversary", "pl", (390, 1700)),
    ("rulebook-japanese", "sushi_draft", "ja", (830, 1500)),
)
"""Name, card set, language and size of each image."""


def main(folder):
    """Render all images."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for name, cardset, language, (width, height) in SHOTS:
            rules = rules_named(cardset)
            book = book_of(rules, language)
            page = browser.new_page(viewport={"width": width, "height": height})
            page.set_content(as_html(book, Deck(rules.model, dict(book.names))))
            page.screenshot(path=folder / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
