"""Refusals of tables and of the server, by code."""

from __future__ import annotations

from types import MappingProxyType
from typing import Any

from draftengine.support.locale import spoken

_PREFIX = "server."
REASONS = MappingProxyType(
    {
        key.removeprefix(_PREFIX): text
        for key, text in spoken("en").patterns.items()
        if key.startswith(_PREFIX) and isinstance(text, str)
    }
)
"""The English sentence for each code of a refusal; there are no other codes."""


class RefusedError(Exception):
    """Refusal of a request; nothing has changed. `code` is one of `REASONS`."""

    def __init__(self, code: str, detail: str = "") -> None:
        self.code = code
        self.detail = detail
        """A more precise English sentence for this case, if there is one."""
        self.message = detail or REASONS[code]
        super().__init__(self.message)

    @property
    def answer(self) -> dict[str, str]:
        """The JSON answer to a refused HTTP request."""
        return {"error": self.code, "message": self.message, "detail": self.detail}

    def message_for(self, key: Any) -> dict[str, Any]:
        """Return the message that tells a page of the refusal of the request with this key."""
        return {"type": "refused", "key": key, "code": self.code, "message": self.message, "detail": self.detail}

    def __reduce__(self) -> tuple[Any, ...]:
        return RefusedError, (self.code, self.detail)
