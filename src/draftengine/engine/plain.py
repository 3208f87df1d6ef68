"""A game that is played one at a time, as it stands: its cards lie in lists, and somebody may be told what happens.

The kernel asks a plan what is known of a game. This is the plan of a game that nobody specialises: the state is that of
`draftengine.engine.state`, and only where things are kept do the forms of the kernel differ (``if plan.plain``).
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Literal, TypeAlias

from draftengine.engine import seeing
from draftengine.engine.plan.base import BasePlan
from draftengine.engine.plan.base_items import FURTHER, OTHER, OWN, BaseItems

if TYPE_CHECKING:
    from draftengine.engine.choose import Action, Choice
    from draftengine.engine.moves import Move
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.program import CompiledTrigger, Program
    from draftengine.engine.record import StateRecord
    from draftengine.engine.state import GameState

    AnyPlan: TypeAlias = "InterpreterPlan | Plan"
    """The plan of a game in whatever form it is played."""


def record_of(state: GameState) -> StateRecord:
    """A state as the kernel's record: what both have is called the same, and nothing else is asked of it."""
    return state  # type: ignore[return-value]


def number_of(move: Move) -> int:
    """A move, or the beginning of one, as the kernel's number: only the plan looks into it."""
    return move  # type: ignore[return-value]


def codes_of(move: int) -> Move:
    """The codes of a move that the kernel has as a number."""
    return move  # type: ignore[return-value]


class InterpreterPlan(BasePlan):
    """A game as the kernel asks for it, played one at a time with nothing left out."""

    plain: Literal[True] = True
    observed: Literal[False] = False
    logged: Literal[False] = False
    reads_previous_words: Literal[True] = True

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.sources = program.sources_of_points
        self.shared = tuple(zone.per != "seat" for zone in program.zones)

    @staticmethod
    def guard(_watch: CompiledTrigger) -> int:
        """The counters that have to rise for a trigger to happen: none, so each trigger is asked."""
        return 0

    @staticmethod
    def state(state: StateRecord) -> GameState:
        """The state that the kernel takes for its record."""
        return state  # type: ignore[return-value]  # see `record_of`

    @staticmethod
    def cards(state: StateRecord, zone: int, owner: int) -> list[int]:
        """The cards of an owner in a zone."""
        return state.zones[zone][owner]  # type: ignore[attr-defined, no-any-return]  # asked for most of all: see `state`

    @staticmethod
    def all_choose_equally(_step: Choice) -> Literal[False]:
        """Is it certain who takes how much: never, so the kernel asks."""
        return False

    @staticmethod
    def admitted(way: Action) -> tuple[bool, ...]:
        """Which cards can go a way, by card."""
        return way.admits

    def admits_all(self, way: Action) -> bool:
        """Can every card go it, whatever it has, and has no forms."""
        return self.program.simple and not way.depends_on_card and all(way.admits)

    def seats_in(self, bits: int) -> tuple[int, ...]:
        """The seats whose bits are set."""
        return tuple([seat for seat in self.seats if bits >> seat & 1])

    def card_of(self, state: StateRecord, way: Action, seat: int) -> int:
        """The card that the way of a player is about; the first one where none goes it."""
        taken = self.state(state).taking[seat]
        if not taken:
            return 0
        return (
            self.program.counts_as[taken[0]] if way.laying.as_they_lie else self.program.options[taken[0]].plays[0][0]
        )

    @staticmethod
    def is_stored(_zone: int) -> bool:
        """Whatever lies anywhere is kept."""
        return True

    def owners(self, zone: int) -> range:
        """Who has cards of their own in a zone; a shared zone has the owner 0."""
        return range(1) if self.shared[zone] else self.seats

    def owner(self, zone: int, seat: int) -> int:
        """The owner of a seat's cards in a zone."""
        return 0 if self.shared[zone] else seat

    def move_top(self, state: StateRecord, source: tuple[int, int], target: tuple[int, int], number: int) -> None:
        """So many cards from the top of a zone of an owner come to another, one by one."""
        cards = self.cards(state, *source)
        self.cards(state, *target).extend(cards[: -number - 1 : -1])
        del cards[len(cards) - number :]

    def lay_at_place(self, record: StateRecord, zone: int, place: int, card: int) -> None:
        """A card comes to an empty place of a layout, face down where the layout says so."""
        state = self.state(record)
        state.zones[zone][0][place] = card
        if self.program.zones[zone].layout[place].face_down:
            state.down[zone] = sorted({*state.down[zone], place})

    @cached_property
    def items(self) -> BaseItems:
        """What can be named."""
        return BaseItems(self.program)

    def lanes_of(self, step: Choice, move: int) -> list[tuple[int, int, int]]:
        """For each code of a move: what stands in a lane for it, its channel, and its number on that."""
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
        """How many cards a move takes."""
        return len(codes_of(move))

    @staticmethod
    def own_lane(move: int, number: int) -> int:
        """What stands in the lane of the `number`-th card that a seat takes for itself; 0 for nothing."""
        taken = codes_of(move)
        return taken[number] + 1 if number < len(taken) else 0

    @staticmethod
    def face_at(state: StateRecord, zone: int, place: int) -> int:
        """The play that the card at a place is taken for; -1 for a card that lies face down."""
        return state.faces[zone][place]  # type: ignore[attr-defined, no-any-return]  # see `PublicState`

    def take_out(self, record: StateRecord, step: Choice, seat: int, receiver: int, item: int) -> tuple[int, int]:
        """The card that an item means leaves its zone for a receiver; the card, and the play that it becomes."""
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
            seeing.laid(state, step, seat, receiver, card)
        return card, play

    def take_from(self, cards: list[int], zone: int, card: int) -> None:
        """Such a card leaves a zone."""
        if self.takes_last(zone):
            del cards[len(cards) - 1 - cards[::-1].index(card)]
        else:
            cards.remove(card)

    def take_all(self, state: StateRecord, step: Choice, seat: int) -> None:
        """A player takes all its cards of a zone."""
        options = self.program.options_of
        self.state(state).taking[seat] = tuple([options[card][-1] for card in self.cards(state, step.source, seat)])

    def clear_places(self, state: StateRecord, zone: int) -> None:
        """Nothing lies in a layout any more."""
        self.cards(state, zone, 0)[:] = [-1] * len(self.program.zones[zone].layout)
        self.state(state).down[zone] = []

    @staticmethod
    def counts_points(_rules: tuple[int, ...]) -> bool:
        """May rules look at points, so that points are given together: always, as nobody has looked."""
        return True

    def worth_of_chips(self, state: StateRecord, seat: int) -> int:
        """What the chips of a seat are worth together."""
        values = self.program.chip_values
        return sum([values[pile][chip] for pile, chip in self.state(state).chips[seat]])

    def note_points(self, record: StateRecord, index: int, seat: int, value: int) -> None:
        """Points of a source are a line of the ledger."""
        state = self.state(record)
        state.ledger.append((index, state.round, tuple([value if other == seat else 0 for other in self.seats])))

    def draw_chip(self, record: StateRecord, pile: int, number: int, who: int) -> int:
        """The seat whose bit this is takes a chip out of a pile; which seat it is."""
        state, seat = self.state(record), who.bit_length() - 1
        state.chips[seat].append((pile, state.piles[pile].pop(number)))
        return seat
