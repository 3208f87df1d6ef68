"""Files of games in progress: they grow by lines, are locked, and finished ones make room."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from draftengine.apps.play import journal
from draftengine.apps.play.journal import FINISHED_KEPT, Journal, games
from draftengine.apps.play.saved import OPEN, OVER, Lines, Saved, SaveError, read, written
from draftengine.apps.play.session import HUMAN


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "draftengine" / "saves"


@pytest.fixture
def kept(table, soups, folder):
    """Return the journal of a game without moves."""
    own = table(soups, [HUMAN, "random"])
    return Journal(Saved.of(own.rules, own.session()))


def move(own):
    """Make a move for everybody, and save it, as the terminal does."""
    session = own.saved.session
    session.let_bots_choose()
    session.commit(0, session.view(0).moves[0])
    own.keep()


def test_there_is_no_file_before_somebody_moves(kept, folder):
    kept.saved.session.let_bots_choose()
    kept.keep()
    assert not folder.exists()
    move(kept)
    assert [path.name for path in folder.iterdir()] == ["soups-1.save"]


@pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")
def test_nobody_else_can_look_into_the_folder(kept, folder):
    """The folder of saved games is private, since each file holds all hands."""
    move(kept)
    assert folder.stat().st_mode & 0o777 == 0o700


def test_a_path_means_the_file_that_is_there(kept, folder, tmp_path, monkeypatch):
    """A name finds a saved game, with or without its ending, unless the working folder has such a file."""
    monkeypatch.chdir(tmp_path)
    move(kept)
    assert journal.find("soups-1") == journal.find("soups-1.save") == folder / "soups-1.save"
    Path("soups-1").touch()
    assert journal.find("soups-1") == Path("soups-1")
    assert journal.find("kept/soups-1") == Path("kept/soups-1")


def test_a_move_adds_to_the_file(kept):
    """A move appends to the file; what is written there stays as it is."""
    move(kept)
    before = kept.path.read_bytes()
    inode = kept.path.stat().st_ino
    for _ in range(3):
        move(kept)
        assert kept.path.read_bytes().startswith(before)
        assert read(kept.path).session.moves == kept.saved.session.moves
    assert kept.path.stat().st_ino == inode


@pytest.mark.skipif(sys.platform == "win32", reason="locks of POSIX")
def test_a_game_is_played_by_one_process(kept):
    move(kept)
    with pytest.raises(SaveError) as caught:
        Journal.resumed(kept.path)
    assert caught.value.code == "in-use"
    assert games()[0].problem == "in-use"
    kept.close()
    again = Journal.resumed(kept.path)
    with pytest.raises(SaveError):
        Journal.resumed(kept.path)
    again.close()


def test_a_disk_that_is_full_for_a_moment(kept, monkeypatch):
    """Half a line is removed after a full disk, and nothing is lost once there is room again."""
    move(kept)
    before = kept.path.read_bytes()

    def full(descriptor, data):
        os.write(descriptor, data[: len(data) // 2])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as there:
        there.setattr(journal, "_write_all", full)
        there.setattr(Journal, "_put", lambda *_, **__: full(os.open(os.devnull, os.O_WRONLY), b""))
        with pytest.raises(OSError, match="No space"):
            move(kept)
    assert kept.path.read_bytes() == before
    move(kept)
    assert read(kept.path).session.moves == kept.saved.session.moves


def test_a_file_that_was_taken_away_is_written_anew(kept):
    move(kept)
    kept.path.unlink()
    move(kept)
    assert read(kept.path).session.moves == kept.saved.session.moves


def test_finished_games_make_room(kept, folder):
    """The newest finished games stay, and so do all games that can be resumed."""
    move(kept)
    for status, count in ((OVER, FINISHED_KEPT + 5), (OPEN, 3)):
        for number in range(count):
            path = folder / f"{status}-{number}.save"
            path.write_text(written(kept.saved, status, Lines()), encoding="utf-8")
            os.utime(path, (1000 + number, 1000 + number))
    journal._forget_old(folder)
    left = [game.name for game in games()]
    assert [name for name in left if name.startswith(OVER)] == [f"{OVER}-{number}" for number in range(24, 4, -1)]
    assert sum(name.startswith(OPEN) for name in left) == 3


def test_whoever_finishes_a_game_makes_room(kept, folder):
    """Old finished games are removed when a game ends, but not when it is put aside."""
    move(kept)
    for number in range(FINISHED_KEPT + 5):
        path = folder / f"old-{number}.save"
        path.write_text(written(kept.saved, OVER, Lines()), encoding="utf-8")
        os.utime(path, (1000 + number, 1000 + number))
    kept.close()
    assert len([game for game in games() if game.is_over]) == FINISHED_KEPT + 5
    while not kept.saved.session.over:
        move(kept)
    over = [game.name for game in games() if game.is_over]
    assert over == ["soups-1", *(f"old-{number}" for number in range(24, 5, -1))]


def test_nothing_is_written_where_nothing_happened(kept):
    """Resuming a game without moving leaves its file unchanged."""
    move(kept)
    kept.close()
    before = kept.path.stat()
    resumed = Journal.resumed(kept.path)
    resumed.keep()
    resumed._let_go()
    after = kept.path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_a_game_holds_one_file(kept, monkeypatch):
    """A journal has one open file, even after failed rewrites, and none once it is closed."""
    files = Path("/proc/self/fd")
    without = len(list(files.iterdir()))
    move(kept)
    held = len(list(files.iterdir()))
    for _ in range(3):
        kept.path.unlink()
        move(kept)
    assert len(list(files.iterdir())) == held

    def refuse(*_):
        raise OSError(errno.EIO, "nothing works")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        kept.path.unlink()
        move(kept)
    assert kept.trouble.errno == errno.EIO
    assert len(list(files.iterdir())) == held
    kept.close()
    assert len(list(files.iterdir())) == without
