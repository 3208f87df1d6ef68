"""What a table or the server refuses, by name."""

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
"""The reasons for a refusal: a closed list, each with its English sentence."""


class RefusedError(Exception):
    """Something is refused, and nothing has changed. `code` is one of `REASONS`."""

    def __init__(self, code: str, detail: str = "") -> None:
        self.code = code
        self.detail = detail
        """The reason in this very case, in English, where more can be said than the sentence of the code."""
        self.message = detail or REASONS[code]
        super().__init__(self.message)

    @property
    def answer(self) -> dict[str, str]:
        """The answer to a request that is refused."""
        return {"error": self.code, "message": self.message, "detail": self.detail}

    def message_for(self, key: Any) -> dict[str, Any]:
        """Return the message to a page whose request with this key is refused."""
        return {"type": "refused", "key": key, "code": self.code, "message": self.message, "detail": self.detail}

    def __reduce__(self) -> tuple[Any, ...]:
        return RefusedError, (self.code, self.detail)
