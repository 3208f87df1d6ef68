"""Move: all cards of a zone go to another; each seat's cards stay with the seat.

They are only played if `played` says so.

- move: {from: kept, to: hand}
- move: {from: won, to: tableau, played: true}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.model.records.record import ZoneFrom, ZoneTo, field
from draftengine.model.verbs.targets import other_zone
from draftengine.model.verbs.verb import Problem, Step, Verb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.flow import DryRun, Position
    from draftengine.model.verbs.verb import Words, Zones


class MoveStep(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "move"

    from_: Annotated[ZoneFrom, field("From", "The zone from which.", "deck")]
    to: Annotated[ZoneTo, field("To", "The zone to which.", "hand")]
    played: Annotated[bool, field("Played", "Are they played there, as if their seats had chosen them.")] = False


def problems(step: MoveStep, zones: Zones) -> Iterator[Problem]:
    yield from other_zone(step.from_, step.to, zones)
    source, target = zones.get(step.from_), zones.get(step.to)
    if step.played and target is not None and not target.counts:
        yield Problem(target.id, "not-played")
    if step.played and source is not None and source.counts:
        yield Problem(source.id, "played-already")
    if source is not None and target is not None and source.per == "table" and target.per == "seat":
        yield Problem(target.id, "shared-to-seats", source=source.id)
    for zone in (source, target):
        if zone is not None and zone.layout:
            yield Problem(zone.id, "layout-moved")


def count_cards(step: MoveStep, run: DryRun, positions: list[Position]) -> list[Position]:
    source, target = run.zone_index[step.from_], run.zone_index[step.to]
    shared = run.zones[target].per == "table"
    run.counts.reveals += step.played
    for position in positions:
        run.counts.use(step, sum(position.zones[source]))
        for owner, size in enumerate(position.zones[source]):
            if run.lists.seat not in {None, owner} and run.zones[source].per == "seat":
                continue
            position.zones[source][owner] = 0
            position.put(target, 0 if shared else owner, size)
            if run.zones[target].counts and not run.zones[source].counts:
                run.counts.lay(position, owner, size, 0)
    return run.triggered("reveal", run.lists.run_pending(positions)) if step.played else positions


def sentence(step: MoveStep, words: Words) -> str:
    if step.played and step.to == "tableau":
        return words.phrase("list.play" if step.for_one else "move.play", zone=words.zone(step.from_))
    if step.for_one:
        key = f"list.move.{step.to}" if step.to in {"deck", "hand", "discard"} else "list.move"
        return words.phrase(key, zone=words.zone(step.from_), to=words.zone(step.to))
    key = "move.hand" if step.to == "hand" else "move.deck" if step.to == "deck" else "move"
    return words.phrase(key, zone=words.zone(step.from_), to=words.zone(step.to))


VERB = Verb(
    spec=MoveStep,
    said=field("Move", "Move all cards of a zone to another.", {"from": "kept", "to": "hand"}),
    problems=problems,
    count_cards=count_cards,
    sentence=sentence,
)
