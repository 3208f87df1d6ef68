"""The read-only memory of the kernel in the making: scalars and tables of whole numbers, one after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from draftengine.kernel import memory as at

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_WORD = 1 << 64


class Rom:
    """Scalars and tables, laid out one after the other."""

    def __init__(self, head: int = at.HEAD) -> None:
        self.head = [0] * head
        self.body: list[int] = []

    def scalar(self, place: int, value: int) -> None:
        self.head[place] = signed(value)

    def table(self, place: int, rows: Iterable[Sequence[int] | int], width: int = 1) -> None:
        """Add a table; shorter rows are filled up."""
        self.head[place] = len(self.head) + len(self.body)
        for row in rows:
            columns = [row] if isinstance(row, int) else list(row)
            self.body += [signed(value) for value in columns + [0] * (width - len(columns))]

    def array(self) -> Any:
        return np.array(self.head + self.body, dtype=np.int64)


def signed(value: int) -> int:
    """A packed word as the signed number with the same 64 bits."""
    value = int(value) % _WORD
    return value - _WORD if value >= _WORD >> 1 else value
