"""Python processes that are forked from one that has imported the program (`forking.py`).

Starting Python and importing the program is most of the cost of a short command. A forked process does the rest like
any other: with its own arguments, folder, environment, files, signals and exit status. By night every process starts
anew. A test of starting or of memory uses `subprocess` by day as well.
"""

from __future__ import annotations

import atexit
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import warnings
from functools import cache
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from commands.asking import Told
from conftest import NIGHTLY
from draftengine.apps.cli import main
from draftengine.apps.cli.errors import STOPPING

TESTS = Path(__file__).parents[1]
SOURCE = TESTS.parent / "src"
MODULE = ("-m", "draftengine")
TIMEOUT = 120
AT_FIRST = dict(os.environ)
"""Environment of the forking process. Without a locale, Python adds one of its own."""
HEEDED = {"PYTHONPATH", "PYTHONUTF8", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"}
"""Variables read by a starting Python that do not matter to forked processes, or have equal effects."""


@cache
def place() -> str:
    """Start the forking process, once, and return its socket. It ends with this process."""
    folder = tempfile.mkdtemp(prefix="forking-")
    environment = {**AT_FIRST, "PYTHONPATH": str(SOURCE), "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", "commands.forking", f"{folder}/socket"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=TESTS, env=environment)
    atexit.register(process.communicate)
    process.stdout.readline()  # until it listens
    return f"{folder}/socket"


class Forked(subprocess.Popen):
    """A `subprocess.Popen` whose Python process is forked."""

    def _execute_child(self, args, executable, preexec_fn, close_fds, pass_fds, cwd, env, *how):
        pipes = how[3:9]  # both ends of each pipe: standard input, output, errors
        own = {number: number if file == -1 else file for number, file in enumerate((pipes[0], pipes[3], pipes[5]))}
        folder = os.fspath(cwd or Path.cwd())
        self._told = Told(place(), [*map(os.fspath, args[1:])], folder, dict(os.environ if env is None else env), own)
        self.pid = self._told.number
        self._child_created = True
        self._close_pipe_fds(*pipes)

    def _try_wait(self, wait_flags):
        return self._told.wait(wait_flags)

    def _internal_poll(self, _deadstate=None):
        with self._waitpid_lock:
            if self.returncode is None:
                number, status = self._told.wait(os.WNOHANG)
                if number:
                    self._handle_exitstatus(status)
        return self.returncode


def start(*arguments, **how):
    """Start a command as `subprocess.Popen` does: ``start("list", stdout=subprocess.PIPE)``."""
    return python(*MODULE, *arguments, **how)


def run(*arguments, **how):
    """Run a command as `subprocess.run` does, and capture its output."""
    return run_python(*MODULE, *arguments, **how)


def python(*arguments, **how):
    """Start Python as `subprocess.Popen` does: ``python("-c", "print(1)")``."""
    process = Forked if can_be_forked(**how) else subprocess.Popen
    return process([sys.executable, *arguments], **how)


def run_python(*arguments, input=None, check=False, **how):  # noqa: A002 (its name in `subprocess.run`)
    """Run Python as `subprocess.run` does, and capture its output."""
    pipes = {"stdin": subprocess.DEVNULL if input is None else subprocess.PIPE}
    pipes |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with python(*arguments, **pipes | how) as process:
        try:
            said = process.communicate(input, timeout=TIMEOUT)
        finally:
            process.kill()
    done = subprocess.CompletedProcess(process.args, process.returncode, *said)
    if check:
        done.check_returncode()
    return done


def run_here(*arguments, input, cwd, env):  # noqa: A002 (as above)
    """Run a command in this process, and return what `run` returns of a process of its own."""
    streams = {name: TextIOWrapper(BytesIO(), encoding="utf-8") for name in ("stdin", "stdout", "stderr")}
    streams["stdin"].buffer.write(input)
    streams["stdin"].seek(0)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, *STOPPING)}
    before = dict(os.environ)
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        patch.chdir(cwd)
        patch.setattr(sys, "argv", ["draftengine", *arguments])
        for name, stream in streams.items():
            patch.setattr(sys, name, stream)
        os.environ.clear()
        os.environ.update(env)
        try:
            main.run()
        except SystemExit as ended:
            status = ended.code
        finally:
            os.environ.clear()
            os.environ.update(before)
            for number, handler in handlers.items():
                signal.signal(number, handler)
    output = (streams[name].buffer.getvalue() for name in ("stdout", "stderr"))
    return subprocess.CompletedProcess(arguments, status or 0, *output)


def program(folder):
    """Write a ``draftengine`` script into a folder, for a shell."""
    command = [sys.executable, *MODULE]
    if can_be_forked():
        command[1:1] = ["-I", "-S", str(TESTS / "commands" / "asking.py"), place()]
    file = folder / "draftengine"
    file.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', encoding="utf-8")
    file.chmod(0o755)


def can_be_forked(*, env=None, preexec_fn=None, **_):
    """True if the arguments need nothing that only a newly started Python can do."""
    asked = os.environ if env is None else env
    heeded = HEEDED if asked.get("PYTHONPATH", str(SOURCE)) == str(SOURCE) else ()
    return (
        not NIGHTLY
        and hasattr(os, "fork")
        and preexec_fn is None
        and not any(
            name.startswith(("PYTHON", "LC_")) and name not in heeded and value != AT_FIRST.get(name)
            for name, value in asked.items()
        )
    )
