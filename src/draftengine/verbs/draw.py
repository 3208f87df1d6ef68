"""Draw: like `deal`, but each gets as many cards as there are.

- draw: {from: pile, to: hand, cards: 1}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from draftengine.records.record import key
from draftengine.verbs.deal import Dealing, deal_all, problems
from draftengine.verbs.moving import for_some, holder_of
from draftengine.verbs.verb import Verb

if TYPE_CHECKING:
    from draftengine.cardset.flow import DryRun, Position
    from draftengine.verbs.verb import Words


class Spec(Dealing, frozen=True, kw_only=True):
    verb: ClassVar[str] = "draw"


def count_cards(step: Spec, run: DryRun, positions: list[Position]) -> list[Position]:
    for position in positions:
        run.counts.use(step, sum(position.zones[run.zones[step.from_]]))
    return deal_all(step, run, positions, exact=False)


def sentence(step: Spec, words: Words) -> str:
    cards = words.cards(step.cards)
    given = {"cards": cards.text, "players": cards.players, "zone": words.zone(step.from_)}
    filled = words.filled_up(step.cards, step.to)
    if filled is not None and step.who is None and not words.is_layout(step.to):
        key = ("list." if step.for_one else "") + ("draw.if_empty" if filled.single == 1 else "draw.up_to")
        return words.say(key, to=words.zone(step.to), zone=given["zone"], cards=filled.text)
    if step.for_one:
        return words.say("list.draw.hand" if step.to == "hand" else "list.draw", to=words.zone(step.to), **given)
    marker = holder_of(step.who)
    if marker is not None:
        return words.say("draw.who", marker=words.thing(marker), **given)
    if words.is_layout(step.to):
        return words.say("draw.fill" if step.cards is None else "draw.table", to=words.zone(step.to), **given)
    said = words.say("draw" if step.to == "hand" else "draw.table", to=words.zone(step.to), **given)
    return for_some(said, step.who, words)


VERB = Verb(
    spec=Spec,
    said=key("Draw", "As deal, but as many as there are.", {"from": "pile", "to": "hand", "cards": 1}),
    problems=problems,
    count_cards=count_cards,
    sentence=sentence,
)
