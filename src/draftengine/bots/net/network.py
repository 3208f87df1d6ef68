"""A network: layers of whole numbers, which any machine computes equally, and its form as a file.

Weights are bytes, with a scale for each unit of a layer and, in the first layer, for each input. To play, they become
whole numbers in parts of `ONE`. All sums are exact, so the network plays equally in Python and in machine code.

In Python, the weights of one input are *lanes* of one large integer. A product of that integer with an input is then
as many products as the layer has units, and needs no NumPy.
"""

from __future__ import annotations

import struct
from functools import cached_property
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

BITS = 12
ONE = 1 << BITS
"""Parts of one, in which weights and values are whole numbers."""
_LANE = 64
_MIDDLE = 1 << _LANE - 1
_MOST = 127


class Scaled(Struct, frozen=True, array_like=True):
    """A layer in eight bits: a weight is its byte times the scale of its unit and that of its input."""

    weights: bytes
    """Signed bytes, unit after unit for each input."""
    units: tuple[float, ...]
    biases: tuple[float, ...]
    inputs: tuple[float, ...] = ()
    """Scales of inputs; empty if all are 1."""

    @classmethod
    def of(cls, weights: Sequence[Sequence[float]], biases: Sequence[float], inputs: Sequence[float] = ()) -> Scaled:
        """Round the weights of scaled inputs to bytes."""
        units = [max(map(abs, column)) / _MOST or 1.0 for column in zip(*weights, strict=True)]
        cells = [round(weight / unit) for row in weights for weight, unit in zip(row, units, strict=True)]
        return cls(struct.pack(f"{len(cells)}b", *cells), tuple(units), tuple(biases), tuple(inputs))

    def rows(self) -> list[list[int]]:
        """Return the weights of each input, in parts of `ONE`."""
        count = len(self.units)
        cells = struct.unpack(f"{len(self.weights)}b", self.weights)
        scales = self.inputs or (1.0,) * (len(cells) // count)
        return [
            [round(cells[first + unit] * self.units[unit] * scale * ONE) for unit in range(count)]
            for first, scale in zip(range(0, len(cells), count), scales, strict=True)
        ]

    def shifts(self) -> list[int]:
        """Return the biases, in parts of `ONE`."""
        return [round(bias * ONE) for bias in self.biases]


class Network(Struct, frozen=True, array_like=True):
    """A network with the names of its inputs and outputs; after those, one output is the margin in points."""

    names: tuple[str, ...]
    outputs: tuple[str, ...]
    layers: tuple[Scaled, ...]


class Fitted:
    """A network for the inputs and outputs of one game, which it has by name; others count as zeros."""

    def __init__(self, network: Network, names: Sequence[str], outputs: Sequence[str]) -> None:
        places = {name: at for at, name in enumerate(network.names)}
        columns = {name: at for at, name in enumerate(network.outputs)}
        rows = [layer.rows() for layer in network.layers]
        none = [0] * len(rows[0][0])
        rows[0] = [rows[0][places[name]] if name in places else none for name in names]
        chosen = [*(columns.get(name, -1) for name in outputs), len(network.outputs)]
        rows[-1] = [[row[at] if at >= 0 else 0 for at in chosen] for row in rows[-1]]
        shifts = [layer.shifts() for layer in network.layers]
        shifts[-1] = [shifts[-1][at] if at >= 0 else 0 for at in chosen]
        self.rows = rows
        """By layer and input, the weight for each unit, in parts of `ONE`."""
        self.shifts = shifts
        """By layer the bias of each unit, in parts of `ONE`."""

    @cached_property
    def _packed(self) -> list[tuple[list[int], int, struct.Struct]]:
        """By layer: a lane for each unit, by input; the biases; and what takes the lanes apart."""
        return [
            (
                [_lanes(row) for row in rows],
                _lanes((value << BITS) + _MIDDLE for value in shifts),
                struct.Struct(f"<{len(shifts)}Q"),
            )
            for rows, shifts in zip(self.rows, self.shifts, strict=True)
        ]

    def __call__(self, inputs: Iterable[float]) -> list[int]:
        """Return the number of each output and then the margin, in parts of `ONE`."""
        values = [int(value) << BITS for value in inputs]
        for number, (rows, biases, lanes) in enumerate(self._packed):
            sums = biases + sum([row * value for row, value in zip(rows, values, strict=True) if value])
            values = [lane - _MIDDLE >> BITS for lane in lanes.unpack(sums.to_bytes(lanes.size, "little"))]
            if number < len(self.rows) - 1:
                values = [max(value, 0) for value in values]
        return values


def _lanes(values: Iterable[int]) -> int:
    return sum(value << _LANE * place for place, value in enumerate(values))
