"""Processes that work side by side leave when nobody wants them any more, whatever they are at."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from draftengine.support.processes import abandon, open_processes

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
LONG = 3600
PARENT = """
import os, time
from draftengine.support.processes import open_processes
if __name__ == "__main__":
    pool = open_processes(1)
    print(pool.submit(os.getpid).result(), flush=True)
    pool.submit(time.sleep, 3600)
    time.sleep(3600)
"""


def is_gone(process):
    """Does a process end, within a time in which none of ours would end by itself."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_a_pool_is_left_at_once():
    pool = open_processes(1)
    process = pool.submit(os.getpid).result()
    waiting = pool.submit(time.sleep, LONG)
    while not waiting.running():
        time.sleep(0.01)
    abandon(pool)
    assert is_gone(process)


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_processes_leave_with_their_parent(tmp_path, how):
    """Also if it had no time to say so."""
    program = tmp_path / "parent.py"
    program.write_text(PARENT, encoding="utf-8")
    parent = subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True)
    process = int(parent.stdout.readline())
    parent.send_signal(how)
    parent.wait()
    parent.stdout.close()
    assert is_gone(process)
