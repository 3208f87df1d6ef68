"""What there is to know about a code, wherever it appears."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from draftengine.model.diagnostics.diagnostic import Severity


class Entry(Struct, frozen=True):
    """One code: a title, an explanation, a text with the mistake in it (`bad`) and the same without (`good`).

    The examples are empty where a mistake cannot be shown on a page: wrong bytes, or a file that is too large.
    """

    code: str
    title: str
    explanation: str
    bad: str = ""
    good: str = ""
    severity: Severity = "error"
