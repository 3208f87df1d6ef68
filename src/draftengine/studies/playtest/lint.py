"""Playtest of a card set: findings that no static check can make, such as rules that never score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from draftengine.api.ruleset import Ruleset
from draftengine.model.checks import said_of
from draftengine.model.diagnostics.diagnostic import has_errors, ordered
from draftengine.model.diagnostics.suppressed import without_allowed
from draftengine.model.selection.inherited_errors import place_key, relocate_to_author
from draftengine.studies.playtest import kept
from draftengine.studies.playtest.findings import findings_of
from draftengine.studies.playtest.games import play_all
from draftengine.studies.playtest.goals import unreached

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.model.selection import Document
    from draftengine.studies.playtest.games import Played


def playtest(document: Document, known: Sequence[Diagnostic] = ()) -> tuple[Diagnostic, ...]:
    """Play a card set a few hundred times and return the findings that are not `known` already.

    A card set with errors is not played. Findings of an unchanged text are read from the disk.
    """
    if has_errors(known):
        return ()
    findings = kept.read(document)
    if findings is None:
        findings = tuple(shown_by_games(document))
        kept.write(document, findings)
    new = [finding for finding in findings if not any(says_already(other, finding) for other in known)]
    return ordered(without_allowed(ordered(new), document.files[0].source, by_playing=True))


def shown_by_games(document: Document) -> Iterator[Diagnostic]:
    """Play all games and yield their findings, each at a place in the author's own files."""
    played = play_all(document)
    findings = [*_of_selections(played), *(unreached(document, played) if played else ())]

    def of_base(document: Document) -> frozenset[object]:
        base = Ruleset(document).base
        return frozenset(map(place_key, _of_selections(play_all(base.document)))) if base else frozenset()

    for finding in relocate_to_author(document, findings, of_base):
        if finding.span.source not in document.inherited_errors:
            yield replace(finding, related=())


def _of_selections(played: Sequence[Played]) -> Iterator[Diagnostic]:
    """Yield the findings of each selection, the base game first, each finding once."""
    reported = set()
    for each in played:
        for finding in findings_of(each):
            if place_key(finding) not in reported:
                reported.add(place_key(finding))
                yield said_of(each.model, played[0].model, finding)


def says_already(known: Diagnostic, finding: Diagnostic) -> bool:
    """True if a known diagnostic, not a note, overlaps a finding or lies within its rule."""
    one, other = known.span, finding.span
    overlap = one.source is other.source and one.start < other.end and other.start < one.end
    return known.severity != "note" and (overlap or known.path.startswith(f"{finding.path}/"))
