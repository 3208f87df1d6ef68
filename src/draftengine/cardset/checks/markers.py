"""Can every marker that a step asks for be held by somebody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.cardset.checks.place import steps_of, word_in
from draftengine.diagnostics.finding import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.cardset.model import CardSet, Marker


def check(model: CardSet) -> Iterator[Diagnostic]:
    """Markers of seats that do not exist, and markers that nobody ever holds."""
    got = _got(model)
    asked = _asked(model)
    for marker in model.markers:
        yield from _first_holder(model, marker)
        if marker.start == "nobody" and marker.id in asked and marker.id not in got:
            message = f"Nobody ever holds “{marker.id}”, but a step waits for its holder."
            hint = "Say who has it first: start: first."
            yield Diagnostic("marker-never-held", "error", message, marker.span, f"/markers/{marker.id}", hint)


def _first_holder(model: CardSet, marker: Marker) -> Iterator[Diagnostic]:
    if isinstance(marker.start, int) and marker.start >= model.min_players:
        message = f"Seat {marker.start} does not exist with {model.min_players} players."
        hint = f"Seats count from 0, so the last one is {model.min_players - 1}."
        span = word_in(marker.span, str(marker.start))
        yield Diagnostic("marker-seat", "error", message, span, f"/markers/{marker.id}/start", hint)


def _asked(model: CardSet) -> set[str]:
    """Markers whose holder a step asks for."""
    steps = [step for _, step in steps_of(model)]
    return {step.who for step in steps if step.who} | {also.by for step in steps for also in step.also}


def _got(model: CardSet) -> set[str]:
    """Markers that somebody can come to hold. Giving to a neighbour needs a holder before."""
    steps = [step for _, step in steps_of(model)]
    given = {step.marker or "" for step in steps if step.give_to in {"most", "fewest"}}
    effects = [effect for card in model.cards for effect in card.on_play]
    effects += [effect for trigger in model.triggers for effect in trigger.do]
    return given | {effect.target or "" for effect in effects if effect.kind == "take"}
