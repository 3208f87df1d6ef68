"""Visibility of moving cards: updates of the seats' beliefs, and events with the seats that see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from draftengine.engine.events import EVERYONE, Event

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from draftengine.engine.cards import Deal, MoveAll
    from draftengine.engine.choose import Choice
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState


def viewers_of(program: Program, zone: int, owner: int) -> int:
    """Return the bit mask of the seats that see a zone of an owner."""
    seen_by = program.zones[zone].seen_by
    if seen_by == "everyone":
        return EVERYONE
    return 1 << owner if seen_by == "owner" else 0


def names_of(program: Program, cards: Sequence[int]) -> tuple[str, ...]:
    """Return the names of the cards' faces, sorted, as the order in a hand tells nothing."""
    faces, face_of = program.faces, program.face_of
    return tuple([faces[face] for face in sorted([face_of[card] for card in cards])])


def play_names_in(program: Program, zone: int, cards: Sequence[int]) -> tuple[str, ...]:
    """Return the sorted names of the cards of a zone; zones that count hold plays."""
    if program.zones[zone].counts:
        return tuple(program.plays[play].name for play in sorted(cards))
    return names_of(program, cards)


def remember_move(state: GameState, source: tuple[int, int], target: tuple[int, int], card: int, mask: int) -> None:
    """Record in all beliefs that a card went from one (zone, owner) to another, seen by `mask`."""
    remember_leaving(state, source, card, mask)
    remember_coming(state, target, card, mask)


def remember_leaving(state: GameState, source: tuple[int, int], card: int, mask: int) -> None:
    """Record in all beliefs that a card or play left a (zone, owner); the seats in `mask` saw which."""
    if state.memory is not None:
        state.memory.leave(*source, state.program.face_of_play[card], mask)


def remember_coming(state: GameState, target: tuple[int, int], card: int, mask: int) -> None:
    """Record in all beliefs that a card came to a (zone, owner); the seats in `mask` saw which."""
    if state.memory is not None:
        state.memory.arrive(*target, state.program.face_of_play[card], mask)


def look_into_own_zones(state: GameState, zone: int) -> None:
    """Let every owner see its own cards in a zone that only owners see."""
    if state.memory is None or state.program.zones[zone].seen_by != "owner":
        return
    face, memory = state.program.face_of, state.memory
    for owner, cards in enumerate(state.zones[zone]):
        known, trail = memory.known_cards[owner][zone][owner], memory.trails[owner][zone][owner]
        if trail or sum(known.values()) != len(cards):  # else the owner knows all of it already
            memory.look(owner, zone, owner, [face[card] for card in cards])


def shuffled(state: GameState, zone: int) -> None:
    """Report that a zone was shuffled: nobody knows its cards any more."""
    if state.memory is not None:
        state.memory.forget(zone)
    if state.tell is not None:
        state.tell(Event("shuffled", zone=state.program.zones[zone].id))


def dealt(state: GameState, step: Deal, owner: int, count: int) -> None:
    """Report that `count` cards were dealt to an owner: the last ones of its zone."""
    if count <= 0 or (state.tell is None and state.memory is None):
        return
    mask, zone = viewers_of(state.program, step.target, owner), state.program.zones[step.target]
    giver = owner if len(state.zones[step.source]) > 1 else 0
    cards = state.zones[step.target][owner][-count:]
    for card in cards:
        remember_move(state, (step.source, giver), (step.target, owner), card, mask)
    if state.tell is not None:
        seat = owner if zone.per == "seat" else -1
        state.tell(Event("dealt", seat, names_of(state.program, cards), mask, zone=zone.id, count=count))


def laid_out(state: GameState, step: Deal, place: int) -> None:
    """Record in all beliefs that a card was laid at a place of a layout."""
    hidden = state.program.zones[step.target].layout[place].face_down
    remember_leaving(state, (step.source, 0), state.zones[step.target][0][place], 0 if hidden else EVERYONE)


def dealt_out(state: GameState, step: Deal, count: int) -> None:
    """Report that `count` places of a layout got a card."""
    if state.tell is not None and count:
        zone = state.program.zones[step.target]
        state.tell(Event("dealt", -1, (), viewers_of(state.program, step.target, 0), zone=zone.id, count=count))


def passes(state: GameState, zone: int, by: int) -> None:
    """Report that every player is about to give a zone to a neighbour; both see its cards."""
    if state.tell is None:
        return
    program = state.program
    owner_sees = program.zones[zone].seen_by == "owner"
    for giver in range(program.players):
        cards = state.zones[zone][giver]
        receiver = (giver + by) % program.players
        mask = 1 << giver | 1 << receiver if owner_sees else viewers_of(program, zone, giver)
        if cards:
            names, name = names_of(program, cards), program.zones[zone].id
            state.tell(Event("passed", receiver, names, mask, zone=name, other=giver, count=len(cards), amount=by))


def passed(state: GameState, zone: int, by: int) -> None:
    """Move beliefs along with a passed zone; then the new owners look into it."""
    if state.memory is not None:
        state.memory.rotate(zone, range(state.program.players), by)
        look_into_own_zones(state, zone)


def moves(state: GameState, step: MoveAll, owner: int, receiver: int) -> None:
    """Report that all cards of an owner are about to move to another zone."""
    program, cards = state.program, state.zones[step.source][owner]
    if not cards:
        return
    if state.memory is not None:
        if program.zones[step.source].counts:  # zones that count lie open, so beliefs did not hold their cards yet
            for viewer in range(program.seats):
                state.memory.look(viewer, step.source, owner, [program.face_of_play[card] for card in cards])
        state.memory.move_all(step.source, owner, step.target, receiver)
        if program.zones[step.target].counts:
            state.memory.forget(step.target)
    if state.tell is not None:
        mask = EVERYONE if program.zones[step.source].counts else viewers_of(program, step.target, receiver)
        if program.zones[step.target].per == "table" and mask == 0:
            mask = viewers_of(program, step.source, owner)
        seat = owner if program.zones[step.source].per == "seat" else -1
        zone = program.zones[step.target].id
        names = play_names_in(program, step.source, cards)
        state.tell(Event("moved", seat, names, mask, zone=zone, count=len(cards)))


def gathered(state: GameState, zone: int) -> None:
    """Report that every card was brought back into one zone."""
    if state.memory is not None:
        for other in range(len(state.zones)):
            state.memory.forget(other)
    if state.tell is not None:
        state.tell(Event("moved", zone=state.program.zones[zone].id, count=len(state.zones[zone][0])))


def asked(state: GameState, step: Choice, seat: int, given: int, giver: int) -> None:
    """Report that a seat asked for a card, before seat `giver` (-1: none) exchanges it for `given`."""
    program, way = state.program, step.actions[state.way[seat]]
    name, what = program.plays[given].name, program.plays[way.ask].name
    if state.tell is not None:
        zone = program.zones[step.source].id
        state.tell(Event("asked", seat, (what,), EVERYONE, zone, giver, name, source=way.source))
        if giver < 0:
            state.tell(Event("discarded", seat, (name,), source=way.source))
    if giver >= 0:
        remember_leaving(state, (step.source, giver), way.ask, EVERYONE)
        remember_coming(state, (step.source, giver), program.card_of[given], EVERYONE)


def laid(state: GameState, step: Choice, seat: int, receiver: int, card: int) -> None:
    """Record in all beliefs that a card which a seat took was laid down for its receiver."""
    source, open_to_all = (step.source, step.owner(state, seat)), step.from_the_open(state.program)
    if step.plays or step.public:
        if not step.layout:
            remember_leaving(state, source, card, EVERYONE)
        return
    owner = 0 if state.program.zones[step.target].per == "table" else receiver
    mask = EVERYONE if open_to_all else viewers_of(state.program, step.target, owner)
    if step.layout:
        remember_coming(state, (step.target, owner), card, mask)
    else:
        remember_move(state, source, (step.target, owner), card, mask)


def revealed(state: GameState, step: Choice, seat: int, laid_down: Mapping[int, Sequence[int]]) -> None:
    """Report what a seat laid down: plays or, where they are not played, cards, by receiver."""
    if state.tell is None:
        return
    program, zone = state.program, state.program.zones[step.target].id
    for receiver, cards in laid_down.items():
        visible = step.public or step.from_the_open(program)
        mask = EVERYONE if visible else viewers_of(program, step.target, receiver) | (1 << seat)
        kind, other = "revealed" if step.plays else "placed", seat if receiver != seat else -1
        as_plays = step.plays or step.as_they_lie
        names = tuple([program.plays[card].name if as_plays else program.faces[card] for card in cards])
        state.tell(Event(kind, receiver, names, mask, zone, other, count=len(cards), source=step.source_ids))


def flipped(state: GameState, zone: int, place: int) -> None:
    """Report that a card of a layout turned face up."""
    card = state.zones[zone][0][place]
    if state.tell is not None and card >= 0:
        spec = state.program.zones[zone]
        names = names_of(state.program, (card,))
        state.tell(Event("flipped", cards=names, zone=spec.id, name=spec.layout[place].id))
