"""Check that somebody can hold every marker that a step asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.effects import all_effects
from draftengine.model.cardset.facts import steps_of
from draftengine.model.checks.spans import word_in
from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.records.record import referenced_names
from draftengine.model.verbs.give import GiveStep, Ranked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import CardSet, Marker
    from draftengine.model.diagnostics.diagnostic import Diagnostic


def check(model: CardSet) -> Iterator[Diagnostic]:
    """Yield markers of seats that do not exist, and markers that nobody ever holds."""
    got = _got(model)
    asked = _asked(model)
    for marker in model.markers:
        yield from _first_holder(model, marker)
        if marker.start == "nobody" and marker.id in asked and marker.id not in got:
            yield diagnose("marker-never-held", marker.span, f"/markers/{marker.id}", marker=marker.id)


def _first_holder(model: CardSet, marker: Marker) -> Iterator[Diagnostic]:
    if isinstance(marker.start, int) and marker.start >= model.min_players:
        span = word_in(marker.span, str(marker.start))
        yield diagnose(
            "marker-seat",
            span,
            f"/markers/{marker.id}/start",
            seat=marker.start,
            players=model.min_players,
            last=model.min_players - 1,
        )


def _asked(model: CardSet) -> set[str]:
    """Return the markers whose holder a step or the turn order asks for."""
    asked = {name for _, step in steps_of(model) for name in referenced_names(step, "marker", "asked")}
    return asked | ({model.turn_order.marker} if model.turn_order else set())


def _got(model: CardSet) -> set[str]:
    """Return the markers that somebody can come to hold. Passing one to a neighbour needs a holder before."""
    gifts = [step for _, step in steps_of(model) if isinstance(step, GiveStep)]
    given = {step.marker for step in gifts if isinstance(step.to, Ranked)}
    return given.union(*(referenced_names(effect, "marker", "taken") for effect in all_effects(model)))
