"""Connections of the workshop's page: one for its editor, like a language server's, one for its panes.

A *pane* is a part of the page, such as findings, rulebook or balance. Both connections work alike. The page sends a
text, and the server works on the newest version, one task at a time in each lane. When a newer version arrives, tasks
for older versions are not begun, or their results are not sent. So the page never shows a result beside a text to which
it does not belong.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from functools import partial
from typing import TYPE_CHECKING, Any

from msgspec import Struct, ValidationError, convert
from msgspec.structs import replace
from starlette.websockets import WebSocketDisconnect

from draftengine.apps.web import RefusedError, protocol
from draftengine.apps.web.guard import LARGEST_BODY, TokenBucket
from draftengine.apps.web.pool import GAMES, WRITING
from draftengine.apps.workshop import work
from draftengine.apps.workshop.work import hash_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from starlette.websockets import WebSocket

    from draftengine.apps.workshop.routes import Desk
    from draftengine.apps.workshop.work import Draft

PAUSE = 0.1
"""The seconds without a new text after which the newest text is checked."""
FIRST_PAUSE = 0.03
"""The seconds without a new text after which a quick check looks for its first errors."""
PLAY_PAUSE = 0.5
"""The additional seconds without a new text after which test games are played."""
LONGEST = 20.0
"""The time limit for one task, in seconds."""
GAMES_PLAYED = (200, 5_000)
"""The numbers of games after which results about the balance are sent."""
_LONGEST_MESSAGE = 2 * LARGEST_BODY
"""The largest number of characters in a message. As JSON, a text is longer than by itself."""
_BURST, _RATE = 60, 25
"""The number of messages that a page may send in a burst, and the number per second after it."""
_LONGEST_NUMBER, _LARGEST = 200, 1_000_000
"""For a number of the rules that a page tries out, its longest name and its largest value."""
_MOST_ASKED = 8
"""The number of requests of an editor that may wait for their answers."""


class Session:
    """A connection of a page, whose newest text the server works on."""

    def __init__(self, socket: WebSocket, desk: Desk) -> None:
        self.socket, self.desk = socket, desk
        self.draft: Draft = desk.draft("")
        self._news = asyncio.Event()
        self._last: dict[str, asyncio.Future[Any]] = {}
        """By lane, the latest task of this connection. It is finished even if a newer text has arrived."""

    async def serve(self) -> None:
        """Serve the connection until it ends."""
        await self.socket.accept()
        working = asyncio.create_task(self._work())
        bucket = TokenBucket(_BURST, _RATE)
        try:
            while True:
                text = await self.socket.receive_text()
                if not bucket.take():
                    await self._refuse(RefusedError("too-fast"))
                    await self.socket.close(1008)
                    return
                try:
                    await self.heed(protocol.read(text, _LONGEST_MESSAGE))
                except RefusedError as error:
                    await self._refuse(error)
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            working.cancel()

    async def _refuse(self, error: RefusedError) -> None:
        await self.send({"method": "refused", "params": error.answer_in(self.desk.language)})

    async def send(self, message: Mapping[str, Any]) -> None:
        await self.socket.send_text(json.dumps(message, ensure_ascii=False))

    def changed(self) -> None:
        """Record that a newer text has arrived."""
        self._news.set()

    def overtaken(self) -> bool:
        """True if a newer text has arrived than the one that is being worked on."""
        return self._news.is_set()

    async def _work(self) -> None:
        looking: asyncio.Task[None] | None = None

        async def look_quietly() -> None:
            with contextlib.suppress(WebSocketDisconnect, RuntimeError):
                try:
                    await self.look()
                except RefusedError as error:
                    if not self.overtaken():
                        await self._refuse(error)

        try:
            while True:
                await self._news.wait()
                if looking is not None:
                    looking.cancel()  # before the event is cleared: an older look must not see itself as the newest
                while self._news.is_set():
                    self._news.clear()
                    await asyncio.sleep(self.pause)
                looking = asyncio.create_task(look_quietly())
        finally:
            if looking is not None:
                looking.cancel()

    @property
    def pause(self) -> float:
        """The seconds without a new text after which work on the newest one begins."""
        return PAUSE

    async def heed(self, message: dict[str, Any]) -> None:
        """Handle a message from the page. Raises `RefusedError`."""
        raise NotImplementedError

    async def look(self) -> None:
        """Work on the newest text from the page."""
        raise NotImplementedError

    async def do(self, lane: str, task: Callable[..., Any], *given: Any) -> Any:
        """Return the result of a task, started after the last task in this lane. Raises `RefusedError`."""
        before = self._last.get(lane)
        if before is not None and not before.done():
            await asyncio.wait([before])
        doing = self._last[lane] = asyncio.ensure_future(self.ask(lane, task, *given))
        return await asyncio.shield(doing)

    async def check(self, draft: Draft) -> dict[str, Any]:
        """Return the findings about a draft. The two connections of a page share one check of the same draft.

        The check is not begun if both connections have received a newer text before a process is free. Raises
        `RefusedError`.
        """
        checks, key = self.desk.checks, (replace(draft, sound=""), self.desk.language)
        make = partial(self.ask, WRITING, work.findings, draft, self.desk.language, wanted=partial(checks.wanted, key))
        findings: dict[str, Any] = await checks.get(key, make)
        return findings

    async def ask(
        self, lane: str, task: Callable[..., Any], *given: Any, wanted: Callable[[], bool] = lambda: True
    ) -> Any:
        """Return the result of a task without waiting in its lane, and charge this address for its time."""
        desk = self.desk
        seconds, result = await desk.pool.do(lane, desk.address, LONGEST, work.measured, task, *given, wanted=wanted)
        desk.allowances.spend(desk.address, seconds)
        return result


class _SentDocument(Struct):
    uri: str = ""
    version: int = 0
    text: str = ""


class _SentChange(Struct):
    text: str


class _SentText(Struct, rename="camel"):
    """Parameters of a message with a whole text, which the editor has opened or changed."""

    text_document: _SentDocument
    content_changes: tuple[_SentChange, ...] = ()

    @property
    def latest(self) -> str:
        return self.content_changes[-1].text if self.content_changes else self.text_document.text


class LanguageSession(Session):
    """The language server of one page. It has one text, which every file name in requests means."""

    def __init__(self, socket: WebSocket, desk: Desk) -> None:
        super().__init__(socket, desk)
        self._about = _SentDocument()
        self._answering: set[asyncio.Task[None]] = set()

    async def heed(self, message: dict[str, Any]) -> None:
        method, params = str(message.get("method")), message.get("params")
        if method == "initialize":
            await self._answer(message, {"result": {"capabilities": {"textDocumentSync": 1}}})
        elif method in {"textDocument/didOpen", "textDocument/didChange"}:
            try:
                sent = convert(params, _SentText)
            except ValidationError:
                raise RefusedError("bad-message") from None
            self._about = sent.text_document
            self.draft = replace(self.desk.draft(sent.latest), sound=self.draft.sound)
            self.changed()
        elif method in work.REQUESTS and isinstance(params, dict) and len(self._answering) < _MOST_ASKED:
            task = asyncio.create_task(self._asked(message, method, params))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)
        elif "id" in message:
            await self._answer(message, {"error": {"code": -32601, "message": method}})

    async def _asked(self, message: Mapping[str, Any], method: str, params: dict[str, Any]) -> None:
        try:
            answer = await self.ask(WRITING, work.answer, self.draft, self.desk.language, method, params)
        except RefusedError as error:
            answer = {"error": {"code": -32803, "message": str(error)}}
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self._answer(message, answer)

    async def _answer(self, message: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        await self.send({"jsonrpc": "2.0", "id": message.get("id"), **answer})

    @property
    def pause(self) -> float:
        return min(FIRST_PAUSE, PAUSE)

    async def look(self) -> None:
        draft, about = self.draft, self._about
        first = await self.ask(
            WRITING, work.first_errors, draft, self.desk.language, wanted=lambda: not self.overtaken()
        )
        if self.overtaken():
            return
        await self._publish(first, about, partial=True)
        await asyncio.sleep(PAUSE - self.pause)
        if self.overtaken():
            return
        findings = await self.check(draft)
        if self.overtaken():
            return
        if not findings["line"]:
            self.draft = replace(draft, sound=draft.text)
        await self._publish(findings, about)
        await asyncio.sleep(PLAY_PAUSE)
        if findings["line"] or self.overtaken() or not self.desk.may_play:
            return
        played = await self.do(GAMES, work.all_findings, draft, self.desk.language)
        if not self.overtaken() and played != findings:
            await self._publish(played, about)

    async def _publish(self, findings: Mapping[str, Any], about: _SentDocument, *, partial: bool = False) -> None:
        """Send findings. If they are `partial`, they are only errors, and all findings follow later."""
        params = {"uri": about.uri, "version": about.version, "diagnostics": findings["diagnostics"]}
        params["partial"] = partial
        await self.send({"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics", "params": params})


class PanesSession(Session):
    """The panes of one page. Each is sent with the hash of the text from which it was made."""

    def __init__(self, socket: WebSocket, desk: Desk) -> None:
        super().__init__(socket, desk)
        self._players = self._version = 0
        self._shown: frozenset[str] = frozenset()
        self._number: tuple[str, int] | None = None
        """Another number that the page tries, as its name and value."""
        self._sent: set[tuple[Any, ...]] = set()

    async def heed(self, message: dict[str, Any]) -> None:
        text, panes = message.get("text"), message.get("panes")
        if not isinstance(text, str) or not isinstance(panes, list):
            raise RefusedError("bad-message")
        if text != self.draft.text:
            self.draft = replace(self.desk.draft(text), sound=self.draft.sound)
        players = protocol.whole({"players": 0, **message}, "players", 0, 99)
        number: tuple[str, int] | None = None  # its name, and a value that a user tries out
        if message.get("number") is not None:
            try:
                name, value = convert(message["number"], tuple[str, int])
            except ValidationError:
                raise RefusedError("bad-message") from None
            number = name[:_LONGEST_NUMBER], protocol.whole({"value": value}, "value", -_LARGEST, _LARGEST)
        if players != self._players:
            self._sent.clear()
        elif number != self._number:
            self._sent = {sent for sent in self._sent if sent[0] != "number"}
        self._players, self._number = players, number
        self._version = protocol.whole({"version": 0, **message}, "version", 0, 1 << 30)
        self._shown = frozenset(map(str, panes))
        self.changed()

    async def look(self) -> None:
        draft, players = self.draft, self._players
        about = {"hash": hash_of(draft.text), "version": self._version, "count": players}
        if draft.sound != draft.text:
            findings = await self.check(draft)
            if self.overtaken():
                return
            await self._pane(about, "state", {key: findings[key] for key in ("line", "message")})
            if findings["line"]:
                return
            draft = self.draft = replace(draft, sound=draft.text)
            self._sent.clear()
        else:  # again the text before an error: the page must learn that the error is gone
            await self._pane(about, "state", {"line": 0, "message": ""})
        language = self.desk.language
        tasks: list[tuple[str, str, tuple[Any, ...]]] = [
            ("changes", WRITING, (work.changes, draft, language)),
            ("cards", WRITING, (work.faces, draft, language)),
            ("book", WRITING, (work.book, draft, language, players)),
            ("aid", WRITING, (work.aid, draft, language, players)),
            ("print", WRITING, (work.cards_to_print, draft, language, players)),
            ("print_letter", WRITING, (work.cards_to_print, draft, language, players, "letter")),
            *(
                ("number", GAMES, (work.other_number, draft, language, players, games, *self._number))
                for games in GAMES_PLAYED
                if self._number
            ),
            *(("balance", GAMES, (work.balance, draft, language, players, games)) for games in GAMES_PLAYED),
            ("wanted", GAMES, (work.wanted, draft, language, players)),
            ("course", GAMES, (work.course, draft, language, players)),
            ("watch", GAMES, (work.watch, draft, language, players)),
        ]
        try:
            for pane, lane, make in tasks:
                if pane not in self._shown or (pane, *make[2:]) in self._sent:
                    continue
                if self.overtaken():
                    return
                if not self.desk.may_play:
                    await self._pane(about, "quota", {})
                    return
                made = await self.do(lane, *make)
                if not self.overtaken():
                    await self._pane(about, pane, self.desk.kept(made) if isinstance(made, str) else made)
                    self._sent.add((pane, *make[2:]))
        except RefusedError as error:
            await self._pane(about, "refused", error.answer_in(self.desk.language))

    async def _pane(self, about: Mapping[str, Any], pane: str, made: Mapping[str, Any]) -> None:
        await self.send({"method": "pane", "params": {**about, "pane": pane, **made}})
