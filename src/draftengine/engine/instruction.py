"""The protocol of all instructions of the flow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from draftengine.engine.events import Event

EventSink = Callable[[Event], None] | None
"""Callback for events; ``None`` = nobody listens, and none are made."""


class Instruction(Protocol):
    """One step of the compiled flow; `draftengine.engine.kernel.steps` maps its type to code.

    Where a condition decides what follows, `otherwise` is the alternative step.
    """

    @property
    def following(self) -> int:
        """The index of the next step."""
