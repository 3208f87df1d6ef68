"""Can every step do what it says with its zones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.facts import steps_of
from draftengine.model.checks.spans import word_in
from draftengine.model.diagnostics.diagnostic import Diagnostic
from draftengine.model.verbs import VERBS, choose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import CardSet, Zone


def check(model: CardSet) -> Iterator[Diagnostic]:
    """Zones that a step cannot be about, or where cards cannot count, and layouts that never become empty."""
    zones = {zone.id: zone for zone in model.zones}
    for path, step in steps_of(model):
        for where, message, hint in VERBS[step.verb].problems(step, zones):
            yield Diagnostic("zone-misuse", "error", message, word_in(step.span, where), path, hint)
    for zone in model.zones:
        yield from _cover_cycle(zone)
        yield from _counting(zone)
    yield from _returning(model, zones)


def _counting(zone: Zone) -> Iterator[Diagnostic]:
    """Cards count for the seat before which they lie, and its counters tell everybody what they are."""
    if zone.counts and zone.per == "table":
        message = f"Cards count for the seat before which they lie, and {zone.id} is shared."
        yield _misused(zone, "table", "per", message, "Write per: seat, or leave out “counts”.")
    elif zone.counts and zone.seen_by != "everyone":
        message = f"The cards in {zone.id} count, and what counts is seen by everyone."
        yield _misused(zone, zone.seen_by, "seen_by", message, "Leave out “seen_by”, or “counts”.")


def _misused(zone: Zone, word: str, key: str, message: str, hint: str) -> Diagnostic:
    return Diagnostic("zone-misuse", "error", message, word_in(zone.span, word), f"/zones/{zone.id}/{key}", hint)


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
    plays = [step for _, step in steps_of(model) if isinstance(step, choose.ChooseStep) and step.plays(zones)]
    sources = [zones[step.from_] for step in plays if step.from_ in zones]
    for ability in model.abilities:
        other, what = ("hand", "a layout") if ability.returns_to == "hand" else ("place", "no layout")
        wrong = next((source for source in sources if bool(source.layout) == (other == "hand")), None)
        if ability.returns_to == other and wrong is not None:
            message = f"“{ability.card}” cannot go back to a {other} of {wrong.id}, which is {what}."
            hint = f"Write returns_to: {'place' if other == 'hand' else 'hand'}, discard or stays."
            place, path = word_in(ability.span, other), f"/abilities/{ability.id}/returns_to"
            yield Diagnostic("zone-misuse", "error", message, place, path, hint)
