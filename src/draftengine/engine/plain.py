"""The plan of an *interpreted* game, which the unspecialised kernel plays one at a time.

The kernel asks a plan for everything that is known about a game. With this plan, the state record is a
`draftengine.engine.state.GameState`, in which cards lie in lists, and events can be reported. The kernel has special
code for this plan only where data is stored, under ``if plan.plain``. Games with a `draftengine.engine.plan.Plan`
are called *compiled*.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

from draftengine.engine.observers import Observer
from draftengine.engine.plan.base import FURTHER, OTHER, OWN, BaseItems, BasePlan
from draftengine.engine.plan.tables import Tables, tables_of

if TYPE_CHECKING:
    from draftengine.engine.choose import Action, Choice
    from draftengine.engine.offer import Move
    from draftengine.engine.plan import Plan
    from draftengine.engine.program import CompiledTrigger, Program
    from draftengine.engine.state import GameState, StateRecord

    AnyPlan: TypeAlias = "InterpreterPlan | Plan"
    """The plan of a game, specialised or not."""


def record_of(state: GameState) -> StateRecord:
    """Return the state, typed as a kernel record, because it has all the fields of a record."""
    return state  # type: ignore[return-value]


def number_of(move: Move) -> int:
    """Return a move, or its first codes, typed as the number that the kernel expects."""
    return move  # type: ignore[return-value]


def codes_of(move: int) -> Move:
    """Return a move, which the kernel treats as a number, as the codes that it really consists of."""
    return move  # type: ignore[return-value]


class InterpreterPlan(BasePlan):
    """The plan of a game that is played one at a time, with all features."""

    plain: Literal[True] = True
    can_run_short: Literal[True] = True
    watched: Literal[True] = True
    observed: Literal[False] = False
    logged: Literal[False] = False
    reads_previous_words: Literal[True] = True
    observer = Observer()

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.sources = program.sources_of_points
        self.shared = tuple(zone.per != "seat" for zone in program.zones)

    @staticmethod
    def guard(_watch: CompiledTrigger) -> int:
        """Return the counters (bits) that must have changed before a trigger runs.

        Here there are none: every trigger is evaluated.
        """
        return 0

    @staticmethod
    def state(state: StateRecord) -> GameState:
        """Return the state that the kernel treats as its record."""
        return state  # type: ignore[return-value]  # see `record_of`

    @staticmethod
    def cards(state: StateRecord, zone: int, owner: int) -> list[int]:
        """Return the list of an owner's cards in a zone. The caller may change the list in place."""
        return state.zones[zone][owner]  # type: ignore[attr-defined, no-any-return]  # called most often, so without `state`

    @staticmethod
    def all_choose_equally(_step: Choice) -> Literal[False]:
        """True if the number of cards that each seat takes is known before the game. Here it never is."""
        return False

    @staticmethod
    def has_equal_sizes(_zone: int) -> Literal[False]:
        """True if all players are known to have equally many cards in a zone. Here this is never known."""
        return False

    @staticmethod
    def is_lanes(_zone: int) -> Literal[False]:
        """True if the cards of a zone are packed into words. Here they never are."""
        return False

    @staticmethod
    def is_scored_by_card(_rules: tuple[int, ...], _index: int) -> Literal[False]:
        """True if a rule is scored for the cards that seats have, card by card. Here none is."""
        return False

    @staticmethod
    def admitted(way: Action) -> tuple[bool, ...]:
        """Return, for each card, whether the action accepts it."""
        return way.admits

    def admits_all(self, way: Action) -> bool:
        """True if the action accepts any card: no card has forms, and no condition reads values of the card."""
        return self.program.simple and not way.depends_on_card and all(way.admits)

    def card_of(self, state: StateRecord, way: Action, seat: int) -> int:
        """Return the first of the cards that a player takes with an action; 0 if there are none."""
        taken = self.state(state).taking[seat]
        if not taken:
            return 0
        return (
            self.program.counts_as[taken[0]] if way.laying.as_they_lie else self.program.options[taken[0]].plays[0][0]
        )

    @staticmethod
    def is_stored(_zone: int) -> bool:
        """True if the record stores the cards of a zone. Here it always does."""
        return True

    def owners(self, zone: int) -> range:
        """Return the owners of a zone; a shared zone has the single owner 0."""
        return range(1) if self.shared[zone] else self.seats

    def owner(self, zone: int, seat: int) -> int:
        """Return the owner of a seat's cards in a zone; 0 if the zone is shared."""
        return 0 if self.shared[zone] else seat

    def is_empty(self, state: StateRecord, zone: int) -> bool:
        """True if no owner has a card in a zone; for a layout, if no place has one."""
        owners = self.state(state).zones[zone]
        return max(owners[0]) < 0 if self.program.zones[zone].layout else not any(owners)

    def move_top(self, state: StateRecord, source: tuple[int, int], target: tuple[int, int], number: int) -> None:
        """Move the top `number` cards from one (zone, owner) to another, top card first."""
        cards = self.cards(state, *source)
        self.cards(state, *target).extend(cards[: -number - 1 : -1])
        del cards[len(cards) - number :]

    def lay_at_place(self, record: StateRecord, zone: int, place: int, card: int, *, face_up: bool) -> None:
        """Lay a card at an empty place (see `draftengine.engine.kernel.zones.lay_at_place`)."""
        state = self.state(record)
        state.zones[zone][0][place] = card
        if not face_up and self.program.zones[zone].layout[place].face_down:
            state.down[zone] = sorted({*state.down[zone], place})

    @cached_property
    def tables(self) -> Tables:
        """Lookup tables of plays. The tables for rules are not used, because rules are evaluated directly."""
        return tables_of(self.program, in_words=False)

    @cached_property
    def items(self) -> BaseItems:
        """Tables of all items of the game."""
        return BaseItems(self.program)

    def lanes_of(self, step: Choice, move: int) -> list[tuple[int, int, int]]:
        """Return, for each code of a move, its number in a compiled move, its channel, and its index there."""
        lanes, further, width = [], 0, self.program.width
        for number, code in enumerate(codes_of(move)):
            channel, item = divmod(code, width)
            if channel == 0:
                lanes.append((item + 1, OWN, number))
            elif channel < step.first_other:
                lanes.append((step.abilities.index(channel - 1) << self.items.bits | item + 1, FURTHER, further))
                further += 1
            else:
                lanes.append((item + 1, OTHER + channel - step.first_other, 0))
        return lanes

    @staticmethod
    def count(move: int) -> int:
        """Return the number of codes in a move."""
        return len(codes_of(move))

    @staticmethod
    def own_lane(move: int, number: int) -> int:
        """Return the code of a seat's `number`-th own card plus 1; 0 if there is no such card."""
        taken = codes_of(move)
        return taken[number] + 1 if number < len(taken) else 0

    @staticmethod
    def face_at(state: StateRecord, zone: int, place: int) -> int:
        """Return the play that the card at a place becomes when a seat takes it; -1 if it lies face down."""
        return state.faces[zone][place]  # type: ignore[attr-defined, no-any-return]  # see `PublicState`

    def take_out(self, record: StateRecord, step: Choice, seat: int, receiver: int, item: int) -> tuple[int, int]:
        """Remove the card of an item from its zone. Return the card, and the play that it becomes.

        This updates the beliefs of the seats that see `receiver` get the card.
        """
        state, program = self.state(record), self.program
        if step.layout:
            cards = state.zones[step.source][0]
            card, cards[item] = cards[item], -1
            record.last_place = item
            play = dict(program.options[program.options_of[card][0]].plays)[card]
        else:
            hand = state.zones[step.source][0 if self.shared[step.source] else seat]
            card = play = item
            if not (program.simple or step.as_they_lie):
                plays = dict(program.options[item].plays)
                card = next(held for held in hand if held in plays)
                play = plays[card]
            self.take_from(hand, step.source, card)
        if state.memory is not None:
            self.observer.laid(state, step, seat, receiver, card)
        return card, play

    def take_from(self, cards: list[int], zone: int, card: int) -> None:
        """Remove a card from a zone's list: the first copy, or the last if copies can be different pieces."""
        if self.takes_last(zone):
            del cards[len(cards) - 1 - cards[::-1].index(card)]
        else:
            cards.remove(card)

    def take_all(self, state: StateRecord, step: Choice, seat: int) -> None:
        """Make a player's move consist of all of its cards in the source zone."""
        options = self.program.options_of
        self.state(state).taking[seat] = tuple([options[card][-1] for card in self.cards(state, step.source, seat)])

    def empty_zone(self, record: StateRecord, zone: int) -> None:
        """Remove the cards of all owners from a zone; places of a layout become empty."""
        state, empty = self.state(record), [-1] * len(self.program.zones[zone].layout)
        for cards in state.zones[zone]:
            cards[:] = empty
        state.down[zone] = []

    @staticmethod
    def counts_points(_rules: tuple[int, ...]) -> bool:
        """True if rules may read points, so that their points must be given together. Here this is assumed."""
        return True

    def note_points(self, record: StateRecord, index: int, seat: int, value: int) -> None:
        """Append the points that a source gave to the ledger."""
        state = self.state(record)
        state.ledger.append((index, state.round, tuple([value if other == seat else 0 for other in self.seats])))

    def draw_chip(self, record: StateRecord, pile: int, number: int, who: int) -> int:
        """Give the chip at index `number` of a pile to the seat whose bit is set in `who`. Return the seat."""
        state, seat = self.state(record), who.bit_length() - 1
        state.chips[seat].append((pile, state.piles[pile].pop(number)))
        return seat


def plan_of(program: Program) -> InterpreterPlan:
    """Return the plan of a program's interpreted games. It is made once."""
    plan: InterpreterPlan | None = program.__dict__.get("interpreter_plan")
    if plan is None:
        plan = program.__dict__["interpreter_plan"] = InterpreterPlan(program)
    return plan
