"""A real browser at a real server: whole games, by mouse and keyboard, on phone and desktop.

`make test` runs a few of these tests if it finds Chromium; `make test-web` runs all, and tries to install it.
"""

from __future__ import annotations

import json

import pytest
from msgspec.structs import replace

import draftengine as de
from conftest import NIGHTLY
from draftengine.apps.web.catalogue import Catalogue
from draftengine.model.shelf import shelf
from play.evenings import evening
from serve.harness import BOT, SAME_DEAL, Page, made, person, serving
from serve.needed import EVERY, chromium
from serve.people import DESK, PHONE, TABLET
from serve.playing import CHOICES, act, leave_dialog, next_thing, play_beside, play_on, play_until, set_table, unfolded

pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.base")

pytestmark = pytest.mark.skipif(
    chromium() is None and not EVERY, reason="there is no Chromium here (make test-web installs it)"
)
every = pytest.mark.skipif(not EVERY, reason="make test-web plays this")


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("tables") / "t.sqlite", Catalogue(shelf()), SAME_DEAL) as own:
        yield own


@every
def test_a_game_against_bots_on_a_phone(people, address):
    """A game against bots works on a phone from lobby to standings, even if reloaded midway."""
    page = people(PHONE, has_touch=True)
    set_table(page, address, "sushi_go", "easy")
    page.locator(CHOICES).first.click()
    page.locator(".hand-card.taken, .seat.me .card").first.wait_for()
    page.reload()
    page.locator(".seat.me .card").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the phone"
    sheets = 0
    while (thing := next_thing(page)) != "over":
        if thing == "ready":
            sheets += 1
            assert f"{sheets}/3" in page.locator("#bar").inner_text(), "the round whose sheet it is"
            assert page.get_by_text("So far").count() == (sheets > 1)
        act(page, thing)
    assert page.locator(".fair dd").count() == 3


@every
@pytest.mark.parametrize("name", ["sushi_go", "sushi_draft", "tides_of_time"])
def test_one_tap_and_a_coach(people, address, name):
    """Tips come once each, at most one in a turn; a second game repeats none of them."""
    page = people(PHONE, has_touch=True, tips=True)
    page.goto(address)
    page.evaluate("(name) => localStorage.setItem('set', JSON.stringify(name))", name)
    page.reload()
    page.locator('[data-focus="now"]').tap()
    tips = []
    for _ in range(4):
        thing = next_thing(page)
        tips += page.locator(".bubble p").all_inner_texts()
        if page.locator('[data-focus="tip"]').count():
            page.locator('[data-focus="tip"]').tap()
        act(page, thing)
    assert tips[0].startswith("These are your cards")
    assert len(tips) == len(set(tips)) >= 3
    set_table(page, address, name, *["easy"] * (1 if name == "tides_of_time" else 2))
    next_thing(page)
    assert not set(page.locator(".bubble p").all_inner_texts()) & set(tips)


@every
def test_bars_agree_with_the_hint_and_can_be_switched_off(people, address):
    """In a first game cards show bars; the hinted card has all of them, and the menu has the switch."""
    page = people(DESK, tips=True)
    page.goto(address)
    page.locator('[data-focus="now"]').click()
    page.locator(".hand-card .bars:not(.unknown)").first.wait_for()
    page.locator('[data-focus="hint"]').click()
    page.locator(".advised .bars").first.wait_for()
    assert page.locator(".advised").first.locator(".bars .full").count() == 5
    page.locator('[data-focus="menu"]').click()
    page.locator('[data-focus="bars"]').uncheck()
    leave_dialog(page)
    assert not page.locator(".bars").count()


@every
def test_who_plays_faster_than_bars_come_gets_the_next_ones(people, address):
    """A page asks for the bars of one choice at a time, and then for those of the latest."""
    page = people(DESK, tips=True)
    asked, held = [], []

    def between(line):
        server = line.connect_to_server()

        def ask(message):
            if '"worth"' in message:
                asked.append(message)
            server.send(message)

        def answer(message):
            if '"worth"' in message and not held:
                held.append(lambda: line.send(message))
            else:
                line.send(message)

        line.on_message(ask)
        server.on_message(answer)

    page.route_web_socket("**/play", between)
    set_table(page, address, "sushi_go", "easy", "easy")
    while not held:
        page.wait_for_timeout(50)
    act(page, next_thing(page))
    next_thing(page)
    assert (len(asked), page.locator(".bars:not(.unknown)").count()) == (1, 0)
    held[0]()
    page.locator(".bars:not(.unknown)").first.wait_for()
    assert len(asked) == 2


HASTE = """() => {
  const wait = window.setTimeout, limit = AbortSignal.timeout, soon = (time) => (time >= 30000 ? time / 40 : time);
  window.setTimeout = (act, time, ...given) => wait(act, soon(time), ...given);
  AbortSignal.timeout = (time) => limit.call(AbortSignal, soon(time));
}"""
"""Script that shortens the long waits of a page."""


@every
@pytest.mark.parametrize("answer", [None, {"status": 502, "body": "<h1>Bad Gateway</h1>"}], ids=["silence", "proxy"])
def test_a_server_that_does_not_answer_is_named(people, address, answer):
    """Silence and the page of a proxy are told alike, and the page goes on."""
    page = people(DESK)
    page.goto(address)
    page.locator('[data-focus="now"]').wait_for()
    page.evaluate(HASTE)
    page.route("**/api/tables", lambda route: answer and route.fulfill(**answer))
    page.locator('[data-focus="now"]').click()
    page.locator("#alarm", has_text="The server does not answer.").wait_for()
    page.unroute("**/api/tables")
    page.locator('[data-focus="now"]').click()
    page.locator(".hand-card").first.wait_for()
    people.complaints = [text for text in people.complaints if "502" not in text]


@every
def test_a_lost_hint_does_not_hold_up_the_next_one(people, address):
    """A hint that never comes is given up, and the next one comes; a page names the sheet that was read."""
    page = people(DESK)
    hints, sent = [], []

    def between(line):
        server = line.connect_to_server()

        def ask(message):
            sent.append(json.loads(message))
            if sent[-1]["type"] == "hint" and not hints.append(message) and len(hints) == 1:
                return
            server.send(message)

        line.on_message(ask)

    page.route_web_socket("**/play", between)
    set_table(page, address, "sushi_go", "easy", "easy")
    page.evaluate(HASTE)
    page.locator('[data-focus="hint"]').click()
    page.locator("#alarm", has_text="The server does not answer.").wait_for()
    page.locator('[data-focus="hint"]').click()
    page.locator(".hint p").wait_for()
    while (thing := next_thing(page)) != "ready":
        act(page, thing)
    act(page, thing)
    next_thing(page)
    (ready,) = (message for message in sent if message["type"] == "ready")
    assert ready["decision"] == [1, 9]


@every
def test_a_finger_raises_cards_and_plays_the_one_that_is_up(people, address):
    """A tap on a card raises it, a second one plays it; a slide raises what is under the finger."""
    page = people(PHONE, has_touch=True)
    set_table(page, address, "sushi_go", "easy")
    cards = page.locator(".hand-card")
    cards.nth(3).tap(position={"x": 8, "y": 60})
    page.locator(".hand-card.up").and_(cards.nth(3)).wait_for()
    assert page.locator(".hand-card.taken").count() == 0
    assert page.locator(".raised .label").inner_text() in cards.nth(3).get_attribute("aria-label")
    cards.nth(3).tap(position={"x": 8, "y": 60})
    page.locator(".seat.me .card").first.wait_for()


def sits(page, name, button="sit"):
    """Take a seat at a table under a name."""
    page.locator('[data-focus="name"]').fill(name)
    page.locator(f'[data-focus="{button}"]').click()


@every
def test_friends_by_link_and_one_who_comes_late(people, address):
    """A late friend takes the seat of a bot and plays from the next turn; the bot's choice stands."""
    ada, ben, eve, dan = people(), people(PHONE), people(), people(PHONE)
    link = set_table(ada, address, "sushi_go", "free", "medium", "easy")
    ben.goto(link)
    sit, copy = (ben.locator(f'[data-focus="{name}"]') for name in ("sit", "copy"))
    assert sit.bounding_box()["y"] < copy.bounding_box()["y"], "a guest wants to sit down, and no link"
    sits(ben, "Ben")
    ada.get_by_text("Ben").wait_for()
    ada.locator('[data-focus="start"]').click()
    for late in (eve, dan):
        late.goto(link)
        late.locator("dialog").get_by_text("You play from the next turn").wait_for()
    sits(eve, "Eve", "take 2")
    eve.get_by_text("You play from the next turn").wait_for()
    assert eve.locator(".hand-card").count() == 0
    sits(dan, "Dan", "next")
    dan.get_by_text("You are in the next game.").wait_for()
    for page in (ada, ben):
        act(page, next_thing(page))
    eve.locator(CHOICES).first.wait_for()
    play_on(ada, ben, eve)
    assert ada.locator(".standings").inner_text() == eve.locator(".standings").inner_text()
    assert "Dan" not in ada.locator(".standings").inner_text()
    dan.locator('[data-focus="again"]').wait_for()


@every
def test_a_bot_plays_on_and_gives_the_seat_back(people, address, monkeypatch):
    """A bot plays for somebody who is away, who gets the seat back at once, also in the next game."""
    monkeypatch.setattr("draftengine.apps.web.live.SILENCE", 1)
    ada, ben = people(), people(PHONE)
    link = set_table(ada, address, "sushi_go", "free")
    ben.goto(link)
    sits(ben, "Ben")
    ada.get_by_text("Ben").wait_for()
    ada.locator('[data-focus="start"]').click()
    ben.locator(CHOICES).first.wait_for()
    ben.goto("about:blank")
    ada.locator(CHOICES).first.click()
    ada.locator('[data-focus="replace 1"]').click()
    ada.get_by_text("a bot plays on").wait_for()
    act(ada, next_thing(ada))
    ada.locator(".others .seat .card").nth(1).wait_for()
    ben.goto(link)
    ben.locator(CHOICES).first.wait_for()
    ada.get_by_text("a bot plays on").wait_for(state="detached")
    play_on(ada, ben)
    ada.locator('[data-focus="again"]').click()
    ada.get_by_text("still at the results").wait_for()
    ada.locator('[data-focus="start"]').click()
    ada.locator(CHOICES).first.wait_for()
    assert ben.locator(".standings").count(), "nobody is pulled off the results"
    ben.locator('[data-focus="follow"]').click()
    ben.locator(CHOICES).first.wait_for()
    play_on(ada, ben)
    assert ada.locator(".standings").inner_text() == ben.locator(".standings").inner_text()
    for page in (ben, ada):
        page.locator('[data-focus="again"]').click()
    ben.locator(CHOICES).first.wait_for()


@every
def test_keyboard_only(people, address):
    page = people()
    set_table(page, address, "sushi_go", "easy")
    while (thing := next_thing(page)) != "over":
        assert thing == "ready" or thing.startswith("card ")
        page.keyboard.press(
            "Enter" if thing == "ready" else page.locator(f"[data-focus={thing!r}]").get_attribute("data-key")
        )


@every
@pytest.mark.parametrize(
    ("viewport", "colours"), [(PHONE, "light"), (TABLET, "light"), (DESK, "dark")], ids=["phone", "tablet", "desk"]
)
def test_everybody_can_use_it(people, address, viewport, colours):
    """No page breaks a rule of axe: names, roles, order of headings, contrasts."""
    rules = axe.AXE_FILE_PATH.read_text("utf-8")
    page = people(viewport, color_scheme=colours, bypass_csp=True)  # the page's policy would forbid the script of axe
    broken = []

    def check(place):
        page.evaluate(rules)
        found = page.evaluate("axe.run()")["violations"]
        broken.extend((place, own["id"], [node["target"] for node in own["nodes"]]) for own in found)

    page.goto(address)
    page.locator(".tile").first.wait_for()
    check("first page")
    page.locator('[data-focus="set sushi_go_party"]').click()
    for fold in ("seats", "variants", "options"):
        unfolded(page, fold)
    check("a new game")
    leave_dialog(page)
    ben, link = people(), set_table(page, address, "sushi_go", "easy", "free")
    ben.goto(link)
    sits(ben, "Ben")
    page.get_by_text("Ben").wait_for()
    check("waiting room")
    page.locator('[data-focus="start"]').click()
    page.locator(CHOICES).first.wait_for()
    check("table")
    page.locator('[data-focus="menu"]').click()
    check("menu")
    leave_dialog(page)
    page.locator('[data-focus="help"]').click()
    check("help")
    leave_dialog(page)
    play_beside(ben)
    play_until(page, "ready")
    check("sheet")
    act(page, "ready")
    play_on(page)
    check("standings")
    page.locator('[data-focus="again"]').click()
    page.locator('[data-focus="out"]').wait_for()
    check("another game")
    page.evaluate("localStorage.clear()")
    page.goto(link)
    page.locator("dialog[open]").wait_for()
    check("a late friend")
    for place, part in ((f"{link}/rules", "h1"), (f"{address}/games", ".past li"), (f"{address}/score", ".standings")):
        page.goto(place)
        page.locator(part).first.wait_for()
        check(place)
    assert broken == []


@every
def test_what_can_be_read_stays(people, address):
    """Cards are read by keyboard after a choice, too; news do not take back what went wrong."""
    ada, ben = people(), people(PHONE)
    link = set_table(ben, address, "sushi_go", "free")
    ada.goto(link)
    sits(ada, "Ada")
    ben.locator('[data-focus="start"]').click()
    act(ben, next_thing(ben))
    ben.locator(".hand-card.taken").wait_for()
    ben.mouse.move(1, 1)
    card = ben.locator(".hand-card:not(.taken)").last
    card.focus()
    assert ben.locator(".raised .label").inner_text() in card.get_attribute("aria-label")
    ada.locator('[data-focus="menu"]').click()
    for _ in range(2):
        ada.locator('[data-focus="emote nice"]').click()
        ada.locator('[data-focus="menu"]').click()
    ada.get_by_text("Too many messages").wait_for()
    ben.locator('[data-focus="undo"]').click()
    ada.locator(".slot .sign-check").wait_for(state="detached")
    assert ada.get_by_text("Too many messages").count(), "news of the table do not take it back"


@every
def test_a_double_click_keeps_the_choice(people, address):
    """The second click comes when the card is taken already, and does not take it back."""
    ada, ben = people(), people()
    link = set_table(ben, address, "sushi_go", "free")
    ada.goto(link)
    sits(ada, "Ada")
    ben.locator('[data-focus="start"]').click()
    ben.locator(".hand-card").nth(1).hover()
    for count in (1, 2):
        ben.mouse.down(click_count=count)
        ben.mouse.up(click_count=count)
        ben.locator(".hand-card.taken").wait_for()
    ada.locator(".slot .sign-check").wait_for()
    assert ben.locator(".hand-card.taken").count() == 1


@every
def test_every_button_of_the_bar_is_in_sight_on_a_phone(people, address):
    page = people({"width": 360, "height": 740})
    for path in ("/", "/games", "/score"):
        page.goto(f"{address}{path}")
        page.locator("#main *").first.wait_for()
        page.locator("#bar nav > *").first.wait_for()
        ends = page.locator("#bar nav > *").evaluate_all("(all) => all.map((own) => own.getBoundingClientRect().right)")
        assert max(ends) <= 360, path


@every
def test_one_screen_for_two(people, address):
    """Before each choice of two people at one screen it is covered, and the page holds no hand."""
    page = people(PHONE, tips=True)
    set_table(page, address, "sushi_go", "person")
    for _ in range(3):
        page.locator(CHOICES).first.click()
        page.locator('[data-focus="uncover"]').wait_for()
        assert page.locator(".hand-card, .bubble, .bars, .hint").count() == 0
        assert "Choose a card" not in page.locator("#say").inner_text()
        page.locator('[data-focus="uncover"]').click()
        page.locator(CHOICES).first.wait_for()
    page.locator(CHOICES).first.click()
    page.locator('[data-focus="uncover"]').wait_for()
    assert page.locator(".card").count() == 0
    assert page.locator('[data-focus="log"], [data-focus="coming"]').count() == 0
    for key in "oil":
        page.keyboard.press(key)
    assert page.locator("dialog[open]").count() == 0, "what the seat before knows"
    page.locator('[data-focus="uncover"]').click()
    page.locator(CHOICES).first.wait_for()
    assert page.get_by_text("not here").count() == page.locator('[data-focus^="replace"]').count() == 0
    play_on(page)
    page.locator('[data-focus="again"]').click()
    page.locator('[data-focus="uncover"]').or_(page.locator(CHOICES)).first.wait_for()


@every
def test_a_friend_becomes_the_host(people, address, monkeypatch):
    """When the host leaves, another becomes host; who returns waits, and everybody reads why."""
    monkeypatch.setattr("draftengine.apps.web.live.HOST_GONE", 0)
    ada, ben = people(), people(PHONE)
    link = set_table(ada, address, "sushi_go", "free")
    ben.goto(link)
    ben.locator('[data-focus="name"]').fill("Ben")
    ben.locator('[data-focus="sit"]').click()
    ada.get_by_text("Ben").wait_for()
    ada.goto("about:blank")
    ben.locator("#main").get_by_text("Ada left: you are the host now.").wait_for()
    ada.goto(link)
    ada.locator("#main").get_by_text("Ada left: Ben is the host now.").wait_for()
    ada.get_by_text("Waiting for Ben to start.").wait_for()
    ben.locator('[data-focus="start"]').click()
    ada.locator(CHOICES).first.wait_for()


@every
def test_a_second_card_is_asked_for_before_anything_turns_over(people, address):
    """A person with two cards to take is asked for both first, so bots that have chosen end nothing."""
    page = people(PHONE)
    set_table(page, address, "sushi_go", "easy")
    page.locator('[data-card="chopsticks"]').first.click()
    page.wait_for_function("() => document.body.dataset.decision.endsWith('.1')")
    page.locator(CHOICES).nth(1).click()
    page.locator('[data-focus="enough"]').wait_for()
    page.locator(CHOICES).first.click()
    page.wait_for_function("() => document.body.dataset.decision.endsWith('.2')")
    assert "Chopsticks" not in page.locator(".seat.me").inner_text()
    assert page.locator(".seat.me .stack .card:not(.slot-of)").count() == 2


@every
def test_friends_are_as_many_as_one_wants(people, address):
    """A table for friends has as many free seats as were asked for."""
    page = people(PHONE)
    page.goto(address)
    page.locator('[data-focus="friends"]').click()
    page.locator('[data-focus="players 2"]').click()
    page.locator('[data-focus="begin"]').click()
    page.locator('[data-focus="start"]').wait_for()
    assert page.locator(".seat-list:first-of-type li").count() == 2
    assert page.locator('[data-focus="to 1"]').input_value() == "free"


@every
def test_who_wants_to_play_again_is_seen_beside_the_points(people, address):
    """Those who still read the results see who waits for them."""
    ada, ben = people(), people(PHONE)
    link = set_table(ada, address, "tides_of_time", "free")
    ben.goto(link)
    sits(ben, "Ben")
    ada.get_by_text("Ben").wait_for()
    ada.locator('[data-focus="start"]').click()
    play_on(ada, ben)
    ben.locator('[data-focus="again"]').click()
    ada.locator("#main").get_by_text("Ben wants to play again.").wait_for()


@every
def test_tables_are_found_again(people, address):
    """The lobby lists the tables of this browser: those that wait first; tables that are gone disappear."""
    page = people(PHONE)
    link = set_table(page, address, "sushi_go", "free")
    page.goto(address)
    row = page.locator(".table-list li")
    row.get_by_text("You can start").wait_for()
    row.get_by_role("link").click()
    page.locator('[data-focus="start"]').click()
    page.locator(CHOICES).first.wait_for()
    set_table(page, address, "sushi_go", "easy", "easy")
    page.goto(address)
    row.get_by_text("Your turn").first.wait_for()
    assert row.count() == 2
    page.evaluate("localStorage.setItem('tables', JSON.stringify(['nothing', ...JSON.parse(localStorage.tables)]))")
    page.reload()
    row.nth(1).wait_for()
    assert row.count() == 2
    assert "nothing" not in page.evaluate("localStorage.tables")
    row.get_by_role("link").nth(1).click()
    page.locator(CHOICES).first.wait_for()
    assert page.url == link
    assert all("404" in complaint for complaint in people.complaints), "of the table that is gone"
    people.complaints.clear()


@every
@pytest.mark.parametrize(
    ("name", "bots", "variants"),
    [
        ("anniversary", 1, ("sushi_battle",)),
        ("anniversary", 1, ("two_player_dummy",)),
        ("sushi_draft", 2, ("advanced_triple",)),
        ("party_cutthroat", 7, ()),
        ("ohanami", 1, ()),
        ("tides_of_time", 1, ()),
    ],
)
def test_other_games(people, address, name, bots, variants):
    """Games with other numbers of players work, up to as many seats as a page can have."""
    page = people()
    set_table(page, address, name, *["easy"] * bots, variants=variants)
    play_on(page)
    page.locator(".lost .caption").wait_for(state="detached")
    page.mouse.move(600, 400)
    page.mouse.wheel(0, 100_000)
    page.wait_for_function("() => scrollY + innerHeight >= document.documentElement.scrollHeight - 1")


def five_can_play():
    """Return the shipped card sets that five people can play."""
    if not EVERY:
        return []
    return [name for name in sorted(shelf()) if de.open_rules(name).players[0] <= 5 <= de.open_rules(name).players[1]]


@every
@pytest.mark.parametrize("name", five_can_play())
def test_five_people(people, address, name):
    """Five separate browsers finish a game and are shown the same; one of them is reloaded."""
    first, *others = (people(PHONE if number % 2 else DESK) for number in range(5))
    link = set_table(first, address, name, *["free"] * 4)
    for number, page in enumerate(others, 2):
        page.goto(link)
        page.locator('[data-focus="name"]').fill(f"Player {number}")
        page.locator('[data-focus="sit"]').click()
        first.get_by_text(f"Player {number}").wait_for()
    first.locator('[data-focus="start"]').click()
    others[0].locator(".play").wait_for()  # where players act in turn, it may be another's
    others[0].reload()
    play_on(first, *others)
    told = {page.locator(".standings").inner_text() for page in (first, *others)}
    assert len(told) == 1
    assert all(f"Player {number}" in "".join(told) for number in range(2, 6))


HIGH = "document.querySelector('.dock').offsetHeight / innerHeight"
DASHES = """[...document.querySelectorAll(".chart polyline")].map((own) => getComputedStyle(own).strokeDasharray)"""


@every
def test_seen_again(people, address):
    """A finished game can be replayed from any seat with a bot's opinion; the table fills most of a phone."""
    page = people(PHONE)
    set_table(page, address, "sushi_go", "easy", "easy", "easy")
    play_on(page)
    page.goto(f"{address}/games")
    page.get_by_role("link", name="Watch again").first.click()
    page.locator('[data-focus="forward"]').click()
    assert page.evaluate(HIGH) < 0.4
    assert page.locator(".chart text").all_text_contents() == ["●", "■", "◆", "▲"], "not colour alone"
    assert len(set(page.evaluate(DASHES))) == 4
    page.locator('[data-focus="opinion"]').click()
    page.locator(".hint").wait_for()
    page.locator('[data-focus="seat"]').select_option("1")
    page.locator('[data-focus="film"]').press("End")
    page.get_by_role("heading", name="The game is over").wait_for()


@every
def test_a_card_set_of_ones_own(people, address, tmp_path):
    """An uploaded card set is played like any other."""
    page = people()
    path = tmp_path / "house.yaml"
    path.write_text("{format: 1, extends: sushi_go, id: house, title: At home}", encoding="utf-8")
    page.goto(address)
    page.locator('[data-focus="upload"]').set_input_files(path)
    page.locator("dialog[open]").get_by_text("At home").wait_for()
    page.locator('[data-focus="begin"]:not([disabled])').click()
    page.locator(CHOICES).first.click()
    page.locator(".seat.me .card").first.wait_for()
    assert page.title().endswith("At home")


@every
def test_the_errors_of_a_card_set_stay_until_another_one_comes(people, address, tmp_path):
    """The page keeps the errors of a file with places and hints; without a workshop it has no link to one."""
    page = people()
    path = tmp_path / "house.yaml"
    path.write_text("format: 2\nextends: sushi_go\nid: house\ncards: {tea: {countt: 4}}\npoint: 1\n", encoding="utf-8")
    page.goto(address)
    page.locator('[data-focus="upload"]').set_input_files(path)
    page.locator(".faulty li").nth(1).wait_for()
    assert "Line 4, column" in page.locator(".faulty").inner_text()
    assert page.locator('[data-focus="mend"]').count() == 0
    path.write_text("{format: 1, extends: sushi_go, id: house, title: At home}", encoding="utf-8")
    page.locator('[data-focus="upload"]').set_input_files(path)
    page.locator("dialog[open]").get_by_text("At home").wait_for()
    assert page.locator(".faulty").count() == 0
    people.complaints.clear()  # the refusal of the first file


@every
def test_cards_in_another_language(people, address):
    """Cards have names and texts in the chosen language, also for people who come by link."""
    ada, ben = people(), people(PHONE, locale="pl-PL")
    ada.goto(address)
    ada.locator('[data-focus="language"]').select_option("pl")
    ada.locator(".tile").get_by_text("Sushi Go! Edycja na dziesięciolecie").wait_for()
    link = set_table(ada, address, "anniversary", "free")
    ben.goto(link)
    ben.get_by_text("Sushi Go! Edycja na dziesięciolecie").wait_for()
    ben.locator('[data-focus="language"]').select_option("en")
    ben.get_by_text("Sushi Go! 10th Anniversary Edition").wait_for()


SPOILED = """() => {
  const look = () => { window.spoiled ||= Boolean(document.querySelector(".reveal:not(.gone)")
    && document.querySelector(".pause")); };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  window.counted = 0;
  document.addEventListener("animationstart", (own) => { window.counted += own.animationName === "counted"; });
}"""
"""Script that notes in `spoiled` whether points came before a reveal ended; `counted` counts them."""


@every
def test_movements(people, address):
    """Cards turn over when revealed, except for people who asked for no motion."""
    turning = "document.getAnimations().some((own) => own.animationName === 'reveal')"
    lively, calm = people(reduced_motion="no-preference"), people(reduced_motion="reduce")
    for page in (lively, calm):
        set_table(page, address, "sushi_go", "easy")
        page.evaluate(SPOILED)
        page.locator(CHOICES).first.click()
        if page is lively:
            page.wait_for_function(f"() => {turning}")
        page.locator(".fresh").first.wait_for(state="attached")
    assert not calm.evaluate(turning)
    lively.locator('[data-focus="menu"]').click()
    leave_dialog(lively)
    lively.wait_for_function("() => document.getAnimations().every((own) => own.playState === 'finished')")
    for page in (lively, calm):
        while (thing := next_thing(page)) != "ready":
            act(page, thing)
        assert not page.evaluate("window.spoiled"), "the points come when the cards have been seen"
    lively.wait_for_function("() => window.counted > 5")  # a round is counted rule by rule
    assert not calm.evaluate("window.counted")
    lively.locator(".reveal").wait_for(state="detached")
    lively.mouse.click(5, 300)
    running = "document.getAnimations().filter((own) => own.animationName === 'counted').length"
    assert not lively.evaluate(running), "one tap shows all of it"


@every
def test_keys(people, address):
    """Arrow keys move between cards, and every key listed in the help does something."""
    page = people()
    set_table(page, address, "sushi_go", "easy")
    page.locator(CHOICES).first.wait_for()
    page.keyboard.press("ArrowRight")
    first = page.evaluate("document.activeElement.dataset.card")
    page.keyboard.press("i")
    assert page.locator("dialog[open]").get_by_role("heading").inner_text()
    leave_dialog(page)
    page.wait_for_function("(card) => document.activeElement.dataset.card === card", arg=first)
    for key in "osl?":
        page.keyboard.press(key)
        page.locator("dialog[open]").wait_for()
        leave_dialog(page)
    page.keyboard.press("p")
    page.locator(".hand-card").first.wait_for(state="detached")
    page.keyboard.press("p")
    page.locator(".hand-card").first.wait_for()


@every
def test_the_focus_comes_back_to_what_was_drawn_anew(people, address):
    """The focus survives when the page is redrawn under an open dialog, as others choose."""
    table, tokens = made(address, "sushi_go", [person("Ada"), person("Ben")])
    ada, ben = people(), Page(address, table, tokens[1])
    ada.goto(f"{address}/t/{table}#{tokens[0]}")
    ada.locator('[data-focus="start"]').click()
    ada.locator(CHOICES).first.focus()
    first = ada.evaluate("document.activeElement.dataset.focus")
    ada.keyboard.press("i")
    ada.locator("dialog[open]").wait_for()
    ben.until(lambda message: message["type"] == "table" and "game" in message)
    ben.choose({"cards": [ben.game["hand"][0][0]]})
    ada.locator(".others .state.good").wait_for()
    leave_dialog(ada)
    ada.wait_for_function("(name) => document.activeElement.dataset.focus === name", arg=first)
    ben.close()


UNTIL = "async () => {{ while (!({})) await new Promise((done) => setTimeout(done)); }}"
"""A wait in the page that works even where no frames are drawn."""


@every
def test_what_arrives_together_is_drawn_once(people, address):
    """The table is drawn at most once a frame; a hidden page only updates its title with the turn."""
    table, tokens = made(address, "sushi_go", [person("Ada"), person("Ben")])
    ada, ben = people(), Page(address, table, tokens[1])
    ada.goto(f"{address}/t/{table}#{tokens[0]}")
    ada.locator('[data-focus="start"]').click()
    ada.locator(CHOICES).first.wait_for()
    ada.evaluate("""() => {
      window.drawn = 0;
      new MutationObserver(() => { window.drawn += 1; }).observe(document.querySelector("#main"), { childList: true });
      window.requestAnimationFrame = (draw) => { window.next = draw; };
    }""")
    ben.until(lambda message: message["type"] == "table" and "game" in message)
    for _ in range(3):
        ben.choose({"cards": [ben.game["hand"][0][0]]})
        ben.ask("withdraw", decision=ben.shown["decision"])
    ada.evaluate(UNTIL.format("window.next"))
    assert ada.evaluate("window.drawn") == 0
    ada.evaluate("window.next()")
    assert ada.evaluate("window.drawn") == 1
    ada.evaluate("""() => {
      Object.defineProperty(document, "hidden", { get: () => true });
      document.title = "elsewhere";
    }""")
    ben.choose({"cards": [ben.game["hand"][0][0]]})
    ada.evaluate(UNTIL.format("document.title.startsWith('● Your turn')"))
    ben.close()


BROKEN = """() => [...document.querySelectorAll(".hand-card .name, .hand-card .label")].flatMap((own) =>
  [...own.textContent.matchAll(/\\S+/g)].filter((word) => {
    const range = document.createRange();
    range.setStart(own.firstChild, word.index);
    range.setEnd(own.firstChild, word.index + word[0].length);
    return new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1;
  }).map((word) => word[0]))"""
"""Texts of cards in the hand whose words break across lines."""
LARGE = """() => document.querySelectorAll(".hand-card .name, .hand-card .label")
  .forEach((own) => own.style.setProperty("font-size", "30px", "important"))"""


@every
@pytest.mark.parametrize(
    ("viewport", "language", "name", "bots"),
    [(PHONE, "en", "ohanami", 1), (DESK, "en", "ohanami", 1), (DESK, "pl", "anniversary", 2)],
    ids=["phone", "desk", "polish"],
)
def test_no_word_is_broken(people, address, viewport, language, name, bots):
    """No word breaks on narrow cards: with ten in a hand, names are small."""
    page = people(viewport, locale=language)
    set_table(page, address, name, *["easy"] * bots)
    page.locator(CHOICES).first.wait_for()
    assert page.evaluate(BROKEN) == []
    assert page.evaluate(f"() => {{ ({LARGE})(); return ({BROKEN})(); }}") != []


IN_SIGHT = """() => {
  const [felt, first, own, dock] = [".board", ".others .seat", ".seat.me", ".dock"].map((name) =>
    document.querySelector(name).getBoundingClientRect());
  const inside = felt.top <= first.top && first.bottom <= own.top && own.bottom <= dock.top + 1;
  return inside && dock.bottom <= innerHeight + 1;
}"""


@every
@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
@pytest.mark.parametrize(("name", "bots"), [("go_nuts_for_donuts", 5), ("party_cutthroat", 6)])
def test_the_own_seat_is_in_sight(people, address, name, bots, viewport):
    """The own seat is visible without scrolling, between the first of the others and the hand."""
    page = people(viewport)
    set_table(page, address, name, *["easy"] * bots)
    for _ in range(3):
        act(page, next_thing(page))
    next_thing(page)
    assert page.evaluate(IN_SIGHT)


ALL_RANKED = """() => document.querySelectorAll(".others .group-words, .me .group-words").forEach((own) => {
  const told = { what: "Soy sauce with wasabi 1/2", "so-far": "most (shared) → 4" };
  own.replaceChildren(...Object.entries(told).map(([name, text]) => {
    const part = document.createElement("span");
    part.className = name;
    part.textContent = text;
    return part;
  }));
})"""
"""Script that gives every seat the widest content: name, place and points."""


@every
def test_nobody_hears_of_an_empty_hand(people, address):
    """A screen reader hears no empty list of cards if all cards lie on the table."""
    page = people(locale="ja-JP")
    set_table(page, address, "anniversary", "easy", variants=["sushi_battle"])
    next_thing(page)
    spoken_text = page.locator("#say").text_content()
    assert "選" in spoken_text
    assert "。。" not in spoken_text


@every
def test_six_others_have_room_on_a_tablet(people, address):
    """Six others fit on a tablet in pairs, and the mark of a choice stands apart from the cards."""
    page = people({"width": 800, "height": 900})
    set_table(page, address, "party_cutthroat", *["easy"] * 6)
    act(page, next_thing(page))
    next_thing(page)
    page.evaluate(ALL_RANKED)
    assert page.evaluate(
        "Math.max(...[...document.querySelectorAll('.others .seat')].map((own) => own.getBoundingClientRect().bottom))"
        " <= document.querySelector('.seat.me').getBoundingClientRect().top"
    )
    page.set_viewport_size(PHONE)
    assert page.evaluate("""[...document.querySelectorAll(".seat:has(.slot)")].every((own) => {
      const [slot, groups] = [".slot", ".groups"].map((name) => own.querySelector(name).getBoundingClientRect());
      return groups.right <= slot.left + 1;
    })""")


@every
def test_what_lies_lowest_can_be_taken_without_scrolling(people, address):
    page = people({"width": 1280, "height": 700})
    set_table(page, address, "anniversary", "easy", variants=["sushi_battle"])
    while (thing := next_thing(page)) != "ready":
        assert page.evaluate("""[...document.querySelectorAll("button.place")].every((own) =>
          own.getBoundingClientRect().bottom <= document.querySelector(".dock").getBoundingClientRect().top)""")
        act(page, thing)


@every
def test_a_choice_says_what_becomes_of_the_card(people, address):
    page = people(PHONE)
    set_table(page, address, "tides_of_time", "easy")
    asked = []
    while (thing := next_thing(page)) != "ready" or len(asked) < 3:
        prompt = " ".join(page.locator(".prompt :is(h2, p)").all_inner_texts())
        asked += [prompt] if prompt and prompt not in asked else []
        act(page, thing)
    aside = [f"Choose a card It goes to “{zone}”." for zone in ("Relics", "Removed cards")]
    assert asked == ["Choose a card The rest goes to Pebble.", *aside]


@every
def test_a_bid_is_chosen_and_not_played(people, address):
    page, ben = people(), people(PHONE)
    link = set_table(page, address, "go_nuts_for_donuts", "free")
    ben.goto(link)
    ben.locator('[data-focus="sit"]').click()
    ben.get_by_text("Waiting for Ada").wait_for()
    page.locator('[data-focus="start"]').click()
    act(page, next_thing(page))
    page.get_by_text("You choose Place 1", exact=True).wait_for()


@every
def test_five_columns_of_points_fit_a_phone(people, address):
    page = people(PHONE)
    set_table(page, address, "sushi_go", *["easy"] * 4)
    play_until(page, "ready")
    sizes = "['.sheet', '.scroll'].map((name) => document.querySelector(name).getBoundingClientRect().width)"
    table, room = page.evaluate(sizes)
    assert table <= room


COUNTED = """() => new Promise((done) => {
  const inSight = (step) => getComputedStyle(step).visibility === "visible";
  const stands = () => [...document.querySelectorAll(".tally .total")].map((total) =>
    [...total.children].filter(inSight).map((step) => step.textContent));
  const seen = [];
  const look = () => {
    const now = JSON.stringify(stands());
    if (now !== seen.at(-1)) seen.push(now);
    if (document.getAnimations().some((own) => own.playState === "running")) setTimeout(look, 60);
    else done(seen.map((text) => JSON.parse(text)));
  };
  look();
})"""
"""Script that returns the points that a page shows one after another while a round is counted."""


@every
def test_who_wins_by_a_condition_does_not_win_by_points(people, tmp_path):
    """The end of a game names the condition that won; points that did not decide are not called a lead."""
    card = "crown: {count: 20, label: {en: {one: crown, other: crowns}}, on_play: [{points: -2}]}"
    (tmp_path / "crown.yaml").write_text(
        f"""format: 2
id: crown
title: Crown
version: 1.0.0
players: 2
rounds: 1
cards: {{{card}}}
wins: crown >= 1
setup: [{{shuffle: deck}}]
round:
  - deal: {{to: hand, cards: 3}}
  - in_turn: {{do: [{{choose: {{from: hand, to: tableau}}}}]}}
  - score: round
scoring: {{crown: {{each: crown, points: 1}}}}
"""
    )
    with serving(tmp_path / "t.sqlite", Catalogue([str(tmp_path / "crown.yaml")]), SAME_DEAL) as address:
        page = people()
        set_table(page, address, "crown", "easy")
        play_on(page)
        assert page.locator(".triumph p").inner_text() == "If you have at least one crown, you win at once."
        page.close()  # before its server, whose absence it would report


@every
def test_totals_grow_rule_by_rule(people, address):
    """The points of a round grow with each rule, one figure at a time, up to what each has now."""
    page = people(reduced_motion="no-preference")
    set_table(page, address, "sushi_go", "easy")
    play_until(page, "ready")
    counted = page.evaluate(COUNTED)
    assert len(counted) > 2
    sums = [sum(int(figure) for seat in figures for figure in seat) for figures in counted]
    assert sums == sorted(sums)
    assert sums[0] < sums[-1]
    rows = page.locator(".sheet .sum td").all_inner_texts()
    assert [seat[0] for seat in counted[-1]] == rows


@every
def test_an_empty_row_is_seen_before_anything_lies_there(people, address):
    """Rows in which no card lies have their places on the table, and a card is asked for one of them."""
    page = people()
    set_table(page, address, "coloretto", "easy", "easy")
    next_thing(page)
    page.locator(".board > .piles .pile", has_text="Row 3").locator(".slot-of").wait_for()


@every
def test_the_last_sheet_adds_up(people, address):
    """The last sheet adds up: chips have their own row, and losses have a typographic minus sign."""
    page = people(PHONE)
    set_table(page, address, "sushi_draft", "easy", "easy")
    page.get_by_text("Turn 1 of 5").wait_for(state="attached")
    play_on(page)
    last = page.locator(".sheet").last
    chips, total = (last.locator("tr.sum").filter(has_text=own).locator("td") for own in ("Chips", "In all"))
    assert sorted(total.all_inner_texts()) == sorted(page.locator(".standings strong").all_inner_texts())
    assert any(int(own) for own in chips.all_inner_texts())
    written = "import('/static/dom.js').then(({ el }) => el('p', {}, '-3, 8 - 1, 2 x 5, sushi-2').textContent)"
    assert page.evaluate(written) == "−3, 8 − 1, 2 × 5, sushi-2"


@every
def test_copies_of_a_card_are_named_together(people, address):
    """The title of a move says once how many copies of a card it takes."""
    page = people(PHONE)
    page.goto(address)
    rules = "{ cards: { a: { label: 'Carrot' }, b: { label: 'Onion' } }, ways: {}, faces: {} }"
    named = f"import('/static/faces.js').then(({{ labels }}) => labels({rules}, ['a', 'b', 'a', 'a'], '×'))"
    assert page.evaluate(named) == ["3× Carrot", "Onion"]


@pytest.mark.web
def test_scores_of_real_cards(people, address):
    page = people(PHONE)
    page.goto(f"{address}/score")
    page.locator('[data-focus="set"]').select_option("sushi_draft")
    page.locator(".taps button").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "the page is wider than the phone"
    page.locator('[data-focus="set"]').select_option("sushi_go")
    for _ in range(2):
        page.locator('[data-focus="tap tempura"]').click()
    page.locator(".standings li").first.get_by_text("5").wait_for()
    page.locator('[data-focus="more Other points"]').click()
    page.locator(".standings li").first.get_by_text("6").wait_for()


@every
def test_chips_of_real_cards_decide(people, address):
    """Real cards have no winner before chips are entered; the end is a table of its own, also later."""
    page = people()
    page.goto(f"{address}/score")
    page.locator('[data-focus="set"]').select_option("sushi_draft")
    page.locator('[data-focus="tap ikura"]').click()
    for at in (1, 2):
        page.locator(f'[data-focus="round {at}"]').click()
    page.get_by_text("Nobody has won yet.").wait_for()
    page.get_by_text("Ada has 2 chips, worth 4 to 8 points: enter what they are worth.").wait_for()
    chips = page.locator('[data-focus="chips"]')
    chips.fill("9")
    chips.press("Enter")
    page.get_by_text("the sheet says 9.").wait_for()
    chips.fill("8")
    chips.press("Enter")
    page.locator(".standings li.won", has_text="Ada ★").get_by_text("8").wait_for()
    page.reload()
    page.locator(".standings li.won", has_text="Ada ★").get_by_text("8").wait_for()
    page.locator("caption", has_text="End of the game").wait_for()
    assert page.get_by_text("Nobody has won yet.").count() == 0


@every
@pytest.mark.parametrize("seed", range(20 if NIGHTLY else 2))
def test_an_evening_of_real_cards(people, address, seed):
    """An evening of real cards can be entered by taps; the reopened page has its points and winner."""
    real = evening(seed, ("sushi_draft", "sushi_go", "sushi_go_summary", "party_first_meal")[seed % 4])
    page = people()
    page.goto(f"{address}/score")
    page.locator('[data-focus="set"]').select_option(real.game.id)
    names = page.locator('[data-focus^="name "]')
    while names.count() < real.game.players:
        page.locator('[data-focus="more"]').click()
    names.nth(0).fill("")
    names.nth(0).press("Enter")
    for name in real.game.variants:
        page.locator(f'[data-focus="variant {name}"]').click()
    for number, lying in enumerate(real.rounds):
        page.locator(f'[data-focus="round {number}"]').click()
        for seat, table in enumerate(lying.tables):
            page.locator(f'[data-focus="seat {seat}"]').click()
            for name in table:
                page.locator(f'[data-focus="tap {name}"]').click()
            points = lying.points[seat] if lying.points else 0
            for _ in range(abs(points)):
                page.locator(f'[data-focus="{"more" if points > 0 else "less"} Other points"]').click()
    for seat in range(real.game.players if real.game.model.chips else 0):
        page.locator(f'[data-focus="seat {seat}"]').click()
        page.locator('[data-focus="chips"]').fill(f"{real.chips[seat]}")
        page.locator('[data-focus="chips"]').press("Enter")
    page.reload()
    page.locator(".standings li.won").first.wait_for()
    assert sorted(map(int, page.locator(".standings strong").all_inner_texts())) == sorted(real.scores)
    won = page.locator(".standings li.won strong").all_inner_texts()
    assert list(map(int, won)) == [real.scores[seat] for seat in real.winners]


@pytest.mark.web
def test_only_the_last_score_counts(people, address):
    """If answers arrive out of order, the score of the last request stays."""
    page = people(PHONE)
    page.goto(f"{address}/score")
    with page.expect_response("**/api/score"):
        page.locator('[data-focus="set"]').select_option("sushi_go")
    tempura, first = page.locator('[data-focus="tap tempura"]'), page.locator(".standings li").first
    held = []
    # Playwright marks functions that it wraps, which built-in methods do not allow.
    page.route("**/api/score", lambda route: held.append(route))  # noqa: PLW0108
    points = page.locator('[data-focus="more Other points"]')
    for button in (tempura, tempura, points, points):
        with page.expect_request("**/api/score"):
            button.click()
    assert page.locator(".laid button").count() == 2, "what was tapped is there before it is counted"
    held[3].continue_()
    first.get_by_text("7").wait_for()
    for late in held[:3]:
        with page.expect_response("**/api/score"):
            late.continue_()
    page.evaluate("new Promise((done) => setTimeout(done))")
    assert first.get_by_text("7").is_visible()


@pytest.mark.web
def test_a_click_outlives_what_was_drawn(people, address):
    """A click counts even if its button is redrawn while pressed."""
    page = people()
    page.goto(f"{address}/score")
    with page.expect_response("**/api/score"):
        page.locator('[data-focus="set"]').select_option("sushi_go")
    tempura, first = page.locator('[data-focus="tap tempura"]'), page.locator(".standings li").first
    held = []
    page.route("**/api/score", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/api/score"):
        tempura.click()
    tempura.hover()
    page.mouse.down()
    with page.expect_response("**/api/score"):
        held[0].continue_()
    page.evaluate("new Promise((done) => setTimeout(done))")
    page.mouse.up()
    first.get_by_text("5").wait_for()


def test_readings_of_the_rules_are_chosen_in_the_lobby(people, address):
    page = people()
    page.goto(address)
    page.locator('[data-focus="set sushi_go"]').click()
    unfolded(page, "readings")
    page.locator('[data-focus="reading chopsticks_order=apart"]').click()
    page.locator('[data-focus="begin"]:not([disabled])').click()
    page.locator(".hand-card").first.wait_for()


WAYS = """
format: 1
id: ways
title: Ways
version: 1.0.0
players: 2
rounds: 1
cards: {hut: {count: 20, has: {price: 1}}}
counters: {coins: {start: 3, min: 0, max: 99}, bid: {min: 0, max: 2}}
round:
  - deal: {to: hand, cards: 2}
  - choose: {as: {low: {text: Bids less., cards: 0, do: [{set: {bid: 1}}]}, high: {cards: 0, do: [{set: {bid: 2}}]}}}
  - choose: {as: {build: {pay: {coins: its(price)}}, sell: {text: A coin more., to: discard, do: [{add: {coins: 1}}]}}}
  - score: round
scoring: {coins: {kind: each, of: coins, points: 1}, bid: {kind: each, of: bid, points: 1}}
winner: {order: most}
"""


@pytest.mark.web
def test_ways_of_a_card_and_by_themselves(people, tmp_path):
    """A bid is a button, and each action of a card has its name; no shown text breaks the page."""
    (tmp_path / "ways.yaml").write_text(WAYS, "utf-8")
    with serving(tmp_path / "t.sqlite", Catalogue([str(tmp_path / "ways.yaml")])) as own:
        page = people(PHONE)
        page.goto(own)
        page.locator('[data-focus="now"]').click()
        page.locator(".seat.me").get_by_text("coins 3", exact=False).wait_for()
        page.locator('[data-focus="choice low"]', has_text="Bids less.").wait_for()
        page.locator('[data-focus="choice high"]').click()
        page.locator('[data-focus^="card hut"]').first.click()
        page.get_by_role("heading", name="What happens to Hut?").wait_for()
        page.locator(".forms button", has_text="Sell").get_by_text("A coin more.").click()
        page.locator(".standings li").first.wait_for()
        people.leave()


SOURCES = """
format: 2
id: sources
title: Sources
version: 1.0.0
players: 2
cards: {soup: {count: 20}}
zones: {side: {per: seat, seen_by: everyone}}
round:
  - deal: {to: side, cards: 2}
  - deal: {to: hand, cards: 2}
  - choose: {from: [side, hand], to: tableau}
  - score: round
scoring: {soup: {each: soup, points: 1}}
"""


@pytest.mark.web
def test_a_choice_from_several_zones_names_no_single_one(people, tmp_path):
    """A choice from one zone says from which; one from several has no zone of its own to name."""
    (tmp_path / "sources.yaml").write_text(SOURCES, "utf-8")
    with serving(tmp_path / "t.sqlite", Catalogue([str(tmp_path / "sources.yaml")])) as address:
        page = people(PHONE)
        page.goto(address)
        page.locator('[data-focus="now"]').click()
        page.locator('[data-focus^="card soup"]').first.wait_for()
        assert "“”" not in page.locator("body").inner_text()
        people.leave()


@every
def test_a_tap_is_acknowledged_at_once(people, address):
    """A card counts as chosen on the screen before the server has heard of it, and once only."""
    page = people(PHONE, has_touch=True)
    sent = []

    def between(line):
        server = line.connect_to_server()

        def held(message):
            if '"choose"' in message:
                sent.append(message)
            else:
                server.send(message)

        line.on_message(held)

    page.route_web_socket("**/play", between)
    set_table(page, address, "sushi_go", "easy", "easy")
    after = page.evaluate("""async () => {
      document.querySelector("[data-focus=play]").click();
      await new Promise(requestAnimationFrame);
      const said = document.querySelector(".hand-card.taken") && document.querySelector(".prompt").textContent;
      document.querySelector(".hand-card:not(.taken)").click();
      return said;
    }""")
    assert after.startswith("You play")
    assert len(sent) == 1


@every
def test_a_seat_is_left_to_a_bot_and_taken_again(people, tmp_path):
    """A person who watches sees no hand while a bot plays the seat, and plays once the seat is taken."""
    slowly = replace(SAME_DEAL, bot_pause=0.5)
    with serving(tmp_path / "t.sqlite", Catalogue(["sushi_go"]), slowly) as address:
        table, tokens = made(address, "sushi_go", [person("Ada"), BOT])
        page = people(PHONE)
        page.add_init_script(f"""
          localStorage.setItem("table {table}", JSON.stringify([{{ seat: 0, token: "{tokens[0]}" }}]));
          localStorage.setItem("begin", '"{table}"');
          localStorage.setItem("watch", '"{table}"');
        """)
        page.goto(f"{address}/t/{table}")
        page.locator('[data-focus="late"]', has_text="Take your seat").wait_for()
        assert page.locator(".hand-card").count() == 0
        page.locator('[data-focus="late"]').click()
        page.locator(CHOICES).first.wait_for()
        people.leave()
