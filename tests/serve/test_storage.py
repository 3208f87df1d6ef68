"""What storage promises: what was given to `append` is there, once, in order, and one process speaks for a table."""

from __future__ import annotations

import sqlite3

import pytest

from draftengine.apps.web.errors import RefusedError
from draftengine.apps.web.storage.interface import FORMAT, LEASE, Change
from draftengine.apps.web.storage.sqlite import SqliteStorage

HEAD = {"players": 2}


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def opened(request, tmp_path):
    """Opens the same place again, by default as a process of another machine."""
    made = []
    if request.param == "SQLite":
        path = tmp_path / "tables.sqlite"
        kind = SqliteStorage
    else:
        path = request.getfixturevalue("postgres_at")()
        from draftengine.apps.web.storage.postgres import PostgresStorage as kind  # noqa: N813 (a class by another name)

    def again(holder="another machine:1:x"):
        own = kind(path)
        own.holder = holder or own.holder
        made.append(own)
        return own

    yield again
    for own in made:
        own.close()


def refused(call, *arguments):
    with pytest.raises(RefusedError) as error:
        call(*arguments)
    return error.value.code


def test_what_was_kept_is_there(opened):
    """Head and entries come back in order, also to another process."""
    first, kinds = opened("one machine:1:x"), [{"kind": "b"}, {"kind": "ć", "text": "<b>"}]
    first.create("t", HEAD, [{"kind": "a"}], 0)
    first.take("t", 0)
    assert first.append([Change("t", 1, kinds)]) == [True]
    first.let_go()
    kept = opened().take("t", 0)
    assert kept.head == HEAD
    assert kept.entries == ({"kind": "a"}, *kinds)


def test_changes_are_kept_together(opened):
    """Those that fit are made, and the others refused by themselves."""
    own = opened()
    for name in "abc":
        own.create(name, HEAD, [], 0)
    own.take("a", 0)
    own.take("b", 0)
    entry = [{"kind": "x"}]
    changes = [Change("a", 0, entry), Change("b", 1, entry), Change("c", 0, entry), Change("d", 0, entry)]
    assert own.append(changes) == [True, False, False, False]
    assert [len(own.take(name, 0).entries) for name in "abc"] == [1, 0, 0]


def test_nothing_is_kept_twice_or_left_out(opened):
    """Whoever adds says how many there are."""
    own = opened()
    own.create("t", HEAD, [{"kind": "a"}], 0)
    own.take("t", 0)
    assert own.append([Change("t", 0, [{"kind": "b"}])]) == [False]
    assert own.append([Change("t", 2, [{"kind": "b"}])]) == [False]
    assert len(own.take("t", 0).entries) == 1


def test_one_process_holds_a_table(opened):
    """Another one waits for the end of the lease, and whoever lost a table cannot add to it any more."""
    own, other = opened("one machine:1:x"), opened()
    own.create("t", HEAD, [], 100)
    own.take("t", 100)
    assert refused(other.take, "t", 100 + LEASE - 1) == "held-elsewhere"
    own.renew(105)
    assert refused(other.take, "t", 105 + LEASE - 1) == "held-elsewhere"
    other.take("t", 105 + LEASE)
    assert own.renew(105 + LEASE, ["t"]) == ["t"]
    assert own.append([Change("t", 0, [{"kind": "late"}])]) == [False]
    assert other.append([Change("t", 0, [{"kind": "in time"}])]) == [True]
    other.let_go()
    assert own.take("t", 0).entries == ({"kind": "in time"},)


def test_a_holder_hears_who_wants_a_table(opened):
    """It can let it go then, and is not asked again."""
    own, other = opened("one machine:1:x"), opened()
    own.create("t", HEAD, [], 100)
    own.take("t", 100)
    assert own.renew(101) == []
    assert refused(other.take, "t", 102) == "held-elsewhere"
    assert own.renew(103) == ["t"]
    own.release(["t"])
    other.take("t", 103)
    assert own.renew(103) == other.renew(103, ["t"]) == []


def test_nobody_releases_what_another_holds(opened):
    own, other = opened("one machine:1:x"), opened()
    own.create("t", HEAD, [], 100)
    own.take("t", 100)
    other.release(["t"])
    assert refused(other.take, "t", 101) == "held-elsewhere"


def test_the_tables_of_a_dead_process_are_free_at_once(opened):
    """A process of this machine that has ended holds nothing, whatever its lease says."""
    own = opened("")
    machine, _, nonce = own.holder.split(":")
    dead = opened(f"{machine}:{(1 << 22) + 7}:{nonce}")
    dead.create("t", HEAD, [], 100)
    dead.take("t", 100)
    own.take("t", 100)


def test_what_is_not_there(opened):
    own = opened()
    assert refused(own.take, "t", 0) == "no-such-table"
    assert refused(own.record, "g") == "no-such-game"


def test_finished_games_are_listed(opened):
    """The latest first; a game is kept once."""
    own = opened()
    own.finish("a", {"title": "A"}, {"moves": []}, 1)
    own.finish("b", {"title": "B"}, {"moves": []}, 2)
    own.finish("a", {"title": "changed"}, {}, 3)
    assert [(each["id"], each["title"]) for each in own.finished(9)] == [("b", "B"), ("a", "A")]
    assert own.record("a") == {"moves": []}


def test_tables_are_counted(opened):
    own = opened()
    own.create("a", HEAD, [], 0)
    own.create("b", HEAD, [], 0)
    assert own.count() == 2


# ── A file of SQLite ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tables.sqlite"


def test_it_is_synced(path):
    """Nothing is acknowledged before it is on the disk."""
    base = SqliteStorage(path)._base
    assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert base.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_full_disk_loses_nothing(path):
    """What cannot be kept is refused by name, and what was kept stays."""
    own = SqliteStorage(path)
    own.create("t", HEAD, [], 0)
    own.take("t", 0)
    own._base.execute(f"PRAGMA max_page_count = {own._base.execute('PRAGMA page_count').fetchone()[0]}")
    assert refused(own.append, [Change("t", 0, [{"text": "x" * 100_000}])]) == "not-saved"
    own._base.execute("PRAGMA max_page_count = 100000")
    assert own.append([Change("t", 0, [{"kind": "a"}])]) == [True]
    assert own.take("t", 0).entries == ({"kind": "a"},)


def test_a_later_format_is_refused(path):
    SqliteStorage(path)
    with sqlite3.connect(path) as base:
        base.execute(f"PRAGMA user_version = {FORMAT + 1}")
    base.close()
    with pytest.raises(ValueError, match="later version"):
        SqliteStorage(path)


# ── PostgreSQL ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_later_database_is_refused(postgres_at):
    """And so is one that does not answer."""
    import sqlalchemy as sa

    from draftengine.apps.web.storage.postgres import PostgresStorage

    address = postgres_at()
    PostgresStorage(address).close()
    engine = sa.create_engine(address, poolclass=sa.NullPool)
    with engine.begin() as base:
        assert base.scalar(sa.text("SHOW synchronous_commit")) == "on"
        base.execute(sa.text("UPDATE draftengine SET format = format + 1"))
    with pytest.raises(ValueError, match="later version"):
        PostgresStorage(address)
    with pytest.raises(ValueError, match="does_not_exist"):
        PostgresStorage(address.rpartition("/")[0] + "/does_not_exist")


def test_whoever_stops_in_the_middle_keeps_nobody_waiting(postgres_at):
    """The others are refused at once, and the database ends what was begun."""
    import sqlalchemy as sa

    from draftengine.apps.web.storage.postgres import PostgresStorage

    address = postgres_at()
    own, other = PostgresStorage(address), PostgresStorage(address)
    own.create("t", HEAD, [], 0)
    own.take("t", 0)
    with own._writing() as base:
        base.execute(sa.text("SELECT * FROM tables FOR UPDATE"))
        assert refused(other.take, "t", LEASE + 1) == "held-elsewhere"
        assert base.scalar(sa.text("SHOW idle_in_transaction_session_timeout")) == "10s"
    other.take("t", LEASE + 1)
    own.close()
    other.close()
