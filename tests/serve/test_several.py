"""Several servers on one PostgreSQL: a table moves to the one that people connect to."""

from __future__ import annotations

import time
from random import Random
from typing import NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed

from serve.harness import BOT, Page, Process, ask, made, opened, person


@pytest.fixture
def address(postgres_at):
    return postgres_at()


@pytest.fixture
def servers(address):
    """Yield a function that starts servers on one database."""
    started = []

    def start():
        started.append(Process("--database", address))
        return started[-1]

    yield start
    for own in started:
        own.kill()


class Begun(NamedTuple):
    """Two servers, and a game in progress at one of them, with the page of its only person."""

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


def some_choices(page, chance, count, acknowledged):
    """Make some choices, and add what was acknowledged to `acknowledged`, by key."""
    for _ in range(count):
        while not page.to_choose():
            page.until(lambda message: message["type"] == "table")
        move = page.some_move(chance)
        key = f"choice {len(acknowledged)}"
        answer = page.choose(move, key=key)
        assert answer["type"] == "done"
        acknowledged[key] = answer["at"]


def test_a_table_goes_where_it_is_asked_for(begun):
    """A server releases a table that another one is asked for, and disconnects its page."""
    chance, acknowledged = Random(5), {}
    _, other, table, token, page = begun
    some_choices(page, chance, 2, acknowledged)
    there = opened(other, table, token)
    with pytest.raises(ConnectionClosed):
        page.until(lambda _: False)
    some_choices(there, chance, 2, acknowledged)
    there.close()


def test_a_paused_server_adds_nothing(begun, address):
    """A paused server that returns has lost its tables, and neither adds nor repeats any choice."""
    import sqlalchemy as sa

    chance, acknowledged = Random(6), {}
    one, other, table, token, page = begun
    some_choices(page, chance, 2, acknowledged)
    one.stop()
    with sa.create_engine(address, poolclass=sa.NullPool).begin() as base:
        base.execute(sa.text("UPDATE tables SET until = 0"))  # simulates a pause longer than a lease
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
    end = time.monotonic() + 60
    while b"Ada" not in ask(one.address, "/api/games")[1] and time.monotonic() < end:  # its record outlives the table
        time.sleep(0.05)
    assert ask(other.address, "/api/games") == ask(one.address, "/api/games")
    assert b"Ada" in ask(other.address, "/api/games")[1]
