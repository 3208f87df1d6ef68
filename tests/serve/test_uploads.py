"""Uploaded card sets are checked and limited, cannot read files, and stay with their tables."""

from __future__ import annotations

import json
from itertools import takewhile
from random import Random

import pytest

import draftengine as de
from conftest import NIGHTLY
from draftengine.apps.web import RefusedError
from draftengine.apps.web.catalogue import Catalogue, bring, entry
from draftengine.model.shelf import shelf
from serve.harness import BOT, Page, ask, made, person, serving

HOUSE = "{format: 1, extends: sushi_go, id: house, title: At home, cards: {tempura: {count: 20}}}"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("tables") / "t.sqlite", Catalogue(["sushi_go"])) as own:
        yield own


def test_a_game_of_ones_own(address):
    """An uploaded game is listed, can be played to its end, and its record deals it again."""
    status, body = ask(address, "/api/sets", {"upload": HOUSE})
    entry = json.loads(body)
    assert (status, entry["title"], entry["players"]) == (201, "At home", [2, 5])
    assert [own["id"] for own in json.loads(ask(address, "/api/sets")[1])["sets"]] == ["sushi_go"]
    asked = {"upload": HOUSE, "variants": [entry["variants"][0]["id"]], "players": 2}
    assert json.loads(ask(address, "/api/problems", asked)[1])["now"] == []
    table, tokens = made(address, None, [person(), BOT], upload=HOUSE)
    page = Page(address, table, tokens[0])
    page.ask("start")
    page.play(Random(1))
    page.close()
    game = json.loads(ask(address, "/api/games")[1])[0]
    record = json.loads(ask(address, f"/api/games/{game['id']}")[1])
    assert record["scores"] == page.game["scores"]
    again = de.rules_in_json(record["made_from"])
    assert next(own for own in again.model.cards if own.id == "tempura").count == 20


@pytest.mark.web
def test_every_shipped_set_fits():
    """Every shipped card set can be uploaded; by day, a few of them."""
    for path in [*shelf().values()][:: 1 if NIGHTLY else 4]:
        source, _ = bring(path.read_text("utf-8"))
        assert entry("brought", source)["title"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("{format: 1, id: x", "Line 1"),
        ("format: 1\nid: x\nnothing: 7\n", "“cards”, “round”, “winner” and “scoring” yet"),
        ("", "Line 1"),
        ("{format: 1, extends: ../../etc/passwd, id: x}", "is not the id of a card set"),
        ("{format: 1, extends: /etc/passwd, id: x}", "is not the id of a card set"),
        ("{format: 1, extends: tests/serve/harness, id: x}", "is not the id of a card set"),
        ("!!python/object/apply:os.system ['true']", "Line 1"),
        ("a: &a [x]\nb: [*a, *a]", "Line 1"),
    ],
)
def test_wrong_ones_are_refused(address, text, told):
    """Wrong card sets are refused with the line, without revealing anything about files of the server."""
    status, body = ask(address, "/api/sets", {"upload": text})
    answer = json.loads(body)
    assert (status, answer["error"]) == (400, "wrong-card-set")
    assert told in answer["message"]
    assert "root:" not in answer["message"]
    assert ask(address, "/api/tables", {"upload": text, "seats": [person()], "variants": []})[0] == 400


WRONG = """format: 2
id: blocks
title: Blocks
extends: sushi_go
cards:
  tempurra: {count: 4, label: Block}
scoring:
  block: {each: block, point: 2}
"""
"""A card set with two errors, each with a hint."""


@pytest.mark.parametrize(
    ("language", "hint"), [("en", "Did you mean"), ("pl", "Czy chodziło o"), ("ja", "のことですか")]
)
def test_a_refusal_carries_errors_with_hints(address, language, hint):
    """A refusal lists each error with its place and hint, in the language of the reader."""
    status, body = ask(address, "/api/sets", {"upload": WRONG}, **{"Accept-Language": language})
    findings = json.loads(body)["findings"]
    assert status == 400
    assert [(finding["line"], finding["column"]) for finding in findings] == [(8, 17), (8, 24)]
    assert hint in findings[-1]["hint"]
    assert "points" in findings[-1]["hint"]


def test_many_errors_are_counted_and_the_first_are_listed(address):
    """A page lists fifty errors, and says how many there are."""
    rules = "".join(f"  rule_{number}: {{each: block, point: 2}}\n" for number in range(40))
    upload = WRONG.partition("  block:")[0] + rules
    body = json.loads(ask(address, "/api/sets", {"upload": upload})[1])
    assert len(body["findings"]) == 50
    assert body["errors"] == 80


def test_limits(address):
    """Size, number kept, and number being checked are limited."""
    assert ask(address, "/api/sets", {"upload": "#" * (64 << 10)})[0] == 413
    catalogue = Catalogue(["sushi_go"])
    source = bring(HOUSE)[0]
    for number in range(65):
        catalogue.keep(f"house_{number}", source)
    with pytest.raises(RefusedError, match="no such card set"):
        catalogue.source("house_0")
    assert catalogue.source("house_32") == source
    answers = (json.loads(ask(address, "/api/sets", {"upload": "{"})[1])["error"] for _ in range(1000))
    heard = list(takewhile("too-fast".__ne__, answers))
    assert {*heard} == {"wrong-card-set"}
    assert len(heard) < 1000, "nobody is told to wait"


def test_a_server_may_refuse_all(tmp_path):
    with serving(tmp_path / "t.sqlite", Catalogue(["sushi_go"], brought=False)) as address:
        assert json.loads(ask(address, "/api/sets", {"upload": HOUSE})[1])["error"] == "no-uploads"
        assert not json.loads(ask(address, "/api/sets")[1])["uploads"]
