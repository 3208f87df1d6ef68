"""What one seat may know: built from nothing upward, so a thing is hidden until it is declared visible here."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from draftengine.engine.flow.choose import open_places_of
from draftengine.engine.moves import legal_moves

if TYPE_CHECKING:
    from draftengine.engine.moves import Move
    from draftengine.engine.program import Program
    from draftengine.engine.state import State

Cards = tuple[tuple[str, int], ...]
"""Names and copies, in the order of the card set."""


class ZoneView(Struct, frozen=True):
    """A zone of one owner as a seat sees it."""

    zone: str
    owner: int
    """The seat it belongs to; -1 = shared."""
    size: int
    cards: Cards
    """What certainly lies there: everything if the seat may look, else what it remembers."""
    open: bool
    """Does the seat see the zone itself."""
    places: tuple[tuple[str, str, bool], ...] = ()
    """For a layout: (place, face or "" if face down, can it be taken); empty places are left out."""


class Observation(Struct, frozen=True):
    """Everything a seat may know at a moment, and nothing else. Seat -1 is a spectator."""

    program: Program
    seat: int
    round: int
    turn: int
    scores: tuple[int, ...]
    words: tuple[int, ...]
    """The packed counters of all seats: they follow from what lies open."""
    tableaus: tuple[tuple[str, ...], ...]
    zones: tuple[ZoneView, ...]
    unseen: Cards
    """The cards of the box that the seat can't place: they are in the decks and hands it doesn't know."""
    markers: tuple[int, ...]
    chips: tuple[tuple[tuple[str, int | None], ...], ...]
    """Chips by seat: (pile, value), the value ``None`` for the chips of others while the game goes on."""
    chips_left: tuple[int, ...]
    pending: tuple[int, ...]
    committed: Move | None
    """The seat's own commitment, if it has made one."""
    moves: tuple[Move, ...]
    """The seat's legal moves."""
    winners: tuple[int, ...]
    decision: int
    """Where in the program the game waits."""
    state_before: tuple[int, ...]
    turns: tuple[int, ...]
    """The turns of all repetitions that are under way, the outermost first: everybody counts along."""

    def hand(self) -> Cards:
        """The seat's own hand."""
        return next((view.cards for view in self.zones if view.zone == "hand" and view.owner == self.seat), ())


def observe(state: State, seat: int) -> Observation:
    """The observation of a seat (-1 for a spectator)."""
    program = state.program
    zones = tuple(
        _zone_view(state, seat, zone, owner)
        for zone in range(len(state.zones))
        for owner in range(len(state.zones[zone]))
        if program.zones[zone].id != "tableau"
    )
    tableau = program.zone_index("tableau")
    return Observation(
        program=program,
        seat=seat,
        round=state.round,
        turn=state.turn,
        scores=tuple(state.scores),
        words=tuple(state.words),
        tableaus=tuple(tuple(program.plays[play].name for play in own) for own in state.zones[tableau]),
        zones=zones,
        unseen=_unseen(state, zones),
        markers=tuple(state.markers),
        chips=tuple(_chips(state, seat, owner) for owner in range(program.seats)),
        chips_left=tuple(len(pile) for pile in state.piles),
        pending=state.pending,
        committed=state.chosen.get(seat),
        moves=legal_moves(state, seat),
        winners=state.winners,
        decision=state.pc,
        state_before=tuple(state.before),
        turns=tuple(state.turns),
    )


def _zone_view(state: State, seat: int, zone: int, owner: int) -> ZoneView:
    program = state.program
    model = program.zones[zone]
    shown = owner if model.per == "seat" else -1
    cards = state.zones[zone][owner]
    if model.layout:
        return _layout_view(state, zone)
    is_open = model.seen_by == "everyone" or (model.seen_by == "owner" and owner == seat)
    if is_open:
        faces = _by_face(program, cards)
    elif state.memory is not None and seat >= 0:
        known = state.memory.known[seat][zone][owner]
        faces = tuple((program.faces[card], known[card]) for card in sorted(known))
    else:
        faces = ()
    return ZoneView(model.id, shown, len(cards), faces, is_open)


def _by_face(program: Program, cards: list[int]) -> Cards:
    counted = Counter(program.face_of[card] for card in cards)
    return tuple((program.faces[face], counted[face]) for face in sorted(counted))


def _layout_view(state: State, zone: int) -> ZoneView:
    program = state.program
    cards, down = state.zones[zone][0], state.down[zone]
    takeable = set(open_places_of(program.zones[zone], cards))
    visible = [card for place, card in enumerate(cards) if card >= 0 and place not in down]
    places = tuple(
        (place.id, "" if index in down else program.faces[cards[index]], index in takeable)
        for index, place in enumerate(program.zones[zone].layout)
        if cards[index] >= 0
    )
    name = program.zones[zone].id
    return ZoneView(name, -1, len(places), _by_face(program, visible), open=True, places=places)


def _unseen(state: State, zones: tuple[ZoneView, ...]) -> Cards:
    """The box less everything the seat knows the place of."""
    program = state.program
    left = Counter(program.face_of[card] for card in program.deck)
    for own in state.zones[program.zone_index("tableau")]:
        left.subtract(program.face_of[program.plays[play].card] for play in own)
    index = {face: program.face_of[card] for card, face in enumerate(program.faces)}
    for view in zones:
        left.subtract({index[face]: copies for face, copies in view.cards})
    return tuple((program.faces[face], left[face]) for face in sorted(left) if left[face] > 0)


def _chips(state: State, seat: int, owner: int) -> tuple[tuple[str, int | None], ...]:
    program = state.program
    open_to_all = state.over or owner == seat
    return tuple(
        (program.model.chips[pile].id, program.chip_values[pile][chip] if open_to_all else None)
        for pile, chip in state.chips[owner]
    )


def to_json(seen: Observation) -> dict[str, Any]:
    """The observation as plain data."""
    return {
        "seat": seen.seat,
        "round": seen.round,
        "turn": seen.turn,
        "scores": list(seen.scores),
        "tableaus": [list(own) for own in seen.tableaus],
        "zones": [
            {
                "zone": view.zone,
                "owner": view.owner,
                "size": view.size,
                "open": view.open,
                "cards": dict(view.cards),
                **({"places": [list(place) for place in view.places]} if view.places else {}),
            }
            for view in seen.zones
        ],
        "unseen": dict(seen.unseen),
        "markers": {marker.id: holder for marker, holder in zip(seen.program.markers, seen.markers, strict=True)},
        "chips": [[list(chip) for chip in own] for own in seen.chips],
        "counters": [{field.name: field.read(word) for field in seen.program.fields} for word in seen.words],
        "pending": list(seen.pending),
        "committed": list(seen.committed) if seen.committed is not None else None,
        "moves": [list(move) for move in seen.moves],
        "winners": list(seen.winners),
    }
