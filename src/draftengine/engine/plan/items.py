"""What players name when they choose, and how a move is one number: known before a game begins.

An *item* is an option (a face, or a form of a wild card), or a place of a layout. Cards of a *kind* can be named alike;
a kind goes by the option of its bare face. A move has a *lane* for every pick of a choice (see `Plan.pick_index`), the
first in the lowest bits: one more than the item that is taken, and 0 where none is. Above that stands the number of the
ability, among those of the choice, that a further card is taken with. Where there are ways, the item of the first lane
is numbered by way; which way all others go is told by that.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.choose import Choice
from draftengine.engine.offer import MANY, MANY_LONG, SHORT
from draftengine.engine.plan.base import cached_by_arguments
from draftengine.engine.plan.base_items import FURTHER, OTHER, OWN, BaseItems
from draftengine.engine.plan.limits import UnsupportedError
from draftengine.engine.plan.shortlist import WIDTH

if TYPE_CHECKING:
    from draftengine.engine.choose import Action
    from draftengine.engine.plan.plan import Plan
    from draftengine.engine.program import CompiledEffect

MOST_UNROLLED = 32
"""So many options at most are looked at one by one in the kernel."""
_WORD = 63


class PickPosition(Struct, frozen=True):
    """Where in a move a card stands."""

    channel: int
    index: int
    """For which of the ways, abilities or other seats of the choice the card is taken."""
    number: int
    """How many cards stand before it on its channel."""
    bit_field: int
    """Where its lane begins."""
    base: int = 0
    """What stands there beside one more than the item."""
    taker: int = 0
    """Whose items can be named."""
    way: Action | None = None


class Items(BaseItems):
    """The items of a game whose moves are listed. Raises `UnsupportedError` if they cannot be."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan.program)
        self.plan, program = plan, plan.program
        self.pieces = range(1 + max(option for options in program.options_of for option in options), len(self.options))
        """The options that no card offers: as what cards lie that are chosen where they count."""
        self.faces = range(
            min((options[0] for options in program.options_of if len(options) > 1), default=self.pieces.start)
        )
        """The options that are bare faces: they come before the forms of wild cards."""
        self.play = tuple(-1 if item in self.faces else self.representative_play[item] for item in self.options)
        """The play that it becomes; -1 = as itself."""
        self.kind = tuple(program.options_of[card][-1] for card in self.card)
        """The kind of card that an option is about."""
        self.kind_of_card = tuple(options[-1] for options in program.options_of)
        wild = plan.wild
        self.wild = tuple(wild.index(card) + 1 if card in wild else 0 for card in map(self._only_card, self.faces))
        """Which wild card a face is, from 1; 0 if it is none."""
        self.choices = [step for step in program.code if isinstance(step, Choice)]
        abilities = max((len(step.abilities) for step in self.choices), default=0)
        self.lane_bits = self.bits + max(abilities - 1, 0).bit_length()
        self.first_bits = max(self.lane_bits, program.width.bit_length())
        """So many bits the first lane has."""
        for step in self.choices if plan.lists else ():
            self._check(step)

    def _only_card(self, face: int) -> int:
        cards = [card for card, _ in self.program.options[face].plays]
        if len(cards) > 1 and not set(cards).isdisjoint(self.plan.wild):
            raise UnsupportedError("a wild card looks like another card")
        return cards[0]

    def _check(self, step: Choice) -> None:
        if self.plan.in_words and self._lane(self.plan.picks_of(step)) > _WORD:
            raise UnsupportedError("moves of so many cards do not fit into a word")

    # ── moves as numbers ────────────────────────────────────────────────────────────────────────────────────────────

    def _lane(self, pick: int) -> int:
        """Where the lane of a pick of a seat begins."""
        return self.first_bits + (pick - 1) * self.lane_bits if pick else 0

    def own_lane(self, number: int) -> int:
        """Where the lane of the `number`-th card that a seat takes for itself begins."""
        return self._lane(number)

    def own_lanes(self, step: Choice) -> range:
        """The numbers of these lanes: a way has one, too, that no card goes."""
        return range(max(self.plan.max_own_picks(step), int(bool(step.actions))))

    def further_lane(self, step: Choice, number: int) -> int:
        """Where the lane of the `number`-th further card by an ability begins."""
        return self._lane(self.plan.ability_pick_index(step, 0, number))

    def other_lane(self, step: Choice, index: int, number: int) -> int:
        """Where the lane begins of the `number`-th card for the `index`-th of the seats that somebody chooses for."""
        return self._lane(self.plan.other_pick_index(step, 0, index, number))

    @cached_by_arguments
    def packed_zones(self, step: Choice) -> tuple[tuple[int, int, int], ...]:
        """Every lane: where it begins, its channel, and its number on that.

        Channels are cards for the seat itself (`OWN`), by an ability (`FURTHER`), and behind that for each other seat.
        """
        main = [(self.own_lane(number), OWN, number) for number in self.own_lanes(step)]
        further = [
            (self.further_lane(step, number), FURTHER, number) for number in range(self.plan.max_ability_picks(step))
        ]
        others = [
            (self.other_lane(step, index, number), OTHER + index, number)
            for index, (_, _, cards) in enumerate(step.also)
            for number in range(cards)
        ]
        return (*main, *further, *others)

    @cached_by_arguments
    def place(self, step: Choice, channel: int, index: int, number: int) -> PickPosition:
        """A place in the moves of a choice."""
        if channel == OWN and step.actions:
            base = 0 if number else index * step.items_per_action
            return PickPosition(channel, index, number, self.own_lane(number), base, way=step.actions[index])
        if channel == OWN:
            return PickPosition(channel, index, number, self.own_lane(number))
        if channel == FURTHER:
            return PickPosition(channel, index, number, self.further_lane(step, number), index << self.bits)
        return PickPosition(channel, index, number, self.other_lane(step, index, number), taker=self.taker(index))

    def behind(self, step: Choice, place: PickPosition) -> PickPosition:
        """The next place on the same channel."""
        return self.place(step, place.channel, place.index, place.number + 1)

    def taker(self, index: int) -> int:
        """The taker (see `takers`) that the `index`-th of the seats is for which somebody chooses; 0 is oneself."""
        return 1 + index if self.plan.wild else 0

    @cached_property
    def takers(self) -> int:
        """How many takers there are: seats for which other items can be named, because a card is wild."""
        return 1 + max((len(step.also) for step in self.choices), default=0) * bool(self.plan.wild)

    # ── how many moves there are ────────────────────────────────────────────────────────────────────────────────────

    @cached_by_arguments
    def most_moves(self, step: Choice) -> int:
        """A seat never has more moves than this in a choice."""
        named = len(self.program.zones[step.source].layout) or self._most_named(step)
        if step.actions:
            return sum(min(named, len(self.going(way))) ** self.plan.max_own_picks(way.laying) for way in step.actions)
        uses = [self.program.abilities[ability].model for ability in step.abilities]
        further: int = sum(named ** (use.take * often) for use in uses for often in range(1, use.per_turn + 1))
        others: int = named ** sum(cards for _, _, cards in step.also)
        main: int = named ** self.plan.max_own_picks(step)
        return main * (1 + further) * others

    @cached_by_arguments
    def going(self, way: Action) -> tuple[int, ...]:
        """The options that can be named of the cards that can go a way, whatever they have."""
        admitted = self.plan.admitted(way)
        lying = way.laying.as_they_lie
        return tuple([option for option in self.options if admitted[option if lying else self.card[option]]])

    @cached_by_arguments
    def is_of_one_kind(self, way: Action) -> bool:
        """Do only like cards go a way: then there is one move for as many as go it, however many that are."""
        return len(self.going(way)) == 1 and not self.plan.wild

    def _most_named(self, step: Choice) -> int:
        """So many options at most can be named of the cards in one hand, or of those that lie where they count."""
        if step.as_they_lie:
            return min(len(self.options), self.plan.capacity(step.source))
        forms = sorted(len(options) for options in self.program.options_of)[::-1]
        return min(len(self.options), sum(forms[: self.plan.capacity(step.source)]))

    @cached_by_arguments
    def is_bid(self, step: Choice) -> bool:
        """Does no way of a choice take a card itself: what is chosen is a number or a name, as in a bid."""
        return bool(step.actions) and not any(self.plan.max_own_picks(way.laying) for way in step.actions)

    @cached_by_arguments
    def are_few(self, step: Choice) -> bool:
        """Can each move always be looked at (see `draftengine.engine.offer.Moves.few`)."""
        return self.most_moves(step) <= (MANY if self.plan.picks_of(step) <= SHORT else MANY_LONG)

    @cached_property
    def most(self) -> int:
        """So many moves, or beginnings of moves, are looked at at once."""
        return max(map(self._most_at_once, self.choices), default=0)

    def _most_at_once(self, step: Choice) -> int:
        if self.are_few(step):
            return self.most_moves(step)
        channels = 1 + len(step.actions) + len(step.abilities) + len(step.also)
        return max(MANY + 1, WIDTH * self.named * channels)

    @cached_property
    def most_whole(self) -> int:
        """So many moves are found at most where there are too many to look at each."""
        return WIDTH * (1 + self.plan.picks) if not all(map(self.are_few, self.choices)) else 0

    @cached_by_arguments
    def at_a_glance(self, step: Choice) -> bool:
        """Are options few, and hands words, so that code of its own for every option is best."""
        few = len(self.options) <= MOST_UNROLLED
        return few and self.plan.takes_exactly_one(step) and not step.layout and self.plan.is_lanes(step.source)

    @cached_by_arguments
    def from_any_seat(self, step: Choice) -> bool:
        """Can moves be compared from a view of the table that is turned round (see `draftengine.engine.kernel.view`).

        Where triggers change counters, one seat after the other, the order of the seats can matter.
        """
        return not step.layout and not step.actions and self.plan.is_lanes(step.source) and not self.by_triggers

    # ── what a move can change ──────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def every_bit(self) -> int:
        """All bits of packed counters."""
        return sum(field.field_mask for field in self.program.fields)

    @cached_property
    def by_triggers(self) -> int:
        """The bits of packed counters that triggers of a reveal can change."""
        watches = self.plan.watches("reveal")
        return self._bits_of([self.program.effects[effect] for watch in watches for effect in watch.effects])

    def _bits_of(self, effects: list[CompiledEffect]) -> int:
        """What is expected of effects: they change counters, or cards leave with all that they added."""
        bits = 0
        for effect in effects:
            for amount in effect.amounts:
                bits |= amount.field.field_mask
            for play in {effect.target, *effect.pieces} if effect.kind == "discard" and effect.target >= 0 else ():
                bits |= self._moved_by(self.program.increments[play])
        return bits

    def _moved_by(self, increment: int) -> int:
        """The bits of the counters that an increment changes."""
        middle = sum(field.mask // 2 << field.shift for field in self.program.fields)
        return sum(
            field.field_mask for field in self.program.fields if (middle ^ middle + increment) & field.field_mask
        )

    @cached_by_arguments
    def changes(self, play: int) -> int:
        """The bits of packed counters that a play can change, for all that is expected of it."""
        if self.plan.tables.share_faces or self.program.cards_count_elsewhere:
            return self.every_bit  # more of a typical card than there are may go beyond its counter
        played = self.program.plays[play]
        bits = self._bits_of([self.program.effects[effect] for effect in played.effects]) | self.by_triggers
        for increment in played.increments:
            bits |= self._moved_by(increment)
        return bits

    @cached_by_arguments
    def rules_behind(self, play: int) -> tuple[int, ...]:
        """The rules whose points a play can change."""
        bits = self.changes(play)
        return tuple(index for index, rule in enumerate(self.program.rules) if rule.reads & bits)
