"""Warnings that an author has looked at and lets stand: ``# allow CODE: reason``, on their line or the one above."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from draftengine.model.diagnostics.diagnostic import Diagnostic
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.support.source import Source

_ALLOW = re.compile(r"(?m)(?:^|\s)#\s*allow\s+(?P<code>[a-z][a-z-]*)(?::[ \t]*(?P<reason>\S[^\n]*))?")


def without_allowed(findings: Sequence[Diagnostic], source: Source) -> Iterator[Diagnostic]:
    """The findings but for the warnings that a comment in `source` allows with a reason; errors stand.

    A comment without a reason allows nothing, and one that allows nothing is a finding itself.
    """
    allowed = {_line_of(source, own.start("code")): own for own in _ALLOW.finditer(source.text)}
    used = set()
    for finding in findings:
        lines = [finding.span.position[0], finding.span.position[0] - 1] if finding.span.source is source else []
        own = next((line for line in lines if line in allowed and _covers(allowed[line], finding)), None)
        if own is None:
            yield finding
        else:
            used.add(own)
    for line, comment in allowed.items():
        if line not in used:
            yield _idle(comment, source)


def _line_of(source: Source, offset: int) -> int:
    return Span(source, offset, offset).position[0]


def _covers(own: re.Match[str], finding: Diagnostic) -> bool:
    return bool(own["reason"]) and own["code"] == finding.code and finding.severity != "error"


def _idle(own: re.Match[str], source: Source) -> Diagnostic:
    span = Span(source, own.start("code"), own.end("code"))
    if not own["reason"]:
        message, hint = "This comment gives no reason, so it allows nothing.", f"Write “# allow {own['code']}: why”."
    else:
        message, hint = f"There is no warning “{own['code']}” here to allow.", "Delete the comment."
    return Diagnostic("allows-nothing", "warning", message, span, "", hint)
