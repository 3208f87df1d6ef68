"""Storage of worth tables: in memory, and as files in the package or in the user's cache.

A missing table is learnt. A game without a table can also borrow the table of the most similar game in the package.
Before bots play a game, they *learn the cards*: the game's table is made (`learn_cards`). This is skipped where nobody
should wait.

Files name cards and counters, so that other games can use the tables.
"""

from __future__ import annotations

import os
import signal
import zlib
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from math import inf
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct

from draftengine.bots.worth import learning
from draftengine.bots.worth.learning import GRAIN, Learned, players
from draftengine.engine.plan.base import LEVELS, ROUNDS_LEFT, TURNS, distinguishing_counters
from draftengine.engine.policies import Worth, no_worth, size_of
from draftengine.support import caches
from draftengine.support.files import replacing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from draftengine.engine.program import Program


VERSION: Literal[1] = 1
"""The version of the format and of the learning method. Tables of other versions are ignored."""
_ROW = LEVELS * TURNS
_BLOCKS = 2 * ROUNDS_LEFT
"""The number of rows for every play: by rounds left, and by whether the card is played or put aside."""
_MOST_BYTES = 1 << 24
_FAR = 0.1
"""The distance that one player more or less adds to the share of two games' differing rules."""


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
        """Return how much a game with these features differs from the table's game: 0 (equal) to 1 or more."""
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
            values = []
            for left, aside in (divmod(block, 2) for block in range(_BLOCKS)):
                first = 2 * min(left, self.rounds - 1) + aside
                for row, level in product(rows, range(LEVELS)):
                    start = ((first * len(self.plays) + row) * LEVELS + level) * TURNS
                    values += [GRAIN * self.worths[start + turn] if row >= 0 else 0 for turn in turns]
        return Learned(Worth(program, distinguishing_counters(program), tuple(values)), self.lead)

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
    """Return the share of two games' features that only one of the games has.

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


_PACKAGE = Path(__file__).resolve().parents[2]
SHIPPED = _PACKAGE / "learnt" if (_PACKAGE / "learnt").is_dir() else _PACKAGE.parents[1] / "learnt"
"""The folder of the shipped tables, one for every shipped game and number of players."""
SUFFIX = ".table"
_ENOUGH = 0.5
"""The share of a game's cards that a table must cover to be borrowed."""

_Key = tuple[str, int]
_known: dict[_Key, Learned] = {}
"""Tables of games, by hash of the rules and number of players."""
_encoded: dict[_Key, bytes] = {}
"""The same tables as the contents of files."""
_borrowed: dict[_Key, tuple[WorthFile, Learned]] = {}
"""Tables that games borrow because they have none, with the part of each table that suits the game."""
_meanwhile: dict[_Key, Learned] = {}
"""Games whose tables this process does not learn. In these games, bots and hints consider only points."""
_looking = RLock()
_learning: dict[_Key, RLock] = {}
"""A lock for each game that is being learnt: threads that need the table wait, but lookups do not."""


def learned(program: Program, progress: Callable[[float], None] = lambda _: None) -> Learned:
    """Return the table of a game, and learn it if needed. `progress` gets the completed share.

    Learning starts from the table of the most similar game in the package, if there is one.
    """
    with _learning.setdefault(_key(program), RLock()):
        if not is_learned(program):
            progress(0.0)
            kept = nearest(program)
            before = kept.learned(program).worth if kept else None
            with players(program) as play:
                result = learning.learn(program, progress, play, before)
            _known[_key(program)], _encoded[_key(program)] = result, encode(result)
            with suppress(OSError):  # if it cannot be stored, it is learnt again next time
                with replacing(_file(program)) as out:
                    out.write(_encoded[_key(program)])
                caches.trim()
    return _known[_key(program)]


def do_without(program: Program, *, learn: bool) -> None:
    """Let this process play without the table of a game. With `learn`, another process makes the table.

    The other process ends with this one.
    """
    _meanwhile[_key(program)] = Learned(no_worth(program), 0.0)
    if learn:
        from multiprocessing import get_context  # noqa: PLC0415 (slow to import)

        get_context("spawn").Process(target=learn_in_background, args=(program,), daemon=True).start()


def is_left_out(program: Program) -> bool:
    """True if this process plays without waiting for the table of a game."""
    return _key(program) in _meanwhile


def learn_in_background(program: Program) -> None:
    """Learn a table in a separate process, at low priority, ignoring interrupts."""
    if hasattr(os, "nice"):
        os.nice(15)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    learned(program)


def is_learned(program: Program) -> bool:
    """True if the table of exactly this game is in memory or in a file. A file is loaded."""
    with _looking:
        if _key(program) not in _known:
            files = [*SHIPPED.glob(f"*{_end(program)}"), _file(program)]
            if any(_take(program, _content(file)) for file in files):
                caches.used(_file(program))
        return _key(program) in _known


def _take(program: Program, data: bytes) -> bool:
    """Use the table in the content of a file for a game. Return False if the table does not fit the game."""
    kept = decode(data)
    if kept is None or not kept.fits(program):
        return False
    _known[_key(program)], _encoded[_key(program)] = kept.learned(program), data
    return True


def at_hand(program: Program) -> Learned:
    """Return the table of a game, or a borrowed one (see `lender`). If there is neither, learn the table."""
    if _key(program) in _meanwhile:
        return _meanwhile[_key(program)]
    if lender(program) is None:
        return learned(program)
    return _borrowed[_key(program)][1]


def lender(program: Program) -> WorthFile | None:
    """Return the table that a game borrows; ``None`` if it has a table, or if no other is similar enough."""
    key = _key(program)
    if key in _known or key in _meanwhile:
        return None
    with _looking:
        if key not in _borrowed:
            kept = None if is_learned(program) else nearest(program)
            if kept is None:
                return None
            _borrowed[key] = kept, kept.learned(program)
        return _borrowed[key][0]


def nearest(program: Program) -> WorthFile | None:
    """Return the shipped table of the most similar game; ``None`` if it covers too few cards."""
    traits = traits_of(program)
    shipped = filter(None, map(decode, map(_content, sorted(SHIPPED.glob(f"*{SUFFIX}")))))
    closest = min(shipped, key=lambda kept: kept.distance(program, traits), default=None)
    if closest is None or closest.distance(program, traits) == inf or closest.knows(program) < _ENOUGH:
        return None
    return closest


def encoded(program: Program) -> bytes:
    """Return the table of a game in a form for other processes; empty if it has not been learnt."""
    return _encoded[_key(program)] if is_learned(program) else b""


def adopt(program: Program, data: bytes) -> None:
    """Use a table that another process has sent in the form of `encoded`."""
    if data and _key(program) not in _known:
        _take(program, data)


def name_of(kept: WorthFile) -> str:
    """Return the file name of a shipped table. It begins with a readable part and ends with a unique one."""
    return "-".join((kept.cardset, *kept.selected)) + _ending(kept.rules, kept.players)


def _key(program: Program) -> _Key:
    return program.rules_hash, program.players


def _end(program: Program) -> str:
    return _ending(*_key(program))


def _ending(rules: str, seats: int) -> str:
    return f".{seats}p.{rules[:16]}{SUFFIX}"


def _file(program: Program) -> Path:
    """Return the path of this user's table for a game."""
    return caches.folder() / f"worth-{VERSION}{_end(program)}"


def _content(file: Path) -> bytes:
    """Return the content of a file; empty if the file cannot be read."""
    try:
        return file.read_bytes()
    except OSError:
        return b""


LEARNING, COMPILING = "learning", "compiling"
Told = Callable[[str, float], None]
"""A callback that gets the current task (`LEARNING` or `COMPILING`) and its completed share (0 to 1)."""


def learn_cards(program: Program, progress: Told) -> None:
    """Learn the worth table of a game, unless it exists or this process does not wait for it."""
    if is_left_out(program):
        return
    learned(program, lambda share: progress(LEARNING, share))
