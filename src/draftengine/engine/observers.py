"""The observer of a game: it turns actions of the kernel into events and into beliefs of the seats.

The kernel calls the observer whenever something happens, under ``if plan.watched``. In specialised games, no such call
is left. The observer changes nothing in a state except its beliefs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from draftengine.engine.beliefs import DecisionContext, Pick
from draftengine.engine.events import EVERYONE, Event, arithmetic, cards_behind, in_english
from draftengine.engine.program import RankedRule

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from draftengine.engine.choose import Action, Choice
    from draftengine.engine.instructions import CounterField, Deal, Flip, MoveAll
    from draftengine.engine.offer import Move
    from draftengine.engine.program import CompiledAbility, CompiledRule, Program
    from draftengine.engine.state import GameState

Source: TypeAlias = tuple[str, ...]
"""Names of rulebook passages, as the card set states them (see `Event.source`)."""


def viewers_of(program: Program, zone: int, owner: int) -> int:
    """Return the bit mask of the seats that see the cards of an owner in a zone."""
    seen_by = program.zones[zone].seen_by
    if seen_by == "everyone":
        return EVERYONE
    return 1 << owner if seen_by == "owner" else 0


def names_of(program: Program, cards: Sequence[int]) -> tuple[str, ...]:
    """Return the names of the cards' faces, sorted, because the order of a hand tells nothing."""
    faces, face_of = program.faces, program.face_of
    return tuple([faces[face] for face in sorted([face_of[card] for card in cards])])


class Observer:
    """The observer of interpreted games: it sends events to `GameState.tell` and updates beliefs.

    `tell` is ``None`` if nobody listens, and `GameState.memory` is ``None`` if beliefs are not kept.
    """

    # ── the course of the game ──────────────────────────────────────────────────────────────────────────────────────

    def reached(self, state: GameState, what: str, number: int) -> None:
        """Report that a game, a round or a turn begins or ends."""
        if state.tell is not None:
            state.tell(Event(what, amount=number))

    def stopped(self, state: GameState, why: str) -> None:
        """Report that a game ends because it cannot go on."""
        if state.tell is not None:
            state.tell(Event("stopped", name=why))

    def over(self, state: GameState, totals: Sequence[int]) -> None:
        """Report the end of a game: first the values of all chips, then the winners."""
        program = state.program
        if state.tell is None:
            return
        for seat, held in enumerate(state.chips):
            for pile, number in held:
                name = program.model.chips[pile].id
                state.tell(Event("chip", seat, name=name, amount=program.chip_values[pile][number]))
        for seat in state.winners:
            state.tell(Event("game-over", seat, amount=totals[seat]))

    # ── points, markers, chips and counters ─────────────────────────────────────────────────────────────────────────

    def points(self, state: GameState, seat: int, cause: str, amount: int, source: Source) -> None:
        """Report that an effect gave a seat points."""
        if state.tell is not None and amount:
            state.tell(Event("points", seat, name=cause, amount=amount, source=source))

    def scored(self, state: GameState, rule: CompiledRule, given: Sequence[int]) -> None:
        """Report the points or chips that a rule gave each seat, with cards and calculation."""
        if state.tell is None:
            return
        kind = "awarded" if isinstance(rule, RankedRule) and rule.chip >= 0 else "points"
        name, source = rule.model.id, rule.model.source
        for seat, (why, cards) in enumerate(zip(arithmetic(state, rule), cards_behind(state, rule), strict=True)):
            text = in_english(why)
            if given[seat] or text:
                state.tell(Event(kind, seat, cards, name=name, amount=given[seat], text=text, source=source, why=why))

    def marker(self, state: GameState, marker: int, taker: int, source: Source) -> None:
        """Report that a seat is about to get a marker."""
        holder = state.markers[marker]
        if state.tell is not None and taker != holder:
            state.tell(Event("marker", taker, name=state.program.markers[marker].id, other=holder, source=source))

    def chip(self, state: GameState, pile: int, seat: int, cause: str, source: Source) -> None:
        """Report that a seat drew a chip. The chip is now the last one of the seat."""
        if state.tell is not None:
            name = state.program.model.chips[pile].id
            value = state.program.chip_values[pile][state.chips[seat][-1][1]]
            seen_by = 1 << seat
            state.tell(
                Event("chip", seat, seen_by=seen_by, name=name, amount=value, text=cause, source=source, count=1)
            )

    def counter(self, state: GameState, seat: int, field: CounterField, value: int, source: Source) -> None:
        """Report that a counter is about to be set, if that changes its value."""
        if state.tell is not None and ":" not in field.name and value != field.read(state.words[seat]):
            state.tell(Event("counter", seat, name=field.name, amount=value, source=source))

    def rolled(self, state: GameState, seat: int, field: CounterField, value: int, source: Source) -> None:
        """Report that a die was rolled."""
        if state.tell is not None:
            state.tell(Event("rolled", seat, name=field.name, amount=value, source=source))

    # ── cards that move without a choice ────────────────────────────────────────────────────────────────────────────

    def shuffled(self, state: GameState, zone: int) -> None:
        """Report that a zone was shuffled: nobody knows its cards any more."""
        if state.memory is not None:
            state.memory.forget(zone)
        if state.tell is not None:
            state.tell(Event("shuffled", zone=state.program.zones[zone].id))

    def dealt(self, state: GameState, step: Deal, owner: int, count: int) -> None:
        """Report that `count` cards were dealt to an owner. They are now the last cards of its zone."""
        if count <= 0 or (state.tell is None and state.memory is None):
            return
        mask, zone = viewers_of(state.program, step.target, owner), state.program.zones[step.target]
        giver = owner if len(state.zones[step.source]) > 1 else 0
        cards = state.zones[step.target][owner][-count:]
        for card in cards:
            self._moved(state, (step.source, giver), (step.target, owner), card, mask)
        if state.tell is not None:
            seat = owner if zone.per == "seat" else -1
            state.tell(Event("dealt", seat, names_of(state.program, cards), mask, zone=zone.id, count=count))

    def laid_out(self, state: GameState, step: Deal, place: int) -> None:
        """Record in all beliefs that a card was laid at a place of a layout."""
        hidden = state.program.zones[step.target].layout[place].face_down
        self._left(state, (step.source, 0), state.zones[step.target][0][place], 0 if hidden else EVERYONE)

    def dealt_out(self, state: GameState, step: Deal, count: int) -> None:
        """Report that `count` places of a layout got a card."""
        if state.tell is not None and count:
            zone, mask = state.program.zones[step.target].id, viewers_of(state.program, step.target, 0)
            state.tell(Event("dealt", -1, (), mask, zone=zone, count=count))

    def passes(self, state: GameState, zone: int, by: int) -> None:
        """Report that every player is about to give a zone to a neighbour.

        If only owners see the zone, both of these players see the cards.
        """
        program = state.program
        if state.tell is None:
            return
        name, owner_sees = program.zones[zone].id, program.zones[zone].seen_by == "owner"
        for giver in range(program.players):
            cards = state.zones[zone][giver]
            receiver = (giver + by) % program.players
            mask = 1 << giver | 1 << receiver if owner_sees else viewers_of(program, zone, giver)
            if cards:
                names = names_of(program, cards)
                state.tell(Event("passed", receiver, names, mask, zone=name, other=giver, count=len(cards), amount=by))

    def passed(self, state: GameState, zone: int, by: int) -> None:
        """Move beliefs along with a passed zone, then let the new owners look into it."""
        if state.memory is not None:
            state.memory.rotate(zone, range(state.program.players), by)
            self.look_into(state, zone)

    def look_into(self, state: GameState, zone: int) -> None:
        """Let every owner look at its own cards in a zone that only owners see."""
        memory = state.memory
        if memory is None or state.program.zones[zone].seen_by != "owner":
            return
        face = state.program.face_of
        for owner, cards in enumerate(state.zones[zone]):
            known, trail = memory.known_cards[owner][zone][owner], memory.trails[owner][zone][owner]
            if trail or sum(known.values()) != len(cards):  # otherwise the owner knows all cards already
                memory.look(owner, zone, owner, [face[card] for card in cards])

    def moves(self, state: GameState, step: MoveAll, owner: int, receiver: int) -> None:
        """Report that all cards of an owner are about to move to another zone."""
        program, cards = state.program, state.zones[step.source][owner]
        if not cards:
            return
        source, target = program.zones[step.source], program.zones[step.target]
        if state.memory is not None:
            if source.counts:  # cards that add to counters lie open, so beliefs did not include them yet
                for viewer in range(program.seats):
                    state.memory.look(viewer, step.source, owner, [program.face_of_play[card] for card in cards])
            state.memory.move_all(step.source, owner, step.target, receiver)
            if target.counts:
                state.memory.forget(step.target)
        if state.tell is not None:
            mask = EVERYONE if source.counts else viewers_of(program, step.target, receiver)
            if target.per == "table" and mask == 0:
                mask = viewers_of(program, step.source, owner)
            names = (
                tuple(program.plays[play].name for play in sorted(cards)) if source.counts else names_of(program, cards)
            )
            seat = owner if source.per == "seat" else -1
            state.tell(Event("moved", seat, names, mask, zone=target.id, count=len(cards)))

    def turned(self, state: GameState, step: Flip, owner: int, turned: int) -> None:
        """Report to all seats the new sides of the cards and dice whose positions are set bits of `turned`."""
        cards, zone = state.zones[step.zone][owner], state.program.zones[step.zone]
        if not turned:
            return
        if state.memory is not None:
            for viewer in range(state.program.seats):
                state.memory.look(viewer, step.zone, owner, cards)
        if state.tell is not None:
            names = names_of(state.program, [card for spot, card in enumerate(cards) if turned >> spot & 1])
            seat = owner if zone.per == "seat" else -1
            kind = "thrown" if step.rolled else "turned"
            state.tell(Event(kind, seat, names, zone=zone.id, count=len(names)))

    def gathered(self, state: GameState, zone: int) -> None:
        """Report that every card was brought back. Cards that begin in the deck went to `zone`."""
        if state.memory is not None:
            for other in range(len(state.zones)):
                state.memory.forget(other)
        if state.tell is not None:
            state.tell(Event("moved", zone=state.program.zones[zone].id, count=len(state.zones[zone][0])))

    def cleared(self, state: GameState, zone: int) -> None:
        """Report that a zone whose cards add to counters is about to be cleared, except for kept plays."""
        program = state.program
        if state.tell is None:
            return
        for seat, tableau in enumerate(state.zones[zone]):
            stay = tuple([program.plays[play].name for play in tableau if play in program.kept_plays])
            if tableau:
                state.tell(Event("cleared", seat, stay, count=len(tableau) - len(stay)))

    def discarded(self, state: GameState, seat: int, play: int, source: Source) -> None:
        """Report that a card was moved from a tableau to the discard."""
        if state.tell is not None:
            state.tell(Event("discarded", seat, (state.program.plays[play].name,), source=source))

    # ── choices ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def chosen(self, state: GameState, step: Choice, moves: Mapping[int, Move]) -> None:
        """Record in all beliefs the choices that seats made together, before their cards are laid down."""
        if state.memory is None or not step.can_be_followed or len(state.zones[step.source]) == 1:
            return
        face_of, hands = state.program.face_of, state.zones[step.source]
        words, scores, markers = tuple(state.words), tuple(state.scores), tuple(state.markers)
        moment = DecisionContext(state.pc, state.round, state.turns, words, scores, markers)
        picks = [
            Pick(seat, tuple(sorted([face_of[card] for card in hands[seat]])), moves[seat]) for seat in sorted(moves)
        ]
        state.memory.watch(step.source, moment, picks, all_see=state.program.zones[step.source].seen_by == "everyone")

    def laid(self, state: GameState, step: Choice, seat: int, receiver: int, card: int) -> None:
        """Record in all beliefs that a card taken by `seat` was laid down for `receiver`."""
        if state.memory is None:
            return
        source = (step.source, seat if len(state.zones[step.source]) > 1 else 0)
        if step.plays or step.public:
            if not step.layout:
                self._left(state, source, card, EVERYONE)
            return
        owner = 0 if state.program.zones[step.target].per == "table" else receiver
        mask = EVERYONE if step.from_the_open(state.program) else viewers_of(state.program, step.target, owner)
        if step.layout:
            self._came(state, (step.target, owner), card, mask)
        else:
            self._moved(state, source, (step.target, owner), card, mask)

    def modified(self, state: GameState, seat: int, play: int) -> None:
        """Report the open modifiers that a play is about to use."""
        what = state.program.plays[play]
        if state.tell is None or not what.modifiers:
            return
        used = what.modifiers_used(state.words[seat])
        for index, bits in enumerate(what.modifiers):
            if used >> index & 1:
                modifier = state.program.modifier_of[bits]
                state.tell(Event("modified", seat, (what.name,), name=modifier.id, source=modifier.source))

    def revealed(self, state: GameState, step: Choice, seat: int, laid_down: Mapping[int, Sequence[int]]) -> None:
        """Report what a seat laid down, by the seat that gets it: plays or, if cards are not played, cards."""
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

    def flipped(self, state: GameState, zone: int, place: int) -> None:
        """Report that a card of a layout turned face up."""
        card = state.zones[zone][0][place]
        if state.tell is not None and card >= 0:
            spec = state.program.zones[zone]
            names = names_of(state.program, (card,))
            state.tell(Event("flipped", cards=names, zone=spec.id, name=spec.layout[place].id))

    def way(self, state: GameState, seat: int, taken: Action) -> None:
        """Report the action that a seat takes, if it has a name."""
        if state.tell is not None and taken.name:
            state.tell(Event("way", seat, name=taken.name, source=taken.source))

    def ability_used(self, state: GameState, step: Choice, seat: int, use: CompiledAbility) -> None:
        """Report that an ability was used and its card moved to its zone.

        If that zone is the hand from which the seat took cards, everybody sees the card go there.
        """
        if use.model.returns_to == "hand":
            self._came(state, (step.source, seat), use.card, EVERYONE)
        if state.tell is not None:
            name, zone = state.program.cards[use.card], use.model.returns_to
            state.tell(Event("ability-used", seat, (name,), name=use.model.id, zone=zone, source=use.model.source))

    def asked(self, state: GameState, step: Choice, seat: int, given: int, giver: int) -> None:
        """Report that a seat asked for a card, before `giver` (-1: nobody) exchanges that card for `given`."""
        program, way = state.program, step.actions[state.way[seat]]
        if state.tell is not None:
            name, what = program.plays[given].name, program.plays[way.ask].name
            zone = program.zones[step.source].id
            state.tell(Event("asked", seat, (what,), EVERYONE, zone, giver, name, source=way.source))
            if giver < 0:
                state.tell(Event("discarded", seat, (name,), source=way.source))
        if giver >= 0:
            self._left(state, (step.source, giver), way.ask, EVERYONE)
            self._came(state, (step.source, giver), program.card_of[given], EVERYONE)

    # ── beliefs ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _moved(self, state: GameState, source: tuple[int, int], target: tuple[int, int], card: int, mask: int) -> None:
        """Record in all beliefs that a card moved between (zone, owner) pairs, seen by the seats in `mask`."""
        self._left(state, source, card, mask)
        self._came(state, target, card, mask)

    def _left(self, state: GameState, source: tuple[int, int], card: int, mask: int) -> None:
        """Record in all beliefs that a card or play left a (zone, owner). The seats in `mask` saw which."""
        if state.memory is not None:
            state.memory.leave(*source, state.program.face_of_play[card], mask)

    def _came(self, state: GameState, target: tuple[int, int], card: int, mask: int) -> None:
        """Record in all beliefs that a card or play came to a (zone, owner). The seats in `mask` saw which."""
        if state.memory is not None:
            state.memory.arrive(*target, state.program.face_of_play[card], mask)
