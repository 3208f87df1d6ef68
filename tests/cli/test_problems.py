"""Reports of our own bugs: enough to report them, in any process."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

import pytest

from draftengine.apps.cli.errors import BUG, FAILED, INTERRUPTED, status_of
from draftengine.studies.runner.playing import play_chunk
from draftengine.support.processes import open_processes

PLACE = str(Path("studies", "runner", "playing.py"))


@pytest.fixture(scope="module")
def lost():
    """Return an exception that another process raised."""
    with open_processes(1) as pool:
        return pool.submit(play_chunk, None).exception()


@pytest.fixture
def said(capsys, monkeypatch):
    """Return a function with the output for an exception: ``said(error, debug=True)``."""

    def run(error, status=BUG, *, debug=False):
        def fail():
            raise error

        monkeypatch.setenv("DRAFTENGINE_DEBUG", "1" if debug else "")
        assert status_of(fail) == status
        return capsys.readouterr().err

    return run


def test_it_is_said_where(said, lost):
    first, second = said(lost).splitlines()
    assert first.startswith("Error: this is a bug in draftengine (AttributeError: 'NoneType' object has no attribute")
    assert f" in {PLACE}, line " in first
    assert "DRAFTENGINE_DEBUG=1" in second
    assert f"in {PLACE}, line" in said(play_chunk_fails())


def play_chunk_fails():
    """Return the exception of that failure when it is raised in this process."""
    with pytest.raises(AttributeError) as caught:
        play_chunk(None)
    return caught.value


def test_who_asks_is_told_how_it_came_there(said, lost):
    """Check that debugging prints the traceback of the failing process before the usual sentence."""
    text = said(lost, debug=True)
    assert "in play_chunk" in text
    assert text.endswith(said(lost))
    ended = said(EOFError("no more"), debug=True)
    assert "Traceback (most recent call last)" in ended
    assert "in fail" in ended


def test_what_python_kept_in_part_is_removed(capsys, tmp_path, monkeypatch):
    """Check that a truncated bytecode file, as left by a full disk, is removed: the next call works."""
    module = tmp_path / "compiled_before.py"
    module.write_text("ANSWER = 42\n", encoding="utf-8")
    kept = Path(importlib.util.cache_from_source(str(module)))
    kept.parent.mkdir()
    mtime = int(module.stat().st_mtime) & 0xFFFFFFFF
    stamp = mtime.to_bytes(4, "little") + module.stat().st_size.to_bytes(4, "little")
    kept.write_bytes(importlib.util.MAGIC_NUMBER + bytes(4) + stamp)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)

    def use():
        assert importlib.import_module("compiled_before").ANSWER == 42

    assert status_of(use) == FAILED
    said = capsys.readouterr().err
    assert said.startswith(f"Error: {kept} cannot be used: Python had kept only a part of it")
    assert len(said.splitlines()) == 1
    assert not kept.exists()
    assert status_of(use) == 0


def test_stopped_while_a_module_is_read(tmp_path, capsys):
    """Check that Ctrl-C during an import does not blame the disk, and leaves bytecode alone."""
    kept = tmp_path / "kept.pyc"
    kept.write_bytes(b"whole")

    def get_code(bytecode_path):
        raise KeyboardInterrupt

    assert status_of(lambda: get_code(kept)) == INTERRUPTED
    assert "cannot be used" not in capsys.readouterr().err
    assert kept.read_bytes() == b"whole"
