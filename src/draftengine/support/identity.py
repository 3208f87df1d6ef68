"""Keys that compare objects by identity, not by content."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Concatenate, Generic, ParamSpec, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")
Result = TypeVar("Result")
Rest = ParamSpec("Rest")


class IdentityKey(Generic[T]):
    """A key that is equal only for the same object. It keeps the object alive, so its id is not reused."""

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
    """Return a decorator that caches the last `size` results of a function, or up to twice as many.

    The first argument of the function is compared by identity, the others by content. Once `size` new results are
    cached, those that were not used meanwhile are dropped. (With `lru_cache`, a look-up takes four times as long.)
    """

    def decorated(function: Callable[Concatenate[T, Rest], Result]) -> Callable[Concatenate[T, Rest], Result]:
        recent: dict[object, tuple[T, Result]] = {}
        older: dict[object, tuple[T, Result]] = {}

        @wraps(function)
        def remembering(value: T, /, *args: Rest.args, **kwargs: Rest.kwargs) -> Result:
            nonlocal recent, older
            key = (id(value), *args, *kwargs.items()) if args or kwargs else id(value)
            known = recent.get(key)
            if known is None:
                # The value is kept with its result, so that no other object gets its identity.
                known = older.get(key) or (value, function(value, *args, **kwargs))
                if len(recent) >= size:
                    recent, older = {}, recent
                recent[key] = known
            return known[1]

        return remembering

    return decorated
