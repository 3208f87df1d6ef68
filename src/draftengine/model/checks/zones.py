"""Checks that every step can use its zones as it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.model.cardset.facts import steps_of
from draftengine.model.checks.spans import word_in
from draftengine.model.diagnostics.catalog import diagnose
from draftengine.model.verbs.choose import ChooseStep

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.cardset.records import CardSet, Zone
    from draftengine.model.diagnostics.diagnostic import Diagnostic


def check(model: CardSet) -> Iterator[Diagnostic]:
    """Yield zones that a step cannot use, zones where cards cannot count, and layouts that never empty."""
    zones = {zone.id: zone for zone in model.zones}
    for path, step in steps_of(model):
        for wrong in step.problems(zones):
            values = {"zone": wrong.zone, "verb": step.verb, **wrong.values}
            yield diagnose("zone-misuse", word_in(step.span, wrong.zone), path, say=wrong.say, **values)
    for zone in model.zones:
        yield from _cover_cycle(zone)
        path = f"/zones/{zone.id}"
        if zone.counts and zone.per == "table":
            yield diagnose("zone-misuse", word_in(zone.span, "table"), f"{path}/per", say="shared", zone=zone.id)
        elif zone.counts and zone.seen_by != "everyone":
            place = word_in(zone.span, zone.seen_by)
            yield diagnose("zone-misuse", place, f"{path}/seen_by", say="unseen", zone=zone.id)
    yield from _returning(model, zones)


def _cover_cycle(zone: Zone) -> Iterator[Diagnostic]:
    """Yield a finding for places of a layout that cover one another and never become free."""
    free: set[str] = set()
    while True:
        more = {place.id for place in zone.layout if place.id not in free and free.issuperset(place.covered_by)}
        if not more:
            break
        free |= more
    covered = [place.id for place in zone.layout if place.id not in free]
    if covered:
        yield diagnose(
            "cover-cycle",
            word_in(zone.span, covered[0]),
            f"/zones/{zone.id}",
            places=", ".join(covered[:4]),
            zone=zone.id,
        )


def _returning(model: CardSet, zones: dict[str, Zone]) -> Iterator[Diagnostic]:
    """Yield abilities whose card returns to the hand or a place, where cards are chosen from elsewhere."""
    plays = [step for _, step in steps_of(model) if isinstance(step, ChooseStep) and step.plays(zones)]
    sources = [zones[step.from_] for step in plays if step.from_ in zones]
    for ability in model.abilities:
        other, what = ("hand", "a layout") if ability.returns_to == "hand" else ("place", "no layout")
        wrong = next((source for source in sources if bool(source.layout) == (other == "hand")), None)
        if ability.returns_to == other and wrong is not None:
            place, path = word_in(ability.span, other), f"/abilities/{ability.id}/returns_to"
            yield diagnose(
                "zone-misuse",
                place,
                path,
                say="returning",
                card=ability.card,
                word_for=other,
                wrong=wrong.id,
                what=what,
                other="place" if other == "hand" else "hand",
            )
