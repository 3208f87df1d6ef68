"""Everything that is wrong with a text at once.

A check stops where what follows could not be trusted, so an author would mend one mistake only to be told of the next.
Here each mistake is got out of the way in a copy of the text: as its fix says if it has one, else by leaving out the
part in which it stands. The copy is checked again. What is found there is told at its place in the text as it was
written, unless it could follow from what was left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.model.diagnostics.diagnostic import Diagnostic, ordered
from draftengine.model.schema.validate import SCENARIOS
from draftengine.model.selection.draft import OF_A_PART, OF_THE_WHOLE, PatchedText

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from draftengine.model.selection.errors import Findings
    from draftengine.support.source import Source

_ROUNDS = 12
"""So often a copy is checked at most; each check but the last is short, because it ends at a mistake."""

_LONGEST_LINE = 50_000
"""Characters. Nobody writes longer lines, and what does can take seconds to be read again."""

_LIMITS = {"too-deep", "too-many-values", "text-too-long"}
"""A text that is beyond these is not read any further."""

_LATE = (
    OF_THE_WHOLE
    | {"out-of-range", "division-by-zero", "too-costly", "unusable-number"}
    | {"example-fails", "example-invalid"}
)
"""Mistakes behind which nothing waits."""


class CheckPass(Struct, frozen=True):
    """What one check of a text finds, which may end at a mistake."""

    findings: Findings
    opened: bool
    """Could the card set be read as far as the game itself."""

    @property
    def in_the_way(self) -> tuple[Diagnostic, ...]:
        """The mistakes behind which others may wait."""
        errors = (finding for finding in self.findings if finding.severity == "error")
        return tuple(error for error in errors if not (self.opened and error.code in _LATE))


def all_at_once(source: Source, look: CheckPass, again: Callable[[str], CheckPass]) -> Findings:
    """What is wrong with `source`: what a first `look` found, and what is found when that is out of the way."""
    if any(finding.path == SCENARIOS or finding.code in _LIMITS for finding in look.findings):
        return look.findings
    if len(max(source.text.splitlines(), key=len, default="")) > _LONGEST_LINE:
        return look.findings
    reported = [finding for finding in look.findings if finding.severity == "error"]
    aside = [finding for finding in look.findings if finding.severity != "error"]
    draft = PatchedText(source)
    for _ in range(_ROUNDS):
        errors = [error for error in look.in_the_way if error.span.source.name == source.name]
        if not draft.without(errors):
            break
        look = again(draft.text)
        new = [
            finding
            for finding in look.findings
            if finding.span.source.name == source.name and draft.stands_by_itself(finding)
        ]
        known = _Known([finding for finding in reported if finding.span.source.name == source.name], draft)
        placed = [finding for finding in map(draft.placed, new) if not known.says_it_all(finding)]
        reported += [finding for finding in placed if finding.severity == "error"]
        if not look.in_the_way:
            # Only now do warnings say anything: a mistake makes much seem wrong that is right.
            # A parameter that no formula reads may be one that a formula with a mistake has read.
            aside = [
                finding
                for finding in placed
                if finding.severity != "error"
                and not (finding.code == "never-used" and finding.path.startswith("/parameters/"))
            ]
    return ordered([*reported, *aside])


class _Known:
    """What was told of a text, to see what says nothing new beside it. There can be thousands of both."""

    def __init__(self, reported: list[Diagnostic], draft: PatchedText) -> None:
        self._draft = draft
        self._told_with = {(finding.code, place.span) for finding in reported for place in finding.related}
        self._lines = {key for finding in reported for key in self._keys(finding, draft.line_of(finding))}
        self._parts = {key for finding in reported for key in self._keys(finding, draft.part_of(finding))}

    def _keys(self, finding: Diagnostic, place: int | None) -> Iterator[tuple[str | None, int | None]]:
        """At its place it says all of its kind; if nobody knows what was meant there, all of any kind."""
        yield finding.code, place
        if not _is_certain(finding):
            yield None, place

    def says_it_all(self, finding: Diagnostic) -> bool:
        """Is the part in which a finding stands wrong already, in the same way or so that nobody knows what was meant.

        What another finding of the same code points at was told with that. What a part lacks may be what was left out
        of it, wherever in it that stood.
        """
        by_line = finding.code in OF_A_PART
        place = self._draft.line_of(finding) if by_line else self._draft.part_of(finding)
        known = self._lines if by_line else self._parts
        lies = place is not None and ((finding.code, place) in known or (None, place) in known)
        return lies or (finding.code, finding.span) in self._told_with


def _is_certain(finding: Diagnostic) -> bool:
    """Is it known what was meant, so that its part says something else besides."""
    return finding.fix is not None and finding.fix.certain
