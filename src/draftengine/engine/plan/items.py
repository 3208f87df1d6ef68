"""Items of a game and the layout of moves as numbers, known before a game begins.

An *item* is an option (a face, or a form of a wild card), or a place of a layout. Cards are of the same *kind* if they
have the same options. A kind has the same number as the option for its face without a form.

A move is one integer. It has a *lane* of bits for every pick of a choice (see `Plan.pick_index`), the first pick in the
lowest bits. A lane holds the item plus one, or 0 if no card is taken. If an ability takes the card, the bits above the
item hold the index of the ability within the choice. In a choice with actions, the item in the first lane includes the
action; all other lanes belong to the same action. A *taker* is a seat with its own items: the choosing seat, or another
seat for which it chooses.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

from draftengine.engine.choose import Choice
from draftengine.engine.offer import MANY, MANY_LONG, SHORT, WIDTH
from draftengine.engine.plan.base import FURTHER, OTHER, OWN, BaseItems, UnsupportedError, cached_by_arguments
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from draftengine.engine.choose import Action
    from draftengine.engine.plan import Plan
    from draftengine.engine.program import CompiledEffect

MOST_UNROLLED = 32
"""The largest number of options for which the kernel has separate code per option."""
_WORD = 63


class PickPosition(Struct, frozen=True):
    """The position of one card within a move."""

    channel: int
    index: int
    """The index, within the choice, of the action, ability or other seat for which the card is taken."""
    number: int
    """The number of cards that precede this card on its channel."""
    bit_field: int
    """The position of the card's lowest bit in the number that encodes the move."""
    base: int = 0
    """A constant that is added to the item plus one in the card's bits."""
    taker: int = 0
    """The number of the seat whose items can be chosen (see `Items.taker`)."""
    way: Action | None = None


class Items(BaseItems):
    """The items of a game whose moves can be listed. Raises `UnsupportedError` if moves do not fit."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan.program)
        self.plan, program = plan, plan.program
        self.pieces = range(1 + max(option for options in program.options_of for option in options), len(self.options))
        """Options for pieces. They are only named in choices from a zone in which cards add to counters."""
        self.faces = range(
            min((options[0] for options in program.options_of if len(options) > 1), default=self.pieces.start)
        )
        """The options for faces, without a form. They precede the options for forms of wild cards."""
        self.play = tuple(-1 if item in self.faces else self.representative_play[item] for item in self.options)
        """For each option, its play; -1 if the card is played as itself."""
        self.kind = tuple(program.options_of[card][-1] for card in self.card)
        """For each option, the kind of its first card. Cards with the same options are of one kind."""
        self.kind_of_card = tuple(options[-1] for options in program.options_of)
        wild, by_face = plan.wild, [[card for card, _ in self.program.options[face].plays] for face in self.faces]
        if any(len(cards) > 1 and not set(cards).isdisjoint(wild) for cards in by_face):
            raise UnsupportedError(said("slow.wild-alike"))
        self.wild = tuple(wild.index(card) + 1 if card in wild else 0 for card, *_ in by_face)
        """For each face, the index of its card among the wild cards, from 1; 0 if the card is not wild."""
        self.choices = [step for step in program.code if isinstance(step, Choice)]
        abilities = max((len(step.abilities) for step in self.choices), default=0)
        self.lane_bits = self.bits + max(abilities - 1, 0).bit_length()
        self.first_bits = max(self.lane_bits, program.width.bit_length())
        """The number of bits for the first card of a move."""
        for step in self.choices if plan.lists else ():
            if self.plan.in_words and self._lane(self.plan.picks_of(step)) > _WORD:
                raise UnsupportedError(said("slow.moves"))

    # ── moves as numbers ────────────────────────────────────────────────────────────────────────────────────────────

    def _lane(self, pick: int) -> int:
        """Return the position of a pick's lowest bit in a move. The first pick begins at bit 0."""
        return self.first_bits + (pick - 1) * self.lane_bits if pick else 0

    def own_lane(self, number: int) -> int:
        """Return the position in a move of the bits for the `number`-th card that a seat takes for itself."""
        return self._lane(number)

    def own_lanes(self, step: Choice) -> range:
        """Return the numbers that `own_lane` accepts: one for each card that a seat can take for itself.

        With actions, there is at least one number, because an action without a card needs bits, too.
        """
        return range(max(self.plan.max_own_picks(step), int(bool(step.actions))))

    def further_lane(self, step: Choice, number: int) -> int:
        """Return the position in a move of the bits for the `number`-th further card taken with an ability."""
        return self._lane(self.plan.ability_pick_index(step, 0, number))

    def other_lane(self, step: Choice, index: int, number: int) -> int:
        """Return the position in a move of the bits for the `number`-th card for the `index`-th other seat."""
        return self._lane(self.plan.other_pick_index(step, 0, index, number))

    @cached_by_arguments
    def lanes_of(self, step: Choice) -> tuple[tuple[int, int, int], ...]:
        """Return the lanes (bits for one card) of a choice's moves: first bit, channel, index on the channel.

        The channels are `OWN`, `FURTHER`, and `OTHER` plus the index of another seat.
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
        """Return the position of a card within moves of a choice, from its channel, index and number."""
        if channel == OWN and step.actions:
            base = 0 if number else index * step.items_per_action
            return PickPosition(channel, index, number, self.own_lane(number), base, way=step.actions[index])
        if channel == OWN:
            return PickPosition(channel, index, number, self.own_lane(number))
        if channel == FURTHER:
            return PickPosition(channel, index, number, self.further_lane(step, number), index << self.bits)
        return PickPosition(channel, index, number, self.other_lane(step, index, number), taker=self.taker(index))

    def behind(self, step: Choice, place: PickPosition) -> PickPosition:
        """Return the position of the next card after `place` on the same channel."""
        return self.place(step, place.channel, place.index, place.number + 1)

    def taker(self, index: int) -> int:
        """Return the number of the taker for the `index`-th other seat of a choice; 0 is the choosing seat.

        Without wild cards, the options of all seats are equal, so one taker serves all.
        """
        return 1 + index if self.plan.wild else 0

    @cached_property
    def takers(self) -> int:
        """The number of seats with separate items. Without wild cards, all seats share one list of items."""
        return 1 + max((len(step.also) for step in self.choices), default=0) * bool(self.plan.wild)

    # ── how many moves there are ────────────────────────────────────────────────────────────────────────────────────

    @cached_by_arguments
    def most_moves(self, step: Choice) -> int:
        """Return an upper bound for the number of moves that a seat has in a choice."""
        # An upper bound for the number of options or places that a seat can name.
        named = len(self.program.zones[step.source].layout)
        if not named:
            forms = sorted(len(options) for options in self.program.options_of)[::-1]
            room = max(map(self.plan.capacity, step.sources))
            named = min(len(self.options), room if step.as_they_lie else sum(forms[:room]))
        if step.actions:
            return sum(min(named, len(self.going(way))) ** self.plan.max_own_picks(way.laying) for way in step.actions)
        uses = [self.program.abilities[ability].model for ability in step.abilities]
        further: int = sum(named ** (use.take * often) for use in uses for often in range(1, use.per_turn + 1))
        others: int = named ** sum(cards for _, _, cards in step.also)
        main: int = named ** self.plan.max_own_picks(step)
        return main * (1 + further) * others

    @cached_by_arguments
    def going(self, way: Action) -> tuple[int, ...]:
        """Return the options of the cards that an action accepts, ignoring its conditions."""
        admitted = self.plan.admitted(way)
        lying = way.laying.as_they_lie
        return tuple([option for option in self.options if admitted[option if lying else self.card[option]]])

    @cached_by_arguments
    def is_of_one_kind(self, way: Action) -> bool:
        """True if an action accepts only equal cards, so that each number of cards has just one move."""
        return len(self.going(way)) == 1 and not self.plan.wild

    @cached_by_arguments
    def is_bid(self, step: Choice) -> bool:
        """True if no action of a choice takes cards. Then a move is just a number or a name, like a bid."""
        return bool(step.actions) and not any(self.plan.max_own_picks(way.laying) for way in step.actions)

    @cached_by_arguments
    def are_few(self, step: Choice) -> bool:
        """True if the moves are so few that all can be evaluated (see `draftengine.engine.offer.Moves.few`)."""
        return self.most_moves(step) <= (MANY if self.plan.picks_of(step) <= SHORT else MANY_LONG)

    @cached_property
    def most(self) -> int:
        """The largest number of moves, finished or not, that are compared at once."""
        most = 0
        for step in self.choices:
            channels = 1 + len(step.actions) + len(step.abilities) + len(step.also)
            in_beam = max(MANY + 1, WIDTH * self.named * channels)
            most = max(most, self.most_moves(step) if self.are_few(step) else in_beam)
        return most

    @cached_property
    def most_whole(self) -> int:
        """The largest number of complete moves that the beam search finds; 0 if no choice needs it."""
        return WIDTH * (1 + self.plan.picks) if not all(map(self.are_few, self.choices)) else 0

    @cached_by_arguments
    def at_a_glance(self, step: Choice) -> bool:
        """True if the kernel has code for each option: options are few, hands packed, and moves one pick long."""
        few = len(self.options) <= MOST_UNROLLED
        return few and self.plan.takes_exactly_one(step) and not step.layout and self.plan.is_lanes(step.source)

    @cached_by_arguments
    def from_any_seat(self, step: Choice) -> bool:
        """True if moves can be compared on a rotated view of the table (`draftengine.engine.kernel.policies`).

        This is impossible if triggers change counters: triggers run seat by seat, so the order of the seats can matter.
        """
        return not step.layout and not step.actions and self.plan.is_lanes(step.source) and not self.by_triggers

    # ── what a move can change ──────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def every_bit(self) -> int:
        """The mask of all counters in a packed word."""
        return sum(field.field_mask for field in self.program.fields)

    @cached_property
    def by_triggers(self) -> int:
        """The mask of the counters that reveal triggers can change."""
        watches = self.plan.watches("reveal")
        return self._bits_of([self.program.effects[effect] for watch in watches for effect in watch.effects])

    def _bits_of(self, effects: list[CompiledEffect]) -> int:
        """Return the mask of the counters that effects are expected to change.

        A discarded card is assumed to take away everything that it added.
        """
        bits = 0
        for effect in effects:
            for amount in effect.amounts:
                bits |= amount.field.field_mask
            for play in {effect.target, *effect.pieces} if effect.kind == "discard" and effect.target >= 0 else ():
                bits |= self._moved_by(self.program.increments[play])
        return bits

    def _moved_by(self, increment: int) -> int:
        """Return the mask of the counters that an increment changes."""
        middle = sum(field.mask // 2 << field.shift for field in self.program.fields)
        return sum(
            field.field_mask for field in self.program.fields if (middle ^ middle + increment) & field.field_mask
        )

    @cached_by_arguments
    def changes(self, play: int) -> int:
        """Return the mask of the counters that laying down `play`, with its effects, is expected to change."""
        if self.plan.tables.share_faces or self.program.cards_count_elsewhere:
            return self.every_bit  # assuming more copies of a card than exist may overflow its counter
        played = self.program.plays[play]
        bits = self._bits_of([self.program.effects[effect] for effect in played.effects]) | self.by_triggers
        for increment in played.increments:
            bits |= self._moved_by(increment)
        return bits

    @cached_by_arguments
    def rules_behind(self, play: int) -> tuple[int, ...]:
        """Return the rules whose points a card laid down as `play` can change."""
        bits = self.changes(play)
        return tuple(index for index, rule in enumerate(self.program.rules) if rule.reads & bits)
