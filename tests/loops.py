"""Coroutines, run whatever else is going on in this process."""

import asyncio
from concurrent.futures import ThreadPoolExecutor


def in_a_loop(coroutine):
    """Run it to its end; in a thread of its own if a browser that is driven in this one has a loop already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(coroutine)
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()
