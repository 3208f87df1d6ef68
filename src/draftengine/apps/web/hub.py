"""Tables with a clock, bots, connections and a disk: what is asked is written down, then happens, then is told."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections import Counter, deque
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, field

import draftengine as de
from draftengine.apps.web import messages as showing
from draftengine.apps.web import work
from draftengine.apps.web.errors import RefusedError
from draftengine.apps.web.pool import BOTS, PEOPLE, READY, Once, Pool
from draftengine.apps.web.protocol import VERSION
from draftengine.apps.web.storage.interface import DAY, LEASE, Change
from draftengine.apps.web.storage.writer import StorageWriter
from draftengine.apps.web.table import BOT, PERSON, Request, Table
from draftengine.apps.web.tokens import hashed, new_id, new_seed, new_token

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Mapping

    from draftengine.apps.web.storage.interface import Storage
    from draftengine.apps.web.table import Entry

Result = TypeVar("Result")
LOG = logging.getLogger("draftengine.apps.web")
MOST_TABLES = 10_000
SILENCE = 60.0
"""Seconds for which somebody has to be gone before the others may vote a bot in."""
DAMAGED = (
    "Where this table was kept, something was damaged: the last that happened is lost, and you play on from there."
)
HOST_GONE = 10.0
"""Seconds after which the part of a host who has left passes on; while a game goes on it is `SILENCE`."""
CLEANING = 3600.0
"""Seconds after which it is looked again for tables that have had their time."""
FULL = 1.0
"""Seconds after which what a full disk refused is tried again."""
SLOW = "hard"
"""The bots that think for long: each gets a process of its own, while the others of a table share one."""
WATCH = 0.5
"""Seconds after which a table is found that should go on and does not."""
OPENING = 30.0
"""Seconds of a process for the cards and rules of a table, the start of that process included."""
LEARNING = 60.0
"""Seconds in which a bot has to learn a game."""
BENCHED = 3
"""A bot that failed so many times in a row, or had to be ended, plays simple cards for the rest of the game."""
_STEP = 0.1
_MOST_KEPT = 64
_MOST_WAITING = 64
"""Messages that may wait for a client that does not read them."""


class Settings(Struct, frozen=True):
    """How a hub behaves in time."""

    pause: float = 1.5
    """Seconds between the last choice of a person and the reveal, in which it may be taken back."""
    bot_pause: float = 0.7
    """Seconds before the reveal where only bots chose, so that people can follow."""
    thinking: float = 10.0
    """Seconds that a bot has for a choice before its process is ended."""
    patience: float = 1.5
    """Seconds for which people who have chosen wait for a bot, before it plays a simple card."""
    pool: Callable[[], Pool] = Pool
    connections: int = 200
    """How many tables an address may look at."""
    keep: float = 30 * DAY
    """Seconds for which a table is kept whose game is not over, after the last move."""
    clock: Callable[[], float] = time.time
    seeds: Callable[[], tuple[str, str]] = new_seed


class Client:
    """A connection to a table: what waits to be sent, and how much of the story was told."""

    def __init__(
        self, seat: int, seen: int = 0, number: int = -1, language: str = "en", beside: Iterable[int] = ()
    ) -> None:
        self.seat = seat
        self.seats = frozenset({seat, *beside}) - {-1}
        """All who are at this screen."""
        self.language = language
        """The language that was asked for."""
        self.told = seen
        self.number = number
        """The game that `told` counts in."""
        self.rules: Mapping[str, Any] | None = None
        """The cards and rules in the client's language, until they are told."""
        self.closed = False
        self._looking: asyncio.Task[None] | None = None
        self._waiting: deque[str] = deque()
        self._news = asyncio.Event()

    def send(self, message: Mapping[str, Any]) -> None:
        """Let a message be sent; a client that reads nothing is given up."""
        if len(self._waiting) >= _MOST_WAITING:
            self.close()
        self._waiting.append(json.dumps({"v": VERSION, **message}, ensure_ascii=False, separators=(",", ":")))
        self._news.set()

    def look(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something be worked out beside all else, one thing at a time. Raises `RefusedError`: ``too-fast``."""
        if self._looking is not None and not self._looking.done():
            work.close()
            raise RefusedError("too-fast")
        self._looking = asyncio.create_task(work)

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
    pool: Pool
    """What thinks for it."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    clients: set[Client] = field(default_factory=set)
    bots: asyncio.Task[None] | None = None
    reveal: asyncio.Task[None] | None = None
    votes: dict[int, set[int]] = field(default_factory=dict)
    gone: dict[int, float] = field(default_factory=dict)
    """Since when seats of people have nobody connected."""

    thinking: dict[int, asyncio.Task[Any]] = field(default_factory=dict)
    """What bots were asked last, by seat; a late one may still think about it when others have gone on."""
    failed: Counter[tuple[int, int]] = field(default_factory=Counter)
    """How many times in a row bots failed, by the number of the game and the seat."""
    benched: set[tuple[int, int]] = field(default_factory=set)
    """The bots of whom it was told that they are not asked any more."""

    used: float = 0
    """When somebody asked for it last."""

    @property
    def here(self) -> frozenset[int]:
        """The seats that somebody is connected for, those beside them at the same screen included."""
        return frozenset(seat for client in self.clients for seat in client.seats)


class TableServer:
    """All tables of this process."""

    def __init__(self, storage: Storage, settings: Settings | None = None) -> None:
        self.storage = storage
        self.settings = settings or Settings()
        self._live: dict[str, LiveTable] = {}
        self._opening = asyncio.Lock()
        self.disk = StorageWriter(storage)
        self.pool = self.settings.pool()
        self._rules, self._ready = Once(_MOST_KEPT), Once(_MOST_KEPT)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False

    # ── Life ──────────────────────────────────────────────────────────────────────────────────────────────────────

    async def run(self) -> None:
        """Hold on to the tables until cancelled."""
        self._start(self._clean())
        self._start(self._watch())
        self._start(self._warm())
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
        """Remove the tables that have had their time, a few at once, so that nobody waits for that."""
        while not self._closed:
            removed = 0
            with contextlib.suppress(RefusedError):
                removed = await self.disk.call(self.storage.clean, self.settings.clock(), self.settings.keep)
            await asyncio.sleep(0 if removed else CLEANING)

    async def _watch(self) -> None:
        """Let every table go on that should and does not, whatever has stopped it."""
        while not self._closed:
            await asyncio.sleep(WATCH)
            for live in list(self._live.values()):
                self._pass_on(live)
                if (live.reveal is None or live.reveal.done()) and not live.lock.locked():
                    self._go_on(live)

    def _pass_on(self, live: LiveTable) -> None:
        """Make a person who is there the host, where the host has left."""

        async def make_host() -> None:
            with contextlib.suppress(RefusedError):  # it is tried again as long as it is wanted
                await self.ask(live, Request("host", -1, data={"seat": min(in_front)}))

        table, now = live.table, self.settings.clock()
        in_front = [client.seat for client in live.clients if client.seat in table.people]
        if not in_front or live.lock.locked():
            return
        for seat in set(table.people) - live.here:
            live.gone.setdefault(seat, now)  # also those who never came since this process has the table
        gone = live.gone.get(table.host)
        if gone is not None and now - gone >= (SILENCE if table.playing else HOST_GONE):
            self._start(make_host())

    async def _warm(self) -> None:
        """Let a process import the program before anybody waits for it."""
        with contextlib.suppress(RefusedError):
            await self.pool.do(BOTS, "", LEARNING, work.ready)

    def _get_ready(self, table: Table) -> None:
        """Let the bots of a table learn its game before they have to choose."""
        for level in dict.fromkeys(own.level for own in table.seats if own.by_bot):
            self._start(self._learn_early(table, level))

    async def _learn_early(self, table: Table, level: str) -> None:
        with contextlib.suppress(Exception):  # whatever is wrong comes again when the bot has to choose
            await self._learn(table, level)

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

    def _start(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            LOG.error("a table stopped", exc_info=task.exception())

    # ── Tables ────────────────────────────────────────────────────────────────────────────────────────────────────

    async def create(self, rules: Mapping[str, Any], wanted: Mapping[str, Any]) -> tuple[str, dict[int, str]]:
        """A new table of rules (see `catalogue.head`); its name, and the tokens of the seats that its maker has."""
        full = await self.disk.call(self.storage.count) >= MOST_TABLES
        # A table where somebody waits is held. Where nobody does and nothing has begun, a new one is worth more.
        if full and not await self.disk.call(self.storage.make_room, self.settings.clock()):
            raise RefusedError("too-many")
        head = {
            "versions": {"draftengine": de.__version__, "table": VERSION},
            **rules,
            "hints": wanted["hints"],
            "effects": wanted["effects"],
            "memory": wanted["memory"],
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
        self._get_ready(table)
        return name, tokens

    async def live(self, name: str) -> LiveTable:
        """A table, from memory or from the disk. Raises `RefusedError`."""
        async with self._opening:
            if name not in self._live:
                kept = await self.disk.call(self.storage.take, name, self.settings.clock())
                table = await asyncio.to_thread(Table.of, kept.id, kept.head, kept.entries)
                self._live[name] = LiveTable(table, self.pool)
                if table.state is not None and table.state.over:  # the process may have ended before it kept the game
                    self._finish(table)
                self._get_ready(table)
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
            if request.kind in {"choose", "withdraw"} and table.seats[request.seat].away:
                raise RefusedError("bot-plays")
            entries = table.propose(request)
            if not entries:
                return table.done[request.seat, request.key]
            await self._write(live, entries)
            for entry in entries:
                table.apply(entry)
            if request.kind == "seat":
                for client in live.clients:  # those who sat there watch from now on: it may be another person's soon
                    client.seats -= {request.data["seat"]}
                    client.seat = -1 if client.seat == request.data["seat"] else client.seat
            length = table.length
            if request.kind == "reveal" and table.state is not None and table.state.over:
                self._finish(table)
        self._tell(live)
        self._go_on(live)
        return length

    async def _write(self, live: LiveTable, entries: list[Entry]) -> None:
        """Put entries on the disk.

        A full disk has kept nothing: the table stays as it is. A lost one is forgotten, so that it is read again.
        Should the disk have kept what it refused, the next entry has no place, which is the same as a lost table.
        """
        try:
            await self.disk.append(Change(live.table.id, live.table.length, entries, self.settings.clock()))
        except RefusedError as error:
            if error.code == "not-saved":
                raise
            if self._live.get(live.table.id) is live:
                del self._live[live.table.id]
            for client in live.clients:
                client.close()
            raise

    def _finish(self, table: Table) -> None:
        """Keep the record of a finished game, as soon as there is room for it."""
        record = table.record()
        summary = {key: record[key] for key in ("title", "seats", "scores", "winners")}
        name = f"{hashed(table.id)[:16]}-{table.number}"
        what = (name, summary, record, self.settings.clock(), table.id, table.number)
        self._start(self._until_kept(partial(self.disk.call, self.storage.finish, *what)))

    async def _until_kept(self, keep: Callable[[], Awaitable[Any]]) -> Any:
        """Do what the server has to do itself, again and again until the disk takes it; ``None`` if it is refused."""
        while not self._closed:
            try:
                return await keep()
            except RefusedError as error:
                if error.code != "not-saved":
                    return None
            await asyncio.sleep(FULL)
        return None

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
        votes.update({request.seat}, *(client.seats for client in live.clients if client.seat == request.seat))
        return 2 * len(votes & live.here) > len(live.here)

    # ── Who is there ──────────────────────────────────────────────────────────────────────────────────────────────

    async def enter(self, live: LiveTable, client: Client) -> None:
        """Somebody opened the table; a bot that played on for them stops. Raises `RefusedError`."""
        tokens = {seat: live.table.seats[seat].token for seat in client.seats}
        client.rules = await self._rules_in(live.table, client.language)
        if any(live.table.seats[seat].token != token for seat, token in tokens.items()):  # it was given away meanwhile
            raise RefusedError("wrong-token")
        if self._live.get(live.table.id) is not live:  # it was let go meanwhile
            raise RefusedError("held-elsewhere")
        if live.table.lost:  # what the client knows may have been lost
            client.told = 0
        live.clients.add(client)
        for seat in client.seats:
            live.gone.pop(seat, None)
            live.votes.pop(seat, None)
            if live.table.seats[seat].away:
                with contextlib.suppress(RefusedError):
                    await self.ask(live, Request("return", seat))
        self._tell(live)

    async def _rules_in(self, table: Table, wanted: str) -> dict[str, Any]:
        """The cards and rules of a table in the language that somebody wants."""
        game, language = table.game, showing.language_for(table.game, wanted)
        make = partial(self.pool.do, PEOPLE, table.id, OPENING, showing.rules_shown, game, language)
        rules: dict[str, Any] = await self._rules.get((game, language), make)
        return rules

    def leave(self, live: LiveTable, client: Client) -> None:
        """Somebody closed the table, or lost the connection."""
        live.clients.discard(client)
        for seat in client.seats - live.here:
            live.gone[seat] = self.settings.clock()
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
        if table.lost and not client.told:
            message["story"].append({"n": -1, "part": table.decision, "kind": "notice", "seat": -1, "text": DAMAGED})
        client.told = showing.events_so_far(table)
        message["told"] = client.told
        if client.rules is not None:
            message["rules"], client.rules = client.rules, None
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
        reveal = Request("reveal", -1, data={"decision": decision})
        try:
            await self._until_kept(partial(self.ask, live, reveal))
        finally:
            if live.reveal is asyncio.current_task():
                live.reveal = None

    async def _let_bots_choose(self, live: LiveTable) -> None:
        table = live.table
        todo, decision = _bots_to_choose(table), [table.number, table.decision]
        views = {seat: (table.seats[seat].level, table.view(seat)) for seat in todo}
        asked = [seat for seat in todo if self._may_ask(live, seat)]
        slow = [[seat] for seat in asked if views[seat][0] == SLOW]
        quick = [seat for seat in asked if views[seat][0] != SLOW]
        jobs = [{seat: views[seat] for seat in seats} for seats in (quick, *slow) if seats]
        thinking = [self._start(self._think(live, job)) for job in jobs]
        live.thinking |= {seat: own for own, job in zip(thinking, jobs, strict=True) for seat in job}
        clock = asyncio.get_running_loop().time
        since = clock()
        while clock() - since < self.settings.patience and not all(own.done() for own in thinking):
            await asyncio.wait(thinking, timeout=_STEP)
            if decision != [table.number, table.decision]:
                break
            if not _people_have_chosen(table):
                since = clock()
        moves = {seat: move for own in thinking if own.done() for seat, move in own.result().items()}
        late = [seat for seat in todo if seat not in moves]
        moves |= {seat: work.simple(views[seat][1]) for seat in late}
        choosing = self._until_kept(partial(self._choose_for_bots, live, decision, moves))
        chosen = await asyncio.shield(asyncio.ensure_future(choosing)) or []
        live.bots = None
        self._tell(live)
        self._tell_late(live, [seat for seat in chosen if seat in late])
        self._go_on(live)

    def _may_ask(self, live: LiveTable, seat: int) -> bool:
        """Is a bot asked: it has not failed too often, and thinks of nothing else any more."""
        before = live.thinking.get(seat)
        return live.failed[live.table.number, seat] < BENCHED and (before is None or before.done())

    async def _think(self, live: LiveTable, views: Mapping[int, tuple[str, de.View]]) -> dict[int, de.Move]:
        """What bots choose; nothing if they fail. It is counted, also when nobody waits for it any more."""
        number = live.table.number
        moves = await self._decided(live.table, views)
        for seat in views:
            live.failed[number, seat] = 0 if seat in moves else live.failed[number, seat] + 1
        return moves

    async def _decided(self, table: Table, views: Mapping[int, tuple[str, de.View]]) -> dict[int, de.Move]:
        """What bots choose; nothing if they fail twice, or cannot learn the game in time."""
        number, chance = table.decision, f"{table.seed}/{table.decision}"
        for again in (True, False):
            try:
                for level in dict.fromkeys(level for level, _ in views.values()):
                    if not await self._learn(table, level):
                        return {}
                asked = (BOTS, table.id, self.settings.thinking, work.decisions, views, chance)
                return await self.pool.do(*asked)
            except Exception as error:  # noqa: BLE001 (whatever is wrong with a bot, the table goes on)
                LOG.warning("a bot of %s failed: %s", table.game.id, type(error).__name__)
                if not again or number != table.decision:
                    break
        return {}

    async def _learn(self, table: Table, level: str) -> bool:
        """Has a bot learnt the game of a table. One that took too long once would do so again."""

        async def learn() -> bool:
            try:
                await self.pool.do(READY, table.id, LEARNING, work.prepare, level, table.game)
            except RefusedError as error:
                if error.code != "takes-too-long":
                    raise
                return False
            return True

        learnt: bool = await self._ready.get((level, table.game), learn)
        return learnt

    def _tell_late(self, live: LiveTable, seats: Collection[int]) -> None:
        """Tell everybody at a table which bots played simple cards."""
        for seat in seats:
            name, key = live.table.seats[seat].name, (live.table.number, seat)
            if key in live.benched:
                continue
            text = f"{name} took too long and played a simple card."
            if live.failed[key] >= BENCHED:
                live.benched.add(key)
                text = f"{name} fails again and again, and plays simple cards until the game is over."
            for client in list(live.clients):
                client.send({"type": "notice", "seat": seat, "text": text})

    async def _choose_for_bots(self, live: LiveTable, decision: list[int], moves: Mapping[int, de.Move]) -> list[int]:
        """What bots chose happens at once, but for seats whose people came back meanwhile, and for choices gone by.

        Returned are the seats for which something happened.
        """
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
        return [entry["seat"] for entry in entries]


def _bots_to_choose(table: Table) -> list[int]:
    """The seats where a bot has to choose and has not."""
    return [seat for seat in table.waiting if table.seats[seat].by_bot and seat not in table.choices]


def _people_have_chosen(table: Table) -> bool:
    """Does nobody have to choose but bots."""
    return all(table.seats[at].by_bot or at in table.choices for at in table.waiting)
