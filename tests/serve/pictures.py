"""Takes the README's screenshots of the page: ``PYTHONPATH=tests python -m serve.pictures FOLDER``."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from draftengine.apps.web.catalogue import Catalogue
from draftengine.apps.web.hub import Settings
from draftengine.apps.workshop.routes import Workshop
from draftengine.model.library.library import shelf
from serve.harness import AT_ONCE, serving
from serve.needed import chromium
from serve.playing import set_table

SHOTS = (
    ("lobby", "anniversary", (1280, 900), "light", 0),
    ("table", "sushi_go", (1280, 860), "light", 5),
    ("table-dark", "anniversary", (1280, 860), "dark", 4),
    ("table-phone", "sushi_go", (390, 844), "light", 4),
    ("sheet", "sushi_go", (1280, 860), "light", 99),
)
"""Name, card set, size, colours, and choices before the screenshot (0: lobby; 99: first sheet)."""
SEED = ("pictures", "salt")
TEA_NIGHT = """format: 1
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
  tea: {kind: each, of: tea, points: 2}
  tea_house: {kind: majority, of: tea, most: [4], tie: nobody}
  feast:
    kind: formula
    points: 5 if kinds(tempura, sashimi, dumpling) == 3 else 0
"""
CHOICES = ".hand-card:not([aria-disabled=true], .taken)"


def _workshop(site):
    return Workshop(site).routes()


def take(browser, address, folder, name, cardset, size, colours, choices):
    """Take one screenshot, of a game with a fixed seed."""
    width, height = size
    viewport = {"width": width, "height": height}
    context = browser.new_context(viewport=viewport, color_scheme=colours, reduced_motion="reduce")
    context.add_init_script("""localStorage.setItem("tips", '"off"')""")
    page = context.new_page()
    page.goto(address)
    if choices:
        set_table(page, address, cardset, "medium", "medium", "medium")
        for made in range(choices):
            page.locator(f"{CHOICES}, [data-focus=ready]").first.wait_for()
            if page.locator("[data-focus=ready]").count():
                page.locator(".fold").first.click()
                break
            page.locator(CHOICES).nth(made % 2 if page.locator(CHOICES).count() > 1 else 0).click()
            page.locator(".hand-card.taken").or_(page.locator(CHOICES).first).or_(
                page.locator("[data-focus=ready]")
            ).first.wait_for()
            page.wait_for_timeout(400)
    page.wait_for_function("() => [...document.images].every((own) => own.complete)")
    page.wait_for_timeout(500)
    page.screenshot(path=str(folder / f"{name}.png"))
    context.close()


def take_workshop(browser, address, folder):
    """Take the screenshot of the workshop, with a text that a link brings."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
    page = context.new_page()
    page.goto(f"{address}/workshop/new?extends=sushi_go")
    page.locator(".cm-content").fill(TEA_NIGHT)
    page.locator("#room-balance", has_text="5,000 games").wait_for(timeout=600_000)
    page.locator(".face").first.wait_for()
    page.wait_for_timeout(1_000)
    page.screenshot(path=str(folder / "workshop.png"))
    context.close()


def main(folder):
    """Take all screenshots."""
    folder.mkdir(parents=True, exist_ok=True)
    settings = Settings(pause=0.1, bot_pause=0.1, patience=600, seeds=lambda: SEED)
    with (
        tempfile.TemporaryDirectory() as data,
        serving(Path(data) / "t.sqlite", Catalogue(shelf()), settings) as address,
        serving(Path(data) / "w.sqlite", Catalogue(shelf()), AT_ONCE, workshop=_workshop) as workshop,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for shot in SHOTS:
            take(browser, address, folder, *shot)
        take_workshop(browser, workshop, folder)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
