"""Textual's driver for a terminal, corrected for terminals that hang up and programs that are stopped.

Textual reads the end of file of a closed terminal again and again. Its output thread ends at the first error; later
output fills a queue until writers wait forever. Each SIGCONT, which also comes with a hang-up, starts another input
thread, and only the last input thread is ended.
"""

from __future__ import annotations

import asyncio
import select
import signal
from contextlib import suppress
from threading import Thread
from typing import TYPE_CHECKING, Any

from textual.drivers.linux_driver import LinuxDriver

if TYPE_CHECKING:
    from typing import TextIO


class TerminalDriver(LinuxDriver):
    """Terminal driver that ends the application, with the signal's name, on signals and hang-ups."""

    def __init__(self, app: Any, **how: Any) -> None:
        super().__init__(app, **how)
        self._file: Any = _Output(self._file)
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGHUP", "SIGINT"):
            number = getattr(signal, name)
            if signal.getsignal(number) is not signal.SIG_IGN:
                loop.add_signal_handler(number, app.exit, name)
        loop.add_signal_handler(signal.SIGCONT, self._go_on)
        Thread(target=self._wait_for_hang_up, name="hang-up", daemon=True).start()

    def _wait_for_hang_up(self) -> None:
        """End the application when the terminal hangs up, even if SIGHUP is ignored or goes elsewhere."""
        self._has_hung_up(None)
        self._app.call_later(self._app.exit, "SIGHUP")

    def _has_hung_up(self, timeout: float | None = 0) -> bool:
        """True if the terminal has hung up; waits up to `timeout` milliseconds, forever if None."""
        poll = select.poll()
        poll.register(self.fileno, 0)
        return bool(poll.poll(timeout))

    def _go_on(self) -> None:
        """Use the terminal again after a stop, with one input thread."""
        if self._has_hung_up():
            return
        if self._key_thread is not None and self._key_thread.is_alive():
            self.suspend_application_mode()
        self._sigcont_application()


class _Output:
    """A file that drops what cannot be written any more, so that the output thread keeps running."""

    def __init__(self, file: TextIO) -> None:
        self._file = file
        self.fileno = file.fileno

    def write(self, text: str) -> None:
        with suppress(OSError):
            self._file.write(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._file.flush()
