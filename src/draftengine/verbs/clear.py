"""Clear: the tableaus are discarded, except the cards that stay (`keep`).

- clear: tableau
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.records.record import ZoneFrom, key
from draftengine.verbs.verb import Step, Verb

if TYPE_CHECKING:
    from collections.abc import Iterable

    from draftengine.cardset.flow import DryRun, Position
    from draftengine.verbs.verb import Words


class Spec(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "clear"
    bare: ClassVar[bool] = True

    zone: Annotated[
        ZoneFrom,
        key("Clear", "Discard the tableaus except the cards with `keep`.", "tableau", schema={"enum": ["tableau"]}),
    ]


def count_cards(_step: Step, run: DryRun, positions: list[Position]) -> list[Position]:
    run.clearings += 1
    after = []
    for position in positions:
        for kept in _possibly_kept(run, position):
            following = position.copy()
            _empty_tableaus(run, following, kept)
            after.append(following)
    return run.distinct(after)


def _possibly_kept(run: DryRun, position: Position) -> Iterable[int]:
    """How many cards may stay in all tableaus together: none, or as many as can be; the rest lies between."""
    waiting = sum(position.zones[zone][0] for zone in run.larders)
    most = min(run.kept - waiting, sum(position.zones[run.zones["tableau"]]))
    return {0, most} if run.returns or most == 0 else {most}


def _empty_tableaus(run: DryRun, position: Position, kept: int) -> None:
    tableaus = position.zones[run.zones["tableau"]]
    for seat, size in enumerate(tableaus):
        stay = min(size, kept)
        tableaus[seat] = stay
        position.zones[run.zones["discard"]][0] += size - stay
        if run.returns:  # else whose cards stay is not known, and no step depends on it: as many as can be, each
            kept -= stay
    position.laid = [0] * run.seats


def sentence(step: Spec, words: Words) -> str:
    return f"clear the {words.zone(step.zone)}"


VERB = Verb(spec=Spec, count_cards=count_cards, sentence=sentence)
