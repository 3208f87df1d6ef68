"""The server is killed at any moment: nothing that was acknowledged is lost, nothing happens twice (R15)."""

from __future__ import annotations

import os
import time
from random import Random

import pytest
from websockets.exceptions import ConnectionClosed

from conftest import NIGHTLY
from draftengine.serve.sqlite import SqliteStorage
from draftengine.serve.table import Table
from serve.harness import BOT, Page, Process, made, person

KILLS = 10_000 if NIGHTLY else 4

pytestmark = pytest.mark.skipif(os.name != "posix", reason="other systems have no kill -9")


@pytest.fixture
def server(tmp_path):
    own = Process("--data", str(tmp_path / "t.sqlite"))
    yield own
    own.kill()


def test_nothing_acknowledged_is_lost(server, tmp_path):
    """A game goes on over every kill; what was sent again with its key happened once."""
    chance = Random(11)
    table, tokens = made(server.address, "sushi_go", [person(), BOT])
    acknowledged = {}
    killed = 0
    while killed < KILLS:
        page = Page(server.address, table, tokens[0])
        before = page.shown["at"]
        assert all(at <= before for at in acknowledged.values())
        try:
            if not page.game or page.game["over"]:
                acknowledged["start", before] = page.ask("start")["at"]
            for number in range(chance.randrange(1, 5)):
                while not page.to_choose():
                    page.until(lambda message: message["type"] == "table")
                key, sent = f"{killed}-{number}", {"decision": page.shown["decision"], "move": page.some_move(chance)}
                acknowledged[key] = page.ask("choose", key, **sent)["at"]
                assert page.ask("choose", key, **sent)["at"] == acknowledged[key], "the same request happened twice"
            page.send(type="choose", key=f"{killed}-late", decision=page.shown["decision"], move=page.some_move(chance))
            time.sleep(chance.random() / 50)
        except (ConnectionClosed, KeyError):
            pytest.fail("the server ended by itself")
        server.kill()
        killed += 1
        server.start()
        kept = Page(server.address, table, tokens[0])
        assert kept.shown["at"] >= max(acknowledged.values())
        kept.close()
    server.kill()
    kept = SqliteStorage(tmp_path / "t.sqlite").take(table, time.time())
    again = Table.of(table, kept.head, kept.entries)
    keys = [entry["key"] for entry in kept.entries if "key" in entry]
    assert len(keys) == len(set(keys))
    assert {key for key in acknowledged if isinstance(key, str)} <= set(keys)
    assert all(again.done[0, key] == at for key, at in acknowledged.items() if isinstance(key, str))
    server.start()
