"""What stands before the application: who may ask at all, how much and how often, and what pages may do."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse

from draftengine.apps.web.errors import REASONS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LARGEST_BODY = 64 << 10
_BURST, _RATE = 300, 50
"""Requests of one address: so many at once, and so many a second after that."""
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
}


class TokenBucket:
    """So many at once, and so many a second after that."""

    def __init__(self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._rate, self._clock = burst, rate, clock
        self._left, self._then = burst, clock()

    def take(self) -> bool:
        """Is there room for one more."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Guard:
    """Refuses what does not come from a page of this server, is too large or comes too often.

    `hosts` are the names by which this server may be asked for, with their ports: a page of another origin, or a name
    that somebody let point here, gets nothing.
    """

    def __init__(self, app: Any, hosts: Iterable[str], origins: Iterable[str], connections: int) -> None:
        self.app = app
        self.hosts = frozenset(host.lower() for host in hosts)
        self.origins = frozenset(origin.lower() for origin in origins)
        self._connections = connections
        self._buckets: dict[str, TokenBucket] = {}
        self.sockets: dict[str, int] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._refused(scope, headers)
        if scope["type"] == "websocket":
            await self._socket(scope, receive, send, refused)
        elif refused:
            await _answer(refused)(scope, receive, _guarded(send))
        else:
            await self.app(scope, _limited(receive), _guarded(send))

    def _refused(self, scope: Any, headers: dict[str, str]) -> int:
        """The status by which a request is refused; 0 if it is not."""
        if headers.get("host", "").lower() not in self.hosts:
            return 421
        writes = scope["type"] == "websocket" or scope["method"] not in {"GET", "HEAD"}
        if writes and headers.get("origin", "").lower() not in self.origins:
            return 403
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            return 413
        return 0 if self._may(_address(scope)) else 429

    def _may(self, address: str) -> bool:
        if len(self._buckets) > 10_000:  # noqa: PLR2004 (so that addresses made up do not fill the memory)
            self._buckets.clear()
        return self._buckets.setdefault(address, TokenBucket(_BURST, _RATE)).take()

    async def _socket(self, scope: Any, receive: Any, send: Any, refused: int) -> None:
        address = _address(scope)
        if refused or self.sockets.get(address, 0) >= self._connections:
            await receive()
            await send({"type": "websocket.close", "code": 1008})
            return
        self.sockets[address] = self.sockets.get(address, 0) + 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.sockets[address] -= 1
            if not self.sockets[address]:
                del self.sockets[address]


def _address(scope: Any) -> str:
    return scope["client"][0] if scope.get("client") else ""


def _answer(status: int) -> JSONResponse:
    code = "too-fast" if status == 429 else "bad-message"  # noqa: PLR2004 (too many requests)
    return JSONResponse({"error": code, "message": REASONS[code]}, status)


def _limited(receive: Any) -> Any:
    """The body up to its limit, also where no length was given; whoever sends more has gone."""
    size = 0

    async def read() -> Any:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        return {"type": "http.disconnect"} if size > LARGEST_BODY else message

    return read


def _guarded(send: Any) -> Any:
    async def write(message: Any) -> None:
        if message["type"] == "http.response.start":
            headers = [(name.encode(), value.encode()) for name, value in _HEADERS.items()]
            message = {**message, "headers": [*message.get("headers", []), *headers]}
        await send(message)

    return write
