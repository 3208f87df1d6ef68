"""Gather: all cards return to one zone, except those with `keep` in zones that count.

- gather: deck
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.model.records.record import ZoneTo, field
from draftengine.model.verbs import clear
from draftengine.model.verbs.positions import distinct
from draftengine.model.verbs.shuffle import shared_only
from draftengine.model.verbs.verb import Step, Verb

if TYPE_CHECKING:
    from draftengine.model.flow import DryRun, Position
    from draftengine.model.verbs.verb import Words


class GatherStep(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "gather"
    bare: ClassVar[bool] = True

    zone: Annotated[ZoneTo, field("Gather", "Bring every card back into that zone.", "deck")]


def count_cards(step: GatherStep, run: DryRun, positions: list[Position]) -> list[Position]:
    target, after = run.zone_index[step.zone], positions
    for kind in run.zones:
        if kind.counts:
            after = clear.empty(kind.id, run, after)
    for position in after:
        for zone, owners in enumerate(position.zones):
            if zone != target and not run.zones[zone].counts:
                position.put(target, 0, sum(owners))
                owners[:] = [0] * len(owners)
    return distinct(after)


def sentence(step: GatherStep, words: Words) -> str:
    return words.phrase("gather", zone=words.zone(step.zone))


VERB = Verb(spec=GatherStep, problems=shared_only, count_cards=count_cards, sentence=sentence)
