"""Facts of a game that are known before it begins and that every kind of plan needs."""

from __future__ import annotations

from functools import cached_property, wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from draftengine.engine.control import StartTurns

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.engine.cards import Pass
    from draftengine.engine.choose import Choice
    from draftengine.engine.program import CompiledTrigger, Program, Value

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
    """A game as the kernel sees it: the part that all plans share."""

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
        """Number of bits for a card in a packed zone."""
        self.stays = tuple(play in program.kept_plays for play in range(len(program.plays)))
        """True, by play, if the play stays when tableaus are cleared."""
        self.mixed = tuple(play.kept_increment for play in program.plays)
        """Part of each play's increment that survives clearing only if the play stays."""
        self.with_effects = tuple(index for index, play in enumerate(program.plays) if play.effects)
        """Plays with effects that are carried out when they are laid down."""
        self.told = tuple(
            (index, bits)
            for index, (bits, narrowed) in enumerate(zip(program.modifier_of, program.after_slot_used, strict=False))
            if max(narrowed) >= 0
        )
        """Modifiers whose plays show their remaining slots, each with the bit mask of its open-counter."""
        self._watches: dict[str, tuple[CompiledTrigger, ...]] = {}
        for watch in program.watches:
            self._watches[watch.model.after] = (*self.watches(watch.model.after), watch)

    def takes_last(self, zone: int) -> bool:
        """True if the last of several equal cards is removed: zones where pieces make them differ."""
        return bool(self.program.pieces_of_play) and zone in self.counting

    def watches(self, moment: str) -> tuple[CompiledTrigger, ...]:
        """Return the triggers of a moment, in the order of `Program.watches`."""
        return self._watches.get(moment, ())

    @cached_property
    def rises(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Change of the packed word when a card moves between zones of its seat, by source, target and card."""
        added = self.program.added
        return tuple(
            tuple(tuple(new - old for new, old in zip(target, source, strict=True)) for target in added)
            for source in added
        )

    @cached_property
    def wild_bit(self) -> tuple[int, ...]:
        """Index of each card in `wild`; `len(wild)` for cards that are not wild."""
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
        """Return the conditions of a wild card's forms, and the play of each form."""
        options = [self.program.options[option] for option in self.program.options_of[card][:-1]]
        return tuple(option.condition for option in options), tuple(dict(option.plays)[card] for option in options)

    @cached_property
    def most_depth(self) -> int:
        """Largest number of repeats that surround a repeat."""
        return max((step.depth for step in self.program.code if isinstance(step, StartTurns)), default=0)

    @cached_by_arguments
    def rounds_to_the_left(self, step: Pass) -> int:
        """Return the rounds in which a step passes cards to the left, as bits."""
        return sum(1 << number for number in range(1, self.rounds + 1) if step.direction(number) == 1)

    @staticmethod
    def asked_for(step: Choice) -> tuple[int, ...]:
        """Return, by action, the card that other players are asked for; -1 if none."""
        return tuple(way.ask for way in step.actions)

    @staticmethod
    def given(step: Choice) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """Return the distinct orders in which cards are given in return for a card asked for."""
        return tuple(dict.fromkeys(way.give for way in step.actions if way.ask >= 0))

    @staticmethod
    def ways_giving(step: Choice, give: tuple[tuple[int, ...], ...]) -> int:
        """Return the actions that give cards in a certain order in return, as bits."""
        return sum(1 << index for index, way in enumerate(step.actions) if way.ask >= 0 and way.give == give)

    @cached_by_arguments
    def around(self, seat: int) -> tuple[int, ...]:
        """Return the other players in turn order, starting at the left of a seat."""
        count = len(self.players)
        return tuple((seat + step) % count for step in range(1, count))
