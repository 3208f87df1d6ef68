"""Folders for caches: code found there is run, so no other user may be able to write to them."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from draftengine.support import caches

pytestmark = pytest.mark.skipif(os.name == "nt", reason="owners and modes of POSIX")


@pytest.fixture
def homeless(tmp_path, monkeypatch):
    """Make the home folder unwritable; return the folder for temporary files."""
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/proc")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    caches.temporary.cache_clear()
    yield tmp_path
    caches.temporary.cache_clear()


def test_without_a_home(homeless):
    """Check that the temporary folder is the same every time, and readable by this user alone."""
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
    """Check that a folder of another user with the name that we would take is not used."""
    theirs = caches.folder()
    spoil(theirs)
    caches.temporary.cache_clear()
    own = caches.folder()
    assert own != theirs
    assert own.parent == homeless
    assert stat.S_IMODE(own.stat().st_mode) == 0o700


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Return the usual cache folder, in an empty home."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return caches.folder()


def test_the_usual_folder_is_for_this_user_alone(kept):
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700


def test_code_that_others_could_write_goes(kept):
    """Check that a folder that others could write to is closed, and what is trusted in it is removed."""
    for name in ("code-1", "game-1", "lessons-1"):
        (kept / name).write_bytes(b"theirs")
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


def test_without_any_folder_nothing_is_kept(monkeypatch):
    def full():
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(caches, "folder", full)
    caches.keep("game-1", b"content")
    assert caches.content_of("game-1") is None


def test_what_was_used_longest_ago_goes_first(kept):
    for age, name in enumerate(["worth-new.json", "code-used", "worth-old.json"]):
        path = kept / name
        if name.startswith("code"):
            path.mkdir()
            (path / "code").write_bytes(b"x" * 1000)
        else:
            path.write_bytes(b"x" * 1000)
        os.utime(path, (1000 - age, 1000 - age))
    caches.used(kept / "code-used")
    sizes = [own.size for own in caches.kept()]
    assert [own.path.name for own in caches.kept()] == ["code-used", "worth-new.json", "worth-old.json"]
    assert caches.trim(sum(sizes)) == []
    assert [own.path.name for own in caches.trim(sum(sizes) - 1)] == ["worth-old.json"]
    assert [own.kind for own in caches.trim(0)] == ["compiled code", "what bots have learnt"]
    assert list(kept.iterdir()) == []


def test_tests_have_a_folder_of_their_own(tmp_path):
    """Check that tests find compiled code of earlier tests, and nothing that anybody has taught."""
    for home in (tmp_path, tests_home := tmp_path / "draftengine-tests"):
        (home / "draftengine").mkdir(mode=0o700, parents=True)
        for name in ("code-1", "worth-network-2.0.network"):
            (home / "draftengine" / name).touch()
    tests = Path(__file__).parent
    paths = os.pathsep.join(map(str, (tests, tests.parent / "src")))
    show = "import conftest; from draftengine.support import caches; print(*(entry.path for entry in caches.kept()))"
    environment = os.environ | {"XDG_CACHE_HOME": str(tmp_path), "PYTHONPATH": paths}
    kept = subprocess.run([sys.executable, "-c", show], env=environment, capture_output=True, check=True, text=True)
    assert kept.stdout == f"{tests_home / 'draftengine' / 'code-1'}\n"
    assert len([*tmp_path.glob("draftengine/*")]) == 2
    assert caches.folder().parent.name == tests_home.name
