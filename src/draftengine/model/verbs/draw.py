"""Draw: like `deal`, but too few cards are no error, and the number may depend on the seat.

- draw: {from: pile, to: hand, cards: 1}
- draw: {to: hand, cards: 5 - cards(hand)}
- draw: {from: market, of: soup, to: hand}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.model.records.record import CardOrFamilyNames, field
from draftengine.model.records.schema_fragments import ref
from draftengine.model.verbs.deal import Dealing, deal_all
from draftengine.model.verbs.deal import problems as problems_of_dealing
from draftengine.model.verbs.targets import for_some, holder_of, names_of
from draftengine.model.verbs.verb import Problem, Verb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.model.flow import DryRun, Position
    from draftengine.model.verbs.verb import Words, Zones


class DrawStep(Dealing, frozen=True, kw_only=True):
    verb: ClassVar[str] = "draw"

    of: Annotated[
        CardOrFamilyNames,
        field(
            "Of",
            "Only these cards (or cards of these families), all if there is no number; from a pile that all see.",
            "soup",
            ["soup"],
            schema=ref("meant"),
        ),
    ] = ()


def problems(step: DrawStep, zones: Zones) -> Iterator[Problem]:
    yield from problems_of_dealing(step, zones)
    source, target = zones.get(step.from_), zones.get(step.to)
    if not step.of or source is None or target is None:
        return
    if source.seen_by != "everyone":
        yield Problem(source.id, "draw-would-tell")
    elif target.layout:
        yield Problem(target.id, "picked-to-layout")


def count_cards(step: DrawStep, run: DryRun, positions: list[Position]) -> list[Position]:
    for position in positions:
        run.counts.use(step, sum(position.zones[run.zone_index[step.from_]]))
    return deal_all(step, run, positions, exact=False)


def sentence(step: DrawStep, words: Words) -> str:
    cards = words.cards(step.cards)
    given = {**cards.given, "zone": words.zone(step.from_)}
    if words.is_all(step.cards, step.from_):
        given |= {"cards": words.phrase("cards.all"), "players": ""}
    if step.of:
        text = given["cards"] if step.cards else words.phrase("cards.all")
        given["cards"] = words.phrase("cards.only", cards=text, of=names_of(step.of, words))
    filled = words.filled_up(step.cards, step.to)
    if filled is not None and step.who is None and not words.is_layout(step.to):
        full = "draw.up_to.hand" if step.to == "hand" else "draw.if_empty" if filled.single == 1 else "draw.up_to"
        key = f"list.{full}" if step.for_one else full
        return words.phrase(key, to=words.zone(step.to), zone=given["zone"], cards=filled.text, players=filled.players)
    if step.for_one:
        return words.phrase("list.draw.hand" if step.to == "hand" else "list.draw", to=words.zone(step.to), **given)
    marker = holder_of(step.who)
    if marker is not None:
        key = "draw.who" if step.to == "hand" else "draw.who.zone"
        return words.phrase(key, marker=words.marker(marker), to=words.zone(step.to), **given)
    if words.is_layout(step.to):
        return words.phrase("draw.fill" if step.cards is None else "draw.table", to=words.zone(step.to), **given)
    phrase = words.phrase("draw" if step.to == "hand" else "draw.table", to=words.zone(step.to), **given)
    return for_some(phrase, step.who, words)


VERB = Verb(
    spec=DrawStep,
    said=field(
        "Draw",
        "As deal, but as many as there are, and the number may be about whoever gets them.",
        {"from": "pile", "to": "hand", "cards": 1},
    ),
    problems=problems,
    count_cards=count_cards,
    sentence=sentence,
)
