"""Worker processes end when nobody needs them any more, regardless of what they are doing."""

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
    """Return True if a process ends within 30 seconds; none of ours would end by itself so soon."""
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
    """Check that workers end with their parent, even if it was killed and could not tell them."""
    program = tmp_path / "parent.py"
    program.write_text(PARENT, encoding="utf-8")
    parent = subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, text=True)
    process = int(parent.stdout.readline())
    parent.send_signal(how)
    parent.wait()
    parent.stdout.close()
    assert is_gone(process)
