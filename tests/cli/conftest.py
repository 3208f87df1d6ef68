"""Fixtures that run the program as users do, away from the checkout."""

from __future__ import annotations

import json
import os
from pathlib import Path
from zlib import crc32

import pytest

from commands import processes
from draftengine.api.ruleset import load
from draftengine.bots.worth import tables
from draftengine.bots.worth.learning import Learned
from draftengine.bots.worth.tables import encode
from draftengine.engine.policies import no_worth

ROOT_FOLDER = Path(__file__).parents[2]


class Finished:
    """Exit status and output of a process that has ended."""

    def __init__(self, process):
        self.status = process.returncode
        self.out = process.stdout.decode()
        self.err = process.stderr.decode()

    @property
    def json(self):
        return json.loads(self.out)


SOUPS = Path(__file__).parent / "soups.yaml"


def know(folder, cardset, players, variants=()):
    """Store a worth table for a game, in which every card is worth nothing."""
    program = load(str(cardset), players, variants).program
    file = folder / "draftengine" / tables._file(program).name
    file.write_bytes(encode(Learned(no_worth(program), 5.0)))


@pytest.fixture(scope="session")
def caches(tmp_path_factory):
    """Return a cache folder with worth tables of the soups, in which other games are learnt once."""
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


IN_PROCESSES = 16
"""By day one in this number of tests starts processes, as all do by night."""


@pytest.fixture
def draftengine(request, tmp_path, environment):
    """Return a function that runs a command in an empty folder.

    Example: ``draftengine("play", "--auto", stdin="", NO_COLOR="1")``. With ``apart=True`` a process is started.
    """
    chosen = crc32(request.node.name.encode()) % IN_PROCESSES == 0

    def run(*arguments, stdin="", apart=chosen, **variables):
        given = stdin if isinstance(stdin, bytes) else stdin.encode()
        how = {"input": given, "cwd": tmp_path, "env": environment | variables}
        here = not apart and processes.can_be_forked(**how)
        finished = Finished((processes.run_here if here else processes.run)(*arguments, **how))
        assert "Traceback" not in finished.err
        return finished

    return run


@pytest.fixture
def stopped(tmp_path, environment):
    """Return a function that runs a command and sends it a signal when its first games are counted.

    Example: ``stopped(signal.SIGINT, "arena", ...)``.
    """

    def run(number, *arguments):
        program = Path(__file__).parent / "stopped.py"
        finished = Finished(processes.run_python(program, number.name, *arguments, cwd=tmp_path, env=environment))
        assert "Traceback" not in finished.err
        return finished

    return run


@pytest.fixture
def soups():
    """Return a small game: two dishes, two rounds, one variant, one worked example."""
    return SOUPS.read_text(encoding="utf-8")
