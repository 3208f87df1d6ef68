"""The server as a process: where it listens, by which names it may be asked, and the line that says it is ready."""

from __future__ import annotations

import gc
import socket
import sys
from typing import TYPE_CHECKING, Any

import uvicorn

from draftengine.apps.web.app import make
from draftengine.apps.web.protocol import LARGEST

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.apps.web.catalogue import Catalogue
    from draftengine.apps.web.hub import Settings
    from draftengine.apps.web.storage.interface import Storage

_EVERYWHERE = {"0.0.0.0", "::", ""}  # noqa: S104 (what it means, not where it listens)


class _Server(uvicorn.Server):
    """Says where it is as soon as it answers there."""

    def __init__(self, config: uvicorn.Config, address: str) -> None:
        super().__init__(config)
        self._address = address

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        if self.started:
            sys.stdout.write(f"Serving on {self._address}\n")
            sys.stdout.flush()


def serve(
    catalogue: Catalogue,
    storage: Storage,
    host: str,
    port: int,
    public: Iterable[str] = (),
    settings: Settings | None = None,
) -> None:
    """Serve until a signal ends it. `public` are further addresses by which a proxy is asked (``https://play.example``).

    Raises `OSError` if the address cannot be had.
    """
    listening = socket.create_server(
        (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, reuse_port=False
    )
    port = listening.getsockname()[1]
    names = names_of(host)
    given = [address.rstrip("/") for address in public]
    origins = [*(f"http://{name}:{port}" for name in names), *given]
    if port == 80:  # noqa: PLR2004 (which addresses leave out)
        origins += [f"http://{name}" for name in names]
    app = make(storage, catalogue, [origin.partition("://")[2] for origin in origins], origins, settings)
    config = uvicorn.Config(
        app,
        access_log=False,
        log_level="warning",
        server_header=False,
        proxy_headers=False,
        ws_max_size=LARGEST,
        ws_per_message_deflate=False,
        ws_max_queue=16,
        timeout_graceful_shutdown=3,
    )
    # A long search for garbage is a pause for everybody: only what is young is looked through, and often.
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 20, 1_000)
    _Server(config, given[0] if given else f"http://{names[0]}:{port}").run([listening])


def names_of(host: str) -> list[str]:
    """The names by which this machine may be asked where it listens, the one to tell people first."""
    local = ["127.0.0.1", "localhost", "[::1]"]
    if host in _EVERYWHERE:
        return [*dict.fromkeys([*_addresses(), socket.gethostname(), f"{socket.gethostname()}.local", *local])]
    return local if host in {"127.0.0.1", "localhost", "::1"} else [f"[{host}]" if ":" in host else host, *local]


def _addresses() -> list[str]:
    """The address that this machine has in its network, if it is in one. Nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return []
        return [probe.getsockname()[0]]
