"""What was found, in words: a conclusion with what carries it, and how sure it is.

At a terminal a conclusion is a sentence; in a report its first part stands out, with a mark for how sure it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from collections.abc import Iterable

Sure = Literal["certain", "probably", "measured", "unknown", "care"]
"""certain: its interval carries it, also for all that is said beside it; probably: only by itself; measured: a figure
of which nothing is claimed; unknown: more games would tell; care: what figures are not to be taken for."""


class Conclusion(Struct, frozen=True):
    """A conclusion."""

    sure: Sure
    head: str
    text: str = ""
    """What carries it, or what it would take to know; it may go on with the sentence."""
    joint: str = ": "
    """What stands between both in a sentence."""
    figure: str = ""
    """The figure of the report that shows it."""

    @property
    def sentence(self) -> str:
        """The whole as one or two sentences."""
        return f"{self.head}{self.joint}{self.text}." if self.text else f"{self.head}."


_ORDER: tuple[Sure, ...] = ("certain", "measured", "probably", "unknown", "care")


def ordered(statements: Iterable[Conclusion]) -> list[Conclusion]:
    """The surest first, else in their order; what figures are not to be taken for stands at the end."""
    return sorted(statements, key=lambda statement: _ORDER.index(statement.sure))
