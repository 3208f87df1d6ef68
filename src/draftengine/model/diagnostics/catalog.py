"""The catalogue of all codes of findings: severities and examples. Texts are in ``support/locale/``.

Each phase of checking has a file in ``catalogue/``. The files are read when the first finding is made or explained, so
a card set without mistakes needs none. In a card set, the comment ``# allow CODE: reason`` allows a warning on its line
or on the next.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, cast

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from draftengine.model.diagnostics.diagnostic import Diagnostic, Severity
from draftengine.support.locale import spoken
from draftengine.support.locale.phrases import Phrase, said
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from draftengine.model.diagnostics.diagnostic import Fix, Related, Severity
    from draftengine.support.locale.phrases import Text, Value
    from draftengine.support.source import Source


class Entry(Struct, frozen=True):
    """One code: its severity, and an example with the mistake (`bad`) and without it (`good`).

    The examples are empty if the documentation cannot show the mistake, such as wrong bytes.
    """

    code: str
    bad: str = ""
    good: str = ""
    severity: Severity = "error"
    also: tuple[Severity, ...] = ()
    """The other severities that it has in some situations."""

    @property
    def title(self) -> Phrase:
        """The name of the mistake, without a full stop."""
        return said(f"explain.{self.code}.title")

    @property
    def explanation(self) -> Phrase:
        """The reason why it is a mistake, in sentences."""
        return said(f"explain.{self.code}", open="{", close="}")


_OF_THE_LANGUAGE = frozenset({"before", "kind", "verb", "what", "word_for"})
"""Keys of values that are words of the language of card sets, and not names."""
PHASES = ("yaml", "structure", "game", "language", "examples", "playing")
"""The files of the catalogue, in the order of the page about findings."""


@cache
def table(phase: str) -> tuple[Entry, ...]:
    """Return the entries of one file of the catalogue, in their order there."""
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
    """Make a finding with the text of the catalogue for a code and a situation (`say`).

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
    """Return the hint of the catalogue for a code and a situation; empty if it has none."""
    key = f"{code}.{say}.hint"
    return said(key, **values) if key in spoken("en").patterns else ""


def reworded(finding: Diagnostic, say: str, **values: Value) -> Diagnostic:
    """Return the finding with the text for another situation (`say`) of its code."""
    names = (*finding.names, *names_among(values))
    return replace(finding, text=said(f"{finding.code}.{say}", **values), names=names)


def under(text: Text, *conditions: Text) -> Phrase:
    """Return the text of a finding with conditions under which it is true.

    They are put before the conditions that the text already has.
    """
    if isinstance(text, Phrase) and text.id == _UNDER:
        return said(_UNDER, what=(*conditions, *cast("tuple[Text, ...]", text["what"])), finding=text["finding"])
    return said(_UNDER, what=conditions, finding=text)


_UNDER = "finding.with"


def with_others(finding: Diagnostic, count: int) -> Diagnostic:
    """Return the finding, with the number of other things to which it applies, too."""
    return replace(finding, text=said("finding.of-others", finding=finding.text, count=count)) if count else finding


def with_hint(finding: Diagnostic, key: str, **values: Value) -> Diagnostic:
    """Return the finding with a sentence added to its hint."""
    more = said(key, **values)
    return replace(finding, advice=said("hint.both", first=finding.advice, second=more) if finding.advice else more)


def names_among(values: Mapping[str, Value]) -> tuple[str, ...]:
    """Return the values that are single names."""
    given = ((key, value) for key, value in values.items() if key not in _OF_THE_LANGUAGE)
    return tuple(value for _, value in given if isinstance(value, str) and value and " " not in value)


_ALLOW = re.compile(r"(?m)(?:^|\s)#\s*allow\s+(?P<code>[a-z][a-z-]*)(?::[ \t]*(?P<reason>\S[^\n]*))?")


def without_allowed(
    findings: Sequence[Diagnostic], source: Source, *, by_playing: bool = False
) -> Iterator[Diagnostic]:
    """Yield the findings except warnings that a comment in `source` allows.

    A comment without a reason allows nothing. A comment that allows nothing is itself a finding. With `by_playing`,
    only comments about findings of played games are considered; otherwise, only all other comments.
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
