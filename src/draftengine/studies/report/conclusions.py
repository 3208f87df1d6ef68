"""Conclusions of studies in words, each with its evidence and its certainty.

At a terminal a conclusion is a sentence. In a report its first part is emphasised, with a mark for the certainty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable

Sure = Literal["certain", "probably", "measured", "unknown", "care"]
"""Certainty of a conclusion.

``certain``: its interval supports it, also for all conclusions beside it together. ``probably``: only its own interval
does. ``measured``: a figure without a claim. ``unknown``: more games would decide. ``care``: a warning about the
figures.
"""


class Conclusion(Struct, frozen=True):
    """Conclusion of a study: a head and, if there is one, a text."""

    sure: Sure
    head: str
    text: str = ""
    """Evidence, or what it would take to know; it may continue the sentence of the head."""
    joint: str = ": "
    """Text between head and text in `sentence`."""
    figure: str = ""
    """Name of the figure in the report that shows it; empty if none does."""

    @property
    def sentence(self) -> str:
        """Head and text as one or two sentences."""
        return f"{self.head}{self.joint}{self.text}." if self.text else f"{self.head}."


_ORDER: tuple[Sure, ...] = ("certain", "measured", "probably", "unknown", "care")


def ordered(statements: Iterable[Conclusion]) -> list[Conclusion]:
    """Sort conclusions by certainty, the most certain first and warnings last; others keep their order."""
    return sorted(statements, key=lambda statement: _ORDER.index(statement.sure))
