"""Helpers for tests of networks: made-up ones, of any size."""

from __future__ import annotations

from itertools import pairwise
from random import Random

from msgspec.structs import replace

from draftengine.bots.net import Inputs, Network, Scaled
from draftengine.bots.net.kept import NetworkFile, store
from draftengine.bots.worth import tables


def made_up(program, hidden=(12, 8), seed=1):
    """Return a network for a game whose weights are drawn from a seed."""
    inputs, chance = Inputs(program), Random(seed)
    sizes = (len(inputs.names), *hidden, len(inputs.outputs) + 1)

    def drawn(count):
        return [chance.gauss(0, 0.3) for _ in range(count)]

    layers = [Scaled.of([drawn(after) for _ in range(before)], drawn(after)) for before, after in pairwise(sizes)]
    return Network(inputs.names, inputs.outputs, tuple(layers))


def ship(program, levels=(), seed=1):
    """Store a made-up network for a game where the shipped ones are; return it."""
    tables.SHIPPED.mkdir(exist_ok=True)
    kept = NetworkFile.of([program], made_up(program, seed=seed))
    kept = replace(kept, levels={program.players: tuple(levels)})
    store(kept, tables.SHIPPED)
    return kept
