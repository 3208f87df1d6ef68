"""The catalogue of all codes: explanations, examples and the texts of findings, as data.

Each phase that makes findings has a file in ``catalogue/``. Files are read when the first finding is made or explained:
a card set without mistakes needs none.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.diagnostics.diagnostic import (
    Diagnostic,
    Severity,
)
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from draftengine.model.diagnostics.diagnostic import Fix, Related, Severity
    from draftengine.support.source import Span


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


_OF_THE_LANGUAGE = frozenset({"before", "kind", "verb", "what", "word_for"})
"""Keys of values that are words of the card-set language rather than names."""
PHASES = ("yaml", "structure", "game", "language", "examples", "playing")
"""Files of the catalogue, in the order of the page about findings."""


@cache
def table(phase: str) -> tuple[Entry, ...]:
    """Return the entries of one file, in its order."""
    text = Path(__file__).with_name("catalogue").joinpath(f"{phase}.toml").read_text("utf-8")
    return tuple(msgspec.convert({"code": code, **keys}, Entry) for code, keys in msgspec.toml.decode(text).items())


def merged(tables: Iterable[Iterable[Entry]]) -> Mapping[str, Entry]:
    """Return the entries by code. Raises `ValueError` if two of them have one code."""
    entries: dict[str, Entry] = {}
    for entry in (entry for table in tables for entry in table):
        if entry.code in entries:
            raise ValueError(f"the code {entry.code} stands in the catalogue twice")
        entries[entry.code] = entry
    return MappingProxyType(entries)


@cache
def catalogue() -> Mapping[str, Entry]:
    """Return every entry by its code."""
    return merged(map(table, PHASES))


def diagnose(  # noqa: PLR0913 (all keys of a finding, most of them rare)
    code: str,
    span: Span,
    path: str = "",
    *,
    say: str = "it",
    hint: str | None = None,
    severity: Severity | None = None,
    related: tuple[Related, ...] = (),
    fix: Fix | None = None,
    missing: tuple[str, ...] = (),
    **values: object,
) -> Diagnostic:
    """Make a finding with the text that the catalogue has for a code and a situation (`say`).

    `values` fill the braces of the text. Those that are a single name become the `names` of the finding. `hint` and
    `severity` replace those of the catalogue.
    """
    text, names = text_of(code, say, values), _names(values)
    advice = text.hint if hint is None else hint
    kind = severity or catalogue()[code].severity
    given = {name: value if isinstance(value, int) else str(value) for name, value in values.items()}
    phrase = said(f"{code}.{say}", **given)
    return Diagnostic(code, kind, text.message, span, path, advice, related, fix, missing, names, phrase)


def reworded(finding: Diagnostic, say: str, **values: object) -> Diagnostic:
    """Return a finding with the message for another situation of its code."""
    message = text_of(finding.code, say, values).message
    return replace(finding, message=message, names=(*finding.names, *_names(values)))


def text_of(code: str, say: str, values: Mapping[str, object]) -> Text:
    """Return the text of a code for a situation, with values in its braces and a capital at its beginning."""
    text = catalogue()[code].says[say]
    message = text.message.format_map(values)
    return Text(message[:1].upper() + message[1:], text.hint.format_map(values))


def _names(values: Mapping[str, object]) -> tuple[str, ...]:
    given = ((key, value) for key, value in values.items() if key not in _OF_THE_LANGUAGE)
    return tuple(value for _, value in given if isinstance(value, str) and value and " " not in value)
