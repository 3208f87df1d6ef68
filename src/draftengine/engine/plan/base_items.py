"""What players name when they choose, as far as it is the same in whatever form a game is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from draftengine.engine.choose import Choice
    from draftengine.engine.program import Program

OWN, FURTHER, OTHER = range(3)
"""What cards are taken for: for the seat itself, by an ability, or for another seat (for the next one, one more)."""
LEVELS, TURNS, ROUNDS_LEFT = 8, 24, 3
"""So many values of a counter, turns, and rounds to come, are told apart; larger ones count as the last."""


class BaseItems:
    """The options of a game, and the counters that tell apart what their plays are worth."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.options = range(len(program.options))
        self.representative_play = tuple(option.representative_play for option in program.options)
        """The play to reckon with, by option."""
        self.card = tuple(option.plays[0][0] for option in program.options)
        """A card that an option means."""
        self.named = max(len(self.options), *(len(zone.layout) for zone in program.zones))
        """So many items, or places, can be told apart in a choice without ways."""
        self.bits = self.named.bit_length()
        """So many bits of a lane are one more than the item."""
        self.mask = (1 << self.bits) - 1
        counters = distinguishing_counters(program)
        self.shift = tuple(counter[0] for counter in counters)
        """Where the counter that tells worths apart lies, by play."""
        self.field_mask = tuple(counter[1] for counter in counters)
        self.offset = tuple(counter[2] for counter in counters)
        """What it is stored above."""

    def receiver(self, step: Choice, seat: int, channel: int) -> int:
        """Return the seat before which cards of a channel are played; those not played stay with their taker."""
        return step.also[channel - OTHER][0] if channel > FURTHER and step.plays else seat

    def gives_up(self, ability: int, number: int) -> bool:
        """Does the card of an ability leave its seat when the `number`-th further card is taken."""
        use = self.program.abilities[ability].model
        return number < use.take * use.per_turn and number % use.take == 0 and use.returns_to != "stays"


def distinguishing_counters(program: Program) -> tuple[tuple[int, int, int], ...]:
    """The first counter that each play adds to."""
    fields = []
    for play in program.plays:
        after = program.start_word + play.increment
        changed = [field for field in program.fields if field.read(after) != field.start]
        fields.append((changed[0].shift, changed[0].mask, changed[0].offset) if changed else (0, 0, 0))
    return tuple(fields)
