"""Texts of card sets, people and the server are shown and never run: 200 payloads (R18).

On the way to a real page, every text of every message is replaced by each payload in turn, including texts that no card
set could contain. A second test starts from a file.
"""

from __future__ import annotations

import json
from random import Random

import pytest
import yaml

from draftengine.apps.web.catalogue import Catalogue
from draftengine.model.shelf import shelf
from serve.harness import BOT, SAME_DEAL, Page, ask, made, person, serving
from serve.needed import EVERY
from serve.payloads import PAYLOADS
from serve.playing import leave_dialog, unfolded

pytestmark = pytest.mark.skipif(not EVERY, reason="make test-web plays this")

TEXTS = {"label", "text", "title", "name", "progress", "change", "message", "detail", "short", "order"}
"""Keys of messages that hold texts; other keys hold ids, numbers and moves."""
NAMED = {"things", "causes"}
"""Keys that hold texts by id."""
LISTED = {"variants", "extra"}
"""Keys that hold lists of texts, where they are not lists of records."""
WATCH = """
  window.executed = [];
  const note = (...said) => window.executed.push(said);
  for (const name of ["alert", "confirm", "prompt", "print"]) window[name] = note;
  document.addEventListener("securitypolicyviolation", (event) => note("policy", event.violatedDirective));
"""
FOREIGN = """() => [...document.querySelectorAll("*")].filter((own) =>
  ["SCRIPT", "IFRAME", "OBJECT", "EMBED", "BASE", "META", "VIDEO", "AUDIO", "MARQUEE", "TEMPLATE", "MATH", "foreignObject"].includes(own.tagName)
    && !own.matches("head > meta[name], head > meta[charset], head > script[src^='/static/'][src$='/main.js']")
  || [...own.attributes].some((at) => /^on/i.test(at.name) || /^(href|src|action|formaction|xlink:href)$/i.test(at.name) && !/^(\\/|blob:|#)/.test(at.value)))
  .map((own) => own.outerHTML)"""  # noqa: E501 (one expression of the page)

CHECKED = f"""async (text) => {{
  while (!document.body.textContent.includes(text)) await new Promise((done) => setTimeout(done));
  await new Promise((done) => setTimeout(done));
  return [window.executed, ({FOREIGN})()];
}}"""


def poisoned(data, payload, key=""):
    """Replace every text of some data with a payload, except those in drawings."""
    if isinstance(data, dict):
        every = key in NAMED
        return {
            own: payload if every and isinstance(value, str) else poisoned(value, payload, own)
            for own, value in data.items()
        }
    if isinstance(data, list):
        texts = key in LISTED
        return [payload if texts and isinstance(own, str) else poisoned(own, payload, key) for own in data]
    if isinstance(data, str) and key in TEXTS:
        return payload
    return data


def drawn_with(data, payload):
    """Return a drawing in which every text is the payload."""
    name, attributes, *inner = data
    return [name, attributes, *(drawn_with(own, payload) if isinstance(own, list) else payload for own in inner)]


def all_drawn_with(drawings, payload):
    return {name: drawn_with(own, payload) for name, own in drawings.items()}


def checked(page, payload, *, shown=""):
    """Wait until a text is shown, and assert that nothing ran and that no foreign element exists."""
    assert page.evaluate(CHECKED, shown) == [[], []], payload


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("tables") / "t.sqlite", Catalogue(shelf()), SAME_DEAL) as own:
        yield own


@pytest.fixture(scope="module")
def states(address):
    """Return a table as its first seat sees it: waiting, playing, after a round and at the end."""
    table, tokens = made(address, "anniversary", [person(), BOT, BOT])
    page = Page(address, table, tokens[0])
    page.ask("start")
    page.play(Random(2))
    page.close()
    told = [own for own in map(json.loads, page.frames) if own["type"] == "table"]
    rules = told[0]["rules"]
    found = {
        "waiting": told[0],
        "playing": next(
            own for own in told if own.get("game") and own["game"]["turn"] > 3 and not own["game"]["chosen"]
        ),
        "sheet": next(own for own in told if own.get("sheet") and not own["game"]["over"]),
        "over": told[-1],
    }
    return {name: {**own, "rules": rules, "told": 0, "since": 0} for name, own in found.items()}


def message_of(told, number):
    """Return a message of a table with one payload in every text, and sometimes in the drawings."""
    payload = PAYLOADS[number]
    message = poisoned(told, payload)
    if not number % 20:
        message["rules"]["drawn"] = all_drawn_with(message["rules"]["drawn"], payload)
    return {**message, "decision": [1, number]}


@pytest.mark.parametrize("state", ["waiting", "playing", "sheet", "over"])
def test_every_text_of_a_table(people, address, states, state):
    """Payloads in names, cards, rules, story, sheets, hints and refusals are only shown."""
    page = people()
    page.add_init_script(WATCH)
    pipes = []

    def answer(pipe):
        pipes.append(pipe)
        pipe.on_message(lambda text: heard(json.loads(text), pipe))

    def heard(message, pipe):
        if message["type"] == "sheet":
            shown = {"type": "sheet", "key": message["key"], "sheet": states["over"]["sheet"]}
            pipe.send(json.dumps(poisoned(shown, payload)))

    page.route_web_socket("**/play", answer)
    payload = "table"
    page.goto(f"{address}/t/{made(address, 'sushi_go', [person(), BOT])[0]}")
    while not pipes:
        page.wait_for_timeout(20)
    for number, payload in enumerate(PAYLOADS):
        pipes[0].send(json.dumps(message_of(states[state], number)))
        checked(page, payload, shown=payload)
        if state == "playing" and not number % 10:
            for key in ("help", "scores"):
                page.locator(f'[data-focus="{key}"]').click()
                page.locator("dialog[open]").wait_for()
                checked(page, payload)
                leave_dialog(page)
        if not number % 10:
            pipes[0].send(
                json.dumps(
                    poisoned({"type": "refused", "key": "", "code": "late", "message": "", "detail": ""}, payload)
                )
            )
            checked(page, payload, shown=payload)


def test_every_text_of_the_other_pages(people, address):
    """Payloads in the lobby, past games, and sheets for real cards are only shown."""
    page = people()
    page.add_init_script(WATCH)
    offer = json.loads(ask(address, "/api/sets")[1])
    anniversary = next(own for own in offer["sets"] if own["id"] == "anniversary")
    anniversary["drawn"] = dict(list(anniversary["drawn"].items())[:3])
    every = [{**poisoned(anniversary, own), "id": f"set{number}"} for number, own in enumerate(PAYLOADS)]
    for own, payload in zip(every[::20], PAYLOADS[::20], strict=True):
        own["drawn"] = all_drawn_with(own["drawn"], payload)
    problems = {
        "now": list(PAYLOADS[:20]),
        "beside": {own["id"]: list(PAYLOADS[:3]) for own in anniversary["variants"]},
    }
    games = [
        {"id": f"g{number}", "ended": 0, "title": own, "scores": [1, 2], "winners": [1],
         "seats": [{"name": own, "bot": ""}, {"name": own, "bot": "easy"}]}
        for number, own in enumerate(PAYLOADS)
    ]  # fmt: skip
    cards = {"set": "anniversary", "variants": [], "names": ["Ada", "Ben"], "rounds": [[["tempura"], ["strawberry_1"]]]}
    sheet = json.loads(ask(address, "/api/score", cards)[1])
    assert sheet["sheet"]
    now = {"payload": ""}

    def fulfil(route, data):
        route.fulfill(json=data)

    page.route("**/api/sets*", lambda route: fulfil(route, offer | {"sets": every}))
    page.route("**/problems", lambda route: fulfil(route, problems))
    page.route("**/api/games", lambda route: fulfil(route, games))
    page.route("**/api/score", lambda route: fulfil(route, poisoned(sheet, now["payload"])))
    page.goto(address)
    page.locator(".tile").nth(len(PAYLOADS) - 1).wait_for()
    checked(page, "first page")
    for number in range(0, len(PAYLOADS), 10):
        page.locator(f'[data-focus="set set{number}"]').click()
        page.locator(".problem").wait_for()
        for part in ("variants", "readings"):
            unfolded(page, part)
        checked(page, PAYLOADS[number])
        leave_dialog(page)
    page.goto(f"{address}/games")
    page.locator(".past li").nth(len(PAYLOADS) - 1).wait_for()
    checked(page, "past games")
    page.goto(f"{address}/score")
    for number in range(0, len(PAYLOADS), 10):
        now["payload"] = PAYLOADS[number]
        page.locator('[data-focus="set"]').select_option(f"set{number}")
        checked(page, PAYLOADS[number], shown=PAYLOADS[number])


def spoilt(data, texts, key=""):
    """Return the text of a card set whose texts are payloads, or made of several if they are long."""
    if isinstance(data, dict):
        return {
            own: spoilt(value, texts, key if own in {"en", "pl", "ja", "one", "few", "many", "other"} else own)
            for own, value in data.items()
        }
    if isinstance(data, list):
        return [spoilt(own, texts, key) for own in data]
    if isinstance(data, str) and key in {"text", "label", "title", "icon"}:
        return texts(key)
    return data


def test_a_card_set_of_payloads(people, tmp_path):
    """A card set of payloads that passes the checks is shown as text."""
    from draftengine.model.shelf import shelf as named

    short = [own for own in PAYLOADS if len(own) <= 36 and own.isprintable()]
    chance = Random(8)

    def texts(key):
        if key == "icon":
            return "<b>&"
        return (
            chance.choice(short)
            if key != "text"
            else " ".join(chance.sample([own for own in PAYLOADS if own.isprintable()], 4))
        )

    document = spoilt(yaml.safe_load(named()["sushi_go"].read_text("utf-8")), texts)
    document["id"] = "house"
    path = tmp_path / "house.yaml"
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    name = next(own for own in short if len(own) <= 24)
    with serving(tmp_path / "t.sqlite", Catalogue([str(path)])) as address:
        page = people()
        page.add_init_script(WATCH)
        page.goto(address)
        page.locator('[data-focus="name 0"]').fill(name)
        page.locator('[data-focus="now"]').click()
        page.locator('[data-focus="help"]').click()
        assert page.locator("dialog").get_by_text("alert(1)").count()
        checked(page, "help")
        leave_dialog(page)
        page.locator('[data-focus="hint"]').click()
        page.locator(".hint").wait_for()
        page.locator(".hand-card").first.click()
        page.get_by_text(name).first.wait_for()
        checked(page, "table")
        people.leave()
