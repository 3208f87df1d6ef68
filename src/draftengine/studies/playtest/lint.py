"""Playing a card set to find what no check can see, such as rules that never score."""

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
    """Return what some hundred games show about a card set beyond what is `known` of it.

    A card set with errors is not played. What games showed of the same text before is read from the disk.
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
    """Yield what games show, at the places that the author of the first file wrote."""
    played = play_all(document)
    findings = [*_of_selections(played), *(unreached(document, played) if played else ())]

    def of_base(document: Document) -> frozenset[object]:
        base = Ruleset(document).base
        return frozenset(map(place_key, _of_selections(play_all(base.document)))) if base else frozenset()

    for finding in relocate_to_author(document, findings, of_base):
        if finding.span.source not in document.inherited_errors:
            yield replace(finding, related=())


def _of_selections(played: Sequence[Played]) -> Iterator[Diagnostic]:
    """Yield what the games of each selection show, each finding once: the base game comes first."""
    reported = set()
    for each in played:
        for finding in findings_of(each):
            if place_key(finding) not in reported:
                reported.add(place_key(finding))
                yield said_of(each.model, played[0].model, finding)


def says_already(known: Diagnostic, finding: Diagnostic) -> bool:
    """True if a check says it already: at the same place, or within the same rule."""
    one, other = known.span, finding.span
    overlap = one.source is other.source and one.start < other.end and other.start < one.end
    return known.severity != "note" and (overlap or known.path.startswith(f"{finding.path}/"))
