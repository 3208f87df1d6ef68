"""Learnt networks: small networks that learnt from a search how good the moves of a game are.

A network consists of layers of integers, which every machine computes alike.

*Inputs* are entries of the observation vector, either as a seat knows them or as they are in a world. Their names are
the same in games with other cards or numbers of seats, so one network can serve several games.

Weights are stored as bytes, with a scale for each unit of a layer and, in the first layer, for each input. For playing,
they are converted to integers in units of 1 / `ONE`. All sums are exact, so the network plays alike in Python and in
machine code, which reads a `SearchNetwork`. In Python, one large integer holds the weights of an input for all units,
each in a *lane* of 64 bits. Multiplying it by the input computes the products for all units at once, without NumPy.
"""

from __future__ import annotations

import struct
from array import array
from collections import Counter
from functools import cached_property
from itertools import accumulate, chain, repeat
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from draftengine.engine.choose import Choice, PlayAll
from draftengine.engine.encoding import ALTERNATIVES, Encoding
from draftengine.engine.instructions import Deal, MoveAll

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program
    from draftengine.engine.state import GameState


BITS = 12
ONE = 1 << BITS
"""The integer for 1: weights and values are stored as multiples of 1 / `ONE`."""
_MIDDLE = 1 << 63
_MOST = 127


class Scaled(Struct, frozen=True, array_like=True):
    """A layer whose weights have eight bits: a weight is its byte times the scales of its unit and input."""

    weights: bytes
    """Signed bytes, ordered by input, then by unit."""
    units: tuple[float, ...]
    biases: tuple[float, ...]
    inputs: tuple[float, ...] = ()
    """The scales of the inputs; empty if all are 1."""

    @classmethod
    def of(cls, weights: Sequence[Sequence[float]], biases: Sequence[float], inputs: Sequence[float] = ()) -> Scaled:
        """Return the layer for weights of inputs that are already scaled. The weights are rounded to bytes."""
        units = [max(map(abs, column)) / _MOST or 1.0 for column in zip(*weights, strict=True)]
        cells = [round(weight / unit) for row in weights for weight, unit in zip(row, units, strict=True)]
        return cls(struct.pack(f"{len(cells)}b", *cells), tuple(units), tuple(biases), tuple(inputs))

    def rows(self) -> list[list[int]]:
        """Return the weights of each input, in units of 1 / `ONE`."""
        units = [unit * ONE for unit in self.units]
        cells = struct.iter_unpack(f"{len(units)}b", self.weights)
        scales = self.inputs or repeat(1.0)
        return [
            [round(cell * unit * scale) for cell, unit in zip(row, units, strict=True)]
            for row, scale in zip(cells, scales, strict=bool(self.inputs))
        ]

    def shifts(self) -> list[int]:
        """Return the biases, in units of 1 / `ONE`."""
        return [round(bias * ONE) for bias in self.biases]


class Network(Struct, frozen=True, array_like=True):
    """A network, and the names of its inputs and outputs.

    The last output has no name. It is the margin in points.
    """

    names: tuple[str, ...]
    outputs: tuple[str, ...]
    layers: tuple[Scaled, ...]

    def columns(self, outputs: Iterable[str]) -> list[int]:
        """Return the index of each output of a game; -1 if the network does not have it.

        An output with several names (see `Encoding.names`) is found by any of them, because other games with the same
        cards may have some of the choices only.
        """
        every = sorted(enumerate(self.outputs), key=lambda output: -output[1].count(ALTERNATIVES))
        known = {name: at for at, names in every for name in (*names.split(ALTERNATIVES), names)}
        return [
            next((known[name] for name in (names, *names.split(ALTERNATIVES)) if name in known), -1)
            for names in outputs
        ]


class Fitted:
    """A network reduced to the inputs and outputs of one game. Missing inputs and outputs count as zeros."""

    def __init__(self, network: Network, names: Sequence[str], outputs: Sequence[str]) -> None:
        places = {name: at for at, name in enumerate(network.names)}
        rows = [layer.rows() for layer in network.layers]
        none = [0] * len(rows[0][0])
        rows[0] = [rows[0][places[name]] if name in places else none for name in names]
        chosen = [*network.columns(outputs), len(network.outputs)]
        rows[-1] = [[row[at] if at >= 0 else 0 for at in chosen] for row in rows[-1]]
        shifts = [layer.shifts() for layer in network.layers]
        shifts[-1] = [shifts[-1][at] if at >= 0 else 0 for at in chosen]
        self.rows = rows
        """For each layer and input, the weight for each unit, in units of 1 / `ONE`."""
        self.shifts = shifts
        """For each layer, the bias of each unit, in units of 1 / `ONE`."""

    @cached_property
    def _packed(self) -> list[tuple[list[int], int, struct.Struct]]:
        """For each layer: the packed weights of each input, the biases, and the format that unpacks sums."""
        return [
            (
                [_lanes(row, lanes) - middle for row in rows],
                _lanes([value << BITS for value in shifts], lanes),
                lanes,
            )
            for rows, shifts in zip(self.rows, self.shifts, strict=True)
            for lanes in [struct.Struct(f"<{len(shifts)}Q")]
            for middle in [_lanes([0] * len(shifts), lanes)]
        ]

    def __call__(self, inputs: Iterable[float]) -> list[int]:
        """Return the value of each output, followed by the margin, in units of 1 / `ONE`."""
        values = [int(value) << BITS for value in inputs]
        for number, (rows, biases, lanes) in enumerate(self._packed):
            sums = biases + sum([row * value for row, value in zip(rows, values, strict=True) if value])
            values = [lane - _MIDDLE >> BITS for lane in lanes.unpack(sums.to_bytes(lanes.size, "little"))]
            if number < len(self.rows) - 1:
                values = [max(value, 0) for value in values]
        return values


def _lanes(values: Iterable[int], lanes: struct.Struct) -> int:
    """Return the sum of the values in their lanes, each with `_MIDDLE` added, so that none is negative."""
    return int.from_bytes(lanes.pack(*[value + _MIDDLE for value in values]), "little")


_LEFT_OUT = frozenset({"taken", "choosing", "unseen", "chips", "chips_worth"})
"""The kinds of parts of the vector that are not inputs.

Some of these parts have no meaning for a complete move; the others do not exist in a world.
"""
_OF_ZONES = frozenset({"size", "cards", "places"})


class Inputs:
    """The inputs that a network has in one game, and the outputs that value the game's moves."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._encoding = encoding = Encoding(program)
        # In a search, the cards of these zones are known in every world.
        zones = {
            zone
            for step in program.code
            if isinstance(step, Deal | MoveAll | Choice | PlayAll)
            for zone in (step.sources if isinstance(step, Choice) else (step.source,))
            if program.zones[zone].seen_by != "nobody"
        } - {program.tableau}
        self.parts = [
            (subject, part)
            for subject, part in zip(encoding.subjects(), encoding.parts(), strict=True)
            if subject.kind not in _LEFT_OUT and (subject.kind not in _OF_ZONES or subject.about in zones)
        ]
        """The parts of the vector that are inputs, in order."""
        kept = [entry for _, part in self.parts for entry in range(part.start, part.start + part.length)]
        entries = encoding.entries()
        self._kept = itemgetter(*kept)
        self.number = f"{program.players} players"
        """The name of the last input, which is always 1; each number of players has a separate such input."""
        self.names = (*(entries[entry] for entry in kept), self.number)
        """Names of the inputs."""
        self.outputs = encoding.names
        """The names of the outputs: one for each code, then *done*."""
        self.actions, self.done = encoding.actions, encoding.done
        """The index of the output of each code, and that of *done*."""

    def known(self, seen: Observation) -> list[float]:
        """Return the inputs as computed from an observation, so from what one seat knows."""
        values = self._encoding.values(seen)
        return [*self._kept(values), 1.0]

    def world(self, seen: Observation, state: GameState) -> list[float]:
        """Return the inputs of a seat that sees all hands of `state`, but no cards in decks."""
        places = [
            (zone, owner)
            for zone, owners in enumerate(state.zones)
            if zone != self.program.tableau
            for owner in range(len(owners))
        ]
        program, zones = self.program, []
        for view, (zone, owner) in zip(seen.zones, places, strict=True):
            if view.open or program.zones[zone].layout:
                zones.append(view)
                continue
            hidden = program.zones[zone].seen_by == "nobody"
            faces = Counter([] if hidden else [program.face_of_play[card] for card in state.zones[zone][owner]])
            zones.append(replace(view, cards=tuple((program.faces[face], faces[face]) for face in sorted(faces))))
        return self.known(replace(seen, zones=tuple(zones)))

    def columns(self, move: Move) -> list[int]:
        """Return the outputs whose sum is the value of a move: one for each code. A single code adds *done*."""
        outputs = [self.actions[code] for code in move]
        return [*outputs, self.done] if len(outputs) == 1 else outputs


class InputPart(NamedTuple):
    """Consecutive inputs of a network that show one thing, such as the cards of a zone."""

    kind: str
    """A key of `draftengine.bots.search.prior.FEEDERS`."""
    about: int
    """The index of the zone or marker that the inputs show."""
    place: int
    """The seat that the inputs show, counted from the observing seat; extra seats come last."""
    start: int
    """The index of the first input."""


class SearchNetwork:
    """A network for the inputs of one game, in the form that the kernel reads.

    For each layer, `starts` is the index of its first weight, and `biases` that of its first bias.
    """

    bits = BITS

    def __init__(self, fitted: Fitted, inputs: Inputs) -> None:
        program = inputs.program
        lengths = [part.length for _, part in inputs.parts]
        self.parts = tuple(
            InputPart(subject.kind, subject.about, subject.place, start)
            for (subject, _), start in zip(inputs.parts, accumulate(lengths, initial=0), strict=False)
        )
        self.sizes = tuple(map(len, fitted.shifts))
        self.outputs = self.sizes[-1] - 1
        """The number of outputs without the margin, which a search does not need."""
        self.done = inputs.done
        faces = sorted(set(program.face_of))
        self.columns = len(faces)
        """The number of different faces of cards."""
        self.column = tuple(faces.index(face) for face in program.face_of_play)
        """For each play, the position of its face among all faces. The first plays are the cards themselves."""
        channels = range(1 + max(inputs.actions) // program.width)
        self.output = tuple(
            tuple(inputs.actions.get(channel * program.width + item, self.done) for item in range(program.width))
            for channel in channels
        )
        """For each channel and item, the index of the output (see `draftengine.engine.moves`)."""
        rows, shifts = [*fitted.rows], [*fitted.shifts]
        shifts[0] = [sum(pair) for pair in zip(shifts[0], rows[0][-1], strict=True)]  # the last input is always 1
        rows[-1], shifts[-1] = [row[:-1] for row in rows[-1]], shifts[-1][:-1]
        scaled = [shifts[0], *([shift << BITS for shift in layer] for layer in shifts[1:])]
        stretches = [[*chain.from_iterable(layer)] for layer in rows] + scaled
        places = [*accumulate(map(len, stretches), initial=0)]
        self.starts, self.biases = places[: len(rows)], places[len(rows) :]
        self.weights = array("i", chain.from_iterable(stretches))
