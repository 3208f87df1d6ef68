"""Warnings that an author allows with ``# allow CODE: reason``, on their line or the one above."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from draftengine.model.diagnostics.catalog import diagnose, table
from draftengine.support.source import Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.support.source import Source

_ALLOW = re.compile(r"(?m)(?:^|\s)#\s*allow\s+(?P<code>[a-z][a-z-]*)(?::[ \t]*(?P<reason>\S[^\n]*))?")


def without_allowed(
    findings: Sequence[Diagnostic], source: Source, *, by_playing: bool = False
) -> Iterator[Diagnostic]:
    """Yield the findings without the warnings that a comment in `source` allows; errors stay.

    A comment without a reason allows nothing, and one that allows nothing is a finding itself. Only comments about
    findings of playing are considered if `by_playing`, only the others otherwise.
    """
    comments = list(_ALLOW.finditer(source.text))
    played = {entry.code for entry in table("playing")} if comments else set()
    comments = [comment for comment in comments if (comment["code"] in played) is by_playing]
    allowed = {Span(source, *comment.span("code")).position[0]: comment for comment in comments}
    used = set()
    for finding in findings:
        lines = [finding.span.position[0], finding.span.position[0] - 1] if finding.span.source is source else []
        allowing = next((line for line in lines if line in allowed and _covers(allowed[line], finding)), None)
        if allowing is None:
            yield finding
        else:
            used.add(allowing)
    for line, comment in allowed.items():
        if line not in used:
            say = "idle" if comment["reason"] else "reason"
            yield diagnose("allows-nothing", Span(source, *comment.span("code")), say=say, warning=comment["code"])


def _covers(comment: re.Match[str], finding: Diagnostic) -> bool:
    return bool(comment["reason"]) and comment["code"] == finding.code and finding.severity != "error"
