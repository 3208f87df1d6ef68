"""Entries of the catalogue: all data about a code."""

from __future__ import annotations

from msgspec import Struct

from draftengine.model.diagnostics.diagnostic import Severity  # noqa: TC001 (entries are read from files by their types)


class Text(Struct, frozen=True, array_like=True):
    """A message and a hint, such as ``There is no die “{name}”.``, with the names of values in braces."""

    message: str
    hint: str = ""


class Entry(Struct, frozen=True):
    """One code: a title, an explanation, and a text with the mistake (`bad`) and without it (`good`).

    The examples are empty where a mistake cannot be shown on a page, such as wrong bytes. Each text in `says` is for
    one situation.
    """

    code: str
    title: str
    explanation: str
    bad: str = ""
    good: str = ""
    severity: Severity = "error"
    says: dict[str, Text] = {}
