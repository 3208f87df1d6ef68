"""Routes of the server: pages, a small JSON API, and the WebSockets of `sockets`."""

from __future__ import annotations

import asyncio
import contextlib
import io
import re
import sys
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import segno
from msgspec import Meta
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

import draftengine as de
from draftengine.apps.web import RefusedError, catalogue, protocol, work
from draftengine.apps.web import messages as showing
from draftengine.apps.web.guard import LARGEST_BODY, Guard, TokenBucket, address_of
from draftengine.apps.web.hub import Settings, TableServer
from draftengine.apps.web.pool import FILES, PEOPLE, WAIT, Once
from draftengine.apps.web.sockets import Sockets
from draftengine.apps.web.table import BOT, FREE, LEVELS, PERSON
from draftengine.support.locale import LANGUAGES, spoken
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping

    from starlette.requests import Request
    from starlette.routing import BaseRoute

    from draftengine.apps.web.catalogue import Catalogue, Source
    from draftengine.apps.web.storage.database import DatabaseStorage

STATIC = Path(__file__).parent / "static"
_STATUS = {
    "no-such-table": 404,
    "no-such-set": 404,
    "no-such-game": 404,
    "no-such-file": 404,
    "not-to-change": 403,
    "not-your-rule": 403,
    "shelf-full": 507,
    "changed-elsewhere": 409,
    "held-elsewhere": 503,
    "not-saved": 507,
    "busy": 503,
    "takes-too-long": 503,
    "too-fast": 429,
}
_UPLOADS, _UPLOADS_RATE = 60, 2
"""The number of card sets that may be checked in a burst, and the number per second after the burst."""
_AT_ONCE = 0.1
"""The seconds for which the first page waits for descriptions of shared house rules."""
_MOST_ENTRIES = 256
_MOST_LANGUAGES = 20
_LONG_ENOUGH = 32
"""The length of a hash that identifies the content of an answer."""
_QUALITY = re.compile(r";\s*q=([01](?:\.\d{1,3})?)")
_ALL_OF_IT = ("", "1")
LOCAL = frozenset({"127.0.0.1", "localhost", "::1"})
"""Names of this machine. Browsers treat connections to these as secure even without TLS."""
_COMPRESSED = [Middleware(GZipMiddleware)]
"""Compression, used only for answers without secrets: a compressed length could reveal a secret."""


class _KeptFiles(StaticFiles):
    """Files that a browser may cache for ever, because their address changes with their content."""

    def file_response(self, *args: Any, **more: Any) -> Response:
        answer = super().file_response(*args, **more)
        answer.headers["cache-control"] = "public, max-age=31536000, immutable"
        answer.headers["service-worker-allowed"] = "/"
        return answer


class Routes:
    """The functions that answer all HTTP requests."""

    def __init__(self, hub: TableServer, catalogue: Catalogue, origins: Iterable[str] = ()) -> None:
        self.hub = hub
        self.catalogue = catalogue
        self.origins = {origin.partition("://")[2].lower(): origin for origin in origins}
        self.pool = hub.pool
        self.workshop = False
        """True if people may change card sets on a page of this server."""
        self.on_shelf: Callable[[str, str, float], Awaitable[tuple[list[dict[str, Any]], int]]] | None = None
        """Returns the house rules on the shelf (see `Workshop.on_shelf`); ``None`` without a shelf."""
        self._uploads = TokenBucket(_UPLOADS, _UPLOADS_RATE)
        self._entries, self._sound, self._printed = Once(_MOST_ENTRIES), Once(_MOST_ENTRIES), Once(_MOST_ENTRIES)

    def _origin(self, request: Request) -> str:
        """Return the origin of a request. Behind a proxy with TLS, only `origins` has the scheme."""
        host = request.url.netloc
        return self.origins.get(host.lower(), f"{request.url.scheme}://{host}")

    async def page(self, request: Request) -> Response:
        """Answer with the page for browsers. Over TLS, they can install it, and chats can preview its link."""
        origin, language, head = self._origin(request), reader_of(request), ""
        if origin.startswith("https://") or request.url.hostname in LOCAL:
            head = showing.INSTALLABLE
        if origin.startswith("https://") and "table" in request.path_params:
            with contextlib.suppress(RefusedError):
                table = (await self.hub.live(request.path_params["table"])).table
                head += showing.link_shown(table, f"{origin}/t/{table.id}", language)
        head += showing.preloads(request.url.path.split("/")[1])
        return HTMLResponse(showing.page_in(language).replace("{head}", head))

    async def preview(self, request: Request) -> Response:
        """Answer with the picture for the preview of a link to a table."""
        table = (await self.hub.live(request.path_params["table"])).table
        words = showing.invitation(table, reader_of(request))
        make = partial(self.pool.do, PEOPLE, table.id, WAIT, work.picture, table.game, *words)
        return Response(await self._printed.get((table.game, *words), make), media_type="image/png")

    async def rulebook(self, request: Request) -> Response:
        """Answer with the rulebook of a table's game: a page with a style sheet and no script."""
        table, language = (await self.hub.live(request.path_params["table"])).table, reader_of(request)
        make = partial(self.pool.do, PEOPLE, table.id, WAIT, work.rulebook, table.game, language)
        policy = {"content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"}
        return HTMLResponse(await self._printed.get((table.game, language), make), headers=policy)

    async def words(self, request: Request) -> Response:
        """Answer with all texts of the page, in the requested or the browser's preferred language."""
        return _versioned(request, showing.words_in(reader_of(request)).encode())

    async def icon(self, _: Request) -> Response:
        """Answer with the site's icon, for which browsers ask even where a page names none."""
        return FileResponse(STATIC / "icon.svg")

    async def healthz(self, _: Request) -> Response:
        return JSONResponse({"status": "ok", "version": de.__version__})

    async def sets(self, request: Request) -> Response:
        language = protocol.language_in(request.query_params)
        entries = (self.entry(PEOPLE, name, name, source, language) for name, source in self.catalogue.served)
        listed = await asyncio.gather(*entries)
        shelf: tuple[list[dict[str, Any]], int] = [], 0
        if self.on_shelf:  # what the shelf holds and nobody has seen yet does not hold up the first page
            shelf = [], 1
            with contextlib.suppress(RefusedError, TimeoutError):
                async with asyncio.timeout(1):
                    shelf = await self.on_shelf(language, address_of(request.client), _AT_ONCE)
        answer = {
            "sets": listed,
            "uploads": self.catalogue.may_be_brought,
            "workshop": self.workshop,
            "shelf": shelf[0],
            "waiting": shelf[1],
        }
        return _versioned(request, msgspec.json.encode(answer))

    async def entry(self, lane: str, who: str, name: str, source: Source, language: str) -> dict[str, Any]:
        """Return the description of a card set for the lobby, computed once per card set and language."""
        make = partial(self.pool.do, lane, who, WAIT, catalogue.entry, name, source, language)
        entry: dict[str, Any] = await self._entries.get((name, language), make)
        return entry

    async def bring(self, request: Request) -> Response:
        """Check a card set that somebody uploads. Answer with its description, or with its errors."""
        data = await body_of(request, LARGEST_BODY)
        (name, source), language = await self._set(request, data), protocol.language_in(data)
        return JSONResponse(await self.entry(FILES, address_of(request.client), name, source, language), 201)

    async def _set(self, request: Request, data: Mapping[str, Any]) -> tuple[str, Source]:
        """Return the name and texts of the card set of a request, which may upload it. Raises `RefusedError`."""
        name, text = data.get("set"), data.get("upload")
        if isinstance(text, str):
            name = await self.brought(text, address_of(request.client), reader_of(request))
        if not isinstance(name, str):
            raise RefusedError("bad-message")
        return name, await self.source(name)

    async def source(self, name: str) -> Source:
        """Return the texts of a served, uploaded or shared card set. Raises `RefusedError`: ``no-such-set``."""
        with contextlib.suppress(RefusedError):
            return self.catalogue.source(name)
        texts = await self.hub.disk.call(self.hub.storage.shelved_texts, name)
        self.catalogue.keep(name, msgspec.json.decode(texts, type=catalogue.Source))
        return self.catalogue.source(name)

    async def brought(self, text: str, who: str, language: str, files: Source = ()) -> str:
        """Check a text that somebody uploads, and return the name for it. Raises `RefusedError`."""
        name, known = self.catalogue.name_for(text, files)
        if not known:
            if not self._uploads.take():
                raise RefusedError("too-fast")
            await self._sound.get(name, partial(self._check, name, text, who, language, files))
        return name

    async def _check(self, name: str, text: str, who: str, language: str, files: Source) -> None:
        """Check an uploaded card set, and keep it. Raises `RefusedError` if it has errors or takes too long."""
        with _named("check"):
            source, head = await self.pool.do(FILES, who, WAIT, catalogue.bring, text, language, files)
        with _named("facts"):
            await self.entry(FILES, who, name, source, "en")
        with _named("play"):
            await self.pool.do(FILES, who, WAIT, work.tried, head)
        self.catalogue.keep(name, source)

    async def problems(self, request: Request) -> Response:
        data = await body_of(request, LARGEST_BODY)
        variants = protocol.part_in(data, "variants", _Names)
        players = protocol.whole(data, "players", 1, 99)
        _, source = await self._set(request, data)
        problems = await self.pool.do(
            PEOPLE, address_of(request.client), WAIT, catalogue.problems, source, variants, players, reader_of(request)
        )
        return JSONResponse(problems)

    async def create(self, request: Request) -> Response:
        data = await body_of(request, LARGEST_BODY)
        seats = []
        for seat in protocol.part_in(data, "seats", _Seats):
            kind = protocol.word(seat, "kind", (FREE, PERSON, BOT))
            level = protocol.word({"level": "medium", **seat}, "level", LEVELS)
            seats.append({"kind": kind, "level": level, "name": protocol.name_in(seat) if kind == PERSON else ""})
        variants = protocol.part_in(data, "variants", _Names)
        if not any(seat["kind"] == PERSON for seat in seats):
            raise RefusedError("bad-message")
        _, source = await self._set(request, data)
        head = await self.pool.do(
            PEOPLE, address_of(request.client), WAIT, catalogue.head, source, variants, len(seats), reader_of(request)
        )
        options = {option: data.get(option, True) is True for option in ("hints", "effects", "memory")}
        table, tokens = await self.hub.create(head, {"seats": seats, **options})
        return JSONResponse({"table": table, "tokens": {str(seat): token for seat, token in tokens.items()}}, 201)

    async def sit(self, request: Request) -> Response:
        data = await body_of(request)
        seat = protocol.whole({"seat": -1, **data}, "seat", -1, 99)
        taken, token = await self.hub.sit(request.path_params["table"], protocol.name_in(data), seat)
        return JSONResponse({"seat": taken, "token": token}, 201)

    async def now(self, request: Request) -> Response:
        """Answer with a summary of a table, for the list of tables in a browser."""
        language, live = protocol.language_in(request.query_params), await self.hub.live(request.path_params["table"])
        return JSONResponse(showing.summary_shown(live.table, language))

    async def code(self, request: Request) -> Response:
        """Answer with a QR code of the link to a table."""
        live = await self.hub.live(request.path_params["table"])
        address = f"{self._origin(request)}/t/{live.table.id}"
        picture = io.BytesIO()
        segno.make(address, error="m").save(picture, kind="svg", border=2, scale=4, dark="#1d2126", light="#ffffff")
        return Response(picture.getvalue(), media_type="image/svg+xml")

    async def games(self, _: Request) -> Response:
        return JSONResponse(await self.hub.disk.call(self.hub.storage.finished, 200))

    async def record(self, request: Request) -> Response:
        return JSONResponse(await self.hub.disk.call(self.hub.storage.record, request.path_params["game"]))

    async def replay(self, request: Request) -> Response:
        """Answer with a finished game as a seat saw it, or with a bot's opinion of the choice ``at``."""
        seat, step = _number(request, "seat"), _number(request, "at")
        record = await self.hub.disk.call(self.hub.storage.record, request.path_params["game"])
        ask = partial(self.pool.do, PEOPLE, address_of(request.client), WAIT)
        language = protocol.language_in(request.query_params)
        if step >= 0:
            return JSONResponse({"hints": await ask(work.opinion, record, seat, step, language)})
        return JSONResponse(await ask(work.frames, record, seat, language))

    async def score(self, request: Request) -> Response:
        """Answer with the points of cards on a real table."""
        data = await body_of(request)
        names = [protocol.name_in({"name": name}) for name in protocol.part_in(data, "names", _Names)]
        source = await self.source(protocol.part_in(data, "set", str))
        asked = (source, protocol.part_in(data, "variants", _Names), names, data, protocol.language_in(data))
        return JSONResponse(await self.pool.do(PEOPLE, address_of(request.client), WAIT, work.sheet, *asked))


def _versioned(request: Request, body: bytes) -> Response:
    """Return an answer that a browser caches and asks for again, or only a status if it has this version."""
    # The tag is weak, because proxies and this server compress the answer.
    headers = {
        "etag": f'W/"{sha256(body).hexdigest()[:_LONG_ENOUGH]}"',
        "cache-control": "no-cache",
        "vary": "accept-language",
    }
    if headers["etag"] in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


@contextlib.contextmanager
def _named(what: str) -> Iterator[None]:
    """Add the task that took too long to a refusal raised in the ``with`` block, unless it is named."""
    try:
        yield
    except RefusedError as error:
        if error.code == "takes-too-long" and not error.detail:
            detail = said("detail.slow", what=said(f"detail.slow.{what}"), seconds=f"{WAIT:.0f}")
            raise RefusedError(error.code, detail) from None
        raise


async def body_of(request: Request, largest: int = protocol.LARGEST) -> dict[str, Any]:
    """Return the JSON object in a request. Raises `RefusedError`."""
    try:
        text = (await request.body()).decode()
    except UnicodeDecodeError:
        raise RefusedError("bad-message", said("detail.encoding")) from None
    return protocol.read(text, largest)


def _number(request: Request, name: str) -> int:
    """Return a whole number from the query of a request; -1 if it is missing. Raises `RefusedError`."""
    text = request.query_params.get(name, "-1")
    if not text.removeprefix("-").isdecimal() or len(text) > 6:  # noqa: PLR2004 (more than any game has)
        raise RefusedError("bad-message")
    return int(text)


_Names = Annotated[list[str], Meta(max_length=50)]
_Seats = Annotated[list[dict[str, Any]], Meta(min_length=1, max_length=20)]


def reader_of(request: Request) -> str:
    """Return the language for a request: the requested one, or the browser's. Raises `RefusedError`."""
    named = request.query_params.get("language")
    if named is not None:
        return spoken(protocol.language_in({"language": named})).language
    accepted = request.headers.get("accept-language", "").split(",")[:_MOST_LANGUAGES]
    ranked = sorted(accepted, key=lambda tag: -float((_QUALITY.search(tag) or _ALL_OF_IT)[1]))
    main = (tag.partition(";")[0].partition("-")[0].strip().lower() for tag in ranked)
    return next((tag for tag in main if tag in LANGUAGES), "en")


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)
    try:
        language = reader_of(request)
    except RefusedError:
        language = "en"
    return JSONResponse(error.answer_in(language), _STATUS.get(error.code, 400))


def make(
    storage: DatabaseStorage,
    catalogue: Catalogue,
    hosts: Iterable[str],
    origins: Iterable[str],
    settings: Settings | None = None,
    workshop: Callable[[Routes], Iterable[BaseRoute]] | None = None,
) -> Guard:
    """Return the application, behind its guard.

    `workshop` returns further routes, for people who write card sets.
    """
    settings, origins = settings or Settings(), list(origins)
    hub = TableServer(storage, settings)
    site = Routes(hub, catalogue, origins)
    site.workshop = workshop is not None

    @contextlib.asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        sys.setswitchinterval(0.001)  # threads that open tables yield to the loop
        keeping = asyncio.create_task(hub.run())
        try:
            yield
        finally:
            keeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await keeping

    routes = [
        *(Route(path, site.page) for path in ("/", "/t/{table}", "/games", "/games/{game}", "/score")),
        Route("/t/{table}/preview.png", site.preview),
        Route("/t/{table}/rules", site.rulebook, middleware=_COMPRESSED),
        Route("/favicon.ico", site.icon),
        Route("/healthz", site.healthz),
        Route("/api/words", site.words, middleware=_COMPRESSED),
        Route("/api/sets", site.sets, methods=["GET"], middleware=_COMPRESSED),
        Route("/api/sets", site.bring, methods=["POST"]),
        Route("/api/problems", site.problems, methods=["POST"]),
        Route("/api/tables", site.create, methods=["POST"]),
        Route("/api/tables/{table}/sit", site.sit, methods=["POST"]),
        Route("/api/tables/{table}/now", site.now),
        Route("/api/tables/{table}/code.svg", site.code),
        Route("/api/games", site.games),
        Route("/api/games/{game}", site.record),
        Route("/api/games/{game}/replay", site.replay),
        Route("/api/score", site.score, methods=["POST"]),
        WebSocketRoute("/api/tables/{table}/play", Sockets(hub).play),
        *(workshop(site) if workshop else ()),
        Mount(showing.SCRIPTS, _KeptFiles(directory=STATIC), middleware=_COMPRESSED),
        Mount("/static", StaticFiles(directory=STATIC), middleware=_COMPRESSED),
    ]
    inner = Starlette(routes=routes, exception_handlers={RefusedError: _refused}, lifespan=life)
    return Guard(inner, hosts, origins, settings.connections)
