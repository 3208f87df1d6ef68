"""Items of a game: what players name when they choose. This is the part that all plans share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.program import Program

OWN, FURTHER, OTHER = range(3)
"""Channels of a move: cards for the seat itself, cards by an ability, cards for another seat.

The second other seat has the channel `OTHER + 1`, and so on.
"""
LEVELS, TURNS, ROUNDS_LEFT = 8, 24, 3
"""Number of counter values, turns and rounds to come that worth tables distinguish.

Larger values count as the largest one.
"""


class BaseItems:
    """The options of a game, and for each play the counter on which its worth depends."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.options = range(len(program.options))
        self.representative_play = tuple(option.representative_play for option in program.options)
        """Play that is assumed for each option while the card is unknown."""
        self.card = tuple(option.plays[0][0] for option in program.options)
        """First card of each option."""
        self.named = max(len(self.options), *(len(zone.layout) for zone in program.zones))
        """Number of items in a choice without actions: options or places, whichever are more."""
        self.bits = self.named.bit_length()
        """Number of bits in a lane that hold the item plus one."""
        self.mask = (1 << self.bits) - 1
        counters = distinguishing_counters(program)
        self.shift = tuple(counter[0] for counter in counters)
        """Position in the packed word of the counter on which a play's worth depends, by play."""
        self.field_mask = tuple(counter[1] for counter in counters)
        self.offset = tuple(counter[2] for counter in counters)
        """Offset of that counter: the stored value minus the counter's value, by play."""

    def receiver(self, step: Choice, seat: int, channel: int) -> int:
        """Return the seat that cards of a channel are played for, or the taker if they are not played."""
        return step.also[channel - OTHER][0] if channel > FURTHER and step.plays else seat

    def gives_up(self, ability: int, number: int) -> bool:
        """True if an ability's card leaves its seat when the `number`-th further card is taken."""
        use = self.program.abilities[ability].model
        return number < use.take * use.per_turn and number % use.take == 0 and use.returns_to != "stays"


def distinguishing_counters(program: Program) -> tuple[tuple[int, int, int], ...]:
    """Return shift, mask and offset of the first counter that each play changes; zeros if it changes none."""
    fields = []
    for play in program.plays:
        after = program.start_word + play.increment
        changed = [field for field in program.fields if field.read(after) != field.start]
        fields.append((changed[0].shift, changed[0].mask, changed[0].offset) if changed else (0, 0, 0))
    return tuple(fields)
