"""The guard of the application: who may ask, how much and how often, and what pages may do."""

from __future__ import annotations

import asyncio
import json
import time
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse

from draftengine.apps.web.connections import address_of
from draftengine.apps.web.errors import RefusedError
from draftengine.apps.web.protocol import VERSION, check_text
from draftengine.model import limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LARGEST_BODY = limits.UPLOAD
_BURST, _RATE = 300, 50
"""The number of API requests of an address in a burst, and per second after it."""
_PAGES_BURST, _PAGES_RATE = 3_000, 500
"""Requests for pages and files in a burst, and per second: a class of fifty may open them together."""
_BODY = 20.0
"""The time limit for the body of a request to arrive, in seconds."""
_BUSY, _LARGE, _SLOW, _BAD = (429, "too-fast"), (413, "too-large"), (408, "too-slow"), (400, "bad-message")
_OTHER_NAME, _OTHER_PAGE = (421, "bad-message"), (403, "bad-message")
# Full Chromium, unlike its headless shell, sometimes fetches all pictures of a page by itself, and then reports each as
# a violation of `connect-src`. Without `blob:` there, 5 of 61 tests of pages complained in both runs, and no page got
# an event for it. `blob:` sends nothing out: it names what a page of this origin has made itself.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self' blob:; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'"
)
_HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cache-control": "no-store",
}


class TokenBucket:
    """Rate limit: a burst, then a rate per second."""

    def __init__(self, burst: float, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst, self._rate, self._clock = burst, rate, clock
        self._left, self._then = burst, clock()

    def take(self) -> bool:
        """Take a token. Return False if there is none."""
        now = self._clock()
        self._left = min(self._burst, self._left + (now - self._then) * self._rate)
        self._then = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Guard:
    """Refuses requests that are too large, too frequent, or not from a page of this server.

    `hosts` are the names of this server, with their ports. Pages of another origin, and other names that point to this
    machine, get nothing.
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
            return
        body = b""
        if not refused:
            try:
                async with asyncio.timeout(_BODY):
                    body = await _body(receive)
            except TimeoutError:
                refused = _SLOW
            except _GoneError:
                return
            if len(body) > LARGEST_BODY:
                refused = _LARGE
        if refused:
            await _answer(*refused)(scope, receive, _guarded(send))
        else:
            await self.app(scope, _again(body, receive), _guarded(send))

    def _refused(self, scope: Any, headers: dict[str, str]) -> tuple[int, str] | None:
        """Return the status and code of the refusal; ``None`` if the request is allowed."""
        if headers.get("host", "").lower() not in self.hosts:
            return _OTHER_NAME
        writes = scope["type"] == "websocket" or scope["method"] not in {"GET", "HEAD"}
        if writes and headers.get("origin", "").lower() not in self.origins:
            return _OTHER_PAGE
        try:
            check_text(scope["path"])
        except RefusedError:
            return _BAD
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 9 or int(length) > LARGEST_BODY:  # noqa: PLR2004 (far beyond)
            return _LARGE
        return None if self._may(address_of(scope.get("client")), scope["path"]) else _BUSY

    def _may(self, address: str, path: str) -> bool:
        if len(self._buckets) > 10_000:  # noqa: PLR2004 (made-up addresses must not fill the memory)
            self._buckets.clear()
        if path.startswith("/api/"):
            return self._buckets.setdefault(address, TokenBucket(_BURST, _RATE)).take()
        return self._buckets.setdefault(f"{address} pages", TokenBucket(_PAGES_BURST, _PAGES_RATE)).take()

    async def _socket(self, scope: Any, receive: Any, send: Any, refused: tuple[int, str] | None) -> None:
        address = address_of(scope.get("client"))
        if refused is None and self.sockets.get(address, 0) >= self._connections:
            refused = (503, "too-many-here")
        if refused is not None:
            await receive()
            if refused not in {_OTHER_NAME, _OTHER_PAGE, _BAD}:  # a page of ours, which can read the reason
                message = {"v": VERSION, **RefusedError(refused[1]).message_for(None)}
                await send({"type": "websocket.accept"})
                await send({"type": "websocket.send", "text": json.dumps(message)})
            await send({"type": "websocket.close", "code": 1008})
            return
        self.sockets[address] = self.sockets.get(address, 0) + 1
        try:
            await self.app(scope, receive, send)
        finally:
            self.sockets[address] -= 1
            if not self.sockets[address]:
                del self.sockets[address]


class _GoneError(Exception):
    """The client disconnected during a request."""


def _answer(status: int, code: str) -> JSONResponse:
    return JSONResponse(RefusedError(code).answer_in("en"), status, {"connection": "close"})


async def _body(receive: Any) -> bytes:
    """Return the body of a request, also without a length; only the beginning of one that is too large.

    Raises `_GoneError`.
    """
    body, more = b"", True
    while more and len(body) <= LARGEST_BODY:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _GoneError
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


def _again(body: bytes, receive: Any) -> Any:
    """Return a `receive` that yields a body that was already read."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def read() -> Any:
        return waiting.pop() if waiting else await receive()

    return read


def _guarded(send: Any) -> Any:
    async def write(message: Any) -> None:
        if message["type"] == "http.response.start":
            sent = list(message.get("headers", []))
            given = {name for name, _ in sent}
            usual = ((name.encode(), value.encode()) for name, value in _HEADERS.items())
            message = {**message, "headers": [*sent, *(pair for pair in usual if pair[0] not in given)]}
        await send(message)

    return write
