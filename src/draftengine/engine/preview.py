"""What a move would be worth at once, from what a seat may know."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from draftengine.engine.effects import points_of
from draftengine.engine.flow.choose import Choice, modifiers_used

if TYPE_CHECKING:
    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program
    from draftengine.engine.state import State


class Glance:
    """What rules look at in a state, and the faces that lie open in layouts: no more than any seat may know."""

    __slots__ = ("before", "faces", "markers", "program", "round", "scores", "turn", "words", "zones")

    program: Program
    words: list[int]
    before: list[int]
    scores: list[int]
    markers: list[int]
    round: int
    turn: int
    zones: list[list[list[int]]]
    faces: list[list[int]]
    """For each zone with places: the first card that looks like the one at each place; -1 = face down or nothing."""

    @classmethod
    def of_observation(cls, seen: Observation) -> Glance:
        """What a seat sees."""
        glance = cls()
        glance.program = seen.program
        glance.words = glance.before = list(seen.words)
        glance.scores = list(seen.scores)
        glance.markers = list(seen.markers)
        glance.round = seen.round
        glance.turn = seen.turn
        glance.zones = [_sizes(seen, zone.id, zone.per == "seat") for zone in seen.program.zones]
        glance.faces = [_faces(seen, zone.id) for zone in seen.program.zones]
        return glance

    @classmethod
    def of_state(cls, state: State) -> Glance:
        """The same of a state."""
        glance = cls()
        glance.program = state.program
        glance.words = glance.before = state.words[:]
        glance.scores = state.scores
        glance.markers = state.markers
        glance.round = state.round
        glance.turn = state.turn
        glance.zones = state.zones
        face_of = state.program.face_of
        glance.faces = [
            [face_of[card] if card >= 0 and place not in down else -1 for place, card in enumerate(owners[0])]
            if zone.layout
            else []
            for zone, owners, down in zip(state.program.zones, state.zones, state.down, strict=True)
        ]
        return glance

    def with_words(self, words: list[int]) -> Glance:
        """The same with other counters."""
        twin = Glance()
        for name in self.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.words = words
        return twin


def _sizes(seen: Observation, zone: str, per_seat: bool) -> list[list[int]]:  # noqa: FBT001 (a private helper)
    """Stand-ins with as many cards as the zone has."""
    sizes = {view.owner: view.size for view in seen.zones if view.zone == zone}
    owners = range(seen.program.seats) if per_seat else (-1,)
    return [[0] * sizes.get(owner, 0) for owner in owners]


def _faces(seen: Observation, name: str) -> list[int]:
    program = seen.program
    layout = program.zones[program.zone_index(name)].layout
    faces = {place: face for view in seen.zones if view.zone == name for place, face, _ in view.places}
    return [program.faces.index(faces[place.id]) if faces.get(place.id) else -1 for place in layout]


def words_after(glance: Glance, choice: Choice, seat: int, move: Move) -> list[int]:
    """The packed counters of all seats if a seat's move were laid down alone."""
    program = glance.program
    words = list(glance.words)
    if choice.target != choice.tableau:
        return words
    first_other = choice.first_other
    taken: dict[int, int] = {}
    for code in move:
        channel, item = divmod(code, program.width)
        receiver = seat
        if channel >= first_other:
            receiver = choice.also[channel - first_other][0]
        elif channel:
            use = program.abilities[channel - 1]
            taken[channel] = taken.get(channel, 0) + 1
            if (taken[channel] - 1) % use.model.take == 0 and use.model.returns_to != "stays":
                words[receiver] -= program.plays[use.play].increment
        play = glance.faces[choice.source][item] if choice.layout else program.options[item].plays[0][1]
        if play >= 0:
            what = program.plays[play]
            words[receiver] += what.modified[modifiers_used(what, words[receiver])]
    return words


def standing(glance: Glance, seat: int) -> int:
    """The points that all rules would give the seat if everything were scored now."""
    seen, total = cast("State", glance), 0
    for rule in glance.program.rules:
        if rule.when is None or rule.when(seen, 0):
            total += points_of(seen, rule)[seat]
    return total


def gains(seen: Observation) -> list[int]:
    """How much the seat's provisional score rises by each of its moves."""
    glance = Glance.of_observation(seen)
    choice = cast("Choice", seen.program.code[seen.decision])
    now = standing(glance, seen.seat)
    return [
        standing(glance.with_words(words_after(glance, choice, seen.seat, move)), seen.seat) - now
        for move in seen.moves
    ]
