"""Several servers over one PostgreSQL: a table goes on at another one when its server is killed, or is asked for it."""

from __future__ import annotations

import time
from random import Random
from typing import NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed

from draftengine.serve.table import Table
from serve.harness import BOT, Page, Process, ask, made, person

LONGEST = 120.0
"""Seconds after which a table that is still held elsewhere is a failure; a lease is ten, on a machine with time."""


@pytest.fixture
def address(postgres_at):
    return postgres_at()


@pytest.fixture
def servers(address):
    """Starts servers over the same database."""
    started = []

    def start():
        started.append(Process("--database", address))
        return started[-1]

    yield start
    for own in started:
        own.kill()


class Begun(NamedTuple):
    """Two servers, and a game that has begun at one of them, with the page of its only person."""

    one: Process
    other: Process
    table: str
    token: str
    page: Page


@pytest.fixture
def begun(servers):
    one, other = servers(), servers()
    table, tokens = made(one.address, "sushi_go", [person(), BOT])
    page = Page(one.address, table, tokens[0])
    page.ask("start")
    return Begun(one, other, table, tokens[0], page)


def opened(server, table, token):
    """The page of a seat, as soon as the server has the table."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        page = Page(server.address, table, token)
        if page.last["type"] == "table":
            return page
        assert page.last["code"] == "held-elsewhere"
        page.close()
        time.sleep(0.2)
    pytest.fail("the table is held elsewhere for ever")


def some_choices(page, chance, count, acknowledged):
    """Choose, and note what was acknowledged."""
    for _ in range(count):
        while not page.to_choose():
            page.until(lambda message: message["type"] == "table")
        move = page.some_move(chance)
        key = f"choice {len(acknowledged)}"
        answer = page.choose(move, key=key)
        assert answer["type"] == "done"
        acknowledged[key] = answer["at"]


def kept(address, table):
    """The table as the database has it."""
    from draftengine.serve.postgres import PostgresStorage

    storage = PostgresStorage(address)
    found = storage.take(table, time.time() + 100)
    storage.let_go()
    return Table.of(table, found.head, found.entries)


def test_another_server_goes_on(begun, address):
    """One is killed in the middle, the other one has every acknowledged choice, once; the game goes on to its end."""
    chance, acknowledged = Random(4), {}
    one, other, table, token, page = begun
    some_choices(page, chance, 4, acknowledged)
    one.kill()
    page = opened(other, table, token)
    assert page.shown["at"] >= max(acknowledged.values())
    some_choices(page, chance, 4, acknowledged)
    page.play(chance)
    scores = page.game["scores"]
    page.close()
    other.kill()
    again = kept(address, table)
    assert list(again.state.result.scores) == scores
    assert all(again.done[0, key] == at for key, at in acknowledged.items())


def test_a_table_goes_where_it_is_asked_for(begun):
    """Whoever holds it lets it go, and its page is disconnected, so that it finds the other one."""
    chance, acknowledged = Random(5), {}
    _, other, table, token, page = begun
    some_choices(page, chance, 2, acknowledged)
    there = opened(other, table, token)
    with pytest.raises(ConnectionClosed):
        page.until(lambda _: False)
    some_choices(there, chance, 2, acknowledged)
    there.close()


def test_a_paused_server_adds_nothing(begun):
    """One that was thought dead, and comes back, has lost its tables: nobody's choice happens twice or elsewhere."""
    chance, acknowledged = Random(6), {}
    one, other, table, token, page = begun
    some_choices(page, chance, 2, acknowledged)
    one.stop()
    there = opened(other, table, token)
    some_choices(there, chance, 2, acknowledged)
    one.go_on()
    page.send(type="choose", key="late", decision=page.shown["decision"], move={"cards": ["tempura"]})
    with pytest.raises(ConnectionClosed):
        page.until(lambda message: message["type"] == "done")
    some_choices(there, chance, 2, acknowledged)
    there.close()


def test_finished_games_are_seen_by_all(begun):
    one, other, _, _, page = begun
    page.play(Random(7))
    page.close()
    assert ask(other.address, "/api/games") == ask(one.address, "/api/games")
    assert b"Ada" in ask(other.address, "/api/games")[1]
