"""The choice: seats take cards at once and in secret, and what they took is then laid down together.

Also the later offer of an ability that is used once the cards of everybody are known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from draftengine.engine.events import EVERYONE, Event
from draftengine.engine.flow.instruction import WAIT, players_of
from draftengine.engine.memory import Moment, Pick
from draftengine.engine.moves import IllegalMove
from draftengine.engine.seeing import (
    names_of,
    remember_coming,
    remember_leaving,
    remember_move,
    see_own,
    sight,
)
from draftengine.engine.text.effects import carry_out, effects_of, trigger
from draftengine.engine.text.plain import record_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from draftengine.engine.flow.instruction import Tell
    from draftengine.engine.memory import Memory
    from draftengine.engine.moves import Move
    from draftengine.engine.program import Field, Play, Program, Value
    from draftengine.engine.state import State


def rise(play: Play, word: int) -> int:
    """What a play adds to a seat's packed word, using up the open modifiers that apply to it."""
    return play.modified[modifiers_used(play, word)] if play.modifiers else play.increment


def modifiers_used(play: Play, word: int) -> int:
    """Which of a play's modifiers are open and therefore used (bit *i* = the *i*-th)."""
    used = 0
    for index, bits in enumerate(play.modifiers):
        if word & bits:
            used |= 1 << index
            if not play.stacks:
                break
    return used


def open_places_of(program: Program, zone: int, cards: list[int], taken: tuple[int, ...] = ()) -> list[int]:
    """The places of a layout whose card can be taken, if the cards at `taken` were gone."""
    empty = {place for place, card in enumerate(cards) if card < 0}
    empty.update(taken)
    return [
        place
        for place, covers in enumerate(program.covers[zone])
        if place not in empty and (not covers or empty.issuperset(covers))
    ]


class Way(Struct, frozen=True):
    """Something that can be done with what is chosen (see `draftengine.verbs.ways`)."""

    name: str
    laying: Choice
    """What becomes of cards that go this way: the choice as if it were the only one."""
    cards: Value
    when: Value | None
    admits: tuple[bool, ...]
    """Which cards can go this way, by card."""
    price: tuple[tuple[Field, Value], ...]
    """The counters that it costs something from, and how much."""
    paying: tuple[int, ...]
    """The effects by which that is paid, before anything else happens."""
    effects: tuple[int, ...]
    """What else it does to the seat, when all cards are laid down."""
    ask: int
    """The card for which the other players are asked; -1 = nobody is asked for anything."""
    give: tuple[int, ...]
    """By play: can it be given for that card."""
    asks: bool
    """Does it depend on what the card has whether it is open."""
    source: tuple[str, ...]

    def is_open(self, state: State, seat: int) -> bool:
        """May a seat take it, if it has cards for it."""
        if self.when is not None and not self.when(state, seat):
            return False
        return all(field.read(state.words[seat]) >= amount(state, seat) for field, amount in self.price)


class Choice(Struct, frozen=True):
    """Take cards from `source`: those for the tableau are revealed together, those for other zones are laid in silence.

    With `offer` nobody has to take anything: seats only may use abilities that wait for the reveal.
    """

    name: str
    """The path of the step in the card set, by names (``round.repeat.choose``): it outlives any numbering."""
    source: int
    target: int
    plays: bool
    """Are the cards played: do they come to a zone that counts from one that does not."""
    public: bool
    """Do they come to a zone that counts, where everybody sees them."""
    tableau: int
    discard: int
    cards: Value
    marker: int
    """Only the holder of this marker chooses; -1 = all players."""
    who: Value | None
    """Only players for which this holds choose; ``None`` = all of them, or the holder."""
    also: tuple[tuple[int, int, int], ...]
    """(extra seat, marker of its chooser, cards) for each seat that somebody chooses for."""
    abilities: tuple[int, ...]
    offer: bool
    layout: bool
    ordinary: bool
    """Every player takes one card from a zone of its own into its tableau; no wild cards, no hidden faces."""
    first_other: int
    """The first channel of cards chosen for another seat; those before it are the seat's own and its abilities'."""
    keeps_even: bool
    """Does every ability put as many cards back into the hand as it takes from it beyond the first."""
    source_ids: tuple[str, ...]
    following: int
    skip: int
    """What follows if nobody has anything to choose."""
    ways: tuple[Way, ...] = ()
    """What can be done with what is chosen, if there are ways; items are then numbered by way, see `way_of`."""
    stride: int = 1
    """So many items each way has: every option and, last, no card."""
    in_list: bool = False
    """Is it a step of a list that a card has started: what counters have gained is told since before that card."""
    asked: bool = True
    """Is anybody asked, so that what is taken tells something of who takes it."""
    reveals: bool = True
    """Do triggers of a reveal run as soon as cards are laid down, not later when their lists are done."""

    def as_played(self) -> Choice:
        """This choice, as if its cards came to the tableau."""
        return replace(self, target=self.tableau, plays=True, public=True)

    # ── who chooses, and from what ──────────────────────────────────────────────────────────────────────────────────

    def run(self, state: State, tell: Tell) -> int:  # noqa: ARG002 (the contract of instructions)
        if state.memory is not None:
            see_own(state, self.source)
        if self.ordinary and all(state.zones[self.source][: state.program.players]):
            state.pending = state.program.everyone
            return WAIT
        state.pending = tuple(
            seat for seat in players_of(state, self.marker, self.who) if self._has_choice(state, seat)
        )
        return WAIT if state.pending else self.skip

    def _has_choice(self, state: State, seat: int) -> bool:
        if self.ways:
            return bool(self.open_ways(state, seat))
        if not (self.open_places(state) if self.layout else self.held(state, seat)):
            return False
        return not self.offer or any(self.uses(state, ability, seat) for ability in self.abilities)

    @property
    def channels(self) -> int:
        """How many channels the codes of this choice have."""
        first = max(self.abilities, default=-1) + 2
        return max(first, *(channel + 1 for channel, _, _ in self._others())) if self.also else first

    def _others(self) -> tuple[tuple[int, int, int], ...]:
        return tuple((channel, seat, cards) for channel, (seat, _, cards) in enumerate(self.also, self.first_other))

    def parts_for_others(self, state: State, seat: int) -> tuple[tuple[int, int, int], ...]:
        """(channel, extra seat, cards) for the seats that `seat` chooses for now."""
        return tuple(
            part
            for part, (_, marker, _) in zip(self._others(), self.also, strict=True)
            if state.markers[marker] == seat
        )

    def count(self, state: State) -> int:
        """How many cards a seat takes for itself."""
        return 0 if self.offer else self.cards(state, 0)

    def uses(self, state: State, ability: int, seat: int) -> int:
        """How often a seat may use an ability now: it must have lain there when the turn began."""
        use = state.program.abilities[ability]
        ready = use.field.read(state.words[seat])
        if self.offer:
            ready = min(ready, use.field.read(state.before[seat]))
        return min(ready, use.model.per_turn)

    # ── ways ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def open_ways(self, state: State, seat: int) -> list[tuple[int, int]]:
        """The ways that a seat can take now, and how many cards go each of them."""
        found = []
        for index, way in enumerate(self.ways):
            if way.asks or way.is_open(state, seat):
                wanted = way.cards(state, 0)
                cards = min(wanted, len(self.cards_for(state, seat, index))) if wanted > 0 else 0
                if cards or wanted <= 0:
                    found.append((index, cards))
        return found

    def cards_for(self, state: State, seat: int, way: int) -> list[int]:
        """The cards of a seat that can go a way."""
        return [card for card in self.held(state, seat) if self.items_by(state, seat, card, way)]

    def items_by(self, state: State, seat: int, card: int, way: int) -> tuple[int, ...]:
        """What a card can be named as that goes a way."""
        own = self.ways[way]
        if not own.admits[card]:
            return ()
        if own.asks:
            state.about = card
            if not own.is_open(state, seat):
                return ()
        base = way * self.stride
        return tuple([base + option for option in own.laying.items_of(state, seat, card)])

    def alone(self, way: int) -> int:
        """The item that means a way without cards."""
        return (way + 1) * self.stride - 1

    def way_of(self, item: int) -> tuple[int, int]:
        """The way and the option that an item means; option -1 = no card."""
        way, option = divmod(item, self.stride)
        return way, -1 if option == self.stride - 1 else option

    def option_of(self, item: int) -> int:
        """The option that an item means; -1 = no card."""
        return self.way_of(item)[1] if self.ways else item

    @staticmethod
    def card_of(program: Program, options: Move) -> int:
        """The card that a way is about; the first one where none goes it."""
        return program.options[options[0]].plays[0][0] if options else 0

    def taken_by(self, move: Move) -> tuple[Way, Move]:
        """The way that a move takes, and the options of its cards."""
        way = self.way_of(move[0])[0]
        return self.ways[way], tuple([option for _, option in map(self.way_of, move) if option >= 0])

    def cards_of(self, state: State, seat: int) -> list[int]:
        """A copy of the cards that a seat takes from."""
        return self.held(state, seat)[:]

    def held(self, state: State, seat: int) -> list[int]:
        """The cards that a seat takes from: its own, or those of a shared zone, from which one chooses at a time."""
        return state.zones[self.source][self.owner(state, seat)]

    def from_the_open(self, program: Program) -> bool:
        """Does everybody see what is taken: from where cards count, or from a shared pile that lies open."""
        source = program.zones[self.source]
        return source.counts or (source.per == "table" and source.seen_by == "everyone" and not source.layout)

    def owner(self, state: State, seat: int) -> int:
        """Whose cards they are; a shared zone has the owner 0."""
        return seat if len(state.zones[self.source]) > 1 else 0

    def items_of(self, state: State, seat: int, card: int) -> tuple[int, ...]:
        """The options that a card offers to a seat now (for a layout: the place itself).

        A wild card that cannot be played in any of its forms is played as itself, if too few others can be played.
        """
        program = state.program
        if self.layout or program.simple:
            return (card,)
        if not self.plays:
            return program.options_of[card][-1:]
        allowed = self._allowed(state, seat, card)
        if allowed:
            return allowed
        hand = self.held(state, seat)
        playable = sum(bool(self._allowed(state, seat, other)) for other in hand)
        enough = playable >= max(1, min(self.count(state), len(hand)))
        return () if enough else program.options_of[card][-1:]

    @staticmethod
    def _allowed(state: State, seat: int, card: int) -> tuple[int, ...]:
        """Options whose condition holds; the bare form of a wild card (its last) is no option of its own."""
        program = state.program
        options = program.options_of[card]
        named = options[:-1] if len(options) > 1 else options
        checks = [(option, program.options[option].allowed) for option in named]
        return tuple(option for option, allowed in checks if allowed is None or allowed(state, seat))

    def open_places(self, state: State, taken: tuple[int, ...] = ()) -> list[int]:
        """The places of the layout whose card can be taken, if `taken` were gone."""
        return open_places_of(state.program, self.source, state.zones[self.source][0], taken)

    def uncovered(self, state: State, stock: tuple[int, ...], picks: Move) -> tuple[int, ...]:
        """What an ability may take after the seat's own picks: the rest of the hand, or the places then open."""
        return tuple(self.open_places(state, picks)) if self.layout else stock

    def left_for_ability(self, state: State, seat: int, stock: tuple[int, ...], picks: Move) -> int:
        """How many cards are there for an ability to take: not those that the seat has to choose for others."""
        for_others = sum(cards for _, _, cards in self.parts_for_others(state, seat))
        return len(self.uncovered(state, stock, picks)) - for_others

    def card_for(self, state: State, stock: list[int], item: int) -> int:
        """The card of `stock` that an item means. Raises `IllegalMove` if there is none."""
        program = state.program
        if self.layout:
            if item >= len(program.zones[self.source].layout):
                raise IllegalMove("unknown-card")
            if item not in stock:
                raise IllegalMove("place-covered", program.zones[self.source].layout[item].id)
            return item
        if item >= len(program.options):
            raise IllegalMove("unknown-card")
        cards = [card for card, _ in program.options[item].plays]
        for held in stock:
            if held in cards:
                return held
        raise IllegalMove("card-not-in-hand", program.options[item].name)

    def item_count(self, program: Program) -> int:
        """How many options or places there are to name."""
        if self.ways:
            return len(self.ways) * self.stride
        return len(program.zones[self.source].layout) if self.layout else len(program.options)

    def item_name(self, program: Program, item: int) -> str:
        """The name of an option (and of the way that the card goes) or of a place."""
        if self.layout:
            return program.zones[self.source].layout[item].id
        if not self.ways:
            return program.options[item].name
        way, option = self.way_of(item)
        return f"{program.options[option].name}@{self.ways[way].name}" if option >= 0 else self.ways[way].name

    def describe(self, program: Program, move: Move) -> dict[str, Any]:
        """A move in names (see `draftengine.engine.moves.describe`)."""
        told: dict[str, Any] = {"cards": []}
        for code in move:
            channel, item = divmod(code, program.width)
            name = self.item_name(program, item)
            if channel == 0:
                told["cards"].append(name)
            elif channel < self.first_other:
                told.setdefault("with", {}).setdefault(program.abilities[channel - 1].model.id, []).append(name)
            else:
                seat = self.also[channel - self.first_other][0]
                told.setdefault("for", {}).setdefault(program.seat_name(seat), []).append(name)
        return told

    # ── what the choice does ────────────────────────────────────────────────────────────────────────────────────────

    def settle(self, state: State, tell: Tell) -> int:
        """Everybody has chosen: lay the cards down, then effects and triggers."""
        state.tell = tell
        if not self.in_list:
            state.before = state.words[:]
        chosen, pending = state.chosen, state.pending
        state.chosen, state.pending = {}, ()
        if state.memory is not None and self.can_be_followed and len(state.zones[self.source]) > 1:
            self._watch(state, state.memory, chosen)
        placed: list[tuple[int, int]] = []
        if self.ways:
            self._go(state, chosen, tell, placed)
        else:
            for seat in pending:
                self.lay(state, seat, chosen[seat], tell, placed)
        if self.layout or state.program.eventful:
            self._after(state, tell, placed)
        state.tell = None
        return self.following

    def _go(self, state: State, chosen: Mapping[int, Move], tell: Tell, placed: list[tuple[int, int]]) -> None:
        """Every seat goes its way: all pay, then all cards are laid down, then comes what the ways do."""
        g, plan = record_of(state), state.program.plain
        taken = {seat: self.taken_by(chosen[seat]) for seat in sorted(chosen)}
        for seat, (way, options) in taken.items():
            state.about = self.card_of(state.program, options)
            if tell is not None:
                tell(Event("way", seat, name=way.name, source=way.source))
            for effect in way.paying:
                carry_out(g, plan, plan.program.effects[effect], seat, way.name, way.source)
        for seat, (way, options) in taken.items():
            way.laying.lay(state, seat, options, tell, placed)
        for seat, (way, options) in taken.items():
            state.about = self.card_of(state.program, options)
            if way.ask >= 0:
                self._ask(state, seat, way, tell, placed)
            for effect in way.effects:
                carry_out(g, plan, plan.program.effects[effect], seat, way.name, way.source)

    def _ask(self, state: State, seat: int, way: Way, tell: Tell, placed: list[tuple[int, int]]) -> None:
        """The others are asked for a card from the left; the first who has it exchanges it for what is given."""
        program, hands, tableau = state.program, state.zones[self.source], state.zones[self.tableau][seat]
        given = next((play for play in reversed(tableau) if way.give[play]), -1)
        if given < 0:
            return
        around = [(seat + step) % program.players for step in range(1, program.players)]
        giver = next((other for other in around if way.ask in hands[other]), -1)
        tableau.remove(given)
        state.words[seat] -= program.increments[given]
        what, name = program.plays[way.ask], program.plays[given].name
        if tell is not None:
            zone = program.zones[self.source].id
            tell(Event("asked", seat, (what.name,), EVERYONE, zone, giver, name, source=way.source))
        if giver < 0:
            state.zones[self.discard][0].append(program.card_of[given])
            if tell is not None:
                tell(Event("discarded", seat, (name,), source=way.source))
            return
        hands[giver].remove(way.ask)
        hands[giver].append(program.card_of[given])
        remember_leaving(state, (self.source, giver), way.ask, EVERYONE)
        remember_coming(state, (self.source, giver), program.card_of[given], EVERYONE)
        tableau.append(way.ask)
        used = modifiers_used(what, state.words[seat])
        state.words[seat] += what.modified[used]
        if used and tell is not None:
            self._tell_modified(program, seat, what, used, tell)
        placed.append((seat, way.ask))

    @property
    def asks_others(self) -> bool:
        """Can cards of others be asked for, so that something may be played."""
        return any(way.ask >= 0 for way in self.ways)

    @property
    def can_be_followed(self) -> bool:
        """Is a choice told by what was taken and what was left: of hands, and not put aside unseen."""
        return self.plays and not (self.layout or self.offer or self.ways or self.in_list) and self.asked

    def _watch(self, state: State, memory: Memory, chosen: Mapping[int, Move]) -> None:
        face_of, hands = state.program.face_of, state.zones[self.source]
        words, scores, markers = tuple(state.words), tuple(state.scores), tuple(state.markers)
        moment = Moment(state.pc, state.round, tuple(state.turns), words, scores, markers)
        picks = [
            Pick(seat, tuple(sorted([face_of[card] for card in hands[seat]])), chosen[seat]) for seat in sorted(chosen)
        ]
        memory.watch(self.source, moment, picks, all_see=state.program.zones[self.source].seen_by == "everyone")

    def is_even(self, state: State) -> bool:
        """Do all players hold equally many cards, now and after whatever they do."""
        return self.keeps_even and len(set(map(len, state.zones[self.source][: state.program.players]))) == 1

    def lay(self, state: State, seat: int, move: Move, tell: Tell, placed: list[tuple[int, int]]) -> None:
        """Lay down what a seat takes, and put back the cards of abilities; what was played is added to `placed`."""
        revealed: dict[int, list[str]] = {}
        used: dict[int, int] = {}
        place = -1
        for code in move:
            channel, place = divmod(code, state.program.width)
            receiver = seat
            if channel:
                if channel >= self.first_other:
                    receiver = self.also[channel - self.first_other][0]
                else:
                    used[channel - 1] = used.get(channel - 1, 0) + 1
                    self._pick_up(state, seat, channel - 1, used[channel - 1])
            name = self._lay_card(state, seat, receiver, place, tell, placed)
            if tell is not None:
                revealed.setdefault(receiver, []).append(name)
        for ability, cards in used.items():
            if state.program.abilities[ability].model.turns_up:
                self._turn_up(state, tell)
            for _ in range(-(-cards // state.program.abilities[ability].model.take)):
                self._return(state, seat, ability, place, tell)
        if tell is not None:
            self._report(state, seat, revealed, tell)

    def _pick_up(self, state: State, seat: int, ability: int, taken: int) -> None:
        """The ability's card leaves the tableau when its first further card is taken."""
        use = state.program.abilities[ability]
        if (taken - 1) % use.model.take or use.model.returns_to == "stays":
            return
        state.zones[self.tableau][seat].remove(use.play)
        state.words[seat] -= state.program.plays[use.play].increment

    def _lay_card(
        self, state: State, seat: int, receiver: int, item: int, tell: Tell, placed: list[tuple[int, int]]
    ) -> str:
        program = state.program
        card, play = self._take(state, seat, item)
        if program.wander:
            state.words[receiver if self.plays else seat] += program.rise_between(self.source, self.target, card)
        if not self.plays:
            owner = 0 if program.zones[self.target].per == "table" else receiver
            state.zones[self.target][owner].append(card)
            mask = sight(program, self.target, owner)
            if self.from_the_open(program):
                mask = EVERYONE
            if self.public:
                remember_leaving(state, (self.source, self.owner(state, seat)), card, EVERYONE)
            elif self.layout:
                remember_coming(state, (self.target, owner), card, mask)
            else:
                remember_move(state, (self.source, self.owner(state, seat)), (self.target, owner), card, mask)
            return program.faces[card]
        if not self.layout:
            remember_leaving(state, (self.source, self.owner(state, seat)), card, EVERYONE)
        state.zones[self.target][receiver].append(play)
        if program.wander:
            placed.append((receiver, play))
            return program.plays[play].name
        what, word = program.plays[play], state.words[receiver]
        used = modifiers_used(what, word) if what.modifiers else 0
        state.words[receiver] = word + what.modified[used]
        if used and tell is not None:
            self._tell_modified(program, receiver, what, used, tell)
        placed.append((receiver, play))
        return what.name

    def _take(self, state: State, seat: int, item: int) -> tuple[int, int]:
        """Remove the card an item means from its zone; the card and the play it becomes."""
        program = state.program
        if self.layout:
            cards = state.zones[self.source][0]
            card, cards[item] = cards[item], -1
            return card, dict(program.options[program.options_of[card][0]].plays)[card]
        hand = self.held(state, seat)
        if program.simple:
            hand.remove(item)
            return item, item
        plays = dict(program.options[item].plays)
        card = next(held for held in hand if held in plays)
        hand.remove(card)
        return card, plays[card]

    @staticmethod
    def _tell_modified(program: Program, seat: int, what: Play, used: int, tell: Callable[[Event], None]) -> None:
        for index, bits in enumerate(what.modifiers):
            if used >> index & 1:
                modifier = program.modifier_of[bits]
                tell(Event("modified", seat, (what.name,), name=modifier.id, source=modifier.source))

    def _return(self, state: State, seat: int, ability: int, place: int, tell: Tell) -> None:
        use = state.program.abilities[ability]
        card = use.card
        if use.model.returns_to == "hand":
            state.zones[self.source][seat].append(card)
            remember_coming(state, (self.source, self.owner(state, seat)), card, EVERYONE)
        elif use.model.returns_to == "place":
            state.zones[self.source][0][place] = card
        elif use.model.returns_to == "discard":
            state.zones[self.discard][0].append(card)
        if tell is not None:
            zone, name = use.model.returns_to, state.program.cards[card]
            tell(Event("ability-used", seat, (name,), name=use.model.id, zone=zone, source=use.model.source))

    def _report(self, state: State, seat: int, revealed: dict[int, list[str]], tell: Tell) -> None:
        assert tell is not None
        program = state.program
        public = self.public
        for receiver, cards in revealed.items():
            shown = public or self.from_the_open(program)
            mask = EVERYONE if shown else sight(program, self.target, receiver) | (1 << seat)
            kind = "revealed" if self.plays else "placed"
            other = seat if receiver != seat else -1
            zone = program.zones[self.target].id
            tell(Event(kind, receiver, tuple(cards), mask, zone, other, count=len(cards), source=self.source_ids))

    def _after(self, state: State, tell: Tell, placed: list[tuple[int, int]]) -> None:
        g, plan = record_of(state), state.program.plain
        for seat, play in placed:
            effects_of(g, plan, seat, play)
        if self.layout:
            self._turn_up(state, tell)
        if (self.plays or self.asks_others) and self.reveals:
            trigger(g, plan, "reveal")

    def _turn_up(self, state: State, tell: Tell) -> None:
        """Face-down cards that nothing covers any more turn up."""
        if not state.down[self.source]:
            return
        cards = state.zones[self.source][0]
        still_open = set(self.open_places(state))
        for place in state.down[self.source][:]:
            if place in still_open or cards[place] < 0:
                state.down[self.source].remove(place)
                if tell is not None and cards[place] >= 0:
                    zone = state.program.zones[self.source]
                    tell(
                        Event(
                            "flipped",
                            cards=names_of(state.program, cards[place : place + 1]),
                            zone=zone.id,
                            name=zone.layout[place].id,
                        )
                    )


class PlayAll(Struct, frozen=True):
    """Players play all cards of a zone of theirs, as if they had chosen them, and nobody is asked."""

    choice: Choice
    """What becomes of the cards."""
    following: int
    skip: int
    """What follows if there is nothing to play."""

    @property
    def source(self) -> int:
        return self.choice.source

    @property
    def target(self) -> int:
        return self.choice.target

    @property
    def who(self) -> Value | None:
        return self.choice.who

    def run(self, state: State, tell: Tell) -> int:
        options = state.program.options_of
        state.chosen = {
            seat: tuple([options[card][-1] for card in self.choice.held(state, seat)])
            for seat in players_of(state, -1, self.choice.who)
            if self.choice.held(state, seat)
        }
        if not state.chosen:
            return self.skip
        state.pending = tuple(state.chosen)
        self.choice.settle(state, tell)
        return self.following


def tableaus_lose_cards(program: Program) -> bool:
    """Can cards leave a tableau before it is cleared: by effects, or because they are given to others."""
    asks = any(isinstance(step, Choice) and step.asks_others for step in program.code)
    return asks or any(own.kind == "discard" for own in program.effects)
