"""The server process: its address, the names of its host, its limits, and its log."""

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
from urllib.parse import urlsplit

import uvicorn

from draftengine.apps.web.app import LOCAL, make
from draftengine.apps.web.guard import (
    EACH_SOCKET,
    LARGEST_BODY,
    Connections,
    HttpConnection,
    SocketConnection,
    TokenBucket,
)
from draftengine.apps.web.hub import Settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starlette.routing import BaseRoute

    from draftengine.apps.web.app import Routes
    from draftengine.apps.web.catalogue import Catalogue
    from draftengine.apps.web.guard import Guard
    from draftengine.apps.web.storage.database import DatabaseStorage

_MOST_CONNECTIONS = 8_000
_WAITING = 128
"""The number of connections that the system queues before the server accepts and counts them."""
_FILES = 128
"""The number of descriptors reserved for files, workers and the database."""
_LONGEST_FRAME = 2 * LARGEST_BODY
"""The bytes of the longest message of a WebSocket: a card set as JSON. Tables need less."""
ENDING = 15.0
"""The seconds from a signal to the end of the server. Every acknowledged request is on disk."""
_ONLY_HERE = (
    "Only this computer can open it: --lan lets your network in, and --public friends elsewhere (docs/serving.md)."
)
_EVERYWHERE = {"0.0.0.0", "::", ""}  # noqa: S104 (a comparison, not where it listens)


class Server(uvicorn.Server):
    """A server that calls `ready` once it answers, and ends silent connections."""

    def __init__(self, config: uvicorn.Config, connections: Connections, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self._connections = connections

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._ready()

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Shut down. If that hangs, a timer outside of Python prints where, and ends the process."""
        super().handle_exit(sig, frame)
        faulthandler.dump_traceback_later(ENDING, exit=True)

    async def on_tick(self, counter: int) -> bool:
        if counter % 10 == 0:
            self._connections.sweep()
        return bool(await super().on_tick(counter))


def server_for(app: Guard, settings: Settings, ready: Callable[[], None] = lambda: None, **more: Any) -> Server:
    """Return a server for the application, with its limits."""
    each = EACH_SOCKET * settings.connections
    descriptors = 1 << 16
    with suppress(ImportError):  # Windows lacks the module, and its sockets are no files
        import resource  # noqa: PLC0415 (the same)

        descriptors, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = 1 << 16 if hard == resource.RLIM_INFINITY else hard
        if descriptors < most:
            with suppress(ValueError, OSError):
                resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
                descriptors = most
    connections = Connections(max(1, min(_MOST_CONNECTIONS, descriptors - _WAITING - _FILES)), each)
    config = uvicorn.Config(
        app,
        http=cast("Any", partial(HttpConnection, connections)),
        ws=cast("Any", partial(SocketConnection, connections)),
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        ws_max_size=_LONGEST_FRAME,
        ws_per_message_deflate=False,
        backlog=_WAITING,
        **{"timeout_graceful_shutdown": 3, "log_level": "warning", **more},
    )
    return Server(config, connections, ready)


def announce(address: str) -> None:
    """Print the address of a server that answers requests.

    If only this computer can reach it, say how to let other devices reach it, too.
    """
    sys.stdout.write(f"Serving on {address}\n")
    if urlsplit(address).hostname in LOCAL:
        sys.stdout.write(f"{_ONLY_HERE}\n")
    sys.stdout.flush()


def serve(  # noqa: PLR0913, PLR0917 (what a server offers, and where)
    catalogue: Catalogue,
    storage: DatabaseStorage,
    host: str,
    port: int,
    public: Iterable[str] = (),
    settings: Settings | None = None,
    workshop: Callable[[Routes], Iterable[BaseRoute]] | None = None,
    ready: Callable[[str], None] = announce,
) -> None:
    """Serve until a signal arrives. `public` are addresses of proxies, such as ``https://play.example``.

    `workshop` returns the routes for people who write card sets. `ready` is called with the address as soon as the
    server answers. Raises `OSError` if the address cannot be used.
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
    hosts = [origin.partition("://")[2] for origin in origins]
    app = make(storage, catalogue, hosts, origins, settings, workshop)
    # A full garbage collection would pause everybody, so mostly young objects are examined, and often.
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 20, 1_000)
    address = given[0] if given else f"http://{names[0]}:{port}"
    server_for(app, settings, partial(ready, address)).run([listening])


def names_of(host: str) -> list[str]:
    """Return the names under which people can reach the server at `host`; the best name is first."""
    local = ["127.0.0.1", "localhost", "[::1]"]
    if host in _EVERYWHERE:
        names = [socket.gethostname(), f"{socket.gethostname()}.local", *local]
        # The address of this machine in its network, if it has one. Nothing is sent.
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, suppress(OSError):
            probe.connect(("192.0.2.1", 9))
            names.insert(0, probe.getsockname()[0])
        return [*dict.fromkeys(names)]
    return local if host in {"127.0.0.1", "localhost", "::1"} else [f"[{host}]" if ":" in host else host, *local]


_SECRET = re.compile(r"(?=[A-Za-z_-]*[0-9])[0-9A-Za-z_-]{32,}")
"""The pattern of seeds, salts and tokens: at least 32 such characters in a row, with a digit."""
_BURST, _RATE = 200, 1
"""The number of log lines in a burst, and the number per second after it."""
_AGAIN = 1.0
"""The seconds in which a message that follows itself is dropped.

asyncio logs each connection that it cannot accept, up to a hundred at once.
"""


class _Formatter(logging.Formatter):
    """Removes secrets from log lines."""

    def format(self, record: logging.LogRecord) -> str:
        return _SECRET.sub("[left out]", super().format(record))


class _Filter(logging.Filter):
    """Drops repeated messages, too frequent ones, and those about tasks that the end cancelled."""

    def __init__(self) -> None:
        super().__init__()
        self._bucket = TokenBucket(_BURST, _RATE)
        self._last, self._then = ("", ""), 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info is not None and isinstance(record.exc_info[1], CancelledError):
            return False
        message = record.getMessage(), repr(record.exc_info and record.exc_info[1])
        if message == self._last and abs(record.created - self._then) < _AGAIN:
            return False
        self._last, self._then = message, record.created
        return self._bucket.take()


def set_up() -> None:
    """Send all logging of this process to standard error, without secrets and within the rate limit."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Formatter("%(asctime)s %(levelname)s %(message)s"))
    handler.addFilter(_Filter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
