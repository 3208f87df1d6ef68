"""Findings, which are the messages about card-set files, as data; and the catalogue of their codes.

The catalogue has a severity and examples for each code. The texts are in ``support/locale/``, and other modules print
them. Each phase of checking has a file in ``catalogue/``. The files are read when the first finding is made or
explained, so that a card set without mistakes needs none. In a card set, the comment ``# allow CODE: reason`` allows a
warning on its line or on the next.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import Phrase, in_language, said
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from draftengine.support.locale.catalogue import Catalogue
    from draftengine.support.locale.phrases import Text, Value
    from draftengine.support.source import Source


Severity = Literal["error", "warning", "note"]
"""The severities of findings. A note says what the program has done, and asks for no change."""


class Related(Struct, frozen=True):
    """Another position that explains a finding, with a text such as "first declared here"."""

    text: Phrase | str
    span: Span

    @property
    def message(self) -> str:
        """The text about the position in English."""
        return str(self.text)


class Edit(Struct, frozen=True):
    """A replacement of the text in the span `place` by `new_text`. If the span is empty, text is inserted."""

    place: Span
    new_text: str


class Fix(Struct, frozen=True):
    """Edits that remove the cause of a finding.

    The edits are made together or not at all, and do not overlap. The source of each span is the file to edit. A fix is
    `certain` if the author can have meant nothing else, so that it may be made without asking.
    """

    edits: tuple[Edit, ...]
    certain: bool


class Diagnostic(Struct, frozen=True):
    """One finding about a file.

    `code` is stable and readable (``unknown-key``). `text` is one short sentence that can stand alone. `path` is the
    JSON Pointer into the document (``/cards/soup/count``). `advice` says what to do, and `fix` does it, if a program
    can. `missing` lists the required keys that are absent. `names` lists the names that the finding is about. Texts of
    other programs are strings, which are not translated.
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
    """Return the findings in the order of their positions, without duplicates."""
    return tuple(sorted(set(findings), key=lambda finding: finding.sort_key))


def has_errors(findings: Iterable[Diagnostic]) -> bool:
    return any(finding.severity == "error" for finding in findings)


def with_sources(finding: Diagnostic, source_of: Callable[[str], Source]) -> Diagnostic:
    """Return the finding with each source replaced by the one that `source_of` returns for its name."""

    def placed(span: Span) -> Span:
        return Span(source_of(span.source.name), span.start, span.end)

    related = tuple(replace(other, span=placed(other.span)) for other in finding.related)
    fix = finding.fix
    if fix is not None:
        fix = replace(fix, edits=tuple(replace(edit, place=placed(edit.place)) for edit in fix.edits))
    return replace(finding, span=placed(finding.span), related=related, fix=fix)


class Entry(Struct, frozen=True):
    """One code: its severity, and two examples, with the mistake (`bad`) and without it (`good`).

    The examples are empty if the documentation cannot show the mistake, such as wrong bytes.
    """

    code: str
    bad: str = ""
    good: str = ""
    severity: Severity = "error"
    also: tuple[Severity, ...] = ()
    """The other severities that findings with this code can have."""

    @property
    def title(self) -> Phrase:
        """The name of the mistake, without a full stop."""
        return said(f"explain.{self.code}.title")

    @property
    def explanation(self) -> Phrase:
        """The reason why it is a mistake, in sentences."""
        return said(f"explain.{self.code}", open="{", close="}")


_OF_THE_LANGUAGE = frozenset({"before", "kind", "verb", "what", "word_for"})
"""The names of values in messages that are words of the card set language, and not names."""
PHASES = ("yaml", "structure", "game", "language", "examples", "playing")
"""The phases of checking, each with a file in the catalogue, in the order of the documentation."""


@cache
def table(phase: str) -> tuple[Entry, ...]:
    """Return the entries of one file of the catalogue, in their order in the file."""
    text = Path(__file__).with_name("catalogue").joinpath(f"{phase}.toml").read_text("utf-8")
    return tuple(msgspec.convert({"code": code, **keys}, Entry) for code, keys in msgspec.toml.decode(text).items())


def merged(tables: Iterable[Iterable[Entry]]) -> Mapping[str, Entry]:
    """Return the entries of several tables by code. Raises `ValueError` if a code occurs twice."""
    entries: dict[str, Entry] = {}
    for entry in (entry for table in tables for entry in table):
        if entry.code in entries:
            raise ValueError(f"the code {entry.code} stands in the catalogue twice")
        entries[entry.code] = entry
    return MappingProxyType(entries)


@cache
def catalogue() -> Mapping[str, Entry]:
    """Return all entries of the catalogue by code."""
    return merged(map(table, PHASES))


def diagnose(  # noqa: PLR0913 (all keys of a finding, most of them rare)
    code: str,
    span: Span,
    path: str = "",
    *,
    say: str = "it",
    hint: Text | None = None,
    severity: Severity | None = None,
    related: tuple[Related, ...] = (),
    fix: Fix | None = None,
    missing: tuple[str, ...] = (),
    **values: Value,
) -> Diagnostic:
    """Make a finding with the catalogue's text for a code and a situation (`say`).

    `values` are filled into the text. Values that are single names become the `names` of the finding. `hint` and
    `severity` replace those of the catalogue.
    """
    text, advice = said(f"{code}.{say}", **values), hint_for(code, say, values) if hint is None else hint
    return Diagnostic(
        code,
        severity or catalogue()[code].severity,
        text,
        span,
        path,
        advice,
        related,
        fix,
        missing,
        names_among(values),
    )


def hint_for(code: str, say: str, values: Mapping[str, Value]) -> Text:
    """Return the catalogue's hint for a code and a situation (`say`); empty if it has none."""
    key = f"{code}.{say}.hint"
    return said(key, **values) if key in spoken("en").patterns else ""


def reworded(finding: Diagnostic, say: str, **values: Value) -> Diagnostic:
    """Return the finding with the text that its code has for another situation (`say`)."""
    names = (*finding.names, *names_among(values))
    return replace(finding, text=said(f"{finding.code}.{say}", **values), names=names)


def under(text: Text, *conditions: Text) -> Phrase:
    """Return the text of a finding, preceded by the conditions under which it is true.

    They come before the conditions that the text already has.
    """
    if isinstance(text, Phrase) and text.id == _UNDER:
        return said(_UNDER, what=(*conditions, *cast("tuple[Text, ...]", text["what"])), finding=text["finding"])
    return said(_UNDER, what=conditions, finding=text)


_UNDER = "finding.with"


def with_others(finding: Diagnostic, count: int) -> Diagnostic:
    """Return the finding with a phrase for the number of other cases to which it applies."""
    return replace(finding, text=said("finding.of-others", finding=finding.text, count=count)) if count else finding


def with_hint(finding: Diagnostic, key: str, **values: Value) -> Diagnostic:
    """Return the finding with a sentence added to its hint."""
    more = said(key, **values)
    return replace(finding, advice=said("hint.both", first=finding.advice, second=more) if finding.advice else more)


def names_among(values: Mapping[str, Value]) -> tuple[str, ...]:
    """Return only the values that are single names."""
    given = ((key, value) for key, value in values.items() if key not in _OF_THE_LANGUAGE)
    return tuple(value for _, value in given if isinstance(value, str) and value and " " not in value)


_ALLOW = re.compile(r"(?m)(?:^|\s)#\s*allow\s+(?P<code>[a-z][a-z-]*)(?::[ \t]*(?P<reason>\S[^\n]*))?")


def without_allowed(
    findings: Sequence[Diagnostic], source: Source, *, by_playing: bool = False
) -> Iterator[Diagnostic]:
    """Yield the findings, except warnings that are allowed by a comment in `source`.

    A comment without a reason allows nothing. A comment that allows nothing is itself a finding. With `by_playing`,
    only comments about findings from played games are considered; otherwise, all other comments are.
    """
    comments = list(_ALLOW.finditer(source.text))
    played = {entry.code for entry in table("playing")} if comments else set()
    comments = [comment for comment in comments if (comment["code"] in played) is by_playing]
    allowed = {Span(source, *comment.span("code")).position[0]: comment for comment in comments}
    used = set()
    for finding in findings:
        row = finding.span.position[0]
        lines = [row, row - 1] if finding.span.source is source and finding.severity != "error" else []
        covering = (line for line in lines if line in allowed and allowed[line]["code"] == finding.code)
        allowing = next((line for line in covering if allowed[line]["reason"]), None)
        if allowing is None:
            yield finding
        else:
            used.add(allowing)
    for line, comment in allowed.items():
        if line not in used:
            say = "idle" if comment["reason"] else "reason"
            yield diagnose("allows-nothing", Span(source, *comment.span("code")), say=say, warning=comment["code"])
