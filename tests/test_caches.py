"""Where things are kept that can be made again: what is found there is trusted, so nobody else may write to it."""

from __future__ import annotations

import os
import stat
import tempfile

import pytest

from draftengine import caches

pytestmark = pytest.mark.skipif(os.name == "nt", reason="owners and modes of POSIX")


@pytest.fixture
def homeless(tmp_path, monkeypatch):
    """Nothing can be written at home; the folder for temporary files."""
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/proc")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    caches._temporary.cache_clear()
    yield tmp_path
    caches._temporary.cache_clear()


def test_without_a_home(homeless):
    """The same temporary folder every time, for this user alone."""
    found = caches.folder()
    assert found == homeless / f"draftengine-{os.getuid()}"
    assert stat.S_IMODE(found.stat().st_mode) == 0o700
    caches._temporary.cache_clear()
    assert caches.folder() == found


def test_nobody_knows_where_home_is(homeless, monkeypatch):
    def nowhere():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(caches.Path, "home", nowhere)
    assert caches.folder().parent == homeless


def open_to_all(path):
    path.chmod(0o777)


def a_link_elsewhere(path):
    path.rmdir()
    path.symlink_to("/")


@pytest.mark.parametrize("spoil", [open_to_all, a_link_elsewhere])
def test_a_folder_of_others_is_not_trusted(homeless, spoil):
    """Somebody was there first, under the name that we would have taken."""
    theirs = caches.folder()
    spoil(theirs)
    caches._temporary.cache_clear()
    own = caches.folder()
    assert own != theirs
    assert own.parent == homeless
    assert stat.S_IMODE(own.stat().st_mode) == 0o700


def test_code_that_cannot_be_loaded_is_made_anew(tmp_path, monkeypatch):
    """Kept code may be cut off, or of another machine; what fails without any is a failure."""
    cache = pytest.importorskip("draftengine.kernel.cache", exc_type=ImportError)
    kept = tmp_path / "kernel"
    kept.mkdir()
    (kept / "run.run_games-1.nbc").write_bytes(b"cut o")
    monkeypatch.setattr(cache, "folder", lambda: kept)

    def machine(number):
        if kept.exists():
            raise EOFError
        return number + 1

    assert cache.rebuilt(machine)(1) == 2
    assert not kept.exists()
    with pytest.raises(ZeroDivisionError):
        cache.rebuilt(lambda number: 1 // number)(0)
