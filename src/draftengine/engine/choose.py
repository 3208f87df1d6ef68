"""Choices: seats take cards simultaneously and in secret, and their cards are laid down together.

An *offer* is a second choice after the reveal, in which seats use abilities that wait for the reveal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from draftengine.engine.instructions import MoveAll

if TYPE_CHECKING:
    from draftengine.engine.instructions import CounterField, Value
    from draftengine.engine.offer import Move
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState


class Action(Struct, frozen=True):
    """One of the things that a seat can do with chosen cards (see `draftengine.model.verbs.actions`)."""

    name: str
    laying: Choice
    """A copy of the choice with this action only; it says where the action's cards go."""
    cards: Value
    when: Value | None
    admits: tuple[bool, ...]
    """For each play, true if the action accepts a card that is laid down in this form."""
    price: tuple[tuple[CounterField, Value], ...]
    """The counters that pay the price, with the amounts."""
    paying: tuple[int, ...]
    """The indices of the effects that pay the price, before any card is laid down."""
    handed: tuple[tuple[int, int], ...]
    """Payments to neighbours, made before the price is paid, as (seats to the left, index of the effect)."""
    bought: tuple[tuple[str, Value], ...]
    """The units that each neighbour (``left`` or ``right``) sells."""
    other_first: str
    """The name of the action that differs only in the neighbour who sells first; usually empty."""
    entry: str | None
    """The name of the entry that became an action for each place; ``None`` for other actions."""
    effects: tuple[int, ...]
    """The indices of further effects on the seat, after all cards are laid down."""
    ask: int
    """The card that the seat asks the other players for; -1 = none."""
    give: tuple[tuple[int, ...], ...]
    """The cards that a seat may give for the card that it asks for, in groups with a flag for every play.

    A card of the first group is given or, if the seat has none, a card of the next group.
    """
    depends_on_card: bool
    """True if values of the card decide whether the action accepts the card, or what the action costs."""
    needs_all_cards: bool
    """True if the action requires its full number of cards."""
    source: tuple[str, ...]


class Choice(Struct, frozen=True):
    """A choice of cards from `source`.

    Cards for the tableau are revealed together; cards for other zones are laid down without a reveal. If `offer` is
    true, no seat has to take anything: seats may only use abilities that wait for the reveal.
    """

    name: str
    """The path of the step in the card set, by names instead of numbers (``round.repeat.choose``)."""
    source: int
    target: int
    plays: bool
    """True if cards are played: they add to counters in the zone that they move to, but not in the source."""
    public: bool
    """True if cards move to a zone in which everybody sees them and they add to counters."""
    tableau: int
    discard: int
    cards: Value
    marker: int
    """The marker whose holder alone chooses; -1 = all players choose."""
    who: Value | None
    """The condition that a choosing player must meet; ``None`` = no condition."""
    also: tuple[tuple[int, int, int], ...]
    """For each extra seat that somebody chooses for: (seat, marker of the chooser, number of cards)."""
    abilities: tuple[int, ...]
    offer: bool
    layout: bool
    ordinary: bool
    """True if every player plays one card of its own zone into its tableau, with no wild or hidden cards."""
    first_other: int
    """The first channel with cards for another seat.

    Earlier ones are for the seat itself and its abilities.
    """
    keeps_even: bool
    """True if the choice takes equally many cards from all hands, because no ability takes more."""
    source_ids: tuple[str, ...]
    following: int
    otherwise: int
    """The next instruction if no seat has anything to choose."""
    actions: tuple[Action, ...] = ()
    """The actions of the choice; empty if it has none.

    With actions, each item includes its action (see `action_of_item`).
    """
    items_per_action: int = 1
    """The number of items of each action: one for every option, and a last one for no card."""
    in_list: bool = False
    """True if the choice is part of a step list.

    Then the formula ``gained`` compares with the time before the card that started the list was played.
    """
    asked: bool = True
    """True if seats really decide. Their moves then tell observers something about hands."""
    reveals: bool = True
    """True if reveal triggers run as soon as cards are laid down; False if they wait for step lists."""
    as_they_lie: bool = False
    """True if cards in the source add to counters. Then an item names the play that lies there."""

    def as_played(self) -> Choice:
        """Return this choice as if its cards were played into the tableau."""
        return replace(self, target=self.tableau, plays=True, public=True)

    # ── who chooses, and from what ──────────────────────────────────────────────────────────────────────────────────

    @property
    def sources(self) -> tuple[int, ...]:
        """The zones that cards are taken from, each once: that of the choice, and those of its actions."""
        return tuple(dict.fromkeys((self.source, *(way.laying.source for way in self.actions))))

    @property
    def channels(self) -> int:
        """The number of channels: the purposes for which codes of this choice can take cards."""
        first = max(self.abilities, default=-1) + 2
        return max(first, *(channel + 1 for channel, _, _ in self._others())) if self.also else first

    def _others(self) -> tuple[tuple[int, int, int], ...]:
        return tuple((channel, seat, cards) for channel, (seat, _, cards) in enumerate(self.also, self.first_other))

    def parts_for_others(self, state: GameState, seat: int) -> tuple[tuple[int, int, int], ...]:
        """Return (channel, extra seat, number of cards) for each extra seat for which `seat` chooses now."""
        return tuple(
            part
            for part, (_, marker, _) in zip(self._others(), self.also, strict=True)
            if state.markers[marker] == seat
        )

    # ── actions ─────────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def easiest_first(self) -> tuple[Action, ...]:
        """The actions, beginning with those whose availability is cheapest to check."""
        return tuple(sorted(self.actions, key=lambda way: (way.depends_on_card, way.when is not None, bool(way.price))))

    def cardless_item(self, way: int) -> int:
        """Return the item for an action that takes no card."""
        return (way + 1) * self.items_per_action - 1

    def action_of_item(self, item: int) -> tuple[int, int]:
        """Return the action and the option of an item; option -1 = no card."""
        way, option = divmod(item, self.items_per_action)
        return way, -1 if option == self.items_per_action - 1 else option

    def option_of(self, item: int) -> int:
        """Return the option of an item; -1 = no card."""
        return self.action_of_item(item)[1] if self.actions else item

    def taken_by(self, move: Move) -> tuple[Action, Move]:
        """Return the action that a move takes, and the options of the move's cards."""
        way = self.action_of_item(move[0])[0]
        return self.actions[way], tuple([option for _, option in map(self.action_of_item, move) if option >= 0])

    def cards_of(self, state: GameState, seat: int) -> list[int]:
        """Return a copy of the cards that a seat chooses from."""
        return self.held(state, seat)[:]

    def held(self, state: GameState, seat: int) -> list[int]:
        """Return the list, not a copy, of the cards that a seat chooses from: its own or a shared zone."""
        return state.zones[self.source][self.owner(state, seat)]

    def from_the_open(self, program: Program) -> bool:
        """True if everybody sees which cards are taken: the source is open, or its cards add to counters."""
        source = program.zones[self.source]
        return source.counts or (source.per == "table" and source.seen_by == "everyone" and not source.layout)

    def owner(self, state: GameState, seat: int) -> int:
        """Return the owner of the cards that a seat chooses from; a shared zone has the owner 0."""
        return seat if len(state.zones[self.source]) > 1 else 0

    def open_places(self, state: GameState, taken: tuple[int, ...] = ()) -> list[int]:
        """Return the places of the layout whose cards can be taken after the cards at `taken` are gone."""
        return state.program.open_places(self.source, state.zones[self.source][0], taken)

    def uncovered(self, state: GameState, stock: tuple[int, ...], picks: Move) -> tuple[int, ...]:
        """Return what an ability can take after the seat's own picks: remaining cards, or open places."""
        return tuple(self.open_places(state, picks)) if self.layout else stock

    def left_for_ability(self, state: GameState, seat: int, stock: tuple[int, ...], picks: Move) -> int:
        """Return the number of cards that an ability can take while enough remain for other seats."""
        for_others = sum([cards for _, _, cards in self.parts_for_others(state, seat)]) if self.also else 0
        return len(self.uncovered(state, stock, picks)) - for_others

    def item_count(self, program: Program) -> int:
        """Return the number of items: options or places; with actions, the items of all actions."""
        if self.actions:
            return len(self.actions) * self.items_per_action
        return len(program.zones[self.source].layout) if self.layout else len(program.options)

    def item_name(self, program: Program, item: int) -> str:
        """Return the name of an item: an option, with its action if there is one, or a place."""
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
        """Return a move as names (see `draftengine.engine.moves.describe`)."""
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

    @property
    def asks_others(self) -> bool:
        """True if an action asks other players for a card, which may then be played."""
        return any(way.ask >= 0 for way in self.actions)

    @property
    def can_be_followed(self) -> bool:
        """True if observers learn from the picks: cards are played openly, and this is not an offer."""
        return self.plays and not (self.layout or self.offer or self.actions or self.in_list) and self.asked

    def has_equal_sizes(self, state: GameState) -> bool:
        """True if all players hold equally many cards now, and still will after any moves."""
        return self.keeps_even and len(set(map(len, state.zones[self.source][: state.program.players]))) == 1


class PlayAll(Struct, frozen=True):
    """The instruction that makes players play all cards of a zone, without a choice."""

    choice: Choice
    """The equivalent choice, which says where the cards come from and go to."""
    following: int
    otherwise: int
    """The next instruction if there is nothing to play."""

    @property
    def source(self) -> int:
        return self.choice.source

    @property
    def target(self) -> int:
        return self.choice.target

    @property
    def who(self) -> Value | None:
        return self.choice.who


def joins_later(program: Program, choice: Choice) -> bool:
    """True if chosen cards are not played, but go to a zone from which seats can choose them again."""
    return (
        not choice.plays
        and not program.cards_count_elsewhere
        and any(
            (isinstance(step, MoveAll) and (step.source, step.target) == (choice.target, choice.source))
            or (isinstance(step, Choice) and choice.target in step.sources)
            for step in program.code
        )
    )


def tableaus_lose_cards(program: Program) -> bool:
    """True if cards can leave a tableau before it is cleared: by effects, or as gifts to other players."""
    asks = any(isinstance(step, Choice) and step.asks_others for step in program.code)
    return asks or any(effect.kind == "discard" for effect in program.effects)
