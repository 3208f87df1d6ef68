"""Keys that compare objects by identity, not by content."""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import TYPE_CHECKING, Concatenate, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
Result = TypeVar("Result")
Rest = ParamSpec("Rest")


class IdentityKey(Generic[T]):
    """A key for one object. It keeps the object alive, so that its identity is not reused."""

    __slots__ = ("own",)

    def __init__(self, value: T) -> None:
        self.own = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, IdentityKey) and other.own is self.own

    def __hash__(self) -> int:
        return id(self.own)


def by_identity(
    size: int,
) -> Callable[[Callable[Concatenate[T, Rest], Result]], Callable[Concatenate[T, Rest], Result]]:
    """Return a decorator that caches the last `size` results of a function.

    The first argument of the function is compared by identity, the others by content.
    """

    def decorated(function: Callable[Concatenate[T, Rest], Result]) -> Callable[Concatenate[T, Rest], Result]:
        def by_key(key: IdentityKey[T], *args: Rest.args, **kwargs: Rest.kwargs) -> Result:
            return function(key.own, *args, **kwargs)

        cached: Callable[..., Result] = lru_cache(size)(by_key)

        @wraps(function)
        def remembering(value: T, /, *args: Rest.args, **kwargs: Rest.kwargs) -> Result:
            return cached(IdentityKey(value), *args, **kwargs)

        return remembering

    return decorated
