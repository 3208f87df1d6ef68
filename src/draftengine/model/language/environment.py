"""Environments: what the names in a formula stand for, as functions of a state and a seat."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar

State = TypeVar("State")
_State_contra = TypeVar("_State_contra", contravariant=True)

Value = Callable[[State, int], int]
"""A function of a state and a seat. Truth values are ``bool``."""


class Constants(Protocol):
    """The numbers that are fixed for a game."""

    @property
    def seat_count(self) -> int:
        """The number of seats; they are numbered from 0."""
        ...

    @property
    def player_count(self) -> int:
        """The number of players, who have the first seats and sit in a circle."""
        ...

    def constant(self, name: str, /) -> int | None:
        """Return the value of a name that never changes, else ``None``."""
        ...


class Environment(Constants, Protocol[_State_contra]):
    """Readers of names. Those of the whole table ignore the seat."""

    def value(self, name: str, /) -> Callable[[_State_contra, int], int]:
        """Return a reader of a counter, fact or parameter."""
        ...

    def gained(self, counter: str, /) -> Callable[[_State_contra, int], int]:
        """Return a reader of the rise of a counter in this turn."""
        ...

    def holds(self, marker: str, /) -> Callable[[_State_contra, int], int]:
        """Return a function that is true for the seat that holds a marker, as a ``bool``."""
        ...

    def cards(self, zone: str, /) -> Callable[[_State_contra, int], int]:
        """Return a reader of the number of cards in a zone."""
        ...

    def among(self, zone: str, what: str, /) -> Callable[[_State_contra, int], list[int]]:
        """Return a reader of an attribute: its value for each card in a zone that has it."""
        ...

    def each(self, zone: str, value: Callable[[Any, int], int], /) -> Callable[[_State_contra, int], list[int]]:
        """Return a function that evaluates `value` for each card in a zone."""
        ...

    def best_of(self, what: str, /) -> Callable[[_State_contra, int], int]:
        """Return a reader of the most points that one of the seat's scoring cards gives."""
        ...
