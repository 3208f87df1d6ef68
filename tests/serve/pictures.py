"""Takes the screenshots of pages that the documents show.

``PYTHONPATH=tests python -m serve.pictures FOLDER [NAME...]`` takes those with these names, or all that documents show.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from draftengine.apps.web.catalogue import Catalogue
from draftengine.apps.web.hub import Settings
from draftengine.apps.workshop.routes import Workshop
from draftengine.model.shelf import offered, shelf
from serve.harness import AT_ONCE, serving
from serve.needed import chromium
from serve.playing import CHOICES, LONGEST, play_on, play_until, set_table

PHONE, TABLET, DESK = (390, 664), (820, 1180), (1280, 860)
SHOTS = (
    ("lobby", "first_page", (), (1280, 900), "light"),
    ("lobby-phone", "first_page", (), PHONE, "dark"),
    ("room", "room", ("sushi_go", "free", "free"), TABLET, "light"),
    ("table", "turn", ("sushi_go", *["medium"] * 3), DESK, "light"),
    ("table-dark", "turn", ("anniversary", *["medium"] * 3), DESK, "dark"),
    ("table-phone", "turn", ("sushi_go", *["medium"] * 3), (390, 844), "light"),
    ("table-eight", "turn", ("party_cutthroat", *["medium"] * 7), PHONE, "light"),
    ("table-battle", "turn", ("anniversary", "medium"), TABLET, "light"),
    ("hint", "hint", ("sushi_go", *["medium"] * 2), PHONE, "light"),
    ("rules", "rules", ("sushi_go", "medium"), PHONE, "dark"),
    ("sheet", "sheet", ("sushi_go", *["medium"] * 3), DESK, "light"),
    ("over", "over", ("sushi_go", *["easy"] * 2), PHONE, "light"),
)
"""Name, state, card set with the other seats, size and colours of each picture of a table."""
BATTLE = ("sushi_battle",)
MADE_BEFORE = 4
"""The number of choices before the picture of a turn."""
SEED = ("pictures", "salt")
TEA_NIGHT = """format: 2
id: tea_night
extends: sushi_go
title: Tea Night
version: 0.3.0

cards:
  tea: {count: 6, label: Tea, text: 2 points. The most tea scores 4 more.}
  soy_sauce:
    count: 4
    label: Soy sauce
    text: Your next maki roll counts one icon more.

modifiers:
  soy_sauce:
    card: soy_sauce
    applies_to: maki
    then: {maki_icons: amount + 1}

scoring:
  tea: {each: tea, points: 2}
  tea_house: {majority: tea, most: [4], tie: nobody}
  feast:
    points: "5 if kinds(tempura, sashimi, dumpling) == 3 else 0"
"""


def _workshop(site):
    return Workshop(site).routes()


def turn(page):
    """Make some choices, now the first card and now the second one."""
    for made in range(MADE_BEFORE):
        page.locator(CHOICES).first.wait_for()
        before = page.evaluate("document.body.dataset.decision")
        page.locator(CHOICES).nth(made % min(2, page.locator(CHOICES).count())).click()
        page.wait_for_function("(before) => document.body.dataset.decision !== before", arg=before)
    page.locator(CHOICES).first.wait_for()


def hint(page):
    """Ask for a hint."""
    page.locator('[data-focus="hint"]').click()
    page.locator(".hint").wait_for()


def rules(page):
    """Open the rules."""
    page.locator('[data-focus="help"]').click()


def sheet(page):
    """Play a round, and unfold a rule of its sheet."""
    play_until(page, "ready")
    page.locator(".fold").first.click()


def over(page):
    """Play a whole game, and wait until the page has looked back at it."""
    play_on(page)
    page.locator(".lost .caption").wait_for(state="detached")


STATES = {"turn": turn, "hint": hint, "rules": rules, "sheet": sheet, "over": over}


def take(browser, address, folder, name, state, table, size, colours):
    """Take one screenshot, of a game with a fixed seed."""
    width, height = size
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=colours, reduced_motion="reduce"
    )
    context.set_default_timeout(LONGEST)
    context.add_init_script("""localStorage.setItem("tips", '"off"')""")
    page = context.new_page()
    page.goto(address)
    page.locator(".tile").first.wait_for()
    if table:
        set_table(page, address, *table, variants=BATTLE if "battle" in name else ())
    STATES.get(state, lambda _: None)(page)
    page.wait_for_function("() => [...document.images].every((own) => own.complete)")
    page.wait_for_function("() => !document.querySelector('.bars') || document.querySelector('.bars:not(.unknown)')")
    page.wait_for_timeout(500)
    page.screenshot(path=str(folder / f"{name}.png"))
    context.close()


def mistaken(page):
    """Write a wrong name, and wait until the panes say which version they show."""
    balanced(page)
    page.locator(".cm-content").fill(TEA_NIGHT.replace("each: tea", "each: teas"))
    page.locator("#findings button.where").first.wait_for()


def completed(page):
    """Begin the name of a card that a rule counts."""
    balanced(page)
    page.locator(".cm-content").fill(TEA_NIGHT.partition("tea, points")[0])
    page.keyboard.type("te")
    page.locator(".cm-tooltip-autocomplete li").first.wait_for()


def balanced(page):
    """Wait for the new cards, the balance of 5,000 games, and the cards that nobody takes."""
    page.locator(".face").first.wait_for()
    tab = page.locator("#tab-balance")
    if tab.is_visible():
        tab.click()
    page.locator("#room-balance", has_text="5,000 games").wait_for()
    page.locator(".wanted meter").first.wait_for()


def shared(page):
    """Show the link that has the whole text in it, and return it."""
    balanced(page)
    page.locator('[data-focus="share"]').click()
    return page.locator("dialog input[readonly]").input_value()


def printable(page):
    """Open the choice of pages for a printer."""
    balanced(page)
    page.locator('[data-focus="print"]').click()
    page.locator("dialog[open]").wait_for()


def read(page):
    """Read the rulebook of the text."""
    page.locator("#tab-book").click()
    page.locator("#room-book iframe").wait_for()


def take_workshop(browser, link, folder, name, state, size, colours):
    """Take a screenshot of the workshop with the text of a link."""
    width, height = size
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=colours)
    context.set_default_timeout(LONGEST)
    page = context.new_page()
    page.goto(link)
    state(page)
    page.wait_for_timeout(1_000)
    page.screenshot(path=str(folder / f"{name}.png"))
    context.close()


WIDE, FLAT = (1440, 900), (1024, 768)
WORKSHOP = (
    ("workshop", balanced, WIDE, "light"),
    ("workshop-mistake", mistaken, WIDE, "light"),
    ("workshop-balance", balanced, FLAT, "dark"),
    ("workshop-phone", read, PHONE, "light"),
)
"""Name, state, size and colours of each picture of the workshop that a document shows."""
LOOKED_AT = (
    ("workshop-dark", balanced, WIDE, "dark"),
    ("workshop-completion", completed, WIDE, "dark"),
    ("workshop-book", read, FLAT, "light"),
    ("workshop-share", shared, WIDE, "light"),
    ("workshop-print", printable, FLAT, "light"),
)
"""Pictures of its other states, which are taken by their names only."""


def main(folder, *names):
    """Take the screenshots with these names, or all that a document shows."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = Settings(pause=0.1, bot_pause=0.1, patience=600, seeds=lambda: SEED)
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data) / "t.sqlite", Catalogue(offered()), settings) as address,
        serving(Path(data) / "w.sqlite", Catalogue(shelf()), AT_ONCE, workshop=_workshop) as workshop,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for shot in SHOTS:
            if not names or shot[0] in names:
                take(browser, address, folder, *shot)
        page = browser.new_page()
        page.goto(f"{workshop}/workshop/new?extends=sushi_go")
        page.locator(".cm-content").fill(TEA_NIGHT)
        link = shared(page)
        page.close()
        for shot in (*WORKSHOP, *LOOKED_AT):
            if shot[0] in names or (not names and shot in WORKSHOP):
                take_workshop(browser, link, folder, *shot)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
