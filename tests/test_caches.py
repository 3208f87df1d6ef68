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
    caches.temporary.cache_clear()
    yield tmp_path
    caches.temporary.cache_clear()


def test_without_a_home(homeless):
    """The same temporary folder every time, for this user alone."""
    found = caches.folder()
    assert found == homeless / f"draftengine-{os.getuid()}"
    assert stat.S_IMODE(found.stat().st_mode) == 0o700
    caches.temporary.cache_clear()
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
    caches.temporary.cache_clear()
    own = caches.folder()
    assert own != theirs
    assert own.parent == homeless
    assert stat.S_IMODE(own.stat().st_mode) == 0o700


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """The usual folder, in a home of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return caches.folder()


def test_the_usual_folder_is_for_this_user_alone(kept):
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700


def test_code_that_others_could_write_goes(kept):
    """A folder that was open to others is closed, and code that lies there is not run."""
    (kept / "kernel-1").mkdir()
    (kept / "kernel-1" / "run.nbc").write_bytes(b"theirs")
    (kept / "worth-1.json").write_text("{}", encoding="utf-8")
    kept.chmod(0o777)
    assert caches.folder() == kept
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700
    assert [path.name for path in kept.iterdir()] == ["worth-1.json"]


def test_the_usual_folder_of_somebody_else_is_not_trusted(kept, monkeypatch):
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    caches.temporary.cache_clear()
    found = caches.folder()
    assert found != kept
    found.rmdir()
    caches.temporary.cache_clear()


def test_what_was_used_longest_ago_goes_first(kept):
    for age, name in enumerate(["worth-new.json", "kernel-used", "worth-old.json"]):
        path = kept / name
        if name.startswith("kernel"):
            path.mkdir()
            (path / "code").write_bytes(b"x" * 1000)
        else:
            path.write_bytes(b"x" * 1000)
        os.utime(path, (1000 - age, 1000 - age))
    caches.used(kept / "kernel-used")
    sizes = [own.size for own in caches.kept()]
    assert [own.path.name for own in caches.kept()] == ["kernel-used", "worth-new.json", "worth-old.json"]
    assert caches.trim(sum(sizes)) == []
    assert [own.path.name for own in caches.trim(sum(sizes) - 1)] == ["worth-old.json"]
    assert [own.kind for own in caches.trim(0)] == ["compiled code", "what bots have learnt"]
    assert list(kept.iterdir()) == []


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """The module that keeps compiled code, with a folder of its own."""
    cache = pytest.importorskip("draftengine.kernel.cache", exc_type=ImportError)
    monkeypatch.setattr(cache, "folder", lambda: tmp_path / "kernel")
    return cache


def own_folder(machine, source):
    """Where Numba keeps what it makes of a source file."""
    from numba.core.caching import UserProvidedCacheLocator

    return machine.folder() / UserProvidedCacheLocator.get_suitable_cache_subpath(source)


def test_code_that_cannot_be_loaded_is_made_anew(machine):
    """Kept code may be cut off, or of another machine; that of other checkouts stays. What fails without any fails."""
    mine = own_folder(machine, machine.__file__)
    theirs = own_folder(machine, "/elsewhere/kernel/cache.py")
    for folder in (mine, theirs):
        folder.mkdir(parents=True)
        (folder / "run.run_games-1.nbc").write_bytes(b"cut o")

    def called(number):
        if mine.exists():
            raise EOFError
        return number + 1

    assert machine.is_warm()
    assert machine.rebuilt(called)(1) == 2
    assert not mine.exists()
    assert theirs.exists()
    assert not machine.is_warm()
    with pytest.raises(ZeroDivisionError):
        machine.rebuilt(lambda number: 1 // number)(0)
