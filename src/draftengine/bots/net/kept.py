"""Networks as files.

The files are in `learnt/`, together with those of the worth tables, and are found by the same hash of the rules. One
file holds the network that was taught one or more selections of variants of a card set, for several numbers of players.

A game that was not taught borrows the network that was taught the most similar rules with the same aim, unless even
those differ much. That network must know all moves of the game by name, and its number of players. Counters that it
does not know are ignored. This package trains no network.
"""

from __future__ import annotations

import zlib
from contextlib import suppress
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, Literal

import msgspec
from msgspec import Struct

from draftengine.bots.net import Fitted, Inputs, Network
from draftengine.bots.worth import tables
from draftengine.bots.worth.tables import distance_of, selected_in, traits_of
from draftengine.support import caches
from draftengine.support.files import replacing
from draftengine.support.identity import IdentityKey

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program

VERSION: Literal[3] = 3
"""The version of the format and of the training. Networks of other versions are ignored."""
SUFFIX = ".network"
CACHED = "worth-network"
"""The prefix of the names of network files in a user's cache, which also contains worth tables."""
_MOST_BYTES = 1 << 22
_FAR = 0.7
"""The smallest distance of rules at which no network is borrowed: a worth table plays better there."""


class Setting(Struct, frozen=True, array_like=True):
    """The player of a certain strength: a network with some noise, or a search that uses the network."""

    noise: float = 0.0
    iterations: int = 0
    """The iterations of the search; 0 if the network plays alone."""


class Taught(Struct, frozen=True, array_like=True):
    """A selection of variants with which a network was trained. `WorthFile` describes the fields."""

    rules: str
    selected: tuple[str, ...]
    players: tuple[int, ...]
    traits: tuple[str, ...]

    @classmethod
    def of(cls, program: Program, players: tuple[int, ...]) -> Taught:
        """Return the selection of a game, for some numbers of players."""
        return cls(program.rules_hash, selected_in(program), players, traits_of(program))


class NetworkFile(Struct, frozen=True, array_like=True):
    """A network, the selections with which it was trained, and what was measured with it."""

    version: Literal[3]
    cardset: str
    taught: tuple[Taught, ...]
    """The first selection names the file."""
    network: Network
    levels: dict[int, tuple[Setting, ...]] = {}
    """For each number of players, the setting of each strength (see `draftengine.bots.levels`)."""
    guides: dict[str, dict[int, bool]] = {}
    """By hash of the rules and number of players: True if a search goes by this network.

    It is false if a search is weaker by the network than by the worth table. The games are those in which this was
    measured, also ones that borrow the network.
    """

    @classmethod
    def of(cls, programs: Sequence[Program], network: Network) -> NetworkFile:
        """Return the file for a network, which is named after the first of the games that it was taught."""
        alike: dict[str, list[Program]] = {}
        for program in programs:
            alike.setdefault(program.rules_hash, []).append(program)
        taught = [Taught.of(some[0], tuple(each.players for each in some)) for some in alike.values()]
        return cls(VERSION, programs[0].model.id, tuple(taught), network)

    @property
    def name(self) -> str:
        """The file name. It begins with a readable part and ends with a unique one."""
        return "-".join((self.cardset, *self.taught[0].selected)) + _ending(self.taught[0].rules)

    @property
    def players(self) -> tuple[int, ...]:
        """The numbers of players with which the network was trained."""
        return tuple(sorted({number for each in self.taught for number in each.players}))

    def fits(self, program: Program) -> bool:
        """True if the network was taught exactly this game."""
        return any(each.rules == program.rules_hash and program.players in each.players for each in self.taught)

    def knows(self, inputs: Inputs) -> bool:
        """True if the network knows all moves of a game, and its number of players."""
        return inputs.number in self.network.names and -1 not in self.network.columns(inputs.outputs)

    def closest(self, program: Program) -> tuple[float, Taught]:
        """Return the most similar selection that was taught, after its distance from a game.

        The distance of the game's own selection is negative.
        """
        traits = traits_of(program)
        distances = [distance_of(each.traits, traits) - (each.rules == program.rules_hash) for each in self.taught]
        return min(zip(distances, self.taught, strict=True), key=itemgetter(0))

    def guides_search(self, program: Program) -> bool:
        """True if searches of a game go by the network; otherwise they go by the worth table.

        Where that was not measured, the most similar selection that was taught decides.
        """
        measured = self.guides.get(program.rules_hash, {})
        if program.players not in measured:
            measured = self.guides.get(self.closest(program)[1].rules, {})
        return measured.get(program.players, True)


class Opinion:
    """A network with the inputs and outputs of one game."""

    def __init__(self, kept: NetworkFile, inputs: Inputs) -> None:
        self.kept = kept
        self.inputs = inputs
        self.fitted = Fitted(kept.network, inputs.names, inputs.outputs)
        self.guides_search = kept.guides_search(inputs.program)
        """True if searches of the game go by the network; otherwise they go by the worth table."""

    def outputs(self, seen: Observation) -> list[int]:
        """Return the value of each output, in units of 1 / `draftengine.bots.net.ONE`."""
        return self.fitted(self.inputs.known(seen))

    def value(self, outputs: list[int], move: Move) -> int:
        """Return the value of a move: the sum of its outputs."""
        return sum([outputs[column] for column in self.inputs.columns(move)])


def opinion_of(program: Program) -> Opinion | None:
    """Return the network of a game, its own or a borrowed one; ``None`` if none fits."""
    return _opinion_of(IdentityKey(program), tables.SHIPPED)


@lru_cache(32)
def _opinion_of(key: IdentityKey[Program], shipped: Path) -> Opinion | None:
    program = key.own
    inputs = Inputs(program)
    adopted = _adopted.get(program.rules_hash)
    if adopted is not None and adopted.knows(inputs):
        return Opinion(adopted, inputs)
    ending = _ending(program.rules_hash)
    cached = [entry.path for entry in caches.kept() if entry.path.match(f"{CACHED}*{ending}")]  # the newest first
    for kept in filter(None, map(read, [*shipped.glob(f"*{ending}"), *cached])):
        if kept.fits(program):
            return Opinion(kept, inputs)
    lender = nearest(inputs)
    return Opinion(lender, inputs) if lender is not None else None


def nearest(inputs: Inputs) -> NetworkFile | None:
    """Return the shipped network that suits a game best; ``None`` if none of similar rules fits."""
    lenders = [(kept.closest(inputs.program)[0], kept) for kept in networks_in(tables.SHIPPED) if kept.knows(inputs)]
    distance, closest = min(lenders, key=itemgetter(0), default=(_FAR, None))
    return closest if distance < _FAR else None


def forget() -> None:
    """Clear the cache of networks, because files were stored."""
    _opinion_of.cache_clear()


_adopted: dict[str, NetworkFile] = {}
"""Networks that this process uses although they are not stored in a file, by the hash of the rules."""


def adopt(kept: NetworkFile, program: Program) -> None:
    """Let a game use a network in this process, until the network is stored."""
    _adopted[program.rules_hash] = kept
    forget()


def store(kept: NetworkFile, folder: Path) -> Path:
    """Write a network to a folder, whole or not at all. Return the path of the file."""
    cached = "-".join((CACHED, *map(str, kept.players))) + _ending(kept.taught[0].rules)
    file = folder / (kept.name if folder == tables.SHIPPED else cached)
    with replacing(file) as out:
        out.write(encode(kept))
    for rules in [rules for rules, adopted in _adopted.items() if adopted.network == kept.network]:
        del _adopted[rules]
    forget()
    return file


def networks_in(folder: Path) -> Iterator[NetworkFile]:
    """Yield all networks in a folder that can be read, in the order of their file names."""
    yield from filter(None, map(read, sorted(folder.glob(f"*{SUFFIX}"))))


def encode(kept: NetworkFile) -> bytes:
    """Return a network as the content of a file."""
    return zlib.compress(msgspec.msgpack.encode(kept), 9)


def read(file: Path) -> NetworkFile | None:
    """Return the network in a file; ``None`` if the file has no network of this version."""
    with suppress(OSError):
        return decoded(file.read_bytes())
    return None


def decoded(content: bytes | None) -> NetworkFile | None:
    """Return the network that `encode` made a file of; ``None`` if it is none of this version."""
    try:
        content = zlib.decompressobj().decompress(content or b"", _MOST_BYTES)
        return msgspec.msgpack.decode(content, type=NetworkFile)
    except (zlib.error, msgspec.MsgspecError):
        return None


def _ending(rules: str) -> str:
    return f".{rules[:16]}{SUFFIX}"
