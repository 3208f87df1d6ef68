"""A learnt network as a search needs it: its shape, which is known before the search, and its weights."""

from __future__ import annotations

from array import array
from itertools import accumulate, chain
from typing import TYPE_CHECKING, NamedTuple

from draftengine.bots.net.network import BITS

if TYPE_CHECKING:
    from draftengine.bots.net.inputs import Inputs
    from draftengine.bots.net.network import Fitted


class InputPart(NamedTuple):
    """Inputs that follow one another and show one thing."""

    kind: str
    """One of `draftengine.bots.search.prior.FEEDERS`."""
    about: int
    """Zone or marker."""
    place: int
    """Seat, counted from the observing seat; extra seats come last."""
    start: int
    """First input."""


class SearchNetwork:
    """Shape of a network for the inputs of one game, and its weights in one array.

    By layer, `starts` has the place of its weights and `biases` that of its biases.
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
        """Number of outputs; the margin is not needed."""
        self.done = inputs.done
        faces = sorted(set(program.face_of))
        self.columns = len(faces)
        """Number of faces of cards."""
        self.column = tuple(faces.index(face) for face in program.face_of_play)
        """Column of each play among the faces; the first plays are the cards."""
        channels = range(1 + max(inputs.actions) // program.width)
        self.output = tuple(
            tuple(inputs.actions.get(channel * program.width + item, self.done) for item in range(program.width))
            for channel in channels
        )
        """Output of each item, by channel of codes (see `draftengine.engine.moves`)."""
        rows, shifts = [*fitted.rows], [*fitted.shifts]
        shifts[0] = [sum(pair) for pair in zip(shifts[0], rows[0][-1], strict=True)]  # the last input is always 1
        rows[-1], shifts[-1] = [row[:-1] for row in rows[-1]], shifts[-1][:-1]
        scaled = [shifts[0], *([shift << BITS for shift in layer] for layer in shifts[1:])]
        stretches = [[*chain.from_iterable(layer)] for layer in rows] + scaled
        places = [*accumulate(map(len, stretches), initial=0)]
        self.starts, self.biases = places[: len(rows)], places[len(rows) :]
        self.weights = array("i", chain.from_iterable(stretches))
