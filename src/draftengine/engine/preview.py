"""What a move would be worth at once, from what a seat may know."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from draftengine.engine.effects import points_of
from draftengine.engine.flow.choose import Choice, modifiers_used

if TYPE_CHECKING:
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.state import State


class Glance:
    """The part of a state that rules look at, made from an observation with other counters."""

    __slots__ = ("before", "markers", "program", "round", "scores", "turn", "words", "zones")

    def __init__(self, seen: Observation, words: list[int]) -> None:
        self.program = seen.program
        self.words = words
        self.before = list(seen.words)
        self.scores = list(seen.scores)
        self.markers = list(seen.markers)
        self.round = seen.round
        self.turn = seen.turn
        self.zones = [_sizes(seen, zone.id, zone.per == "seat") for zone in seen.program.zones]


def _sizes(seen: Observation, zone: str, per_seat: bool) -> list[list[int]]:  # noqa: FBT001 (a private helper)
    """Stand-ins with as many cards as the zone has."""
    sizes = {view.owner: view.size for view in seen.zones if view.zone == zone}
    owners = range(seen.program.seats) if per_seat else (-1,)
    return [[0] * sizes.get(owner, 0) for owner in owners]


def words_after(seen: Observation, move: Move) -> list[int]:
    """The packed counters of all seats if this seat's move were laid down alone."""
    program = seen.program
    choice = cast("Choice", program.code[seen.decision])
    words = list(seen.words)
    if choice.target != choice.tableau:
        return words
    first_other = choice.first_other
    taken: dict[int, int] = {}
    for code in move:
        channel, item = divmod(code, program.width)
        seat = seen.seat
        if channel >= first_other:
            seat = choice.also[channel - first_other][0]
        elif channel:
            use = program.abilities[channel - 1]
            taken[channel] = taken.get(channel, 0) + 1
            if (taken[channel] - 1) % use.model.take == 0 and use.model.returns_to != "stays":
                words[seat] -= program.plays[use.play].increment
        play = _play_of(seen, choice, item)
        if play >= 0:
            what = program.plays[play]
            words[seat] += what.modified[modifiers_used(what, words[seat])]
    return words


def _play_of(seen: Observation, choice: Choice, item: int) -> int:
    """The play an item becomes, as far as the seat can tell."""
    program = seen.program
    if not choice.layout:
        return program.options[item].plays[0][1]
    zone = program.zones[choice.source]
    faces = {place: face for view in seen.zones if view.zone == zone.id for place, face, _ in view.places}
    face = faces.get(zone.layout[item].id, "")
    return program.faces.index(face) if face else -1


def standing(seen: Observation, words: list[int]) -> int:
    """The points that all rules would give the seat if everything were scored now."""
    glance = cast("State", Glance(seen, words))
    total = 0
    for rule in seen.program.rules:
        if rule.when is None or rule.when(glance, 0):
            total += points_of(glance, rule)[seen.seat]
    return total


def gain(seen: Observation, move: Move) -> int:
    """How much the seat's provisional score rises by a move."""
    return standing(seen, words_after(seen, move)) - standing(seen, list(seen.words))
