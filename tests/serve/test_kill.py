"""Killed servers lose nothing that was acknowledged, and repeat nothing (R15).

`kills.py` runs this for any number of kills.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from conftest import NIGHTLY
from draftengine.apps.web.storage.engines import SqliteStorage
from serve.harness import Process
from serve.kills import Killing

KILLS = 10_000 if NIGHTLY else 3

pytestmark = pytest.mark.skipif(os.name != "posix", reason="other systems have no kill -9")


@pytest.fixture
def started():
    """Yield a function that starts servers, which are killed after the test."""
    own = []

    def start(*arguments):
        own.append(Process(*arguments))
        return own[-1]

    yield start
    for server in own:
        server.kill()


def test_nothing_acknowledged_is_lost(started, tmp_path):
    """A game survives every kill, and a request sent again with its key happened once."""
    path = tmp_path / "t.sqlite"
    server = started("--data", str(path))
    killing = Killing([server], Random(11))
    for _ in range(KILLS):
        killing.kill()
    server.kill()
    killing.hold(SqliteStorage(path))


def test_another_server_goes_on(started, postgres_at):
    """With two servers on one PostgreSQL, each takes over the table of a killed one."""
    from draftengine.apps.web.storage.engines import PostgresStorage

    address = postgres_at()
    servers = [started("--database", address) for _ in range(2)]
    killing = Killing(servers, Random(4))
    for _ in range(KILLS):
        killing.kill()
    for server in servers:
        server.kill()
    killing.hold(PostgresStorage(address))
