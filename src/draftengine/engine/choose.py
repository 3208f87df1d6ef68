"""The choice: seats take cards at once and in secret, and what they took is then laid down together.

Also the later offer of an ability that is used once the cards of everybody are known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from draftengine.engine.beliefs import DecisionContext, Pick
from draftengine.engine.kernel import actions as ways
from draftengine.engine.kernel import choices
from draftengine.engine.kernel import wild_cards as wild
from draftengine.engine.moves import IllegalMove
from draftengine.engine.plain import record_of
from draftengine.engine.seeing import look_into_own_zones
from draftengine.engine.state import reset_scratch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from draftengine.engine.beliefs import Beliefs
    from draftengine.engine.instruction import EventSink
    from draftengine.engine.moves import Move
    from draftengine.engine.program import CounterField, Program, Value
    from draftengine.engine.state import GameState


class Action(Struct, frozen=True):
    """Something that can be done with what is chosen (see `draftengine.model.verbs.actions`)."""

    name: str
    laying: Choice
    """What becomes of cards that go this way: the choice as if it were the only one."""
    cards: Value
    when: Value | None
    admits: tuple[bool, ...]
    """Which cards can go this way, by card."""
    price: tuple[tuple[CounterField, Value], ...]
    """The counters that it costs something from, and how much."""
    paying: tuple[int, ...]
    """The effects by which that is paid, before anything else happens."""
    effects: tuple[int, ...]
    """What else it does to the seat, when all cards are laid down."""
    ask: int
    """The card for which the other players are asked; -1 = nobody is asked for anything."""
    give: tuple[tuple[int, ...], ...]
    """By play: is it given for that card if one of them lies there, and else next, and so on."""
    depends_on_card: bool
    """Does it depend on the card that goes it whether the way is open."""
    needs_all_cards: bool
    """Is the way open only to those who have as many cards for it as it takes."""
    source: tuple[str, ...]


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
    otherwise: int
    """What follows if nobody has anything to choose."""
    actions: tuple[Action, ...] = ()
    """What can be done with what is chosen, if there are ways; items are then numbered by way, see `action_of_item`."""
    items_per_action: int = 1
    """So many items each way has: every option and, last, no card."""
    in_list: bool = False
    """Is it a step of a list that a card has started: what counters have gained counts from before that card."""
    asked: bool = True
    """Is anybody asked, so that what is taken tells something of who takes it."""
    reveals: bool = True
    """Do triggers of a reveal run as soon as cards are laid down, not later when their lists are done."""
    as_they_lie: bool = False
    """Are they taken from where cards count: they are named as what they lie as there."""

    def as_played(self) -> Choice:
        """This choice, as if its cards came to the tableau."""
        return replace(self, target=self.tableau, plays=True, public=True)

    # ── who chooses, and from what ──────────────────────────────────────────────────────────────────────────────────

    def collect_pending(self, state: GameState) -> bool:
        """Does anybody have to choose; they are `GameState.pending`."""
        if state.memory is not None:
            look_into_own_zones(state, self.source)
        if self.ordinary and all(state.zones[self.source][: state.program.players]):
            state.pending = state.program.all_players
            return True
        record, plan = record_of(state), state.program.plain
        state.pending = tuple([seat for seat in plan.players if choices.has_choice(record, plan, self, seat)])
        return bool(state.pending)

    @property
    def channels(self) -> int:
        """How many channels the codes of this choice have."""
        first = max(self.abilities, default=-1) + 2
        return max(first, *(channel + 1 for channel, _, _ in self._others())) if self.also else first

    def _others(self) -> tuple[tuple[int, int, int], ...]:
        return tuple((channel, seat, cards) for channel, (seat, _, cards) in enumerate(self.also, self.first_other))

    def parts_for_others(self, state: GameState, seat: int) -> tuple[tuple[int, int, int], ...]:
        """(channel, extra seat, cards) for the seats that `seat` chooses for now."""
        return tuple(
            part
            for part, (_, marker, _) in zip(self._others(), self.also, strict=True)
            if state.markers[marker] == seat
        )

    def count(self, state: GameState, seat: int) -> int:
        """How many cards a seat takes for itself."""
        return wild.own_count(record_of(state), state.program.plain, self, seat)

    def uses(self, state: GameState, ability: int, seat: int) -> int:
        """How often a seat may use an ability now."""
        return choices.uses(record_of(state), state.program.plain, self, ability, seat)

    # ── ways ────────────────────────────────────────────────────────────────────────────────────────────────────────

    def open_ways(self, state: GameState, seat: int) -> list[tuple[int, int]]:
        """The ways that a seat can take now, and how many cards go each of them."""
        record, plan = record_of(state), state.program.plain
        return [
            (index, ways.cards_taken(record, plan, self, way, seat))
            for index, way in enumerate(self.actions)
            if ways.way_is_open(record, plan, self, way, seat)
        ]

    def cards_for(self, state: GameState, seat: int, way: int) -> list[int]:
        """The cards of a seat that can go a way."""
        return [card for card in self.held(state, seat) if self.items_by(state, seat, card, way)]

    def items_by(self, state: GameState, seat: int, card: int, way: int) -> tuple[int, ...]:
        """What a card can be named as that goes a way."""
        chosen = self.actions[way]
        if not ways.can_go(record_of(state), state.program.plain, chosen, seat, card):
            return ()
        base = way * self.items_per_action
        return tuple([base + option for option in chosen.laying.items_of(state, seat, card)])

    def cardless_item(self, way: int) -> int:
        """The item that means a way without cards."""
        return (way + 1) * self.items_per_action - 1

    def action_of_item(self, item: int) -> tuple[int, int]:
        """The way and the option that an item means; option -1 = no card."""
        way, option = divmod(item, self.items_per_action)
        return way, -1 if option == self.items_per_action - 1 else option

    def option_of(self, item: int) -> int:
        """The option that an item means; -1 = no card."""
        return self.action_of_item(item)[1] if self.actions else item

    def taken_by(self, move: Move) -> tuple[Action, Move]:
        """The way that a move takes, and the options of its cards."""
        way = self.action_of_item(move[0])[0]
        return self.actions[way], tuple([option for _, option in map(self.action_of_item, move) if option >= 0])

    def cards_of(self, state: GameState, seat: int) -> list[int]:
        """A copy of the cards that a seat takes from."""
        return self.held(state, seat)[:]

    def held(self, state: GameState, seat: int) -> list[int]:
        """The cards that a seat takes from: its own, or those of a shared zone, from which one chooses at a time."""
        return state.zones[self.source][self.owner(state, seat)]

    def from_the_open(self, program: Program) -> bool:
        """Does everybody see what is taken: from where cards count, or from a shared pile that lies open."""
        source = program.zones[self.source]
        return source.counts or (source.per == "table" and source.seen_by == "everyone" and not source.layout)

    def owner(self, state: GameState, seat: int) -> int:
        """Whose cards they are; a shared zone has the owner 0."""
        return seat if len(state.zones[self.source]) > 1 else 0

    def items_of(self, state: GameState, seat: int, card: int) -> tuple[int, ...]:
        """The options that a card offers to a seat now (for a layout: the place itself).

        A wild card that cannot be played in any of its forms is played as itself, if too few others can be played.
        """
        program = state.program
        if self.layout or program.simple or self.as_they_lie:
            return (card,)
        if not self.plays:
            return program.options_of[card][-1:]
        record, plan = record_of(state), program.plain
        if card not in plan.wild:
            return program.options_of[card]
        *named, bare = program.options_of[card]
        allowed = tuple(
            [option for option in named if wild.is_allowed(record, plan, program.options[option].condition, seat)]
        )
        if allowed or wild.is_stuck(plan, wild.cannot_be_played(record, plan, self, seat), card):
            return allowed
        return (bare,)

    def open_places(self, state: GameState, taken: tuple[int, ...] = ()) -> list[int]:
        """The places of the layout whose card can be taken, if `taken` were gone."""
        return state.program.open_places(self.source, state.zones[self.source][0], taken)

    def uncovered(self, state: GameState, stock: tuple[int, ...], picks: Move) -> tuple[int, ...]:
        """What an ability may take after the seat's own picks: the rest of the hand, or the places then open."""
        return tuple(self.open_places(state, picks)) if self.layout else stock

    def left_for_ability(self, state: GameState, seat: int, stock: tuple[int, ...], picks: Move) -> int:
        """How many cards are there for an ability to take: not those that the seat has to choose for others."""
        for_others = sum([cards for _, _, cards in self.parts_for_others(state, seat)]) if self.also else 0
        return len(self.uncovered(state, stock, picks)) - for_others

    def card_for(self, state: GameState, stock: list[int], item: int) -> int:
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
        cards = [item] if self.as_they_lie else [card for card, _ in program.options[item].plays]
        for held in stock:
            if held in cards:
                return held
        raise IllegalMove("card-not-in-hand", program.options[item].name)

    def item_count(self, program: Program) -> int:
        """How many options or places there are to name."""
        if self.actions:
            return len(self.actions) * self.items_per_action
        return len(program.zones[self.source].layout) if self.layout else len(program.options)

    def item_name(self, program: Program, item: int) -> str:
        """The name of an option (and of the way that the card goes) or of a place."""
        if self.layout:
            return program.zones[self.source].layout[item].id
        if not self.actions:
            return program.options[item].name
        way, option = self.action_of_item(item)
        named = self.actions[way].name
        if option < 0:
            return named
        return f"{program.options[option].name}@{named}" if named else program.options[option].name

    def describe(self, program: Program, move: Move) -> dict[str, Any]:
        """A move in names (see `draftengine.engine.moves.describe`)."""
        description: dict[str, Any] = {"cards": []}
        for code in move:
            channel, item = divmod(code, program.width)
            name = self.item_name(program, item)
            if channel == 0:
                description["cards"].append(name)
            elif channel < self.first_other:
                description.setdefault("with", {}).setdefault(program.abilities[channel - 1].model.id, []).append(name)
            else:
                seat = self.also[channel - self.first_other][0]
                description.setdefault("for", {}).setdefault(program.seat_name(seat), []).append(name)
        return description

    # ── what the choice does ────────────────────────────────────────────────────────────────────────────────────────

    def settle(self, state: GameState, tell: EventSink) -> int:
        """Carry out what everybody chose: lay the cards down, then effects and triggers. Return the next step."""
        chosen = state.chosen
        state.chosen, state.pending = {}, ()
        if state.memory is not None and self.can_be_followed and len(state.zones[self.source]) > 1:
            self._watch(state, state.memory, chosen)
        state.tell, state.taking, state.placed = tell, chosen, []
        if self.actions:
            for seat, move in chosen.items():
                state.way[seat], state.taking[seat] = self.action_of_item(move[0])[0], self.taken_by(move)[1]
        choices.settle_for(record_of(state), state.program.plain, self, sum(1 << seat for seat in chosen))
        reset_scratch(state)
        return self.following

    @property
    def asks_others(self) -> bool:
        """Can cards of others be asked for, so that something may be played."""
        return any(way.ask >= 0 for way in self.actions)

    @property
    def can_be_followed(self) -> bool:
        """Is a choice told by what was taken and what was left: of hands, and not put aside unseen."""
        return self.plays and not (self.layout or self.offer or self.actions or self.in_list) and self.asked

    def _watch(self, state: GameState, memory: Beliefs, chosen: Mapping[int, Move]) -> None:
        face_of, hands = state.program.face_of, state.zones[self.source]
        words, scores, markers = tuple(state.words), tuple(state.scores), tuple(state.markers)
        moment = DecisionContext(state.pc, state.round, tuple(state.turns), words, scores, markers)
        picks = [
            Pick(seat, tuple(sorted([face_of[card] for card in hands[seat]])), chosen[seat]) for seat in sorted(chosen)
        ]
        memory.watch(self.source, moment, picks, all_see=state.program.zones[self.source].seen_by == "everyone")

    def has_equal_sizes(self, state: GameState) -> bool:
        """Do all players hold equally many cards, now and after whatever they do."""
        return self.keeps_even and len(set(map(len, state.zones[self.source][: state.program.players]))) == 1


class PlayAll(Struct, frozen=True):
    """Players play all cards of a zone of theirs, as if they had chosen them, and nobody is asked."""

    choice: Choice
    """What becomes of the cards."""
    following: int
    otherwise: int
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


def tableaus_lose_cards(program: Program) -> bool:
    """Can cards leave a tableau before it is cleared: by effects, or because they are given to others."""
    asks = any(isinstance(step, Choice) and step.asks_others for step in program.code)
    return asks or any(effect.kind == "discard" for effect in program.effects)
