"""Power cuts: a log of SQLite may end at any byte, and everything acknowledged is kept once (R15)."""

from __future__ import annotations

import shutil
from random import Random

from conftest import NIGHTLY
from draftengine.apps.web import RefusedError
from draftengine.apps.web.storage.chain import Change
from draftengine.apps.web.storage.engines import SqliteStorage

HEAD = {"players": 2}
APPENDS = 30
CUTS = 2_000 if NIGHTLY else 20
"""The number of places at which the log is cut; nightly it is more."""


def kept_in(path):
    """Return the numbers kept in a file; ``None`` if its table does not exist yet."""
    storage = SqliteStorage(path)
    try:
        return [entry["n"] for entry in storage.take("t", 0.0).entries]
    except RefusedError as error:
        if error.code != "no-such-table":
            raise
        return None
    finally:
        storage._base.close()


def test_a_log_that_ends_anywhere(tmp_path):
    """A cut log holds everything acknowledged by then; nothing is partial, repeated or out of order."""
    path, cut = tmp_path / "t.sqlite", tmp_path / "cut.sqlite"
    log = tmp_path / "t.sqlite-wal"
    storage, chance = SqliteStorage(path), Random(5)
    storage._base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    storage.create("t", HEAD, [], 0.0)
    storage.take("t", 0.0)
    acknowledged, groups, number = [(log.stat().st_size, 0)], {0}, 0
    for _ in range(APPENDS):
        group = [{"kind": "a", "n": number + more, "text": "x" * chance.randrange(300)} for more in range(3)]
        assert storage.append([Change("t", number, group)]) == [True]
        number += len(group)
        acknowledged.append((log.stat().st_size, number))
        groups.add(number)
    whole = log.stat().st_size
    sizes = {own + more for own, _ in acknowledged for more in (-1, 0, 1)} - {whole + 1}
    places = [*chance.sample(range(whole), min(CUTS, whole)), *chance.sample(sorted(sizes), 10)]
    for end in places:
        shutil.copy(path, cut)
        (tmp_path / "cut.sqlite-wal").write_bytes(log.read_bytes()[:end])
        found = kept_in(cut)
        promised = [count for size, count in acknowledged if size <= end]
        if found is None:
            assert not promised
            continue
        assert found == list(range(len(found)))
        assert len(found) in groups, "half of what was given together"
        assert len(found) >= max(promised, default=0), f"lost at byte {end}"
    storage._base.close()
