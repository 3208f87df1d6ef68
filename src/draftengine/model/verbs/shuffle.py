"""Shuffle: the cards of a shared zone are put into a random order.

- shuffle: deck
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Protocol

from draftengine.model.records.record import ZoneName, field
from draftengine.model.verbs.verb import Problem, Step, Verb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.verbs.verb import Words, Zones


class ShuffleStep(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "shuffle"
    bare: ClassVar[bool] = True

    zone: Annotated[ZoneName, field("Shuffle", "Shuffle a shared zone.", "deck")]


class OfOneZone(Protocol):
    """A step that acts on one zone."""

    @property
    def verb(self) -> str: ...
    @property
    def zone(self) -> str: ...


def shared_only(step: OfOneZone, zones: Zones) -> Iterator[Problem]:
    """Yield a problem unless the zone is a shared pile."""
    zone = zones.get(step.zone)
    if zone is not None and (zone.per == "seat" or zone.layout):
        yield Problem(step.zone, "not-a-layout" if zone.layout else "not-of-seats")


def sentence(step: ShuffleStep, words: Words) -> str:
    return words.phrase("list.shuffle" if step.for_one else "shuffle", zone=words.zone(step.zone))


VERB = Verb(spec=ShuffleStep, problems=shared_only, sentence=sentence)
