"""The server's addresses: pages, a small interface in JSON, and one WebSocket for each seat that looks at a table."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import segno
from starlette.applications import Starlette
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocketDisconnect

import draftengine as de
from draftengine.apps.web import catalogue, protocol, work
from draftengine.apps.web import messages as showing
from draftengine.apps.web.connections import address_of
from draftengine.apps.web.errors import REASONS, RefusedError
from draftengine.apps.web.guard import LARGEST_BODY, Guard, TokenBucket
from draftengine.apps.web.hub import Client, Settings, TableServer
from draftengine.apps.web.pool import FILES, PEOPLE, Once
from draftengine.apps.web.table import BOT, FREE, LEVELS, PERSON

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping

    from starlette.requests import Request
    from starlette.websockets import WebSocket

    from draftengine.apps.web.catalogue import Catalogue, Source
    from draftengine.apps.web.hub import LiveTable
    from draftengine.apps.web.storage.interface import Storage

STATIC = Path(__file__).parent / "static"
GREETING = 5.0
"""Seconds in which a connection has to say who it is."""
_STATUS = {
    "no-such-table": 404,
    "no-such-set": 404,
    "no-such-game": 404,
    "held-elsewhere": 503,
    "not-saved": 507,
    "busy": 503,
}
_BURST, _RATE = 40, 20
_UPLOADS, _UPLOADS_RATE = 60, 2
"""Card sets that are looked at: so many at once, and so many a second after that."""
WAIT = 20.0
"""Seconds of a process for what somebody asks for."""
_MOST_ENTRIES = 64


class Routes:
    """What the addresses do."""

    def __init__(self, hub: TableServer, catalogue: Catalogue, origins: Iterable[str] = ()) -> None:
        self.hub = hub
        self.catalogue = catalogue
        self.origins = {origin.partition("://")[2].lower(): origin for origin in origins}
        self.pool = hub.pool
        self._uploads = TokenBucket(_UPLOADS, _UPLOADS_RATE)
        self._entries, self._sound = Once(_MOST_ENTRIES), Once(_MOST_ENTRIES)

    async def page(self, _: Request) -> Response:
        return FileResponse(STATIC / "index.html")

    async def healthz(self, _: Request) -> Response:
        return JSONResponse({"status": "ok", "version": de.__version__})

    async def sets(self, request: Request) -> Response:
        language = protocol.language_in(request.query_params)
        entries = (self._entry(PEOPLE, name, name, source, language) for name, source in self.catalogue.served)
        listed = await asyncio.gather(*entries)
        return JSONResponse({"sets": listed, "uploads": self.catalogue.may_be_brought})

    async def _entry(self, lane: str, who: str, name: str, source: Source, language: str) -> dict[str, Any]:
        """How a card set looks in the lobby; worked out once."""
        make = partial(self.pool.do, lane, who, WAIT, catalogue.entry, name, source, language)
        entry: dict[str, Any] = await self._entries.get((name, language), make)
        return entry

    async def bring(self, request: Request) -> Response:
        """A card set that somebody brings: how it looks in the lobby, or what is wrong with it."""
        data = await _body(request, LARGEST_BODY)
        (name, source), language = await self._set(request, data), protocol.language_in(data)
        return JSONResponse(await self._entry(FILES, address_of(request.client), name, source, language), 201)

    async def _set(self, request: Request, data: Mapping[str, Any]) -> tuple[str, Source]:
        """The card set that is asked for: one that is served, or one that is sent along as text."""
        name, text = data.get("set"), data.get("upload")
        if isinstance(text, str):
            name, known = self.catalogue.name_for(text)
            if not known:
                if not self._uploads.take():
                    raise RefusedError("too-fast")
                await self._sound.get(name, partial(self._check, name, text, address_of(request.client)))
        if not isinstance(name, str):
            raise RefusedError("bad-message")
        return name, self.catalogue.source(name)

    async def _check(self, name: str, text: str, who: str) -> None:
        """Let one process do all that a card set asks of a server, so that what nobody could wait for is refused."""
        with _named("Checking this card set"):
            source, head = await self.pool.do(FILES, who, WAIT, catalogue.bring, text)
        with _named("Writing down what the cards and rules of this card set do"):
            await self._entry(FILES, who, name, source, "en")
        with _named("Playing this card set"):
            await self.pool.do(FILES, who, WAIT, work.tried, head)
        self.catalogue.keep(name, source)

    async def problems(self, request: Request) -> Response:
        data = await _body(request, LARGEST_BODY)
        variants = _names(data.get("variants"))
        players = protocol.whole(data, "players", 1, 99)
        _, source = await self._set(request, data)
        problems = await self.pool.do(
            PEOPLE, address_of(request.client), WAIT, catalogue.problems, source, variants, players
        )
        return JSONResponse(problems)

    async def create(self, request: Request) -> Response:
        data = await _body(request, LARGEST_BODY)
        seats, variants = _seats(data), _names(data.get("variants"))
        if not any(seat["kind"] == PERSON for seat in seats):
            raise RefusedError("bad-message")
        _, source = await self._set(request, data)
        head = await self.pool.do(
            PEOPLE, address_of(request.client), WAIT, catalogue.head, source, variants, len(seats)
        )
        options = {option: data.get(option, True) is True for option in ("hints", "effects", "memory")}
        table, tokens = await self.hub.create(head, {"seats": seats, **options})
        return JSONResponse({"table": table, "tokens": {str(seat): token for seat, token in tokens.items()}}, 201)

    async def sit(self, request: Request) -> Response:
        data = await _body(request)
        seat = protocol.whole({"seat": -1, **data}, "seat", -1, 99)
        taken, token = await self.hub.sit(request.path_params["table"], protocol.name_in(data), seat)
        return JSONResponse({"seat": taken, "token": token}, 201)

    async def now(self, request: Request) -> Response:
        """Answer how a table stands, for the list of its tables that a browser shows."""
        language, live = protocol.language_in(request.query_params), await self.hub.live(request.path_params["table"])
        return JSONResponse(showing.summary_shown(live.table, language))

    async def code(self, request: Request) -> Response:
        """The invitation as a picture for the camera of a phone. A proxy may speak TLS, which no request says here."""
        live = await self.hub.live(request.path_params["table"])
        host = request.url.netloc
        address = f"{self.origins.get(host.lower(), f'{request.url.scheme}://{host}')}/t/{live.table.id}"
        picture = io.BytesIO()
        segno.make(address, error="m").save(picture, kind="svg", border=2, scale=4, dark="#1d2126", light="#ffffff")
        return Response(picture.getvalue(), media_type="image/svg+xml")

    async def games(self, _: Request) -> Response:
        return JSONResponse(await self.hub.disk.call(self.hub.storage.finished, 200))

    async def record(self, request: Request) -> Response:
        return JSONResponse(await self.hub.disk.call(self.hub.storage.record, request.path_params["game"]))

    async def replay(self, request: Request) -> Response:
        """A finished game as a seat saw it; with ``at``, what a bot thinks of one of its choices."""
        seat, step = _number(request, "seat"), _number(request, "at")
        record = await self.hub.disk.call(self.hub.storage.record, request.path_params["game"])
        ask = partial(self.pool.do, PEOPLE, address_of(request.client), WAIT)
        if step >= 0:
            return JSONResponse({"hints": await ask(work.opinion, record, seat, step)})
        return JSONResponse(await ask(work.frames, record, seat, protocol.language_in(request.query_params)))

    async def score(self, request: Request) -> Response:
        """The points of cards on a real table."""
        data = await _body(request)
        name = data.get("set")
        names = [protocol.name_in({"name": name}) for name in _names(data.get("names"))]
        if not isinstance(name, str):
            raise RefusedError("bad-message")
        asked = (self.catalogue.source(name), _names(data.get("variants")), names, data, protocol.language_in(data))
        return JSONResponse(await self.pool.do(PEOPLE, address_of(request.client), WAIT, work.sheet, *asked))

    # ── One seat that looks at a table ────────────────────────────────────────────────────────────────────────────

    async def play(self, socket: WebSocket) -> None:
        """A connection, from its greeting to its end."""
        await socket.accept()
        try:
            live, client = await self._greeted(socket)
        except RefusedError as error:
            await _end(socket, error)
            return
        except TimeoutError:  # whoever is slow may try again
            await socket.close()
            return
        except (WebSocketDisconnect, RuntimeError):
            return
        writer = asyncio.create_task(_write(socket, client))
        try:
            await self.hub.enter(live, client)
            await self._listen(socket, live, client)
        except (WebSocketDisconnect, RuntimeError):
            pass
        except RefusedError as error:
            await _end(socket, error)
        finally:
            self.hub.leave(live, client)
            writer.cancel()

    async def _greeted(self, socket: WebSocket) -> tuple[LiveTable, Client]:
        """Who is there. Raises `RefusedError`, and `TimeoutError` if nobody says so."""
        async with asyncio.timeout(GREETING):
            text = await _text(socket)
        message = protocol.read(text)
        (token,) = protocol.tokens_in({"token": [message.get("token", "")]}, "token")
        if message.get("type") != "hello":
            raise RefusedError("bad-message")
        live = await self.hub.live(socket.path_params["table"])
        seat = live.table.seat_of(token) if token else -1
        seen = protocol.whole({"told": 0, **message}, "told", 0, 1 << 30)
        number = protocol.whole({"number": -1, **message}, "number", -1, 1 << 30)
        beside = live.table.seats_of(protocol.tokens_in(message, "beside"))
        return live, Client(seat, seen, number, protocol.language_in(message), beside)

    async def _listen(self, socket: WebSocket, live: LiveTable, client: Client) -> None:
        """Hear a client until it goes. Raises `RefusedError` for one that sends too much."""
        bucket = TokenBucket(_BURST, _RATE)
        while not client.closed:
            text = await _text(socket)
            if not bucket.take():
                raise RefusedError("too-fast")
            key = None
            try:
                message = protocol.read(text)
                key = message.get("key")
                if message.get("type") == "hint":  # which takes a while, and what is asked next does not wait for it
                    client.look(self._hinted(live, client, message))
                else:
                    await self._heard(live, client, message)
            except RefusedError as error:
                client.send({"type": "refused", "key": key, "code": error.code, "message": error.message})

    async def _hinted(self, live: LiveTable, client: Client, message: Mapping[str, Any]) -> None:
        try:
            await self._heard(live, client, message)
        except RefusedError as error:
            refusal = {"type": "refused", "key": message.get("key"), "code": error.code, "message": error.message}
            client.send(refusal)

    async def _heard(self, live: LiveTable, client: Client, message: Mapping[str, Any]) -> None:
        """Do what a client asks. Raises `RefusedError`."""
        reader = _LOOKS.get(str(message.get("type")))
        if reader is not None:
            client.send({"type": message["type"], "key": message.get("key"), **await reader(live, client, message)})
            return
        if client.seat < 0:
            raise RefusedError("not-yours")
        if live.table.seats[client.seat].kind != PERSON:
            raise RefusedError("wrong-token")
        position = await self.hub.ask(live, protocol.request_in(message, client.seat))
        client.send({"type": "done", "key": message["key"], "at": position})


async def _options(live: LiveTable, client: Client, message: Mapping[str, Any]) -> dict[str, Any]:
    """How a choice that was begun can go on."""
    view = live.table.view(client.seat)
    if client.seat not in live.table.waiting:
        raise RefusedError("not-your-turn")
    try:
        return showing.options_shown(view, protocol.move_in(message))
    except de.IllegalMove as error:
        raise RefusedError("illegal-move") from error


async def _hint(live: LiveTable, client: Client, _: Mapping[str, Any]) -> dict[str, Any]:
    """The best moves of the seat, and why; nobody else is told that it asked."""
    table = live.table
    if not table.head["hints"]:
        raise RefusedError("hints-are-off")
    if client.seat not in table.waiting:
        raise RefusedError("not-your-turn")
    asked = table.view(client.seat), [seat.name for seat in table.seats]
    return {"hints": await live.pool.do(PEOPLE, f"{table.id}/{client.seat}", WAIT, work.hints, *asked)}


async def _sheet(live: LiveTable, client: Client, _: Mapping[str, Any]) -> dict[str, Any]:
    return {"sheet": showing.sheet_shown(live.table, client.seat)}


_LOOKS: dict[str, Callable[[LiveTable, Client, Mapping[str, Any]], Awaitable[dict[str, Any]]]] = {
    "options": _options,
    "hint": _hint,
    "sheet": _sheet,
}
"""What changes nothing."""


@contextlib.contextmanager
def _named(what: str) -> Iterator[None]:
    """Say what took too long, where nothing better is known."""
    try:
        yield
    except RefusedError as error:
        if error.code == "takes-too-long" and error.message == REASONS[error.code]:
            raise RefusedError(error.code, f"{what} takes more than {WAIT:.0f} s, and was given up.") from None
        raise


async def _text(socket: WebSocket) -> str:
    """The next message. Raises `RefusedError` for one that is not text, `WebSocketDisconnect` if there is none."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    if not isinstance(text, str):
        raise RefusedError("bad-message")
    return text


async def _write(socket: WebSocket, client: Client) -> None:
    """Send what waits until there is nothing more to come."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (text := await client.next()) is not None:
            await socket.send_text(text)
        await socket.close(1008)


async def _end(socket: WebSocket, error: RefusedError) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        message = {"v": protocol.VERSION, "type": "refused", "key": None, "code": error.code, "message": error.message}
        await socket.send_text(json.dumps(message))
        await socket.close(1008)


async def _body(request: Request, largest: int = protocol.LARGEST) -> dict[str, Any]:
    """What was sent as JSON. Raises `RefusedError`."""
    try:
        text = (await request.body()).decode()
    except UnicodeDecodeError:
        raise RefusedError("bad-message", "This message is not written in UTF-8.") from None
    return protocol.read(text, largest)


def _number(request: Request, name: str) -> int:
    """A number after the question mark, -1 if there is none. Raises `RefusedError`."""
    text = request.query_params.get(name, "-1")
    if not text.removeprefix("-").isdecimal() or len(text) > 6:  # noqa: PLR2004 (more than any game has)
        raise RefusedError("bad-message")
    return int(text)


def _names(data: object) -> list[str]:
    if not isinstance(data, list) or len(data) > 50 or not all(isinstance(name, str) for name in data):  # noqa: PLR2004
        raise RefusedError("bad-message")
    return data


def _seats(data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Who shall sit where. Raises `RefusedError`."""
    seats = data.get("seats")
    if not isinstance(seats, list) or not 1 <= len(seats) <= 20:  # noqa: PLR2004 (more than any table has)
        raise RefusedError("bad-message")
    checked = []
    for seat in seats:
        if not isinstance(seat, dict):
            raise RefusedError("bad-message")
        kind = protocol.word(seat, "kind", (FREE, PERSON, BOT))
        level = protocol.word({"level": "medium", **seat}, "level", LEVELS)
        checked.append({"kind": kind, "level": level, "name": protocol.name_in(seat) if kind == PERSON else ""})
    return checked


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)
    return JSONResponse({"error": error.code, "message": error.message}, _STATUS.get(error.code, 400))


def make(
    storage: Storage,
    catalogue: Catalogue,
    hosts: Iterable[str],
    origins: Iterable[str],
    settings: Settings | None = None,
) -> Guard:
    """The application, behind its guard."""
    settings, origins = settings or Settings(), list(origins)
    hub = TableServer(storage, settings)
    site = Routes(hub, catalogue, origins)

    @contextlib.asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        sys.setswitchinterval(0.001)  # threads that open tables give way to the loop
        keeping = asyncio.create_task(hub.run())
        try:
            yield
        finally:
            keeping.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await keeping

    routes = [
        *(Route(path, site.page) for path in ("/", "/t/{table}", "/games", "/games/{game}", "/score")),
        Route("/healthz", site.healthz),
        Route("/api/sets", site.sets, methods=["GET"]),
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
        WebSocketRoute("/api/tables/{table}/play", site.play),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]
    inner = Starlette(routes=routes, exception_handlers={RefusedError: _refused}, lifespan=life)
    return Guard(inner, hosts, origins, settings.connections)
