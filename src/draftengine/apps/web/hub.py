"""Tables with a clock, bots, connections and a disk: what is asked is written down, then happens, then is told."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

import draftengine as de
from draftengine.apps.web import messages as showing
from draftengine.apps.web.errors import RefusedError
from draftengine.apps.web.protocol import VERSION
from draftengine.apps.web.storage.interface import LEASE, Change
from draftengine.apps.web.storage.writer import StorageWriter
from draftengine.apps.web.table import BOT, PERSON, Request, Table
from draftengine.apps.web.tokens import hashed, new_id, new_seed, new_token

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine, Mapping

    from draftengine.apps.web.storage.interface import Storage
    from draftengine.apps.web.table import Entry

LOG = logging.getLogger("draftengine.apps.web")
MOST_TABLES = 10_000
SILENCE = 60.0
"""Seconds for which somebody has to be gone before the others may vote a bot in."""
SLOW = "hard"
"""The bots that think for long: each gets a thread of its own, while the others of a table share one."""
_MOST_WAITING = 64
"""Messages that may wait for a client that does not read them."""


class Settings(Struct, frozen=True):
    """How a hub behaves in time."""

    pause: float = 1.5
    """Seconds between the last choice of a person and the reveal, in which it may be taken back."""
    bot_pause: float = 0.7
    """Seconds before the reveal where only bots chose, so that people can follow."""
    connections: int = 50
    """How many an address may have open."""
    clock: Callable[[], float] = time.time
    seeds: Callable[[], tuple[str, str]] = new_seed


class Client:
    """A connection to a table: what waits to be sent, and how much of the story was told."""

    def __init__(self, seat: int, seen: int = 0, number: int = -1, language: str = "en") -> None:
        self.seat = seat
        self.language = language
        """The language that was asked for."""
        self.told = seen
        self.number = number
        """The game that `told` counts in."""
        self.rules_told = False
        self.closed = False
        self._waiting: deque[str] = deque()
        self._news = asyncio.Event()

    def send(self, message: Mapping[str, Any]) -> None:
        """Let a message be sent; a client that reads nothing is given up."""
        if len(self._waiting) >= _MOST_WAITING:
            self.close()
        self._waiting.append(json.dumps({"v": VERSION, **message}, ensure_ascii=False, separators=(",", ":")))
        self._news.set()

    def close(self) -> None:
        """Send nothing more."""
        self.closed = True
        self._news.set()

    async def next(self) -> str | None:
        """The next message to send; ``None`` if there will be none."""
        while not self._waiting and not self.closed:
            self._news.clear()
            await self._news.wait()
        return None if self.closed else self._waiting.popleft()


class LiveTable(Struct, eq=False):
    """A table in memory."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    clients: set[Client] = field(default_factory=set)
    bots: asyncio.Task[None] | None = None
    reveal: asyncio.Task[None] | None = None
    votes: dict[int, set[int]] = field(default_factory=dict)
    gone: dict[int, float] = field(default_factory=dict)
    """Since when seats of people have nobody connected."""

    used: float = 0
    """When somebody asked for it last."""

    @property
    def here(self) -> frozenset[int]:
        """The seats that somebody is connected for."""
        return frozenset(client.seat for client in self.clients if client.seat >= 0)


class TableServer:
    """All tables of this process."""

    def __init__(self, storage: Storage, settings: Settings | None = None) -> None:
        self.storage = storage
        self.settings = settings or Settings()
        self._live: dict[str, LiveTable] = {}
        self._opening = asyncio.Lock()
        self.disk = StorageWriter(storage)
        self._thinkers = ThreadPoolExecutor(2, thread_name_prefix="bots")
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    # ── Life ──────────────────────────────────────────────────────────────────────────────────────────────────────

    async def run(self) -> None:
        """Hold on to the tables until cancelled."""
        try:
            while True:
                await asyncio.sleep(LEASE / 3)
                with contextlib.suppress(RefusedError):
                    wanted = await self.disk.call(self.storage.renew, self.settings.clock(), list(self._live))
                    await self._let_go({*wanted, *self._idle()})
        finally:
            self._closed = True
            for task in self._tasks:
                task.cancel()
            self._thinkers.shutdown(wait=False, cancel_futures=True)
            with contextlib.suppress(RefusedError):
                await self.disk.close()

    def _idle(self) -> list[str]:
        """The tables that nobody has looked at for a while."""
        since = self.settings.clock() - LEASE
        return [
            name
            for name, live in self._live.items()
            if live.used < since and not (live.clients or live.bots or live.reveal or live.lock.locked())
        ]

    async def _let_go(self, tables: Collection[str]) -> None:
        """Hold some tables no longer: whoever looks at them connects again, to whichever process takes them then."""
        for name in tables:
            live = self._live.pop(name, None)
            for client in live.clients if live is not None else ():
                client.close()
        if tables:
            await self.disk.call(self.storage.release, list(tables))

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            LOG.error("a table stopped", exc_info=task.exception())

    # ── Tables ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def create(self, game: de.Game, wanted: Mapping[str, Any]) -> tuple[str, dict[int, str]]:
        """A new table; its name, and the tokens of the seats that its maker has."""
        if await self.disk.call(self.storage.count) >= MOST_TABLES:
            raise RefusedError("too-many")
        head = {
            "versions": {"draftengine": de.__version__, "table": VERSION},
            "rules": game.ruleset.to_json(),
            "players": game.players,
            "fingerprint": game.fingerprint,
            "hints": wanted["hints"],
            "effects": wanted["effects"],
            "memory": wanted["memory"],
        }
        table, name, tokens = Table("", head), new_id(), {}
        entries: list[Entry] = []
        for seat, spec in enumerate(wanted["seats"]):
            if spec["kind"] == PERSON:
                tokens[seat] = new_token()
                data = {"seat": seat, "name": spec["name"], "token": hashed(tokens[seat])}
                entries += table.propose(Request("sit", -1, data=data))
            elif spec["kind"] == BOT:
                data = {"seat": seat, "to": BOT, "level": spec["level"]}
                entries += table.propose(Request("seat", table.host, data=data))
            else:
                continue
            table.apply(entries[-1])
        await self.disk.call(self.storage.create, name, head, entries, self.settings.clock())
        return name, tokens

    async def live(self, name: str) -> LiveTable:
        """A table, from memory or from the disk. Raises `RefusedError`."""
        async with self._opening:
            if name not in self._live:
                kept = await self.disk.call(self.storage.take, name, self.settings.clock())
                table = await asyncio.to_thread(Table.of, kept.id, kept.head, kept.entries)
                self._live[name] = LiveTable(table)
                if table.state is not None and table.state.over:  # the process may have ended before it kept the game
                    await self._finish(table)
                self._go_on(self._live[name])
            self._live[name].used = self.settings.clock()
            return self._live[name]

    async def sit(self, name: str, person: str, seat: int) -> tuple[int, str]:
        """Take a free seat; its number, and its token."""
        live, token = await self.live(name), new_token()
        data = {"seat": seat, "name": person, "token": hashed(token)}
        await self.ask(live, Request("sit", -1, data=data))
        return live.table.seat_of(token), token

    # ── What is asked ─────────────────────────────────────────────────────────────────────────────────────────────

    async def ask(self, live: LiveTable, request: Request) -> int:
        """Let something happen; how many entries the table has then. Raises `RefusedError`.

        Whoever asks may be gone meanwhile: what was begun is brought to its end.
        """
        return await asyncio.shield(asyncio.ensure_future(self._happen(live, request)))

    async def _happen(self, live: LiveTable, request: Request) -> int:
        table = live.table
        if request.kind == "start":
            seed, salt = self.settings.seeds()
            request = Request("start", request.seat, request.key, {"seed": seed, "salt": salt})
        async with live.lock:
            if request.kind == "replace" and request.seat >= 0 and not self._may_replace(live, request):
                self._tell(live)
                return table.length
            entries = table.propose(request)
            if not entries:
                return table.done[request.seat, request.key]
            await self._write(live, entries)
            for entry in entries:
                table.apply(entry)
            length = table.length
            if request.kind == "reveal" and table.state is not None and table.state.over:
                await self._finish(table)
        self._tell(live)
        self._go_on(live)
        return length

    async def _write(self, live: LiveTable, entries: list[Entry]) -> None:
        """Put entries on the disk. If that fails, the table is forgotten, so that it is read again as it was kept."""
        try:
            await self.disk.append(Change(live.table.id, live.table.length, entries))
        except RefusedError:
            if self._live.get(live.table.id) is live:
                del self._live[live.table.id]
            for client in live.clients:
                client.close()
            raise

    async def _finish(self, table: Table) -> None:
        record = table.record()
        summary = {key: record[key] for key in ("title", "seats", "scores", "winners")}
        name = f"{hashed(table.id)[:16]}-{table.number}"
        await self.disk.call(self.storage.finish, name, summary, record, self.settings.clock())

    def _may_replace(self, live: LiveTable, request: Request) -> bool:
        """May a bot play on for a seat: for oneself, by the host, or by a vote when nobody was there for a while.

        A vote that does not decide yet is counted. Raises `RefusedError`: ``somebody-is-there``.
        """
        table, seat = live.table, request.data["seat"]
        if request.seat == seat:
            return True
        if seat in live.here:
            raise RefusedError("somebody-is-there")
        if request.seat == table.host:
            return True
        if self.settings.clock() - live.gone.get(seat, self.settings.clock()) < SILENCE:
            raise RefusedError("somebody-is-there")
        votes = live.votes.setdefault(seat, set())
        votes.add(request.seat)
        return 2 * len(votes & live.here) > len(live.here)

    # ── Who is there ──────────────────────────────────────────────────────────────────────────────────────────────

    async def enter(self, live: LiveTable, client: Client) -> None:
        """Somebody opened the table; a bot that played on for them stops."""
        live.clients.add(client)
        live.gone.pop(client.seat, None)
        live.votes.pop(client.seat, None)
        if client.seat >= 0 and live.table.seats[client.seat].away:
            with contextlib.suppress(RefusedError):
                await self.ask(live, Request("return", client.seat))
        self._tell(live)

    def leave(self, live: LiveTable, client: Client) -> None:
        """Somebody closed the table, or lost the connection."""
        live.clients.discard(client)
        if client.seat >= 0 and client.seat not in live.here:
            live.gone[client.seat] = self.settings.clock()
        self._tell(live)

    # ── What follows ──────────────────────────────────────────────────────────────────────────────────────────────

    def _tell(self, live: LiveTable) -> None:
        """Tell everybody at a table how it stands."""
        views: dict[int, dict[str, Any]] = {}
        watching = sum(client.seat < 0 for client in live.clients)
        for client in list(live.clients):
            if client.seat not in views:
                views[client.seat] = showing.table_shown(live.table, client.seat, live.here, watching)
            client.send(self._news_for(live.table, client, views[client.seat]))

    @staticmethod
    def _news_for(table: Table, client: Client, view: Mapping[str, Any]) -> dict[str, Any]:
        """How the table stands, and what a client was not told yet."""
        if client.number != table.number:
            client.number, client.told = table.number, 0
        message = {"type": "table", **view, "since": client.told}
        language = showing.language_for(table.game, client.language)
        message["story"] = showing.story_shown(table, client.seat, client.told, language)
        client.told = showing.events_so_far(table)
        message["told"] = client.told
        if not client.rules_told:
            message["rules"] = showing.rules_shown(table.game, language)
            client.rules_told = True
        if table.state is not None and (table.state.over or client.seat in table.unread):
            message["sheet"] = showing.sheet_shown(table, client.seat)
        if table.state is not None and table.state.over:
            message |= {"seed": table.seed, "salt": table.salt}
        return message

    def _go_on(self, live: LiveTable) -> None:
        """Let bots choose who have to, and reveal when everybody has chosen."""
        table = live.table
        if live.reveal is not None and not live.reveal.done() and live.reveal is not asyncio.current_task():
            live.reveal.cancel()
            live.reveal = None
        if self._closed or not table.playing:
            return
        if table.complete:
            people = any(not table.seats[seat].by_bot for seat in table.waiting)
            pause = self.settings.pause if people else self.settings.bot_pause
            live.reveal = self._start(self._reveal(live, table.decision, pause))
        elif (live.bots is None or live.bots.done()) and _bots_to_choose(table):
            live.bots = self._start(self._let_bots_choose(live))

    async def _reveal(self, live: LiveTable, decision: int, pause: float) -> None:
        await asyncio.sleep(pause)
        live.reveal = None
        with contextlib.suppress(RefusedError):
            await self.ask(live, Request("reveal", -1, data={"decision": decision}))

    async def _let_bots_choose(self, live: LiveTable) -> None:
        table, loop = live.table, asyncio.get_running_loop()
        todo, decision = _bots_to_choose(table), [table.number, table.decision]
        chance = f"{table.seed}/{table.decision}"
        views = {seat: (table.seats[seat].level, table.view(seat)) for seat in todo}
        slow = [[seat] for seat in todo if views[seat][0] == SLOW]
        quick = [seat for seat in todo if views[seat][0] != SLOW]
        jobs = [{seat: views[seat] for seat in seats} for seats in (quick, *slow) if seats]
        thinking = [loop.run_in_executor(self._thinkers, _decisions_of, job, chance) for job in jobs]
        moves = {seat: move for decided in await asyncio.gather(*thinking) for seat, move in decided.items()}
        await asyncio.shield(asyncio.ensure_future(self._choose_for_bots(live, decision, moves)))
        live.bots = None
        self._tell(live)
        self._go_on(live)

    async def _choose_for_bots(self, live: LiveTable, decision: list[int], moves: Mapping[int, de.Move]) -> None:
        """What bots chose happens at once, but for seats whose people came back meanwhile, and for choices gone by."""
        table = live.table
        async with live.lock:
            still = _bots_to_choose(table) if decision == [table.number, table.decision] else []
            asked = [
                Request("choose", seat, data={"decision": decision, "move": moves[seat].to_json()})
                for seat in still
                if seat in moves
            ]
            entries = [entry for request in asked for entry in table.propose(request)]
            if entries:
                await self._write(live, entries)
            for entry in entries:
                table.apply(entry)


def _bots_to_choose(table: Table) -> list[int]:
    """The seats where a bot has to choose and has not."""
    return [seat for seat in table.waiting if table.seats[seat].by_bot and seat not in table.choices]


@lru_cache(64)
def _bot(level: str, game: de.Game) -> Any:
    """A bot that is ready for a game."""
    bot = de.bot(level)
    bot.prepare(game)
    return bot


def _decisions_of(views: Mapping[int, tuple[str, de.View]], chance: str) -> dict[int, de.Move]:
    """What bots of some levels choose."""
    return {seat: _bot(level, view.game).decide(view, chance).move for seat, (level, view) in views.items()}
