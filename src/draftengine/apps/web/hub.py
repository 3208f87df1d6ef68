"""All tables of a server. Each request is written to disk, then applied, and then acknowledged."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakValueDictionary

from msgspec import Struct
from msgspec.structs import replace

import draftengine as de
from draftengine.apps.web import RefusedError
from draftengine.apps.web import messages as showing
from draftengine.apps.web.bots import Bots, tell_late, to_choose
from draftengine.apps.web.live import Client, LiveTable
from draftengine.apps.web.pool import PEOPLE, Once, Pool
from draftengine.apps.web.protocol import VERSION
from draftengine.apps.web.storage.chain import DAY, LEASE, Change, hashed, new_id, new_seed, new_token
from draftengine.apps.web.storage.writer import StorageWriter
from draftengine.apps.web.table import BOT, PERSON, Request, Table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Coroutine, Mapping

    from draftengine.apps.web.storage.database import DatabaseStorage
    from draftengine.apps.web.table import Entry

Result = TypeVar("Result")
LOG = logging.getLogger("draftengine.apps.web")
MOST_TABLES = 10_000
CLEANING = 3600.0
"""The interval between searches for tables that have expired, in seconds."""
FULL = 1.0
"""The seconds after which a write that a full disk refused is tried again."""
WATCHED = 4
"""The factor for the pause before a reveal if only bots play, so that spectators can follow."""
WATCH = 0.5
"""The seconds between checks for tables that wait although they could go on."""
OPENING = 30.0
"""The time limit in seconds for making the cards and rules for a page, including a process's start."""
_MOST_KEPT = 64


class Settings(Struct, frozen=True):
    """Times and limits of a server."""

    pause: float = 1.5
    """The pause before a reveal, in seconds, in which people can take their choices back."""
    bot_pause: float = 0.7
    """The pause before a reveal without other people, in seconds. A person alone with bots can end it."""
    thinking: float = 10.0
    """The time limit for a bot's choice, in seconds. Then the bot's process is ended."""
    patience: float = 1.5
    """The seconds for which people wait for a bot. Then `work.simple` chooses the bot's move instead."""
    pool: Callable[[], Pool] = Pool
    connections: int = 200
    """The number of tables that an address may watch at once."""
    keep: float = 30 * DAY
    """The time for which an unfinished table is stored after the last move, in seconds."""
    clock: Callable[[], float] = time.time
    seeds: Callable[[], tuple[str, str]] = new_seed


class TableServer:
    """All tables that this process has in memory, and the operations on them."""

    def __init__(self, storage: DatabaseStorage, settings: Settings | None = None) -> None:
        self.storage = storage
        self.settings = settings or Settings()
        self._live: dict[str, LiveTable] = {}
        self._opening: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """Locks of tables that are being read from disk, so that each is read only once."""
        self.disk = StorageWriter(storage)
        self.pool = self.settings.pool()
        self._rules = Once(_MOST_KEPT)
        self._bots = Bots(self.pool, self._start, self.settings.thinking, self.settings.patience)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    # ── Life ──────────────────────────────────────────────────────────────────────────────────────────────────────

    async def run(self) -> None:
        """Extend the leases of this process's tables until cancelled, and run the background tasks."""
        self._start(self._clean())
        self._start(self._watch())
        self._start(self._bots.warm())
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
            with contextlib.suppress(RefusedError):
                await self.disk.close()

    async def _clean(self) -> None:
        """Remove expired tables from the storage, a few at a time, so that nobody has to wait."""
        while not self._closed:
            removed = 0
            with contextlib.suppress(RefusedError):
                removed = await self.disk.call(self.storage.clean, self.settings.clock(), self.settings.keep)
            await asyncio.sleep(0 if removed else CLEANING)

    async def _watch(self) -> None:
        """Check all tables regularly, and continue those that wait without a reason."""
        while not self._closed:
            await asyncio.sleep(WATCH)
            for live in list(self._live.values()):
                self._pass_on(live)
                if (live.reveal is None or live.reveal.done()) and not live.lock.locked():
                    self._go_on(live)

    def _pass_on(self, live: LiveTable) -> None:
        """Make a person who is present the host, if the host has left."""
        if (seat := live.next_host()) is not None:
            self._start(self._ask_itself(live, Request("host", -1, data={"seat": seat})))

    async def _ask_itself(self, live: LiveTable, request: Request) -> None:
        with contextlib.suppress(RefusedError):  # retried as long as it is needed
            await self.ask(live, request)

    def _idle(self) -> list[str]:
        """Return the names of tables without clients and tasks that have not been used for a while."""
        since = self.settings.clock() - LEASE
        return [name for name, live in self._live.items() if live.used < since and live.idle]

    async def _let_go(self, tables: Collection[str]) -> None:
        """Give up tables, so that another process can take them. Their clients reconnect to it."""
        for name in tables:
            live = self._live.pop(name, None)
            if live is not None:
                live.close()
        if tables:
            await self.disk.call(self.storage.release, list(tables))

    def _start(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.create_task(work)

        def ended(task: asyncio.Task[Any]) -> None:
            self._tasks.discard(task)
            if not task.cancelled() and task.exception() is not None:
                LOG.error("a table stopped", exc_info=task.exception())

        self._tasks.add(task)
        task.add_done_callback(ended)
        return task

    # ── Tables ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def create(self, rules: Mapping[str, Any], wanted: Mapping[str, Any]) -> tuple[str, dict[int, str]]:
        """Create a table with the rules of `catalogue.head`. Return its id, and people's tokens by seat.

        Raises `RefusedError`: ``too-many``.
        """
        full = await self.disk.call(self.storage.count) >= MOST_TABLES
        # Tables where somebody waits are held. One that nobody holds and where nothing has begun makes room.
        if full and not await self.disk.call(self.storage.make_room, self.settings.clock()):
            raise RefusedError("too-many")
        head = {
            "versions": {"draftengine": de.__version__, "table": VERSION},
            **rules,
            **{option: wanted[option] for option in ("hints", "effects", "memory")},
        }
        table, name, tokens = await asyncio.to_thread(Table, "", head), new_id(), {}
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
        self._bots.get_ready(table)
        return name, tokens

    async def live(self, name: str) -> LiveTable:
        """Return a table from memory or disk. Raises `RefusedError`."""
        opening = self._opening.setdefault(name, asyncio.Lock())
        async with opening:
            if name not in self._live:
                kept = await self.disk.call(self.storage.take, name, self.settings.clock())
                table = await asyncio.to_thread(Table.of, kept.id, kept.head, kept.entries)
                self._live[name] = LiveTable(table, clock=self.settings.clock)
                if table.over:  # the process may have ended before it kept the game
                    self._finish(table)
                self._bots.get_ready(table)
                self._go_on(self._live[name])
        live = self._live[name]
        live.used = self.settings.clock()
        return live

    async def sit(self, name: str, person: str, seat: int) -> tuple[int, str]:
        """Give a person a free seat (-1: any). Return the seat and its token. Raises `RefusedError`."""
        live, token = await self.live(name), new_token()
        data = {"seat": seat, "name": person, "token": hashed(token)}
        await self.ask(live, Request("sit", -1, data=data))
        return live.table.seat_of(token), token

    # ── What is asked ─────────────────────────────────────────────────────────────────────────────────────────────

    async def ask(self, live: LiveTable, request: Request) -> int:
        """Carry out a request, and return the number of entries of the table after it. Raises `RefusedError`.

        The request is completed even if its client disconnects meanwhile.
        """
        return await asyncio.shield(asyncio.ensure_future(self._happen(live, request)))

    async def _happen(self, live: LiveTable, request: Request) -> int:
        table = live.table
        async with live.lock:
            if request.kind == "start":
                seed, salt = self.settings.seeds()
                request = replace(request, data={"seed": table.seed if table.same else seed, "salt": salt})
            elif request.kind == "again":
                request = replace(request, data={**request.data, "seats": sorted(live.beside(request.seat))})
            elif request.kind == "replace":
                live.check_replaced(request.seat, request.data["seat"])
            elif request.kind == "ready" and table.ends_pause(request):
                request = Request("reveal", -1, data={"decision": table.decision})
            entries = table.propose(request)
            if not entries:
                return table.done[request.seat, request.key]
            sitter = table.seats[request.seat]
            if request.kind in {"choose", "withdraw"} and sitter.kind == PERSON and sitter.by_bot:
                raise RefusedError("bot-plays")
            await self._write(live, entries)
            for entry in entries:
                table.apply(entry)
            if request.kind == "seat":
                live.free(request.data["seat"])
            length = table.length
            if request.kind == "reveal" and table.over:
                self._finish(table)
        live.tell()
        self._go_on(live)
        return length

    async def _write(self, live: LiveTable, entries: list[Entry]) -> None:
        """Write entries to disk. Raises `RefusedError`.

        If the disk is full, nothing was written and the table stays as it is. After any other refusal the table is
        dropped from memory and read again. If the disk has stored the entries in spite of the refusal, the next entry
        does not fit, and the table counts as lost.
        """
        try:
            await self.disk.append(Change(live.table.id, live.table.length, entries, self.settings.clock()))
        except RefusedError as error:
            if error.code == "not-saved":
                raise
            if self._live.get(live.table.id) is live:
                del self._live[live.table.id]
            live.close()
            raise

    def _finish(self, table: Table) -> None:
        """Store the record of a finished game, as soon as there is room on disk."""
        record = table.record()
        summary = {key: record[key] for key in ("title", "seats", "scores", "winners")}
        name = f"{hashed(table.id)[:16]}-{table.number}"
        what = (name, summary, record, self.settings.clock(), table.id, table.number)
        self._start(self._until_kept(partial(self.disk.call, self.storage.finish, *what)))

    async def _until_kept(self, keep: Callable[[], Awaitable[Any]]) -> Any:
        """Repeat a write of the server until the disk accepts it. Return ``None`` if the write is refused."""
        while not self._closed:
            try:
                return await keep()
            except RefusedError as error:
                if error.code != "not-saved":
                    return None
            await asyncio.sleep(FULL)
        return None

    # ── Who is there ──────────────────────────────────────────────────────────────────────────────────────────────

    async def enter(self, live: LiveTable, client: Client) -> None:
        """Connect a client to a table. Bots that replaced its people stop. Raises `RefusedError`."""
        tokens = {seat: live.table.seats[seat].token for seat in client.seats}
        client.rules = await self._rules_in(live.table, client.language)
        if any(live.table.seats[seat].token != token for seat, token in tokens.items()):  # the seat was given away
            raise RefusedError("wrong-token")
        if self._live.get(live.table.id) is not live:  # the table was released meanwhile
            raise RefusedError("held-elsewhere")
        if live.table.lost:  # the client may know events that were lost
            client.told = 0
        live.clients.add(client)
        for seat in client.seats:
            live.gone.pop(seat, None)
            if live.table.seats[seat].away:
                with contextlib.suppress(RefusedError):
                    await self.ask(live, Request("return", seat))
        live.tell()

    async def _rules_in(self, table: Table, wanted: str) -> dict[str, Any]:
        """Return the cards and rules of a table, in the language `wanted` if the card set has it."""
        game, language = table.game, showing.language_for(table.game, wanted)
        make = partial(self.pool.do, PEOPLE, table.id, OPENING, showing.rules_shown, game, language)
        rules: dict[str, Any] = await self._rules.get((game, language), make)
        return rules

    def leave(self, live: LiveTable, client: Client) -> None:
        """Disconnect a client from a table."""
        live.clients.discard(client)
        for seat in client.seats - live.here:
            live.gone[seat] = self.settings.clock()
        live.tell()

    # ── What follows ──────────────────────────────────────────────────────────────────────────────────────────────

    def _go_on(self, live: LiveTable) -> None:
        """Let bots choose if the table waits for them, or start the reveal once everybody has chosen."""
        table = live.table
        if live.reveal is not None and not live.reveal.done() and live.reveal is not asyncio.current_task():
            live.reveal.cancel()
            live.reveal = None
        if live.all_want_another() and not self._closed:
            self._start(self._ask_itself(live, Request("start", -1)))
        if self._closed or not table.playing:
            return
        if table.complete:
            people = any(not table.seats[seat].by_bot for seat in table.waiting) and len(table.people) > 1
            pause = self.settings.pause if people else self.settings.bot_pause
            if all(seat.by_bot for seat in table.seats):
                pause *= WATCHED
            live.reveal = self._start(self._reveal(live, table.decision, pause))
        elif (live.bots is None or live.bots.done()) and to_choose(table):
            live.bots = self._start(self._let_bots_choose(live))

    async def _reveal(self, live: LiveTable, decision: int, pause: float) -> None:
        await asyncio.sleep(pause)
        reveal = Request("reveal", -1, data={"decision": decision})
        try:
            await self._until_kept(partial(self.ask, live, reveal))
        finally:
            if live.reveal is asyncio.current_task():
                live.reveal = None

    async def _let_bots_choose(self, live: LiveTable) -> None:
        decision = [live.table.number, live.table.decision]
        moves, late = await self._bots.moves(live)
        choosing = self._until_kept(partial(self._choose_for_bots, live, decision, moves))
        chosen = await asyncio.shield(asyncio.ensure_future(choosing)) or []
        live.bots = None
        live.tell()
        tell_late(live, [seat for seat in chosen if seat in late])
        self._go_on(live)

    async def _choose_for_bots(self, live: LiveTable, decision: list[int], moves: Mapping[int, de.Move]) -> list[int]:
        """Apply choices of bots if they are still needed. Return the seats whose choices were applied.

        Choices of a past decision, and of seats whose people have come back, are dropped.
        """
        table = live.table
        async with live.lock:
            still = to_choose(table) if decision == [table.number, table.decision] else []
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
        return [entry["seat"] for entry in entries]
