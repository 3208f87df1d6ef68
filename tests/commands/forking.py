"""Forking process: it has imported the program and forks a process for every request.

``python -m commands.forking SOCKET`` serves requests on a socket. A request has the arguments of ``python``, a folder,
an environment and open files. The answer is the id of the forked process, and its status when it has ended. When the
input of the forking process ends, it kills its children and exits.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import json
import os
import runpy
import select
import shutil
import signal
import socket
import sys
import threading
from contextlib import suppress
from importlib import import_module
from multiprocessing import context, popen_spawn_posix, resource_tracker, util
from pathlib import Path
from pkgutil import iter_modules, walk_packages
from types import ModuleType
from typing import Any

from commands.asking import Told

MOST_FILES = 64
ABOVE = 200
"""Descriptors above those that requests use."""


class Spawned(popen_spawn_posix.Popen):
    """A process of `multiprocessing` that is forked instead of started."""

    @staticmethod
    def place() -> str:
        """Return the socket of the forking process."""
        raise NotImplementedError

    def _launch(self, process_obj: Any) -> None:
        resource_tracker.ensure_running()  # otherwise it would be the process that is forked first
        spawn = util.spawnv_passfds
        util.spawnv_passfds = self._fork
        try:
            super()._launch(process_obj)
        finally:
            util.spawnv_passfds = spawn

    def _fork(self, _: Any, command: list[str], files: list[int]) -> int:
        files = {number: number for number in (0, 1, 2, *files)}
        self._asking = threading.Lock()
        self._told = Told(self.place(), command[command.index("-c") :], str(Path.cwd()), {**os.environ}, files)
        return self._told.number

    def poll(self, flag: int = os.WNOHANG) -> int | None:
        if self._asking.acquire(blocking=flag != os.WNOHANG):  # threads of a pool poll and wait at once
            try:
                number, status = self._told.wait(flag) if self.returncode is None else (0, 0)
                if number:
                    self.returncode = os.waitstatus_to_exitcode(status)
            finally:
                self._asking.release()
        return self.returncode


def import_everything() -> None:
    """Import all modules that commands import."""
    import draftengine

    for part in iter_modules(draftengine.__path__, "draftengine."):
        if not part.name.endswith(".__main__"):
            package = import_module(part.name)
            for module in walk_packages(getattr(package, "__path__", ()), f"{part.name}."):
                with suppress(ImportError):  # an extra that is not installed
                    import_module(module.name)


def make_what_is_made_once() -> None:
    """Fill the caches that most commands fill: the schema's validator, the kernel's sources, one game."""
    from draftengine.api.ruleset import load
    from draftengine.engine.forms import KERNEL_MODULES
    from draftengine.jit.source_functions import texts_of
    from draftengine.model.schema import validate

    for module in KERNEL_MODULES:
        texts_of(module)
    validate._shape(validate.schema)
    validate._validator(validate.schema)
    load("sushi_go", players=2).start(1)


def serve(listener: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Fork a process for every request. Only the forked process returns, with its request and files."""
    running: dict[int, socket.socket] = {}
    waking, woken = socket.socketpair()
    woken.setblocking(False)
    signal.set_wakeup_fd(woken.fileno())
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        ready, _, _ = select.select([listener, waking, 0], [], [])
        if waking in ready:
            waking.recv(4096)
            tell_who_ended(running)
        if 0 in ready:
            for pid in running:
                os.kill(pid, signal.SIGKILL)
            shutil.rmtree(Path(sys.argv[1]).parent)
            os._exit(0)
        if listener not in ready:
            continue
        connection, _ = listener.accept()
        asked, files = received(connection)
        pid = os.fork()
        if not pid:
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            for own in (listener, waking, woken, connection, *running.values()):
                own.close()
            return asked, files
        for file in files:
            os.close(file)
        running[pid] = connection
        tell(connection, pid)


def received(connection: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Receive a request and its open files."""
    head, files, _, _ = socket.recv_fds(connection, 4, MOST_FILES)
    left, parts = int.from_bytes(head, "little"), []
    while left:
        parts.append(connection.recv(left))
        left -= len(parts[-1])
    return json.loads(b"".join(parts)), files


def tell_who_ended(running: dict[int, socket.socket]) -> None:
    while running:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        with running.pop(pid) as connection:
            tell(connection, status)


def tell(connection: socket.socket, number: int) -> None:
    with suppress(OSError):  # the client has gone
        connection.sendall(b"%d\n" % number)


def become(asked: dict[str, Any], files: list[int]) -> None:
    """Turn this process into the requested one."""
    own = [fcntl.fcntl(file, fcntl.F_DUPFD, ABOVE) for file in files]
    for file in files:
        os.close(file)
    for number, file in zip(asked["numbers"], own, strict=True):
        os.dup2(file, number)
        os.close(file)
    Spawned.place = staticmethod(lambda place=sys.argv[1]: place)
    context.SpawnProcess._Popen = staticmethod(Spawned)
    os.environ.clear()
    os.environ.update(asked["environment"])
    os.chdir(asked["folder"])
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    at_once = bool(os.environ.get("PYTHONUNBUFFERED"))
    sys.stdin = open(0, errors=sys.stdin.errors, closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", errors=sys.stdout.errors, closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
    sys.stdout.reconfigure(write_through=at_once)
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr


def run(how: str, *arguments: str) -> None:
    """Run the arguments of a ``python`` command line."""
    if how == "-c":
        code, *arguments = arguments
        sys.argv = ["-c", *arguments]
        sys.path[0] = ""
        main = sys.modules["__main__"] = ModuleType("__main__")
        exec(compile(code, "<string>", "exec"), main.__dict__)  # noqa: S102 (that is what it is for)
    elif how == "-m":
        name, *arguments = arguments
        sys.argv = ["-m", *arguments]
        sys.path[0] = os.getcwd()  # noqa: PTH109
        runpy.run_module(name, run_name="__main__", alter_sys=True)
    else:
        sys.argv = [how, *arguments]
        sys.path[0] = os.path.dirname(how)  # noqa: PTH120
        runpy.run_path(how, run_name="__main__")


def leave(status: int | None) -> None:
    """Exit as Python does, without freeing the memory that is shared with the forking process."""
    threading._shutdown()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        if not stream.closed:  # as `multiprocessing` ends its processes
            stream.flush()
    os._exit(status or 0)


if __name__ == "__main__":
    import_everything()
    make_what_is_made_once()
    with socket.socket(socket.AF_UNIX) as own:
        own.bind(sys.argv[1])
        own.listen()
        gc.collect()
        gc.freeze()
        os.write(1, b"ready\n")
        wanted, its_files = serve(own)
    become(wanted, its_files)
    try:
        run(*wanted["arguments"])
    except SystemExit as ended:
        if not isinstance(ended.code, int | None):
            raise
        leave(ended.code)
    leave(0)
