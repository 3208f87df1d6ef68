"""Check that every `source` names a statement in `sources`, if there are any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.facts import steps_of
from draftengine.model.checks.spans import word_in
from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.diagnostics.fixes import renamed
from draftengine.model.diagnostics.suggest import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import CardSet
    from draftengine.model.diagnostics.diagnostic import Diagnostic
    from draftengine.support.source import Span

_SECTIONS = (
    *("cards", "counters", "families", "modifiers", "abilities", "extra_seats", "markers", "chips", "tokens"),
    *("triggers", "scoring", "variants", "readings"),
)


def check(model: CardSet) -> Iterator[Diagnostic]:
    """Yield a finding for each citation of a statement that does not exist."""
    known = [citation.id for citation in model.citations]
    if not known:
        return
    for source, span, path in _citing(model):
        for name in source:
            if name not in known:
                hint = did_you_mean(name, known) or "Add the statement to sources."
                place = word_in(span, name)
                fix = renamed(place, name, known)
                yield diagnose("unknown-citation", place, path, hint=hint, fix=fix, name=name)


def _citing(model: CardSet) -> Iterator[tuple[tuple[str, ...], Span, str]]:
    """Yield the citations of everything that can cite, each with its place."""
    for section in _SECTIONS:
        for entry in getattr(model, section):
            yield entry.source, entry.span, f"/{section}/{entry.id}/source"
    for path, step in steps_of(model):
        yield step.source, step.span, f"{path.rsplit('/', 1)[0]}/source"
    for index, breaker in enumerate(model.winner.tie_breakers):
        yield breaker.source, breaker.span, f"/winner/tie_breakers/{index}/source"
    yield model.winner.source, model.winner.span, "/winner/source"
