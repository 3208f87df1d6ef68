"""Client of the forking process (`forking.py`), which has imported the program and forks commands.

``python asking.py SOCKET ...`` behaves like ``python ...``, but imports less than any program.
"""

from __future__ import annotations

import json
import os
import socket
import sys


class Told:
    """Forked process that runs for this one: its process id and, when it ends, its status."""

    def __init__(
        self, place: str, arguments: list[str], folder: str, environment: dict[str, str], files: dict[int, int]
    ):
        """Start the process. `files` maps its file descriptors to those of this process."""
        asked = {"arguments": arguments, "folder": folder, "environment": environment, "numbers": list(files)}
        text = json.dumps(asked).encode()
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(place)
        socket.send_fds(self.connection, [len(text).to_bytes(4, "little")], list(files.values()))
        self.connection.sendall(text)
        self.number = int(self._line())

    def wait(self, flag: int = 0) -> tuple[int, int]:
        """Wait for the process as `os.waitpid` does, with its result."""
        self.connection.setblocking(flag != os.WNOHANG)
        try:
            status = int(self._line())
        except BlockingIOError:
            return 0, 0
        self.connection.close()
        return self.number, status

    def _line(self) -> bytes:
        """Return the next line. The server sends lines whole, so there is a whole line or none."""
        line = self.connection.recv(1)
        while not line.endswith(b"\n"):
            line += self.connection.recv(1)
        return line


if __name__ == "__main__":
    process = Told(sys.argv[1], sys.argv[2:], os.getcwd(), {**os.environ}, {0: 0, 1: 1, 2: 2})  # noqa: PTH109
    status = os.waitstatus_to_exitcode(process.wait()[1])
    if status < 0:
        os.kill(os.getpid(), -status)
    sys.exit(status)
