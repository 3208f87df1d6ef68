"""A forked process behaves like one that starts, except that it is ready sooner."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from commands import processes

pytestmark = pytest.mark.skipif(not processes.can_be_forked(env={}), reason="every process starts here")
PIPES = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
BOTH = pytest.mark.parametrize("process", [processes.Forked, subprocess.Popen])
TELL = """
import json, os, sys
print(json.dumps([sys.argv, os.getcwd(), sorted(os.environ), sys.stdin.read(), __name__, sys.path[0]]))
print("complaint", file=sys.stderr)
"""


def said(process, *arguments, given=b"", **how):
    """Return status, output and errors of a Python process."""
    with process([sys.executable, *arguments], **PIPES | how) as own:
        out, err = own.communicate(given, timeout=60)
    return own.returncode, out, err


def alike(*arguments, **how):
    """Return the output of both kinds of processes, which must be equal except for traceback frames."""
    forked, started = (said(process, *arguments, **how) for process in (processes.Forked, subprocess.Popen))
    assert forked[:2] == started[:2]
    assert forked[2].splitlines()[-1:] == started[2].splitlines()[-1:]
    return forked


def test_it_has_its_own_arguments_folder_environment_and_streams(tmp_path):
    environment = {"PATH": os.environ["PATH"], "ONLY": "here", "LC_CTYPE": "C.UTF-8"}
    status, out, err = alike("-c", TELL, "one", "two words", given="grüße\n".encode(), cwd=tmp_path, env=environment)
    assert (status, err) == (0, b"complaint\n")
    assert b'["-c", "one", "two words"]' in out
    file = tmp_path / "program.py"
    file.write_text(TELL, encoding="utf-8")
    assert alike(str(file), "three", env=environment)[0] == 0


@pytest.mark.parametrize(
    "code",
    [
        "import sys; sys.exit(3)",
        "import sys; sys.exit('a sentence')",
        "1 / 0",
        "import atexit; atexit.register(print, 'at the end')",
        "import threading, time; threading.Thread(target=lambda: (time.sleep(0.1), print('later'))).start()",
        "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
        "raise KeyboardInterrupt",
        "import os; os.write(1, b'x'); os._exit(7)",
        "import signal, sys; print(*map(signal.getsignal, (2, 13, 15, 17)), sys.stdout.encoding, sys.stdout.errors)",
    ],
)
def test_it_ends_as_others_do(code):
    alike("-c", code, env={"PYTHONUTF8": "1"})


def test_commands(tmp_path):
    """Check commands, each in its own folder."""
    assert b"0.1" in alike("-m", "draftengine", "--version", cwd=tmp_path, env={"PYTHONPATH": str(processes.SOURCE)})[1]
    assert processes.run("list", "--nonsense", cwd=tmp_path).returncode == 2


def surroundings():
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return dict(os.environ), Path.cwd(), sys.argv, streams, signal.getsignal(signal.SIGTERM)


@pytest.mark.parametrize(
    ("arguments", "given"),
    [
        ("list --house", ""),
        ("list --nonsense", ""),
        ("validate -", "grüße: 1\n"),
        ("score sushi_go -i - --json", "tables: [[pudding], []]"),
        ("score sushi_go -i -", "tables: [[tempurra], []]"),
        ("play sushi_go --auto --plain --bots random --seed 1", ""),
    ],
)
def test_a_command_does_the_same_in_this_process(tmp_path, arguments, given):
    """Check status, output and errors, and that everything around the command is as before."""
    environment = {"PYTHONPATH": str(processes.SOURCE), "HOME": str(tmp_path), "DRAFTENGINE_LANG": "pl"}
    how = {"input": given.encode(), "cwd": tmp_path, "env": environment}
    before = surroundings()
    here, there = (run(*arguments.split(), **how) for run in (processes.run_here, processes.run))
    assert (here.returncode, here.stdout, here.stderr) == (there.returncode, there.stdout, there.stderr)
    assert surroundings() == before


@BOTH
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL, signal.SIGTERM])
def test_signals_reach_it(process, number):
    own = process([sys.executable, "-c", "print(flush=True); input()"], **PIPES)
    own.stdout.readline()
    assert own.poll() is None
    own.send_signal(number)
    own.communicate(timeout=60)
    assert own.returncode == -number


def test_who_waits_for_too_long_is_told():
    own = processes.python("-c", "input()", **PIPES)
    with pytest.raises(subprocess.TimeoutExpired):
        own.wait(0.01)
    own.communicate(b"\n", timeout=60)


POOL = """
import os, sys
from draftengine.support.processes import open_processes
if __name__ == "__main__":
    with open_processes(2) as pool:
        print(pool.submit(os.getppid).result() == {parent}, sum(pool.map(abs, range(-9, 0))))
"""


def test_what_it_starts_is_forked_as_well(tmp_path):
    """Check that `multiprocessing` in a forked process forks its children, which work as usual."""
    file = tmp_path / "program.py"
    file.write_text(POOL.format(parent="os.getppid()"), encoding="utf-8")
    assert processes.run_python(file, encoding="utf-8", check=True).stdout == "True 45\n"
    file.write_text(POOL.format(parent="os.getpid()"), encoding="utf-8")
    assert said(subprocess.Popen, str(file), env=os.environ | {"PYTHONPATH": str(processes.SOURCE)})[1] == b"True 45\n"


def test_a_shell_finds_the_program(tmp_path):
    """Check that a shell script runs the program with its streams, folder, variables and status."""
    processes.program(tmp_path)
    environment = {**os.environ, "PATH": os.pathsep.join([str(tmp_path), os.environ["PATH"]])}
    shell = ["sh", "-c", "draftengine --version | cat; draftengine list --nonsense 2>&1 >nothing; echo $?"]
    done = subprocess.run(shell, cwd=tmp_path, env=environment, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.startswith("draftengine 0.")
    assert done.stdout.endswith("\n2\n")


@pytest.mark.parametrize("env", [{"PYTHONHASHSEED": "1"}, {"LC_ALL": "C"}, {"PYTHONPATH": "/elsewhere"}])
def test_what_only_a_start_can_do_starts(env):
    """Check that a hash seed, an encoding or another program makes a real start."""
    assert not processes.can_be_forked(env=env)
    assert not processes.can_be_forked(preexec_fn=print)
