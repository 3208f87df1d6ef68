"""The life of tables: opened, played, recorded and removed; and damage that is found."""

from __future__ import annotations

import asyncio
import gzip
import json
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

import draftengine as de
from commands import processes
from conftest import NIGHTLY
from draftengine.apps.web import RefusedError
from draftengine.apps.web.catalogue import Catalogue, head_of
from draftengine.apps.web.hub import WATCHED, TableServer
from draftengine.apps.web.storage.chain import DAY
from draftengine.apps.web.storage.engines import SqliteStorage
from draftengine.apps.web.table import Request, Table
from draftengine.support.locale import spoken
from loops import in_a_loop
from serve.harness import AT_ONCE, BOT, Page, made, person, serving
from serve.test_storage import sql

LOST = spoken("en").phrase("page.table.lost")
TABLES = 20_000 if NIGHTLY else 24


@pytest.fixture
def path(tmp_path):
    return tmp_path / "t.sqlite"


def changed(path, statement, *values):
    """Run a statement on a file as no server would; return the number of changed rows."""
    with closing(sqlite3.connect(path)) as base, base:
        return base.execute(statement, values).rowcount


# ── Of the first format ───────────────────────────────────────────────────────────────────────────────────────────────

FIRST = gzip.decompress(Path(__file__).with_name("tables_of_format_1.sql.gz").read_bytes()).decode()
"""A dump in the first format, with a finished table, one in play, and one that has not begun."""
OVER, MIDDLE, WAITING = "afUaF2WUOZueiISw", "D3A5pzkICNT6GsaV", "inOqRyCbM68fkq8h"
DIGEST = "d621f01d1e9ed5f7a8cfbbdae0bacc2b9e60619fccf7ee30814b36f08c783369"


def first_format():
    """Return a database in memory with the dump of the first format."""
    base = sqlite3.connect(":memory:")
    base.executescript(FIRST)
    return base


def hold_what_was_there(own):
    """Assert that all of the dump is unchanged and undamaged, and its table as far on as before."""
    before = first_format()
    assert list(own.check()) == []
    for name, head in before.execute("SELECT id, head FROM tables"):
        kept = own.take(name, 1e10)
        entries = before.execute("SELECT data FROM entries WHERE table_id = ? ORDER BY number", (name,))
        assert (kept.head, [*kept.entries]) == (json.loads(head), [json.loads(data) for (data,) in entries])
    (game,) = own.finished(9)
    summary, record = before.execute("SELECT summary, record FROM games").fetchone()
    assert json.loads(summary).items() <= game.items()
    assert own.record(game["id"]) == json.loads(record)
    assert own.count() == 2
    assert sql(own, "SELECT count(*) FROM rules") == [(1,)]
    kept = own.take(MIDDLE, 1e10)
    assert Table.of(kept.id, kept.head, kept.entries).state.digest == DIGEST


def test_a_file_of_the_first_format_is_read(path):
    """A file of the first format is migrated without loss; a process that still has it open cannot write."""
    with closing(sqlite3.connect(path)) as base:
        base.executescript(FIRST)
    old = sqlite3.connect(path, isolation_level=None)
    own = SqliteStorage(path)
    hold_what_was_there(own)
    with pytest.raises(sqlite3.OperationalError):
        old.execute("INSERT INTO entries VALUES (?, 200, '{}')", (MIDDLE,))
    old.close()
    own.close()
    hold_what_was_there(SqliteStorage(path))


def test_a_file_of_the_second_format_is_read(path):
    """A file of the second format is migrated: it had a table, instead of a column, for wanted tables."""
    with closing(sqlite3.connect(path)) as base:
        base.executescript(FIRST)
    SqliteStorage(path).close()
    with closing(sqlite3.connect(path)) as base:
        base.executescript("""
            ALTER TABLE tables DROP COLUMN wanted;
            CREATE TABLE wanted (table_id TEXT PRIMARY KEY REFERENCES tables (id)) STRICT, WITHOUT ROWID;
            PRAGMA user_version = 2;
        """)
        base.execute("INSERT INTO wanted VALUES (?)", (MIDDLE,))
        base.commit()
    for _ in range(2):
        own, other = SqliteStorage(path), SqliteStorage(path)
        hold_what_was_there(own)
        own.holder = "another machine:1:x"
        own.take(MIDDLE, 2e10)
        assert own.renew(2e10) == []
        with pytest.raises(RefusedError):
            other.take(MIDDLE, 2e10)
        assert own.renew(2e10) == [MIDDLE]
        own.let_go()
        other.close()


def test_a_database_of_the_first_format_is_read(postgres_at):
    import sqlalchemy as sa

    from draftengine.apps.web.storage.engines import PostgresStorage

    address, before = postgres_at(), first_format()
    engine = sa.create_engine(address, poolclass=sa.NullPool)
    with engine.begin() as base:
        for statement in (
            "CREATE TABLE draftengine (format INTEGER PRIMARY KEY)",
            "INSERT INTO draftengine VALUES (1)",
            (
                "CREATE TABLE tables (id TEXT PRIMARY KEY, head TEXT NOT NULL, created DOUBLE PRECISION NOT NULL,"
                " holder TEXT NOT NULL, until DOUBLE PRECISION NOT NULL, wanted BOOLEAN NOT NULL)"
            ),
            "CREATE INDEX ix_tables_holder ON tables (holder)",
            (
                "CREATE TABLE entries (table_id TEXT REFERENCES tables (id), number INTEGER, data TEXT NOT NULL,"
                " PRIMARY KEY (table_id, number))"
            ),
            (
                "CREATE TABLE games (id TEXT PRIMARY KEY, ended DOUBLE PRECISION NOT NULL, summary TEXT NOT NULL,"
                " record TEXT NOT NULL)"
            ),
            "CREATE INDEX ix_games_ended ON games (ended)",
        ):
            base.execute(sa.text(statement))
        for name, columns in (("tables", 3), ("entries", 3), ("games", 4)):
            for row in before.execute(f"SELECT * FROM {name}"):  # noqa: S608 (our own names)
                more = ("", 0.0, False) if name == "tables" else ()
                base.exec_driver_sql(
                    f"INSERT INTO {name} VALUES ({', '.join(['%s'] * (columns + len(more)))})",  # noqa: S608 (as above)
                    (*row[:columns], *more),
                )
    for _ in range(2):
        own = PostgresStorage(address)
        hold_what_was_there(own)
        own.close()


# ── Damage ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_players_read_that_something_was_lost(path):
    """After damage, the last undamaged state is played on, and everybody reads about it once."""
    with serving(path, Catalogue(["sushi_go"])) as address:
        table, tokens = made(address, "sushi_go", [person("Ada"), person("Ben")])
        pages = [Page(address, table, tokens[seat]) for seat in (0, 1)]
        pages[0].ask("start")
        for page in pages:
            comes(page, [1, 0])
            assert page.choose(page.some_move(Random(1)))["type"] == "done"
        for page in pages:
            comes(page, [1, 1])
        told = pages[0].shown["told"]
    rotten = "UPDATE entries SET data = replace(data, 'cards', 'carts') WHERE data LIKE '%\"choose\",\"seat\":1%'"
    assert changed(path, rotten) == 1
    with serving(path, Catalogue(["sushi_go"])) as address:
        pages = [Page(address, table, tokens[seat], told=told, number=1) for seat in (0, 1)]
        for page in pages:
            assert page.shown["decision"] == [1, 0]
            assert [own["text"] for own in page.shown["story"] if own["kind"] == "notice"] == [LOST]
        assert pages[0].game["chosen"]
        assert not pages[1].game["chosen"]
        assert pages[1].choose(pages[1].some_move(Random(2)))["type"] == "done"
        for page in pages:
            comes(page, [1, 1])
            assert LOST not in [own["text"] for own in page.shown["story"]]


def comes(page, decision):
    """Read until a page has reached a decision."""
    while page.shown["decision"] != decision or not page.game:
        page.until(lambda message: message["type"] == "table")


def test_a_table_that_cannot_be_read_says_so(path):
    with serving(path, Catalogue(["sushi_go"])) as address:
        table, tokens = made(address, "sushi_go", [person(), BOT])
    changed(path, "UPDATE tables SET head = replace(head, '2', '3')")
    with serving(path, Catalogue(["sushi_go"])) as address:
        assert Page(address, table, tokens[0]).last["code"] == "damaged"


# ── Thousands of tables ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.web
def test_tables_come_and_go_in_a_bounded_file(path):
    """Many tables are opened, finished and recorded, and the file stays small."""
    now = [1e9]
    storage = SqliteStorage(path)
    storage._base.execute("PRAGMA synchronous = OFF")  # power cuts are tested elsewhere
    game, clock = de.load("sushi_go", players=2), lambda: now[0]

    async def everything():
        hub = TableServer(storage, replace(AT_ONCE, clock=clock))
        for number in range(TABLES):
            await play(hub, game)
            now[0] += 100.0
            if number % 20 == 19:
                await hub._let_go(hub._idle())
                while await hub.disk.call(storage.clean, now[0], hub.settings.keep):
                    pass
        now[0] += 2 * DAY
        await hub._let_go(list(hub._live))
        while await hub.disk.call(storage.clean, now[0], hub.settings.keep):
            pass

    in_a_loop(everything())
    assert sql(storage, "SELECT count(*) FROM tables") == sql(storage, "SELECT count(*) FROM entries") == [(0,)]
    assert sql(storage, "SELECT count(*) FROM games") == [(TABLES,)]
    assert sql(storage, "SELECT count(*) FROM rules") == [(1,)]
    assert list(storage.check()) == []
    for own in storage.finished(3):
        record = storage.record(own["id"])
        assert de.rules_in_json(record["made_from"]).game(2).fingerprint == game.fingerprint
    storage.shrink()
    assert path.stat().st_size < 100_000 + 5_000 * TABLES


async def play(hub, game):
    """Play a game of a person and a bot, who both make their first legal move."""
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "bot", "level": "easy"}]
    name, _ = await hub.create(head_of(game), {"seats": seats, "hints": True, "effects": True, "memory": True})
    live = await hub.live(name)
    hub._go_on = lambda _: None
    await hub.ask(live, Request("start", 0))
    table = live.table
    while table.playing:
        for seat in table.waiting:
            move = table.view(seat).moves[0].to_json()
            data = {"decision": [table.number, table.decision], "move": move}
            await hub.ask(live, Request("choose", seat, data=data))
        await hub.ask(live, Request("reveal", -1, data={"decision": table.decision}))


@pytest.mark.web
def test_only_tables_that_go_on_are_counted(path, monkeypatch):
    """At the limit, a new table replaces one that has not begun; without such a one it is refused."""
    monkeypatch.setattr("draftengine.apps.web.hub.MOST_TABLES", 3)
    now, storage, game = [1e9], SqliteStorage(path), de.load("sushi_go", players=2)
    seats = [{"kind": "person", "name": "Ada"}, {"kind": "bot", "level": "easy"}]
    wanted = {"seats": seats, "hints": True, "effects": True, "memory": True}

    async def everything():
        hub = TableServer(storage, replace(AT_ONCE, clock=lambda: now[0]))
        for _ in range(5):
            await play(hub, game)
        first = [(await hub.create(head_of(game), wanted))[0] for _ in range(4)]
        with pytest.raises(RefusedError) as error:
            await hub.live(first[0])
        assert error.value.code == "no-such-table"
        others = [(await hub.create(head_of(game), wanted))[0] for _ in range(2)]
        for name in (*others, first[3]):
            live = await hub.live(name)
            await hub.ask(live, Request("start", 0))
        with pytest.raises(RefusedError) as error:
            await hub.create(head_of(game), wanted)
        assert error.value.code == "too-many"

    in_a_loop(everything())


# ── The command ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_help_needs_no_database():
    """The help of `serve` does not import the database library, which would be slow."""
    code = (
        "import sys, atexit; from draftengine.apps.cli.main import run; sys.argv[1:] = ['serve', '--help']\n"
        "atexit.register(lambda: print('imported', 'sqlalchemy' in sys.modules)); run()"
    )
    process = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, encoding="utf-8")
    assert process.stdout.endswith("imported False\n")


def test_check_and_clean(path):
    """Checking lists damage with status 1; cleaning removes old tables, and shrinks the file."""
    storage = SqliteStorage(path)
    for number in range(40):
        storage.create(f"t{number}", {"players": 2}, [{"kind": "start", "text": "x" * 20_000}], 0.0)
    storage.create("new", {"players": 2}, [{"kind": "start"}], 4e9)
    storage.close()
    changed(path, "UPDATE entries SET data = replace(data, 'xxx', 'xyx') WHERE table_id = 't3'")
    done = processes.run("serve", "--check", "--data", str(path), text=True)
    assert (done.returncode, done.stdout.splitlines()) == (
        1,
        ["Table t3: its beginning is damaged, so nobody can play it."],
    )
    size = path.stat().st_size
    done = processes.run("serve", "--clean", "--check", "--data", str(path), text=True)
    assert (done.returncode, done.stdout.splitlines()) == (0, ["Removed 40 tables.", "Nothing is damaged."])
    assert path.stat().st_size < size / 5
    done = processes.run("serve", "--check", "--data", str(path.with_name("nothing.sqlite")), text=True)
    assert done.returncode != 0
    assert "no such file" in done.stderr
    assert not path.with_name("nothing.sqlite").exists()
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * 8192)
    done = processes.run("serve", "--check", "--data", str(path), text=True)
    assert done.returncode != 0
    assert "Traceback" not in done.stderr


def test_a_disk_that_was_full_gets_the_record_of_a_game(path, monkeypatch):
    """A finished game that did not fit on the disk is recorded as soon as there is room."""
    monkeypatch.setattr("draftengine.apps.web.hub.FULL", 0.01)
    storage, finish, refusals = SqliteStorage(path), SqliteStorage.finish, iter([True] * 3)

    def full(self, *what):
        if next(refusals, False):
            raise RefusedError("not-saved")
        finish(self, *what)

    monkeypatch.setattr(SqliteStorage, "finish", full)

    async def everything():
        hub = TableServer(storage, AT_ONCE)
        await play(hub, de.load("sushi_go", players=2))
        while not storage.finished(1):  # noqa: ASYNC110 (the storage has no event)
            await asyncio.sleep(0.01)

    in_a_loop(everything())


def test_a_game_among_bots_can_be_followed(tmp_path):
    """A game that people only watch is revealed more slowly than one in which somebody plays."""
    settings = replace(AT_ONCE, bot_pause=0.1)
    with serving(tmp_path / "t.sqlite", Catalogue(["sushi_go"]), settings) as address:
        table, tokens = made(address, "sushi_go", [person(), BOT])
        page = Page(address, table, tokens[0])
        page.ask("start")
        page.ask("replace", seat=0)
        times = []
        for _ in range(4):
            decision = page.shown["decision"]
            page.until(lambda message, before=decision: message["type"] == "table" and message["decision"] != before)
            times.append(time.monotonic())
        page.close()
    waits = [later - earlier for earlier, later in pairwise(times)]
    assert sum(waits) > 3 * 0.9 * WATCHED * settings.bot_pause
