"""Where chunks are played: here, in several processes, or on a cluster. All are `concurrent.futures.Executor`."""

from __future__ import annotations

from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from draftengine.support.optional import needed_for
from draftengine.support.processes import open_processes

if TYPE_CHECKING:
    from collections.abc import Callable


class ExecutorError(ValueError):
    """An executor cannot be had, or was lost; the message says why and what would help."""


def open_executor(where: str, jobs: int) -> Executor:
    """Return the executor for ``""`` (this machine) or ``tcp://HOST:PORT`` (Dask). Raises `ExecutorError`."""
    if where:
        return DaskExecutor(where)
    if jobs > 1:
        with suppress(OSError):  # no room for what processes share: slower is better than not at all
            return open_processes(jobs)
    return InProcessExecutor()


class InProcessExecutor(Executor):
    """This very process: a task is carried out when it is submitted."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 (a future carries whatever happened)
            done.set_exception(error)
        return done


class DaskExecutor(Executor):
    """A Dask cluster. Tasks of workers that fail are done again by its scheduler."""

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
        # Equal chunks of two simulations are not the same work, to be done once.
        return _Remote(self._client.submit(fn, *args, pure=False, **kwargs))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 (as inherited)
        self._client.close()  # what nobody waits for any more is not done


class _Remote(Future[Any]):
    """A result on a cluster, fetched when it is asked for.

    Dask's own `concurrent.futures` fetch it once, when it is done, and fail if the worker that has it dies just then;
    its futures fetch it again from wherever it is made anew.
    """

    def __init__(self, there: Any) -> None:
        super().__init__()
        self._there = there

    def result(self, timeout: float | None = None) -> Any:
        return self._there.result(timeout)
