"""Networks as files.

The files are in `learnt/`, together with those of the worth tables, and are found by the same hash of the rules. One
file holds the network for a card set with one choice of variants and several numbers of players. It may have learnt
from other variants, too, which borrow it.

A game without a file borrows the network of the game with the most similar rules and the same aim, unless even those
differ much. That network must know all moves of the game by name, and its number of players. Counters that it does not
know are ignored. This package trains no network.
"""

from __future__ import annotations

import zlib
from functools import lru_cache
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
    from collections.abc import Iterator
    from pathlib import Path

    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program

VERSION: Literal[2] = 2
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


class NetworkFile(Struct, frozen=True, array_like=True):
    """A network, and the games with which it was trained. `WorthFile` describes the fields that both have."""

    version: Literal[2]
    rules: str
    cardset: str
    selected: tuple[str, ...]
    players: tuple[int, ...]
    traits: tuple[str, ...]
    """The features of the rules. Games with similar features can borrow this network."""
    network: Network
    levels: dict[int, tuple[Setting, ...]] = {}
    """For each number of players, the setting of each strength (see `draftengine.bots.levels`)."""

    misleading: tuple[int, ...] = ()
    """The numbers of players with which a search is weaker by this network than by the worth table."""

    @classmethod
    def of(cls, program: Program, players: tuple[int, ...], network: Network) -> NetworkFile:
        """Return the file for a network. `program` is one of the games with which the network was trained."""
        selected = selected_in(program)
        return cls(VERSION, program.rules_hash, program.model.id, selected, players, traits_of(program), network)

    @property
    def name(self) -> str:
        """The file name. It begins with a readable part and ends with a unique one."""
        return "-".join((self.cardset, *self.selected)) + _ending(self.rules)

    def fits(self, program: Program) -> bool:
        """True if the file is for exactly this game."""
        return self.rules == program.rules_hash and program.players in self.players

    def knows(self, inputs: Inputs) -> bool:
        """True if the network knows all moves of a game, and its number of players."""
        return inputs.number in self.network.names and -1 not in self.network.columns(inputs.outputs)


class Opinion:
    """A network with the inputs and outputs of one game."""

    def __init__(self, kept: NetworkFile, inputs: Inputs) -> None:
        self.kept = kept
        self.inputs = inputs
        self.fitted = Fitted(kept.network, inputs.names, inputs.outputs)
        self.guides_search = inputs.program.players not in kept.misleading
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
    if adopted is not None and adopted.fits(program):
        return Opinion(adopted, inputs)
    for folder in (shipped, caches.folder()):
        for kept in filter(None, map(read, folder.glob(f"*{_ending(program.rules_hash)}"))):
            if kept.fits(program):
                return Opinion(kept, inputs)
    lender = nearest(inputs)
    return Opinion(lender, inputs) if lender is not None else None


def nearest(inputs: Inputs) -> NetworkFile | None:
    """Return the shipped network that suits a game best; ``None`` if none of similar rules fits."""
    traits = traits_of(inputs.program)
    lenders = [kept for kept in networks_in(tables.SHIPPED) if kept.knows(inputs)]
    closest = min(lenders, key=lambda kept: distance_of(kept.traits, traits), default=None)
    return closest if closest is not None and distance_of(closest.traits, traits) < _FAR else None


def forget() -> None:
    """Clear the cache of networks, because files were stored."""
    _opinion_of.cache_clear()


_adopted: dict[str, NetworkFile] = {}
"""Networks that this process uses although they are not stored in a file, by the hash of the rules."""


def adopt(kept: NetworkFile) -> None:
    """Let this process use a network until it is stored."""
    _adopted[kept.rules] = kept
    forget()


def store(kept: NetworkFile, folder: Path) -> Path:
    """Write a network to a folder, whole or not at all. Return the path of the file."""
    file = folder / (kept.name if folder == tables.SHIPPED else f"{CACHED}{_ending(kept.rules)}")
    with replacing(file) as out:
        out.write(encode(kept))
    _adopted.pop(kept.rules, None)
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
    try:
        return msgspec.msgpack.decode(zlib.decompressobj().decompress(file.read_bytes(), _MOST_BYTES), type=NetworkFile)
    except (OSError, zlib.error, msgspec.MsgspecError):
        return None


def _ending(rules: str) -> str:
    return f".{rules[:16]}{SUFFIX}"
