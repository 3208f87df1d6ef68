"""The server process: where it listens, its names, and the line that says it is ready."""

from __future__ import annotations

import faulthandler
import gc
import logging
import re
import socket
import sys
from asyncio import CancelledError
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import uvicorn

from draftengine.apps.web.app import make
from draftengine.apps.web.connections import EACH_SOCKET, Connections, HttpConnection, SocketConnection
from draftengine.apps.web.guard import TokenBucket
from draftengine.apps.web.hub import Settings
from draftengine.apps.web.protocol import LARGEST

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.apps.web.catalogue import Catalogue
    from draftengine.apps.web.guard import Guard
    from draftengine.apps.web.storage.interface import Storage

_MOST_CONNECTIONS = 8_000
_WAITING = 128
"""The number of connections that may wait to be accepted, before any of them is counted."""
_FILES = 128
"""The number of descriptors reserved for files, workers and the database."""
ENDING = 15.0
"""The time from a signal to the end of the server, in seconds. What it acknowledged is kept."""
_EVERYWHERE = {"0.0.0.0", "::", ""}  # noqa: S104 (a comparison, not where it listens)


class Server(uvicorn.Server):
    """Server that prints its address as soon as it answers, and ends silent connections."""

    def __init__(self, config: uvicorn.Config, connections: Connections, address: str = "") -> None:
        super().__init__(config)
        self._address = address
        self._connections = connections

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        if self.started and self._address:
            sys.stdout.write(f"Serving on {self._address}\n")
            sys.stdout.flush()

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Shut down; if that hangs, print where and exit, by a timer that does not need Python."""
        super().handle_exit(sig, frame)
        faulthandler.dump_traceback_later(ENDING, exit=True)

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:
            self._connections.sweep()
        return bool(await super().on_tick(counter))


def server_for(app: Guard, settings: Settings, address: str = "", **more: Any) -> Server:
    """Return a server for the application, with its limits."""
    each = EACH_SOCKET * settings.connections
    connections = Connections(max(1, min(_MOST_CONNECTIONS, _descriptors() - _WAITING - _FILES)), each)
    config = uvicorn.Config(
        app,
        http=cast("Any", partial(HttpConnection, connections)),
        ws=cast("Any", partial(SocketConnection, connections)),
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        ws_max_size=LARGEST,
        ws_per_message_deflate=False,
        backlog=_WAITING,
        **{"timeout_graceful_shutdown": 3, "log_level": "warning", **more},
    )
    return Server(config, connections, address)


def _descriptors() -> int:
    """Return the number of descriptors this process may open, after raising it to the hard limit."""
    try:
        import resource  # noqa: PLC0415 (Windows has none, where sockets are no files)
    except ImportError:
        return 1 << 16
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 1 << 16 if hard == resource.RLIM_INFINITY else hard
    if soft < most:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    return soft


def serve(
    catalogue: Catalogue,
    storage: Storage,
    host: str,
    port: int,
    public: Iterable[str] = (),
    settings: Settings | None = None,
) -> None:
    """Serve until a signal arrives. `public` are addresses of proxies, such as ``https://play.example``.

    Raises `OSError` if the address cannot be used.
    """
    settings = settings or Settings()
    listening = socket.create_server(
        (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, reuse_port=False
    )
    port = listening.getsockname()[1]
    names = names_of(host)
    given = [address.rstrip("/") for address in public]
    origins = [*(f"http://{name}:{port}" for name in names), *given]
    if port == 80:  # noqa: PLR2004 (which addresses leave out)
        origins += [f"http://{name}" for name in names]
    set_up()
    app = make(storage, catalogue, [origin.partition("://")[2] for origin in origins], origins, settings)
    # A full garbage collection would pause everybody, so mostly young objects are examined, and often.
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 20, 1_000)
    server_for(app, settings, given[0] if given else f"http://{names[0]}:{port}").run([listening])


def names_of(host: str) -> list[str]:
    """Return the names of this machine where it listens, the one for people first."""
    local = ["127.0.0.1", "localhost", "[::1]"]
    if host in _EVERYWHERE:
        return [*dict.fromkeys([*_addresses(), socket.gethostname(), f"{socket.gethostname()}.local", *local])]
    return local if host in {"127.0.0.1", "localhost", "::1"} else [f"[{host}]" if ":" in host else host, *local]


def _addresses() -> list[str]:
    """Return the address of this machine in its network, if it has one. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return []
        return [probe.getsockname()[0]]


_SECRET = re.compile(r"(?=[A-Za-z_-]*[0-9])[0-9A-Za-z_-]{32,}")
"""Seeds, salts and tokens: no other text has 32 such characters in a row, with a digit."""
_BURST, _RATE = 200, 1
"""The number of lines in a burst, and per second after it."""


class _Formatter(logging.Formatter):
    """Removes secrets from log lines."""

    def format(self, record: logging.LogRecord) -> str:
        return _SECRET.sub("[left out]", super().format(record))


class _Filter(logging.Filter):
    """Drops tasks that the end of the server cancelled, and lines beyond the rate limit."""

    def __init__(self) -> None:
        super().__init__()
        self._bucket = TokenBucket(_BURST, _RATE)

    def filter(self, record: logging.LogRecord) -> bool:
        cancelled = record.exc_info is not None and isinstance(record.exc_info[1], CancelledError)
        return not cancelled and self._bucket.take()


def set_up() -> None:
    """Send all logging of this process to standard error, filtered by these rules."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Formatter("%(asctime)s %(levelname)s %(message)s"))
    handler.addFilter(_Filter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
