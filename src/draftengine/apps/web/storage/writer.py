"""The one thread that talks to the storage. What has to be kept while it is busy is then kept together.

To be durable costs a sync of the disk, which takes milliseconds however little is written: with many tables one sync
for each choice would be what everybody waits for.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from draftengine.apps.web.errors import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from draftengine.apps.web.storage.interface import Change, Storage

    T = TypeVar("T")


class StorageWriter:
    """A storage as the tables of one event loop use it."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="disk")
        self._waiting: list[tuple[Change, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None
        self._closed = False

    async def call(self, method: Callable[..., T], *arguments: Any) -> T:
        """What a method of the storage returns. Raises `RefusedError`, ``lost-table`` once this is closed."""
        if self._closed:
            raise RefusedError("lost-table")
        return await self._run(method, *arguments)

    async def _run(self, method: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, method, *arguments)

    async def append(self, change: Change) -> None:
        """Make a change durable. Raises `RefusedError`: ``lost-table``, ``not-saved``."""
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((change, kept))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())
        await kept

    async def _write(self) -> None:
        while self._waiting:
            together, self._waiting = self._waiting, []
            outcomes: list[RefusedError | None]
            try:
                made = await self.call(self.storage.append, [change for change, _ in together])
                outcomes = [None if done else RefusedError("lost-table") for done in made]
            except RefusedError as error:
                outcomes = [error] * len(together)
            for (_, kept), refused in zip(together, outcomes, strict=True):
                if kept.cancelled():
                    continue
                if refused is None:
                    kept.set_result(None)
                else:
                    kept.set_exception(refused)

    async def close(self) -> None:
        """Let every table go; nothing more is kept by this process."""
        self._closed = True
        if self._writer is not None:
            await self._writer
        await self._run(self.storage.let_go)
        self._thread.shutdown()
