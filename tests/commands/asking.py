"""How a process asks for another one, which is forked off one that has imported the program (`forking.py`).

``python asking.py SOCKET ...`` is what ``python ...`` would be, with less to import than any program has.
"""

from __future__ import annotations

import json
import os
import socket
import sys


class Told:
    """A process that was forked off for this one, and what is told of it: its number, and its status in the end."""

    def __init__(
        self, place: str, arguments: list[str], folder: str, environment: dict[str, str], files: dict[int, int]
    ):
        """`files` says, by the number that each has there, what is open in it."""
        asked = {"arguments": arguments, "folder": folder, "environment": environment, "numbers": list(files)}
        text = json.dumps(asked).encode()
        self.connection = socket.socket(socket.AF_UNIX)
        self.connection.connect(place)
        socket.send_fds(self.connection, [len(text).to_bytes(4, "little")], list(files.values()))
        self.connection.sendall(text)
        self.number = int(self._line())

    def wait(self, flag: int = 0) -> tuple[int, int]:
        """As `os.waitpid` does it."""
        self.connection.setblocking(flag != os.WNOHANG)
        try:
            status = int(self._line())
        except BlockingIOError:
            return 0, 0
        self.connection.close()
        return self.number, status

    def _line(self) -> bytes:
        """A number and a full stop are told at once, so there is a whole line or none."""
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
