"""The program as people start it: a process of its own, far from the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.forks import TIMEOUT, Forks
from conftest import NIGHTLY
from draftengine.api.ruleset import load
from draftengine.bots import tables
from draftengine.bots.kept import encode
from draftengine.bots.learning import Learned
from draftengine.engine.worth import no_worth

ROOT_FOLDER = Path(__file__).parents[2]


class Finished:
    """What a process left behind."""

    def __init__(self, process):
        self.status = process.returncode
        self.out = process.stdout.decode()
        self.err = process.stderr.decode()

    @property
    def json(self):
        return json.loads(self.out)


SOUPS = Path(__file__).parent / "soups.yaml"


def know(folder, cardset, players, variants=()):
    """Bots find there that this game is learnt already, and that no card is worth anything later."""
    program = load(str(cardset), players, variants).program
    file = folder / "draftengine" / tables._file(program).name
    file.write_bytes(encode(Learned(no_worth(program), 5.0)))


@pytest.fixture(scope="session")
def caches(tmp_path_factory):
    """A folder in which bots find the soups learnt already, and learn any other game only once."""
    folder = tmp_path_factory.mktemp("caches")
    (folder / "draftengine").mkdir()
    for variants in ((), ("to_the_right",)):
        for players in (2, 3, 4):
            know(folder, SOUPS, players, variants)
    return folder


KEPT = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
PLAIN = KEPT | {"PYTHONPATH": str(ROOT_FOLDER / "src"), "PYTHONUTF8": "1"}


@pytest.fixture
def environment(tmp_path, caches):
    (tmp_path / "tmp").mkdir()
    folders = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(caches), "TMPDIR": str(tmp_path / "tmp")}
    return PLAIN | folders


@pytest.fixture(scope="session")
def forks(tmp_path_factory):
    own = Forks(tmp_path_factory.mktemp("streams"), PLAIN)
    yield own
    own.close()


@pytest.fixture
def draftengine(tmp_path, environment, request):
    """Run a command in an empty folder: ``draftengine("play", "--auto", stdin="", NO_COLOR="1")``."""

    def run(*arguments, stdin="", **variables):
        given = stdin if isinstance(stdin, bytes) else stdin.encode()
        own = environment | variables
        if NIGHTLY or not hasattr(os, "fork") or any(name.startswith(("PYTHON", "LC_")) for name in variables):
            command = [sys.executable, "-m", "draftengine", *arguments]
            process = subprocess.run(
                command, input=given, capture_output=True, cwd=tmp_path, env=own, check=False, timeout=TIMEOUT
            )
        else:
            process = request.getfixturevalue("forks").run(arguments, given, tmp_path, own)
        finished = Finished(process)
        assert "Traceback" not in finished.err
        return finished

    return run


@pytest.fixture
def stopped(tmp_path, environment):
    """Run a command that a signal stops once its first games are counted: ``stopped(signal.SIGINT, "arena", ...)``."""

    def run(number, *arguments):
        command = [sys.executable, Path(__file__).parent / "stopped.py", number.name, *arguments]
        process = subprocess.run(
            command, capture_output=True, cwd=tmp_path, env=environment, check=False, timeout=TIMEOUT
        )
        finished = Finished(process)
        assert "Traceback" not in finished.err
        return finished

    return run


@pytest.fixture
def soups():
    """A small game of its own: two dishes, two rounds, one variant, one worked example."""
    return SOUPS.read_text(encoding="utf-8")
