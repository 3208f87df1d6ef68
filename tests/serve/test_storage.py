"""Storage keeps what `append` was given, once and in order, and lets one process hold a table."""

from __future__ import annotations

import asyncio
import sqlite3

import pytest

from draftengine.apps.web import RefusedError
from draftengine.apps.web.storage.chain import CLEANED, FORMAT, LEASE, Change, Shelved
from draftengine.apps.web.storage.engines import SqliteStorage
from draftengine.apps.web.storage.writer import StorageWriter
from loops import in_a_loop

HEAD = {"players": 2}


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def opened(request, tmp_path):
    """Yield a function that opens a storage again, by default as a process of another machine."""
    made = []
    if request.param == "SQLite":
        path = tmp_path / "tables.sqlite"
        kind = SqliteStorage
    else:
        path = request.getfixturevalue("postgres_at")()
        from draftengine.apps.web.storage.engines import PostgresStorage as kind  # noqa: N813 (a class by another name)

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
    """Head and entries are read in order, also by another process."""
    first, kinds = opened("one machine:1:x"), [{"kind": "b"}, {"kind": "ć", "text": "<b>"}]
    first.create("t", HEAD, [{"kind": "a"}], 0)
    first.take("t", 0)
    assert first.append([Change("t", 1, kinds)]) == [True]
    first.let_go()
    kept = opened().take("t", 0)
    assert kept.head == HEAD
    assert kept.entries == ({"kind": "a"}, *kinds)


def test_the_shelf_is_there_for_every_process(opened):
    """A house rule is found by every process, replaced in its place, and gone when it is taken off."""
    first, second = opened("one machine:1:x"), opened()
    first.put_on_shelf(Shelved("a", "one", "owner", may_change=True), "texts", 1)
    first.put_on_shelf(Shelved("b", "two", "owner", may_change=False), "more texts", 2)
    first.put_on_shelf(Shelved("a", "three", "owner", may_change=False), "other texts", 3)
    assert [(rule.id, rule.name, rule.may_change) for rule in second.shelf()] == [
        ("a", "three", False),
        ("b", "two", False),
    ]
    assert second.shelved_texts("three") == "other texts"
    assert refused(second.shelved_texts, "one") == "no-such-set"
    second.take_off_shelf("a")
    assert [rule.id for rule in first.shelf()] == ["b"]


def test_changes_are_kept_together(opened):
    """Changes are kept in batches: those that fit are made, and each of the others is refused."""
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
    """Adding entries states their number, so that none is repeated or left out."""
    own = opened()
    own.create("t", HEAD, [{"kind": "a"}], 0)
    own.take("t", 0)
    assert own.append([Change("t", 0, [{"kind": "b"}])]) == [False]
    assert own.append([Change("t", 2, [{"kind": "b"}])]) == [False]
    assert len(own.take("t", 0).entries) == 1


def test_one_process_holds_a_table(opened):
    """Another process must wait for the end of a lease, and a process that lost a table cannot add to it."""
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
    """The holder of a table learns once that another process wants it, and can release it."""
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
    """Tables of a dead process of this machine are free at once, regardless of their lease."""
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
    """Finished games are listed with the latest first, and each is kept once."""
    own = opened()
    own.finish("a", {"title": "A"}, {"moves": []}, 1)
    own.finish("b", {"title": "B"}, {"moves": []}, 2)
    own.finish("a", {"title": "changed"}, {}, 3)
    assert [(each["id"], each["title"]) for each in own.finished(9)] == [("b", "B"), ("a", "A")]
    assert own.record("a") == {"moves": []}


def test_tables_are_counted_until_they_are_over(opened):
    own = opened()
    for name in "abc":
        begun(own, name, 0)
    own.create("d", HEAD, [], 0)
    assert own.count() == 4
    own.finish("g-1", {}, {}, 0, "b", 1)
    assert own.count() == 3
    assert own.append([Change("b", 1, [{"kind": "start"}])]) == [True]
    assert own.count() == 4
    own.finish("g-1", {}, {}, 0, "b", 1)  # arrived late
    assert own.count() == 4
    own.finish("g-2", {}, {}, 0, "b", 2)
    assert own.count() == 3


def begun(own, name, now, **head):
    """Return a table with a game in progress that nobody holds."""
    own.create(name, {**HEAD, **head}, [{"kind": "start"}], now)
    own.take(name, now)


# ── Damage ────────────────────────────────────────────────────────────────────────────────────────────────────────────

RULES = {"id": "x", "cards": ["a", "b"]}
ENTRIES = [{"kind": "a", "n": number} for number in range(6)]


def sql(own, statement):
    """Run a statement on a storage as no server would."""
    if isinstance(own, SqliteStorage):
        return own._base.execute(statement).fetchall()
    import sqlalchemy as sa

    with own._writing() as base:
        answer = base.execute(sa.text(statement))
        return [tuple(row) for row in answer] if answer.returns_rows else []


def test_rules_are_kept_once(opened):
    """Rules are stored once for all their tables and games, and removed with the last of these."""
    own = opened()
    for name in "ab":
        begun(own, name, 0, rules=RULES)
    own.finish("g", {"title": "G"}, {"made_from": RULES, "moves": []}, 0, "a", 1)
    assert sql(own, "SELECT count(*) FROM rules") == [(1,)]
    assert own.take("a", 0).head == {**HEAD, "rules": RULES}
    assert own.record("g") == {"made_from": RULES, "moves": []}
    assert own.clean(1e9, 1) == 2
    assert own.record("g") == {"made_from": RULES, "moves": []}
    sql(own, "DELETE FROM games")
    own.clean(1e9, 1)
    assert sql(own, "SELECT count(*) FROM rules") == [(0,)]


@pytest.fixture
def kept(opened):
    own = opened()
    own.create("t", {**HEAD, "rules": RULES}, ENTRIES[:2], 0)
    own.create("u", HEAD, ENTRIES[:1], 0)
    own.take("t", 0)
    assert own.append([Change("t", 2, ENTRIES[2:])]) == [True]
    own.finish("g", {"title": "G"}, {"moves": [1]}, 0)
    assert list(own.check()) == []
    return own


@pytest.mark.parametrize(
    ("harm", "sound"),
    [
        ("UPDATE entries SET data = replace(data, '4', '5') WHERE number = 4", 4),
        ("UPDATE entries SET data = replace(data, '{', '(') WHERE number = 5", 5),
        ("UPDATE entries SET link = replace(link, substr(link, 1, 1), 'x') WHERE number = 1", 1),
        ("DELETE FROM entries WHERE number = 5", 5),
        ("DELETE FROM entries WHERE number = 3", 3),
        ("DELETE FROM entries WHERE number >= 1", 1),
    ],
)
def test_what_comes_before_the_damage_is_played_on(kept, harm, sound):
    """Entries before damage stay playable, and an entry says how many were lost; what follows is sound."""
    sql(kept, f"{harm} AND table_id = 't'" if "number" in harm else harm)
    (fault,) = kept.check()
    assert fault == f"Table t: {6 - sound} of 6 entries are damaged; play goes on after the others."
    mend = {"kind": "mend", "lost": 6 - sound}
    assert kept.take("t", 0).entries == (*ENTRIES[:sound], mend)
    assert list(kept.check()) == []
    assert kept.append([Change("t", sound + 1, ENTRIES[:1])]) == [True]
    sql(kept, "UPDATE entries SET data = replace(data, 'k', 'q') WHERE table_id = 't' AND number = 1")
    assert kept.take("t", 0).entries == (ENTRIES[0], {"kind": "mend", "lost": sound + 1})


@pytest.mark.parametrize(
    "harm",
    ["UPDATE tables SET head = replace(head, '2', '3')", "UPDATE rules SET text = replace(text, 'a', 'b')",
     "UPDATE entries SET data = replace(data, 'a', 'b') WHERE number = 0", "DELETE FROM rules",
     "UPDATE tables SET head = '{'"],
)  # fmt: skip
def test_a_table_without_a_beginning_is_refused(kept, harm):
    """A table whose beginning is damaged is refused with a code, and nothing of it is deleted."""
    sql(kept, harm)
    assert next(kept.check()).startswith("Table t: ")
    assert refused(kept.take, "t", 0) == "damaged"
    assert sql(kept, "SELECT count(*) FROM entries WHERE table_id = 't'") == [(6,)]


def test_a_wrong_length_alone_loses_nothing(kept):
    sql(kept, "UPDATE tables SET length = 9 WHERE id = 't'")
    assert kept.take("t", 0).entries == tuple(ENTRIES)
    assert kept.append([Change("t", 6, ENTRIES[:1])]) == [True]


def test_a_damaged_record_is_refused(kept):
    sql(kept, "UPDATE games SET record = replace(record, '1', '2')")
    assert list(kept.check()) == ["Game g: its record is damaged."]
    assert refused(kept.record, "g") == "damaged"


# ── The life of a table ───────────────────────────────────────────────────────────────────────────────────────────────

DAYS = 86_400.0


def test_tables_have_their_time(opened):
    """Unused tables expire, finished ones after a day; held ones stay."""
    own = opened()
    for name in ("old", "played", "over", "held", "again"):
        begun(own, name, 0)
        own.append([Change(name, 1, ENTRIES[:1], 20 * DAYS if name == "played" else 0.0)])
    own.create("waiting", HEAD, [], 0)
    own.release(["old", "played", "over", "again", "waiting"])
    own.renew(31 * DAYS)
    for name in ("over", "again"):
        own.finish(name, {}, {}, 0, name, 1)
    own.take("again", 0)
    own.append([Change("again", 2, [{"kind": "start"}])])
    own.release(["again"])
    assert own.clean(2 * DAYS, 30 * DAYS) == 1
    assert refused(own.take, "over", 0) == "no-such-table"
    assert own.record("over") == {}
    assert own.clean(30 * DAYS, 30 * DAYS) == 0
    assert own.clean(31 * DAYS, 30 * DAYS) == 3
    assert [len(own.take(name, 0).entries) for name in ("played", "held")] == [2, 2]
    assert refused(own.take, "waiting", 0) == refused(own.take, "old", 0) == "no-such-table"


def test_room_is_made_where_nothing_has_begun(opened):
    """Room is made by removing tables that have not begun and that nobody holds, oldest first."""
    own = opened()
    begun(own, "playing", 0)
    for number in range(CLEANED + 2):
        own.create(f"t{number}", HEAD, [], 1000 - number)
    own.take(f"t{CLEANED + 1}", 2000)
    own.release(["playing"])
    assert own.make_room(2000) == CLEANED
    assert [own.take(name, 2000).id for name in ("t0", f"t{CLEANED + 1}", "playing")]
    assert refused(own.take, "t1", 2000) == "no-such-table"


def test_room_is_given_back(opened):
    own = opened()
    own.create("t", HEAD, [{"text": "x" * 1_000_000}], 0)
    own.clean(1e9, 1)
    own.shrink()
    assert own.count() == 0


# ── The thread that writes ────────────────────────────────────────────────────────────────────────────────────────────


class Picky:
    """A storage that keeps only some changes, and each batch completely or not at all."""

    def __init__(self):
        self.kept = []

    def append(self, changes):
        for change in changes:
            if "bad" in change.table:
                raise {"bad full": RefusedError("not-saved")}.get(change.table, RuntimeError("row: seed"))
        self.kept += [change.table for change in changes]
        return [change.table != "lost" for change in changes]

    def let_go(self):
        pass


def test_a_batch_answers_everybody(caplog):
    """A bad change fails only for its requester, with any kind of error, and no log shows its content."""
    storage = Picky()
    names = ["a", "bad", "b", "bad full", "lost", "bad thing", "c"]

    async def all_at_once():
        disk = StorageWriter(storage)
        answers = await asyncio.wait_for(
            asyncio.gather(*(disk.append(Change(name, 0, [])) for name in names), return_exceptions=True), 60
        )
        await disk.append(Change("later", 0, []))
        await disk.close()
        return [getattr(own, "code", "kept") for own in answers]

    codes = in_a_loop(all_at_once())
    assert dict(zip(names, codes, strict=True)) == {
        "a": "kept", "b": "kept", "c": "kept", "lost": "lost-table",
        "bad": "not-saved", "bad full": "not-saved", "bad thing": "not-saved",
    }  # fmt: skip
    assert storage.kept == ["a", "b", "lost", "c", "later"]
    assert "seed" not in caplog.text


def test_what_cannot_be_encoded_harms_nobody_else(opened):
    """An entry with a lone surrogate fails alone; the others of its batch are kept."""
    own = opened()
    for name in "ab":
        own.create(name, HEAD, [], 0)
        own.take(name, 0)

    async def both():
        disk = StorageWriter(own)
        changes = [Change("a", 0, [{"key": "\ud800"}]), Change("b", 0, [{"key": "x"}])]
        answers = await asyncio.gather(*map(disk.append, changes), return_exceptions=True)
        return [getattr(answer, "code", "kept") for answer in answers]

    assert in_a_loop(both()) == ["not-saved", "kept"]
    assert [len(own.take(name, 0).entries) for name in "ab"] == [0, 1]


# ── A file of SQLite ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def path(tmp_path):
    return tmp_path / "tables.sqlite"


def test_it_is_synced(path):
    """Writes are synced to disk before they are acknowledged."""
    base = SqliteStorage(path)._base
    assert base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert base.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_full_disk_loses_nothing(path):
    """On a full disk changes are refused with a code, and everything kept so far stays."""
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
    """Databases of later versions, or without an answer, are refused."""
    import sqlalchemy as sa

    from draftengine.apps.web.storage.engines import PostgresStorage

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
    """A process that stops inside a transaction is cut off, and others are refused at once meanwhile."""
    import sqlalchemy as sa

    from draftengine.apps.web.storage.engines import PostgresStorage

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
