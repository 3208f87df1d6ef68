"""Logging of the server: without secrets, and with a limited rate."""

from __future__ import annotations

import logging
import re
from asyncio import CancelledError

from draftengine.apps.web.guard import TokenBucket

_SECRET = re.compile(r"(?=[A-Za-z_-]*[0-9])[0-9A-Za-z_-]{32,}")
"""Seeds, salts and tokens: no other text has 32 such characters in a row, with a digit."""
_BURST, _RATE = 200, 1
"""The number of lines in a burst, and per second after it."""


class _Formatter(logging.Formatter):
    """Removes secrets from log lines."""

    def format(self, record: logging.LogRecord) -> str:
        return _SECRET.sub("[left out]", super().format(record))


class _Filter(logging.Filter):
    """Drops tasks that the end of the server cancelled, and lines beyond the rate limit."""

    def __init__(self) -> None:
        super().__init__()
        self._bucket = TokenBucket(_BURST, _RATE)

    def filter(self, record: logging.LogRecord) -> bool:
        cancelled = record.exc_info is not None and isinstance(record.exc_info[1], CancelledError)
        return not cancelled and self._bucket.take()


def set_up() -> None:
    """Send all logging of this process to standard error, filtered by these rules."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Formatter("%(asctime)s %(levelname)s %(message)s"))
    handler.addFilter(_Filter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
