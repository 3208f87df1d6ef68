"""Zones of other seats: a step that names such a zone becomes steps through hidden shared zones.

    - choose: {from: left.stash, to: hand}
    - move: {from: hand, to: rival.stash, of: soup}

One seat carries out such a step, in a step list. The other seat lays out the cards of its zone in `LAID_OUT`. The step
takes cards from there, and then the others go back in their order. Cards for another seat go to `SHOWN` or
`HANDED_OVER`, and that seat takes them from there. So all other modules know only choices from shared zones, or from
zones of the seat that chooses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from msgspec.structs import replace

from draftengine.model.diagnostics.suggest import did_you_mean, possible
from draftengine.model.language.macros import HANDED_OVER, LAID_OUT, PLAYERS, SHOWN
from draftengine.model.records import field
from draftengine.model.records.reader import Formula
from draftengine.model.records.schema_fragments import ref
from draftengine.model.verbs.places import all_of
from draftengine.model.verbs.turns import DoStep
from draftengine.model.verbs.verb import ON_THE_WAY, Step, verb_named, with_sides_up
from draftengine.model.verbs.who import Who, who_named

if TYPE_CHECKING:
    from draftengine.model.records.reader import Reader

FROM_ZONE = field(
    "From",
    "The zone that the cards come from; in a list also that of another seat: left.stash.",
    "deck",
    "left.stash",
    schema=ref("zone_name"),
)
TO_ZONE = field(
    "To",
    "The zone that the cards go to; in a list also that of another seat: left.stash.",
    "hand",
    "left.stash",
    schema=ref("zone_name"),
)
HIDDEN_ZONES: tuple[tuple[str, Literal["seat", "table"], Literal["nobody", "everyone"], str], ...] = (
    (ON_THE_WAY, "seat", "everyone", ""),
    (LAID_OUT, "table", "everyone", "label.laid_out"),
    (SHOWN, "table", "everyone", "label.handed_over"),
    (HANDED_OVER, "table", "nobody", "label.handed_over"),
)
"""The hidden zones that steps may need: name, `per`, `seen_by` and the message for the label, if any."""


def through_other_seats(step: Step, reader: Reader) -> tuple[Step, ...]:
    """Return the group that replaces a step with the zone of another seat; nothing for any other step.

    The step has the fields `from_` and `to`, and a method `brings`. Mistakes in the names of zones are reported.
    """
    moving: Any = step
    spec, board = reader.at(step.verb), reader.short.board
    giver, source = _seat_and_zone(moving.from_, "from", spec)
    taker, target = _seat_and_zone(moving.to, "to", spec)
    if not (giver or taker):
        return ()
    counting = reader.short.counting
    if not step.for_one:
        name = moving.from_ if giver else moving.to
        spec.report("misplaced-step", "from" if giver else "to", say="of-seat", name=name)
    is_whole = step.verb == "move" and not (moving.of or moving.such or moving.cards)
    if giver and not is_whole and source in board.zones_of_seats:
        why = "counts" if source in counting else "" if source in board.open_zones else "hidden"
        if why:
            spec.report("zone-misuse", "from", say=f"seat-{why}", zone=source, seat=moving.from_.partition(".")[0])
    played = getattr(moving, "played", target in counting and source not in counting)
    common: dict[str, Any] = {key: getattr(step, key) for key in Step.__struct_fields__} | {"for_one": True}
    alone = common | {"id": None, "who": None, "when": None, "text": (), "source": ()}

    def bring(zone: str, to: str, *, played: bool = False) -> tuple[Step, ...]:
        move: Any = verb_named("move")(from_=zone, to=to, played=played, **alone)
        return tuple(move.brings(reader))

    def in_order(zone: str, to: str) -> tuple[Step, ...]:
        """Return the steps that draw all cards twice, because each draw reverses their order."""
        ways = ((zone, ON_THE_WAY), (ON_THE_WAY, to))
        return tuple(verb_named("draw")(from_=one, to=two, cards=all_of(one, step.span), **alone) for one, two in ways)

    def arrive(zone: str, to: str) -> tuple[Step, ...]:
        is_open = to in board.open_zones and to in board.zones_of_seats and to not in counting
        return in_order(zone, to) if is_open else bring(zone, to, played=played)

    def by(who: Who, *parts: Step) -> Step:
        return DoStep(do=parts, unwritten=True, **alone | {"who": who})

    between = SHOWN if board.open_zones & {source, target} else HANDED_OVER
    if giver and is_whole:
        steps = [by(giver, *bring(source, between)), *(() if taker else with_sides_up(arrive(between, target), reader))]
    else:
        here = replace(moving, from_=LAID_OUT if giver else source, to=between if taker else target, **alone)
        steps = [*with_sides_up(here.brings(reader), reader)]
        if giver:
            steps = [by(giver, *bring(source, LAID_OUT)), *steps, by(giver, *in_order(LAID_OUT, source))]
    if taker:
        steps.append(by(taker, *with_sides_up(arrive(between, target), reader)))
    for seat in (giver, taker):
        there = None if seat is None else seat.is_there()
        if there is not None:  # else nothing moves
            steps = [DoStep(do=tuple(steps), unwritten=True, **alone | {"when": Formula("", there, step.span)})]
    plain = replace(moving, from_=source, to=target)
    return (DoStep(do=tuple(steps), unwritten=True, short_for=step, of_other_seats=plain, **common),)


def _seat_and_zone(name: str, key: str, reader: Reader) -> tuple[Who | None, str]:
    """Return the seat and the zone of ``left.stash``; no seat for any other name. Mistakes are reported."""
    seat, dot, zone = name.rpartition(".")
    if not dot:
        return None, name
    board = reader.short.board
    if zone in board.all_shared:
        reader.report("zone-misuse", key, say="seat-shared", zone=zone)
    who = who_named(seat, board)
    if who is None or not who.is_one:
        words = board.words_for_one_seat
        meant = None if seat in PLAYERS else did_you_mean(seat, words)
        reader.report("unknown-name", key, say="seat", hint=meant or possible(words), name=seat)
        who = Who(beside="left")
    return who, zone
