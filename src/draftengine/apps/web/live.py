"""A table in memory, and its clients: who is there, who may speak for whom, and what each client gets."""

from __future__ import annotations

import asyncio
import json
from collections import Counter, deque
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from draftengine.apps.web import messages as showing
from draftengine.apps.web.errors import RefusedError
from draftengine.apps.web.protocol import VERSION
from draftengine.support.locale import spoken

if TYPE_CHECKING:
    from collections.abc import Coroutine, Hashable, Iterable, Mapping

    from draftengine.apps.web.table import Table

SILENCE = 60.0
"""Seconds for which somebody has to be gone before the others may vote a bot in."""
HOST_GONE = 10.0
"""Seconds after which the part of a host who has left passes on; while a game goes on it is `SILENCE`."""
_MOST_WAITING = 64
"""Messages that may wait for a client that does not read them."""


def encoded(message: Mapping[str, Any]) -> str:
    """Return a message as it is sent."""
    return json.dumps({"v": VERSION, **message}, ensure_ascii=False, separators=(",", ":"))


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
        self._send(encoded(message))

    def _send(self, text: str) -> None:
        if len(self._waiting) >= _MOST_WAITING:
            self.close()
        self._waiting.append(text)
        self._news.set()

    def refuse(self, error: RefusedError, key: Any) -> None:
        """Say why something is refused."""
        self.send(error.message_for(key))

    def look(self, work: Coroutine[Any, Any, None]) -> None:
        """Work something out beside all else, one thing at a time. Raises `RefusedError`: ``too-fast``."""
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

    @property
    def knows(self) -> Hashable:
        """All that decides which news this client gets: those of clients alike are made once."""
        return self.seat, self.language, self.number, self.told, self.rules is None

    def news(self, table: Table, view: Mapping[str, Any]) -> dict[str, Any]:
        """Return how the table stands, as `view` says, and what this client was not told yet."""
        since = self.told if self.number == table.number else 0
        story = showing.story_shown(table, self.seat, since, self.language)
        if table.lost and not since:
            text = spoken(self.language).phrase("page.table.lost")
            story.append({"n": -1, "part": table.decision, "kind": "notice", "seat": -1, "text": text})
        message = {"type": "table", **view, "since": since, "story": story, "told": showing.events_so_far(table)}
        if self.rules is not None:
            message["rules"] = self.rules
        if table.state is not None and (table.state.over or self.seat in table.unread):
            message["sheet"] = showing.sheet_shown(table, self.seat, self.language)
        if table.state is not None and table.state.over:
            message |= {"seed": table.seed, "salt": table.salt}
        return message

    def tell(self, table: Table, news: str) -> None:
        """Let news of a table be sent, which were made for this client or one alike."""
        self.number, self.told, self.rules = table.number, showing.events_so_far(table), None
        self._send(news)


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

    @property
    def idle(self) -> bool:
        """True if nobody looks at it and nothing goes on."""
        return not (self.clients or self.bots or self.reveal or self.lock.locked())

    def tell(self) -> None:
        """Tell everybody how the table stands."""
        news: dict[Hashable, str] = {}
        here, watching = self.here, sum(client.seat < 0 for client in self.clients)
        for client in list(self.clients):
            if (knows := client.knows) not in news:
                view = showing.table_shown(self.table, client.seat, here, watching, client.language)
                news[knows] = encoded(client.news(self.table, view))
            client.tell(self.table, news[knows])

    def free(self, seat: int) -> None:
        """Let those who sat at a seat watch from now on: it may be another person's soon."""
        for client in self.clients:
            client.seats -= {seat}
            client.seat = -1 if client.seat == seat else client.seat

    def close(self) -> None:
        """Send everybody away: who comes again finds the table where it is then."""
        for client in self.clients:
            client.close()

    def next_host(self, now: float) -> int | None:
        """Return the seat of the person who is to be the host, where the host has left for long enough."""
        table = self.table
        in_front = [client.seat for client in self.clients if client.seat in table.people]
        if not in_front or self.lock.locked():
            return None
        for seat in set(table.people) - self.here:
            self.gone.setdefault(seat, now)  # also those who never came since this process has the table
        gone = self.gone.get(table.host)
        left = gone is not None and now - gone >= (SILENCE if table.playing else HOST_GONE)
        return min(in_front) if left else None

    def may_replace(self, asking: int, seat: int, now: float) -> bool:
        """Return whether a bot may play on for a seat: for oneself, by the host, or by a vote after a silence.

        A vote that does not decide yet is counted. Raises `RefusedError`: ``somebody-is-there``.
        """
        if asking == seat:
            return True
        if seat in self.here:
            raise RefusedError("somebody-is-there")
        if asking == self.table.host:
            return True
        if now - self.gone.get(seat, now) < SILENCE:
            raise RefusedError("somebody-is-there")
        votes = self.votes.setdefault(seat, set())
        votes.update({asking}, *(client.seats for client in self.clients if client.seat == asking))
        return 2 * len(votes & self.here) > len(self.here)
