"""Take the pictures of cards in README: ``PYTHONPATH=tests python -m cardsheets.pictures FOLDER``."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from draftengine.api.ruleset import rules_named
from draftengine.render.sheets import sheets_of
from draftengine.render.sheets.layout import PAPERS, as_html
from serve.needed import chromium

HOUSE = Path(__file__).with_name("sunday.yaml")
SHOTS = (
    ("cards", "sushi_go", "en", False),
    ("cards-house-rule", HOUSE, "en", True),
    ("cards-polish", "anniversary", "pl", False),
)
"""Name of the picture, card set, language, and whether only new cards are shown."""


def main(folder):
    """Take all pictures, each of the first sheet."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for name, cardset, language, new in SHOTS:
            rules = rules_named(cardset)
            over = rules.base if new else None
            page = browser.new_page(viewport={"width": 830, "height": 1200})
            page.set_content(as_html(sheets_of(rules, PAPERS["a4"], language, over=over, one_each=True)))
            page.locator(".sheet").first.screenshot(path=folder / f"{name}.png")
            page.close()
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
