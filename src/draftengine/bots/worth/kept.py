"""Worth tables as files.

Files name cards and counters, so that other games can use the tables.
"""

from __future__ import annotations

import zlib
from math import inf
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct

from draftengine.bots.worth.learning import GRAIN, Learned
from draftengine.engine.plan.base import LEVELS, ROUNDS_LEFT, TURNS, distinguishing_counters
from draftengine.engine.policies import Worth, size_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from draftengine.engine.program import Program

VERSION: Literal[1] = 1
"""The version of the format and of the learning method. Tables of other versions are ignored."""
_ROW = LEVELS * TURNS
_BLOCKS = 2 * ROUNDS_LEFT
"""The number of rows for every play: for each number of rounds left, one played and one put aside."""
_MOST_BYTES = 1 << 24
_FAR = 0.1
"""The distance that each player more or less adds. Other distances are the share of differing rules."""


class WorthFile(Struct, frozen=True, array_like=True):
    """A worth table with the names of cards and counters, so that it stays valid if cards are renumbered."""

    version: Literal[1]
    rules: str
    """Hash of the rules (see `draftengine.model.selection.game`)."""
    cardset: str
    players: int
    selected: tuple[str, ...]
    """The variants in force, and options of readings that are not the default."""
    traits: tuple[str, ...]
    """The features of the rules.

    The more features two games share, the better the table of one suits the other.
    """
    plays: tuple[tuple[str, str], ...]
    """Each play, and the counter whose value selects its rows."""
    rounds: int
    lead: float
    worths: tuple[int, ...]
    """Values of the table, in units of `GRAIN`."""

    @classmethod
    def of(cls, learned: Learned) -> WorthFile:
        """Return the file for the result of learning."""
        program = learned.worth.program
        return cls(
            VERSION,
            program.rules_hash,
            program.model.id,
            program.players,
            selected_in(program),
            traits_of(program),
            _plays(program),
            program.model.rounds,
            learned.lead,
            tuple(value // GRAIN for value in learned.worth.values),
        )

    def fits(self, program: Program) -> bool:
        """True if the table was learnt for these rules and this number of players."""
        game = program.rules_hash, program.players, _plays(program)
        return (self.rules, self.players, self.plays) == game and len(self.worths) == size_of(program)

    def distance(self, program: Program, traits: Sequence[str]) -> float:
        """Return how much a game with these traits differs from the table's game: 0 (equal) to 1 or more."""
        return distance_of(self.traits, traits) + _FAR * abs(self.players - program.players)

    def knows(self, program: Program) -> float:
        """Return the share of a game's cards that the table covers."""
        rows = self._rows(program)
        known = {program.cards[card] for card, row in zip(program.card_of, rows, strict=True) if row >= 0}
        counts = {card.id: card.count for card in program.model.cards}
        return sum(count for card, count in counts.items() if card in known) / max(sum(counts.values()), 1)

    def learned(self, program: Program) -> Learned:
        """Return the table for a game: the whole table if it fits, otherwise the part that the game shares.

        Cards are matched by name, otherwise by the counter to which they add. All other cards get zeros. For turns and
        remaining rounds that the table lacks, the values of its last turn or round are used.
        """
        if self.fits(program):
            values = [GRAIN * worth for worth in self.worths]
        else:
            learnt = [turn for turn in range(TURNS) if any(self.worths[turn::TURNS])]
            turns = [min(turn, max(learnt, default=0)) for turn in range(TURNS)]
            rows = self._rows(program)
            values = [value for block in range(_BLOCKS) for row in rows for value in self._block(block, row, turns)]
        return Learned(Worth(program, distinguishing_counters(program), tuple(values)), self.lead)

    def _block(self, block: int, row: int, turns: Sequence[int]) -> Iterator[int]:
        """Yield the values of a row, by level and turn; zeros if the row is -1."""
        left, aside = divmod(block, 2)
        first = 2 * min(left, self.rounds - 1) + aside
        for level in range(LEVELS):
            start = ((first * len(self.plays) + row) * LEVELS + level) * TURNS
            yield from (GRAIN * self.worths[start + turn] if row >= 0 else 0 for turn in turns)

    def _rows(self, program: Program) -> list[int]:
        """Return, for each play of a game, the row of the table that suits it best; -1 if no row does."""
        by_name = {name: row for row, (name, _) in enumerate(self.plays)}
        by_counter = {counter: row for row, (_, counter) in reversed([*enumerate(self.plays)]) if counter}
        return [by_name.get(name, by_counter.get(counter, -1)) for name, counter in _plays(program)]


def encode(learned: Learned) -> bytes:
    """Return the content of a file for the result of learning."""
    return zlib.compress(msgspec.msgpack.encode(WorthFile.of(learned)), 9)


def decode(data: bytes) -> WorthFile | None:
    """Return the table that a file contains; ``None`` if it is not a table of this version."""
    reader = zlib.decompressobj()
    try:
        kept = msgspec.msgpack.decode(reader.decompress(data, _MOST_BYTES), type=WorthFile)
    except (zlib.error, msgspec.MsgspecError):
        return None
    return kept if kept.rounds > 0 and len(kept.worths) == _BLOCKS * _ROW * len(kept.plays) else None


def selected_in(program: Program) -> tuple[str, ...]:
    """Return the variants in force, and the options of readings that are not the default."""
    model = program.model
    answers = [f"{reading.id}={reading.chosen}" for reading in model.readings if reading.chosen != reading.default]
    return (*model.active, *answers)


def distance_of(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the share of the traits of two games that only one of the games has.

    The distance of games with opposite aims is infinite.
    """
    if one[-1] != other[-1]:
        return inf
    every = {*one, *other}
    return 1 - len({*one} & {*other}) / max(len(every), 1)


def traits_of(program: Program) -> tuple[str, ...]:
    """Return the features of a game's rules, which are compared to find similar games.

    The last feature is the aim.
    """
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


def _plays(program: Program) -> tuple[tuple[str, str], ...]:
    """Return each play with the counter whose value selects its rows; the name is empty without a counter."""
    fields = {(field.shift, field.mask, field.offset): field.name for field in program.fields}
    return tuple(
        (play.name, fields.get(counter, ""))
        for play, counter in zip(program.plays, distinguishing_counters(program), strict=True)
    )
