"""Bots at tables: they learn a game and choose in other processes, and never hold a table up.

If a bot fails, it is asked once more. If it fails again, or people who have chosen would have to wait too long for it,
a simple card is played for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Any

from draftengine.apps.web import RefusedError, work
from draftengine.apps.web.pool import BOTS, READY, Once, Pool
from draftengine.support.locale import spoken

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Coroutine, Mapping

    import draftengine as de
    from draftengine.apps.web.live import LiveTable
    from draftengine.apps.web.table import Table

LOG = logging.getLogger("draftengine.apps.web")
SLOW = "hard"
"""The level of bots that think long. Each such bot has a process; a table's other bots share one."""
LEARNING = 60.0
"""The time limit for a bot to learn a game, in seconds."""
BENCHED = 3
"""The number of failures in a row after which a bot only gets simple cards for the rest of a game."""
_STEP = 0.1
_MOST_KEPT = 64


class Bots:
    """The bots of all tables.

    The process for a choice may run for `thinking` seconds. People who have chosen wait at most `patience` seconds.
    """

    def __init__(
        self,
        pool: Pool,
        start: Callable[[Coroutine[Any, Any, Any]], asyncio.Task[Any]],
        thinking: float,
        patience: float,
    ) -> None:
        self._pool, self._start = pool, start
        self._thinking, self._patience = thinking, patience
        self._ready = Once(_MOST_KEPT)

    async def warm(self) -> None:
        """Make a process import the program, so that nobody has to wait for this later."""
        with contextlib.suppress(RefusedError):
            await self._pool.do(BOTS, "", LEARNING, work.ready)

    def get_ready(self, table: Table) -> None:
        """Let the bots of a table learn its game before they have to choose."""

        async def learn(level: str) -> None:
            with contextlib.suppress(Exception):  # an error occurs again when the bot has to choose
                await self._learn(table, level)

        for level in dict.fromkeys(seat.level for seat in table.seats if seat.by_bot):
            self._start(learn(level))

    async def _learn(self, table: Table, level: str) -> bool:
        """Let a bot learn the table's game. Return True once it has learnt it.

        If that takes too long, return False and never try again.
        """

        async def learn() -> bool:
            try:
                await self._pool.do(READY, table.id, LEARNING, work.prepare, level, table.game)
            except RefusedError as error:
                if error.code != "takes-too-long":
                    raise
                return False
            return True

        learnt: bool = await self._ready.get((level, table.game), learn)
        return learnt

    async def moves(self, live: LiveTable) -> tuple[dict[int, de.Move], set[int]]:
        """Return the moves of bots that have to choose, and the seats of late bots, whose moves are simple."""
        table, decision = live.table, (live.table.number, live.table.decision)
        views = {seat: (table.seats[seat].level, table.view(seat)) for seat in to_choose(table)}
        # Start the bots that are not benched and not still thinking, with one task for each process.
        asked = [
            seat
            for seat in views
            if live.failed[live.table.number, seat] < BENCHED
            and (seat not in live.thinking or live.thinking[seat].done())
        ]
        slow = [[seat] for seat in asked if views[seat][0] == SLOW]
        quick = [seat for seat in asked if views[seat][0] != SLOW]
        thinking = []
        for seats in filter(None, (quick, *slow)):
            task = self._start(self._think(live, {seat: views[seat] for seat in seats}))
            live.thinking |= dict.fromkeys(seats, task)
            thinking.append(task)
        clock = asyncio.get_running_loop().time
        since = clock()
        while clock() - since < self._patience and not all(task.done() for task in thinking):
            await asyncio.wait(thinking, timeout=_STEP)
            if decision != (table.number, table.decision):
                break
            if not all(table.seats[at].by_bot or at in table.choices for at in table.waiting):
                since = clock()  # people still have to choose, too
        moves = {seat: move for task in thinking if task.done() for seat, move in task.result().items()}
        late = views.keys() - moves
        return moves | {seat: work.simple(views[seat][1]) for seat in late}, late

    async def _think(self, live: LiveTable, views: Mapping[int, tuple[str, de.View]]) -> dict[int, de.Move]:
        """Return the moves of bots; none if they fail. Failures are counted even if nobody waits any more."""
        number = live.table.number
        moves = await self._decided(live.table, views)
        for seat in views:
            live.failed[number, seat] = 0 if seat in moves else live.failed[number, seat] + 1
        return moves

    async def _decided(self, table: Table, views: Mapping[int, tuple[str, de.View]]) -> dict[int, de.Move]:
        """Return the moves of bots; none if they fail twice, or cannot learn the game in time."""
        number, chance = table.decision, f"{table.seed}/{table.decision}"
        for again in (True, False):
            try:
                for level in dict.fromkeys(level for level, _ in views.values()):
                    if not await self._learn(table, level):
                        return {}
                return await self._pool.do(BOTS, table.id, self._thinking, work.decisions, views, chance)
            except Exception as error:  # noqa: BLE001 (the table goes on, regardless of the error)
                LOG.warning("a bot of %s failed: %s", table.game.id, type(error).__name__)
                if not again or number != table.decision:
                    break
        return {}


def to_choose(table: Table) -> list[int]:
    """Return the seats of bots that have to choose and have not chosen yet."""
    return [seat for seat in table.waiting if table.seats[seat].by_bot and seat not in table.choices]


def tell_late(live: LiveTable, seats: Collection[int]) -> None:
    """Send everybody at a table a message for each of these seats: its bot was late or failed."""
    for seat in seats:
        name, key = live.table.seats[seat].name, (live.table.number, seat)
        if key in live.benched:
            continue
        fails = live.failed[key] >= BENCHED
        if fails:
            live.benched.add(key)
        message = "server.bot-fails" if fails else "server.bot-late"
        for client in list(live.clients):
            text = spoken(client.language).phrase(message, name=name)
            client.send({"type": "notice", "seat": seat, "text": text})
