"""Facts about a game that are known before it begins, whether it is interpreted or compiled.

These include the *items* of a game, which players name when they choose. `Counting` adds what a tally needs.
"""

from __future__ import annotations

from functools import cached_property, wraps
from importlib.util import find_spec
from typing import TYPE_CHECKING, Concatenate, Literal, ParamSpec, TypeVar, cast

from draftengine.engine.accounting import TallyLayout, sources_of
from draftengine.engine.instructions import most_depth
from draftengine.support.identity import by_identity
from draftengine.support.locale.phrases import said

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from draftengine.engine.choose import Choice
    from draftengine.engine.instructions import Pass, Value
    from draftengine.engine.program import CompiledTrigger, Program
    from draftengine.support.locale.phrases import Text

P = ParamSpec("P")
T = TypeVar("T")
Self = TypeVar("Self")


def cached_by_arguments(method: Callable[Concatenate[Self, P], T]) -> Callable[Concatenate[Self, P], T]:
    """Cache the values of a method on its instance. All arguments must be hashable and positional."""
    place = f"_once_{method.__name__}"

    @wraps(method)
    def remembering(instance: Self, /, *args: P.args, **more: P.kwargs) -> T:
        try:
            result: T = instance.__dict__[place][args]
        except KeyError:
            result = method(instance, *args, **more)
            instance.__dict__.setdefault(place, {})[args] = result
        return result

    return remembering


class BasePlan:
    """Facts about a game that every plan provides to the kernel."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.players = range(program.players)
        self.seats = range(program.seats)
        self.ranked = range(program.ranked)
        self.able = tuple(seat for seat in self.seats if program.can_win[seat])
        self.markers = range(len(program.markers))
        self.piles = range(len(program.chip_values))
        self.rounds = program.model.rounds
        self.zones = range(len(program.zones))
        self.discard = program.zone_index("discard")
        self.tableau = program.tableau
        self.counting = program.counting
        self.bits = max((max(len(program.cards), len(program.plays)) - 1).bit_length(), 1)
        """The number of bits for one card in a packed zone."""
        self.stays = tuple(play in program.kept_plays for play in range(len(program.plays)))
        """For each play, true if it stays when tableaus are cleared."""
        self.mixed = tuple(play.kept_increment for play in program.plays)
        """For each play, what it adds to counters that keep this only while the card stays in the tableau."""
        self.with_effects = tuple(index for index, play in enumerate(program.plays) if play.effects)
        """Plays whose effects are carried out when they are laid down."""
        self.told = tuple(
            (index, bits)
            for index, (bits, narrowed) in enumerate(zip(program.modifier_of, program.after_slot_used, strict=False))
            if max(narrowed) >= 0
        )
        """Modifiers that are different plays by their number of free slots: (index, mask of the slot counter)."""
        self.lasting_rules = tuple(index for index in program.rules_at_end if program.rules[index].lasts)
        self.passing_rules = tuple(index for index in program.rules_at_end if not program.rules[index].lasts)
        self._watches: dict[str, tuple[CompiledTrigger, ...]] = {}
        for watch in program.watches:
            self._watches[watch.model.after] = (*self.watches(watch.model.after), watch)

    def takes_last(self, zone: int) -> bool:
        """True if the last copy of a card is removed from a zone, because copies can be different pieces."""
        return bool(self.program.pieces_of_play) and zone in self.counting

    def players_in(self, _step: object) -> Sequence[int]:
        """Return the players for whom a step can be."""
        return self.players

    def ranked_in(self, _watch: CompiledTrigger) -> Sequence[int]:
        """Return the seats that a trigger can affect."""
        return self.ranked

    def watches(self, moment: str) -> tuple[CompiledTrigger, ...]:
        """Return the triggers that run at a moment of the flow, in the order of `Program.watches`."""
        return self._watches.get(moment, ())

    @cached_property
    def rises(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The change of a packed word when a card moves: by zone it leaves, zone it enters, and card."""
        added = self.program.added
        return tuple(
            tuple(tuple(new - old for new, old in zip(target, source, strict=True)) for target in added)
            for source in added
        )

    @cached_property
    def wild_bit(self) -> tuple[int, ...]:
        """For each card, its index in `wild`, or `len(wild)` for a card that is not wild."""
        return tuple(
            self.wild.index(card) if card in self.wild else len(self.wild) for card in range(len(self.program.cards))
        )

    @cached_property
    def wild(self) -> tuple[int, ...]:
        """Cards that can be played in several forms."""
        return tuple(card for card, options in enumerate(self.program.options_of) if len(options) > 1)

    @cached_property
    def wild_in_forms_only(self) -> tuple[int, ...]:
        """Wild cards that must be played in a form while enough other cards can be played."""
        cards = self.program.model.cards
        return tuple(card for card in self.wild if not (forms := cards[card].forms) or not forms.or_itself)

    @cached_by_arguments
    def forms(self, card: int) -> tuple[tuple[Value | None, ...], tuple[int, ...]]:
        """Return the conditions of a wild card's forms, and the play for each form."""
        options = [self.program.options[option] for option in self.program.options_of[card][:-1]]
        return tuple(option.condition for option in options), tuple(dict(option.plays)[card] for option in options)

    @cached_property
    def most_depth(self) -> int:
        """The largest number of repeats that surround one repeat."""
        return most_depth(self.program.code)

    @cached_by_arguments
    def rounds_to_the_left(self, step: Pass) -> int:
        """Return the rounds, as bits, in which a step passes to the left.

        Directions repeat after the last bit.
        """
        ways = len(step.steps)
        return sum(1 << number % ways for number in range(1, ways + 1) if step.direction(number) == 1)

    @staticmethod
    def asked_for(step: Choice) -> tuple[int, ...]:
        """Return, for each action, the card for which a seat asks other players; -1 if none."""
        return tuple(way.ask for way in step.actions)

    @staticmethod
    def given(step: Choice) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Return the different values of `Action.give` among a step's actions that ask for a card."""
        return tuple(dict.fromkeys(way.give for way in step.actions if way.ask >= 0))

    @staticmethod
    def ways_giving(step: Choice, give: tuple[tuple[int, ...], ...]) -> int:
        """Return the actions that ask for a card and whose `Action.give` equals `give`, as bits."""
        return sum(1 << index for index, way in enumerate(step.actions) if way.ask >= 0 and way.give == give)

    @cached_by_arguments
    def around(self, seat: int) -> tuple[int, ...]:
        """Return the other players in turn order, starting to the left of a seat."""
        count = len(self.players)
        return tuple((seat + step) % count for step in range(1, count))


OWN, FURTHER, OTHER = range(3)
"""Channels of a move: cards for the seat itself, cards that an ability takes, cards for another seat.

The second of the other seats has the channel `OTHER + 1`, and so on.
"""
LEVELS, TURNS, ROUNDS_LEFT = 8, 24, 3
"""The numbers of counter values, turns and remaining rounds for which worth tables have entries.

Larger values count as the largest one.
"""
ABOVE_ALL_VALUES = 1 << 40
"""A number above any value of a formula."""
NOTHING = {"cards": 0, "sum": 0, "highest": -ABOVE_ALL_VALUES, "lowest": ABOVE_ALL_VALUES, "on_top": 0}
"""The result of a function of the cards in a zone before any card is included."""
EXPLORE = 10
"""In playouts, one in this many moves is drawn at random from all legal moves."""
STRANGERS = 3
"""While a worth table is learnt, one in this many seats plays greedily, on average."""


class BaseItems:
    """The options of a game; and for each play, the counter that selects its worth."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.options = range(len(program.options))
        self.representative_play = tuple(option.representative_play for option in program.options)
        """For each option, the play that is assumed while the card is unknown."""
        self.card = tuple(option.plays[0][0] for option in program.options)
        """For each option, the first of its cards."""
        self.named = max(len(self.options), *(len(zone.layout) for zone in program.zones))
        """The number of items in a choice without actions: the largest number of options or places."""
        self.bits = self.named.bit_length()
        """The number of bits that hold an item plus one."""
        self.mask = (1 << self.bits) - 1
        counters = distinguishing_counters(program)
        self.shift = tuple(counter[0] for counter in counters)
        """For each play, the first bit in the packed word of the counter that selects the play's worth."""
        self.field_mask = tuple(counter[1] for counter in counters)
        self.offset = tuple(counter[2] for counter in counters)
        """For each play, the amount added when the counter that selects its worth is stored."""

    def receiver(self, step: Choice, seat: int, channel: int) -> int:
        """Return the seat for which a channel's cards are played; the choosing seat if they are not played."""
        return step.also[channel - OTHER][0] if channel > FURTHER and step.plays else seat

    def gives_up(self, ability: int, number: int) -> bool:
        """True if an ability's card leaves its seat when the `number`-th further card is taken."""
        use = self.program.abilities[ability].model
        return number < use.take * use.per_turn and number % use.take == 0 and use.returns_to != "stays"


@by_identity(8)
def distinguishing_counters(program: Program) -> tuple[tuple[int, int, int], ...]:
    """Return, for each play, shift, mask and offset of the first counter that it changes; zeros if none."""
    fields = []
    for play in program.plays:
        after = program.start_word + play.increment
        changed = [field for field in program.fields if field.read(after) != field.start]
        fields.append((changed[0].shift, changed[0].mask, changed[0].offset) if changed else (0, 0, 0))
    return tuple(fields)


class Counting(BasePlan):
    """A plan with the layout of the tally, so that finished games can be counted."""

    plain: Literal[False] = False
    """True for games played one at a time on the unspecialised kernel (see `draftengine.engine.plain`)."""
    can_run_short: Literal[False] = False
    """True if games may start from positions laid out by hand, in which zones can have unexpected sizes."""
    watched: Literal[False] = False
    """True if an observer learns what happens (see `draftengine.engine.observers`)."""

    def __init__(self, program: Program, *, logged: bool) -> None:
        """Derive the layout of the tally; with `logged`, every play is counted."""
        super().__init__(program)
        self.logged = logged
        self.sources = sources_of(program)
        self.shape = TallyLayout.of(program, logged=logged)
        """The layout of the tally."""
        self.columns = self.shape.seats * (1 + self.shape.sources) + 1
        """The length of the row that describes one game, without the counts of its plays."""


LANES = 63
"""The number of bits in a word that can hold cards."""


class UnsupportedError(ValueError):
    """The error for a game that does not fit into machine words, or needs too large a table."""

    @property
    def reason(self) -> Text:
        """The reason, as a phrase for any language."""
        return cast("Text", self.args[0])


TOO_LARGE = said("slow.large")
"""The reason if specialising a game would produce too much code."""


def can_compile() -> bool:
    """True if the compiler (llvmlite) is installed."""
    return find_spec("llvmlite") is not None
