"""Somebody new adds a card with a rule, prints it and plays a round, by the clock, in a real browser.

A browser works as fast as the machine, so the time that a person needs is added. It is that for reading every word that
is there for the first time, for each key and click, and for each choice. ``make test-web`` runs this; with ``-s`` it
prints the seconds of each step.
"""

from __future__ import annotations

import re
import sys
import time
from contextlib import contextmanager

import pytest

from draftengine.apps.web.catalogue import Catalogue
from draftengine.apps.workshop.routes import Workshop
from serve.harness import SAME_DEAL, serving
from serve.needed import EVERY, chromium
from serve.playing import act, in_english, next_thing

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.skipif(not EVERY or chromium() is None, reason="make test-web runs this")

WORDS = 3.0
"""Words that a slow reader takes in during a second."""
KEY, CLICK, THINK = 0.4, 3.0, 10.0
"""Seconds for a key, for finding something and pressing it, and for choosing a card."""
LONGEST = 600.0


class Newcomer:
    """A person before a page for the first time, with a clock for each step."""

    def __init__(self, page):
        self.page = page
        self.steps = []
        self._human = 0.0
        self._read = set()

    @contextmanager
    def step(self, name):
        began, self._human = time.monotonic(), 0.0
        yield
        self.steps.append((name, time.monotonic() - began, self._human))

    def reads(self, place):
        """Read every line of a place that was not read before."""
        lines = {*self.page.locator(place).first.inner_text().splitlines()} - self._read
        self._read |= lines
        self._human += sum(len(line.split()) for line in lines) / WORDS

    def clicks(self, place, **more):
        self._human += CLICK
        self.page.locator(place, **more).first.click()

    def types(self, *words):
        """Write words, each into the next gap."""
        for place, word in enumerate(words):
            if place:
                self.page.keyboard.press("Tab")
            self.page.keyboard.type(word)
            self._human += KEY * (len(word) + 1)

    def chooses(self):
        """Make the choices of a round, each after some thought."""
        while (thing := next_thing(self.page)) != "ready":
            self._human += THINK + CLICK
            act(self.page, thing)


def test_somebody_new_has_a_card_of_their_own_in_ten_minutes(people, tmp_path):
    """Each step of the lobby, the workshop, the printed page and the table, within ten minutes together."""
    with serving(
        tmp_path / "t.sqlite", Catalogue(["sushi_go"]), SAME_DEAL, workshop=lambda site: Workshop(site).routes()
    ) as address:
        page = people()
        new = Newcomer(page)
        with new.step("find the game and its workshop"):
            page.goto(address)
            page.locator(".tile").wait_for()
            new.reads("#main")
            new.clicks('[data-focus="change sushi_go"]')
            page.locator(".see", has_text=in_english("page.shop.nothing", base="Sushi Go!")).wait_for()
            page.locator(".cm-line").first.wait_for()
            new.reads("#main")
        with new.step("add a card"):
            new.clicks("button", has_text=f"+ {in_english('page.shop.add.card')}")
            new.types("seaweed", "6", "", "Seaweed")
            page.locator(".face figcaption", has_text="6 × Seaweed").wait_for()
        with new.step("add a rule for it"):
            new.clicks("button", has_text=f"+ {in_english('page.shop.add.rule')}")
            new.reads("dialog")
            new.clicks('[data-focus="rule each"]')
            new.types("", "", "3")
            page.locator("#room-changes dd", has_text="Each seaweed card scores 3 points.").wait_for()
            page.locator("#how-many", has_text=in_english("page.shop.clean")).wait_for()
            new.reads("#main")
        with new.step("read what it does to the game"):
            page.locator("#room-balance .figure").first.wait_for()
            page.locator("#room-balance .sentences li").first.wait_for()
            new.reads("#room-balance")
        with new.step("have a page to print"):
            new.clicks('[data-focus="print"]')
            page.locator('[data-focus="print print"]').wait_for()
            new.reads("dialog")
            with page.expect_popup() as opened:
                new.clicks('[data-focus="print print"]')
            opened.value.locator(".sheet").first.wait_for()
            assert len(re.findall("card-seaweed", opened.value.content())) > 1
            opened.value.close()
            page.keyboard.press("Escape")
        with new.step("play a round against bots"):
            new.clicks('[data-focus="play"]')
            new.reads("dialog")
            new.clicks("dialog .choice button")
            page.locator(".hand-card").first.wait_for()
            new.reads("#main")
            new.chooses()
            new.reads("#main")
    total = 0.0
    for name, machine, human in new.steps:
        total += machine + human
        sys.stdout.write(f"{name:32} machine {machine:5.1f} s, person {human:5.1f} s, so far {total:5.1f} s\n")
    assert total < LONGEST
