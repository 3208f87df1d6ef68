"""Executors (`concurrent.futures.Executor`) for chunks: this process, several, or a cluster."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from draftengine.support.optional import needed_for
from draftengine.support.processes import open_processes

if TYPE_CHECKING:
    from collections.abc import Callable


class ExecutorError(ValueError):
    """Error for an executor that cannot be opened or was lost; the message says why and what would help."""


def open_executor(where: str, jobs: int) -> Executor:
    """Return the executor for ``""`` (this machine) or ``tcp://HOST:PORT`` (Dask). Raises `ExecutorError`."""
    if where:
        return DaskExecutor(where)
    if jobs > 1:
        with suppress(OSError):  # without shared memory for processes, playing slowly is better than failing
            return open_processes(jobs)
    return InProcessExecutor()


class InProcessExecutor(Executor):
    """Executor in this process, which carries out a task when it is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 (a future carries whatever happened)
            done.set_exception(error)
        return done


class DaskExecutor(Executor):
    """Executor on a Dask cluster, whose scheduler repeats the tasks of workers that fail."""

    def __init__(self, address: str) -> None:
        try:
            import distributed  # noqa: PLC0415 (an extra)
        except ImportError:
            raise ExecutorError(needed_for("a cluster", "cluster")) from None
        cluster: Any = distributed
        try:
            self._client = cluster.Client(address, timeout=10)
        except (OSError, ValueError) as error:
            raise ExecutorError(f"There is no scheduler at {address}: {error}.") from None

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        # Pure tasks are cached: Dask would play equal chunks of two simulations only once.
        return _Remote(self._client.submit(fn, *args, pure=False, **kwargs))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 (as inherited)
        self._client.close()  # cancels the tasks that nobody waits for


class _Remote(Future[Any]):
    """Result on a cluster, fetched on request.

    Dask's `concurrent.futures` interface fetches a result once, when it is done, and fails if its worker dies just
    then. Dask's own futures fetch it again from the worker that recomputes it.
    """

    def __init__(self, there: Any) -> None:
        super().__init__()
        self._there = there

    def result(self, timeout: float | None = None) -> Any:
        return self._there.result(timeout)
