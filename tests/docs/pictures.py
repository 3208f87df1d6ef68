"""Take the pictures of the tutorials and of the gallery.

``PYTHONPATH=tests python -m docs.pictures FOLDER``

The games are the files that the tutorials show, so the pictures show what a reader has.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import draftengine as de
from draftengine.model.shelf import house_rules
from draftengine.render.faces.small import Deck
from draftengine.render.rulebook import book_of
from draftengine.render.rulebook.formats import as_html
from draftengine.render.sheets import sheets_of
from draftengine.render.sheets.layout import COLUMNS, HEIGHT, PAPERS
from draftengine.render.sheets.layout import as_html as as_pages
from serve.needed import chromium
from tui.harness import run
from tui.pictures import drawn, dressed

DOCS = Path(__file__).parents[2] / "docs"


def files_of(document, folder):
    """Write the files of a tutorial to a folder."""
    text = (DOCS / document).read_text(encoding="utf-8")
    for name, content in re.findall(r"<!-- file: (\S+) -->\n```yaml\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        (folder / name).write_text(content, encoding="utf-8")


def rulebook(cardset):
    """Return a rulebook as HTML."""
    rules = de.open_rules(str(cardset))
    book = book_of(rules, "en")
    return as_html(book, Deck(rules.model, dict(book.names)))


def main(folder):
    """Take all pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        place = Path(made)
        files_of("first_game.md", place)
        files_of("first_house_rule.md", place)
        screen = dressed(run(drawn(str(place / "orchard.yaml"), 3, (100, 26), ("1", "enter", "1", "enter"))), ())
        take(folder, place, screen)


def take(folder, place, screen):
    """Take the pictures in a browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        width, height = (round(float(own)) for own in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', screen).groups())
        (place / "screen.svg").write_text(screen, encoding="utf-8")
        page = browser.new_page(viewport={"width": width, "height": height})
        page.goto((place / "screen.svg").as_uri())
        page.screenshot(path=folder / "orchard.png")
        for name, cardset in (("orchard", "orchard_finished"), ("picnic", "picnic")):
            page = browser.new_page(viewport={"width": 830, "height": 1100})
            page.set_content(rulebook(place / f"{cardset}.yaml"))
            page.screenshot(path=folder / f"{name}-rulebook.png")
        for name in house_rules():
            sheet(browser, name, folder / "house" / f"{name}.png")
        sheet(browser, place / "picnic.yaml", folder / "picnic-cards.png")
        browser.close()


def sheet(browser, cardset, path):
    """Take a picture of the first sheet of a house rule's new cards, down to the last row."""
    rules, paper = de.open_rules(cardset), PAPERS["a4"]
    found = sheets_of(rules, paper, over=rules.base, one_each=True)
    rows = -(-len(found.sheets[0].cards) // COLUMNS)
    page = browser.new_page(viewport={"width": 830, "height": 1200}, device_scale_factor=0.8)
    page.set_content(as_pages(found))
    box = page.locator(".sheet").first.bounding_box()
    height = box["height"] * (paper.top + rows * HEIGHT + 3) / paper.height
    path.parent.mkdir(exist_ok=True)
    page.screenshot(path=path, clip={**box, "height": height})
    page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
