"""Checks that every variant can be played, given what it needs, requires and excludes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.facts import constant
from draftengine.model.checks.spans import word_in
from draftengine.model.diagnostics.catalog import diagnose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import CardSet, VariantInfo
    from draftengine.model.diagnostics.diagnostic import Diagnostic


def check(model: CardSet) -> Iterator[Diagnostic]:
    """Yield variants that nobody can play. Their formulas were checked when the file was opened."""
    for variant in model.variants:
        yield from _needs(model, variant)
        yield from _contradictions(model, variant)


def allowed_players(model: CardSet) -> tuple[int, ...]:
    """Return the numbers of players for which the needs of all active variants hold."""
    active = [variant.needs for variant in model.variants if variant.id in model.active and variant.needs]
    counts = range(model.min_players, model.max_players + 1)
    return tuple(count for count in counts if all(constant(needs, model, count) for needs in active))


def _needs(model: CardSet, variant: VariantInfo) -> Iterator[Diagnostic]:
    if variant.needs is None or model.active:  # active variants may change the numbers of players
        return
    defaults = {parameter.id: parameter.default for parameter in variant.parameters}
    counts = range(model.min_players, model.max_players + 1)
    if not any(constant(variant.needs, model, count, **defaults) for count in counts):
        few, many = model.min_players, model.max_players
        span = f"{few}" if few == many else f"{few} to {many}"
        path = f"/variants/{variant.id}/needs"
        yield diagnose("needs-never-met", variant.needs.span, path, variant=variant.id, range=span)


def _contradictions(model: CardSet, variant: VariantInfo) -> Iterator[Diagnostic]:
    others = {other.id: other for other in model.variants}
    for name in dict.fromkeys(variant.requires):
        other = others.get(name)
        if other is not None and _exclude(variant, other):
            span = word_in(variant.span, name)
            yield diagnose(
                "variant-contradiction", span, f"/variants/{variant.id}/requires", variant=variant.id, name=name
            )


def _exclude(one: VariantInfo, other: VariantInfo) -> bool:
    same_group = one.group is not None and one.group == other.group
    return one.id == other.id or other.id in one.excludes or one.id in other.excludes or same_group
