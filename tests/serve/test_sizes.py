"""Pages at every size: nothing is too small to read or to hit, cut off, or off the screen."""

from __future__ import annotations

import pytest

import draftengine as de
from conftest import NIGHTLY
from draftengine.apps.web.catalogue import Catalogue
from draftengine.model.shelf import shelf
from serve.harness import SAME_DEAL, serving
from serve.needed import EVERY
from serve.playing import act, next_thing, play_on, play_until, set_table, unfolded

pytestmark = pytest.mark.skipif(not EVERY, reason="make test-web plays this")

LANGUAGES = ["en-GB", "pl-PL", "ja-JP"]
LEVELS = ["hard", "medium", "easy"]
SIZES = [(390, 844), (390, 664), (360, 640), (820, 1180), (1024, 768), (1366, 768), (1440, 900), (1920, 1080)]
WRONG = """() => {
  const seen = (own) => own.getClientRects().length && getComputedStyle(own).visibility !== "hidden"
    && !own.closest(".unseen, .skip");
  const name = (own) => `${own.className?.baseVal ?? own.className ?? own.tagName} ${own.textContent.slice(0, 24)}`;
  const found = [];
  if (document.documentElement.scrollWidth > innerWidth) found.push("the page is wider than the screen");
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const own = node.parentElement;
    if (!node.textContent.trim() || !seen(own)) continue;
    if (own.closest("option, svg, [aria-hidden], kbd, .shape")) continue;
    if (parseFloat(getComputedStyle(own).fontSize) < 12) found.push(`small text: ${name(own)}`);
  }
  const targets = "button:not(.place), a.button, select, input:not([type=checkbox], [type=radio], .unseen)";
  for (const own of document.querySelectorAll(targets)) {
    const box = own.getBoundingClientRect(), [width, height] = own.matches(".hand-card") ? [28, 88] : [43.5, 43.5];
    if (seen(own) && (box.width < width || box.height < height)) found.push(`small target: ${name(own)}`);
  }
  for (const own of document.querySelectorAll(".raised .words, .prompt, .hint"))
    if (seen(own) && own.scrollHeight > own.clientHeight + 3
      && (own.textContent.length < 120 || getComputedStyle(own).overflowY !== "auto"))
      found.push(`cut off: ${name(own)}`); // a longer text can be scrolled
  const left = (own) => own.getBoundingClientRect().left;
  for (const own of document.querySelectorAll(".seat .stack > .card + .card"))
    if (seen(own) && left(own) - left(own.previousElementSibling) < 4) found.push(`covers its neighbour: ${name(own)}`);
  for (const own of document.querySelectorAll(".raised"))
    if (own.getBoundingClientRect().height < 110) found.push(`low: ${name(own)}`);
  const [hand, play] = [".hand", "[data-focus=play]"]
    .map((own) => document.querySelector(own)?.getBoundingClientRect());
  if (hand && hand.bottom > innerHeight + 2) found.push("the hand is below the screen");
  for (const own of document.querySelectorAll(".staged :is(.raised, .hint, .doing button)"))
    if (hand && own.getBoundingClientRect().bottom > hand.top + 3) found.push(`under the hand: ${name(own)}`);
  if (play && (play.bottom > innerHeight || play.right > innerWidth)) found.push("Play is off the screen");
  const inSight = (own) => {
    let { left, top, right, bottom } = own.getBoundingClientRect();
    for (let up = own.parentElement; up; up = up.parentElement) {
      if (getComputedStyle(up).overflowY === "visible" || getComputedStyle(up).display === "contents") continue;
      const box = up.getBoundingClientRect();
      [left, top, right, bottom] =
        [Math.max(left, box.left), Math.max(top, box.top), Math.min(right, box.right), Math.min(bottom, box.bottom)];
    }
    return right - left > 2 && bottom - top > 2 ? { left, top, right, bottom } : null;
  };
  const over = (one, other) => one.left < other.right - 2 && other.left < one.right - 2
    && one.top < other.bottom - 2 && other.top < one.bottom - 2;
  const rows = [...document.querySelectorAll(".others .seat, .layout .card, .board > .groups, .board > .piles .pile")];
  const covers = [...document.querySelectorAll(".seat.me, .bubble, .hint, .stage > *, .hand-card")];
  for (const row of rows.filter(seen))
    for (const cover of covers.filter(seen)) {
      const [part, lying] = [inSight(row), inSight(cover)];
      if (part && lying && over(part, lying)) found.push(`${name(cover)} lies over ${name(row)}`);
    }
  if (rows.length && !rows.some((own) => seen(own) && inSight(own))) found.push("no row is in sight");
  const own = document.querySelector(".seat.me")?.getBoundingClientRect();
  if (own && (own.top < 40 || own.bottom > innerHeight)) found.push("the own seat is not in sight");
  for (const place of document.querySelectorAll("button.place")) {
    const box = place.getBoundingClientRect();
    const top = document.elementFromPoint((box.left + box.right) / 2, box.bottom - box.height / 4);
    if (!place.contains(top)) found.push(`cannot be taken: ${name(place)}`);
  }
  return found;
}"""
"""Script that returns the faults of a page: small texts and targets, cut texts, things off the screen."""
WATCHED = f"""() => {{
  window.faults = new Set();
  window.looked = () => ({WRONG})().forEach((own) => faults.add(own));
}}"""
"""Script that gathers the faults of a page in `faults` whenever there is something to do."""
WIDE = 1100


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("tables") / "t.sqlite", Catalogue(shelf()), SAME_DEAL) as url:
        yield url


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_nothing_is_too_small_or_cut_off(people, address, size):
    """Every page has legible texts, targets for fingers, and a hand that is on the screen."""
    language = LANGUAGES[SIZES.index(size) % len(LANGUAGES)]
    page = people({"width": size[0], "height": size[1]}, locale=language, has_touch=size[0] < WIDE)
    faults = []

    def check(place):
        faults.extend(f"{place}: {wrong}" for wrong in page.evaluate(WRONG))

    page.goto(address)
    page.locator(".tile").first.wait_for()
    check("first page")
    if size[1] >= 664:
        for button in ("now", "friends"):
            assert page.locator(f'[data-focus="{button}"]').bounding_box()["y"] < size[1] - 56, "below the first screen"
    page.locator('[data-focus="set anniversary"]').click()
    for part in ("seats", "variants", "readings", "options"):
        unfolded(page, part)
    check("a new game")
    games = (
        ("sushi_go", 1, ()), ("sushi_go", 4, ()), ("ohanami", 2, ()), ("party_cutthroat", 7, ()),
        ("go_nuts_for_donuts", 3, ()), ("anniversary", 1, ("sushi_battle",)), ("tides_of_time", 1, ()),
    )  # fmt: skip
    for name, bots, variants in games:
        set_table(page, address, name, *["easy"] * bots, variants=variants)
        for _ in range(3):
            thing = next_thing(page)
            check(f"{name} with {bots} bots")
            if page.locator('[data-focus="hint"]').count():
                page.locator('[data-focus="hint"]').click()
                page.locator(".hint").wait_for()
                check(f"{name} with {bots} bots and a hint")
            act(page, thing)
    play_until(page, "ready")
    check("a sheet")
    assert faults == []


@pytest.mark.parametrize("size", [(390, 664), (360, 640), (800, 1280), (1280, 800)], ids=str)
def test_nothing_lies_over_the_table(people, address, size):
    """The own seat, tips and hints leave what lies on the table in sight, with two to eight seats."""
    page = people({"width": size[0], "height": size[1]}, has_touch=size[0] < WIDE, tips=True)
    faults = []

    def check(place):
        faults.extend(f"{place}: {wrong}" for wrong in page.evaluate(WRONG))

    games = (
        ("sushi_go", 2, ()), ("sushi_go", 3, ()), ("sushi_draft", 4, ()), ("party_cutthroat", 7, ()),
        ("six_nimmt", 7, ()), ("go_nuts_for_donuts", 2, ()), ("coloretto", 2, ()), ("ohanami", 1, ()),
        ("anniversary", 1, ("sushi_battle",)), ("point_salad", 3, ()),
    )  # fmt: skip
    for name, bots, variants in games:
        page.goto(address)
        page.evaluate("localStorage.removeItem('tips')")
        set_table(page, address, name, *["easy"] * bots, variants=variants)
        for turn in range(3):
            thing = next_thing(page)
            case = f"{name} with {bots} bots in turn {turn}"
            page.wait_for_timeout(100)  # a tip may come
            check(case)
            if thing == "form":
                act(page, thing)
                continue
            if page.locator('[data-focus="tip"]').count():
                page.locator('[data-focus="tip"]').click()
            page.locator('[data-focus="hint"]').click()
            page.locator(".hint").wait_for()
            check(f"{case} with a hint")
            act(page, thing)
    assert faults == []


def bots_for(name, number):
    """Return the levels of the bots beside two people, for the number of seats whose turn it is."""
    fewest, most = de.open_rules(name).players
    seats = fewest + number % (most - fewest + 1)
    return [LEVELS[(number + seat) % len(LEVELS)] for seat in range(seats - 2)]


SCREENS = ((390, 664), (768, 1024), (1440, 900))
PLAYED = [
    pytest.param(name, size, turn, id=f"{name}-{size[0]}x{size[1]}")
    for turn, name in enumerate(sorted(shelf()))
    for place, size in enumerate(SCREENS)
    if NIGHTLY or place in {0, turn % 4}
]
"""Shipped games, sizes, and numbers that select languages and bots; by day mostly phones."""


@pytest.mark.parametrize(("name", "size", "turn"), PLAYED)
def test_whole_games_of_every_set(people, address, name, size, turn):
    """Two people and bots of every level finish each shipped game, and no page has a fault on the way."""
    viewport = {"width": size[0], "height": size[1]}
    pages = [people(viewport, locale=LANGUAGES[(turn + seat) % len(LANGUAGES)]) for seat in range(2)]
    link = set_table(pages[0], address, name, "free", *bots_for(name, turn + size[0]))
    pages[1].goto(link)
    pages[1].locator('[data-focus="sit"]').click()
    pages[0].locator(".seat-list strong").nth(1).wait_for()
    pages[0].locator('[data-focus="start"]').click()
    for page in pages:
        page.evaluate(WATCHED)
    play_on(*pages)
    assert [fault for page in pages for fault in page.evaluate("[...faults]")] == []


HIDDEN = """() => {
  const { bottom } = document.querySelector(".board").getBoundingClientRect();
  const seats = [...document.querySelectorAll(".others .seat")];
  return seats.filter((seat) => seat.getBoundingClientRect().bottom > bottom + 2).length;
}"""
"""Script that returns how many of the others' seats are not wholly in sight."""
CUT = """async () => {
  const cut = [];
  for (const card of document.querySelectorAll(".hand-card")) {
    card.focus();
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const words = document.querySelector(".raised .words");
    if (words.scrollHeight > words.clientHeight + 1) cut.push(words.textContent);
  }
  return cut;
}"""
"""Script that raises each card of the hand, and returns the texts that are cut off."""
FADED = """() => {
  const board = document.querySelector(".board");
  const more = board.scrollHeight - board.clientHeight - board.scrollTop > 4;
  return more === board.classList.contains("more-below");
}"""


@pytest.mark.parametrize(
    ("name", "bots", "hidden"),
    [
        ("six_nimmt", 4, 0),
        ("six_nimmt", 7, 0),
        ("six_nimmt", 9, 2),
        ("party_cutthroat", 7, 0),
        ("sushi_go_party", 7, 3),
    ],
)
def test_many_seats_on_a_low_phone(people, address, name, bots, hidden):
    """A low phone shows seven others, whole texts of cards, and a fade where the table goes on."""
    page = people({"width": 390, "height": 664}, has_touch=True)
    set_table(page, address, name, *["easy"] * bots)
    page.locator('[data-focus="play"]').wait_for()
    assert page.evaluate(HIDDEN) <= hidden
    assert page.evaluate(CUT) == []
    assert page.evaluate(FADED)


def test_all_ways_are_in_view_on_a_phone(people, address):
    """Four rows that can be taken stand side by side, none cut off at the edge."""
    page = people({"width": 390, "height": 664}, has_touch=True)
    set_table(page, address, "six_nimmt", *["easy"] * 4)
    while not (thing := next_thing(page)).startswith("choice"):
        act(page, thing)
    assert page.evaluate("""[...document.querySelectorAll(".choices-row button")].every((way) => {
      const { left, right, bottom } = way.getBoundingClientRect();
      return left >= 0 && right <= innerWidth && bottom <= innerHeight && way.scrollWidth <= way.clientWidth + 1;
    })""")


@pytest.mark.parametrize("size", [(844, 390), (667, 375)], ids=str)
@pytest.mark.parametrize(("name", "bots"), [("sushi_go", 2), ("sushi_go_party", 7), ("six_nimmt", 4)])
def test_a_phone_on_its_side(people, address, size, name, bots):
    """A phone on its side shows the hand, Play and whole texts, and nothing over the own seat."""
    page = people({"width": size[0], "height": size[1]}, has_touch=True)
    set_table(page, address, name, *["easy"] * bots)
    page.locator('[data-focus="play"]').wait_for()
    assert page.evaluate(WRONG) == []
    assert page.evaluate(CUT) == []
