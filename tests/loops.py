"""Run coroutines, whether or not an event loop is running in this thread."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def in_a_loop(coroutine):
    """Run a coroutine to its end; in a new thread if this one has a loop, as a driven browser needs."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
