"""Clear: the cards of a zone that counts are discarded, except those that stay (`keep`).

- clear: tableau
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.model.records.record import ZoneFrom, field
from draftengine.model.verbs.positions import between, distinct, fewest, most
from draftengine.model.verbs.verb import Problem, Step, Verb

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from draftengine.model.flow import DryRun, Position
    from draftengine.model.verbs.verb import Words, Zones


class ClearStep(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "clear"
    bare: ClassVar[bool] = True

    zone: Annotated[
        ZoneFrom,
        field("Clear", "Discard the tableaus, or another zone that counts, except the cards with `keep`.", "tableau"),
    ]


def problems(step: ClearStep, zones: Zones) -> Iterator[Problem]:
    zone = zones.get(step.zone)
    if zone is not None and not zone.counts:
        yield Problem(step.zone, "not-cleared")


def count_cards(step: ClearStep, run: DryRun, positions: list[Position]) -> list[Position]:
    return empty(step.zone, run, positions)


def empty(name: str, run: DryRun, positions: list[Position]) -> list[Position]:
    """Discard the cards of a zone that counts, except those that stay."""
    run.counts.clearings += 1
    zone, after = run.zone_index[name], []
    for position in positions:
        for kept in _possibly_kept(run, position, zone):
            following = position.copy()
            _empty(run, following, zone, kept)
            after.append(following)
    return distinct(after)


def _possibly_kept(run: DryRun, position: Position, zone: int) -> Iterable[int]:
    """Return how many cards may stay, all seats together: the most, and 0 if cards recirculate.

    Numbers between these two need no position of their own.
    """
    waiting = sum(fewest(position.zones[larder][0]) for larder in run.larders)
    highest = min(run.game.kept_cards - waiting, sum(map(most, position.zones[zone])))
    return {0, highest} if run.game.recirculates or highest == 0 else {highest}


def _empty(run: DryRun, position: Position, zone: int, kept: int) -> None:
    leaving = run.apart.all_cards - run.game.kept_cards
    larders = {id(position.zones[larder]) for larder in run.larders}
    elsewhere = sum(
        most(cell)
        for owners in position.zones
        if owners is not position.zones[zone] and id(owners) not in larders
        for cell in owners
    )
    discard = run.zone_index["discard"]
    before = position.zones[discard][0]
    for seat, size in enumerate(position.zones[zone]):
        position.put(discard, 0, position.take_all_but(zone, seat, kept))
        # Without recirculation no step depends on whose cards stay, so each seat may keep the most.
        if run.game.recirculates:
            kept -= min(most(size), kept)
    after = position.zones[discard][0]
    if not isinstance(after, int):
        # Cards without `keep` never lie in a larder. Those that do not fit elsewhere must lie here.
        low, high = fewest(before) + max(0, leaving - elsewhere), most(before) + leaving
        position.zones[discard][0] = between(max(fewest(after), low), max(low, min(most(after), high)))
    if zone == run.zone_index["tableau"]:
        position.laid = [0] * run.seats


def sentence(step: ClearStep, words: Words) -> str:
    if step.zone != "tableau":
        return words.phrase("clear", zone=words.zone(step.zone))
    kept = words.kept()
    return words.phrase("clear.kept", names=words.join_list(kept)) if kept else words.phrase("clear.tableau")


VERB = Verb(spec=ClearStep, problems=problems, count_cards=count_cards, sentence=sentence)
