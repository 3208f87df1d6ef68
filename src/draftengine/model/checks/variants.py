"""Checks of variants and citations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.facts import constant, steps_of
from draftengine.model.checks.context import word_in
from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.diagnostics.suggest import did_you_mean
from draftengine.model.yaml.fixes import renamed
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import CardSet
    from draftengine.model.diagnostics.diagnostic import Diagnostic


def check_needs(model: CardSet) -> Iterator[Diagnostic]:
    """Yield variants that nobody can play, and questions that nobody is asked.

    The formulas in `needs` were checked when the file was opened.
    """
    players = "-".join(map(str, dict.fromkeys((model.min_players, model.max_players))))
    for variant in model.variants:
        # Active variants may change which numbers of players are allowed.
        if variant.needs is not None and not model.active:
            defaults = {parameter.id: parameter.default for parameter in variant.parameters}
            counts = range(model.min_players, model.max_players + 1)
            if not any(constant(variant.needs, model, count, **defaults) for count in counts):
                path = f"/variants/{variant.id}/needs"
                yield diagnose("needs-never-met", variant.needs.span, path, variant=variant.id, range=players)
        others = {other.id: other for other in model.variants}
        for name in dict.fromkeys(variant.requires):
            other = others.get(name)
            if other is None:
                continue
            same_group = variant.group is not None and variant.group == other.group
            if same_group or name in {variant.id, *variant.excludes} or variant.id in other.excludes:
                place = word_in(variant.span, name)
                path = f"/variants/{variant.id}/requires"
                yield diagnose("variant-contradiction", place, path, variant=variant.id, name=name)
    for reading in model.readings:
        few, many = reading.players or (model.min_players, model.max_players)
        same_file = model.players_at is not None and model.players_at.source is reading.span.source
        if same_file and (many < model.min_players or few > model.max_players):
            path = f"/readings/{reading.id}"
            yield diagnose("never-used", reading.span, path, say="reading", name=reading.id, range=players)


def allowed_players(model: CardSet) -> tuple[int, ...]:
    """Return the numbers of players with which `needs` holds for all active variants."""
    active = [variant.needs for variant in model.variants if variant.id in model.active and variant.needs]
    counts = range(model.min_players, model.max_players + 1)
    return tuple(count for count in counts if all(constant(needs, model, count) for needs in active))


_SECTIONS = (
    *("cards", "counters", "families", "modifiers", "abilities", "extra_seats", "markers", "chips", "tokens"),
    *("triggers", "scoring", "variants", "readings"),
)


def check_citations(model: CardSet) -> Iterator[Diagnostic]:
    """Yield a finding for each cited source that the file does not have."""
    known = [citation.id for citation in model.citations]
    if not known:
        return
    citing = [
        (entry.source, entry.span, f"/{section}/{entry.id}/source")
        for section in _SECTIONS
        for entry in getattr(model, section)
    ]
    citing += [(step.source, step.span, f"{path.rsplit('/', 1)[0]}/source") for path, step in steps_of(model)]
    citing += [
        (breaker.source, breaker.span, f"/winner/tie_breakers/{index}/source")
        for index, breaker in enumerate(model.winner.tie_breakers)
    ]
    for source, span, path in (*citing, (model.winner.source, model.winner.span, "/winner/source")):
        for name in source:
            if name not in known:
                hint = did_you_mean(name, known) or said("hint.add-to-sources")
                place = word_in(span, name)
                fix = renamed(place, name, known)
                yield diagnose("unknown-citation", place, path, hint=hint, fix=fix, name=name)
