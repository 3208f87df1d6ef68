"""Finding all mistakes of a text at once.

A check stops where later results could not be trusted. So an author would mend one mistake and then hear of the next.
Here each mistake is removed from a copy of the text: by its fix, or else by leaving out its part. The copy is checked
again. New findings are reported at their place in the original text, unless they could follow from what was left out.
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
"""The most checks of a copy; each but the last is short, because it stops at a mistake."""

_LONGEST_LINE = 50_000
"""Characters. Real lines are shorter, and longer ones can take seconds to read again."""

_LIMITS = {"too-deep", "too-many-values", "text-too-long"}
"""Codes of limits beyond which a text is not read any further."""

_LATE = (
    OF_THE_WHOLE
    | {"out-of-range", "division-by-zero", "too-costly", "unusable-number"}
    | {"example-fails", "example-invalid"}
)
"""Codes of mistakes that hide no others, once the card set is opened."""


class CheckPass(Struct, frozen=True):
    """The findings of one check of a text, which may stop at a mistake."""

    findings: Findings
    opened: bool
    """True if the card set could be read as far as the game itself."""

    @property
    def in_the_way(self) -> tuple[Diagnostic, ...]:
        """Mistakes that may hide others."""
        errors = (finding for finding in self.findings if finding.severity == "error")
        return tuple(error for error in errors if not (self.opened and error.code in _LATE))


def all_at_once(source: Source, look: CheckPass, again: Callable[[str], CheckPass]) -> Findings:
    """Return the findings of the first check `look`, and those of further checks of mended copies."""
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
            # Only now are warnings reliable: a mistake makes correct things look wrong.
            # A parameter that seems unused may be read by a formula with a mistake.
            aside = [
                finding
                for finding in placed
                if finding.severity != "error"
                and not (finding.code == "never-used" and finding.path.startswith("/parameters/"))
            ]
    return ordered([*reported, *aside])


class _Known:
    """Reported findings, indexed to recognise new ones that add nothing. There can be thousands of both."""

    def __init__(self, reported: list[Diagnostic], draft: PatchedText) -> None:
        self._draft = draft
        self._told_with = {(finding.code, place.span) for finding in reported for place in finding.related}
        self._lines = {key for finding in reported for key in self._keys(finding, draft.line_of(finding))}
        self._parts = {key for finding in reported for key in self._keys(finding, draft.part_of(finding))}

    def _keys(self, finding: Diagnostic, place: int | None) -> Iterator[tuple[str | None, int | None]]:
        """Yield the code at its place; and ``None`` there if it is unknown what the author meant."""
        yield finding.code, place
        if not (finding.fix is not None and finding.fix.certain):
            yield None, place

    def says_it_all(self, finding: Diagnostic) -> bool:
        """True if a reported finding makes this one superfluous.

        That is so if its part has a finding with this code, or one without a certain fix; or if a finding with this
        code names its place as related. Codes in `OF_A_PART` are compared by line, others by part.
        """
        by_line = finding.code in OF_A_PART
        place = self._draft.line_of(finding) if by_line else self._draft.part_of(finding)
        known = self._lines if by_line else self._parts
        lies = place is not None and ((finding.code, place) in known or (None, place) in known)
        return lies or (finding.code, finding.span) in self._told_with
