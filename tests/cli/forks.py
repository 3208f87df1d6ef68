"""Commands as processes of their own that don't have to start: they are forked off one that has imported everything.

Starting Python and importing the program is most of what a short command costs. What is forked off does the rest as any
other process: with its own arguments, folder, environment and streams, up to its exit status. How the program itself
starts is shown where commands are called in terminals, in pipes and by documents, and by night every command starts.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

TIMEOUT = 60
LEFT_ALONE = {"compiled", "environments", "exact", "lsp", "serve", "staging", "tui"}
"""Parts that are large, and that commands seldom use."""


class Forks:
    """A process in which the program is imported, off which commands are forked one after the other."""

    def __init__(self, folder, environment):
        self.streams = [folder / name for name in ("in", "out", "err")]
        self.process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
        )

    def run(self, arguments, given, cwd, environment):
        """A command to its end: exit status, output, complaints."""
        self.streams[0].write_bytes(given)
        status = self._ask(arguments, cwd, environment, self.streams)
        return subprocess.CompletedProcess(arguments, status, *(own.read_bytes() for own in self.streams[1:]))

    def run_cramped(self, arguments, cwd, environment, *, out=os.devnull, most=None):
        """The same for a command that prints to `out`, and whose files may hold so many bytes at most.

        It complains into a pipe, which has room, and leaves no bytecode that is cut off.
        """
        pipe = self.streams[0].with_name("pipe")
        os.mkfifo(pipe)
        reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            status = self._ask(arguments, cwd, environment, (os.devnull, out, pipe), most=most)
            return subprocess.CompletedProcess(arguments, status, b"", os.read(reading, 1 << 16))
        finally:
            os.close(reading)
            pipe.unlink()

    def _ask(self, arguments, cwd, environment, streams, most=None):
        asked = {"arguments": arguments, "cwd": str(cwd), "env": environment, "streams": [*map(str, streams)]}
        self.process.stdin.write(json.dumps(asked | {"most": most}) + "\n")
        self.process.stdin.flush()
        return int(self.process.stdout.readline())

    def close(self):
        self.process.communicate(timeout=TIMEOUT)


def serve():
    """Fork off a command for every line that is read; what returns is the command."""
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if not child:
            become(asked)
            return
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()
    sys.exit()


def become(asked):
    """Make this the process of a command."""
    import draftengine.__main__

    signal.alarm(TIMEOUT)
    for number, (name, mode) in enumerate(zip(asked["streams"], ("rb", "wb", "wb"), strict=True)):
        with Path(name).open(mode) as file:
            os.dup2(file.fileno(), number)
    sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", errors="backslashreplace", buffering=1, closefd=False)  # noqa: SIM115
    os.environ.clear()
    os.environ.update(asked["env"])
    os.chdir(asked["cwd"])
    sys.path[0] = asked["cwd"]
    sys.argv = [draftengine.__main__.__file__, *asked["arguments"]]
    if asked["most"] is not None:
        import resource

        sys.dont_write_bytecode = True
        resource.setrlimit(resource.RLIMIT_FSIZE, (asked["most"], asked["most"]))


def leave(status):
    """End as Python does, but for freeing one by one what this process shares with the one it was forked off."""
    if not isinstance(status, int | None):
        raise SystemExit(status)
    threading._shutdown()
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status or 0)


def import_everything():
    """What commands import on their way."""
    from contextlib import suppress
    from importlib import import_module
    from pkgutil import iter_modules, walk_packages

    import draftengine

    for part in iter_modules(draftengine.__path__, "draftengine."):
        if part.name.rpartition(".")[2] not in {"__main__", *LEFT_ALONE}:
            package = import_module(part.name)
            for module in walk_packages(getattr(package, "__path__", ()), f"{part.name}."):
                with suppress(ImportError):  # an extra that is not here
                    import_module(module.name)


if __name__ == "__main__":
    import_everything()
    gc.collect()
    gc.freeze()
    serve()
    from draftengine.__main__ import start

    try:
        start()
    except SystemExit as ended:
        leave(ended.code)
    leave(0)
