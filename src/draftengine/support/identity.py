"""Things as keys by what they are, not by what they contain."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class IdentityKey(Generic[T]):
    """The very same object, as a key. It is kept alive, so no other one takes its place."""

    __slots__ = ("own",)

    def __init__(self, value: T) -> None:
        self.own = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IdentityKey) and other.own is self.own

    def __hash__(self) -> int:
        return id(self.own)
