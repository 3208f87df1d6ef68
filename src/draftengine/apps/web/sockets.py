"""WebSockets of clients at a table: the first message, their requests, and the messages to them."""

from __future__ import annotations

import asyncio
import contextlib
import json
from functools import partial
from typing import TYPE_CHECKING, Any

from starlette.websockets import WebSocketDisconnect

import draftengine as de
from draftengine.apps.web import RefusedError, protocol, work
from draftengine.apps.web import messages as showing
from draftengine.apps.web.guard import TokenBucket
from draftengine.apps.web.live import Client
from draftengine.apps.web.pool import PEOPLE, WAIT
from draftengine.apps.web.protocol import VERSION
from draftengine.apps.web.table import PERSON

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.websockets import WebSocket

    from draftengine.apps.web.hub import TableServer
    from draftengine.apps.web.live import LiveTable

GREETING = 5.0
"""The time limit for the first message of a connection, the *greeting*, in seconds."""
_BURST, _RATE = 40, 20
"""The number of messages that a connection may send in a burst, and the number per second after it."""


class Sockets:
    """The WebSocket connections to all tables."""

    def __init__(self, hub: TableServer) -> None:
        self.hub = hub
        self._looks = {
            "options": self._options, "hint": self._advise, "worth": self._advise, "lost": self._advise,
            "tip": self._tip, "sheet": self._sheet, "emote": self._emote,
        }  # fmt: skip
        """Handlers of requests that change nothing at the table."""

    async def play(self, socket: WebSocket) -> None:
        """Serve a connection from its greeting to its end."""
        await socket.accept()
        try:
            async with asyncio.timeout(GREETING):
                text = await _text(socket)
            message = protocol.read(text)
            (token,) = protocol.tokens_in({"token": [message.get("token", "")]}, "token")
            protocol.word(message, "type", ("hello",))
            live = await self.hub.live(socket.path_params["table"])
            seat = live.table.seat_of(token) if token else -1
            seen = protocol.whole({"told": 0, **message}, "told", 0, 1 << 30)
            number = protocol.whole({"number": -1, **message}, "number", -1, 1 << 30)
            beside = live.table.seats_of(protocol.tokens_in(message, "beside"))
            client = Client(seat, seen, number, protocol.language_in(message), beside)
        except RefusedError as error:
            await _refuse(socket, error)
            return
        except TimeoutError:  # slow clients may try again
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
            await _refuse(socket, error, client.language)
        finally:
            self.hub.leave(live, client)
            writer.cancel()

    async def _listen(self, socket: WebSocket, live: LiveTable, client: Client) -> None:
        """Handle a client's messages until it closes. Raises `RefusedError` if it sends too many."""
        bucket = TokenBucket(_BURST, _RATE)
        while not client.closed:
            text = await _text(socket)
            if not bucket.take():
                raise RefusedError("too-fast")
            key = None
            try:
                message = protocol.read(text)
                key = message.get("key")
                if message.get("type") in {"hint", "worth", "lost"}:  # slow, so later requests do not wait for it
                    client.look(message["type"], key, self._heard(live, client, message))
                else:
                    await self._heard(live, client, message)
            except RefusedError as error:
                client.refuse(error, key)

    async def _heard(self, live: LiveTable, client: Client, message: Mapping[str, Any]) -> None:
        """Carry out a request that a client sent. Raises `RefusedError`."""
        reader = self._looks.get(str(message.get("type")))
        if reader is not None:
            client.send({"type": message["type"], "key": message.get("key"), **await reader(live, client, message)})
            return
        if client.seat < 0:
            raise RefusedError("not-yours")
        if live.table.seats[client.seat].kind != PERSON:
            raise RefusedError("wrong-token")
        position = await self.hub.ask(live, protocol.request_in(message, client.seat))
        client.send({"type": "done", "key": message["key"], "at": position})

    async def _options(self, live: LiveTable, client: Client, message: Mapping[str, Any]) -> dict[str, Any]:
        """Return the ways to continue the chosen cards. Raises `RefusedError`."""
        view = live.table.view(client.seat)
        if client.seat not in live.table.waiting or live.table.seats[client.seat].late:
            raise RefusedError("not-your-turn")
        try:
            return showing.options_shown(view, protocol.move_in(message), client.language)
        except de.IllegalMove as error:
            raise RefusedError("illegal-move") from error

    async def _advise(self, live: LiveTable, client: Client, message: Mapping[str, Any]) -> dict[str, Any]:
        """Return the requested advice: best moves with reasons, ratings of cards, or where points were lost.

        Another process computes the advice, and nobody else learns that the seat asked. Raises `RefusedError`.
        """
        table, seat, kind = live.table, client.seat, message["type"]
        do = partial(self.hub.pool.do, PEOPLE, f"{table.id}/{seat}", WAIT)
        names = [sitter.name for sitter in table.seats]
        if kind == "lost" and seat >= 0 and table.state is not None and table.state.over:
            return {
                "lost": await do(work.lost, table.game, table.seed, table.state.moves, seat, names, client.language)
            }
        if not table.head["hints"]:
            raise RefusedError("hints-are-off")
        if kind == "lost" or seat not in table.waiting:
            raise RefusedError("not-your-turn")
        view = table.view(seat)
        if kind == "hint":
            return {"hints": await do(showing.hints_shown, view, names, client.language)}
        picked = protocol.move_in(message)
        try:
            view.next(picked)
        except de.IllegalMove as error:
            raise RefusedError("illegal-move") from error
        return {"bars": await do(showing.bars_shown, view, picked)}

    async def _tip(self, live: LiveTable, client: Client, message: Mapping[str, Any]) -> dict[str, Any]:
        """Return the coach's next tip for the seat. Raises `RefusedError`."""
        given, by = protocol.tips_in(message)
        return {"tip": showing.tip_shown(live.table, client.seat, given, by, client.language)}

    async def _emote(self, live: LiveTable, client: Client, message: Mapping[str, Any]) -> dict[str, Any]:
        """Show everybody at the table an emote of the seat. It is not stored."""
        if client.seat < 0:
            raise RefusedError("not-yours")
        live.emote(client.seat, protocol.word(message, "emote", protocol.EMOTES))
        return {}

    async def _sheet(self, live: LiveTable, client: Client, _: Mapping[str, Any]) -> dict[str, Any]:
        return {"sheet": showing.sheet_shown(live.table, client.seat, client.language)}


async def _text(socket: WebSocket) -> str:
    """Return the next message. Raises `RefusedError` if it is not text, `WebSocketDisconnect` at the end."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    if not isinstance(text, str):
        raise RefusedError("bad-message")
    return text


async def _write(socket: WebSocket, client: Client) -> None:
    """Send queued messages until the client is closed."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while (text := await client.next()) is not None:
            await socket.send_text(text)
        await socket.close(1008)


async def _refuse(socket: WebSocket, error: RefusedError, language: str = "en") -> None:
    """Send the reason for refusing a connection, and close it."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(json.dumps({"v": VERSION, **error.message_for(None, language)}))
        await socket.close(1008)
