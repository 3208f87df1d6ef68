"""Encoding of any game in arrays: `draftengine.engine.encoding` for learning programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from draftengine.engine.encoding import Encoding, Part

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from draftengine.engine.moves import Move
    from draftengine.engine.observe import Observation
    from draftengine.engine.program import Program


class Encoder(Encoding):
    """Encoder of the actions and observations of one game."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        bounds = np.array(self.bounds, dtype=np.float32)
        self.low, self.high = bounds[:, 0].copy(), bounds[:, 1].copy()
        """Lowest (`low`) and highest value of every entry."""

    def vector(self, seen: Observation, taken: Move = ()) -> NDArray[np.float32]:
        """Return an observation as a vector. `taken` has the codes that the player has already chosen."""
        return np.array(self.values(seen, taken), dtype=np.float32)

    def named(self, action: int) -> str:
        """Return an action with its name, if it has one: ``3 (soup)``."""
        return f"{action} ({self.names[action]})" if 0 <= action < len(self.names) else f"{action}"

    def mask(self, legal: Iterable[int]) -> NDArray[np.int8]:
        """Return a vector with 1 for every legal action and 0 for all others."""
        mask = np.zeros(self.done + 1, dtype=np.int8)
        mask[list(legal)] = 1
        return mask


def describe(program: Program) -> list[Part]:
    """Return the parts of a game's observation vector with their descriptions."""
    return Encoder(program).parts()


def markdown(program: Program) -> str:
    """Return Markdown tables of a game's observation vector and actions."""
    encoder = Encoder(program)
    rows = ["| entries | name | meaning |", "|---|---|---|"]
    for name, start, length, meaning in encoder.parts():
        span = f"{start}" if length == 1 else f"{start}–{start + length - 1}"
        rows.append(f"| {span} | `{name}` | {meaning} |")
    rows += ["", "| action | meaning |", "|---|---|"]
    rows += [f"| {action} | {name} |" for action, name in enumerate(encoder.names)]
    return "\n".join(rows) + "\n"
