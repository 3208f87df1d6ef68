"""Several people at one screen, hosts who leave, and tables that a browser finds again."""

from __future__ import annotations

import asyncio
import json

import pytest
from msgspec.structs import replace

import draftengine as de
from draftengine.apps.web.catalogue import Catalogue, head_of
from draftengine.apps.web.hub import TableServer
from draftengine.apps.web.live import HOST_GONE, SILENCE, Client
from draftengine.apps.web.messages import summary_shown
from draftengine.apps.web.storage.chain import DAY
from draftengine.apps.web.storage.engines import SqliteStorage
from draftengine.apps.web.table import Request
from loops import in_a_loop
from serve.harness import AT_ONCE, BOT, Page, ask, made, person, serving


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("tables") / "t.sqlite", Catalogue(["sushi_go"]), AT_ONCE) as url:
        yield url


def here(page):
    return [seat["here"] for seat in page.shown["seats"]]


def comes(page, seats):
    """Read until a page shows exactly these seats as present."""
    if here(page) != seats:
        page.until(lambda message: message["type"] == "table" and here(page) == seats)


# ── Several at one screen ─────────────────────────────────────────────────────────────────────────────────────────────


def test_all_at_one_screen_are_here(address, monkeypatch):
    """All people at a screen are present while it is connected, so no bot may replace them."""
    table, tokens = made(address, "sushi_go", [person(name) for name in ("Ada", "Ben", "Cy", "Di")])
    screen = Page(address, table, tokens[1], beside=[tokens[2], "0" * 43])
    assert here(screen) == [False, True, True, False]
    ada = Page(address, table, tokens[0])
    assert ada.ask("start")["type"] == "done"
    assert ada.ask("replace", seat=2)["code"] == "somebody-is-there"
    screen.close()
    monkeypatch.setattr("draftengine.apps.web.live.SILENCE", 0)
    comes(ada, [True, False, False, False])
    assert ada.ask("replace", seat=2)["type"] == "done"
    comes(ada, [True, False, False, False])
    assert ada.shown["seats"][2]["away"]
    screen = Page(address, table, tokens[1], beside=[tokens[2]])
    ada.until(lambda message: message["type"] == "table" and not message["seats"][2]["away"])
    assert screen.shown["seat"] == 1


def test_a_screen_is_told_what_one_of_its_people_may_know(address):
    """A screen gets the hand of one person only; those beside are present, but their cards are not sent."""
    table, tokens = made(address, "sushi_go", [person("Ada"), person("Ben")])
    ada, ben = Page(address, table, tokens[0], beside=[tokens[1]]), Page(address, table, tokens[1])
    ada.ask("start")
    for page in (ada, ben):
        if not page.game:
            page.until(lambda message: message["type"] == "table" and "game" in message)
    assert ada.game["hand"] != ben.game["hand"]
    assert ada.choose({"cards": [ada.game["hand"][0][0]]})["type"] == "done"
    assert ada.shown["seat"] == 0
    assert ben.game["hand"] not in [ada.game[part] for part in ada.game]


def test_who_hands_the_seat_to_a_bot_chooses_no_more(address):
    """A person replaced by a bot cannot choose until the table is opened again."""
    table, tokens = made(address, "sushi_go", [person("Ada"), person("Ben")])
    ada, ben = Page(address, table, tokens[0]), Page(address, table, tokens[1])
    ada.ask("start")
    assert ben.ask("replace", seat=1)["type"] == "done"
    while not (ben.game and ben.shown["seats"][1]["away"] and ben.shown["seats"][1]["chosen"]):
        ben.until(lambda message: message["type"] == "table")
    decision = ben.shown["decision"]
    assert ben.ask("withdraw", decision=decision)["code"] == "bot-plays"
    assert ben.choose({"cards": [ben.game["hand"][0][0]]})["code"] == "bot-plays"
    again = Page(address, table, tokens[1])
    assert not again.shown["seats"][1]["away"]
    assert again.ask("withdraw", decision=decision)["type"] == "done"


# ── Friends who come late ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_late_friend_takes_the_seat_of_a_bot(address):
    """A late friend takes the seat of a bot, and plays from the next turn."""
    table, tokens = made(address, "sushi_go", [person("Ada"), person("Ben"), BOT])
    ada, ben, late = Page(address, table, tokens[0]), Page(address, table, tokens[1]), Page(address, table)
    ada.ask("start")
    assert ben.ask("seat", seat=2, to="free")["code"] == "not-the-host"
    assert ada.ask("seat", seat=1, to="free")["code"] == "already-started"
    late.until(lambda message: message["type"] == "table" and "game" in message)
    assert not late.game["hand"]
    assert late.ask("emote", emote="wow")["code"] == "not-yours"
    status, body = ask(address, f"/api/tables/{table}/sit", {"name": "Cy"})
    assert (status, json.loads(body)["seat"]) == (201, 2)
    assert ask(address, f"/api/tables/{table}/sit", {"name": "Di"})[0] == 400, "no bot is left"
    friend = Page(address, table, json.loads(body)["token"])
    assert [seat["name"] for seat in friend.shown["seats"]] == ["Ada", "Ben", "Cy"]
    assert friend.shown["seats"][2]["kind"] == "person"
    assert not friend.game["hand"]
    assert friend.choose({"cards": []})["code"] == "illegal-move"
    assert friend.ask("options", move={"cards": []})["code"] == "not-your-turn"
    for page in (ada, ben):
        while not page.game:
            page.until(lambda message: message["type"] == "table")
        assert page.choose({"cards": [page.game["hand"][0][0]]})["type"] == "done"
    friend.until(lambda message: message["type"] == "table" and message["decision"] == [1, 1])
    assert friend.choose({"cards": [friend.game["hand"][0][0]]})["type"] == "done"
    assert ada.ask("emote", emote="wow")["type"] == "emote"
    assert friend.until(lambda message: message["type"] == "emote")["seat"] == 0
    assert ada.ask("emote", emote="wow")["code"] == "too-fast"
    assert ada.ask("emote", emote="free text")["code"] == "bad-message"


# ── Hosts who leave ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_part_of_a_host_who_left_passes_on(tmp_path):
    """An absent host is replaced by somebody present after a while, which is longer during a game."""
    now = [1e9]

    async def everything():
        hub = TableServer(SqliteStorage(tmp_path / "t.sqlite"), replace(AT_ONCE, clock=lambda: now[0]))
        wanted = {"seats": [{"kind": "person", "name": name} for name in ("Ada", "Ben", "Cy")]}
        options = {"hints": True, "effects": True, "memory": True}
        name, _ = await hub.create(head_of(de.load("sushi_go", players=3)), {**wanted, **options})
        live = await hub.live(name)

        async def host_after(seconds):
            now[0] += seconds
            hub._pass_on(live)
            while hub._tasks:
                await asyncio.gather(*hub._tasks)
            return live.table.host

        ada, watching = Client(0), Client(-1)
        await hub.enter(live, ada)
        await hub.enter(live, watching)
        assert await host_after(HOST_GONE) == 0
        hub.leave(live, ada)
        assert await host_after(HOST_GONE) == 0, "nobody else is there"
        screen = Client(2, beside=[1])
        await hub.enter(live, screen)
        await hub.enter(live, ada)
        hub.leave(live, ada)
        assert await host_after(HOST_GONE - 1) == 0
        assert await host_after(1) == 2, "the one in front of a screen"
        assert json.loads(screen._waiting[-1])["host_before"] == 0
        await hub.enter(live, ada)
        assert await host_after(HOST_GONE) == 2
        await hub.ask(live, Request("start", 2))
        hub.leave(live, screen)
        assert await host_after(SILENCE - 1) == 2
        assert await host_after(1) == 0
        await hub.disk.close()

    in_a_loop(everything())


def test_a_host_who_never_came_back_passes_the_part_on(tmp_path, monkeypatch):
    """An absent host is replaced even if the server restarted meanwhile, and so saw nobody leave."""
    monkeypatch.setattr("draftengine.apps.web.live.HOST_GONE", 0)
    path = tmp_path / "t.sqlite"
    with serving(path, Catalogue(["sushi_go"])) as address:
        table, tokens = made(address, "sushi_go", [person("Ada"), person("Ben")])
    with serving(path, Catalogue(["sushi_go"])) as address:
        ben = Page(address, table, tokens[1])
        if ben.shown["host"] != 1:
            ben.until(lambda message: message["type"] == "table" and message["host"] == 1)
        ada = Page(address, table, tokens[0])
        assert ada.ask("start")["code"] == "not-the-host"
        assert ada.ask("host", seat=0)["code"] == "not-the-host"
        assert ben.ask("start")["type"] == "done"


# ── Tables found again ────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_table_in_a_list(address):
    """The summary of a table says whom it waits for, and nothing that only a seat may know."""
    table, tokens = made(address, "sushi_go", [person("Ada"), person("Ben"), BOT])
    waiting = {"title": "Sushi Go!", "host": 0, "names": ["Ada", "Ben", "Pebble"], "begun": False, "over": False}
    assert listed(address, table) == {**waiting, "waiting": []}
    ada = Page(address, table, tokens[0])
    ada.ask("start")
    ada.until(lambda message: message["type"] == "table" and message["seats"][2]["chosen"])
    assert listed(address, table) == {**waiting, "begun": True, "waiting": [0, 1]}
    ada.choose({"cards": [ada.game["hand"][0][0]]})
    assert listed(address, table) == {**waiting, "begun": True, "waiting": [1]}
    assert ask(address, "/api/tables/nothing/now")[0] == 404
    assert ask(address, f"/api/tables/{table}/now?language=*")[0] == 400


def test_a_table_that_slept_for_three_days_goes_on(tmp_path):
    """A table that nobody looked at for days waits for the same seats, also for another server."""
    now, waits = [1e9], {"seats": [{"kind": "person", "name": name} for name in ("Ada", "Ben")]}
    settings = replace(AT_ONCE, clock=lambda: now[0])

    async def choose(hub, live, seat):
        moves = live.table.view(seat).moves
        data = {"decision": [1, live.table.decision], "move": moves[0].to_json()}
        await hub.ask(live, Request("choose", seat, data=data))

    async def everything():
        hub = TableServer(SqliteStorage(tmp_path / "t.sqlite"), settings)
        options = {"hints": True, "effects": True, "memory": True}
        name, tokens = await hub.create(head_of(de.load("sushi_go", players=2)), {**waits, **options})
        live = await hub.live(name)
        await hub.ask(live, Request("start", 0))
        await choose(hub, live, 0)
        now[0] += 3 * DAY
        await hub._let_go(hub._idle())
        await hub.disk.call(hub.storage.clean, now[0], settings.keep)
        await hub.disk.close()

        hub = TableServer(SqliteStorage(tmp_path / "t.sqlite"), settings)
        live = await hub.live(name)
        assert summary_shown(live.table, "en")["waiting"] == [1]
        assert live.table.seat_of(tokens[1]) == 1
        ben = Client(1)
        await hub.enter(live, ben)
        await choose(hub, live, 1)
        await asyncio.gather(*hub._tasks, return_exceptions=True)
        assert json.loads(ben._waiting[-1])["decision"] == [1, 1]
        await hub.disk.close()

    in_a_loop(everything())


def listed(address, table):
    status, body = ask(address, f"/api/tables/{table}/now")
    assert status == 200, body
    return json.loads(body)
