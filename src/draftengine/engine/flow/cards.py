"""Instructions that move cards without anybody choosing: shuffle, deal, draw, pass, move, clear, gather."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.events import EVERYONE, Event
from draftengine.engine.flow.instruction import players_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.flow.instruction import Tell
    from draftengine.engine.memory import Memory
    from draftengine.engine.program import Program, Value
    from draftengine.engine.state import State


def sight(program: Program, zone: int, owner: int) -> int:
    """Bit mask of the seats that may look into a zone of an owner."""
    seen_by = program.zones[zone].seen_by
    if seen_by == "everyone":
        return EVERYONE
    return 1 << owner if seen_by == "owner" else 0


def eyes(program: Program, mask: int) -> list[bool]:
    """Whether a mask of seats holds each seat."""
    return [bool(mask >> seat & 1) for seat in range(program.seats)]


def names_of(program: Program, cards: Sequence[int]) -> tuple[str, ...]:
    """What cards look like, as names, in a canonical order (the order in a hand tells nothing)."""
    return tuple(program.faces[face] for face in sorted(program.face_of[card] for card in cards))


def remember_move(state: State, source: tuple[int, int], target: tuple[int, int], card: int, mask: int) -> None:
    """Tell everybody's memory that a card went from one (zone, owner) to another, seen by `mask`."""
    remember_leaving(state, source, card, mask)
    remember_coming(state, target, card, mask)


def remember_leaving(state: State, source: tuple[int, int], card: int, mask: int) -> None:
    """Tell everybody's memory that a card is gone from a (zone, owner); `mask` saw which."""
    if state.memory is not None:
        state.memory.leave(*source, state.program.face_of[card], eyes(state.program, mask))


def remember_coming(state: State, target: tuple[int, int], card: int, mask: int) -> None:
    """Tell everybody's memory that a card came to a (zone, owner); `mask` saw which."""
    if state.memory is not None:
        state.memory.arrive(*target, state.program.face_of[card], eyes(state.program, mask))


def see_own(state: State, zone: int) -> None:
    """Owners look into a zone that is theirs to look into."""
    if state.memory is None or state.program.zones[zone].seen_by != "owner":
        return
    face = state.program.face_of
    for owner, cards in enumerate(state.zones[zone]):
        state.memory.look(owner, zone, owner, [face[card] for card in cards])


def rotate(owners: list[list[int]], players: int, step: int) -> None:
    """What the players have travels one seat on: to the left (1) or to the right (-1)."""
    if step == 1:
        owners.insert(0, owners.pop(players - 1))
    else:
        owners.insert(players - 1, owners.pop(0))


class Shuffle(Struct, frozen=True):
    zone: int
    following: int

    def run(self, state: State, tell: Tell) -> int:
        for cards in state.zones[self.zone]:
            state.deal.shuffle(cards)
        if state.memory is not None:
            state.memory.forget(self.zone)
        if tell is not None:
            tell(Event("shuffled", zone=state.program.zones[self.zone].id))
        return self.following


class Deal(Struct, frozen=True):
    """Cards from the top of a zone to each owner of another: from a shared zone, or from the owner's own.

    `exact` deals never run short (checked at load).
    """

    source: int
    target: int
    cards: Value
    marker: int
    """Only to the holder of this marker; -1 = to everyone."""
    exact: bool
    following: int
    who: Value | None = None
    """Only to players for which this holds; ``None`` = to everyone, or the holder."""

    def owners(self, state: State) -> Sequence[int]:
        if state.program.zones[self.target].per == "table":
            return (0,)
        return players_of(state, self.marker, self.who)

    def run(self, state: State, tell: Tell) -> int:
        sources, target = state.zones[self.source], state.zones[self.target]
        count = self.cards(state, 0)
        layout = state.program.zones[self.target].layout
        for owner in self.owners(state):
            source = sources[owner if len(sources) > 1 else 0]
            empty = [place for place, card in enumerate(target[0]) if card < 0][: max(count, 0)] if layout else []
            if layout:
                count = len(empty)
            dealt = source[-count:] if count > 0 else []
            if dealt:
                del source[-count:]
            dealt.reverse()
            if layout:
                self._lay_out(state, empty, dealt)
            else:
                target[owner] += dealt
            if tell is not None or state.memory is not None:
                self._report(state, owner, empty, dealt, tell)
        return self.following

    def _lay_out(self, state: State, empty: list[int], dealt: list[int]) -> None:
        """One card to each empty place, in their order, as far as there are cards."""
        places = state.program.zones[self.target].layout
        down = set(state.down[self.target])
        for place, card in zip(empty, dealt, strict=False):
            state.zones[self.target][0][place] = card
            if places[place].face_down:
                down.add(place)
        state.down[self.target] = sorted(down)

    def _report(self, state: State, owner: int, empty: list[int], dealt: list[int], tell: Tell) -> None:
        mask = sight(state.program, self.target, owner)
        zone = state.program.zones[self.target]
        laid_out = bool(zone.layout)
        giver = owner if len(state.zones[self.source]) > 1 else 0
        for number, card in enumerate(dealt):
            if laid_out:
                hidden = zone.layout[empty[number]].face_down
                remember_leaving(state, (self.source, giver), card, 0 if hidden else EVERYONE)
            else:
                remember_move(state, (self.source, giver), (self.target, owner), card, mask)
        if tell is not None and dealt:
            seat = owner if zone.per == "seat" else -1
            cards = () if laid_out else names_of(state.program, dealt)
            tell(Event("dealt", seat, cards, mask, zone=zone.id, count=len(dealt)))


class Pass(Struct, frozen=True):
    """Every player gives a zone to a neighbour at once; the direction goes by round."""

    zone: int
    steps: tuple[int, ...]
    """1 = to the left, -1 = to the right, by round, repeated."""
    following: int

    def run(self, state: State, tell: Tell) -> int:
        zone = state.zones[self.zone]
        players = state.program.players
        step = self.steps[(state.round - 1) % len(self.steps)]
        if tell is not None:
            self._report(state, step, tell)
        rotate(zone, players, step)
        if state.memory is not None:
            state.memory.rotate(self.zone, range(players), step)
            see_own(state, self.zone)
        return self.following

    def _report(self, state: State, step: int, tell: Tell) -> None:
        program = state.program
        owner_sees = program.zones[self.zone].seen_by == "owner"
        for giver in range(program.players):
            cards = state.zones[self.zone][giver]
            receiver = (giver + step) % program.players
            mask = 1 << giver | 1 << receiver if owner_sees else sight(program, self.zone, giver)
            if tell is not None and cards:
                names = names_of(program, cards)
                zone = program.zones[self.zone].id
                tell(Event("passed", receiver, names, mask, zone=zone, other=giver, count=len(cards), amount=step))


class MoveAll(Struct, frozen=True):
    """All cards of a zone go to another zone of the same owner, or to a shared one."""

    source: int
    target: int
    following: int
    who: Value | None = None
    """Only cards of players for which this holds; ``None`` = of every owner."""

    def run(self, state: State, tell: Tell) -> int:
        shared = state.program.zones[self.target].per == "table"
        alone = self.who is not None and len(state.zones[self.source]) > 1
        who = players_of(state, -1, self.who) if alone else range(len(state.zones[self.source]))
        for owner in who:
            if state.zones[self.source][owner]:
                self._move(state, owner, 0 if shared else owner, tell)
        return self.following

    def _move(self, state: State, owner: int, receiver: int, tell: Tell) -> None:
        cards = state.zones[self.source][owner]
        state.zones[self.target][receiver] += cards
        state.zones[self.source][owner] = []
        if state.program.wander:
            state.words[owner] += sum(state.program.rise_between(self.source, self.target, card) for card in cards)
        if state.memory is not None:
            self._remember(state, state.memory, owner, receiver, cards)
        if tell is not None:
            program = state.program
            mask = EVERYONE if program.zones[self.source].counts else sight(program, self.target, receiver)
            if program.zones[self.target].per == "table" and mask == 0:
                mask = sight(program, self.source, owner)
            names = names_of(program, cards)
            seat = owner if program.zones[self.source].per == "seat" else -1
            tell(Event("moved", seat, names, mask, zone=program.zones[self.target].id, count=len(cards)))

    def _remember(self, state: State, memory: Memory, owner: int, receiver: int, cards: list[int]) -> None:
        """What counts lies open, so it need not be remembered until it goes elsewhere."""
        program = state.program
        if program.zones[self.source].counts:
            for viewer in range(program.seats):
                memory.look(viewer, self.source, owner, [program.face_of[card] for card in cards])
        memory.move_all(self.source, owner, self.target, receiver)
        if program.zones[self.target].counts:
            memory.forget(self.target)


class Clear(Struct, frozen=True):
    """Discard what lies in a zone that counts, except cards that are kept; their counters go with them."""

    zone: int
    discard: int
    following: int

    def run(self, state: State, tell: Tell) -> int:
        program = state.program
        stays, card_of = program.stays, program.card_of
        discard = state.zones[self.discard][0]
        for seat, tableau in enumerate(state.zones[self.zone]):
            stay = [play for play in tableau if play in stays]
            gone = [play for play in tableau if play not in stays]
            if program.wander and self.zone != program.tableau:
                state.words[seat] -= sum(program.added[self.zone][card] for card in gone)
            if tell is not None and tableau:
                names = tuple(program.plays[play].name for play in stay)
                tell(Event("cleared", seat, names, count=len(gone)))
            discard += [card_of[play] for play in gone]
            tableau[:] = stay
        if self.zone == program.tableau:
            self._reset(state)
        return self.following

    def _reset(self, state: State) -> None:
        """The counters that go with the tableaus are at their start again, but for what lies elsewhere and counts."""
        program = state.program
        keep, start = program.keep_bits, program.keep_word
        state.words = [(word & keep) + start for word in state.words]
        if program.mixed:
            for seat, tableau in enumerate(state.zones[self.zone]):
                state.words[seat] += sum(program.plays[play].mixed for play in tableau)
        for zone, added in enumerate(program.added_again):
            if zone != self.zone:
                for seat, cards in enumerate(state.zones[zone]):
                    state.words[seat] += sum(added[card] for card in cards)


class Gather(Struct, frozen=True):
    """Bring every card of the box back into one zone; tableaus and their counters are emptied but for what is kept."""

    target: int
    counting: tuple[int, ...]
    """The zones whose cards count."""
    following: int

    def run(self, state: State, tell: Tell) -> int:
        program = state.program
        kept = self._empty_tableaus(state)
        for zone in range(len(state.zones)):
            if zone not in self.counting:
                self._empty(state, zone)
        cards = list(program.deck)
        for card in kept:
            cards.remove(card)
        state.zones[self.target][0] = cards
        if state.memory is not None:
            for zone in range(len(state.zones)):
                state.memory.forget(zone)
        if tell is not None:
            tell(Event("moved", zone=program.zones[self.target].id, count=len(cards)))
        return self.following

    def _empty_tableaus(self, state: State) -> list[int]:
        for zone in self.counting:
            Clear(zone, self.target, self.following).run(state, None)
        plays = state.program.plays
        return [plays[play].card for zone in self.counting for own in state.zones[zone] for play in own]

    @staticmethod
    def _empty(state: State, zone: int) -> None:
        layout = state.program.zones[zone].layout
        for owner in range(len(state.zones[zone])):
            state.zones[zone][owner] = [-1] * len(layout)
        state.down[zone] = []
