"""Servers are killed at any moment: nothing that was acknowledged is lost, nothing happens twice (R15).

`kills.py` does the same as often as one likes.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from conftest import NIGHTLY
from draftengine.apps.web.storage.sqlite import SqliteStorage
from serve.harness import Process
from serve.kills import Killing

KILLS = 10_000 if NIGHTLY else 4

pytestmark = pytest.mark.skipif(os.name != "posix", reason="other systems have no kill -9")


@pytest.fixture
def started():
    """Starts servers that are gone afterwards."""
    own = []

    def start(*arguments):
        own.append(Process(*arguments))
        return own[-1]

    yield start
    for server in own:
        server.kill()


def test_nothing_acknowledged_is_lost(started, tmp_path):
    """A game goes on over every kill; what was sent again with its key happened once."""
    path = tmp_path / "t.sqlite"
    server = started("--data", str(path))
    killing = Killing([server], Random(11))
    for _ in range(KILLS):
        killing.kill()
    server.kill()
    killing.hold(SqliteStorage(path))


def test_another_server_goes_on(started, postgres_at):
    """Of two over one PostgreSQL, each goes on with the table of the one that was killed."""
    from draftengine.apps.web.storage.postgres import PostgresStorage

    address = postgres_at()
    servers = [started("--database", address) for _ in range(2)]
    killing = Killing(servers, Random(4))
    for _ in range(KILLS):
        killing.kill()
    for server in servers:
        server.kill()
    killing.hold(PostgresStorage(address))
