"""Choose: everyone (or the holder of a marker) chooses cards in secret, and all cards are revealed together.

Cards that come to a zone that counts, such as the tableau, are played, unless they come from another one. `also` names
extra seats for which the holder of a marker chooses as well.

    - choose: {from: hand, to: tableau}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from draftengine.records.pieces import whole
from draftengine.records.record import ExtraSeatName, FlowNumber, HolderOf, Record, ZoneFrom, ZoneTo, key
from draftengine.verbs.moving import WHO, number_key
from draftengine.verbs.verb import Step, Verb

if TYPE_CHECKING:
    from collections.abc import Iterator

    from draftengine.cardset.flow import DryRun, Position
    from draftengine.cardset.model import Zone
    from draftengine.verbs.positions import Count
    from draftengine.verbs.verb import Problem, Words, Zones


class Also(Record, frozen=True, kw_only=True):
    """The holder of marker `by` also chooses `cards` cards for `seat`."""

    seat: Annotated[ExtraSeatName, key("Seat", "The extra seat.", "dummy")]
    by: Annotated[HolderOf, key("By", "The marker whose holder chooses for it.", "controller")]
    cards: Annotated[int, key("Cards", "How many.", 1, schema=whole(1, 10))] = 1


class Spec(Step, frozen=True, kw_only=True):
    verb: ClassVar[str] = "choose"

    from_: Annotated[ZoneFrom, key("From", "The zone from which.", "deck")] = "hand"
    to: Annotated[ZoneTo, key("To", "The zone to which.", "hand")] = "tableau"
    cards: Annotated[FlowNumber | None, number_key("How many each one chooses; 1 if not said.")] = None
    who: Annotated[HolderOf | None, WHO] = None
    also: Annotated[tuple[Also, ...], key("Also", "Extra seats for which the holder of a marker chooses.")] = ()

    def plays(self, zones: Zones) -> bool:
        """Are the cards played: do they come to a zone that counts from one that does not."""
        source, target = zones.get(self.from_), zones.get(self.to)
        return target is not None and target.counts and not (source is not None and source.counts)


def problems(step: Spec, zones: Zones) -> Iterator[Problem]:
    source, target = zones.get(step.from_), zones.get(step.to)
    if source is not None:
        yield from _problems_of_source(step, source)
    if source is target and source is not None:
        yield source.id, f"The cards would go from {source.id} to {source.id}.", "Name two different zones."
    elif target is not None and (target.layout or target.id == "deck"):
        yield target.id, f"Chosen cards cannot be put into {target.id}.", "Put them into a tableau, hand or pile."


def _problems_of_source(step: Spec, source: Zone) -> Iterator[Problem]:
    if source.per == "table" and not source.layout:
        hint = "Give it a layout, or deal it out."
        yield source.id, f"{source.id} is a shared pile; nobody can choose from it.", hint
    elif source.layout and step.who is None:
        hint = "Let one seat choose at a time: who: {holder: MARKER}."
        yield source.id, f"Everyone would choose from {source.id} at once and take the same card.", hint


def count_cards(step: Spec, run: DryRun, positions: list[Position]) -> list[Position]:
    plays = step.plays(run.by_name)
    if plays:
        run.reveals += 2 if run.late else 1
    for position in positions:
        for seat in run.seats_of(step.who, position):
            run.use(step, _take(step, run, position, seat))
    return run.taken_by_triggers("reveal", positions) if plays else positions


def _take(step: Spec, run: DryRun, position: Position, seat: int) -> Count:
    """A seat chooses for itself and for the seats it chooses for; how many cards it takes."""
    source, target = run.zones[step.from_], run.zones[step.to]
    own = seat if run.kinds[source].per == "seat" else 0
    wanted: list[tuple[int, Count]] = [(seat, run.number(step.cards, position, 1, 1))]
    wanted += [(run.extra[also.seat], also.cards) for also in step.also if run.holder(also.by, position) == seat]
    cards: Count = 0
    for receiver, count in wanted:
        taken = position.take(source, own, count)
        position.put(target, receiver if run.kinds[target].per == "seat" else 0, taken)
        cards += taken
        if step.plays(run.by_name):
            run.lay(position, receiver, taken, position.zones[source][own] if receiver == seat else 0)
    return cards


def sentence(step: Spec, words: Words) -> str:
    cards = words.cards(step.cards)
    given = {"cards": cards.text, "count": cards.count, "zone": words.zone(step.from_)}
    if step.who is not None:
        said = [words.say("choose.who", marker=words.thing(step.who), **given)]
    elif step.from_ != "hand":
        said = [words.say("choose.table", **given)]
    elif words.in_the_open(step.to):
        said = [words.say("choose.hand", **given), words.say("choose.reveal")]
    else:
        said = [words.say("choose.aside", **given)]
    for also in step.also:
        other = words.say("cards", count=also.cards)
        said.append(words.say("choose.also", marker=words.thing(also.by), cards=other, seat=words.seat(also.seat)))
    return words.say("space").join(said)


VERB = Verb(
    spec=Spec,
    said=key(
        "Choose",
        "Everyone chooses at once and in secret; in a zone that all see it is revealed together.",
        {"from": "hand", "to": "tableau"},
    ),
    problems=problems,
    count_cards=count_cards,
    sentence=sentence,
)
