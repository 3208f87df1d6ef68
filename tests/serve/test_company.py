"""The life of a table in browsers: people come late, leave, change their device, and play again."""

from __future__ import annotations

import pytest

from draftengine.apps.web.catalogue import Catalogue
from serve.harness import SAME_DEAL, serving
from serve.needed import EVERY, chromium
from serve.people import DESK, PHONE
from serve.playing import CHOICES, act, leave_dialog, next_thing, play_on, set_table

pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.skipif(not EVERY or chromium() is None, reason="make test-web plays this")

BERRIES = """
format: 1
id: berries
title: Berries
version: 1.0.0
players: 2-8
rounds: 2
cards: {red: {count: 40, text: "Most reds: 3 points."}, blue: {count: 40, text: Worth 1 point.}}
setup: [{shuffle: deck}]
round:
- deal: {to: hand, cards: 2}
- repeat: {until_empty: hand, do: [{choose: {from: hand, to: tableau}}, {pass: {zone: hand, to: left}}]}
- score: round
- clear: tableau
scoring: {reds: {kind: majority, of: red, most: [3]}, blues: {kind: each, of: blue, points: 1}}
winner: {order: most}
"""
_LATE = """finish: [{score: game}]
scoring: {reds: {kind: set, of: red, size: SIZE, points: 3, at: game}}
"""
_ROUNDS = BERRIES[: BERRIES.index("- score")] + _LATE + BERRIES[BERRIES.index("winner") :]
SETS = {
    "berries": BERRIES,
    "late_berries": _ROUNDS.replace("id: berries", "id: late_berries").replace("SIZE", "2"),
    "no_berries": _ROUNDS.replace("id: berries", "id: no_berries").replace("SIZE", "4"),
}
"""Points after each round, only at the end, and only for four reds, which nobody gets in these tests."""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    for name, text in SETS.items():
        (folder / f"{name}.yaml").write_text(text, "utf-8")
    with serving(folder / "t.sqlite", Catalogue([str(folder / f"{name}.yaml") for name in SETS]), SAME_DEAL) as url:
        yield url


def sits(page, link, name, button="sit"):
    """Open a table and take a seat under a name."""
    page.goto(link)
    page.locator('[data-focus="name"]').fill(name)
    page.locator(f'[data-focus="{button}"]').click()
    page.locator(f'[data-focus="{button}"]').wait_for(state="detached")


def test_an_evening_of_eight(people, address, monkeypatch):
    """Eight play two games: one is late, one leaves, one changes the device, and the host goes."""
    for patience in ("SILENCE", "HOST_GONE"):
        monkeypatch.setattr(f"draftengine.apps.web.live.{patience}", 1)
    names = ["Ben", "Cy", "Di", "Eve", "Fay", "Gus"]
    ada, *friends = (people(PHONE if seat % 2 else DESK) for seat in range(7))
    link = set_table(ada, address, "berries", *["free"] * 6, "easy")
    for page, name in zip(friends, names, strict=True):
        sits(page, link, name)
    ada.locator('[data-focus="start"]').click()
    ben, cy, *others = friends
    hal = people(PHONE)
    sits(hal, link, "Hal", "take 7")
    hal.get_by_text("You play from the next turn").wait_for()

    cy.locator('[data-focus="menu"]').click()
    cy.locator('[data-focus="device"]').click()
    seat = cy.locator(".address").input_value()
    cy.close()
    cy = people(PHONE)
    cy.goto(seat)
    cy.locator(CHOICES).first.wait_for()
    assert "#" not in cy.url, "the token stays out of the history"

    ben.close()
    ada.close()
    ada_again, di = people(), others[0]
    playing = [cy, *others, hal]
    for page in (cy, *others):
        act(page, next_thing(page))
    for seat in (0, 1):
        di.locator(f'[data-focus="replace {seat}"]').click()
    play_on(*playing)
    results = [page.locator(".standings").inner_text() for page in playing]
    assert len(set(results)) == 1
    assert "Ben" in results[0]
    first = cy.evaluate("document.body.dataset.decision.split('.')[0]")

    for page in playing[:-1]:
        page.locator('[data-focus="again"]').click()
    cy.locator("#main").get_by_text("Ada left: ").wait_for()
    assert hal.locator(".standings").count(), "nobody is pulled off the results"
    hal.locator('[data-focus="again"]').click()
    for page in playing:  # each still plays on by itself, so its first choice may be over
        page.wait_for_function("first => document.body.dataset.decision.split('.')[0] !== first", arg=first)
    ada_again.goto(link)
    ada_again.get_by_text("Berries").first.wait_for()
    play_on(*playing)
    assert len({page.locator(".standings").inner_text() for page in playing}) == 1


@pytest.mark.parametrize("name", ["late_berries", "no_berries"])
def test_rounds_and_games_without_points_stop_nobody(people, address, name):
    """A round without points has no sheet to read, and the next begins; a whole game may have none."""
    ada, ben = people(), people(PHONE)
    link = set_table(ada, address, name, "free")
    sits(ben, link, "Ben")
    ada.locator('[data-focus="start"]').click()
    play_on(ada, ben)
    points = [page.locator(".standings strong").all_inner_texts() for page in (ada, ben)]
    assert points[0] == points[1]
    assert (points[0] == ["0", "0"]) == (name == "no_berries")
    ada.locator('[data-focus="again"]').wait_for()


def test_emotes_and_sounds(people, address, monkeypatch):
    """Emotes stand beside a name, unless the person is muted; nothing sounds before a touch, or if off."""
    monkeypatch.setattr("draftengine.apps.web.live.EMOTE_PAUSE", 0)
    ada, ben = people(), people(PHONE)
    for page in (ada, ben):
        page.add_init_script("""
          const part = () => ({ connect: (next) => next, start() { window.tones += 1; }, stop() {}, frequency: {},
            gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} } });
          window.tones = 0;
          window.AudioContext = class { currentTime = 0; createOscillator = part; createGain = part; };""")
    link = set_table(ada, address, "berries", "free")
    sits(ben, link, "Ben")
    ada.locator('[data-focus="start"]').click()
    ben.locator(CHOICES).first.wait_for()
    ben.reload()
    ben.locator(CHOICES).first.wait_for()

    def say(page, emote):
        page.locator('[data-focus="menu"]').click()
        page.locator(f'[data-focus="emote {emote}"]').click()

    say(ada, "wow")
    ben.locator(".seat:not(.me) .emote").get_by_text("Wow!").wait_for()
    ada.locator(".seat.me .emote").wait_for()
    assert not ben.evaluate("tones"), "this person has touched nothing"
    assert ada.evaluate("tones")
    ben.locator(".emote").wait_for(state="detached")
    ben.locator('[data-focus="menu"]').click()
    ben.locator('[data-focus="mute 0"]').click()
    ben.locator('[data-focus="sound"]').uncheck()
    leave_dialog(ben)
    tones = ben.evaluate("tones")
    say(ada, "thanks")
    ada.locator(".seat.me .emote").get_by_text("Thanks").wait_for()
    say(ben, "nice")
    ada.locator(".seat:not(.me) .emote").get_by_text("Nice!").wait_for()
    assert ben.get_by_text("Thanks").count() == 0
    assert ben.evaluate("tones") == tones
