"""A turn in a real browser: copies of cards, slow hints, bars of the right seat, and no forced wait."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from draftengine.apps.web.catalogue import Catalogue
from draftengine.model.shelf import shelf
from serve.harness import SAME_DEAL, serving
from serve.needed import EVERY
from serve.people import DESK, PHONE
from serve.playing import CHOICES, act, next_thing, set_table

pytestmark = pytest.mark.skipif(not EVERY, reason="make test-web plays this")

DECISION = "document.body.dataset.decision"
EQUAL = """() => {
  const cards = [...document.querySelectorAll(".hand-card:not([aria-disabled=true])")].map((own) => own.dataset.card);
  return cards.find((own) => own !== "chopsticks" && cards.filter((other) => other === own).length > 1) ?? "";
}"""
"""Script that returns a card that can be taken twice."""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("tables") / "t.sqlite", Catalogue(shelf()), SAME_DEAL) as url:
        yield url


def held_back(page, kind):
    """Hold back answers of a kind, and return functions that each let one of them through."""
    held = []

    def between(line):
        server = line.connect_to_server()
        line.on_message(server.send)

        def answer(message):
            if f'"{kind}"' in message[:40]:
                held.append(lambda: line.send(message))
            else:
                line.send(message)

        server.on_message(answer)

    page.route_web_socket("**/play", between)
    return held


@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_two_equal_cards_are_two_choices(people, address, viewport):
    """Both copies of a card can be taken, and the copy that was clicked is marked."""
    page = people(viewport)
    set_table(page, address, "sushi_go", "easy")
    page.locator('[data-card="chopsticks"]').first.click()
    page.wait_for_function(f"() => {DECISION}.endsWith('.1')")
    while not (name := page.evaluate(EQUAL)):
        act(page, "card " + page.locator(CHOICES).first.get_attribute("data-focus").removeprefix("card "))
        next_thing(page)
    page.locator(f'[data-at="{name} 1"]').click()
    page.locator('[data-focus="enough"]').wait_for()
    assert page.locator(".hand-card.taken").evaluate_all("(all) => all.map((own) => own.dataset.at)") == [f"{name} 1"]
    other = page.locator(f'[data-at="{name} 0"]')
    assert "dim" not in other.get_attribute("class")
    page.locator('[data-focus="hint"]').click()
    page.locator(".hint").wait_for()
    before = page.evaluate(DECISION)
    if viewport == PHONE:
        assert page.locator(".hand-card.up.taken").count() == 0, "a hint raises what can still be taken"
        other.focus()
        page.locator('[data-focus="play"]').click()
    else:
        other.click()
    page.wait_for_function(f"(before) => {DECISION} !== before", arg=before)


def test_bars_belong_to_the_seat_that_chooses(people, address):
    """Every card of the second person at a screen has bars, not only those that the first one held, too."""
    page = people(DESK, tips=True)
    set_table(page, address, "sushi_go", "person")
    for _ in range(2):
        page.locator(".hand-card .bars:not(.unknown)").first.wait_for()
        assert page.locator(".hand-card .bars.unknown").count() == 0
        page.locator(CHOICES).first.click()
        page.locator('[data-focus="uncover"]').click()


def test_a_hint_says_that_it_is_coming(people, address):
    """The button says at once that a hint is computed, and a late one does not spoil the next."""
    page = people(PHONE)
    held = held_back(page, "hint")
    set_table(page, address, "sushi_go", "easy")
    page.locator('[data-focus="hint"]').click()
    page.locator('[data-focus="hint"]').get_by_text("Thinking").wait_for()
    while not held:
        page.wait_for_timeout(20)
    page.locator('[data-focus="play"]').click()
    page.wait_for_function(f"() => {DECISION}.endsWith('.1')")
    page.locator('[data-focus="hint"]').click()
    held.pop()()
    page.wait_for_function("() => true")
    while not held:
        page.wait_for_timeout(20)
    assert page.locator(".hint").count() == 0, "the hint of the turn before"
    held.pop()()
    page.locator(".hint").wait_for()
    assert page.locator("#alarm").inner_text() == ""


def test_who_is_alone_with_bots_waits_for_nothing(people, tmp_path):
    """A tap turns over what all have chosen, which can be taken back until then, but not among people."""
    slow = replace(SAME_DEAL, pause=600, bot_pause=600)
    with serving(tmp_path / "t.sqlite", Catalogue(shelf()), slow) as address:
        page = people(PHONE)
        set_table(page, address, "sushi_go", "easy")
        page.locator('[data-focus="play"]').click()
        page.locator('[data-focus="undo"]').click()
        page.locator('[data-focus="play"]').click()
        page.get_by_text("All have chosen. Tap to go on.").wait_for()
        page.locator(".others").click()
        page.wait_for_function(f"() => {DECISION}.endsWith('.1')")
        set_table(page, address, "sushi_go", "person")
        for thing in ("play", "uncover", "play"):
            page.locator(f'[data-focus="{thing}"]').click()
        page.get_by_text("All have chosen.").wait_for()
        assert page.get_by_text("Tap to go on").count() == 0
        people.leave()


def test_a_table_that_is_not_there(people, address):
    """A dead link leads to a page that says so, and on from there."""
    page = people(PHONE)
    page.goto(f"{address}/t/abcdEFGH12345678")
    page.get_by_role("heading", name="There is no such table").wait_for()
    link = set_table(people(), address, "sushi_go", "free")
    page.locator('[data-focus="code"]').fill(link)
    page.get_by_role("button", name="Open").click()
    page.locator('[data-focus="sit"]').wait_for()
    page.goto(f"{address}/t/abcdEFGH12345678")
    page.locator('[data-focus="games"]').click()
    page.locator(".tile").first.wait_for()
