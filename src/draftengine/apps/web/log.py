"""What a server writes about itself: without secrets, and not without end."""

from __future__ import annotations

import logging
import re
from asyncio import CancelledError

from draftengine.apps.web.guard import TokenBucket

_SECRET = re.compile(r"(?=[A-Za-z_-]*[0-9])[0-9A-Za-z_-]{32,}")
"""Seeds, salts and tokens, wherever they stand: nothing else has so many letters and digits without a break."""
_BURST, _RATE = 200, 1
"""Lines: so many at once, and so many a second after that."""


class _Formatter(logging.Formatter):
    """Leaves out what nobody may read."""

    def format(self, record: logging.LogRecord) -> str:
        return _SECRET.sub("[left out]", super().format(record))


class _Filter(logging.Filter):
    """Leaves out what the end of the server cancelled, and what comes too often."""

    def __init__(self) -> None:
        super().__init__()
        self._bucket = TokenBucket(_BURST, _RATE)

    def filter(self, record: logging.LogRecord) -> bool:
        cancelled = record.exc_info is not None and isinstance(record.exc_info[1], CancelledError)
        return not cancelled and self._bucket.take()


def set_up() -> None:
    """Let everything that is logged in this process go to standard error by these rules."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Formatter("%(asctime)s %(levelname)s %(message)s"))
    handler.addFilter(_Filter())
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
