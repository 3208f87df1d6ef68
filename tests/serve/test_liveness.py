"""Every table moves on in spite of faults of bots, people and processes, and equals its replay.

By day this is one faulty table in this process; in `make test-web` a minute with a whole server, and nightly an hour.
"""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

import draftengine as de
from conftest import NIGHTLY
from draftengine.apps.web.catalogue import Catalogue
from draftengine.apps.web.hub import TableServer
from draftengine.apps.web.pool import Pool
from draftengine.apps.web.storage.engines import SqliteStorage
from draftengine.apps.web.table import Table
from serve import liveness, planted
from serve.harness import AT_ONCE, Page, serving

LINUX = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="kills processes by what /proc says")
SOON = replace(AT_ONCE, patience=0.3, thinking=0.5, pool=Pool)


@pytest.mark.parametrize(
    "level", planted.FAULTS if NIGHTLY else ("raises", pytest.param("dies", marks=pytest.mark.web))
)
def test_a_bot_with_a_fault_plays_simple_cards(level, tmp_path, monkeypatch):
    """If its bot fails, the game goes on with simple cards, people are told, and the bot is given up."""
    planted.install(tmp_path / "planted")
    monkeypatch.syspath_prepend(str(tmp_path / "planted"))
    path = tmp_path / "t.sqlite"
    planted.plant(path, de.load("sushi_go", players=2), level, "t")
    patience = 600 if level == "raises" else SOON.patience
    with serving(path, Catalogue(["sushi_go"]), replace(SOON, patience=patience)) as address:
        page = Page(address, "t", "t")
        page.ask("start")
        page.play(Random(level))
        page.close()
    told = [frame for frame in page.frames if '"notice"' in frame]
    assert "took too long and played a simple card" in told[0]
    if level == "raises":
        assert "until the game is over" in told[2]
        assert len(told) == 3
    kept = SqliteStorage(path).take("t", time.time() + 100)
    assert Table.of("t", kept.head, kept.entries).state.over


def test_a_table_that_stopped_is_found(tmp_path, monkeypatch):
    """A table whose task died of an unexpected error gets a new task soon."""
    failed = []
    usual = TableServer._let_bots_choose

    async def fails(hub, live):
        if len(failed) < 3:
            failed.append(live.table.decision)
            raise ValueError("planted")
        await usual(hub, live)

    monkeypatch.setattr("draftengine.apps.web.hub.TableServer._let_bots_choose", fails)
    monkeypatch.setattr("draftengine.apps.web.hub.LOG.error", lambda *_, **__: None)
    planted.plant(tmp_path / "t.sqlite", de.load("sushi_go", players=2), "easy", "t")
    with serving(tmp_path / "t.sqlite", Catalogue(["sushi_go"]), AT_ONCE) as address:
        page = Page(address, "t", "t")
        page.ask("start")
        page.play(Random(1))
        page.close()
    assert len(failed) == 3


@LINUX
def test_everything_at_once(minutes):
    """A server keeps its promises with people, faulty bots, hints, lost connections and killed processes."""
    seen = liveness.run(liveness.Plan(60 * minutes, tables=4))
    assert seen.hints
    assert seen.kills
    assert seen.notices


@LINUX
def test_forty_tables_of_hard_bots(minutes):
    """Forty tables of hard bots move on while people ask for hints; nightly they are timed as well."""
    plan = replace(liveness.CROWD, seconds=600 if NIGHTLY else 20)
    seen = liveness.run(plan)
    assert seen.hints
    if NIGHTLY:
        assert seen.share(0.99) <= 0.25 + liveness.TIMES * seen.lag
