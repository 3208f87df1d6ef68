"""What storage promises: what was given to `append` is there, once, in order, and one process speaks for a table."""

from __future__ import annotations

import sqlite3

import pytest

from draftengine.serve.refused import RefusedError
from draftengine.serve.sqlite import FORMAT, SqliteStorage
from draftengine.serve.storage import LEASE

HEAD = {"players": 2}


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tables.sqlite"


def refused(call, *arguments):
    with pytest.raises(RefusedError) as error:
        call(*arguments)
    return error.value.code


def elsewhere(path, holder="another machine:1:x"):
    """The storage of a process on another machine."""
    own = SqliteStorage(path)
    own.holder = holder
    return own


def test_what_was_kept_is_there(path):
    """Head and entries come back in order, also to another process."""
    first = SqliteStorage(path)
    first.create("t", HEAD, [{"kind": "a"}], 0)
    first.append("t", 1, [{"kind": "b"}, {"kind": "ć", "text": "<b>"}])
    first.let_go()
    kept = elsewhere(path).take("t", 0)
    assert kept.head == HEAD
    assert kept.entries == ({"kind": "a"}, {"kind": "b"}, {"kind": "ć", "text": "<b>"})


def test_it_is_synced(path):
    """Nothing is acknowledged before it is on the disk."""
    base = SqliteStorage(path)._base
    assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert base.execute("PRAGMA synchronous").fetchone() == (2,)


def test_nothing_is_kept_twice_or_left_out(path):
    """Whoever adds says how many there are."""
    own = SqliteStorage(path)
    own.create("t", HEAD, [{"kind": "a"}], 0)
    assert refused(own.append, "t", 0, [{"kind": "b"}]) == "lost-table"
    assert refused(own.append, "t", 2, [{"kind": "b"}]) == "lost-table"
    assert len(own.take("t", 0).entries) == 1


def test_one_process_holds_a_table(path):
    """Another one waits for the end of the lease, and whoever lost a table cannot add to it any more."""
    own, other = elsewhere(path, "one machine:1:x"), elsewhere(path)
    own.create("t", HEAD, [], 100)
    assert refused(other.take, "t", 100 + LEASE - 1) == "held-elsewhere"
    own.renew(105)
    assert refused(other.take, "t", 105 + LEASE - 1) == "held-elsewhere"
    other.take("t", 105 + LEASE)
    assert refused(own.append, "t", 0, [{"kind": "late"}]) == "lost-table"
    other.append("t", 0, [{"kind": "in time"}])
    other.let_go()
    assert own.take("t", 0).entries == ({"kind": "in time"},)


def test_the_tables_of_a_dead_process_are_free_at_once(path):
    """A process of this machine that has ended holds nothing, whatever its lease says."""
    own = SqliteStorage(path)
    machine, _, nonce = own.holder.split(":")
    dead = elsewhere(path, f"{machine}:{(1 << 22) + 7}:{nonce}")
    dead.create("t", HEAD, [], 100)
    own.take("t", 100)


def test_what_is_not_there(path):
    own = SqliteStorage(path)
    assert refused(own.take, "t", 0) == "no-such-table"
    assert refused(own.record, "g") == "no-such-game"


def test_a_full_disk_loses_nothing(path):
    """What cannot be kept is refused by name, and what was kept stays."""
    own = SqliteStorage(path)
    own.create("t", HEAD, [], 0)
    own._base.execute(f"PRAGMA max_page_count = {own._base.execute('PRAGMA page_count').fetchone()[0]}")
    assert refused(own.append, "t", 0, [{"text": "x" * 100_000}]) == "not-saved"
    own._base.execute("PRAGMA max_page_count = 100000")
    own.append("t", 0, [{"kind": "a"}])
    assert own.take("t", 0).entries == ({"kind": "a"},)


def test_a_later_format_is_refused(path):
    SqliteStorage(path)
    with sqlite3.connect(path) as base:
        base.execute(f"PRAGMA user_version = {FORMAT + 1}")
    base.close()
    with pytest.raises(ValueError, match="later version"):
        SqliteStorage(path)


def test_finished_games_are_listed(path):
    """The latest first; a game is kept once."""
    own = SqliteStorage(path)
    own.finish("a", {"title": "A"}, {"moves": []}, 1)
    own.finish("b", {"title": "B"}, {"moves": []}, 2)
    own.finish("a", {"title": "changed"}, {}, 3)
    assert [(each["id"], each["title"]) for each in own.finished(9)] == [("b", "B"), ("a", "A")]
    assert own.record("a") == {"moves": []}
