"""What is known of a game before it begins, in whatever form it is played."""

from __future__ import annotations

from functools import cached_property, wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from draftengine.engine.program import CompiledTrigger, Program, Value

P = ParamSpec("P")
T = TypeVar("T")
Self = TypeVar("Self")


def cached_by_arguments(method: Callable[Concatenate[Self, P], T]) -> Callable[Concatenate[Self, P], T]:
    """A method that computes its value for the same arguments once. The arguments can be looked up by."""
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
    """A game as the kernel asks for it, as far as all plans say the same of it."""

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
        self.counting = tuple(zone for zone, spec in enumerate(program.zones) if spec.counts)
        """The zones whose cards count."""
        self.stays = tuple(play in program.kept_plays for play in range(len(program.plays)))
        """Does a play stay when tableaus are cleared, by play."""
        self.mixed = tuple(play.kept_increment for play in program.plays)
        """What a play keeps of the counters when it stays."""
        self.with_effects = tuple(index for index, play in enumerate(program.plays) if play.effects)
        """The plays that do something when they are laid down."""
        self.told = tuple(
            (index, bits)
            for index, (bits, narrowed) in enumerate(zip(program.modifier_of, program.after_slot_used, strict=False))
            if max(narrowed) >= 0
        )
        """The modifiers whose cards each say what they still take, with the bits of their open-counters."""
        self._watches: dict[str, tuple[CompiledTrigger, ...]] = {}
        for watch in program.watches:
            self._watches[watch.model.after] = (*self.watches(watch.model.after), watch)

    def takes_last(self, zone: int) -> bool:
        """Of cards that lie there alike, does the last one leave: where it can matter which of them does."""
        return bool(self.program.pieces_of_play) and zone in self.counting

    def watches(self, moment: str) -> tuple[CompiledTrigger, ...]:
        """The triggers of a moment."""
        return self._watches.get(moment, ())

    @cached_property
    def rises(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """What a card adds to its seat's counters when it goes from one zone of the seat to another, where cards do.

        By these zones and the card.
        """
        added = self.program.added
        return tuple(
            tuple(tuple(new - old for new, old in zip(target, source, strict=True)) for target in added)
            for source in added
        )

    @cached_property
    def wild_bit(self) -> tuple[int, ...]:
        """By card its number among the wild ones; one more than those have, for all other cards."""
        return tuple(
            self.wild.index(card) if card in self.wild else len(self.wild) for card in range(len(self.program.cards))
        )

    @cached_property
    def wild(self) -> tuple[int, ...]:
        """The cards that can be played in several forms."""
        return tuple(card for card, options in enumerate(self.program.options_of) if len(options) > 1)

    @cached_property
    def wild_in_forms_only(self) -> tuple[int, ...]:
        """The wild cards that nobody may lay down as themselves while enough other cards can be played."""
        cards = self.program.model.cards
        return tuple(card for card in self.wild if not (forms := cards[card].forms) or not forms.or_itself)

    @cached_by_arguments
    def forms(self, card: int) -> tuple[tuple[Value | None, ...], tuple[int, ...]]:
        """When each form of a wild card is allowed, and the play that it is."""
        options = [self.program.options[option] for option in self.program.options_of[card][:-1]]
        return tuple(option.condition for option in options), tuple(dict(option.plays)[card] for option in options)

    @cached_by_arguments
    def around(self, seat: int) -> tuple[int, ...]:
        """The other players, from the left of a seat."""
        count = len(self.players)
        return tuple((seat + step) % count for step in range(1, count))
