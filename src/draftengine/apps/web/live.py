"""Tables in memory with their clients: who is present, who may act for whom, and who gets what."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import Counter, deque
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from draftengine.apps.web import RefusedError
from draftengine.apps.web import messages as showing
from draftengine.apps.web.protocol import VERSION
from draftengine.support.locale import spoken

LOG = logging.getLogger("draftengine.apps.web")

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine, Hashable, Iterable, Mapping

    from draftengine.apps.web.table import Table

AWAY = 10.0
"""The absence in seconds after which others no longer wait for a person's answer about another game."""
SILENCE = 60.0
"""The absence in seconds after which anybody may let a bot play for a person."""
HOST_GONE = 30.0
"""The absence in seconds after which another person becomes the host; during a game, `SILENCE` counts."""
EMOTE_PAUSE = 4.0
"""The seconds between two emotes (signs such as “wow”) of a seat."""
_MOST_WAITING = 64
"""The number of messages that may wait for a client that does not read."""


def encoded(message: Mapping[str, Any]) -> str:
    """Return a message as the JSON text that is sent."""
    return json.dumps({"v": VERSION, **message}, ensure_ascii=False, separators=(",", ":"))


class Client:
    """A connection of a page to a table, with its outgoing messages and the number of events it has got."""

    def __init__(
        self, seat: int, seen: int = 0, number: int = -1, language: str = "en", beside: Iterable[int] = ()
    ) -> None:
        self.seat = seat
        self.seats = frozenset({seat, *beside}) - {-1}
        """The seats of all people at this screen."""
        self.language = language
        """The requested language."""
        self.told = seen
        self.number = number
        """The number of the game that the value of `told` is about."""
        self.rules: Mapping[str, Any] | None = None
        """The cards and rules in the client's language; ``None`` once they are sent."""
        self.closed = False
        self._looking: dict[str, asyncio.Task[None]] = {}
        self._waiting: deque[str] = deque()
        self._news = asyncio.Event()

    def send(self, message: Mapping[str, Any]) -> None:
        """Queue a message. If too many are waiting, because the client does not read, it is closed."""
        self._send(encoded(message))

    def _send(self, text: str) -> None:
        if len(self._waiting) >= _MOST_WAITING:
            self.close()
        self._waiting.append(text)
        self._news.set()

    def refuse(self, error: RefusedError, key: Any) -> None:
        """Queue the message that refuses a request."""
        self.send(error.message_for(key, self.language))

    def look(self, kind: str, key: Any, work: Coroutine[Any, Any, None]) -> None:
        """Run a slow request in the background, one of each kind at a time.

        Raises `RefusedError`: ``too-fast``.
        """
        if kind in self._looking:
            work.close()
            raise RefusedError("too-fast")

        async def answered() -> None:
            try:
                await work
            except RefusedError as error:
                self.refuse(error, key)
            except Exception:
                # Without an answer, the page would wait for ever.
                LOG.exception("A request of a client could not be answered")
                self.refuse(RefusedError("went-wrong"), key)
            finally:
                del self._looking[kind]

        self._looking[kind] = asyncio.create_task(answered())

    def close(self) -> None:
        """Close the connection without sending anything more."""
        self.closed = True
        self._news.set()

    async def next(self) -> str | None:
        """Return the next message to send; ``None`` if the client is closed."""
        while not self._waiting and not self.closed:
            self._news.clear()
            await self._news.wait()
        return None if self.closed else self._waiting.popleft()

    @property
    def knows(self) -> Hashable:
        """Everything that determines the next `news` of this client. Clients with equal values get the same."""
        return self.seat, self.language, self.number, self.told, self.rules is None

    def news(self, table: Table, view: Mapping[str, Any]) -> dict[str, Any]:
        """Return a message about the table: `view`, and the events that the client has not got yet."""
        since = self.told if self.number == table.number else 0
        story = showing.story_shown(table, self.seat, since, self.language)
        if table.lost and not since:
            text = spoken(self.language).phrase("page.table.lost")
            story.append({"n": -1, "part": table.decision, "kind": "notice", "seat": -1, "text": text})
        view = {**view, "patience": [AWAY, SILENCE]}
        message = {"type": "table", **view, "since": since, "story": story, "told": showing.events_so_far(table)}
        if self.rules is not None:
            message["rules"] = self.rules
        if table.state is not None and (table.state.over or self.seat in table.unread):
            message["sheet"] = showing.sheet_shown(table, self.seat, self.language)
        if table.state is not None and table.state.over:
            message |= {"seed": table.seed, "salt": table.salt}
        return message

    def tell(self, table: Table, news: str) -> None:
        """Queue the encoded `news` of a table, and record that this client has them."""
        self.number, self.told, self.rules = table.number, showing.events_so_far(table), None
        self._send(news)


class LiveTable(Struct, eq=False):
    """A table in memory, with its clients."""

    table: Table
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    clients: set[Client] = field(default_factory=set)
    bots: asyncio.Task[None] | None = None
    reveal: asyncio.Task[None] | None = None
    gone: dict[int, float] = field(default_factory=dict)
    """By seat, the time since which its person has not been connected."""
    emoted: dict[int, float] = field(default_factory=dict)
    """The time of the last emote of each seat."""

    thinking: dict[int, asyncio.Task[Any]] = field(default_factory=dict)
    """The latest task of each bot, by seat. A late one may still run when the table goes on without it."""
    failed: Counter[tuple[int, int]] = field(default_factory=Counter)
    """The number of failures in a row of each bot, by game and seat."""
    benched: set[tuple[int, int]] = field(default_factory=set)
    """Bots that failed too often, by game and seat. They are no longer asked, and players were notified."""

    clock: Callable[[], float] = time.time
    used: float = 0
    """The time at which the table was last used."""

    @property
    def here(self) -> frozenset[int]:
        """The seats of all connected people, including those who share a screen."""
        return frozenset(seat for client in self.clients for seat in client.seats)

    @property
    def idle(self) -> bool:
        """True if nobody is connected and nothing is running."""
        return not (self.clients or self.bots or self.reveal or self.lock.locked())

    def beside(self, seat: int) -> frozenset[int]:
        """Return `seat` together with the other seats at each screen on which `seat` is the first."""
        return frozenset({seat}).union(*(client.seats for client in self.clients if client.seat == seat))

    def tell(self) -> None:
        """Send every client the state of the table."""
        news: dict[Hashable, str] = {}
        here, watching = self.here, sum(client.seat < 0 for client in self.clients)
        gone = {seat: self.absence(seat) for seat in self.table.people}
        for client in list(self.clients):
            if (knows := client.knows) not in news:
                view = showing.table_shown(self.table, client.seat, here, watching, client.language, gone)
                news[knows] = encoded(client.news(self.table, view))
            client.tell(self.table, news[knows])

    def free(self, seat: int) -> None:
        """Make clients of a seat spectators, because somebody else may take the seat."""
        for client in self.clients:
            client.seats -= {seat}
            client.seat = -1 if client.seat == seat else client.seat

    def close(self) -> None:
        """Close all clients. They reconnect to the process that has the table by then."""
        for client in self.clients:
            client.close()

    def next_host(self) -> int | None:
        """Return the seat of the next host if the host has been gone for long enough, otherwise ``None``."""
        table = self.table
        in_front = [client.seat for client in self.clients if client.seat in table.people]
        if not in_front or table.host in self.here or self.lock.locked():
            return None
        left = self.absence(table.host) >= (SILENCE if table.playing else HOST_GONE)
        return min(in_front) if left else None

    def absence(self, seat: int) -> float:
        """Return the number of seconds for which a person has been away.

        For a person who was never seen here, counting starts now.
        """
        now = self.clock()
        return 0 if seat in self.here else now - self.gone.setdefault(seat, now)

    def all_want_another(self) -> bool:
        """True if everybody who is present after a game wants another one."""
        if not self.table.over or self.lock.locked():
            return False
        present = [self.table.seats[seat] for seat in self.table.people if self.absence(seat) < AWAY]
        return bool(present) and all(seat.again for seat in present)

    def check_replaced(self, asking: int, seat: int) -> None:
        """Check that seat `asking` may put a bot in `seat`: it is the same, or its person has long been away.

        Raises `RefusedError` otherwise.
        """
        if asking != seat and self.absence(seat) < SILENCE:
            raise RefusedError("somebody-is-there")

    def emote(self, seat: int, emote: str) -> None:
        """Show everybody an emote of a seat. Raises `RefusedError`: ``too-fast``."""
        now = self.clock()
        if now - self.emoted.get(seat, -EMOTE_PAUSE) < EMOTE_PAUSE:
            raise RefusedError("too-fast")
        self.emoted[seat] = now
        for client in list(self.clients):
            client.send({"type": "emote", "seat": seat, "emote": emote})
