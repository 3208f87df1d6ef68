"""Routes of the workshop: its page, the two connections of each page, and a local file, if it has one."""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections import OrderedDict
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from draftengine.apps.web import RefusedError, protocol
from draftengine.apps.web import messages as showing
from draftengine.apps.web.app import Routes, body_of, reader_of
from draftengine.apps.web.guard import LARGEST_BODY, POLICY, address_of
from draftengine.apps.web.pool import PEOPLE, WAIT, WRITING, Once, Pool
from draftengine.apps.web.storage.chain import MOST_SHELVED, Shelved, fits, hashed, new_id, new_token
from draftengine.apps.workshop import work
from draftengine.apps.workshop.sessions import LanguageSession, PanesSession
from draftengine.apps.workshop.work import MOST_FILES, NO_FILES, Draft, hash_of
from draftengine.model import limits
from draftengine.support.files import replacing
from draftengine.support.locale import LANGUAGES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from starlette.requests import HTTPConnection, Request
    from starlette.websockets import WebSocket

    from draftengine.apps.web.catalogue import Source

BURST, RATE = 30.0, 0.5
"""The seconds of processor time that an address may use at once, and that it gains per second."""
SHARING = 5.0
"""The seconds that sharing a house rule takes from the allowance of its address."""
_MOST = 10_000


class Allowances:
    """The processor time in seconds that each address may still use; below 0 if a task took more."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}
        """By address: the seconds that were left, and the time at which they were left."""

    def left(self, address: str) -> float:
        """Return the seconds that an address may use now."""
        seconds, then = self._left.get(address, (BURST, self._clock()))
        return min(BURST, seconds + (self._clock() - then) * RATE)

    def spend(self, address: str, seconds: float) -> None:
        """Subtract the seconds that a task took."""
        if len(self._left) >= _MOST:  # made-up addresses must not fill the memory
            self._left.clear()
        self._left[address] = (self.left(address) - seconds, self._clock())


_SECRET = 40
"""The length of a local file's secret id."""


class LocalFile:
    """A file on this machine that is written in the workshop. Its page has the secret `id` as address.

    A file has the same address as long as `secret` is the same, so pages survive a restart of the server.
    """

    def __init__(self, path: Path, secret: str = "") -> None:
        self.path = path.resolve()
        self.id = hash_of(f"{secret or new_token()}\n{self.path}")[:_SECRET]

    def read(self) -> str:
        """Return the present text. Raises `RefusedError`: ``too-large``; ``bad-message`` if not text."""
        try:
            text = _text_in(self.path)
        except FileNotFoundError:
            return ""
        except (OSError, UnicodeDecodeError):
            raise RefusedError("bad-message") from None
        if text is None:
            raise RefusedError("too-large")
        return text

    def save(self, text: str, before: str) -> str:
        """Replace the version whose hash is `before` by a new text, and return the hash of that text.

        Raises `RefusedError`: ``changed-elsewhere``, ``not-saved``. The file is then unchanged.
        """
        if hash_of(self.read()) not in {before, hash_of(text)}:
            raise RefusedError("changed-elsewhere")
        try:
            with replacing(self.path) as file:
                file.write(text.encode())
        except OSError:
            raise RefusedError("not-saved") from None
        return hash_of(text)

    def neighbours(self) -> tuple[Source, tuple[tuple[str, str], ...]]:
        """Return other card sets in the folder and its subfolders, and (name, reason) of refused files."""
        files, refused, folder = [], [], self.path.parent
        paths = sorted(path for shape in ("*.y*ml", "*/*.y*ml") for path in folder.glob(shape) if path != self.path)
        for path in paths[:MOST_FILES]:
            name = path.relative_to(folder).as_posix()
            text = None
            try:
                inside = path.resolve().is_relative_to(self.path.parent)
                text, reason = _text_in(path) if inside else None, "large" if inside else "outside"
            except (OSError, RuntimeError):  # a folder, a link to nothing, or a link to itself
                reason = "unreadable"
            except UnicodeDecodeError:
                reason = "bytes"
            if text is None:
                refused.append((name.rpartition(".")[0], f"shop.refused.{reason}"))
            else:
                files.append((name.rpartition(".")[0], name, text))
        if len(paths) > MOST_FILES:
            refused.append(("", "shop.refused.many"))
        return tuple(files), tuple(refused)


def _text_in(path: Path) -> str | None:
    """Return the text of a file; ``None`` if it is too long. Raises `OSError`, `UnicodeDecodeError`."""
    with path.open("rb") as file:
        data = file.read(limits.UPLOAD + 1)
    return data.decode() if len(data) <= limits.UPLOAD else None


_MOST_PAGES = 256
"""The number of rulebooks and player aids that are kept for the frames of pages."""
_MOST_CHECKS = 64
"""The number of texts whose findings are kept."""
_FOR_SHELF = 8.0
"""The seconds after which the lobby gets the shared house rules whose descriptions are finished."""
_CONNECTIONS = 2
"""The number of connections that a page opens. Each needs a process immediately."""
_FRAMED = {
    "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
    "frame-ancestors 'self'",
    "x-frame-options": "SAMEORIGIN",
}
"""Headers of a rulebook in a frame: no scripts, no origin, and only pages of this server show it."""


class Desk(Struct):
    """Everything that the two connections of one page need from the server."""

    pool: Pool
    checks: Once
    """The cached findings about texts, which both connections of a page use."""
    allowances: Allowances
    address: str
    language: str
    draft: Callable[[str], Draft]
    """A function that returns the draft of a text, with all files which the text may extend."""
    kept: Callable[[str], dict[str, Any]]
    """A function that stores an HTML page and returns its address; for an empty page, an empty address."""

    @property
    def may_play(self) -> bool:
        """True if this address has processor time left for test games."""
        return self.allowances.left(self.address) > 0


class Workshop:
    """The functions that answer the workshop's requests. Without a `local` file, browsers keep the texts."""

    def __init__(self, site: Routes, local: LocalFile | None = None) -> None:
        self.site, self.local = site, local
        site.on_shelf = self.on_shelf
        self.allowances, self.sharing = Allowances(), Allowances()
        """The time that addresses may still use for panes and games, and for sharing house rules."""
        self.checks, self._differing = Once(_MOST_CHECKS), Once(MOST_SHELVED * len(LANGUAGES))
        """Findings about texts, and what tells house rules on the shelf from the games that they change."""
        self._warming: set[asyncio.Future[None]] = set()
        """Processes that import modules while the page loads."""
        self._pages: OrderedDict[str, str] = OrderedDict()

    def routes(self) -> Iterable[BaseRoute]:
        return [
            Route("/workshop/{shop}", self.page),
            Route("/api/shelf", self.shelf),
            Route("/api/shelf", self.share, methods=["POST"]),
            Route("/api/shelf/{rule}", self.shelved),
            Route("/api/workshop/begin", self.begin),
            Route("/api/workshop/pages/{page}", self.framed),
            Route("/api/workshop/{shop}", self.text),
            Route("/api/workshop/{shop}/save", self.save, methods=["POST"]),
            Route("/api/workshop/{shop}/play", self.play, methods=["POST"]),
            WebSocketRoute("/api/workshop/{shop}/language", self.language),
            WebSocketRoute("/api/workshop/{shop}/panes", self.panes),
        ]

    async def page(self, request: Request) -> Response:
        page = showing.page_in(reader_of(request), "workshop/index.html").replace("{largest}", str(LARGEST_BODY))

        def warmed(warming: asyncio.Future[None]) -> None:
            """Forget a task that imports modules. If it was too slow, a later task imports them."""
            self._warming.discard(warming)
            if not warming.cancelled():
                warming.exception()

        for _ in range(_CONNECTIONS):
            warming = asyncio.ensure_future(self.site.pool.do(WRITING, address_of(request.client), WAIT, work.ready))
            self._warming.add(warming)
            warming.add_done_callback(warmed)
        return HTMLResponse(page, headers={"content-security-policy": f"{POLICY}; frame-src 'self'"})

    async def begin(self, request: Request) -> Response:
        """Answer with a first text for a card set that changes another one."""
        name, language = request.query_params.get("extends", ""), reader_of(request)
        source = self.site.catalogue.source(name)
        who = address_of(request.client)
        return JSONResponse(
            {"text": await self.site.pool.do(PEOPLE, who, WAIT, work.beginning, name, source, language)}
        )

    async def text(self, request: Request) -> Response:
        """Answer with the text of the local file, if the address in the request is the file's secret one."""
        local = self._local(request)
        if local is None:
            return JSONResponse({"local": False})
        text = local.read()
        key = hash_of(str(local.path))
        return JSONResponse({"local": True, "file": local.path.name, "key": key, "text": text, "hash": hash_of(text)})

    async def save(self, request: Request) -> Response:
        data, local = await body_of(request, LARGEST_BODY), self._local(request)
        text, before = data.get("text"), data.get("before")
        if local is None:
            raise RefusedError("no-such-file")
        if not isinstance(text, str) or not isinstance(before, str):
            raise RefusedError("bad-message")
        return JSONResponse({"hash": local.save(text, before)})

    async def play(self, request: Request) -> Response:
        """Check a text. Answer with the name by which the server plays it."""
        text = (await body_of(request, LARGEST_BODY)).get("text")
        if not isinstance(text, str):
            raise RefusedError("bad-message")
        draft = self._draft(request, text)
        name = await self.site.brought(text, address_of(request.client), reader_of(request), draft.files)
        return JSONResponse({"set": name})

    async def shelf(self, request: Request) -> Response:
        """Answer with the shared house rules. If some are not ready, the page asks again."""
        sets, waiting = await self.on_shelf(reader_of(request), address_of(request.client), _FOR_SHELF)
        return JSONResponse({"sets": sets, "waiting": waiting})

    async def on_shelf(self, language: str, who: str, seconds: float) -> tuple[list[dict[str, Any]], int]:
        """Return descriptions of the shared house rules for the lobby, and the number of those left out.

        Rules are left out if their descriptions take more than `seconds`. These are finished meanwhile, for the next
        call.
        """
        site = self.site
        shared = await site.hub.disk.call(site.hub.storage.shelf)

        async def shown(rule: Shelved) -> dict[str, Any] | None:
            with contextlib.suppress(RefusedError):  # a later version may find an error in it
                source = await site.source(rule.name)
                entry = await site.entry(PEOPLE, who, rule.name, source, language)
                make = partial(site.pool.do, PEOPLE, who, WAIT, work.house_rule, source, language)
                differing = await self._differing.get((rule.name, language), make)
                return {**entry, **differing, "shelf": rule.id, "open": rule.may_change}
            return None

        tasks = [asyncio.ensure_future(shown(rule)) for rule in shared]
        try:
            waiting = (await asyncio.wait(tasks, timeout=seconds))[1] if tasks else set()
        finally:  # also if the page is gone
            for task in tasks:
                task.cancel()
        return [*filter(None, (task.result() for task in tasks if task not in waiting))], len(waiting)

    async def share(self, request: Request) -> Response:
        """Share a house rule, change a shared one, or stop sharing it. The last two need its token."""
        data, who, site = await body_of(request, LARGEST_BODY), address_of(request.client), self.site
        rule, token = protocol.part_in({"rule": "", **data}, "rule", str), data.get("token")
        if rule and not fits(str(token), (await self._rule(rule)).owner):
            raise RefusedError("not-your-rule")
        storage, text = site.hub.storage, data.get("text")
        if rule and text is None:
            await site.hub.disk.call(storage.take_off_shelf, rule)
            return JSONResponse({"rule": ""})
        if not isinstance(text, str):
            raise RefusedError("bad-message")
        if self.sharing.left(who) <= 0:
            raise RefusedError("too-fast")
        self.sharing.spend(who, SHARING)
        name = await site.brought(text, who, reader_of(request), self._draft(request, text).files)
        rule, token = (rule, token) if rule else (new_id(), new_token())
        texts = json.dumps(site.catalogue.source(name), ensure_ascii=False)
        shared = Shelved(rule, name, hashed(str(token)), data.get("open") is True)
        await site.hub.disk.call(storage.put_on_shelf, shared, texts, site.hub.settings.clock())
        return JSONResponse({"rule": rule, "token": token}, 201)

    async def shelved(self, request: Request) -> Response:
        """Answer with the text of a shared house rule, if others may change a copy of it."""
        rule = await self._rule(request.path_params["rule"])
        if not rule.may_change:
            raise RefusedError("not-to-change")
        source = await self.site.source(rule.name)
        return JSONResponse({"text": next(text for asked, _, text in source if not asked)})

    async def _rule(self, name: str) -> Shelved:
        """Return a shared house rule. Raises `RefusedError`: ``no-such-set``."""
        shared = await self.site.hub.disk.call(self.site.hub.storage.shelf)
        for rule in shared:
            if rule.id == name:
                return rule
        raise RefusedError("no-such-set")

    async def framed(self, request: Request) -> Response:
        """Answer with a rulebook or an aid. Only the page that requested it knows its address."""
        page = self._pages.get(request.path_params["page"])
        return HTMLResponse(page, headers=_FRAMED) if page is not None else Response(status_code=404)

    async def language(self, socket: WebSocket) -> None:
        await LanguageSession(socket, self._desk(socket)).serve()

    async def panes(self, socket: WebSocket) -> None:
        await PanesSession(socket, self._desk(socket)).serve()

    def _local(self, request: HTTPConnection) -> LocalFile | None:
        return self.local if self.local is not None and request.path_params.get("shop") == self.local.id else None

    def _desk(self, socket: WebSocket) -> Desk:
        try:
            language = protocol.language_in(socket.query_params)
        except RefusedError:
            language = "en"
        return Desk(
            self.site.pool,
            self.checks,
            self.allowances,
            address_of(socket.client),
            language,
            lambda text: self._draft(socket, text),
            self._keep,
        )

    def _draft(self, request: HTTPConnection, text: str) -> Draft:
        local = self._local(request)
        if local is not None:
            files, refused = local.neighbours()
            return Draft(local.path.name, text, files=files, refused=refused)
        served = ((name, f"{name}.yaml", source[0][2]) for name, source in self.site.catalogue.served)
        return Draft("rules.yaml", text, files=tuple(served), refused=NO_FILES)

    def _keep(self, page: str) -> dict[str, Any]:
        if not page:
            return {"page": ""}
        name = new_token()
        self._pages[name] = page
        if len(self._pages) > _MOST_PAGES:
            self._pages.popitem(last=False)
        return {"page": f"/api/workshop/pages/{name}"}
