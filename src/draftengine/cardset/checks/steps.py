"""Can every step do what it says with its zones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.cardset.checks.place import steps_of, word_in
from draftengine.diagnostics.finding import Diagnostic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from draftengine.cardset.model import CardSet, Step, Zone

Problem = tuple[str, str, str]
"""The zone, what is wrong with it here, and what to do."""


def check(model: CardSet) -> Iterator[Diagnostic]:
    """Zones that a step cannot be about, and layouts that never become empty."""
    zones = {zone.id: zone for zone in model.zones}
    for path, step in steps_of(model):
        for where, message, hint in _CHECKS.get(step.verb, _nothing)(step, zones):
            yield Diagnostic("zone-misuse", "error", message, word_in(step.span, where), path, hint)
    for zone in model.zones:
        yield from _cover_cycle(zone)
    yield from _returning(model, zones)


def _nothing(_step: Step, _zones: dict[str, Zone]) -> Iterator[Problem]:
    yield from ()


def _shared_only(step: Step, zones: dict[str, Zone]) -> Iterator[Problem]:
    zone = zones.get(step.zone or "")
    if zone is not None and (zone.per == "seat" or zone.layout):
        what = "a layout" if zone.layout else "a zone of each seat"
        message = f"{zone.id} is {what}; {step.verb} works on shared piles."
        yield zone.id, message, "Name a shared zone, for example deck."


def _seats_only(step: Step, zones: dict[str, Zone]) -> Iterator[Problem]:
    zone = zones.get(step.zone or "")
    if zone is not None and zone.per == "table":
        yield (
            zone.id,
            f"{zone.id} is shared, so there is nothing to pass.",
            "Name a zone of each seat, for example hand.",
        )
    if step.zone == "tableau":
        yield "tableau", "A tableau cannot be passed on.", "Pass the hand, or another zone of each seat."


def _dealing(step: Step, zones: dict[str, Zone]) -> Iterator[Problem]:
    yield from _transfer(step, zones)
    source, target = zones.get(step.from_ or ""), zones.get(step.to or "")
    if source is not None and target is not None and source.per == "seat" and target.per == "table":
        yield source.id, f"A {step.verb} to {target.id} has no seat to take from {source.id}.", "Use move or choose."
    if source is not None and source.layout:
        yield source.id, f"{source.id} is a layout; cards are chosen from it, not dealt.", "Use choose or gather."


def _moving(step: Step, zones: dict[str, Zone]) -> Iterator[Problem]:
    yield from _transfer(step, zones)
    source, target = zones.get(step.from_ or ""), zones.get(step.to or "")
    if source is not None and target is not None and source.per == "table" and target.per == "seat":
        yield (
            target.id,
            f"{source.id} is shared; all its cards cannot go to {target.id} of each seat.",
            "Use deal or draw.",
        )
    for zone in (source, target):
        if zone is not None and zone.layout:
            yield zone.id, f"{zone.id} is a layout; its cards cannot be moved together.", "Use deal, choose or gather."


def _transfer(step: Step, zones: dict[str, Zone]) -> Iterator[Problem]:
    if "tableau" in {step.from_, step.to}:
        hint = "Use choose to play cards, and clear or gather to remove them."
        yield "tableau", f"A {step.verb} cannot change tableaus: cards come there by being chosen.", hint
    if step.from_ == step.to and step.from_ in zones:
        yield step.from_ or "", f"The cards would go from {step.from_} to {step.from_}.", "Name two different zones."


def _choosing(step: Step, zones: dict[str, Zone]) -> Iterator[Problem]:
    source, target = zones.get(step.from_ or "hand"), zones.get(step.to or "tableau")
    if source is not None:
        yield from _choosing_from(step, source)
    if source is target and source is not None:
        yield source.id, f"The cards would go from {source.id} to {source.id}.", "Name two different zones."
    elif target is not None and (target.layout or target.id == "deck"):
        yield target.id, f"Chosen cards cannot be put into {target.id}.", "Put them into a tableau, hand or pile."


def _choosing_from(step: Step, source: Zone) -> Iterator[Problem]:
    if source.id == "tableau":
        yield source.id, "Cards in a tableau have been played and cannot be chosen again.", "Choose from a hand."
    elif source.per == "table" and not source.layout:
        yield (
            source.id,
            f"{source.id} is a shared pile; nobody can choose from it.",
            "Give it a layout, or deal it out.",
        )
    elif source.layout and step.who is None:
        hint = "Let one seat choose at a time: who: {holder: MARKER}."
        yield source.id, f"Everyone would choose from {source.id} at once and take the same card.", hint


def _repeating(step: Step, zones: dict[str, Zone]) -> Iterator[Problem]:
    if step.zone in {"tableau", "discard"} and step.zone in zones:
        yield step.zone, f"Turns do not end by {step.zone} being empty.", "Name the zone that cards are chosen from."


_CHECKS: dict[str, Callable[[Step, dict[str, Zone]], Iterator[Problem]]] = {
    "shuffle": _shared_only,
    "gather": _shared_only,
    "pass": _seats_only,
    "deal": _dealing,
    "draw": _dealing,
    "move": _moving,
    "choose": _choosing,
    "repeat": _repeating,
}


def _cover_cycle(zone: Zone) -> Iterator[Diagnostic]:
    """Places that cover one another are never free."""
    free: set[str] = set()
    while True:
        more = {place.id for place in zone.layout if place.id not in free and free.issuperset(place.covered_by)}
        if not more:
            break
        free |= more
    covered = [place.id for place in zone.layout if place.id not in free]
    if covered:
        message = f"The places {', '.join(covered[:4])} of {zone.id} can never be uncovered."
        hint = "Places may not cover each other in a circle."
        yield Diagnostic("cover-cycle", "error", message, word_in(zone.span, covered[0]), f"/zones/{zone.id}", hint)


def _returning(model: CardSet, zones: dict[str, Zone]) -> Iterator[Diagnostic]:
    """Abilities whose card goes back to a hand or a place that the cards are not chosen from."""
    plays = [step for _, step in steps_of(model) if step.verb == "choose" and (step.to or "tableau") == "tableau"]
    sources = [zones[step.from_ or "hand"] for step in plays if (step.from_ or "hand") in zones]
    for ability in model.abilities:
        other, what = ("hand", "a layout") if ability.returns_to == "hand" else ("place", "no layout")
        wrong = next((own for own in sources if bool(own.layout) == (other == "hand")), None)
        if ability.returns_to == other and wrong is not None:
            message = f"“{ability.card}” cannot go back to a {other} of {wrong.id}, which is {what}."
            hint = f"Write returns_to: {'place' if other == 'hand' else 'hand'}, discard or stays."
            place, path = word_in(ability.span, other), f"/abilities/{ability.id}/returns_to"
            yield Diagnostic("zone-misuse", "error", message, place, path, hint)
