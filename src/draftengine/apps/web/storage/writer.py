"""The thread that uses the storage. Changes that arrive while it is busy are written together.

Writing to disk safely costs a sync, which takes milliseconds regardless of the size. With many tables, people would
mostly wait for one sync per choice.
"""

from __future__ import annotations

import asyncio
import logging
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from draftengine.apps.web import RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeVar

    from draftengine.apps.web.storage.chain import Change
    from draftengine.apps.web.storage.database import DatabaseStorage

    T = TypeVar("T")

LOG = logging.getLogger("draftengine.apps.web")
_PATIENCE = 5.0
"""The seconds for which changes that failed together are tried one by one."""


class StorageWriter:
    """The storage for the event loop of a server: calls run on one thread, one after the other."""

    def __init__(self, storage: DatabaseStorage) -> None:
        self.storage = storage
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="disk")
        self._waiting: list[tuple[Change, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None
        self._closed = False

    async def call(self, method: Callable[..., T], *arguments: Any) -> T:
        """Call a method of the storage and return its result.

        Raises `RefusedError`: ``lost-table`` once this writer is closed.
        """
        if self._closed:
            raise RefusedError("lost-table")
        return await self._run(method, *arguments)

    async def _run(self, method: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, method, *arguments)

    async def append(self, change: Change) -> None:
        """Write a change to disk. Raises `RefusedError`: ``lost-table``, ``not-saved``."""
        kept: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((change, kept))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._write())
        await kept

    async def _write(self) -> None:
        """Write all waiting changes together.

        If that fails, write them one by one, so that a bad change harms no other.
        """
        while self._waiting:
            together, self._waiting = self._waiting, []
            outcomes = await self._outcomes([change for change, _ in together])
            if len(together) > 1 and all(error is not None and error.code == "not-saved" for error in outcomes):
                end = time.monotonic() + _PATIENCE
                for index, (change, _) in enumerate(together):
                    if time.monotonic() < end:
                        outcomes[index : index + 1] = await self._outcomes([change])
            for (_, kept), refused in zip(together, outcomes, strict=True):
                if kept.cancelled():
                    continue
                if refused is None:
                    kept.set_result(None)
                else:
                    kept.set_exception(refused)

    async def _outcomes(self, changes: Sequence[Change]) -> list[RefusedError | None]:
        """Make changes. Return ``None`` for each that was made, and the error for others. Never raises."""
        try:
            made = await self.call(self.storage.append, changes)
        except RefusedError as error:
            return [RefusedError(error.code) for _ in changes]
        except Exception as error:  # noqa: BLE001 (all who wait have to hear of it)
            LOG.error("something cannot be kept: %s", type(error).__name__)  # noqa: TRY400 (its text holds secrets)
            return [RefusedError("not-saved") for _ in changes]
        return [None if one else RefusedError("lost-table") for one in made]

    async def close(self) -> None:
        """Release all tables and stop. Afterwards, this process writes nothing."""
        self._closed = True
        if self._writer is not None:
            await self._writer
        await self._run(self.storage.let_go)
        self._thread.shutdown()
