"""Whole games over the wire, of every shipped card set, end as in the engine."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from random import Random
from types import SimpleNamespace

import pytest
from starlette.requests import Request

import draftengine as de
from conftest import NIGHTLY, sample
from draftengine.api.replay import commitment
from draftengine.apps.web import app, live
from draftengine.apps.web.catalogue import Catalogue
from draftengine.model.shelf import shelf
from loops import in_a_loop
from serve.harness import BOT, Page, ask, made, person, serving

GAMES = [
    ("party_cutthroat", ()),
    ("anniversary", ("sushi_battle",)),
    ("anniversary", ("two_player_dummy",)),
    ("sushi_draft", ("advanced_triple",)),
    *([*((name, ()) for name in sorted(shelf())), ("anniversary", ("personal_draw_piles",))] if NIGHTLY else []),
]
"""By day, one game for each kind of play: hands, a layout, a second hand, wild cards."""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("tables") / "t.sqlite", Catalogue(shelf())) as own:
        yield own


def test_it_is_healthy(address):
    status, body = ask(address, "/healthz")
    assert (status, json.loads(body)["status"]) == (200, "ok")


@pytest.mark.parametrize(("name", "variants"), sample(GAMES, 2))
def test_a_whole_game(address, name, variants):
    """Two people and bots play to the end, and the record's seed and moves give the same result."""
    players = de.open_rules(name, variants).usual_players
    seats = [person("Ada"), person("Ben"), *[BOT] * (players - 2)]
    table, tokens = made(address, name, seats, variants)
    pages = [Page(address, table, tokens[0]), Page(address, table, tokens[1])]
    watching = Page(address, table)
    assert pages[0].ask("start")["type"] == "done"
    published = pages[0].shown["commitment"]
    with ThreadPoolExecutor(2) as both:
        list(both.map(lambda page: page.play(Random(7)), pages))
    over = pages[0].shown
    assert published == commitment(over["seed"], over["salt"])
    games = json.loads(ask(address, "/api/games")[1])
    record = json.loads(ask(address, f"/api/games/{games[0]['id']}")[1])
    game = de.rules_in_json(record["made_from"]).game(players)
    moves = [(own["seat"], {key: own[key] for key in own if key != "seat"}) for own in record["moves"]]
    again = game.replay(record["seed"], moves)
    assert list(again.result.scores) == over["game"]["scores"] == record["scores"]
    assert list(again.result.winners) == over["game"]["winners"]
    assert any(row["points"][0] for own in over["sheet"] for row in own["rows"]) or not over["game"]["scores"][0]
    watching.until(lambda message: message["type"] == "table" and message["game"]["over"])
    for page in (*pages, watching):
        page.close()


def test_a_rematch_is_another_game(address):
    """A rematch at the table has another seed."""
    table, tokens = made(address, "sushi_go", [person(), BOT])
    page = Page(address, table, tokens[0])
    page.ask("start")
    first = page.shown["commitment"]
    page.play(Random(1))
    assert page.ask("start")["type"] == "done"
    assert page.shown["commitment"] != first
    assert page.shown["decision"] == [2, 0]
    assert "seed" not in page.shown
    page.close()


def test_anybody_lets_a_bot_play_for_who_is_away(tmp_path, monkeypatch):
    """A bot replaces an absent person after a while, if somebody who is present asks for it."""
    with serving(tmp_path / "t.sqlite", Catalogue(["sushi_go"])) as address:
        table, tokens = made(address, "sushi_go", [person(name) for name in ("Ada", "Ben", "Eve", "Joe")])
        pages = [Page(address, table, tokens[seat]) for seat in range(4)]
        pages[0].ask("start")
        refused = [pages[1].ask("replace", seat=3)["code"]]
        pages[3].close()
        pages[1].until(lambda message: message["type"] == "table" and not message["seats"][3]["here"])
        refused.append(pages[1].ask("replace", seat=3)["code"])
        assert refused == ["somebody-is-there"] * 2
        monkeypatch.setattr(live, "SILENCE", 0)
        assert pages[1].ask("replace", seat=3)["type"] == "done"
        pages[2].until(lambda message: message["type"] == "table" and message["seats"][3]["away"])
        pages[3] = Page(address, table, tokens[3])
        pages[3].until(lambda message: message["type"] == "table" and not message["seats"][3]["away"])
        for page in pages:
            page.close()


@pytest.mark.parametrize(("host", "address"), [("play.example", "https://play.example"), ("box:80", "http://box:80")])
def test_the_code_leads_where_people_come_from(monkeypatch, host, address):
    """Behind a proxy with TLS, invitations use the public address that the server was given."""
    asked, drawn = [], app.segno.make
    monkeypatch.setattr(app.segno, "make", lambda text, **more: asked.append(text) or drawn(text, **more))

    class Hub:
        pool = None

        async def live(self, table):
            return SimpleNamespace(table=SimpleNamespace(id=table))

    scope = {"type": "http", "scheme": "http", "path": "/", "query_string": b"", "path_params": {"table": "abc"}}
    request = Request({**scope, "headers": [(b"host", host.encode())]})
    answer = in_a_loop(app.Routes(Hub(), None, ["http://127.0.0.1:80", "https://play.example"]).code(request))
    assert answer.media_type == "image/svg+xml"
    assert asked == [f"{address}/t/abc"]
