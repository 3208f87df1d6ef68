"""Findings as data. Other modules turn them into text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct
from msgspec.structs import replace

from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import Phrase, in_language
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from draftengine.support.locale.catalogue import Catalogue
    from draftengine.support.source import Source

Severity = Literal["error", "warning", "note"]
"""The severities of findings. A note only says what the program did, and requires no change."""


class Related(Struct, frozen=True):
    """Another place that explains a finding, with a text such as "first declared here"."""

    text: Phrase | str
    span: Span

    @property
    def message(self) -> str:
        """The text in English."""
        return str(self.text)


class Edit(Struct, frozen=True):
    """A replacement of the text at `place` by `new_text`. If the place is empty, the text is inserted."""

    place: Span
    new_text: str


class Fix(Struct, frozen=True):
    """Edits that remove the cause of a finding.

    The edits are made together or not at all, and do not overlap. The source of each place names the file. A fix is
    `certain` if the author can have meant only this, so that it may be made without asking.
    """

    edits: tuple[Edit, ...]
    certain: bool


class Diagnostic(Struct, frozen=True):
    """One finding about a file.

    `code` is stable and readable (``unknown-key``). `text` is one short sentence that can stand alone. `path` is the
    JSON Pointer into the document (``/cards/soup/count``). `advice` says what to do, and `fix` does it, if a program
    can. `missing` has the required keys that are absent. `names` has the names that the finding is about, so that no
    code must take them from the text. Texts of other programs are strings, and are not translated.
    """

    code: str
    severity: Severity
    text: Phrase | str
    span: Span
    path: str = ""
    advice: Phrase | str = ""
    related: tuple[Related, ...] = ()
    fix: Fix | None = None
    missing: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @property
    def message(self) -> str:
        """The text of the finding in English."""
        return self.message_in(spoken("en"))

    @property
    def hint(self) -> str:
        """The advice in English."""
        return str(self.advice)

    def hint_in(self, words: Catalogue) -> str:
        """Return the advice in a language; empty if there is none."""
        return in_language(self.advice, words)

    def message_in(self, words: Catalogue) -> str:
        """Return the text in a language. It begins with a capital letter."""
        text = in_language(self.text, words)
        return text[:1].upper() + text[1:]

    @property
    def sort_key(self) -> tuple[str, int, int, str, str]:
        return (self.span.source.name, self.span.start, self.span.end, self.code, repr(self.text))


def ordered(findings: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the findings in the order of their places, without duplicates."""
    return tuple(sorted(set(findings), key=lambda finding: finding.sort_key))


def has_errors(findings: Iterable[Diagnostic]) -> bool:
    return any(finding.severity == "error" for finding in findings)


def with_sources(finding: Diagnostic, source_of: Callable[[str], Source]) -> Diagnostic:
    """Return the finding, but with the source that `source_of` returns for the name of each source in it."""

    def placed(span: Span) -> Span:
        return Span(source_of(span.source.name), span.start, span.end)

    related = tuple(replace(other, span=placed(other.span)) for other in finding.related)
    fix = finding.fix
    if fix is not None:
        fix = replace(fix, edits=tuple(replace(edit, place=placed(edit.place)) for edit in fix.edits))
    return replace(finding, span=placed(finding.span), related=related, fix=fix)
