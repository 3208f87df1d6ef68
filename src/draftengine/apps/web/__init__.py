"""Tables in the browser: a server that stores and runs them, and a page that shows them.

Pages show what `draftengine.api` provides. Every acknowledged request is on disk (`storage`). A table and its rules are
computed by applying its entries one by one (`table`). `hub` starts bots and reveals at the right time and connects
clients. Long computations run in other processes (`pool`, `work`). `app` speaks HTTP, `sockets` WebSocket, and `guard`
limits connections and requests before `app` sees them. All refuse requests with the error of this module, by code.
"""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import Phrase

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


_PREFIX = "server."
_MOST_SENT = 50
"""The largest number of errors of a card set that a page lists."""
REASONS = MappingProxyType(
    {
        key.removeprefix(_PREFIX): text
        for key, text in spoken("en").patterns.items()
        if key.startswith(_PREFIX) and isinstance(text, str)
    }
)
"""The English sentence for each code of a refusal. There are no other codes."""


class RefusedError(Exception):
    """Error for a refused request, which has changed nothing. `code` is a key of `REASONS`."""

    def __init__(
        self, code: str, detail: Phrase | str = "", *, english: str = "", findings: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        self.code = code
        self.detail = detail
        """A more precise sentence for this case: a phrase, or a text in the language of the reader."""
        self.english = english
        """A text that exists only in English, such as one of another program. Other readers do not get it."""
        self.findings = findings
        """The errors of a text, each with place and hint, in the language of the reader."""
        super().__init__(str(detail) or english or REASONS[code])

    def answer_in(self, language: str) -> dict[str, Any]:
        """Return the JSON answer to a refused HTTP request, in the language of the reader."""
        catalogue = spoken(language)
        detail = self.detail.within(catalogue) if isinstance(self.detail, Phrase) else self.detail
        if catalogue.language == "en":
            detail = detail or self.english
        return {
            "error": self.code,
            "message": detail or str(catalogue.patterns[f"{_PREFIX}{self.code}"]),
            "detail": detail,
            **({"findings": self.findings[:_MOST_SENT], "errors": len(self.findings)} if self.findings else {}),
        }

    def message_for(self, key: Any, language: str = "en") -> dict[str, Any]:
        """Return the message that refuses the request with this key."""
        answer = self.answer_in(language)
        return {"type": "refused", "key": key, "code": answer.pop("error"), **answer}

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(RefusedError, english=self.english, findings=self.findings), (self.code, self.detail)
