"""Pass: every seat gives the cards of a zone to its neighbour; the direction may differ by round.

- pass: {zone: hand, to: [left, right]}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from draftengine.model.records.record import ZoneFrom, field
from draftengine.model.verbs.verb import Problem, Step, Verb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.flow import DryRun, Position
    from draftengine.model.records.schema_fragments import Schema
    from draftengine.model.verbs.verb import Words, Zones

Direction = Literal["left", "right"]

_DIRECTIONS: Schema = {
    "type": ["string", "array"],
    "if": {"type": "string"},
    "then": {"enum": ["left", "right"]},
    "items": {"enum": ["left", "right"]},
    "minItems": 1,
    "maxItems": 20,
}


class PassStep(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "pass"

    zone: Annotated[ZoneFrom, field("Zone", "What is passed on.", "hand")] = "hand"
    to: Annotated[
        tuple[Direction, ...],
        field(
            "To",
            "left, right, or a list by round.",
            "left",
            ["left", "right", "left"],
            schema=_DIRECTIONS,
            read=lambda reader, name: reader.words(name),
        ),
    ]
    """The directions by round, repeated after the last."""


def problems(step: PassStep, zones: Zones) -> Iterator[Problem]:
    zone = zones.get(step.zone)
    if zone is not None and zone.per == "table":
        yield Problem(step.zone, "not-passed")
    if zone is not None and zone.counts:
        yield Problem(step.zone, "counted-passed")


def count_cards(step: PassStep, run: DryRun, positions: list[Position]) -> list[Position]:
    zone, players = run.zone_index[step.zone], run.players
    left = step.to[(max(run.round, 1) - 1) % len(step.to)] == "left"
    for position in positions:
        sizes = position.zones[zone]
        run.counts.use(step, sum(sizes[:players]))
        if left:
            sizes[:players] = [sizes[players - 1], *sizes[: players - 1]]
        else:
            sizes[:players] = [*sizes[1:players], sizes[0]]
    return positions


def sentence(step: PassStep, words: Words) -> str:
    zone, ways = words.zone(step.zone), [step.to[(number - 1) % len(step.to)] for number in range(1, words.rounds + 1)]
    if len(set(ways)) == 1:
        return words.phrase(f"pass.{ways[0]}", zone=zone)
    phrases = []
    for way in dict.fromkeys(ways):
        rounds = [str(number) for number, other in enumerate(ways, start=1) if other == way]
        phrases.append(
            words.phrase(
                f"pass.way_{way}", rounds=words.phrase("rounds", count=len(rounds), list=words.join_list(rounds))
            )
        )
    return words.phrase("pass.rounds", zone=zone, ways=words.join_list(phrases, "comma"))


VERB = Verb(
    spec=PassStep,
    said=field("Pass", "Every seat passes a zone to its neighbour.", {"zone": "hand", "to": "left"}),
    problems=problems,
    count_cards=count_cards,
    sentence=sentence,
)
