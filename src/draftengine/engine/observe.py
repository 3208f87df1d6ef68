"""Observations: everything that one seat may know, and nothing else.

An observation starts empty, so a thing stays hidden unless this module makes it visible.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

from msgspec import Struct

from draftengine.engine.beliefs import UnknownPick
from draftengine.engine.moves import legal_moves

if TYPE_CHECKING:
    from draftengine.engine.beliefs import DecisionContext, HandHistory, Known, ObservedPicks
    from draftengine.engine.choose import Choice
    from draftengine.engine.moves import Move, Moves
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState

Cards = tuple[tuple[str, int], ...]
"""Pairs of a name and a number of copies, in the order of the card set."""


class ZoneView(Struct, frozen=True):
    """A zone of one owner, as a seat sees it."""

    zone: str
    owner: int
    """The seat that the zone belongs to; -1 = shared."""
    size: int
    cards: Cards
    """Cards that the seat knows to be in the zone: all if it sees the zone, otherwise those it remembers."""
    open: bool
    """True if the seat sees the cards in the zone."""
    places: tuple[tuple[str, str, bool], ...] = ()
    """For a layout: (place, face or "" if face down, true if it can be taken). Empty places are left out."""
    order: tuple[str, ...] = ()
    """The faces of all cards, the top card last, if the seat sees them and their order matters."""

    @property
    def lying(self) -> Cards:
        """The known cards as they lie, top card last, if their order matters: a name may occur several times."""
        return tuple((name, len([*run])) for name, run in groupby(self.order)) if self.order else self.cards


class Observation(Struct, frozen=True):
    """Everything a seat may know at a moment, and nothing else. Seat -1 is a spectator."""

    program: Program
    seat: int
    round: int
    turn: int
    scores: tuple[int, ...]
    words: tuple[int, ...]
    """The packed words of all seats, which hold their counters. They follow from open cards."""
    tableaus: tuple[tuple[str, ...], ...]
    zones: tuple[ZoneView, ...]
    unseen: Cards
    """The cards of the box whose zone or place the seat does not know, such as those in decks."""
    markers: tuple[int, ...]
    chips: tuple[tuple[tuple[str, int | None], ...], ...]
    """Chips by seat as (pile, value). Values of other seats' chips are ``None`` until the game is over."""
    chips_left: tuple[int, ...]
    pending: tuple[int, ...]
    committed: Move | None
    """The seat's own commitment, if it has made one."""
    moves: Moves
    """The legal moves of the seat."""
    winners: tuple[int, ...]
    decision: int
    """The index in the program of the step at which the game waits."""
    state_before: tuple[int, ...]
    turns: tuple[int, ...]
    """The turns of all repeats under way, outermost first. All seats know them."""
    watched: tuple[ObservedPicks, ...]
    """Choices of others from hands that the seat knows by now, in the order in which it learned the hands."""
    trails: tuple[tuple[int, int, HandHistory], ...]
    """Histories of hands that the seat does not know yet, as (zone, owner, history)."""

    def hand(self) -> Cards:
        """Return the seat's own hand."""
        return next((view.cards for view in self.zones if view.zone == "hand" and view.owner == self.seat), ())


class OpenCards(Struct, frozen=True):
    """The tableaus of all seats, and the numbers of all other cards. Several observations share them."""

    tableaus: tuple[tuple[str, ...], ...]
    left: tuple[int, ...]
    """For each face, the number of cards outside the tableaus."""


def open_cards(state: GameState) -> OpenCards:
    """Return the tableaus of all seats and the number of cards elsewhere."""
    program = state.program
    names, tableaus, left = program.play_names, state.zones[program.tableau], list(program.copies)
    if program.has_sides:  # what each thing shows has changed before the eyes of all
        lying = Counter(
            program.face_of_play[card]
            for zone, owners in enumerate(state.zones)
            if zone != program.tableau
            for cards in owners
            for card in cards
            if card >= 0
        )
        left = [lying[face] for face in range(len(left))]
    else:
        for tableau in tableaus:
            for play in tableau:
                left[program.face_of_play[play]] -= 1
    return OpenCards(tuple([tuple([names[play] for play in tableau]) for tableau in tableaus]), tuple(left))


def observe(state: GameState, seat: int, lying: OpenCards | None = None) -> Observation:
    """Return the observation of a seat (-1 for a spectator).

    To save time, pass `open_cards` of the state as `lying` if several seats observe the same state.
    """
    program, lying = state.program, lying or open_cards(state)
    left, views = list(lying.left), []  # the cards of the box whose place the seat does not know, and all views
    for zone, owners in enumerate(state.zones):
        for owner in range(len(owners)) if zone != program.tableau else ():
            seen, known = _known_faces(state, seat, zone, owner)
            for face in known:
                left[face] -= known[face]
            views.append(_zone_view(state, (zone, owner), known, seen=seen))
    memory = state.memory if seat >= 0 else None
    piles, values = program.model.chips, program.chip_values
    chips: list[tuple[tuple[str, int | None], ...]] = []
    for owner, held in enumerate(state.chips):
        open_ = state.over or owner == seat
        chips.append(tuple([(piles[pile].id, values[pile][chip] if open_ else None) for pile, chip in held]))
    return Observation(
        program=program,
        seat=seat,
        round=state.round,
        turn=state.turn,
        scores=tuple(state.scores),
        words=tuple(state.words),
        tableaus=lying.tableaus,
        zones=tuple(views),
        unseen=tuple([(program.faces[face], copies) for face, copies in enumerate(left) if copies > 0]),
        markers=tuple(state.markers),
        chips=tuple(chips),
        chips_left=tuple(map(len, state.piles)),
        pending=state.pending,
        committed=state.chosen.get(seat),
        moves=legal_moves(state, seat),
        winners=state.winners,
        decision=state.pc,
        state_before=tuple(state.words_before_choice),
        turns=state.turns,
        watched=tuple(memory.watched[seat]) if memory else (),
        trails=tuple(
            [
                (zone, owner, trail)
                for zone, owners in enumerate(memory.trails[seat] if memory else ())
                for owner, trail in enumerate(owners)
                if trail
            ]
        ),
    )


def _known_faces(state: GameState, seat: int, zone: int, owner: int) -> tuple[bool, Known]:
    """Return whether the seat sees the zone, and how many cards with each face it knows to be in the zone."""
    cards, seen_by = state.zones[zone][owner], state.program.zones[zone].seen_by
    if state.program.zones[zone].layout:
        down = state.down[zone]
        lying = [card for place, card in enumerate(cards) if card >= 0 and place not in down]
        return True, _counted(state.program, lying)
    if seen_by == "everyone" or (seen_by == "owner" and owner == seat):
        return True, _counted(state.program, cards) if cards else {}
    return False, state.memory.known_cards[seat][zone][owner] if state.memory is not None and seat >= 0 else {}


def _counted(program: Program, cards: list[int]) -> Known:
    counted: Known = {}
    for card in cards:
        face = program.face_of_play[card]
        counted[face] = counted.get(face, 0) + 1
    return counted


def _zone_view(state: GameState, place: tuple[int, int], known: Known, *, seen: bool) -> ZoneView:
    zone, owner = place
    faces, model = state.program.faces, state.program.zones[zone]
    cards = tuple([(faces[face], known[face]) for face in sorted(known)]) if known else ()
    if model.counts:
        counts = Counter(state.zones[zone][owner])
        cards = tuple([(state.program.plays[play].name, counts[play]) for play in sorted(counts)])
    if model.layout:
        lying, down = state.zones[zone][0], state.down[zone]
        takeable = state.program.open_places(zone, lying)
        places = tuple(
            [
                (place.id, "" if index in down else faces[lying[index]], index in takeable)
                for index, place in enumerate(model.layout)
                if lying[index] >= 0
            ]
        )
        return ZoneView(model.id, -1, len(places), cards, seen, places)
    lying, program = state.zones[zone][owner], state.program
    order = [faces[program.face_of_play[card]] for card in lying] if seen and zone in program.ordered_zones else ()
    return ZoneView(model.id, owner if model.per == "seat" else -1, len(lying), cards, seen, order=tuple(order))


def to_json(seen: Observation) -> dict[str, Any]:
    """Return the observation as plain data.

    If there are too many moves to list, the data has their number and the possible first codes.
    """
    moves = seen.moves
    return {
        "seat": seen.seat,
        "round": seen.round,
        "turn": seen.turn,
        "scores": list(seen.scores),
        "tableaus": [list(tableau) for tableau in seen.tableaus],
        "zones": [
            {
                "zone": view.zone,
                "owner": view.owner,
                "size": view.size,
                "open": view.open,
                "cards": dict(view.cards),
                **({"places": [list(place) for place in view.places]} if view.places else {}),
                **({"order": list(view.order)} if view.order else {}),
            }
            for view in seen.zones
        ],
        "unseen": dict(seen.unseen),
        "markers": {marker.id: holder for marker, holder in zip(seen.program.markers, seen.markers, strict=True)},
        "chips": [[list(chip) for chip in held] for held in seen.chips],
        "watched": [
            {
                **_choice_to_json(seen.program, moment, pick.seat, pick.move),
                "hand": [seen.program.faces[face] for face in pick.hand],
            }
            for moment, picks in seen.watched
            for pick in picks
        ],
        "trails": [
            {
                "zone": seen.program.zones[zone].id,
                "owner": owner if seen.program.zones[zone].per == "seat" else -1,
                "steps": [
                    _choice_to_json(seen.program, step.moment, step.seat, step.move)
                    if isinstance(step, UnknownPick)
                    else {"left" if step[1] > 0 else "came": seen.program.faces[step[0]]}
                    for step in trail
                ],
            }
            for zone, owner, trail in seen.trails
        ],
        "counters": [{field.name: field.read(word) for field in seen.program.fields} for word in seen.words],
        "pending": list(seen.pending),
        "committed": list(seen.committed) if seen.committed is not None else None,
        "moves": [list(move) for move in moves]
        if moves.few
        else {"total": moves.total, "first": list(moves.next().codes)},
        "winners": list(seen.winners),
    }


def _choice_to_json(program: Program, moment: DecisionContext, seat: int, move: Move) -> dict[str, Any]:
    choice = cast("Choice", program.code[moment.decision])
    return {
        "round": moment.round,
        "turn": moment.turns[-1] if moment.turns else 0,
        "seat": seat,
        "move": choice.describe(program, move),
    }
