"""Tables as they are kept: with the names of cards and counters, so that games with other rules can use them, too."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct

from draftengine.bots.worth.learning import GRAIN, Learned
from draftengine.engine.plan.base_items import LEVELS, ROUNDS_LEFT, TURNS, distinguishing_counters
from draftengine.engine.worth_tables import Worth, size_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.engine.program import Program

VERSION: Literal[1] = 1
"""Of the format, and of what is learnt: a table of another version is none."""
_ROW = LEVELS * TURNS
_BLOCKS = 2 * ROUNDS_LEFT
"""So often there is a row for every play: by rounds to come, laid down or put aside."""
_MOST_BYTES = 1 << 24
_FAR = 0.1
"""A table for one player more or less is as much further away as if so large a part of the rules were different."""


class WorthFile(Struct, frozen=True, array_like=True):
    """What was learnt of one game, in words that outlive the numbering of its cards."""

    version: Literal[1]
    rules: str
    """The hash of the rules (see `draftengine.model.selection.rules_hash`)."""
    cardset: str
    players: int
    selected: tuple[str, ...]
    """Variants, and answers of readings that are not the usual ones."""
    traits: tuple[str, ...]
    """What the rules are made of: the more two games have in common, the nearer is a table of one to the other."""
    plays: tuple[tuple[str, str], ...]
    """Each play, and the counter that tells its rows apart."""
    rounds: int
    lead: float
    worths: tuple[int, ...]
    """The values of the table, counted in `GRAIN`."""

    @classmethod
    def of(cls, learned: Learned) -> WorthFile:
        """What was learnt, in words."""
        program = learned.worth.program
        model = program.model
        answers = tuple(
            f"{reading.id}={reading.chosen}" for reading in model.readings if reading.chosen != reading.default
        )
        return cls(
            VERSION,
            program.rules_hash,
            model.id,
            program.players,
            (*model.active, *answers),
            traits_of(program),
            _plays(program),
            model.rounds,
            learned.lead,
            tuple(value // GRAIN for value in learned.worth.values),
        )

    def fits(self, program: Program) -> bool:
        """Was it learnt for these rules and so many players."""
        game = program.rules_hash, program.players, _plays(program)
        return (self.rules, self.players, self.plays) == game and len(self.worths) == size_of(program)

    def distance(self, program: Program, traits: Sequence[str]) -> float:
        """How different a game with these traits is from the one that was learnt: 0 (alike) to 1, and more."""
        mine, other = set(self.traits), set(traits)
        return 1 - len(mine & other) / max(len(mine | other), 1) + _FAR * abs(self.players - program.players)

    def knows(self, program: Program) -> float:
        """The share of a game's cards that the table says something about."""
        known = {name for name, row in zip(_names(program), self._rows(program), strict=True) if row >= 0}
        counts = {card.id: card.count for card in program.model.cards}
        return sum(count for card, count in counts.items() if card in known) / max(sum(counts.values()), 1)

    def learned(self, program: Program) -> Learned:
        """The table for a game: its own, or as much of it as another game has in common with the one it is of.

        Cards are found by their names, otherwise by the counters that they add to; of others nothing is known. Later
        turns, and rounds further from the end, than were learnt are like the last ones that were.
        """
        if self.fits(program):
            values = [GRAIN * worth for worth in self.worths]
        else:
            turns = [min(turn, self._last_turn()) for turn in range(TURNS)]
            rows = self._rows(program)
            values = [value for block in range(_BLOCKS) for row in rows for value in self._block(block, row, turns)]
        return Learned(Worth(program, distinguishing_counters(program), tuple(values)), self.lead)

    def _block(self, block: int, row: int, turns: Sequence[int]) -> Iterator[int]:
        """The values of a row at some turns, one level after the other; nothing but zeros if there is no such row."""
        left, aside = divmod(block, 2)
        first = 2 * min(left, self.rounds - 1) + aside
        for level in range(LEVELS):
            start = ((first * len(self.plays) + row) * LEVELS + level) * TURNS
            yield from (GRAIN * self.worths[start + turn] if row >= 0 else 0 for turn in turns)

    def _rows(self, program: Program) -> list[int]:
        """For each play of a game the row of the table that says most about it; -1 if none does."""
        by_name = {name: row for row, (name, _) in enumerate(self.plays)}
        by_counter = {counter: row for row, (_, counter) in reversed([*enumerate(self.plays)]) if counter}
        return [by_name.get(name, by_counter.get(counter, -1)) for name, counter in _plays(program)]

    def _last_turn(self) -> int:
        """The last turn of a round of which the table says something."""
        return max((turn for turn in range(TURNS) if any(self.worths[turn::TURNS])), default=0)


def encode(learned: Learned) -> bytes:
    """What was learnt, as a file."""
    return zlib.compress(msgspec.msgpack.encode(WorthFile.of(learned)), 9)


def decode(data: bytes) -> WorthFile | None:
    """What a file says; ``None`` if that is not a table of this version."""
    reader = zlib.decompressobj()
    try:
        kept = msgspec.msgpack.decode(reader.decompress(data, _MOST_BYTES), type=WorthFile)
    except (zlib.error, msgspec.MsgspecError):
        return None
    return kept if kept.rounds > 0 and len(kept.worths) == _BLOCKS * _ROW * len(kept.plays) else None


def traits_of(program: Program) -> tuple[str, ...]:
    """What the rules of a game are made of, so that two games can be told to be near each other."""
    model = program.model
    return (
        *(f"card {card.id}" for card in model.cards),
        *(f"{card.count} of {card.id}" for card in model.cards),
        *(f"rule {rule.id}: {rule.kind}" for rule in model.scoring),
        *(f"ability {ability.id}" for ability in model.abilities),
        *(f"modifier {modifier.id}" for modifier in model.modifiers),
        *(f"zone {zone.id}" for zone in model.zones),
        *(f"reading {reading.id}: {reading.chosen}" for reading in model.readings),
        *(f"with {variant}" for variant in model.active),
        *(f"variant {variant.id}" for variant in model.variants),
        f"{model.rounds} rounds",
        f"most or fewest: {model.winner.order}",
    )


def _names(program: Program) -> list[str]:
    """The card of each play."""
    return [program.cards[card] for card in program.card_of]


def _plays(program: Program) -> tuple[tuple[str, str], ...]:
    """Each play, and the name of the counter that tells its rows apart; none if it adds to no counter."""
    fields = {(field.shift, field.mask, field.offset): field.name for field in program.fields}
    return tuple(
        (play.name, fields.get(counter, ""))
        for play, counter in zip(program.plays, distinguishing_counters(program), strict=True)
    )
