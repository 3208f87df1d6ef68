"""Keys that compare objects by identity, not by content."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class IdentityKey(Generic[T]):
    """A key for one object; it keeps the object alive, so its identity is not reused."""

    __slots__ = ("own",)

    def __init__(self, value: T) -> None:
        self.own = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IdentityKey) and other.own is self.own

    def __hash__(self) -> int:
        return id(self.own)
