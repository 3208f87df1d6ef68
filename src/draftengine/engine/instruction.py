"""What every instruction of the flow says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from draftengine.engine.events import Event

EventSink = Callable[[Event], None] | None
"""Where events go; ``None`` = nobody listens, and none are made."""


class Instruction(Protocol):
    """One step of the compiled flow. What it does is a row of a table in `draftengine.engine.kernel.steps`.

    Where something decides what follows, `otherwise` is the other step that can.
    """

    @property
    def following(self) -> int:
        """The step that comes next."""
